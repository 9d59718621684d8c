"""Reviews: the time that people spent on a gold table, what they looked at, and their verdicts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal, get_args

from sqlite_utils import Database

from store.comments import Discussed, open_threads
from store.db import Db, StoreError, insert, now, row
from store.gold import LONGEST_MS, Stale, gold, revision, status

Phase = Literal["orientation", "correction", "verification", "reopening"]
Verdict = Literal["accept", "reopen", "skip", "flag"]


@dataclass(frozen=True)
class Activity:
    """One stretch of work in one tab: times in milliseconds, nothing of what was typed.

    ``gaps`` are the pauses over 5 s as they were, so that another idle cut-off can be applied later;
    ``cells`` the time per (row id, column id), ``seen`` the cells whose crop was on the screen.
    """

    id: str
    client: str
    phase: Phase
    started_at: str
    active_ms: int
    idle_ms: int = 0
    hidden_ms: int = 0
    gaps: tuple[int, ...] = ()
    cells: tuple[tuple[str, str, int], ...] = ()
    seen: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        if self.phase not in get_args(Phase):
            raise StoreError(f"phase {self.phase!r}, expected one of {', '.join(get_args(Phase))}")
        for name in ("active_ms", "idle_ms", "hidden_ms"):
            if type(getattr(self, name)) is not int or not 0 <= getattr(self, name) <= LONGEST_MS:
                raise StoreError(f"{name} {getattr(self, name)!r}, expected whole milliseconds from 0 to a year")
        if datetime.fromisoformat(self.started_at).tzinfo is None:
            raise StoreError(f"started {self.started_at!r}, expected a time with its zone")

    @property
    def start(self) -> datetime:
        """When the stretch began, by the clock of the browser."""
        return datetime.fromisoformat(self.started_at)

    @property
    def end(self) -> datetime:
        """When it ended."""
        return self.start + timedelta(milliseconds=self.active_ms + self.idle_ms + self.hidden_ms)

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Activity:
        """The stretch that a client sent; raises StoreError naming what is missing or mistyped."""
        try:
            return cls(
                id=str(value["id"]),
                client=str(value["client"]),
                phase=value["phase"],
                started_at=str(value["started"]),
                active_ms=value["active_ms"],
                idle_ms=value.get("idle_ms", 0),
                hidden_ms=value.get("hidden_ms", 0),
                gaps=tuple(int(gap) for gap in value.get("gaps", ())),
                cells=tuple((str(r), str(c), int(ms)) for r, c, ms in value.get("cells", ())),
                seen=tuple((str(r), str(c)) for r, c in value.get("seen", ())),
            )
        except KeyError as missing:
            raise StoreError(f"activity has no {missing.args[0]!r}: {dict(value)!r}") from None
        except (TypeError, ValueError) as wrong:
            raise StoreError(f"activity {dict(value)!r}: {wrong}") from None


@dataclass(frozen=True)
class CorrectionTime:
    """Time spent on a gold table in milliseconds, all people together; each moment of a person counts once.

    ``measured`` is false where nobody worked on the table here (imported gold): then 0 says nothing.
    """

    active_ms: int = 0
    idle_ms: int = 0
    hidden_ms: int = 0
    by_phase: Mapping[str, int] = field(default_factory=dict)
    by_person: Mapping[str, int] = field(default_factory=dict)

    @property
    def measured(self) -> bool:
        """Whether any work was recorded."""
        return bool(self.by_person)


def add_activity(db: Db, key: int, stretches: Sequence[Activity], *, person: str) -> tuple[str, ...]:
    """Store stretches of work and return their ids; one that is stored already is passed over."""
    with db.write() as writer:
        gold(writer, key)
        for stretch in stretches:
            if row(writer, "select 1 from activity where id = ?", (stretch.id,)) is not None:
                continue
            insert(
                writer,
                "activity",
                {
                    "id": stretch.id,
                    "gold": key,
                    "person": person,
                    "client": stretch.client,
                    "phase": stretch.phase,
                    "started_at": stretch.started_at,
                    "active_ms": stretch.active_ms,
                    "idle_ms": stretch.idle_ms,
                    "hidden_ms": stretch.hidden_ms,
                    "gaps": json.dumps(stretch.gaps),
                    "cells": json.dumps(stretch.cells),
                    "seen": json.dumps(stretch.seen),
                    "stored_at": now(),
                },
            )
    return tuple(stretch.id for stretch in stretches)


def activity(reader: Database, key: int) -> tuple[tuple[str, Activity], ...]:
    """(person, stretch) of a gold table in order of their start."""
    stretches = [
        (
            entry["person"],
            Activity(
                id=entry["id"],
                client=entry["client"],
                phase=entry["phase"],
                started_at=entry["started_at"],
                active_ms=entry["active_ms"],
                idle_ms=entry["idle_ms"],
                hidden_ms=entry["hidden_ms"],
                gaps=tuple(json.loads(entry["gaps"])),
                cells=tuple((r, c, ms) for r, c, ms in json.loads(entry["cells"])),
                seen=tuple((r, c) for r, c in json.loads(entry["seen"])),
            ),
        )
        for entry in reader.query("select * from activity where gold = ?", (key,))
    ]
    return tuple(sorted(stretches, key=lambda pair: (pair[1].start, pair[1].id)))


def correction_time(stretches: Sequence[tuple[str, Activity]]) -> CorrectionTime:
    """The time of (person, stretch) pairs in order of their start.

    Two tabs of one person may overlap: of a stretch that began before an earlier one ended only
    the part after that end counts, so no moment of a person counts twice. The active time of a
    stretch can not exceed the part that counts.
    """
    active = idle = hidden = 0
    by_phase: dict[str, int] = {}
    by_person: dict[str, int] = {}
    ends: dict[str, datetime] = {}
    for person, stretch in stretches:
        begin = max(stretch.start, ends.get(person, stretch.start))
        fresh_ms = max(0, round((stretch.end - begin) / timedelta(milliseconds=1)))
        ends[person] = max(stretch.end, ends.get(person, stretch.end))
        counted = min(stretch.active_ms, fresh_ms)
        active += counted
        idle += min(stretch.idle_ms, fresh_ms - counted)
        hidden += min(stretch.hidden_ms, max(0, fresh_ms - counted - stretch.idle_ms))
        by_phase[stretch.phase] = by_phase.get(stretch.phase, 0) + counted
        by_person[person] = by_person.get(person, 0) + counted
    return CorrectionTime(active, idle, hidden, by_phase, by_person)


def seen_cells(reader: Database, key: int, *, person: str) -> frozenset[tuple[str, str]]:
    """(row id, column id) of the cells whose crop this person has had on the screen."""
    rows = reader.query("select seen from activity where gold = ? and person = ?", (key, person))
    return frozenset((r, c) for entry in rows for r, c in json.loads(entry["seen"]))


def add_verdict(
    db: Db, key: int, *, verdict: Verdict, person: str, id: str, at_revision: int, reason: str = ""
) -> Literal["open", "accepted"]:
    """Record a verdict and return the status of the table; the same id is recorded once.

    Raises Stale where the person judged another revision than the current one, and Discussed where
    an accepted table would have comments that nobody resolved.
    """
    if verdict not in get_args(Verdict):
        raise StoreError(f"verdict {verdict!r}, expected one of {', '.join(get_args(Verdict))}")
    with db.write() as writer:
        gold(writer, key)
        if row(writer, "select 1 from verdict where id = ?", (id,)) is None:
            number = revision(writer, key)
            if verdict == "accept" and number != at_revision:
                raise Stale(number, at_revision, [])
            if verdict == "accept" and (waiting := open_threads(writer, key)):
                raise Discussed(waiting)
            insert(
                writer,
                "verdict",
                {
                    "id": id,
                    "gold": key,
                    "revision": number,
                    "verdict": verdict,
                    "reason": reason,
                    "person": person,
                    "at": now(),
                },
            )
        return status(writer, key)


def verdicts(reader: Database, key: int) -> tuple[dict[str, Any], ...]:
    """The verdicts about a gold table in order: verdict, revision, reason, person, at."""
    rows = reader.query(
        "select verdict, revision, reason, person, at from verdict where gold = ? order by rowid", (key,)
    )
    return tuple(rows)
