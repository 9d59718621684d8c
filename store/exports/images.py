"""The image of a table: the part of the page on which its cells lie, and the boxes of the cells in it."""

from __future__ import annotations

import io
from collections import Counter
from dataclasses import dataclass

from PIL import Image

from scoring.table import Box, Table
from store.comparison import Comparison
from store.exports.written import Given
from store.pages import DocumentError, page_image

DPI = 150
# So much of the page is left round the cells, as a share of it.
_MARGIN = 0.01

Pixels = tuple[float, float, float, float]


@dataclass(frozen=True)
class Picture:
    """A piece of a page as PNG, its size in pixels, and what part of which page it shows."""

    body: bytes
    width: int
    height: int
    part: Box

    def pixels(self, box: Box | None) -> Pixels | None:
        """A box of the page in pixels of the picture; None for one on another page."""
        if box is None or box.page != self.part.page:
            return None
        across, down = self.part.x1 - self.part.x0, self.part.y1 - self.part.y0
        x0, x1 = ((side - self.part.x0) / across * self.width for side in (box.x0, box.x1))
        y0, y1 = ((side - self.part.y0) / down * self.height for side in (box.y0, box.y1))
        return round(x0, 1), round(y0, 1), round(x1, 1), round(y1, 1)


def table_picture(entry: Comparison, given: Given) -> Picture | None:
    """The piece of the page with the most cells, or all of page 1 where no box is known; None if it cannot be drawn."""
    return _cut(entry, given, _part(entry.sheet.table))


def page_picture(entry: Comparison, given: Given, page: int) -> Picture | None:
    """A whole page; None where it cannot be drawn."""
    return _cut(entry, given, Box(page, 0, 0, 1, 1))


def _part(table: Table) -> Box:
    pages = Counter(cell.box.page for cell in table.cells if cell.box)
    if not pages:
        return Box(1, 0, 0, 1, 1)
    page = pages.most_common(1)[0][0]
    boxes = [cell.box for cell in table.cells if cell.box and cell.box.page == page]
    x0, y0 = (max(0.0, min(sides) - _MARGIN) for sides in ([box.x0 for box in boxes], [box.y0 for box in boxes]))
    x1, y1 = (min(1.0, max(sides) + _MARGIN) for sides in ([box.x1 for box in boxes], [box.y1 for box in boxes]))
    return Box(page, x0, y0, x1, y1) if x0 < x1 and y0 < y1 else Box(page, 0, 0, 1, 1)


def _cut(entry: Comparison, given: Given, part: Box) -> Picture | None:
    try:
        raw = page_image(given.home, entry.document.sha256, part.page, DPI)
    except (DocumentError, OSError):
        return None
    with Image.open(io.BytesIO(raw)) as page:
        sides = (part.x0 * page.width, part.y0 * page.height, part.x1 * page.width, part.y1 * page.height)
        x0, y0, x1, y1 = map(round, sides)
        piece = page.convert("RGB").crop((x0, y0, max(x1, x0 + 1), max(y1, y0 + 1)))
        made = io.BytesIO()
        piece.save(made, "PNG", optimize=False)
        shown = Box(part.page, x0 / page.width, y0 / page.height, x1 / page.width, y1 / page.height)
        return Picture(made.getvalue(), piece.width, piece.height, shown)
