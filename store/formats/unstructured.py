"""Unstructured: the table elements of a partitioned document, with the detector's certainty."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from scoring.table import LARGEST_COL_SPAN, LARGEST_ROW_SPAN, Box, Table
from store.formats import frames, json_shape, json_text
from store.formats.contract import Read, Repair
from store.formats.html_pieces import Piece, numbered
from store.formats.json_shape import Path
from store.formats.repair import fitted
from store.pages import PageSize

_TABLES = ("Table", "TableChunk")
_LOOKED_AT = 50


def sniff(raw: bytes, name: str) -> bool:
    """Whether the JSON is a list of elements, each with its element_id, type and metadata."""
    value = json_text.peeked(raw)
    return isinstance(value, list) and any(
        isinstance(entry, Mapping) and {"element_id", "type", "metadata"} <= entry.keys()
        for entry in islice(value, _LOOKED_AT)
    )


def read(raw: bytes, *, name: str, pages: Sequence[PageSize] = ()) -> Read:
    """The table elements, from ``text_as_html``, else from ``table_as_cells``.

    Boxes are counted from the bottom of the page in a PointSpace, from its top in a PixelSpace. The
    detector's class probability speaks of the whole table, not of its text.
    """
    value, notes = json_text.load(raw, lines=True)
    if not isinstance(value, list):
        raise json_shape.wrong((), value, "a list of elements")
    elements = [(entry, (place,)) for place, entry in enumerate(value) if isinstance(entry, Mapping)]
    found = [(element, path) for element, path in elements if element.get("type") in _TABLES]
    files = {json_shape.text(json_shape.inner(element, "metadata", path), "filename") for element, path in found}
    tables, doubts = numbered(_piece(element, path, len(files) > 1) for element, path in found)
    packed = sum(
        element.get("type") == "CompositeElement" and "orig_elements" in json_shape.inner(element, "metadata", path)
        for element, path in elements
    )
    if packed:
        doubts = (*doubts, f"{packed} chunks hold packed elements, which are not read: partition without chunking")
    if not tables:
        doubts = (*doubts, "the file holds no table elements")
    return Read(tables, (*notes, *doubts), "Unstructured")


def _piece(element: Mapping[str, Any], path: Path, several: bool) -> Piece:
    metadata, where = json_shape.inner(element, "metadata", path), (*path, "metadata")
    notes = []
    if sheet := json_shape.text(metadata, "page_name"):
        notes.append(f"sheet {sheet!r}")
    if metadata.get("is_continuation") is True:
        notes.append("a chunk that continues the table before it")
    html = json_shape.text(metadata, "text_as_html")
    table: Table | None = None
    repairs: tuple[Repair, ...] = ()
    if not html and metadata.get("table_as_cells"):
        table, repairs = _from_cells(metadata, where)
    box, lost = _box(metadata, where)
    if lost:
        notes.append("its box was left out: it is no rectangle, or the page has no size in the file")
    return Piece(
        html,
        json_text.pointer(path),
        tuple(notes),
        (box,) if box else (),
        json_shape.confidence(
            metadata.get("detection_class_prob"), "detection", "table", "Unstructured layout class probability"
        ),
        json_shape.text(metadata, "filename") if several else "",
        table,
        repairs,
    )


def _from_cells(metadata: Mapping[str, Any], where: Path) -> tuple[Table, tuple[Repair, ...]]:
    cells = []
    for entry, at in json_shape.objects(metadata, "table_as_cells", where):
        height, width = (json_shape.whole(entry, key, at, default=1) for key in ("h", "w"))
        cells.append(
            json_shape.cell(
                at,
                row=json_shape.whole(entry, "y", at),
                col=json_shape.whole(entry, "x", at),
                text=json_shape.text(entry, "content"),
                row_span=min(max(1, height), LARGEST_ROW_SPAN),
                col_span=min(max(1, width), LARGEST_COL_SPAN),
            )
        )
    n_rows = max((cell.row for cell in cells), default=-1) + 1
    return fitted(cells, n_rows=n_rows, n_cols=max((cell.col + cell.col_span for cell in cells), default=0))


def _box(metadata: Mapping[str, Any], where: Path) -> tuple[Box | None, bool]:
    """The box of the table, and whether there was one that could not be used."""
    coordinates = json_shape.inner(metadata, "coordinates", where)
    if not coordinates.get("points"):
        return None, False
    page = json_shape.whole(metadata, "page_number", where, default=1, least=1)
    size = frames.size_in(coordinates.get("layout_width"), coordinates.get("layout_height"))
    bottom_up = coordinates.get("system") == "PointSpace"
    box = frames.framed(page, frames.corners(coordinates["points"]), size, bottom_up=bottom_up)
    return box, box is None
