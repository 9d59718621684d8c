"""Boxes in points or pixels to fractions of the page, whatever corner they are counted from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scoring.table import Box, TableError
from store.formats.json_shape import number
from store.pages import PageSize

Size = tuple[float, float]

NO_SIZE = "boxes were left out: neither the file nor a document tells the size of the page"


def sizes_of(pages: Sequence[PageSize]) -> dict[int, Size]:
    """Width and height by page number."""
    return {page.number: (page.width, page.height) for page in pages}


def size_in(width: object, height: object) -> Size | None:
    """A page size, or None unless both are finite numbers above 0."""
    across, down = number(width), number(height)
    return (across, down) if across and down and across > 0 and down > 0 else None


def framed(page: int, sides: object, size: Size | None, *, bottom_up: bool = False) -> Box | None:
    """The box of left, top, right, bottom (in any order of its corners) on a page of this size.

    ``bottom_up``: heights are counted from the bottom of the page, as in PDF. None where the size
    is not known, or the sides are not four finite numbers.
    """
    if size is None or not isinstance(sides, list | tuple) or len(sides) != 4:
        return None
    found = [number(side) for side in sides]
    if any(side is None for side in found):
        return None
    x0, y0, x1, y1 = (side or 0.0 for side in found)
    (left, right), (top, bottom) = sorted((x0 / size[0], x1 / size[0])), sorted((y0 / size[1], y1 / size[1]))
    if bottom_up:
        top, bottom = 1 - bottom, 1 - top
    try:
        return Box(page, *(round(side, 6) for side in (left, top, right, bottom)))
    except (TableError, OverflowError):
        return None


def corners(points: object) -> tuple[object, object, object, object] | None:
    """Left, top, right, bottom of a polygon: pairs of numbers, or x and y in turn; None for anything else."""
    if not isinstance(points, list | tuple) or not points:
        return None
    if all(isinstance(point, Mapping) for point in points):
        points = [(point.get("x"), point.get("y")) for point in points]
    if all(isinstance(point, list | tuple) and len(point) == 2 for point in points):
        flat = [number(side) for point in points for side in point]
    elif len(points) % 2 == 0:
        flat = [number(side) for side in points]
    else:
        return None
    whole = [side for side in flat if side is not None]
    if len(whole) != len(flat) or len(whole) < 4:
        return None
    return min(whole[0::2]), min(whole[1::2]), max(whole[0::2]), max(whole[1::2])
