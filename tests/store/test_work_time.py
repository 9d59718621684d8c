"""Work time in the store, with clocks that the tests set."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlite_utils import Database

from scoring.effort.work_intervals import CUTOFFS_MS, Pause
from scoring.table import Table
from store import activity as stored
from store.activity import Activity, add_activity, recorded, seen_cells
from store.db import Db, StoreError
from store.documents import Document
from store.edits import Mark, MarkChange, SetText, TextChange
from store.gold import Gold, NewEdit, add_edits, add_gold
from store.kept_work import work
from store.reviews import add_verdict
from store.schema import MIGRATIONS
from store.work_time import correction_time

NINE = datetime(2030, 3, 4, 9, 0, tzinfo=UTC)
HOUR = 3_600_000


def ms(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)


class Clock:
    """The clock of the server, and stretches by the clock of a browser that may go wrong by ``skew``."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = NINE
        monkeypatch.setattr(stored, "now", lambda: self.now.isoformat(timespec="milliseconds"))

    def pass_(self, **parts: float) -> None:
        self.now += timedelta(**parts)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def stretch(name: str, begin: datetime, seconds: float, **more: Any) -> Activity:
    whole = {"phase": "correction", "client": "tab", "pauses": (), "away": {}, **more}
    return Activity(id=name, started_at=begin.isoformat(), active_ms=round(seconds * 1000), **whole)


def active(db: Db, key: int, **options: Any) -> int:
    with db.read() as reader:
        return correction_time(reader, key, **options).active_ms


@pytest.fixture
def other(db: Db, document: Document, table: Table) -> Gold:
    return add_gold(db, document.id, table, name="other", base="blank", person="ann")[0]


def test_two_sessions_are_added_and_the_night_between_them_is_not(db: Db, gold: Gold, clock: Clock) -> None:
    clock.pass_(days=2)
    both = [stretch("a", NINE, 60), stretch("b", NINE + timedelta(days=1), 45)]
    add_activity(db, gold.id, both, person="ann")
    assert active(db, gold.id) == 105_000


def test_a_lunch_break_can_be_cut_off_elsewhere_later(db: Db, gold: Gold, clock: Clock) -> None:
    clock.pass_(hours=2)
    lunch = stretch("a", NINE, 240, idle_ms=HOUR - 120_000, pauses=(Pause(60_000, HOUR),))
    add_activity(db, gold.id, [lunch], person="ann")
    assert [active(db, gold.id, cutoff_ms=cutoff) for cutoff in CUTOFFS_MS] == [150_000, 180_000, 240_000, 420_000]


def test_two_tabs_of_one_person_count_once_over_all_tables(db: Db, gold: Gold, other: Gold, clock: Clock) -> None:
    clock.pass_(hours=1)
    add_activity(db, gold.id, [stretch("a", NINE, 60)], person="ann")
    add_activity(db, other.id, [stretch("b", NINE + timedelta(seconds=30), 60, client="tab 2")], person="ann")
    assert (active(db, gold.id), active(db, other.id)) == (60_000, 30_000)


def test_two_people_on_one_table_count_twice_and_apart(db: Db, gold: Gold, clock: Clock) -> None:
    clock.pass_(hours=1)
    for person in ("ann", "bob"):
        add_activity(db, gold.id, [stretch(person, NINE, 60)], person=person)
    with db.read() as reader:
        assert correction_time(reader, gold.id).by_person == {"ann": 60_000, "bob": 60_000}


@pytest.mark.parametrize("hours", [-7, 5])
def test_a_browser_whose_clock_is_wrong_by_hours_is_put_right(db: Db, gold: Gold, clock: Clock, hours: int) -> None:
    wrong = NINE + timedelta(hours=hours)
    clock.pass_(minutes=2)
    add_activity(db, gold.id, [stretch("a", wrong, 60)], person="ann", sent_ms=ms(wrong + timedelta(minutes=2)))
    # On another machine, whose clock is right, the same person worked in the same minute.
    add_activity(db, gold.id, [stretch("b", NINE, 60, client="tab 2")], person="ann", sent_ms=ms(clock.now))
    with db.read() as reader:
        assert [entry.began_ms for entry in recorded(reader)] == [ms(NINE), ms(NINE)]
    assert active(db, gold.id) == 60_000


