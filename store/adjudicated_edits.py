"""What was decided between two keyings, as edits of the first one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring.double_keying import CellDifference, Difference, RowDifference, TwoReadings
from scoring.table import Cell, Table
from store import edits
from store.edits import Delete, Edit, Insert, SetText, Sheet, TextChange, touching


@dataclass(frozen=True)
class Decided:
    """A difference, and the text that counts; of a row: its texts where it is there."""

    difference: Difference
    value: str


def edits_of(a: Sheet, b: Table, readings: TwoReadings, decided: Sequence[Decided]) -> tuple[Edit, ...]:
    """The edits that make of A's sheet what was decided: texts, then rows that B alone had, then rows taken out."""
    made: list[Edit] = []
    changes = []
    for one in decided:
        if isinstance(one.difference, CellDifference):
            anchor = a.table.at(one.difference.a_row, one.difference.a_col)
            if anchor is not None and anchor.text != one.value:
                changes.append(TextChange(anchor.row, anchor.col, anchor.text, one.value))
    sheet = a
    if changes:
        made.append(SetText(tuple({(change.row, change.col): change for change in changes}.values())))
        sheet = edits.apply(sheet, made[-1])
    rows = [(one.difference, one.value) for one in decided if isinstance(one.difference, RowDifference)]
    added: dict[int, str] = {}
    for found, value in rows:
        if found.only == "b" and value == found.text:
            insert = _insert(sheet, a, b, found.row, readings, added)
            made.append(insert)
            sheet = edits.apply(sheet, insert)
            added[found.row] = insert.ids[0]
    for found, value in rows:
        if found.only == "a" and value != found.text:
            name = a.row_ids[found.row]
            here = sheet.row_ids.index(name)
            delete = Delete("row", here, (name,), touching(sheet.table, "row", here, 1))
            made.append(delete)
            sheet = edits.apply(sheet, delete)
    return tuple(made)


def _insert(sheet: Sheet, a: Sheet, b: Table, at: int, readings: TwoReadings, added: Mapping[int, str]) -> Insert:
    """The row of B after the nearest row before it that stands in the sheet by now."""
    here = sheet.table.header_rows
    for before in range(at - 1, -1, -1):
        mine = readings.matched_rows.get(before)
        name = added.get(before) or (a.row_ids[mine] if mine is not None else None)
        if name is not None and name in sheet.row_ids:
            here = sheet.row_ids.index(name) + 1
            break
    columns = {mine: theirs for theirs, mine in readings.matched_cols.items()}
    cells = tuple(
        Cell(here, col, b.text_at(at, columns[col]) if col in columns else "") for col in range(sheet.table.n_cols)
    )
    return Insert("row", here, (f"second-{at}-{len(sheet.row_ids)}",), cells)
