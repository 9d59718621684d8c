"""The corrections of people put onto what a newer run extracted, with a list of those that do not fit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from sqlite_utils import Database

from scoring.alignment.align import align
from scoring.schema import TableType
from scoring.table import Cell, Table
from scoring.text import whitespace
from store import edits, extractions, gold
from store.db import Db
from store.documents import Document, documents
from store.edits import Sheet
from store.gold import Gold
from store.run_series import tried
from store.table_pairing import table_of
from store.table_types import table_type

Outcome = Literal["applied", "agrees", "conflict"]


@dataclass(frozen=True)
class Correction:
    """One correction and what became of it, at its 0-based position in gold (before, where gold has it no more).

    ``col`` or ``row`` is None for a whole row or column. ``first`` is what the first extraction had there,
    ``corrected`` what people made of it, ``newer`` what the newer one has; None where there is nothing.
    """

    outcome: Outcome
    row: int | None
    col: int | None
    first: str | None
    corrected: str | None
    newer: str | None
    reason: str = ""


@dataclass(frozen=True)
class Replayed:
    """A gold table onto a newer extraction: ``table`` is that with the corrections; None where it has no such table."""

    document: Document
    gold: Gold
    table: Table | None
    corrections: tuple[Correction, ...]

    @property
    def counts(self) -> Counter[Outcome]:
        """How many corrections came to what."""
        return Counter(correction.outcome for correction in self.corrections)

    @property
    def conflicts(self) -> tuple[Correction, ...]:
        """Those that a person has to decide."""
        return tuple(each for each in self.corrections if each.outcome == "conflict")

    def to_json(self) -> dict[str, Any]:
        """A plain mapping without the table."""
        return {
            "document": self.document.name,
            "document_sha256": self.document.sha256,
            "name": self.gold.name,
            "has_table": self.table is not None,
            "counts": dict(self.counts),
            "corrections": [asdict(each) for each in self.corrections],
        }


def replays(db: Db, reader: Database, *, run: int, project: str) -> Iterator[Replayed]:
    """Each corrected table of a project that began from another extraction, onto what a run returned for it."""
    asked = tried(reader, run)
    for document in documents(reader, project=project):
        if document.id not in asked:
            continue
        newer = extractions.first_extraction(reader, document.id, run=run)
        for entry in gold.gold_tables(reader, document.id):
            if entry.base != "extraction" or not gold.revision(reader, entry.id):
                continue
            base = gold.base_table(reader, entry.id)
            found = table_of(db, reader, newer, entry) if newer else None
            if found is not None and found.table == base:
                continue  # it is the extraction that people corrected
            kind = table_type(reader, entry.table_type, project=project) if entry.table_type else None
            now = gold.sheet_at(reader, entry.id, gold.revision(reader, entry.id))
            yield Replayed(document, entry, *replay(base, now, found.table if found else None, kind))


def replay(
    base: Table, now: Sheet, newer: Table | None, kind: TableType | None
) -> tuple[Table | None, tuple[Correction, ...]]:
    """The newer extraction with the corrections that lead from ``base`` to ``now``, and what became of each.

    A text is put in where the newer extraction still has what the first had; it agrees where that has the correction
    already; anything else is a conflict, and leaves the newer text. Rows, columns and cells that people added, deleted
    or merged are never put in: they agree, or are conflicts. White space at the ends and its width do not count.
    """
    before = edits.sheet(base)
    target = _Target(before, now, newer or Table(0, 0), kind)
    found = [*_lines(before, now, target, "row"), *_lines(before, now, target, "col")]
    texts: dict[tuple[int, int], str] = {}
    for key, (was, cell) in _differing(before, now).items():
        correction, place = _of_cell(before, key, was, cell, target)
        found.append(correction)
        if correction.outcome == "applied" and place is not None and cell is not None:
            texts[place] = cell.text
    return (newer.with_texts(texts) if newer is not None else None), tuple(found)


class _Target:
    """Where rows and columns of the first extraction, and those of gold, are in the newer extraction."""

    def __init__(self, before: Sheet, now: Sheet, newer: Table, kind: TableType | None) -> None:
        self.newer = newer
        of_first, of_gold = (align(side.table, newer, table_type=kind) for side in (before, now))
        rows = [(now.row_ids[row], at) for row, at in of_gold.rows]
        cols = [(now.col_ids[col], at) for col, at in of_gold.cols]
        self.rows = _places([(before.row_ids[row], at) for row, at in of_first.rows], rows)
        self.cols = _places([(before.col_ids[col], at) for col, at in of_first.cols], cols)

    def cell(self, key: tuple[str, str]) -> Cell | None:
        """The cell of the newer extraction that begins where this one should be."""
        row, col = self.rows.get(key[0]), self.cols.get(key[1])
        cell = None if row is None or col is None else self.newer.at(row, col)
        return cell if cell is not None and (cell.row, cell.col) == (row, col) else None


def _places(of_first: Sequence[tuple[str, int]], of_gold: Sequence[tuple[str, int]]) -> dict[str, int]:
    """Where each line is: as matched to the first extraction, else to gold, where nothing else stands there."""
    found = dict(of_first)
    taken = set(found.values())
    return found | {id: at for id, at in of_gold if id not in found and at not in taken}


def _differing(before: Sheet, now: Sheet) -> dict[tuple[str, str], tuple[Cell | None, Cell | None]]:
    """The cells with other texts in rows and columns that both have; None where there is no such cell."""
    one, other = _by_ids(before), _by_ids(now)
    rows, cols = set(before.row_ids) & set(now.row_ids), set(before.col_ids) & set(now.col_ids)
    pairs = {key: (one.get(key), other.get(key)) for key in (*other, *(key for key in one if key not in other))}
    return {
        key: (was, cell)
        for key, (was, cell) in pairs.items()
        if key[0] in rows and key[1] in cols and (was.text if was else None) != (cell.text if cell else None)
    }


def _of_cell(
    before: Sheet, key: tuple[str, str], was: Cell | None, cell: Cell | None, target: _Target
) -> tuple[Correction, tuple[int, int] | None]:
    here, there = cell or was, target.cell(key)
    assert here is not None
    first, corrected, newer = (found.text if found else None for found in (was, cell, there))
    outcome: Outcome = "conflict"
    reason = ""
    if _same(corrected, newer):
        outcome = "agrees"
    elif was is None or cell is None:
        reason = "people made this cell" if was is None else "people merged this cell into another"
    elif there is None:
        reason = "the newer extraction has no such cell"
    elif _same(first, newer):
        outcome = "applied"
    else:
        reason = "the newer extraction has another text than the first"
    place = (there.row, there.col) if there else None
    return Correction(outcome, here.row, here.col, first, corrected, newer, reason), place


def _same(one: str | None, other: str | None) -> bool:
    return one is other is None or (one is not None and other is not None and whitespace(one) == whitespace(other))


def _lines(before: Sheet, now: Sheet, target: _Target, axis: Literal["row", "col"]) -> Iterator[Correction]:
    """Rows or columns that people added or deleted."""
    where = target.rows if axis == "row" else target.cols
    old, new = ((side.row_ids if axis == "row" else side.col_ids) for side in (before, now))
    for ids, others, sheet in ((new, old, now), (old, new, before)):
        for at, id in enumerate(ids):
            if id in others:
                continue
            text, there = _text(sheet.table, axis, at), where.get(id)
            newer = None if there is None else _text(target.newer, axis, there)
            row, col = (at, None) if axis == "row" else (None, at)
            name = "row" if axis == "row" else "column"
            if ids is new:
                same = _same(newer, text)
                reason = "" if same else f"people added this {name}"
                yield Correction("agrees" if same else "conflict", row, col, None, text, newer, reason)
            else:
                reason = "" if there is None else f"people deleted this {name}, and the newer extraction has it"
                yield Correction("agrees" if there is None else "conflict", row, col, text, None, newer, reason)


def _text(table: Table, axis: Literal["row", "col"], at: int) -> str:
    cells = [cell for cell in table.cells if at in (cell.rows if axis == "row" else cell.cols)]
    return " | ".join(cell.text for cell in cells)


def _by_ids(sheet: Sheet) -> dict[tuple[str, str], Cell]:
    return {(sheet.row_ids[cell.row], sheet.col_ids[cell.col]): cell for cell in sheet.table.cells}
