"""PubTables-1M annotations of PDF pages: tables of cells with their rows, columns and boxes, in JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from scoring.table import LARGEST_COL_SPAN, LARGEST_ROW_SPAN, Cell, Header
from store.formats import frames, json_shape, json_text
from store.formats.contract import Read, ReadTable
from store.formats.json_shape import Path
from store.formats.repair import fitted
from store.pages import PageSize

_LOOKED_AT = 50


def sniff(raw: bytes, name: str) -> bool:
    """Whether the JSON is a table, or a list of tables, whose cells have row_nums and column_nums."""
    value = json_text.peeked(raw)
    return any(
        isinstance(entry, Mapping)
        and isinstance(entry.get("cells"), list)
        and bool(entry["cells"])
        and isinstance(entry["cells"][0], Mapping)
        and {"row_nums", "column_nums"} <= entry["cells"][0].keys()
        for entry in (islice(value, _LOOKED_AT) if isinstance(value, list) else [value])
    )


def read(raw: bytes, *, name: str, pages: Sequence[PageSize] = ()) -> Read:
    """The tables of the file. Pages are counted from 0; boxes are points from the top left of the page given.

    A file of several documents (``pdf_file_name``) names each with its tables.
    """
    value, notes = json_text.load(raw, lines=True)
    entries = list(json_shape.listed(value if isinstance(value, list) else [value], ()))
    files = {json_shape.text(entry, "pdf_file_name") for entry, _ in entries}
    sizes = frames.sizes_of(pages) if len(files) < 2 else {}
    counts: dict[str, int] = {}
    tables = []
    for entry, path in entries:
        document = json_shape.text(entry, "pdf_file_name") if len(files) > 1 else ""
        counts[document] = counts.get(document, 0) + 1
        where = path if isinstance(value, list) else ()
        tables.append(_table(entry, where, f"table {counts[document]}", sizes, document))
    return Read(tuple(tables), notes, "PubTables-1M")


def _table(
    entry: Mapping[str, Any], path: Path, name: str, sizes: Mapping[int, frames.Size], document: str
) -> ReadTable:
    page = json_shape.whole(entry, "pdf_page_index", path, default=0) + 1
    around = json_shape.entries(entry, "pdf_full_page_bbox", path)
    size = (frames.size_in(around[2], around[3]) if len(around) == 4 else None) or sizes.get(page)
    cells = [_cell(cell, where, page, size) for cell, where in json_shape.objects(entry, "cells", path)]
    n_rows = max((cell.row + cell.row_span for cell in cells), default=0)
    n_cols = max((cell.col + cell.col_span for cell in cells), default=0)
    # The annotation lists rows and columns too; where cells are blank, these know better.
    n_rows = max(n_rows, len(json_shape.inner(entry, "rows", path)))
    n_cols = max(n_cols, len(json_shape.inner(entry, "columns", path)))
    whole, repairs = fitted(cells, n_rows=n_rows, n_cols=n_cols)
    notes = []
    if entry.get("exclude_for_structure") is True:
        notes.append("the annotation is excluded for structure")
    if size is None and entry.get("pdf_table_bbox"):
        notes.append(frames.NO_SIZE)
    box = frames.framed(page, entry.get("pdf_table_bbox"), size)
    return ReadTable(
        name,
        whole,
        tuple(notes),
        repairs,
        boxes=(box,) if box else (),
        place=json_text.pointer(path),
        document=document,
    )


def _cell(entry: Mapping[str, Any], where: Path, page: int, size: frames.Size | None) -> Cell:
    rows, cols = _numbers(entry, "row_nums", where), _numbers(entry, "column_nums", where)
    header: Header = "column" if entry.get("is_column_header") is True else ""
    if not header and entry.get("is_projected_row_header") is True:
        header = "row"
    text = next((entry[key] for key in ("pdf_text_content", "text_content", "json_text_content") if entry.get(key)), "")
    return json_shape.cell(
        where,
        row=min(rows),
        col=min(cols),
        text=text if isinstance(text, str) else "",
        row_span=min(max(rows) - min(rows) + 1, LARGEST_ROW_SPAN),
        col_span=min(max(cols) - min(cols) + 1, LARGEST_COL_SPAN),
        header=header,
        box=frames.framed(page, entry.get("pdf_bbox"), size),
    )


def _numbers(entry: Mapping[str, Any], key: str, where: Path) -> list[int]:
    found = json_shape.entries(entry, key, where)
    numbers = [json_shape.whole({str(place): number}, str(place), (*where, key)) for place, number in enumerate(found)]
    if not numbers:
        raise json_shape.wrong((*where, key), entry.get(key), "a list of whole numbers")
    return numbers
