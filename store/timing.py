"""What people decide about their time: timing on or off, deletion, minutes of their own, pauses explained."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import isfinite
from typing import Any

from sqlite_utils import Database

from store.db import Db, NotFound, StoreError, insert, now, row

# A year: more is no measurement.
LONGEST_MS = 366 * 24 * 3600 * 1000
MOST_MINUTES = 24 * 60


class TimingOff(StoreError):
    """Time that was sent for a person who switched timing off."""


@dataclass(frozen=True)
class Adjustment:
    """Minutes that a person added to the measured time, or took off it (below 0), and why."""

    id: str
    gold: int | None
    person: str
    minutes: float
    reason: str
    stored_at: str


@dataclass(frozen=True)
class PauseAnswer:
    """What a person said about a pause beyond the cut-off, with the table before their eyes."""

    id: str
    gap_ms: int
    was_working: bool
    at: str

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> PauseAnswer:
        """The answer that a client sent; raises StoreError."""
        key, gap, working, at = (value.get(name) for name in ("id", "gap_ms", "was_working", "at"))
        if not isinstance(key, str) or type(gap) is not int or not 0 <= gap <= LONGEST_MS:
            raise StoreError(f"answer {dict(value)!r}, expected id (a text) and gap_ms (whole milliseconds)")
        if not isinstance(working, bool) or not isinstance(at, str):
            raise StoreError(f"answer {dict(value)!r}, expected was_working (true or false) and at (a time)")
        return cls(key, gap, working, at)


def is_timed(reader: Database, person: str) -> bool:
    """Whether the time of this person is measured; it is, until the person switches it off."""
    last = row(reader, "select is_on from timing_choice where person = ? order by id desc limit 1", (person,))
    return last is None or bool(last["is_on"])


def switch_timing(db: Db, person: str, *, on: bool) -> None:
    """From now on measure the time of this person, or no longer."""
    with db.write() as writer:
        if is_timed(writer, person) != on:
            insert(writer, "timing_choice", {"person": person, "is_on": int(on), "at": now()})


def add_answers(db: Db, key: int, answers: Sequence[PauseAnswer], *, person: str) -> tuple[str, ...]:
    """Keep what a person said about pauses, beside the measured time; the ids of what is stored, now or before."""
    with db.write() as writer:
        _expect_gold(writer, key)
        if not is_timed(writer, person):
            return ()
        for answer in answers:
            if row(writer, "select 1 from pause_answer where id = ?", (answer.id,)) is None:
                values = {"id": answer.id, "gold": key, "person": person, "gap_ms": answer.gap_ms}
                said = {"was_working": int(answer.was_working), "at": answer.at, "stored_at": now()}
                insert(writer, "pause_answer", {**values, **said})
    return tuple(answer.id for answer in answers)


def pause_answers(reader: Database, *, person: str | None = None) -> tuple[tuple[int, PauseAnswer], ...]:
    """(gold table, answer) of a person, or of everybody, oldest first."""
    rows = reader.query("select * from pause_answer where ? is null or person = ? order by rowid", (person, person))
    return tuple((r["gold"], PauseAnswer(r["id"], r["gap_ms"], bool(r["was_working"]), r["at"])) for r in rows)


def add_adjustment(db: Db, *, id: str, person: str, minutes: float, reason: str, key: int | None = None) -> None:
    """Keep minutes beside the measured time, on one table or on none in particular; the same id once."""
    if not isfinite(minutes) or not 0 < abs(minutes) <= MOST_MINUTES:
        raise StoreError(f"{minutes:g} minutes, expected a number other than 0, up to {MOST_MINUTES} either way")
    if not reason.strip():
        raise StoreError("minutes without a reason: say in a few words why they are added or withdrawn")
    with db.write() as writer:
        if key is not None:
            _expect_gold(writer, key)
        if row(writer, "select 1 from time_adjustment where id = ?", (id,)) is None:
            values = {"id": id, "gold": key, "person": person, "minutes": minutes}
            insert(writer, "time_adjustment", {**values, "reason": reason.strip(), "stored_at": now()})


def adjustments(reader: Database, *, person: str | None = None) -> tuple[Adjustment, ...]:
    """The minutes that a person, or everybody, added or withdrew, oldest first."""
    rows = reader.query("select * from time_adjustment where ? is null or person = ? order by rowid", (person, person))
    return tuple(Adjustment(**entry) for entry in rows)


def erase_times(db: Db, person: str) -> int:
    """Delete all timing data of a person up to now, and return how many stretches there were.

    Edits stay, with 0 as their time; cells seen and verdicts stay too: they are no times.
    """
    with db.write() as writer:
        insert(writer, "time_erased", {"person": person, "at": now()})
        found = row(writer, "select count(*) as n from activity where person = ?", (person,))
        # What was added up of them goes, too: it would only be made anew when somebody asks for it.
        for table in ("kept_time", "kept_work"):
            writer.execute(f"delete from {table} where gold in (select gold from activity where person = ?)", (person,))
        for table in ("activity", "time_adjustment", "pause_answer"):
            writer.execute(f"delete from {table} where person = ?", (person,))
        writer.execute("update edit set active_ms = 0 where person = ? and active_ms > 0", (person,))
    return int(found["n"]) if found else 0


def erased_until_ms(reader: Database, person: str) -> int:
    """Up to when the person had their times deleted, in milliseconds since 1970; 0 where never."""
    last = row(reader, "select max(at) as at from time_erased where person = ?", (person,))
    return round(datetime.fromisoformat(last["at"]).timestamp() * 1000) if last and last["at"] else 0


def _expect_gold(reader: Database, key: int) -> None:
    if row(reader, "select 1 from gold where id = ?", (key,)) is None:
        raise NotFound(f"gold table {key}: there is none with this number in the database")
