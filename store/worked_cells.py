"""What people did to the cells of a table, and what those cells are."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from sqlite_utils import Database

from store import edits, gold
from store.comparison import Comparison, compare
from store.db import Db
from store.edits import Edit, Sheet
from store.gold import Base
from store.queue_entry import column_label

CORRECTED, CONFIRMED, LOOKED_AT = "corrected", "confirmed", "looked at"
AS_EXTRACTED = "as extracted"

Ids = tuple[str, str]
"""The row id and the column id of a cell."""


@dataclass(frozen=True, slots=True)
class WorkedTable:
    """A gold table on which a person worked; ``cells`` are told as (column, page, done, error), see ``CellTime``."""

    project: str
    document: str
    label: str
    table_type: str
    base: Base
    is_accepted: bool
    cells: Mapping[Ids, tuple[str, int | None, str, str]]


def worked_table(db: Db, reader: Database, key: int, person: str, cells: Collection[Ids]) -> WorkedTable:
    """The table with these cells, and what the person did to them. Raises NotFound."""
    comparison = compare(db, reader, key)
    return WorkedTable(
        comparison.document.project,
        comparison.document.name,
        comparison.label,
        comparison.gold.table_type,
        comparison.gold.base,
        comparison.status == "accepted",
        _told(comparison, cells, done_to_cells(reader, key, person)) if cells else {},
    )


def _told(
    comparison: Comparison, cells: Collection[Ids], done: Mapping[Ids, str]
) -> dict[Ids, tuple[str, int | None, str, str]]:
    errors, sheet = _errors(comparison), comparison.sheet
    rows = {name: at for at, name in enumerate(sheet.row_ids)}
    cols = {name: at for at, name in enumerate(sheet.col_ids)}
    labels = {name: column_label(comparison, at) for name, at in cols.items()}
    return {
        (row_id, col_id): (
            labels.get(col_id, "") if row_id in rows else "",
            _page(sheet, rows.get(row_id), cols.get(col_id)),
            done.get((row_id, col_id), LOOKED_AT),
            errors.get((rows.get(row_id), cols.get(col_id)), AS_EXTRACTED),
        )
        for row_id, col_id in cells
    }


def done_to_cells(reader: Database, key: int, person: str) -> dict[Ids, str]:
    """What a person did to each cell that they changed or confirmed, by its ids; what was undone does not count."""
    log = gold.history(reader, key)
    root: dict[str, str] = {}
    stands: dict[str, bool] = {}
    for edit in log:
        origin = root.get(edit.undoes, edit.undoes) if edit.undoes else edit.id
        root[edit.id] = origin
        stands[origin] = not stands.get(origin, False)
    sheets = gold.states(reader, key)
    done: dict[Ids, str] = {}
    for edit, before in zip(log, sheets, strict=False):
        if edit.person != person or edit.undoes or not stands[edit.id]:
            continue
        for ids, what in _touched(before, edit.edit):
            done[ids] = CORRECTED if CORRECTED in (what, done.get(ids)) else what
    return done


def _touched(before: Sheet, edit: Edit) -> Iterator[tuple[Ids, str]]:
    """The cells that an edit corrects or confirms, by their ids."""
    match edit:
        case edits.Several(steps):
            for step in steps:
                yield from _touched(before, step)
                before = edits.apply(before, step)
            return
        case edits.SetText(changes):
            sheet, places, what = before, [(change.row, change.col) for change in changes], CORRECTED
        case edits.Mark(marks):
            confirmed = [(change.row, change.col) for change in marks if change.new == "confirmed"]
            sheet, places, what = before, confirmed, CONFIRMED
        case edits.ReplaceCells(_, cells):
            sheet, places, what = before, [(cell.row, cell.col) for cell in cells], CORRECTED
        case edits.Insert(axis, at, ids, cells):
            sheet, inside = edits.apply(before, edit), range(at, at + len(ids))
            where = [(cell.row, cell.col) for cell in cells]
            places, what = [one for one in where if one[0 if axis == "row" else 1] in inside], CORRECTED
        case _:
            return
    yield from (((sheet.row_ids[row], sheet.col_ids[col]), what) for row, col in places)


def _errors(comparison: Comparison) -> dict[tuple[int | None, int | None], str]:
    """How the first value of each gold cell was wrong."""
    found: dict[tuple[int | None, int | None], str] = {}
    for difference in comparison.report.differences:
        if difference.gold_row is None:
            continue
        cols = range(comparison.sheet.table.n_cols) if difference.gold_col is None else [difference.gold_col]
        for col in cols:
            found.setdefault((difference.gold_row, col), difference.kind)
    return found


def _page(sheet: Sheet, row: int | None, col: int | None) -> int | None:
    cell = None if row is None or col is None else sheet.table.at(row, col)
    return cell.box.page if cell and cell.box else None
