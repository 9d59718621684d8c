from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.db import Db, StoreError
from store.edits import SetText, TextChange
from store.gold import Gold, NewEdit, Stale, add_edits, status
from store.reviews import Activity, activity, add_activity, add_verdict, correction_time, seen_cells, verdicts

NINE = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def stretch(name: str, minute: float, seconds: float, *, idle: float = 0, phase: str = "correction") -> Activity:
    started = (NINE + timedelta(minutes=minute)).isoformat()
    return Activity(name, "tab", phase, started, round(seconds * 1000), round(idle * 1000))  # type: ignore[arg-type]


def test_two_sessions_are_added_and_the_night_between_them_is_not() -> None:
    time = correction_time([("ann", stretch("a", 0, 60)), ("ann", stretch("b", 60 * 24, 45))])
    assert time.active_ms == 105_000


def test_two_tabs_of_one_person_count_once() -> None:
    time = correction_time([("ann", stretch("a", 0, 60)), ("ann", stretch("b", 0.5, 60))])
    assert time.active_ms == 90_000


def test_two_people_on_one_table_count_twice_and_apart() -> None:
    time = correction_time([("ann", stretch("a", 0, 60)), ("bob", stretch("b", 0, 60))])
    assert time.active_ms == 120_000
    assert time.by_person == {"ann": 60_000, "bob": 60_000}


def test_a_table_that_nobody_worked_on_has_no_measured_time() -> None:
    assert not correction_time([]).measured


@given(st.lists(st.tuples(st.floats(0, 600), st.floats(0, 300), st.floats(0, 300)), max_size=12))
def test_active_time_never_exceeds_the_wall_time_of_a_person(parts: list[tuple[float, float, float]]) -> None:
    stretches = [stretch(str(n), minute, active, idle=idle) for n, (minute, active, idle) in enumerate(sorted(parts))]
    time = correction_time([("ann", entry) for entry in stretches])
    if stretches:
        wall = max(entry.end for entry in stretches) - stretches[0].start
        assert time.active_ms + time.idle_ms <= wall / timedelta(milliseconds=1) + len(stretches)


def test_a_stretch_sent_twice_is_stored_once(db: Db, gold: Gold) -> None:
    for _ in range(2):
        add_activity(db, gold.id, [replace(stretch("a", 0, 60), seen=(("b1", "b0"),))], person="ann")
    with db.read() as reader:
        assert correction_time(activity(reader, gold.id)).active_ms == 60_000
        assert seen_cells(reader, gold.id, person="ann") == {("b1", "b0")}
        assert seen_cells(reader, gold.id, person="bob") == frozenset()


@pytest.mark.parametrize(
    "part",
    [
        {"phase": "lunch"},
        {"active_ms": -1},
        {"active_ms": "5"},
        {"started": "yesterday"},
        {"started": "2026-03-02T09:00:00"},
        {"cells": [1]},
        {"seen": [["a"]]},
    ],
)
def test_a_garbled_stretch_is_refused_with_its_contents(part: dict[str, object]) -> None:
    whole = {"id": "a", "client": "tab", "phase": "correction", "started": NINE.isoformat(), "active_ms": 5}
    assert Activity.from_json(whole).active_ms == 5
    with pytest.raises(StoreError):
        Activity.from_json({**whole, **part})


def test_accepting_another_revision_than_the_current_one_is_refused(db: Db, gold: Gold) -> None:
    add_edits(db, gold.id, [NewEdit("edit-0001", SetText((TextChange(2, 1, "O.40", "0.40"),)))], person="ann", after=0)
    with pytest.raises(Stale):
        add_verdict(db, gold.id, verdict="accept", person="bob", id="verdict-1", at_revision=0)


def test_a_verdict_sent_twice_is_recorded_once(db: Db, gold: Gold) -> None:
    for _ in range(2):
        add_verdict(db, gold.id, verdict="accept", person="ann", id="verdict-1", at_revision=0)
    with db.read() as reader:
        assert len(verdicts(reader, gold.id)) == 1
        assert status(reader, gold.id) == "accepted"


def test_skipping_leaves_a_table_open(db: Db, gold: Gold) -> None:
    assert add_verdict(db, gold.id, verdict="skip", person="ann", id="verdict-1", at_revision=0) == "open"
