"""Docling: tables of a DoclingDocument, each box by the corner that it is counted from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scoring.table import LARGEST_COL_SPAN, LARGEST_ROW_SPAN, Box, Cell, Header
from store.formats import frames, json_shape, json_text
from store.formats.contract import FormatError, Read, ReadTable, Repair
from store.formats.frames import Size
from store.formats.json_shape import Path
from store.formats.repair import fitted
from store.pages import PageSize

_ORIGINS = ("TOPLEFT", "BOTTOMLEFT")
# docling-serve answers with the document inside; the path to it.
_WRAPPERS: tuple[Path, ...] = ((), ("document", "json_content"), ("json_content",), ("document",))


def sniff(raw: bytes, name: str) -> bool:
    """Whether the JSON names itself a DoclingDocument, alone or in an answer of docling-serve."""
    return _document(json_text.peeked(raw)) is not None


def read(raw: bytes, *, name: str, pages: Sequence[PageSize] = ()) -> Read:
    """The tables of the document, from ``table_cells``: ``grid`` repeats a cell at each position it covers.

    Every box is counted from the corner that it names. A position without a cell is a hole.
    Docling gives no confidence for tables and cells. Raises FormatError naming the JSON pointer.
    """
    value, notes = json_text.load(raw)
    found = _document(value)
    if found is None:
        raise FormatError("/: no schema_name DoclingDocument, expected what Docling's export to JSON writes")
    document, path = found
    sizes = frames.sizes_of(pages) | _sizes(document, path)
    texts = {json_shape.text(text, "self_ref"): text for text, _ in json_shape.objects(document, "texts", path)}
    tables = tuple(
        _table(table, where, number, sizes, texts)
        for number, (table, where) in enumerate(json_shape.objects(document, "tables", path), start=1)
    )
    if not tables:
        notes = (*notes, "the document holds no tables")
    version = json_shape.text(document, "version")
    return Read(tables, notes, "Docling", f"DoclingDocument {version}" if version else "")


def _document(value: Any) -> tuple[Mapping[str, Any], Path] | None:
    for path in _WRAPPERS:
        inside = value
        for key in path:
            inside = inside.get(key) if isinstance(inside, Mapping) else None
        if isinstance(inside, Mapping) and inside.get("schema_name") == "DoclingDocument":
            return inside, path
    return None


def _sizes(document: Mapping[str, Any], path: Path) -> dict[int, Size]:
    sizes = {}
    for key, page in json_shape.inner(document, "pages", path).items():
        where = (*path, "pages", key)
        if not isinstance(page, Mapping):
            raise json_shape.wrong(where, page, "an object with a size")
        size = json_shape.inner(page, "size", where)
        found = frames.size_in(size.get("width"), size.get("height"))
        if found:
            sizes[json_shape.whole(page, "page_no", where, default=1, least=1)] = found
    return sizes


def _table(
    table: Mapping[str, Any],
    path: Path,
    number: int,
    sizes: Mapping[int, Size],
    texts: Mapping[str, Mapping[str, Any]],
) -> ReadTable:
    notes: list[str] = []
    boxes: list[Box] = []
    pages: list[int] = []
    lost = 0
    for prov, where in json_shape.objects(table, "prov", path):
        pages.append(json_shape.whole(prov, "page_no", where, default=1, least=1))
        box = _box(prov.get("bbox"), pages[-1], sizes)
        boxes += [box] if box else []
        lost += box is None and prov.get("bbox") is not None
    page = pages[0] if pages and len(set(pages)) == 1 else None
    if len(set(pages)) > 1:
        notes.append("the table lies on several pages: its cells do not say on which, so their boxes were left out")
    data, at = json_shape.inner(table, "data", path), (*path, "data")
    cells: list[Cell] = []
    repairs: list[Repair] = []
    for entry, where in json_shape.objects(data, "table_cells", at):
        bounds = entry.get("bbox")
        box = _box(bounds, page, sizes) if page is not None else None
        lost += bounds is not None and box is None and page is not None
        cell = _cell(entry, where, box)
        cells.append(cell)
        if isinstance(entry.get("ref"), Mapping):
            repairs.append(Repair(cell.row, cell.col, "holds more than a text (such as a list): only its text is read"))
    if lost:
        notes.append(f"{lost} boxes were left out: they are no rectangles, or on a page of unknown size")
    n_rows, n_cols = (json_shape.whole(data, key, at, default=0) for key in ("num_rows", "num_cols"))
    whole, refitted = fitted(cells, n_rows=n_rows, n_cols=n_cols)
    for reference in json_shape.entries(table, "captions", path):
        words = texts.get(json_shape.text(reference, "$ref")) if isinstance(reference, Mapping) else None
        if words and json_shape.text(words, "text"):
            notes.append(f"caption: {json_shape.text(words, 'text')}")
    return ReadTable(
        f"table {number}",
        whole,
        tuple(notes),
        (*repairs, *refitted),
        boxes=tuple(boxes),
        place=json_text.pointer(path),
    )


def _cell(entry: Mapping[str, Any], where: Path, box: Box | None) -> Cell:
    row, col = (json_shape.whole(entry, f"start_{side}_offset_idx", where) for side in ("row", "col"))
    spans = []
    for side, start, most in (("row", row, LARGEST_ROW_SPAN), ("col", col, LARGEST_COL_SPAN)):
        # The end is after the last row: where it contradicts the span, the positions are what the grid was built from.
        span = json_shape.whole(entry, f"{side}_span", where, default=1, least=0)
        end = json_shape.whole(entry, f"end_{side}_offset_idx", where, default=start + max(1, span))
        spans.append(min(max(1, end - start), most))
    header: Header = "column" if entry.get("column_header") is True else ""
    if not header and (entry.get("row_header") is True or entry.get("row_section") is True):
        header = "row"
    text = json_shape.text(entry, "text")
    return json_shape.cell(
        where, row=row, col=col, text=text, row_span=spans[0], col_span=spans[1], header=header, box=box
    )


def _box(bounds: Any, page: int | None, sizes: Mapping[int, Size]) -> Box | None:
    if page is None or not isinstance(bounds, Mapping) or bounds.get("coord_origin", _ORIGINS[0]) not in _ORIGINS:
        return None
    sides = [bounds.get(side) for side in ("l", "t", "r", "b")]
    return frames.framed(page, sides, sizes.get(page), bottom_up=bounds.get("coord_origin") == "BOTTOMLEFT")
