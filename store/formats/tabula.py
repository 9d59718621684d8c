"""Tabula: its JSON output, with spans rebuilt from the boxes of lattice cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from scoring.table import LARGEST_COL_SPAN, LARGEST_GRID, LARGEST_ROW_SPAN, Cell
from store.formats import frames, grid_lines, json_shape, json_text
from store.formats.contract import FormatError, Read, ReadTable
from store.formats.grid_lines import Sides
from store.formats.json_shape import Path
from store.formats.leading_rows import with_header
from store.formats.repair import fitted
from store.pages import PageSize

_LOOKED_AT = 50
_TOLERANCE = 1.0  # points; lines that meet are not drawn to the very same place


def sniff(raw: bytes, name: str) -> bool:
    """Whether the JSON is a table with extraction_method and data, or a list of them."""
    value = json_text.peeked(raw)
    return any(
        isinstance(entry, Mapping) and {"extraction_method", "data"} <= entry.keys()
        for entry in (islice(value, _LOOKED_AT) if isinstance(value, list) else [value])
    )


def read(raw: bytes, *, name: str, pages: Sequence[PageSize] = ()) -> Read:
    """The tables of ``-f JSON``. A box of zeros is no cell: where lattice was used, another one covers its place.

    Lattice rows list their cells without gaps, so columns and spans follow from where cells begin
    and end. In stream tables the places count, and a box of zeros is an empty cell. Boxes are points
    from the top left and need the page's size.
    """
    value, notes = json_text.load(raw)
    entries = json_shape.listed(value if isinstance(value, list) else [value], ())
    sizes = frames.sizes_of(pages)
    tables = tuple(
        _table(entry, path if isinstance(value, list) else (), f"table {number}", sizes)
        for number, (entry, path) in enumerate(entries, start=1)
    )
    if not tables:
        notes = (*notes, "the file holds no tables")
    return Read(tables, notes, "Tabula")


def _table(entry: Mapping[str, Any], path: Path, name: str, sizes: Mapping[int, frames.Size]) -> ReadTable:
    page = json_shape.whole(entry, "page_number", path, default=1, least=1)
    size = sizes.get(page)
    rows: list[list[tuple[str, Sides | None]]] = []
    for place, row in enumerate(json_shape.entries(entry, "data", path)):
        where = (*path, "data", place)
        if not isinstance(row, list):
            raise json_shape.wrong(where, row, "a list of cells")
        rows.append([(_text(cell), _sides(cell)) for cell, _ in json_shape.listed(row, where)])
    n_cols = max(map(len, rows), default=0)
    if len(rows) * n_cols > LARGEST_GRID:
        raise FormatError(
            f"{json_text.pointer(path)}: {len(rows)} rows of {n_cols} columns, "
            f"expected at most {LARGEST_GRID:,} positions"
        )
    lattice = json_shape.text(entry, "extraction_method") != "stream" and any(box for row in rows for _, box in row)
    placed = _by_lines(rows) if lattice else _by_places(rows)
    cells = [
        Cell(row, col, text, tall, wide, box=frames.framed(page, list(box), size) if box else None)
        for row, col, tall, wide, text, box in placed
    ]
    n_cols = max((cell.col + cell.col_span for cell in cells), default=n_cols) if lattice else n_cols
    whole, repairs = fitted(cells, n_rows=len(rows), n_cols=n_cols)
    whole, notes = with_header(whole)
    around = _sides(entry)
    if size is None:
        notes = (*notes, frames.NO_SIZE)
    box = frames.framed(page, list(around), size) if around else None
    return ReadTable(name, whole, notes, repairs, boxes=(box,) if box else (), place=json_text.pointer(path))


Placed = tuple[int, int, int, int, str, Sides | None]  # row, column, rows, columns, text, box


def _by_places(rows: Sequence[Sequence[tuple[str, Sides | None]]]) -> list[Placed]:
    return [(row, col, 1, 1, text, box) for row, cells in enumerate(rows) for col, (text, box) in enumerate(cells)]


def _by_lines(rows: Sequence[Sequence[tuple[str, Sides | None]]]) -> list[Placed]:
    known = [box for row in rows for _, box in row if box is not None]
    lefts = grid_lines.starts((box[0] for box in known), _TOLERANCE)
    # A row begins where its highest cell does; one without a cell of its own begins with the one before.
    tops: list[float] = []
    for row in rows:
        begins = min((box[1] for _, box in row if box is not None), default=tops[-1] if tops else 0.0)
        tops.append(max(begins, tops[-1]) if tops else begins)
    placed: list[Placed] = []
    for number, row in enumerate(rows):
        for text, box in row:
            if box is not None:
                col = grid_lines.line_of(lefts, box[0], _TOLERANCE)
                wide = min(grid_lines.reach(lefts, col, box[2], _TOLERANCE), LARGEST_COL_SPAN)
                tall = min(grid_lines.reach(tops, number, box[3], _TOLERANCE), LARGEST_ROW_SPAN)
                placed.append((number, col, tall, wide, text, box))
            elif text:
                # A text without a place follows the cell before it.
                col = placed[-1][1] + placed[-1][3] if placed and placed[-1][0] == number else 0
                placed.append((number, col, 1, 1, text, None))
    return placed


def _text(cell: Mapping[str, Any]) -> str:
    return json_shape.text(cell, "text").replace("\r\n", "\n").replace("\r", "\n")


def _sides(cell: Mapping[str, Any]) -> Sides | None:
    """Left, top, right, bottom; None for a box of zeros, or what is none."""
    left, top, width, height = (json_shape.number(cell.get(key)) for key in ("left", "top", "width", "height"))
    if left is None or top is None or not width or not height or width < 0 or height < 0:
        return None
    return left, top, left + width, top + height
