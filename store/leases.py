"""Leases: one person works on a table at a time; who has it, until when, and how another takes it over."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlite_utils import Database

from store.db import Db, NotFound, StoreError, insert, now, row
from store.rights import expect_right

# Without a sign of life for so long, the table is free for others.
MINUTES = 3.0


class Leased(StoreError):
    """Work on a table that another person has now; nothing of it was stored."""

    def __init__(self, holder: Holder) -> None:
        super().__init__(
            f"{holder.person} works on this table since {holder.since}. Nothing was changed; "
            "what you did is kept here: take the table over to go on with it."
        )
        self.holder = holder


@dataclass(frozen=True)
class Holder:
    """Who has a table, and since when (UTC)."""

    person: str
    since: str


@dataclass(frozen=True)
class LeaseRule:
    """How a project gives out its tables: to all at once (``shared``), or to one until so many minutes of silence."""

    shared: bool = False
    minutes: float = MINUTES


@dataclass(frozen=True)
class LeaseEvent:
    """Something that happened to the lease of a gold table; ``before`` is who had it until then."""

    gold: int
    event: str
    person: str
    before: str
    at: str


def take(db: Db, key: int, *, person: str, client: str, over: bool = False) -> Holder | None:
    """Take a table for a tab of a person, or say once more that it is at work; returns who else has it, if so.

    ``over`` takes it away from whoever has it. In a project that shares its tables everybody gets it.
    """
    with db.write() as writer:
        expect_right(writer, person, "review")
        rule = rule_of(writer, _project(writer, key))
        held = list(writer.query("select * from lease where gold = ?", (key,)))
        live = [one for one in held if _lives(one, rule)]
        others = [one for one in live if one["person"] != person]
        if others and not over and not rule.shared:
            return _holder(others)
        mine = [one for one in live if one["person"] == person]
        gone = [one for one in held if one not in live or (one in others and over)]
        for one in gone:
            writer.execute("delete from lease where gold = ? and client = ?", (key, one["client"]))
        if not mine:
            for name in sorted({one["person"] for one in gone if one not in live}):
                _log(writer, key, "expired", name)
            taken_from = ", ".join(sorted({one["person"] for one in others})) if over else ""
            _log(writer, key, "taken over" if taken_from else "taken", person, before=taken_from)
        since = min((one["since"] for one in mine), default=now())
        writer.execute(
            "insert or replace into lease (gold, client, person, since, beat_ms) values (?, ?, ?, ?, ?)",
            (key, client, person, since, _now_ms()),
        )
    return None


def release(db: Db, key: int, *, person: str, client: str = "") -> None:
    """Let a table go in one tab of a person, or, without one, in all of them; nothing where they do not have it."""
    with db.write() as writer:
        mine = list(writer.query("select client from lease where gold = ? and person = ?", (key, person)))
        going = [one["client"] for one in mine if client in ("", one["client"])]
        for name in going:
            writer.execute("delete from lease where gold = ? and client = ?", (key, name))
        if going and len(going) == len(mine):
            _log(writer, key, "released", person)


def expect_free(writer: Database, key: int, *, person: str) -> None:
    """Raise Leased where another person has the table; a person's own lease is kept alive by it."""
    if row(writer, "select 1 from lease where gold = ? and person <> ?", (key, person)) is not None:
        other = holder(writer, key, apart_from=person)
        if other is not None:
            raise Leased(other)
    writer.execute("update lease set beat_ms = ? where gold = ? and person = ?", (_now_ms(), key, person))


def holder(reader: Database, key: int, *, apart_from: str = "") -> Holder | None:
    """Who has a table now, other than a person; None in a project that shares its tables."""
    found = held(reader, apart_from=apart_from, only=key)
    return found.get(key)


def held(reader: Database, *, apart_from: str = "", only: int | None = None) -> Mapping[int, Holder]:
    """The tables that somebody other than a person has now, in projects that do not share them, with who has each."""
    rows = list(
        reader.query(
            "select lease.*, document.project from lease join gold on gold.id = lease.gold "
            "join document on document.id = gold.document where lease.person <> ? and (? is null or lease.gold = ?)",
            (apart_from, only, only),
        )
    )
    rules = {project: rule_of(reader, project) for project in {one["project"] for one in rows}}
    found: dict[int, list[Mapping[str, Any]]] = {}
    for one in rows:
        rule = rules[one["project"]]
        if not rule.shared and _lives(one, rule):
            found.setdefault(one["gold"], []).append(one)
    return {key: _holder(ones) for key, ones in found.items()}


def rule_of(reader: Database, project: str) -> LeaseRule:
    """How a project gives out its tables; one table to one person where nobody said otherwise."""
    found = row(reader, "select shared, minutes from lease_rule where project = ? order by id desc limit 1", (project,))
    return LeaseRule(bool(found["shared"]), float(found["minutes"])) if found else LeaseRule()


def set_rule(db: Db, project: str, rule: LeaseRule, *, person: str) -> None:
    """Set how a project gives out its tables from now on; raises StoreError for minutes that are no length of time."""
    if not 0.05 <= rule.minutes <= 24 * 60:
        raise StoreError(f"{rule.minutes:g} minutes, expected 0.05 (three seconds) to {24 * 60} (a day)")
    with db.write() as writer:
        expect_right(writer, person, "rules")
        values = {"project": project, "shared": int(rule.shared), "minutes": rule.minutes}
        insert(writer, "lease_rule", {**values, "person": person, "at": now()})


def events(reader: Database, *, key: int | None = None) -> tuple[LeaseEvent, ...]:
    """What happened to the leases of one gold table, or of all, oldest first."""
    rows = reader.query(
        "select gold, event, person, before, at from lease_event where ? is null or gold = ? order by id", (key, key)
    )
    return tuple(LeaseEvent(**one) for one in rows)


def _project(writer: Database, key: int) -> str:
    found = row(writer, "select project from document where id = (select document from gold where id = ?)", (key,))
    if found is None:
        raise NotFound(f"gold table {key}: there is none with this number in the database")
    return str(found["project"])


def _lives(lease: Mapping[str, Any], rule: LeaseRule) -> bool:
    return bool(_now_ms() - lease["beat_ms"] < rule.minutes * 60_000)


def _holder(leases: Sequence[Mapping[str, Any]]) -> Holder:
    first = min(leases, key=lambda one: str(one["since"]))
    return Holder(first["person"], first["since"])


def _log(writer: Database, key: int, event: str, person: str, *, before: str = "") -> None:
    insert(writer, "lease_event", {"gold": key, "event": event, "person": person, "before": before, "at": now()})


def _now_ms() -> int:
    return round(time.time() * 1000)
