from __future__ import annotations

import sqlite3
from datetime import UTC, datetime, timedelta

import pytest

from store.activity import Activity, add_activity, seen_cells
from store.db import Db, StoreError
from store.edits import SetText, TextChange
from store.gold import Gold, NewEdit, add_edits, history
from store.timing import (
    PauseAnswer,
    add_adjustment,
    add_answers,
    adjustments,
    erase_times,
    is_timed,
    pause_answers,
    switch_timing,
)
from store.work_time import correction_time

EDIT = NewEdit("edit-0001", SetText((TextChange(2, 1, "O.40", "0.40"),)), active_ms=4_000)


def a_moment(name: str) -> Activity:
    began = datetime.now(UTC) - timedelta(seconds=2)
    return Activity(name, "tab", "correction", began.isoformat(), 2_000, pauses=(), away={})


def measured(db: Db, gold: Gold) -> bool:
    with db.read() as reader:
        return correction_time(reader, gold.id).measured


def test_nothing_is_timed_while_a_person_has_it_switched_off(db: Db, gold: Gold) -> None:
    switch_timing(db, "ann", on=False)
    assert add_activity(db, gold.id, [a_moment("a")], person="ann", seen=[("b1", "b0")]) == ()
    assert add_answers(db, gold.id, [PauseAnswer("q", 300_000, True, "")], person="ann") == ()
    add_edits(db, gold.id, [EDIT], person="ann", after=0)
    assert not measured(db, gold)
    with db.read() as reader:
        assert history(reader, gold.id)[0].active_ms == 0
        assert pause_answers(reader, person="ann") == ()
        assert seen_cells(reader, gold.id, person="ann") == {("b1", "b0")}, "what was looked at is no time"
        assert is_timed(reader, "bob")
    switch_timing(db, "ann", on=True)
    add_activity(db, gold.id, [a_moment("a")], person="ann")
    assert measured(db, gold)


def test_deleting_ones_times_leaves_edits_and_other_people(db: Db, gold: Gold) -> None:
    add_edits(db, gold.id, [EDIT], person="ann", after=0)
    for person in ("ann", "bob"):
        add_activity(db, gold.id, [a_moment(person)], person=person, seen=[("b1", "b0")])
        add_adjustment(db, id=person, person=person, minutes=3, reason="phone", key=gold.id)
    late = a_moment("late")
    assert erase_times(db, "ann") == 1
    add_activity(db, gold.id, [late], person="ann")  # a browser still held it
    with db.read() as reader:
        assert correction_time(reader, gold.id).by_person.keys() == {"bob"}
        assert [entry.person for entry in adjustments(reader)] == ["bob"]
        (edit,) = history(reader, gold.id)
        assert (edit.edit, edit.active_ms) == (EDIT.edit, 0)
        assert seen_cells(reader, gold.id, person="ann")


@pytest.mark.parametrize(
    "statement",
    [
        "update edit set active_ms = 0",
        "update edit set active_ms = 1 where person = 'bob'",
        "update edit set active_ms = 0, source = 'paste' where person = 'bob'",
        "delete from activity where person = 'ann'",
        "delete from time_adjustment",
        "update activity set active_ms = 1",
        "delete from edit",
        "delete from time_erased",
    ],
)
def test_the_database_lets_go_only_of_times_whose_person_asked(db: Db, gold: Gold, statement: str) -> None:
    add_edits(db, gold.id, [EDIT], person="ann", after=0)
    add_activity(db, gold.id, [a_moment("a")], person="ann")
    add_adjustment(db, id="a", person="ann", minutes=3, reason="phone")
    erase_times(db, "bob")
    add_edits(db, gold.id, [NewEdit("edit-0002", SetText((TextChange(2, 1, "0.40", "0.41"),)))], person="bob", after=1)
    connection = sqlite3.connect(db.path)
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        connection.execute(statement)
    connection.close()


def test_minutes_of_ones_own_stand_beside_the_measured_time(db: Db, gold: Gold) -> None:
    for _ in range(2):
        add_adjustment(db, id="once", person="ann", minutes=-5, reason=" the phone rang ", key=gold.id)
    add_activity(db, gold.id, [a_moment("a")], person="ann")
    with db.read() as reader:
        (entry,) = adjustments(reader, person="ann")
        assert (entry.minutes, entry.reason, entry.gold) == (-5, "the phone rang", gold.id)
        assert correction_time(reader, gold.id).active_ms == 2_000


@pytest.mark.parametrize(("minutes", "reason"), [(0, "x"), (float("nan"), "x"), (5, "  "), (99_999, "x")])
def test_minutes_need_a_number_and_a_reason(db: Db, minutes: float, reason: str) -> None:
    with pytest.raises(StoreError, match="minutes"):
        add_adjustment(db, id="a", person="ann", minutes=minutes, reason=reason)


def test_an_answer_about_a_pause_changes_no_time(db: Db, gold: Gold) -> None:
    add_activity(db, gold.id, [a_moment("a")], person="ann")
    for _ in range(2):
        add_answers(db, gold.id, [PauseAnswer("q", 300_000, True, "2026-11-30T09:00:00Z")], person="ann")
    with db.read() as reader:
        assert [(key, said.was_working, said.gap_ms) for key, said in pause_answers(reader, person="ann")] == [
            (gold.id, True, 300_000)
        ]
        assert correction_time(reader, gold.id).active_ms == 2_000