def test_slow_requests_of_one_tab_do_not_make_its_stretches_overlap(db: Db, gold: Gold, clock: Clock) -> None:
    wrong = NINE + timedelta(hours=3)
    for number, late in enumerate((9.0, 0.1, 4.0)):
        begin = wrong + timedelta(seconds=10 * number)
        clock.now = NINE + timedelta(seconds=10 * number + 10 + late)
        sent = ms(begin + timedelta(seconds=10))
        add_activity(db, gold.id, [stretch(f"a{number}", begin, 10)], person="ann", sent_ms=sent)
    assert active(db, gold.id) == 30_000


def test_what_was_measured_without_a_connection_stands_where_it_belongs(db: Db, gold: Gold, clock: Clock) -> None:
    clock.pass_(hours=5)
    late = [stretch("a", NINE, 60), stretch("b", NINE + timedelta(minutes=1), 60)]
    add_activity(db, gold.id, late, person="ann", sent_ms=ms(clock.now))
    with db.read() as reader:
        assert recorded(reader)[0].began_ms == ms(NINE)
    assert active(db, gold.id) == 120_000


def test_no_stretch_ends_after_it_was_received(db: Db, gold: Gold, clock: Clock) -> None:
    clock.pass_(minutes=1)
    add_activity(db, gold.id, [stretch("a", NINE + timedelta(days=3), 60)], person="ann")
    with db.read() as reader:
        assert recorded(reader)[0].began_ms == ms(NINE)


def test_more_time_than_has_passed_since_the_table_came_does_not_count(
    db: Db, document: Document, table: Table
) -> None:
    late, _ = add_gold(db, document.id, table, name="late", base="blank", person="ann")
    add_activity(db, late.id, [stretch("a", datetime.now(UTC) - timedelta(days=9), 9 * 86_400)], person="ann")
    assert active(db, late.id) < 60_000


def test_a_stretch_sent_twice_is_stored_once(db: Db, gold: Gold, clock: Clock) -> None:
    clock.pass_(hours=1)
    for _ in range(2):
        add_activity(db, gold.id, [stretch("a", NINE, 60)], person="ann", seen=[("b1", "b0")])
    assert active(db, gold.id) == 60_000
    with db.read() as reader:
        assert seen_cells(reader, gold.id, person="ann") == {("b1", "b0")}
        assert seen_cells(reader, gold.id, person="bob") == frozenset()


def test_a_table_accepted_and_reopened_is_not_timed_twice(db: Db, gold: Gold, clock: Clock) -> None:
    clock.pass_(hours=1)
    add_activity(db, gold.id, [stretch("a", NINE, 60)], person="ann")
    for number, verdict in enumerate(("accept", "reopen", "accept")):
        add_verdict(db, gold.id, verdict=verdict, person="ann", id=str(number), at_revision=0)  # type: ignore[arg-type]
    add_activity(db, gold.id, [stretch("b", NINE + timedelta(minutes=9), 20, phase="reopening")], person="ann")
    with db.read() as reader:
        time = correction_time(reader, gold.id)
    assert (time.active_ms, time.by_phase) == (80_000, {"correction": 60_000, "reopening": 20_000})


def test_load_and_waiting_stand_apart_from_the_time_of_the_person(db: Db, gold: Gold, clock: Clock) -> None:
    clock.pass_(hours=1)
    slow = stretch("a", NINE, 60, waiting_ms=7_000, load_ms=900, away={"waiting": ((10_000, 17_000),)})
    add_activity(db, gold.id, [slow], person="ann")
    with db.read() as reader:
        time = correction_time(reader, gold.id)
    assert (time.active_ms, time.waiting_ms, time.load_ms) == (60_000, 7_000, 900)


def test_cells_are_timed_apart_by_what_was_done_to_them(db: Db, gold: Gold, clock: Clock) -> None:
    clock.pass_(hours=1)
    cells = (("b1", "b1", 20_000), ("b2", "b1", 300_000), ("b3", "b1", 5_000))
    pause = Pause(30_000, 280_000, 0, ("b2", "b1"))
    add_activity(db, gold.id, [stretch("a", NINE, 165, idle_ms=160_000, pauses=(pause,), cells=cells)], person="ann")
    log = [
        NewEdit("edit-0001", SetText((TextChange(2, 1, "O.40", "0.40"),))),
        NewEdit("edit-0002", Mark((MarkChange(1, 1, "", "confirmed"),)), "key"),
        NewEdit("edit-0003", SetText((TextChange(3, 1, "0.10", "x"),))),
        NewEdit("edit-0004", SetText((TextChange(3, 1, "x", "0.10"),)), "undo", undoes="edit-0003"),
    ]
    add_edits(db, gold.id, log, person="ann", after=0)
    with db.read() as reader:
        (found,) = work(db, reader)
    assert {(cell.column, cell.active_ms, cell.done) for cell in found.cells} == {
        ("price", 20_000, "confirmed"),
        ("price", 140_000, "corrected"),
        ("price", 5_000, "looked at"),
    }
    assert found.corrected_cells == 1
    assert found.by_cutoff[30_000] == {"correction": 75_000}


