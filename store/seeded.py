"""Seeded errors: cells that show a plausible wrong value until somebody meets it; gold itself never holds one."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Literal

from sqlite_utils import Database

from scoring.corruptions import CORRUPTIONS, corrupted
from store.comparison import Comparison
from store.db import Db, StoreError, insert, now, row
from store.edits import Sheet
from store.rights import expect_right

Outcome = Literal["caught", "missed", "withdrawn"]
MOST = 0.2
# In the place of a column: an error of whole rows, see store/seeded_rows.py.
WHOLE_ROW = "*"


@dataclass(frozen=True)
class SeededRule:
    """Which share of the cells of a project shows an error, 0..0.2; 0.02 to 0.05 is usual."""

    share: float
    seed: int


@dataclass(frozen=True)
class Seed:
    """One cell, by the lasting ids of its row and column, that shows ``shown`` in place of ``truth``.

    ``outcome`` is None until somebody meets it.
    """

    id: int
    row_id: str
    col_id: str
    kind: str
    truth: str
    shown: str
    outcome: Outcome | None

    @property
    def place(self) -> tuple[str, str]:
        """The ids by which its cell is known."""
        return self.row_id, self.col_id


def rule_of(reader: Database, project: str) -> SeededRule | None:
    """The rule of a project that was set last; None where nobody set one, so that no cell shows an error."""
    found = row(reader, "select share, seed from seeded_rule where project = ? order by id desc", (project,))
    return SeededRule(found["share"], found["seed"]) if found else None


def set_rule(db: Db, project: str, rule: SeededRule, *, person: str) -> None:
    """Keep a rule; with share 0, errors that nobody has met yet are shown no more. Raises StoreError."""
    if not 0 <= rule.share <= MOST:
        raise StoreError(f"a share of {rule.share:g}, expected a number from 0 (no cell shows an error) to {MOST:g}")
    with db.write() as writer:
        expect_right(writer, person, "rules")
        known = {"project": project, "share": rule.share, "seed": rule.seed}
        insert(writer, "seeded_rule", {**known, "person": person, "at": now()})
        if not rule.share:
            waiting = writer.query(
                "select c.id from seeded_cell c join gold g on g.id = c.gold join document d on d.id = g.document "
                "where d.project = ? and not exists (select 1 from seeded_outcome o where o.seeded = c.id)",
                (project,),
            )
            resolve(writer, [entry["id"] for entry in list(waiting)], "withdrawn", person)


def shown_errors(db: Db, found: Comparison) -> Mapping[tuple[int, int], Seed]:
    """The errors that a table shows now, by the position of the gold cell; new ones are drawn and kept first.

    Drawn are cells of open tables that stand as they were extracted: neither changed nor marked. Each has its own lot,
    a hash of the seed, the file and the ids of the cell.
    """
    if found.status == "accepted" or found.gold.base != "extraction" or found.gold.stands_alone:
        return {}
    with db.read() as reader:
        rule = row(reader, "select * from seeded_rule where project = ? order by id desc", (found.document.project,))
        if rule is None:
            return {}
        known = seeds_of(reader, found.gold.id)
        rows = _whole_rows(reader, found.gold.id)
    fresh = list(_drawn(found, rule, {seed.place for seed in known}, rows)) if rule["share"] else []
    if fresh:
        with db.write() as writer:
            there = {seed.place for seed in seeds_of(writer, found.gold.id)}
            rows = _whole_rows(writer, found.gold.id)
            for values in fresh:
                if (values["row_id"], values["col_id"]) not in there and values["row_id"] not in rows:
                    insert(writer, "seeded_cell", {**values, "at": now()})
            known = seeds_of(writer, found.gold.id)
    return dict(waiting(found.sheet, known))


def waiting(sheet: Sheet, seeds: Iterable[Seed]) -> Iterator[tuple[tuple[int, int], Seed]]:
    """The errors that nobody has met yet and whose cells still hold their true value, by position."""
    rows = {id: at for at, id in enumerate(sheet.row_ids)}
    cols = {id: at for at, id in enumerate(sheet.col_ids)}
    for seed in seeds:
        place = rows.get(seed.row_id), cols.get(seed.col_id)
        if seed.outcome is None and place[0] is not None and place[1] is not None:
            cell = sheet.table.at(place[0], place[1])
            holds = cell is not None and (cell.row, cell.col) == place and cell.text == seed.truth
            if cell is not None and holds and not sheet.mark_at(cell.row, cell.col):
                yield (cell.row, cell.col), seed


def seeds_of(reader: Database, key: int) -> tuple[Seed, ...]:
    """All errors that single cells of a gold table ever showed."""
    return tuple(
        Seed(
            entry["id"],
            entry["row_id"],
            entry["col_id"],
            entry["kind"],
            entry["truth"],
            entry["shown"],
            entry["outcome"],
        )
        for entry in reader.query(
            "select c.*, o.outcome from seeded_cell c left join seeded_outcome o on o.seeded = c.id "
            "where c.gold = ? and c.col_id <> ?",
            (key, WHOLE_ROW),
        )
    )


def resolve(writer: Database, seeds: Sequence[int], outcome: Outcome, person: str, *, edit: str | None = None) -> None:
    """Write down what came of errors that nobody had met yet, in a transaction of the caller."""
    for seed in seeds:
        known = {"seeded": seed, "outcome": outcome, "person": person, "edit": edit}
        insert(writer, "seeded_outcome", {**known, "at": now()})


def accepted_with(db: Db, key: int, sheet: Sheet, *, person: str) -> tuple[Seed, ...]:
    """The errors with which a table was accepted: each is a miss, and gold holds the true value."""
    with db.write() as writer:
        missed = [seed for _, seed in waiting(sheet, seeds_of(writer, key))]
        resolve(writer, [seed.id for seed in missed], "missed", person)
    return tuple(missed)


def cells_waiting(reader: Database) -> frozenset[tuple[int, str, str]]:
    """The cells that show an error somewhere: gold table, id of row, id of column."""
    found = set()
    for entry in reader.query(
        "select gold, row_id, col_id, truth from seeded_cell c "
        "where not exists (select 1 from seeded_outcome o where o.seeded = c.id)"
    ):
        if entry["col_id"] == WHOLE_ROW:
            rows: dict[str, dict[str, str]] = json.loads(entry["truth"])
            found |= {(entry["gold"], id, col) for id, line in rows.items() for col in line}
        else:
            found.add((entry["gold"], entry["row_id"], entry["col_id"]))
    return frozenset(found)


def _whole_rows(reader: Database, key: int) -> frozenset[object]:
    """The ids of the rows of a table that an error of structure ever showed."""
    asked = "select truth from seeded_cell where gold = ? and col_id = ?"
    return frozenset(id for entry in reader.query(asked, (key, WHOLE_ROW)) for id in json.loads(entry["truth"]))


def _drawn(
    found: Comparison, rule: Mapping[str, object], known: set[tuple[str, str]], rows_taken: Collection[object]
) -> Iterator[dict[str, object]]:
    sheet, first = found.sheet, found.first_table
    rows, cols = dict(found.alignment.rows), dict(found.alignment.cols)
    texts = {cell.text for cell in (*sheet.table.cells, *first.cells)}
    for cell in sheet.table.cells:
        place = sheet.row_ids[cell.row], sheet.col_ids[cell.col]
        if cell.header or cell.row not in rows or cell.col not in cols or place in known or place[0] in rows_taken:
            continue
        read = first.at(rows[cell.row], cols[cell.col])
        if read is None or read.text != cell.text or sheet.mark_at(cell.row, cell.col):
            continue
        # Base lines are called b0, b1, ...; what people added is their own reading.
        if not all(id[:1] == "b" and id[1:].isdigit() for id in place):
            continue
        key = f"seeded {rule['seed']} {found.document.sha256} {found.gold.position} {place[0]} {place[1]}"
        digest = sha256(key.encode()).hexdigest()
        if int(digest[:13], 16) / 16**13 >= float(str(rule["share"])):
            continue
        turn = int(digest[13:15], 16)
        for at in range(len(CORRUPTIONS)):
            kind = CORRUPTIONS[(turn + at) % len(CORRUPTIONS)]
            shown = corrupted(cell.text, kind, turn)
            # A value that stands elsewhere in the table could be copied from there: the two must be told apart.
            if shown is not None and shown not in texts:
                texts.add(shown)
                yield {
                    "gold": found.gold.id,
                    "row_id": place[0],
                    "col_id": place[1],
                    **{"kind": kind, "truth": cell.text, "shown": shown, "rule": rule["id"]},
                    "level": found.badge(read).level,
                }
                break


def with_errors(sheet: Sheet, errors: Mapping[tuple[int, int], Seed]) -> Sheet:
    """The sheet as it is shown."""
    if not errors:
        return sheet
    return replace(sheet, table=sheet.table.with_texts({place: seed.shown for place, seed in errors.items()}))
