"""Activity: the stretches of work that browsers measured, as they were sent, and the cells that people looked at."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, get_args

from sqlite_utils import Database

from scoring.effort.work_intervals import Pause, Span, Stretch
from store.db import Db, StoreError, insert, now, row
from store.gold import gold
from store.rights import expect_right
from store.timing import LONGEST_MS, erased_until_ms, is_timed

Phase = Literal["orientation", "correction", "verification", "adjudication", "reopening", "quality"]
# Checking a sample of accepted cells is no correction of their tables.
QUALITY: Phase = "quality"
AWAY = ("hidden", "waiting")
# A clock that differs by less agrees: the request took as long.
AGREES_MS = 5_000
# The skew of one tab is measured with each request; within this it is the same skew.
SAME_SKEW_MS = 60_000


@dataclass(frozen=True)
class Activity:
    """One stretch of work in one tab: times in milliseconds, nothing of what was typed.

    The sums are those under the usual cut-off. ``pauses`` and ``away`` ((begin, end), by kind) are what they follow
    from, so that another cut-off can be applied later; both are None in a stretch of an older version. ``cells`` is the
    time per (row id, column id) with its pauses, ``load_ms`` how long the table took to come before the stretch.
    """

    id: str
    client: str
    phase: Phase
    started_at: str
    active_ms: int
    idle_ms: int = 0
    hidden_ms: int = 0
    waiting_ms: int = 0
    load_ms: int = 0
    pauses: tuple[Pause, ...] | None = None
    away: Mapping[str, tuple[Span, ...]] | None = None
    cells: tuple[tuple[str, str, int], ...] = ()
    seen: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        if self.phase not in get_args(Phase):
            raise StoreError(f"phase {self.phase!r}, expected one of {', '.join(get_args(Phase))}")
        for name in ("active_ms", "idle_ms", "hidden_ms", "waiting_ms", "load_ms"):
            if type(getattr(self, name)) is not int or not 0 <= getattr(self, name) <= LONGEST_MS:
                raise StoreError(f"{name} {getattr(self, name)!r}, expected whole milliseconds from 0 to a year")
        if datetime.fromisoformat(self.started_at).tzinfo is None:
            raise StoreError(f"started {self.started_at!r}, expected a time with its zone")
        spans = [(p.at_ms, p.at_ms + p.length_ms) for p in self.pauses or ()]
        spans += [span for kind in (self.away or {}).values() for span in kind]
        if any(not 0 <= begin <= end <= self.elapsed_ms for begin, end in spans):
            raise StoreError(f"activity {self.id}: a pause or an absence lies outside its {self.elapsed_ms} ms")

    @property
    def elapsed_ms(self) -> int:
        """How long the stretch lasted by the clock of the browser."""
        return self.active_ms + self.idle_ms + self.hidden_ms + self.waiting_ms

    @property
    def started_ms(self) -> int:
        """When it began by the clock of the browser, in milliseconds since 1970."""
        return round(datetime.fromisoformat(self.started_at).timestamp() * 1000)

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Activity:
        """The stretch that a client sent; raises StoreError naming what is missing or mistyped."""
        try:
            pauses, away = value.get("pauses"), value.get("away")
            return cls(
                id=str(value["id"]),
                client=str(value["client"]),
                phase=value["phase"],
                started_at=str(value["started"]),
                active_ms=value["active_ms"],
                idle_ms=value.get("idle_ms", 0),
                hidden_ms=value.get("hidden_ms", 0),
                waiting_ms=value.get("waiting_ms", 0),
                load_ms=value.get("load_ms", 0),
                pauses=None if pauses is None else _pauses(pauses),
                away=None if away is None else _away(away),
                cells=tuple((str(r), str(c), int(ms)) for r, c, ms in value.get("cells", ())),
                seen=cells_of(value.get("seen", ())),
            )
        except KeyError as missing:
            raise StoreError(f"activity has no {missing.args[0]!r}: {dict(value)!r}") from None
        except (TypeError, ValueError, OverflowError) as wrong:
            raise StoreError(f"activity {dict(value)!r}: {wrong}") from None


@dataclass(frozen=True)
class Recorded:
    """A stored stretch: whose it is, on which gold table, and when it began by the clock of the server."""

    gold: int
    person: str
    began_ms: int
    activity: Activity
    gold_added_ms: int

    @property
    def is_correction(self) -> bool:
        """Whether it is work on the table itself, and not the check of a sample of its cells."""
        return self.activity.phase != QUALITY

    @property
    def stretch(self) -> Stretch:
        """Its interval, for the sums over several."""
        done = self.activity
        if done.pauses is None:
            seen_ms = done.active_ms + done.idle_ms
            hidden: tuple[Span, ...] = ((seen_ms, seen_ms + done.hidden_ms),) if done.hidden_ms else ()
            return Stretch(done.id, self.began_ms, done.elapsed_ms, hidden=hidden, active_ms=done.active_ms)
        away = done.away or {}
        return Stretch(
            done.id,
            self.began_ms,
            done.elapsed_ms,
            done.pauses,
            hidden=away.get("hidden", ()),
            waiting=away.get("waiting", ()),
            earliest_ms=self.gold_added_ms - AGREES_MS,
        )


def add_activity(
    db: Db,
    key: int,
    stretches: Sequence[Activity],
    *,
    person: str,
    sent_ms: int | None = None,
    seen: Iterable[tuple[str, str]] = (),
) -> tuple[str, ...]:
    """Store stretches of work and cells seen; returns the ids of what is stored, now or before.

    ``sent_ms`` is the clock of the browser when it sent them: what it differs from ours is taken off their beginnings.
    No stretch ends a minute or more after it was received. Nothing of the time is stored for a person who switched
    timing off, nor what lies before a deletion that the person asked for.
    """
    stored = []
    with db.write() as writer:
        expect_right(writer, person, "review")
        gold(writer, key)
        for cell in {*seen, *(cell for stretch in stretches for cell in stretch.seen)}:
            writer.execute("insert or ignore into seen_cell values (?, ?, ?, ?)", (key, person, *cell))
        if not is_timed(writer, person):
            return ()
        received = now()
        received_ms = round(datetime.fromisoformat(received).timestamp() * 1000)
        erased = erased_until_ms(writer, person)
        for stretch in stretches:
            stored.append(stretch.id)
            if row(writer, "select 1 from activity where id = ?", (stretch.id,)) is not None:
                continue
            skew = 0 if sent_ms is None else _skew(writer, stretch.client, received_ms - sent_ms)
            began = stretch.started_ms + skew
            if began + stretch.elapsed_ms > received_ms + SAME_SKEW_MS:
                began = received_ms - stretch.elapsed_ms
            if began < erased:
                continue
            insert(writer, "activity", _row(key, stretch, person, received, began, skew))
    return tuple(stored)


def recorded(reader: Database, *, where: str = "1", values: Sequence[Any] = ()) -> tuple[Recorded, ...]:
    """Stored stretches in order of their beginning; ``where`` speaks of ``activity`` and ``gold``."""
    query = (
        "select activity.*, round((julianday(gold.added_at) - 2440587.5) * 86400000) as gold_added_ms "
        f"from activity join gold on gold.id = activity.gold where {where} order by began_ms, activity.id"
    )
    return tuple(_recorded(entry) for entry in reader.query(query, values))


def seen_cells(reader: Database, key: int, *, person: str) -> frozenset[tuple[str, str]]:
    """(row id, column id) of the cells whose crop this person has had on the screen."""
    rows = reader.query("select row_id, col_id from seen_cell where gold = ? and person = ?", (key, person))
    return frozenset((entry["row_id"], entry["col_id"]) for entry in rows)


def cells_of(value: Any) -> tuple[tuple[str, str], ...]:
    """(row id, column id) pairs that a client sent; raises StoreError."""
    try:
        return tuple((str(r), str(c)) for r, c in value)
    except (TypeError, ValueError) as wrong:
        raise StoreError(f"seen {value!r}, expected pairs of a row id and a column id: {wrong}") from None


def _skew(writer: Database, client: str, measured: int) -> int:
    last = row(writer, "select skew_ms from activity where client = ? order by rowid desc limit 1", (client,))
    if last is not None and abs(measured - last["skew_ms"]) < SAME_SKEW_MS:
        return int(last["skew_ms"])
    return 0 if abs(measured) < AGREES_MS else measured


def _row(key: int, stretch: Activity, person: str, received: str, began: int, skew: int) -> dict[str, Any]:
    pauses = [[p.at_ms, p.length_ms, p.since_ms, *(p.cell or ("", ""))] for p in stretch.pauses or ()]
    away = [[begin, end - begin, kind] for kind, spans in (stretch.away or {}).items() for begin, end in spans]
    return {
        "id": stretch.id,
        "gold": key,
        "person": person,
        "client": stretch.client,
        "phase": stretch.phase,
        "started_at": stretch.started_at,
        "active_ms": stretch.active_ms,
        "idle_ms": stretch.idle_ms,
        "hidden_ms": stretch.hidden_ms,
        "waiting_ms": stretch.waiting_ms,
        "load_ms": stretch.load_ms,
        "gaps": "[]",
        "pauses": None if stretch.pauses is None else json.dumps(pauses),
        "away": None if stretch.away is None else json.dumps(away),
        "cells": json.dumps(stretch.cells),
        "seen": "[]",
        "began_ms": began,
        "skew_ms": skew,
        "stored_at": received,
    }


def _recorded(entry: Mapping[str, Any]) -> Recorded:
    plain = {**entry, "started": entry["started_at"], "seen": []}
    for name in ("pauses", "away", "cells"):
        plain[name] = None if entry[name] is None else json.loads(entry[name])
    return Recorded(
        gold=entry["gold"],
        person=entry["person"],
        began_ms=entry["began_ms"],
        activity=Activity.from_json(plain),
        gold_added_ms=int(entry["gold_added_ms"]),
    )


def _pauses(value: Any) -> tuple[Pause, ...]:
    return tuple(
        Pause(int(at), int(ms), int(since), (str(r), str(c)) if r or c else None) for at, ms, since, r, c in value
    )


def _away(value: Any) -> dict[str, tuple[Span, ...]]:
    found: dict[str, list[Span]] = {kind: [] for kind in AWAY}
    for at, ms, kind in value:
        if kind not in found:
            raise ValueError(f"absence {kind!r}, expected one of {', '.join(AWAY)}")
        found[kind].append((int(at), int(at) + int(ms)))
    return {kind: tuple(spans) for kind, spans in found.items()}
