"""pdfplumber: dumps of extract_tables, and of find_tables with the boxes of cells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from scoring.table import LARGEST_COL_SPAN, LARGEST_GRID, LARGEST_ROW_SPAN, Cell
from store.formats import frames, grid_lines, json_shape, json_text
from store.formats.contract import FormatError, Read, ReadTable
from store.formats.json_shape import Path
from store.formats.leading_rows import with_header
from store.formats.repair import fitted
from store.pages import PageSize

_LOOKED_AT = 50
_DEEPEST_LIST = 4  # documents of pages of tables of rows
_TOLERANCE = 0.01  # points; rows and columns begin at the very numbers of their cells

Boxes = Sequence[Sequence[grid_lines.Sides | None]]


def sniff(raw: bytes, name: str) -> bool:
    """Whether the JSON is lists of rows with nulls between texts, lists of such tables, or tables with ``text``."""
    value = json_text.peeked(raw)
    if _is_dump(value) or (isinstance(value, list) and value and all(map(_is_dump, islice(value, _LOOKED_AT)))):
        return True
    depth = _depth(value)
    return depth > 2 or (depth == 2 and any(text is None for row in islice(value, _LOOKED_AT) for text in row))


def read(raw: bytes, *, name: str, pages: Sequence[PageSize] = ()) -> Read:
    """The tables of a dump. A null is a position that another cell covers, "" is an empty cell.

    Which cell that is follows from the boxes of cells (``rows``); without them a null is a hole.
    Boxes are points from the top left, as pdfplumber gives them, and need the page's size.
    """
    value, notes = json_text.load(raw)
    sizes = frames.sizes_of(pages)
    tables = []
    for number, (entry, path) in enumerate(_tables(value, ()), start=1):
        tables.append(_table(entry, path, f"table {number}", sizes))
    if not tables:
        notes = (*notes, "the file holds no tables")
    return Read(tuple(tables), notes, "pdfplumber")


def _is_dump(value: Any) -> bool:
    return (
        isinstance(value, Mapping)
        and isinstance(value.get("text"), list)
        and ("rows" in value or "cells" in value or "bbox" in value)
        and _depth(value["text"]) == 2
    )


def _depth(value: Any) -> int:
    """How deep lists lie in lists down to texts and nulls, by their beginnings; 0 for anything else."""
    if not isinstance(value, list):
        return 0
    level: list[Any] = value
    for depth in range(1, _DEEPEST_LIST + 1):
        below = [child for entry in islice(level, _LOOKED_AT) if isinstance(entry, list) for child in entry]
        inner = [entry for entry in islice(level, _LOOKED_AT) if not isinstance(entry, list)]
        if inner:
            plain = all(entry is None or type(entry) is str for entry in inner)
            return depth if plain and len(inner) == len(level[:_LOOKED_AT]) else 0
        level = below
    return 0


def _tables(value: Any, path: Path) -> Iterator[tuple[Any, Path]]:
    """Each table and its path: an object with text, or a list of rows."""
    stack: list[tuple[Any, Path]] = [(value, path)]
    while stack:
        entry, where = stack.pop()
        if isinstance(entry, Mapping):
            yield entry, where
        elif not isinstance(entry, list):
            raise json_shape.wrong(where, entry, "a list of rows, or an object with text")
        elif _is_table(entry):
            yield entry, where
        else:
            stack += reversed([(child, (*where, place)) for place, child in enumerate(entry)])


def _is_table(entry: list[Any]) -> bool:
    return any(
        isinstance(row, list) and any(not isinstance(text, dict | list) for text in row) for row in entry
    ) and not any(isinstance(row, Mapping) for row in entry)


def _table(entry: Any, path: Path, name: str, sizes: Mapping[int, frames.Size]) -> ReadTable:
    if not isinstance(entry, Mapping):
        return _laid_out(entry, (), path, name, 1, None)
    page = json_shape.whole(entry, "page", path, default=1, least=1)
    size = sizes.get(page)
    rows = json_shape.entries(entry, "rows", path)
    boxes: Boxes = [[_sides(box) for box in row] for row in rows if isinstance(row, list)]
    around = frames.framed(page, entry.get("bbox"), size)
    found = _laid_out(json_shape.entries(entry, "text", path), boxes, path, name, page, size)
    notes = (frames.NO_SIZE,) if size is None and (boxes or entry.get("bbox")) else ()
    return ReadTable(
        name,
        found.table,
        (*found.notes, *notes),
        found.repairs,
        boxes=(around,) if around else (),
        place=found.place,
    )


def _laid_out(
    rows: Sequence[Any], boxes: Boxes, path: Path, name: str, page: int, size: frames.Size | None
) -> ReadTable:
    known = [box for line in boxes for box in line if box is not None]
    lefts = grid_lines.starts((box[0] for box in known), _TOLERANCE)
    tops = grid_lines.starts((box[1] for box in known), _TOLERANCE)
    n_cols = max((len(row) for row in rows if isinstance(row, list)), default=0)
    if len(rows) * n_cols > LARGEST_GRID:
        raise FormatError(
            f"{json_text.pointer(path)}: {len(rows)} rows of {n_cols} columns, "
            f"expected at most {LARGEST_GRID:,} positions"
        )
    # Lines are found by the boxes; if they are not as many as rows and columns, the boxes are of another table.
    fits = (len(tops), len(lefts)) == (len(rows), n_cols)
    cells: list[Cell] = []
    nulls = 0
    for row, texts in enumerate(rows):
        if not isinstance(texts, list):
            raise json_shape.wrong((*path, row), texts, "a list of texts")
        for col, text in enumerate(texts):
            if text is None:
                nulls += 1
                continue
            if isinstance(text, dict | list):
                raise json_shape.wrong((*path, row, col), text, "a text or null")
            sides = boxes[row][col] if fits and row < len(boxes) and col < len(boxes[row]) else None
            tall = wide = 1
            if sides is not None:
                tall = min(grid_lines.reach(tops, row, sides[3], _TOLERANCE), LARGEST_ROW_SPAN)
                wide = min(grid_lines.reach(lefts, col, sides[2], _TOLERANCE), LARGEST_COL_SPAN)
            box = frames.framed(page, list(sides), size) if sides is not None else None
            cells.append(Cell(row, col, json_text.text_of(text), tall, wide, box=box))
    whole, repairs = fitted(cells, n_rows=len(rows), n_cols=n_cols)
    whole, notes = with_header(whole)
    if nulls and not fits:
        notes = (*notes, f"{nulls} positions belong to spanning cells, and the file does not say to which: left open")
    return ReadTable(name, whole, notes, repairs, place=json_text.pointer(path))


def _sides(box: Any) -> grid_lines.Sides | None:
    if not isinstance(box, list) or len(box) != 4:
        return None
    found = [json_shape.number(side) for side in box]
    if any(side is None for side in found):
        return None
    left, top, right, bottom = (side or 0.0 for side in found)
    return left, top, right, bottom
