"""Adjudication: a third person decides where two keyings of a table differ; what is decided becomes edits of gold."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Literal

from sqlite_utils import Database

from scoring.double_keying import Agreement, CellDifference, Difference, TwoReadings, agreement, two_readings
from scoring.schema import TableType
from scoring.table import Box, Cell
from store import gold, hiding
from store.activity import Activity, add_activity
from store.adjudicated_edits import Decided, edits_of
from store.comparison import Comparison, compare
from store.db import Db, NotFound, StoreError, insert, now, row
from store.edits import Sheet
from store.reviews import add_verdict
from store.rights import expect_right
from store.second_pass import Pass, pass_, passes
from store.timing import LONGEST_MS

Chosen = Literal["first", "a", "b", "own"]
ABSENT = "no such row"
MOST_TABLES = 100

# All that two readings of a table follow from.
_STATE = """select p.id, coalesce((select revision from adjudicated a where a.pass = p.id),
        (select count(*) from edit e where e.gold = p.gold)) as a,
    (select count(*) from edit e where e.gold = p.keyed) as b,
    (select max(t.id) from table_type t join document d on d.project = t.project
        join gold g on g.document = d.id where g.id = p.gold) as types
from second_pass p where p.id = ?"""


@dataclass(frozen=True)
class Answer:
    """One of the answers to choose from; ``sources`` are all that gave it: the first extraction, A, B."""

    sources: tuple[Chosen, ...]
    text: str


@dataclass(frozen=True)
class Item:
    """One thing that two keyings differ in: its place in words, its box on the page, the answers in a drawn order."""

    id: str
    difference: Difference
    where: str
    box: Box | None
    answers: tuple[Answer, ...]


@dataclass(frozen=True)
class Decision:
    """What was decided about an item, by whom; ``value`` is the text that counts (for a row: whether it is there)."""

    item: str
    chosen: Chosen
    value: str
    person: str
    at: str
    active_ms: int


@dataclass(frozen=True)
class Feedback:
    """What somebody had keyed where two differed, and what was decided."""

    about: Pass
    where: str
    own: str
    decided: str
    at: str


@dataclass(frozen=True)
class Case:
    """A table that was keyed twice, with all that the two differ in, and what is decided so far, by item."""

    about: Pass
    comparison: Comparison
    a: Sheet
    b: Sheet
    a_revision: int
    readings: TwoReadings
    items: tuple[Item, ...]
    decisions: Mapping[str, Decision]

    @property
    def is_decided(self) -> bool:
        """Whether nothing is left to decide."""
        return all(item.id in self.decisions for item in self.items)


def cases_for(reader: Database, person: str, *, project: str | None = None) -> tuple[Pass, ...]:
    """The tables that wait for a decision and that this person may decide: neither of the two who keyed them."""
    waiting = (one for one in passes(reader, project=project) if one.state == "keyed")
    hidden = hiding.withheld(reader, person)
    return tuple(one for one in waiting if one.gold not in hidden and person not in keyed_by(reader, one))


def keyed_by(reader: Database, one: Pass) -> frozenset[str]:
    """Who gave the first answer (edited or accepted it, before anything was decided), and who the second one."""
    done = row(reader, "select revision, at from adjudicated where pass = ?", (one.id,))
    revision, at = (done["revision"], done["at"]) if done else (None, None)
    first = reader.query(
        "select person from edit where gold = :gold and (:revision is null or revision <= :revision) "
        "union select person from verdict where gold = :gold and verdict = 'accept' "
        "and (:at is null or (at <= :at and id <> :decided)) "
        "union select person from edit where gold = :keyed",
        {"gold": one.gold, "keyed": one.keyed, "revision": revision, "at": at, "decided": _accept_id(one.id)},
    )
    return frozenset(entry["person"] for entry in first) | {one.person}


def _accept_id(key: int) -> str:
    """The id of the verdict by which the decided table is accepted: it is no answer of its own."""
    return f"adjudication {key} accepts"


def case(db: Db, reader: Database, key: int, *, person: str) -> Case:
    """One table with what is to decide, for somebody who may; raises NotFound, NotAllowed and StoreError."""
    expect_right(reader, person, "adjudicate")
    one = pass_(reader, key)
    hiding.expect_shown(reader, one.gold, person)
    if one.state not in ("keyed", "decided"):
        raise StoreError(f"table {one.name!r} of {one.document_name}: it is not keyed twice yet ({one.state})")
    if one.state == "keyed" and person in keyed_by(reader, one):
        raise StoreError("You keyed this table yourself; somebody else decides about it.")
    return _case(db, reader, one)


def decide(
    db: Db, key: int, item: str, *, answer: int | None, own: str, person: str, id: str, active_ms: int
) -> Decision:
    """Keep what a person decided about an item: one of its answers by its place, or a text of their own.

    The last decision about an item counts; the same id is kept once. Raises StoreError.
    """
    if not 0 <= active_ms <= LONGEST_MS:
        raise StoreError(f"active_ms {active_ms}, expected whole milliseconds from 0 to a year")
    with db.write() as writer:
        found = case(db, writer, key, person=person)
        if found.about.state == "decided":
            raise StoreError("This table is decided already.")
        one = next((each for each in found.items if each.id == item), None)
        if one is None:
            raise NotFound(f"{item!r}: the two keyings of this table do not differ there")
        if answer is None:
            if not isinstance(one.difference, CellDifference):
                raise StoreError("whether a row is there is chosen, not typed")
            chosen, value, shown = "own", own, []
        elif 0 <= answer < len(one.answers):
            chosen, value = one.answers[answer].sources[0], one.answers[answer].text
            shown = list(one.answers[answer].sources)
        else:
            raise StoreError(f"answer {answer}, expected 0 to {len(one.answers) - 1}")
        if row(writer, "select 1 from decision where id = ?", (id,)) is None:
            values = {"id": id, "pass": key, "item": item, "chosen": chosen, "value": value, "shown": " ".join(shown)}
            insert(writer, "decision", {**values, "person": person, "active_ms": active_ms, "at": now()})
            began = (datetime.now(UTC) - timedelta(milliseconds=active_ms)).isoformat(timespec="milliseconds")
            spent = Activity(f"adjudication {id}", f"pass {key}", "adjudication", began, active_ms)
            add_activity(db, found.about.gold, [spent], person=person)
        return _decisions(writer, key)[item]


def agreement_of(db: Db, reader: Database, *, project: str | None = None) -> Agreement:
    """How far the two keyings of all tables that are keyed twice agree, before anything was decided."""
    done = [one for one in passes(reader, project=project) if one.state in ("keyed", "decided")]
    return agreement(_readings(db, reader, one) for one in done)


def feedback(db: Db, reader: Database, person: str) -> tuple[Feedback, ...]:
    """What was decided about the MOST_TABLES newest tables that a person keyed: only what they keyed themselves."""
    found = []
    decided = [one for one in passes(reader) if one.state == "decided"]
    mine = [one for one in reversed(decided) if person in keyed_by(reader, one)]
    for one in mine[:MOST_TABLES]:
        of = _case(db, reader, one)
        for item in of.items:
            difference, decision = item.difference, of.decisions.get(item.id)
            if decision is None:
                continue
            second = person == one.person
            if isinstance(difference, CellDifference):
                own = difference.b if second else difference.a
            else:
                own = difference.text if (difference.only == "b") == second else ABSENT
            found.append(Feedback(one, item.where, own, decision.value, decision.at))
    return tuple(found)


def finish(db: Db, key: int, *, person: str) -> int:
    """Make gold of what was decided: the table is opened, changed and accepted in one step; returns its revision.

    Raises StoreError where something is left to decide.
    """
    with db.write() as writer:
        found = case(db, writer, key, person=person)
        if found.about.state == "decided":
            return gold.revision(writer, found.about.gold)
        if not found.is_decided:
            left = sum(item.id not in found.decisions for item in found.items)
            raise StoreError(f"{left} of {len(found.items)} differences are not decided yet")
        of, name = found.about.gold, f"adjudication {key}"
        decided = [Decided(each.difference, found.decisions[each.id].value) for each in found.items]
        made = edits_of(found.a, found.b.table, found.readings, decided)
        number = found.a_revision
        if made:
            add_verdict(db, of, verdict="reopen", person=person, id=f"{name} opens", at_revision=number)
            new = [gold.NewEdit(f"{name}-{at:04}", edit, gold.ADJUDICATION) for at, edit in enumerate(made)]
            number = gold.add_edits(db, of, new, person=person, after=number)
        # The accept of the adjudicator stands for the table also where the first answer was right throughout.
        add_verdict(db, of, verdict="accept", person=person, id=_accept_id(key), at_revision=number)
        values = {"pass": key, "revision": found.a_revision, "person": person, "at": now()}
        insert(writer, "adjudicated", values)
    return number


def _readings(db: Db, reader: Database, one: Pass) -> TwoReadings:
    """What the two differ in, as last worked out for the same state."""
    known: dict[int, tuple[object, TwoReadings]] = db.remembered.setdefault("two readings", {})
    state = row(reader, _STATE, (one.id,))
    if one.id not in known or known[one.id][0] != state:
        known[one.id] = (state, _case(db, reader, one).readings)
    return known[one.id][1]


def _case(db: Db, reader: Database, one: Pass) -> Case:
    comparison = compare(db, reader, one.gold)
    done = row(reader, "select revision from adjudicated where pass = ?", (one.id,))
    revision = int(done["revision"]) if done else comparison.revision
    a = gold.sheet_at(reader, one.gold, revision) if done else comparison.sheet
    _, b = gold.current(db, reader, one.keyed)
    if done:
        comparison = replace(comparison, sheet=a, revision=revision)
    found = two_readings(a.table, b.table, table_type=comparison.table_type)
    seed = (row(reader, "select seed from second_pass where id = ?", (one.id,)) or {"seed": 0})["seed"]
    items = tuple(_item(comparison, a, b, each, f"{seed} {one.id}") for each in found.differences)
    return Case(one, comparison, a, b, revision, found, items, _decisions(reader, one.id))


def _item(comparison: Comparison, a: Sheet, b: Sheet, found: Difference, seed: str) -> Item:
    if isinstance(found, CellDifference):
        name = f"cell {a.row_ids[found.a_row]} {a.col_ids[found.a_col]}"
        first = _first_cell(comparison, found.a_row, found.a_col)
        given: list[tuple[Chosen, str]] = [("a", found.a), ("b", found.b)]
        if first is not None:
            given.insert(0, ("first", first.text))
        column = _label(comparison.table_type, found.field, a, found.a_col)
        where = f"Row {found.a_row - a.table.header_rows + 1}, {column}"
        cells = (a.table.at(found.a_row, found.a_col), first, b.table.at(found.b_row, found.b_col))
        box = next((cell.box for cell in cells if cell is not None and cell.box), None)
    else:
        sheet = a if found.only == "a" else b
        name = f"only {found.only} {sheet.row_ids[found.row]}"
        given = [("a", found.text), ("b", ABSENT)] if found.only == "a" else [("a", ABSENT), ("b", found.text)]
        where, box = "Is there such a row?", _row_box(sheet, found.row)
    merged: dict[str, list[Chosen]] = {}
    for source, text in given:
        merged.setdefault(text, []).append(source)
    answers = [Answer(tuple(sources), text) for text, sources in merged.items()]
    random.Random(f"{seed} {name}").shuffle(answers)
    return Item(name, found, where, box, tuple(answers))


def _first_cell(comparison: Comparison, row_number: int, col: int) -> Cell | None:
    rows, cols = dict(comparison.alignment.rows), dict(comparison.alignment.cols)
    if comparison.first is None or row_number not in rows or col not in cols:
        return None
    return comparison.first_table.at(rows[row_number], cols[col])


def _row_box(sheet: Sheet, at: int) -> Box | None:
    boxes = [cell.box for cell in sheet.table.cells if cell.row == at and cell.box]
    if not boxes:
        return None
    same = [box for box in boxes if box.page == boxes[0].page]
    return Box(
        same[0].page,
        min(box.x0 for box in same),
        min(box.y0 for box in same),
        max(box.x1 for box in same),
        max(box.y1 for box in same),
    )


def _label(kind: TableType | None, name: str, sheet: Sheet, col: int) -> str:
    if kind is not None and name:
        return next(column.shown for column in kind.columns if column.name == name)
    return (sheet.table.text_at(0, col) if sheet.table.header_rows else "") or f"column {col + 1}"


def _decisions(reader: Database, key: int) -> dict[str, Decision]:
    rows = reader.query(
        "select item, chosen, value, person, at, active_ms from decision where pass = ? order by rowid", (key,)
    )
    return {entry["item"]: Decision(**entry) for entry in rows}
