"""Seeded errors of structure: a row shows its values one column further, is left out, or two rows show as one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from typing import Any

from sqlite_utils import Database

from scoring.table import Box, Cell, Table
from store import gold, seeded
from store.comparison import Comparison
from store.db import Db, insert, now, row
from store.edits import Sheet
from store.seeded import WHOLE_ROW, Outcome

KINDS = ("shifted row", "dropped row", "merged rows")
# In a smaller table a row that is missing would be no plausible error.
FEWEST_ROWS, FEWEST_COLS = 4, 3
_WORST = ("low", "medium", "none", "high")


@dataclass(frozen=True)
class RowSeed:
    """Rows, by their lasting ids, of which cells show other texts than the true ones, or that do not show (None).

    A row that does not show is the last one of the table, so that all others stand where they stand in gold.
    """

    id: int
    kind: str
    truth: Mapping[str, Mapping[str, str]]
    shown: Mapping[str, Mapping[str, str] | None]

    @property
    def hidden(self) -> str | None:
        """The id of the row that does not show."""
        return next((id for id, texts in self.shown.items() if texts is None), None)

    @property
    def upper(self) -> str | None:
        """The id of the row that shows other texts."""
        return next((id for id, texts in self.shown.items() if texts is not None), None)


@dataclass(frozen=True)
class Standing:
    """An error of structure that nobody has met yet, and the table as it is, where it holds the true values."""

    seed: RowSeed
    sheet: Sheet

    @property
    def hidden(self) -> int | None:
        """The position of the row that does not show: the last one."""
        return None if self.seed.hidden is None else self.sheet.row_ids.index(self.seed.hidden)

    @property
    def upper(self) -> int | None:
        """The position of the row that shows other texts."""
        return None if self.seed.upper is None else self.sheet.row_ids.index(self.seed.upper)

    @cached_property
    def cells(self) -> Mapping[tuple[int, int], Cell]:
        """The cells that show something else, by position: a box goes with its text."""
        if self.upper is None or self.seed.upper is None:
            return {}
        table, ids = self.sheet.table, self.sheet.col_ids
        found = {}
        before: Cell | None = None
        for col, text in ((ids.index(id), text) for id, text in (self.seed.shown[self.seed.upper] or {}).items()):
            cell = table.anchored(self.upper, col)
            if self.hidden is not None:
                box = _around(cell.box, table.anchored(self.hidden, col).box)
            else:
                box = before.box if before else None
            found[self.upper, col] = replace(cell, text=text, box=box)
            before = cell
        return found

    def shown(self, sheet: Sheet) -> Sheet:
        """A sheet of the same shape as it is shown."""
        table = sheet.table
        kept = [self.cells.get((cell.row, cell.col), cell) for cell in table.cells if cell.row != self.hidden]
        n_rows = table.n_rows - (self.hidden is not None)
        return replace(sheet, table=Table(n_rows, table.n_cols, tuple(kept)), row_ids=sheet.row_ids[:n_rows])


def standing(reader: Database, key: int, sheet: Sheet) -> Standing | None:
    """The error of structure that a table shows now, if it does."""
    found = row(
        reader,
        "select c.id, c.kind, c.truth, c.shown from seeded_cell c where c.gold = ? and c.col_id = ? "
        "and not exists (select 1 from seeded_outcome o where o.seeded = c.id)",
        (key, WHOLE_ROW),
    )
    if found is None:
        return None
    seed = _seed(found)
    return Standing(seed, sheet) if _holds(seed, sheet) else None


def ever_shown(reader: Database, key: int) -> RowSeed | None:
    """The error of structure that a table shows or has shown."""
    held = "select id, kind, truth, shown from seeded_cell where gold = ? and col_id = ?"
    found = row(reader, held, (key, WHOLE_ROW))
    return None if found is None else _seed(found)


def _seed(found: Mapping[str, Any]) -> RowSeed:
    return RowSeed(found["id"], found["kind"], json.loads(found["truth"]), json.loads(found["shown"]))


def shown_row(db: Db, found: Comparison) -> Standing | None:
    """The error of structure that a table shows now; one is drawn and kept first, at most one for each table ever.

    Each row has its own lot, as each cell has; what becomes of it is a matter of the lot, too.
    """
    if found.status == "accepted" or found.gold.base != "extraction" or found.gold.stands_alone:
        return None
    with db.read() as reader:
        rule = row(reader, "select * from seeded_rule where project = ? order by id desc", (found.document.project,))
        if rule is None:
            return None
        held = "select row_id, col_id from seeded_cell where gold = ?"
        known = list(reader.query(held, (found.gold.id,)))
        if any(entry["col_id"] == WHOLE_ROW for entry in known) or not rule["share"]:
            return standing(reader, found.gold.id, found.sheet)
    fresh = _drawn(found, rule, {entry["row_id"] for entry in known})
    if fresh is None:
        return None
    with db.write() as writer:
        there = {(entry["row_id"], entry["col_id"]) for entry in writer.query(held, (found.gold.id,))}
        rows = set(json.loads(str(fresh["truth"])))
        if not any(col == WHOLE_ROW or id in rows for id, col in there):
            insert(writer, "seeded_cell", {**fresh, "at": now()})
        return standing(writer, found.gold.id, gold.current(db, writer, found.gold.id)[1])


def accepted_with(db: Db, key: int, sheet: Sheet, *, person: str) -> tuple[RowSeed, ...]:
    """The error of structure with which a table was accepted: it is a miss, and gold holds the true rows."""
    with db.write() as writer:
        found = standing(writer, key, sheet)
        if found is None:
            return ()
        seeded.resolve(writer, [found.seed.id], "missed", person)
        return (found.seed,)


def resolve(writer: Database, found: Standing, outcome: Outcome, person: str) -> None:
    """Write down what came of an error of structure, in a transaction of the caller."""
    seeded.resolve(writer, [found.seed.id], outcome, person)


def _holds(seed: RowSeed, sheet: Sheet) -> bool:
    rows, cols = sheet.row_ids, sheet.col_ids
    if any(id not in rows for id in seed.truth) or any(id not in cols for line in seed.truth.values() for id in line):
        return False
    places = [rows.index(id) for id in seed.truth]
    if seed.hidden is not None:
        last = list(range(len(rows) - len(places), len(rows)))
        if places != last or any(set(line) != set(cols) for line in seed.truth.values()):
            return False
    return all(
        _is_single(sheet.table.at(rows.index(id), cols.index(col)), text)
        and not sheet.mark_at(rows.index(id), cols.index(col))
        for id, line in seed.truth.items()
        for col, text in line.items()
    )


def _is_single(cell: Cell | None, text: str) -> bool:
    return cell is not None and cell.text == text and cell.row_span == cell.col_span == 1


def _drawn(found: Comparison, rule: Mapping[str, Any], taken: set[str]) -> dict[str, str | int] | None:
    sheet, first = found.sheet, found.first_table
    last, header = sheet.table.n_rows - 1, sheet.table.header_rows
    if last + 1 - header < FEWEST_ROWS or sheet.table.n_cols < FEWEST_COLS:
        return None
    lots = [(at, turn) for at in range(header, last + 1) if (turn := _turn(found, rule, at)) is not None]
    if not lots:  # most tables, and nothing was worked out for them
        return None
    read = _AsRead(found, taken)
    at_end = read.is_usable(last) and read.rows[last] == first.n_rows - 1
    for at, turn in lots:
        for step in range(len(KINDS)):
            kind = KINDS[(turn + step) % len(KINDS)]
            made: dict[int, dict[int, str] | None] | None = None
            if kind == "shifted row" and read.is_usable(at):
                made = _shifted(sheet, at, turn)
            elif kind == "dropped row" and at_end:
                made = {last: None}
            elif kind == "merged rows" and at_end and read.is_usable(last - 1):
                made = {last - 1: _merged(sheet, last - 1), last: None}
            if made is not None:
                return _values(found, rule, kind, made)
    return None


def _turn(found: Comparison, rule: Mapping[str, Any], at: int) -> int | None:
    """The lot of a row: a number that decides what becomes of it, or None where it is not drawn."""
    named = f"seeded row {rule['seed']} {found.document.sha256} {found.gold.position} {found.sheet.row_ids[at]}"
    digest = sha256(named.encode()).hexdigest()
    return int(digest[13:15], 16) if int(digest[:13], 16) / 16**13 < float(rule["share"]) else None


class _AsRead:
    """Which rows stand as they were extracted, cell by cell, and nothing was said of them by a person or a check."""

    def __init__(self, found: Comparison, taken: set[str]) -> None:
        self.found, self.taken = found, taken
        self.rows, self.cols = dict(found.alignment.rows), dict(found.alignment.cols)
        self.spoken_of = {*(doubt.row for doubt in found.doubts), *(finding.row for finding in found.findings)}

    def is_usable(self, at: int) -> bool:
        """Whether an error of structure can stand in a row."""
        sheet, first = self.found.sheet, self.found.first_table
        id = sheet.row_ids[at]
        if at not in self.rows or at in self.spoken_of or id in self.taken or not (id[:1] == "b" and id[1:].isdigit()):
            return False
        return all(
            (cell := sheet.table.at(at, col)) is not None
            and col in self.cols
            and not cell.header
            and _is_single(cell, cell.text)
            and _is_single(first.at(self.rows[at], self.cols[col]), cell.text)
            and not sheet.mark_at(at, col)
            for col in range(sheet.table.n_cols)
        )


def _shifted(sheet: Sheet, at: int, turn: int) -> dict[int, dict[int, str] | None] | None:
    """The values from one column on, each one column further: up to an empty cell, else the last one is lost."""
    texts = [sheet.table.text_at(at, col) for col in range(sheet.table.n_cols)]
    for step in range(len(texts) - 1):
        begin = (turn + step) % (len(texts) - 1)
        end = next((col for col in range(begin + 1, len(texts)) if not texts[col].strip()), len(texts) - 1)
        moved = ["", *texts[begin:end]]
        if sum(1 for text in moved if text.strip()) >= 2 and all(map(str.__ne__, moved, texts[begin : end + 1])):
            return {at: dict(zip(range(begin, end + 1), moved, strict=True))}
    return None


def _merged(sheet: Sheet, at: int) -> dict[int, str]:
    table = sheet.table
    return {
        col: " ".join(filter(None, (table.text_at(at, col), table.text_at(at + 1, col)))) for col in range(table.n_cols)
    }


def _values(
    found: Comparison, rule: Mapping[str, Any], kind: str, made: Mapping[int, Mapping[int, str] | None]
) -> dict[str, str | int]:
    sheet, match = found.sheet, dict(found.alignment.rows)
    rows, cols = sheet.row_ids, sheet.col_ids
    whole = range(sheet.table.n_cols)
    truth = {
        rows[at]: {cols[col]: sheet.table.text_at(at, col) for col in (whole if texts is None else texts)}
        for at, texts in made.items()
    }
    shown = {
        rows[at]: None if texts is None else {cols[col]: text for col, text in texts.items()}
        for at, texts in made.items()
    }
    levels = {found.badge(cell).level for cell in found.first_table.cells if cell.row in {match[at] for at in made}}
    return {
        **{"gold": found.gold.id, "row_id": next(iter(truth)), "col_id": WHOLE_ROW, "kind": kind},
        **{"truth": json.dumps(truth, ensure_ascii=False), "shown": json.dumps(shown, ensure_ascii=False)},
        **{"rule": rule["id"], "level": next(level for level in _WORST if level in levels)},
    }


def _around(one: Box | None, other: Box | None) -> Box | None:
    if one is None or other is None or one.page != other.page:
        return one or other
    return Box(one.page, min(one.x0, other.x0), min(one.y0, other.y0), max(one.x1, other.x1), max(one.y1, other.y1))