def test_what_is_told_of_cells_follows_each_edit_verdict_and_new_cell(db: Db, gold: Gold, clock: Clock) -> None:
    def told() -> tuple[set[tuple[str, str]], bool]:
        with db.read() as reader:
            (found,) = work(db, reader)
        return {(cell.done, cell.column) for cell in found.cells}, found.is_accepted

    clock.pass_(hours=1)
    add_activity(db, gold.id, [stretch("a", NINE, 20, cells=(("b2", "b1", 20_000),))], person="ann")
    assert told() == ({("looked at", "price")}, False)
    add_edits(db, gold.id, [NewEdit("edit-0001", SetText((TextChange(2, 1, "O.40", "0.40"),)))], person="ann", after=0)
    assert told() == ({("corrected", "price")}, False)
    add_verdict(db, gold.id, verdict="accept", person="ann", id="v", at_revision=1)
    assert told() == ({("corrected", "price")}, True)
    later = stretch("b", NINE + timedelta(minutes=1), 20, cells=(("b1", "b0", 20_000),))
    add_activity(db, gold.id, [later], person="ann")
    assert told() == ({("corrected", "price"), ("looked at", "item")}, True)


def test_a_stretch_of_an_older_version_is_still_read(db: Db, gold: Gold, clock: Clock) -> None:
    clock.pass_(hours=1)
    old = {"id": "a", "client": "tab", "phase": "correction", "started": NINE.isoformat(), "active_ms": 60_000}
    add_activity(db, gold.id, [Activity.from_json({**old, "gaps": [6_000], "seen": [["b1", "b0"]]})], person="ann")
    assert {active(db, gold.id, cutoff_ms=cutoff) for cutoff in CUTOFFS_MS} == {60_000}
    with db.read() as reader:
        assert seen_cells(reader, gold.id, person="ann") == {("b1", "b0")}


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
        {"pauses": [[0, 9, 0, "", ""]]},
        {"pauses": [[0, 5]]},
        {"away": [[0, 5, "lunch"]]},
        {"load_ms": -1},
    ],
)
def test_a_garbled_stretch_is_refused_with_its_contents(part: dict[str, object]) -> None:
    whole = {"id": "a", "client": "tab", "phase": "correction", "started": NINE.isoformat(), "active_ms": 5}
    assert Activity.from_json(whole).active_ms == 5
    with pytest.raises(StoreError):
        Activity.from_json({**whole, **part})


def test_a_stretch_can_be_of_an_adjudication(db: Db, gold: Gold, clock: Clock) -> None:
    clock.pass_(hours=1)
    add_activity(db, gold.id, [replace(stretch("a", NINE, 60), phase="adjudication")], person="ann")
    assert active(db, gold.id) == 60_000


def test_stretches_from_before_the_pauses_were_kept_survive_the_migration(tmp_path: Path) -> None:
    old = Database(tmp_path / "old.db")
    MIGRATIONS.apply(old, stop_before="m007_work_time")
    for statement in (
        "insert into document (id, project, sha256, name, media_type, bytes, added_at, added_by) "
        "values (1, 'p', 's', 'n', 'm', 1, '2026-03-01T09:00:00.000+00:00', 'ann')",
        "insert into gold (id, document, position, name, base, body, sha256, added_at, added_by) "
        "values (1, 1, 0, 't', 'blank', '{}', '', '2026-03-01T09:00:00.000+00:00', 'ann')",
        "insert into activity values ('a', 1, 'ann', 'tab', 'correction', '2026-03-02T09:00:00.250Z', 61000, 5000, "
        """2000, '[6000]', '[["b1", "b0", 61000]]', '[["b1", "b0"]]', '2026-03-02T09:02:00.000+00:00')""",
    ):
        old.execute(statement)
    old.conn.commit()
    old.close()
    db = Db(tmp_path / "old.db")
    with db.read() as reader:
        (entry,) = recorded(reader)
        assert entry.began_ms == ms(datetime(2026, 3, 2, 9, 0, 0, 250_000, tzinfo=UTC))
        time = correction_time(reader, 1, cutoff_ms=30_000)
        assert (time.active_ms, time.idle_ms, time.hidden_ms) == (61_000, 5_000, 2_000)
        assert seen_cells(reader, 1, person="ann") == {("b1", "b0")}
    db.close()
