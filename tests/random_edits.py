"""Random tables with spans and holes, and random edits that fit them."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from hypothesis import strategies as st

from scoring.table import Cell, Table
from store import edits
from store.edits import (
    Delete,
    Edit,
    EditError,
    Insert,
    Mark,
    MarkChange,
    Move,
    ReplaceCells,
    SetText,
    Several,
    Sheet,
    Step,
    TextChange,
    touching,
)


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Small tables with spans and holes."""
    n_rows, n_cols = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    free = {(row, col) for row in range(n_rows) for col in range(n_cols)}
    cells = []
    for row in range(n_rows):
        for col in range(n_cols):
            if (row, col) not in free or draw(st.integers(0, 5)) == 0:
                continue
            row_span, col_span = draw(st.integers(1, 3)), draw(st.integers(1, 3))
            covered = {(r, c) for r in range(row, row + row_span) for c in range(col, col + col_span)}
            if not covered <= free:
                row_span = col_span = 1
                covered = {(row, col)}
            free -= covered
            cells.append(Cell(row, col, draw(st.text("ab1", max_size=3)), row_span, col_span))
    return Table(n_rows, n_cols, tuple(cells))


@st.composite
def edits_on(draw: st.DrawFn, now: Sheet) -> Edit:
    """An edit of any kind that fits the sheet."""
    if draw(st.integers(0, 3)):
        return draw(steps_on(now))
    steps = []
    for _ in range(draw(st.integers(1, 3))):
        steps.append(draw(steps_on(now)))
        now = edits.apply(now, steps[-1])
    return Several(tuple(steps))


@st.composite
def steps_on(draw: st.DrawFn, now: Sheet) -> Step:
    table = now.table
    kinds = ["insert"]
    if table.cells:
        kinds += ["set_text", "mark", "merge"]
    if table.n_rows and table.n_cols:
        kinds += ["delete", "move"]
    kind = draw(st.sampled_from(kinds))
    axis = draw(st.sampled_from(["row", "col"]))
    size = table.n_rows if axis == "row" else table.n_cols
    ids = now.row_ids if axis == "row" else now.col_ids
    if kind == "set_text":
        cell = draw(st.sampled_from(table.cells))
        return SetText((TextChange(cell.row, cell.col, cell.text, draw(st.text("xyz", max_size=3))),))
    if kind == "mark":
        cell = draw(st.sampled_from(table.cells))
        new = draw(st.sampled_from(["", "confirmed", "unreadable", "absent"]))
        return Mark((MarkChange(cell.row, cell.col, now.mark_at(cell.row, cell.col), new),))
    if kind == "merge":
        first = draw(st.sampled_from(table.cells))
        right = [
            cell
            for cell in table.cells
            if cell.row == first.row and cell.col == first.col + first.col_span and cell.row_span == first.row_span
        ]
        old = (first, *right[:1])
        return ReplaceCells(old, (replace(first, text="+", col_span=sum(cell.col_span for cell in old)),))
    if kind == "delete":
        at = draw(st.integers(0, size - 1))
        count = draw(st.integers(1, min(2, size - at)))
        return Delete(axis, at, ids[at : at + count], touching(table, axis, at, count))
    if kind == "move":
        at = draw(st.integers(0, size - 1))
        count = draw(st.integers(1, min(2, size - at)))
        move = Move(axis, at, ids[at : at + count], draw(st.integers(0, size - count)))
        with suppress(EditError):  # a merged cell is in the way: stay where they are
            edits.apply(now, move)
            return move
        return replace(move, to=at)
    at = draw(st.integers(0, size))
    name = f"n{draw(st.uuids())}"
    across = table.n_cols if axis == "row" else table.n_rows
    grown = edits.apply(now, Insert(axis, at, (name,), ())).table
    cells = [Cell(at, place) if axis == "row" else Cell(place, at) for place in range(across)]
    return Insert(axis, at, (name,), tuple(cell for cell in cells if grown.at(cell.row, cell.col) is None))
