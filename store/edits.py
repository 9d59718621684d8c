"""Edits as small frozen values, and the sheet they act on: apply, inverse, states."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any, Literal, get_args

from scoring.table import Cell, Table, TableError

MarkName = Literal["", "confirmed", "unreadable", "absent"]
Axis = Literal["row", "col"]


class EditError(ValueError):
    """An edit that cannot be read or does not fit its sheet."""


class Conflict(EditError):
    """An edit that expected something else than the sheet holds; nothing was changed."""

    def __init__(self, row: int, col: int, expected: str, found: str) -> None:
        super().__init__(f"row {row}, column {col} holds {found!r}, the edit expected {expected!r}")
        self.row, self.col, self.expected, self.found = row, col, expected, found


@dataclass(frozen=True)
class Sheet:
    """Gold at one revision: the table, a lasting id per row and column, and the marks people set.

    ``marks`` maps (row id, column id) of a cell's anchor to its mark, so that a mark stays with its
    cell while rows move. Base rows are ``b0, b1, ...``; an inserted row brings its own id.
    """

    table: Table
    row_ids: tuple[str, ...]
    col_ids: tuple[str, ...]
    marks: Mapping[tuple[str, str], MarkName] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for ids, count, axis in (
            (self.row_ids, self.table.n_rows, "rows"),
            (self.col_ids, self.table.n_cols, "columns"),
        ):
            if len(ids) != count or len(set(ids)) != count:
                raise EditError(f"{len(set(ids))} different ids for {count} {axis}, expected one each")

    def mark_at(self, row: int, col: int) -> MarkName:
        """The mark of the cell anchored at a position; "" where there is none."""
        return self.marks.get((self.row_ids[row], self.col_ids[col]), "")

    def to_json(self) -> dict[str, Any]:
        """The table with its ids and marks; marks stand at the positions they have now."""
        marks = [
            {"row": row, "col": col, "mark": mark}
            for row in range(self.table.n_rows)
            for col in range(self.table.n_cols)
            if (mark := self.mark_at(row, col))
        ]
        return {
            **self.table.to_json(),
            "row_ids": list(self.row_ids),
            "col_ids": list(self.col_ids),
            "marks": marks,
        }


def sheet(base: Table) -> Sheet:
    """Revision 0: the base with fresh ids and no marks."""
    return Sheet(
        base,
        tuple(f"b{row}" for row in range(base.n_rows)),
        tuple(f"b{col}" for col in range(base.n_cols)),
    )


@dataclass(frozen=True)
class TextChange:
    """The text of the cell anchored at a position, before and after."""

    row: int
    col: int
    old: str
    new: str


@dataclass(frozen=True)
class MarkChange:
    """The mark of the cell anchored at a position, before and after."""

    row: int
    col: int
    old: MarkName
    new: MarkName


@dataclass(frozen=True)
class SetText:
    """Give cells another text: one typed value, a paste, a fill or a replacement."""

    changes: tuple[TextChange, ...]


@dataclass(frozen=True)
class Mark:
    """Confirm cells, call them unreadable or absent on purpose, or take that back."""

    changes: tuple[MarkChange, ...]


@dataclass(frozen=True)
class ReplaceCells:
    """Put other cells in the place of some: merge, split, set a span, mark a header, move a box.

    A position that neither covers any more becomes a hole; ``old`` may be empty to fill holes.
    """

    old: tuple[Cell, ...]
    new: tuple[Cell, ...]


@dataclass(frozen=True)
class Insert:
    """Insert rows or columns with these ids before position ``at``; spans that cross it grow.

    ``cells`` are the cells that touch the new lines, at their places after the insertion; they
    take the place of what covered those positions.
    """

    axis: Axis
    at: int
    ids: tuple[str, ...]
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Delete:
    """Delete the rows or columns with these ids from position ``at`` on; spans that cross shrink.

    ``cells`` are all cells that touch the lines, as the edit expects to find them.
    """

    axis: Axis
    at: int
    ids: tuple[str, ...]
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Move:
    """Move the rows or columns with these ids from position ``at``, so that they then begin at ``to``.

    Ids and marks go with their lines. Refused where a merged cell would be torn.
    """

    axis: Axis
    at: int
    ids: tuple[str, ...]
    to: int


Step = SetText | Mark | ReplaceCells | Insert | Delete | Move


@dataclass(frozen=True)
class Several:
    """Steps that are one thing to the person who made them: done, refused and undone together."""

    edits: tuple[Step, ...]


Edit = Step | Several

KINDS: dict[str, type[Edit]] = {
    "set_text": SetText,
    "mark": Mark,
    "replace_cells": ReplaceCells,
    "insert": Insert,
    "delete": Delete,
    "move": Move,
    "several": Several,
}
NAMES = {kind: name for name, kind in KINDS.items()}


def apply(before: Sheet, edit: Edit) -> Sheet:
    """The sheet after an edit.

    Raises Conflict where the sheet holds something else than the edit expected, and EditError
    where the edit points off the table or would leave cells that overlap.
    """
    try:
        match edit:
            case SetText(changes):
                return _set_text(before, changes)
            case Mark(changes):
                return _mark(before, changes)
            case ReplaceCells(old, new):
                return _replace_cells(before, old, new)
            case Insert():
                return _insert(before, edit)
            case Delete():
                return _delete(before, edit)
            case Move():
                return _move(before, edit)
            case Several(steps):
                return reduce(apply, steps, before)
    except TableError as wrong:
        raise EditError(f"{NAMES[type(edit)]}: {wrong}") from None


def inverse(edit: Edit, before: Sheet) -> Edit:
    """The edit that takes ``apply(before, edit)`` back to ``before``."""
    match edit:
        case SetText(changes):
            return SetText(tuple(replace(change, old=change.new, new=change.old) for change in reversed(changes)))
        case Mark(changes):
            return Mark(tuple(replace(change, old=change.new, new=change.old) for change in reversed(changes)))
        case ReplaceCells(old, new):
            return ReplaceCells(new, old)
        case Insert(axis, at, ids, _):
            after = apply(before, edit)
            return Delete(axis, at, ids, touching(after.table, axis, at, len(ids)))
        case Delete(axis, at, ids, _):
            return Insert(axis, at, ids, touching(before.table, axis, at, len(ids)))
        case Move(axis, at, ids, to):
            return Move(axis, to, ids, at)
        case Several(steps):
            back: list[Step] = []
            for step in steps:
                undo = inverse(step, before)
                assert not isinstance(undo, Several)
                back.insert(0, undo)
                before = apply(before, step)
            return Several(tuple(back))


def states(base: Table, edits: Iterable[Edit]) -> list[Sheet]:
    """All revisions in order: index 0 is the base, -1 the current one.

    Raises EditError naming the revision whose edit does not fit.
    """
    revisions = [sheet(base)]
    for number, edit in enumerate(edits, start=1):
        try:
            revisions.append(apply(revisions[-1], edit))
        except EditError as wrong:
            raise EditError(f"revision {number}: {wrong}") from wrong
    return revisions


def touching(table: Table, axis: Axis, at: int, count: int) -> tuple[Cell, ...]:
    """All cells that cover a position in ``count`` rows or columns from ``at`` on."""
    return tuple(
        cell for cell in table.cells if _start(cell, axis) < at + count and at < _start(cell, axis) + _span(cell, axis)
    )


def _set_text(before: Sheet, changes: Sequence[TextChange]) -> Sheet:
    texts: dict[tuple[int, int], str] = {}
    for change in changes:
        place = change.row, change.col
        found = texts.get(place, before.table.anchored(*place).text)
        if found != change.old:
            raise Conflict(change.row, change.col, change.old, found)
        texts[place] = change.new
    return replace(before, table=before.table.with_texts(texts))


def _mark(before: Sheet, changes: Sequence[MarkChange]) -> Sheet:
    marks = dict(before.marks)
    for change in changes:
        before.table.anchored(change.row, change.col)
        if change.new not in get_args(MarkName):
            raise EditError(f"mark {change.new!r}, expected one of {get_args(MarkName)}")
        key = before.row_ids[change.row], before.col_ids[change.col]
        found = marks.get(key, "")
        if found != change.old:
            raise Conflict(change.row, change.col, change.old or "no mark", found or "no mark")
        if change.new:
            marks[key] = change.new
        else:
            marks.pop(key, None)
    return replace(before, marks=marks)


def _replace_cells(before: Sheet, old: Sequence[Cell], new: Sequence[Cell]) -> Sheet:
    _expect(before.table, old)
    anchors = {(cell.row, cell.col) for cell in old}
    kept = [cell for cell in before.table.cells if (cell.row, cell.col) not in anchors]
    return replace(before, table=replace(before.table, cells=(*kept, *new)))


def _insert(before: Sheet, edit: Insert) -> Sheet:
    count = len(edit.ids)
    axis, at = edit.axis, edit.at
    ids = _ids(before, axis)
    if not 0 <= at <= len(ids) or not count:
        raise EditError(f"insert of {count} {axis}s before position {at}, the table has {len(ids)}")
    placed = _positions(edit.cells)
    cells: list[Cell] = list(edit.cells)
    for cell in before.table.cells:
        if _start(cell, axis) >= at:
            moved = _moved(cell, axis, count)
        elif _start(cell, axis) + _span(cell, axis) > at:
            moved = _grown(cell, axis, count)
        else:
            moved = cell
        if (moved.row, moved.col) not in placed and not _positions([moved]) & placed:
            cells.append(moved)
    return _resized(before, axis, cells, (*ids[:at], *edit.ids, *ids[at:]))


def _delete(before: Sheet, edit: Delete) -> Sheet:
    count = len(edit.ids)
    axis, at = edit.axis, edit.at
    ids = _ids(before, axis)
    if not count or ids[at : at + count] != edit.ids:
        raise EditError(f"delete of {axis}s {list(edit.ids)} from position {at}, found {list(ids[at : at + count])}")
    touched = touching(before.table, axis, at, count)
    _expect(before.table, edit.cells)
    if missed := [cell for cell in touched if cell not in edit.cells]:
        raise Conflict(missed[0].row, missed[0].col, "nothing", missed[0].text)
    if len(touched) != len(edit.cells):
        raise EditError(f"delete: {len(edit.cells)} cells are named, {len(touched)} touch the {axis}s")
    cells = []
    for cell in before.table.cells:
        start, end = _start(cell, axis), _start(cell, axis) + _span(cell, axis)
        lost = max(0, min(end, at + count) - max(start, at))
        if lost == end - start:
            continue
        if lost:
            cell = _grown(cell, axis, -lost)
        if start >= at:
            cell = _moved(cell, axis, -min(count, start - at))
        cells.append(cell)
    return _resized(before, axis, cells, (*ids[:at], *ids[at + count :]))


def _move(before: Sheet, edit: Move) -> Sheet:
    axis, at, to, count = edit.axis, edit.at, edit.to, len(edit.ids)
    ids = _ids(before, axis)
    if not count or at < 0 or ids[at : at + count] != edit.ids or not 0 <= to <= len(ids) - count:
        raise EditError(f"move of {axis}s {list(edit.ids)} from position {at} to {to}, the table has {list(ids)}")
    rest = [*range(at), *range(at + count, len(ids))]
    order = [*rest[:to], *range(at, at + count), *rest[to:]]
    place = {old: new for new, old in enumerate(order)}
    cells = []
    for cell in before.table.cells:
        start, span = _start(cell, axis), _span(cell, axis)
        now = [place[line] for line in range(start, start + span)]
        if max(now) - min(now) >= span:
            raise EditError(f"move: the merged cell at row {cell.row}, column {cell.col} would be torn")
        cells.append(_moved(cell, axis, min(now) - start))
    return _resized(before, axis, cells, tuple(ids[line] for line in order))


def _expect(table: Table, cells: Iterable[Cell]) -> None:
    for cell in cells:
        found = table.at(cell.row, cell.col)
        if found != cell:
            text = "nothing" if found is None else found.text
            raise Conflict(cell.row, cell.col, cell.text, text)


def _positions(cells: Iterable[Cell]) -> set[tuple[int, int]]:
    return {(row, col) for cell in cells for row in cell.rows for col in cell.cols}


def _ids(sheet: Sheet, axis: Axis) -> tuple[str, ...]:
    return sheet.row_ids if axis == "row" else sheet.col_ids


def _resized(before: Sheet, axis: Axis, cells: Iterable[Cell], ids: tuple[str, ...]) -> Sheet:
    # Marks of deleted lines stay in the mapping: an undo brings the ids back, and the marks with them.
    if axis == "row":
        table = Table(len(ids), before.table.n_cols, tuple(cells))
        return replace(before, table=table, row_ids=ids)
    table = Table(before.table.n_rows, len(ids), tuple(cells))
    return replace(before, table=table, col_ids=ids)


def _start(cell: Cell, axis: Axis) -> int:
    return cell.row if axis == "row" else cell.col


def _span(cell: Cell, axis: Axis) -> int:
    return cell.row_span if axis == "row" else cell.col_span


def _moved(cell: Cell, axis: Axis, by: int) -> Cell:
    return replace(cell, row=cell.row + by) if axis == "row" else replace(cell, col=cell.col + by)


def _grown(cell: Cell, axis: Axis, by: int) -> Cell:
    return replace(cell, row_span=cell.row_span + by) if axis == "row" else replace(cell, col_span=cell.col_span + by)
