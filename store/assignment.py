"""Assignment: which tables are meant for whom, named by hand or told by a rule of the project."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlite_utils import Database

from store.db import Db, NotFound, StoreError, insert, now, row
from store.rights import expect_right, is_team, role_of
from store.second_keyer import KEYER

# A rule for this table type is for all types that have none of their own.
EVERY_TYPE = ""

_NEWEST = """select (select max(id) from assignment) as by_hand, (select max(id) from assignment_rule) as rules,
    (select max(id) from second_pass) as passes, (select max(id) from gold) as gold"""
_BY_HAND = "select gold, person from assignment where id in (select max(id) from assignment group by gold)"
_RULES = """select project, table_type, people from assignment_rule
where id in (select max(id) from assignment_rule group by project, table_type)"""
_TABLES = """select g.id, g.table_type, d.project, d.id as document
from first_pass g join document d on d.id = g.document order by d.id"""
_WHICH = """select g.id from first_pass g join document d on d.id = g.document
where (:project is null or d.project = :project) and (:document is null or d.name = :document)
    and (:table_type is null or g.table_type = :table_type) order by g.id"""


@dataclass(frozen=True)
class Rule:
    """People who get the documents of a project in turn: their tables of one type, or of all without a rule of it."""

    project: str
    table_type: str
    people: tuple[str, ...]


def assignees(db: Db, reader: Database) -> Mapping[int, str]:
    """Whom each table is meant for; tables for nobody are left out.

    Who was named by hand counts before a rule; a second keying is for who keys it. By a rule the documents of a project
    go to its people in turn, in the order in which they came, so that one person reads the whole of a document.
    """
    state = row(reader, _NEWEST)
    last = db.remembered.get("assignees")
    if last is not None and last[0] == state:
        return last[1]  # type: ignore[no-any-return]
    found = dict(_by_rule(reader))
    found.update((entry["gold"], entry["person"]) for entry in reader.query(_BY_HAND))
    found.update(reader.execute(f"select p.keyed, {KEYER} from second_pass p").fetchall())
    kept = {key: person for key, person in found.items() if person}
    db.remembered["assignees"] = (state, kept)
    return kept


def is_shared_out(reader: Database) -> bool:
    """Whether anything was ever meant for anybody, or keyed a second time: one person alone sees nothing of it."""
    asked = "select 1 from {} limit 1"
    return any(row(reader, asked.format(name)) for name in ("assignment", "assignment_rule", "second_pass"))


def rules(reader: Database) -> tuple[Rule, ...]:
    """The rules that hold now."""
    found = (Rule(one["project"], one["table_type"], tuple(json.loads(one["people"]))) for one in reader.query(_RULES))
    return tuple(rule for rule in found if rule.people)


def tables_of(
    reader: Database, *, project: str | None = None, document: str | None = None, table_type: str | None = None
) -> tuple[int, ...]:
    """The numbers of the gold tables of a project, a document by its name, a table type; raises NotFound for none."""
    given = {"project": project, "document": document, "table_type": table_type}
    found = tuple(key for (key,) in reader.execute(_WHICH, given))
    if not found:
        words = ", ".join(f"{name.replace('_', ' ')} {value!r}" for name, value in given.items() if value is not None)
        raise NotFound(f"no table of {words or 'any project'}")
    return found


def assign(db: Db, keys: Sequence[int], to: str, *, person: str) -> int:
    """Name whom tables are meant for from now on, "" for nobody; returns how many changed. Raises StoreError."""
    with db.write() as writer:
        expect_right(writer, person, "rules")
        name = worker(writer, to) if to else ""
        before = assignees(db, writer)
        changed = 0
        for key in keys:
            found = row(writer, "select second_of from gold where id = ?", (key,))
            if found is None:
                raise NotFound(f"gold table {key}: there is none with this number in the database")
            if found["second_of"] is not None:
                raise StoreError(f"gold table {key} is a second keying: it was drawn for the person who keys it")
            if before.get(key, "") != name:
                insert(writer, "assignment", {"gold": key, "person": name, "assigned_by": person, "at": now()})
                changed += 1
    return changed


def set_rule(db: Db, rule: Rule, *, person: str) -> None:
    """Let a rule hold from now on, also for tables that come later; without people it ends. Raises StoreError."""
    with db.write() as writer:
        expect_right(writer, person, "rules")
        people = tuple(dict.fromkeys(worker(writer, each) for each in rule.people))
        values = {"project": rule.project, "table_type": rule.table_type, "people": json.dumps(people)}
        insert(writer, "assignment_rule", {**values, "set_by": person, "at": now()})


def _by_rule(reader: Database) -> dict[int, str]:
    people: dict[tuple[str, str], tuple[str, ...]] = {
        (rule.project, rule.table_type): rule.people for rule in rules(reader)
    }
    if not people:
        return {}
    found: dict[int, str] = {}
    turns: dict[str, dict[int, int]] = {}
    for table in reader.query(_TABLES):
        turn = turns.setdefault(table["project"], {})
        at = turn.setdefault(table["document"], len(turn))
        named = _of_rule(people, table)
        if named:
            found[table["id"]] = named[at % len(named)]
    return found


def _of_rule(people: Mapping[tuple[str, str], tuple[str, ...]], table: Mapping[str, Any]) -> tuple[str, ...]:
    of_all = people.get((table["project"], EVERY_TYPE), ())
    return people.get((table["project"], table["table_type"]), of_all)


def worker(reader: Database, text: str) -> str:
    """The name of somebody who can be given work; raises StoreError for no name, and in a team for who is not in it."""
    name = text.strip()
    if not name or not name.isprintable() or len(name) > 200:
        raise StoreError(f"person {text!r}, expected a name in one line")
    if is_team(reader) and role_of(reader, name) is None:
        raise StoreError(f"{name} is not among the people of this team; proofgrid users list names them")
    return name
