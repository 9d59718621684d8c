"""What differs between two releases: tables, cells, and what that did to the score of each run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any, Literal

from sqlite_utils import Database

from scoring.counts import Counts
from scoring.report import Rules, score
from scoring.table import Cell
from store import extractions
from store.comparison import compare
from store.db import Db, StoreError
from store.edits import Sheet
from store.releases import Release, ReleasedTable, released_sheet, released_tables, released_type
from store.run_series import tried


@dataclass(frozen=True)
class CellDifference:
    """One cell that differs: its position in the newer release, in the older where it is gone; 0-based.

    ``text`` differs, else the ``mark``, else the ``shape`` (span, header or place on the page). The values of a mark
    or a text are told; None for a cell that is not there.
    """

    row: int
    col: int
    what: Literal["added", "removed", "text", "mark", "shape"]
    old: str | None
    new: str | None


@dataclass(frozen=True)
class TableDifference:
    """A table that only one of two releases holds, or that differs; ``old`` or ``new`` is None where it is not held."""

    old: ReleasedTable | None
    new: ReleasedTable | None
    cells: tuple[CellDifference, ...] = ()
    reordered: bool = False
    """Whether rows or columns that both have stand in another order."""

    @property
    def what(self) -> Literal["added", "removed", "changed"]:
        """What became of the table."""
        return "added" if self.old is None else "removed" if self.new is None else "changed"

    @property
    def table(self) -> ReleasedTable:
        """The table in the newer release that holds it."""
        found = self.new or self.old
        assert found is not None
        return found

    @property
    def new_rules(self) -> bool:
        """Whether another version of the table type counts."""
        return bool(self.old and self.new and self.old.type_signature != self.new.type_signature)

    @property
    def new_guidelines(self) -> bool:
        """Whether other guidelines held."""
        return bool(self.old and self.new and self.old.guidelines != self.new.guidelines)

    def to_json(self) -> dict[str, Any]:
        """A plain mapping; positions are 0-based."""
        revisions = [table and table.revision for table in (self.old, self.new)]
        return {
            "what": self.what,
            "document": self.table.document_name,
            "document_sha256": self.table.document_sha256,
            "name": self.table.name,
            "revisions": revisions,
            "reordered": self.reordered,
            "new_rules": self.new_rules,
            "new_guidelines": self.new_guidelines,
            "cells": [asdict(cell) for cell in self.cells],
        }


@dataclass(frozen=True)
class Scored:
    """The cells of one run or of a part of it: under old gold, new gold with the old rules, new gold with the new."""

    old: Counts
    new_gold: Counts
    new: Counts

    def __add__(self, other: Scored) -> Scored:
        return Scored(self.old + other.old, self.new_gold + other.new_gold, self.new + other.new)

    @property
    def by_gold(self) -> float | None:
        """What other gold moved cell F1 by; None where one of the two is undefined."""
        return _moved(self.old, self.new_gold)

    @property
    def by_rules(self) -> float | None:
        """What other versions of the table types moved cell F1 by."""
        return _moved(self.new_gold, self.new)

    def to_json(self) -> dict[str, Any]:
        """Counts and cell F1 under each, and what moved it."""
        held = {name: getattr(self, name).to_json() for name in ("old", "new_gold", "new")}
        return {**held, "by_gold": self.by_gold, "by_rules": self.by_rules}


@dataclass(frozen=True)
class RunScore:
    """One run on those tables of both releases whose documents it was asked for."""

    run: int
    extractor: str
    tables: int
    scored: Scored

    def to_json(self) -> dict[str, Any]:
        """A plain mapping."""
        named = {"run": self.run, "extractor": self.extractor, "tables": self.tables}
        return {**named, **self.scored.to_json()}


@dataclass(frozen=True)
class Step:
    """From a run under old gold to the next run under new gold, on the tables that both were asked for."""

    a: RunScore
    b: RunScore

    @property
    def by_extractor(self) -> float | None:
        """What the extractor moved cell F1 by: both runs under new gold and new rules."""
        return _moved(self.a.scored.new, self.b.scored.new)

    @property
    def total(self) -> float | None:
        """By how much cell F1 moved in all: by gold, rules and extractor."""
        return _moved(self.a.scored.old, self.b.scored.new)

    def to_json(self) -> dict[str, Any]:
        """A plain mapping."""
        return {
            "a": self.a.run,
            "b": self.b.run,
            "tables": self.a.tables,
            "total": self.total,
            "by_gold": self.a.scored.by_gold,
            "by_rules": self.a.scored.by_rules,
            "by_extractor": self.by_extractor,
        }


@dataclass(frozen=True)
class ReleaseDiff:
    """All that differs between two releases; ``in_common`` is how many tables both hold."""

    old: Release
    new: Release
    tables: tuple[TableDifference, ...]
    in_common: int
    runs: tuple[RunScore, ...]
    steps: tuple[Step, ...]

    def to_json(self) -> dict[str, Any]:
        """A plain mapping."""
        return {
            "old": asdict(self.old),
            "new": asdict(self.new),
            "tables": [table.to_json() for table in self.tables],
            "tables_in_common": self.in_common,
            "runs": [run.to_json() for run in self.runs],
            "steps": [step.to_json() for step in self.steps],
        }


def diff(db: Db, reader: Database, old: Release, new: Release) -> ReleaseDiff:
    """What differs from one release to another of the same project; raises StoreError for two projects."""
    if old.project != new.project:
        raise StoreError(
            f"release {old.name} is of project {old.project!r}, release {new.name} of {new.project!r}: "
            "only releases of one project have tables in common"
        )
    names = dict(extractions.runs(reader, project=old.project))
    asked = {run: tried(reader, run) for run in names}
    before, after = ({table.gold: table for table in released_tables(reader, each.id)} for each in (old, new))
    tables: list[TableDifference] = []
    scores: dict[int, dict[int, Scored]] = {run: {} for run in names}
    for key in sorted(before.keys() | after.keys(), key=lambda key: _place(after.get(key) or before[key])):
        one, other = before.get(key), after.get(key)
        if one is None or other is None:
            tables.append(TableDifference(one, other))
            continue
        sheets = released_sheet(reader, one), released_sheet(reader, other)
        found = TableDifference(one, other, tuple(_cells(*sheets)), _is_reordered(*sheets))
        if one.sha256 != other.sha256 or found.new_rules or found.new_guidelines:
            tables.append(found)
        rules = [Rules(released_type(reader, *each)) for each in ((old, one), (new, other))]
        for run in names:
            if one.document in asked[run]:
                scores[run][key] = _scored(db, reader, key, run, sheets, rules)
    runs = [_run(run, name, scores[run], scores[run]) for run, name in sorted(names.items()) if scores[run]]
    both = [(a, b, scores[a.run].keys() & scores[b.run].keys()) for a, b in pairwise(runs)]
    steps = [Step(*(_run(each.run, each.extractor, scores[each.run], keys) for each in (a, b))) for a, b, keys in both]
    in_common = len(before.keys() & after.keys())
    return ReleaseDiff(old, new, tuple(tables), in_common, tuple(runs), tuple(step for step in steps if step.a.tables))


def _scored(db: Db, reader: Database, key: int, run: int, sheets: tuple[Sheet, Sheet], rules: list[Rules]) -> Scored:
    first = compare(db, reader, key, run=run).first
    pred = first.table if first else None
    old = new_gold = score(sheets[0].table, pred, rules=rules[0]).exact
    if sheets[0].table != sheets[1].table:
        new_gold = score(sheets[1].table, pred, rules=rules[0]).exact
    return Scored(
        old, new_gold, new_gold if rules[0] == rules[1] else score(sheets[1].table, pred, rules=rules[1]).exact
    )


def _run(run: int, name: str, scores: Mapping[int, Scored], keys: Iterable[int]) -> RunScore:
    chosen = [scores[key] for key in keys]
    return RunScore(run, name, len(chosen), sum(chosen, Scored(Counts(), Counts(), Counts())))


def _cells(old: Sheet, new: Sheet) -> Iterator[CellDifference]:
    before, after = _by_ids(old), _by_ids(new)
    for key, cell in after.items():
        was = before.get(key)
        if was is None:
            yield CellDifference(cell.row, cell.col, "added", None, cell.text)
            continue
        marks = old.mark_at(was.row, was.col), new.mark_at(cell.row, cell.col)
        if was.text != cell.text:
            yield CellDifference(cell.row, cell.col, "text", was.text, cell.text)
        elif marks[0] != marks[1]:
            yield CellDifference(cell.row, cell.col, "mark", *marks)
        elif _shape(was) != _shape(cell):
            yield CellDifference(cell.row, cell.col, "shape", None, None)
    for key, cell in before.items():
        if key not in after:
            yield CellDifference(cell.row, cell.col, "removed", cell.text, None)


def _is_reordered(old: Sheet, new: Sheet) -> bool:
    sides = ((old.row_ids, new.row_ids), (old.col_ids, new.col_ids))
    return any([id for id in was if id in now] != [id for id in now if id in was] for was, now in sides)


def _by_ids(sheet: Sheet) -> dict[tuple[str, str], Cell]:
    return {(sheet.row_ids[cell.row], sheet.col_ids[cell.col]): cell for cell in sheet.table.cells}


def _shape(cell: Cell) -> tuple[object, ...]:
    return cell.row_span, cell.col_span, cell.header, cell.box


def _place(table: ReleasedTable) -> tuple[str, str, int]:
    return table.document_name, table.document_sha256, table.position


def _moved(old: Counts, new: Counts) -> float | None:
    return None if old.f1 is None or new.f1 is None else new.f1 - old.f1
