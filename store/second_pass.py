"""The second pass: a drawn share of tables is keyed again by another person, who sees nothing of the first answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

from sqlite_utils import Database

from store.assignment import assignees, worker
from store.blank_table import blank
from store.db import Db, NotFound, StoreError, insert, now, row
from store.gold import add_gold, gold
from store.rights import expect_right
from store.second_keyer import KEYER
from store.table_types import table_type

State = Literal["to key", "keyed", "waits for the first", "decided"]

_PASSES = f"""select p.*, {KEYER} as keyer, g.name, g.table_type, d.id as document, d.project, d.name as document_name,
    exists (select 1 from adjudicated a where a.pass = p.id) as is_decided,
    {{accepted}} as first_done, {{keyed}} as second_done
from second_pass p join gold g on g.id = p.gold join document d on d.id = g.document
where (:project is null or d.project = :project) order by p.id"""

_DONE = """coalesce((select verdict from verdict v where v.gold = {of} and v.verdict in ('accept', 'reopen')
    order by rowid desc limit 1), '') = 'accept'"""

# Whoever did something in a document knows it, and whoever had it sent (known where there is an audit log).
_KNOWS = """select person from (
    select e.person, e.gold from edit e union all select v.person, v.gold from verdict v
    union all select a.person, a.gold from activity a union all select s.person, s.gold from seen_cell s
    union all select l.person, l.gold from lease_event l
    union all select q.person, c.gold from quality_check q join quality_cell c on c.id = q.cell
    union all select t.person, cast(substr(t.subject, 7) as integer) from audit t
        where t.action = 'read' and t.subject like 'table %' and not t.refused
) done join gold g on g.id = done.gold where g.document = ? group by person"""


@dataclass(frozen=True)
class Pass:
    """One table that is keyed twice: the gold table, the second keying, and by whom."""

    id: int
    gold: int
    keyed: int
    person: str
    project: str
    document: int
    document_name: str
    name: str
    table_type: str
    drawn_at: str
    state: State


@dataclass(frozen=True)
class Drawn:
    """What a draw gave: new passes, how many there are of how many tables, and how many had nobody to key them."""

    new: tuple[Pass, ...]
    of: int
    whole: int
    without: int


def draw(db: Db, *, project: str, share: float, people: Sequence[str], seed: int, person: str) -> Drawn:
    """Draw tables of a project at random until a share of them is keyed twice, each for one of the people in turn.

    The same seed draws the same tables: their order is that of a hash of seed, file and place. A table goes only to
    somebody who has not worked on its document yet, and for whom none of its tables is meant. Raises StoreError.
    """
    if not 0 < share <= 1:
        raise StoreError(f"a share of {share:g}, expected a number above 0 and up to 1")
    if not people:
        raise StoreError("nobody to key the tables a second time: name one person or more")
    with db.write() as writer:
        expect_right(writer, person, "rules")
        names = list(dict.fromkeys(worker(writer, name) for name in people))
        entries = list(
            writer.query(
                "select g.id, g.document, g.position, d.sha256, p.id as pass from first_pass g "
                "join document d on d.id = g.document left join second_pass p on p.gold = g.id where d.project = ?",
                (project,),
            )
        )
        if not entries:
            raise NotFound(f"project {project!r} holds no table to key a second time")
        meant = assignees(db, writer)
        wanted = max(1, round(share * len(entries)))
        ordered = sorted(entries, key=lambda entry: _lot(seed, entry["sha256"], entry["position"]))
        made, without, turn = [], 0, sum(entry["pass"] is not None for entry in entries)
        for entry in ordered[:wanted]:
            if entry["pass"] is not None:
                continue
            known = _known(writer, entry["document"], meant)
            free = [name for at in range(len(names)) if (name := names[(turn + at) % len(names)]) not in known]
            if not free:
                without += 1
                continue
            made.append(_begin(db, writer, entry["id"], free[0], seed, person))
            turn += 1
    with db.read() as reader:
        every = passes(reader, project=project)
    return Drawn(tuple(one for one in every if one.id in made), len(every), len(entries), without)


def hand_over(db: Db, key: int, to: str, *, person: str) -> Pass:
    """Let somebody else key a table a second time that is not handed in yet, as when the first one has left the team.

    What was keyed so far stays. Raises StoreError for somebody who knows the document, and NotFound.
    """
    with db.write() as writer:
        expect_right(writer, person, "rules")
        name = worker(writer, to)
        one = pass_(writer, key)
        if one.state != "to key":
            raise StoreError(f"second pass {key} was handed in already")
        if name in _known(writer, one.document, assignees(db, writer)):
            raise StoreError(f"{name} cannot key it: expected somebody who has not worked on {one.document_name}")
        insert(writer, "assignment", {"gold": one.keyed, "person": name, "assigned_by": person, "at": now()})
        return pass_(writer, key)


def passes(reader: Database, *, project: str | None = None) -> tuple[Pass, ...]:
    """The tables that are keyed twice, of a project or of all, in the order in which they were drawn."""
    query = _PASSES.format(accepted=_DONE.format(of="p.gold"), keyed=_DONE.format(of="p.keyed"))
    return tuple(
        Pass(
            id=entry["id"],
            gold=entry["gold"],
            keyed=entry["keyed"],
            person=entry["keyer"],
            project=entry["project"],
            document=entry["document"],
            document_name=entry["document_name"],
            name=entry["name"],
            table_type=entry["table_type"],
            drawn_at=entry["drawn_at"],
            state="decided"
            if entry["is_decided"]
            else "to key"
            if not entry["second_done"]
            else "keyed"
            if entry["first_done"]
            else "waits for the first",
        )
        for entry in reader.query(query, {"project": project})
    )


def pass_(reader: Database, key: int) -> Pass:
    """One table that is keyed twice, by the number of its pass; raises NotFound."""
    found = next((one for one in passes(reader) if one.id == key), None)
    if found is None:
        raise NotFound(f"second pass {key}: there is none with this number in the database")
    return found


def _begin(db: Db, writer: Database, key: int, name: str, seed: int, person: str) -> int:
    first = gold(writer, key)
    project = (row(writer, "select project from document where id = ?", (first.document,)) or {})["project"]
    kind = table_type(writer, first.table_type, project=project) if first.table_type else None
    keyed, _ = add_gold(
        db,
        first.document,
        blank(kind),
        name=f"{first.name}, keyed again",
        base="blank",
        person=person,
        table_type=first.table_type,
        second_of=first,
    )
    values = {"gold": first.id, "keyed": keyed.id, "person": name, "seed": seed}
    return insert(writer, "second_pass", {**values, "drawn_by": person, "drawn_at": now()})


def _known(reader: Database, document: int, meant: Mapping[int, str]) -> set[str]:
    """Who knows a document: has worked on it or had it sent, or has a table of it meant for them."""
    tables = (entry["id"] for entry in reader.query("select id from first_pass where document = ?", (document,)))
    worked = {found["person"] for found in reader.query(_KNOWS, (document,))}
    return worked | {meant[table] for table in tables if table in meant}


def _lot(seed: int, digest: str, position: int) -> str:
    return sha256(f"{seed} {digest} {position}".encode()).hexdigest()
