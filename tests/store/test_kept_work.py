from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from store import kept_work
from store.db import Db
from store.edits import SetText, TextChange
from store.gold import NewEdit, add_edits
from store.kept_work import work
from store.reviews import add_verdict
from store.timing import erase_times
from store.work_time import Work
from tests.measured_work import measured_work

PEOPLE = {"ann", "bob", "cat"}


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Db]:
    database = Db(measured_work(tmp_path / "home").database)
    yield database
    database.close()


def told(db: Db, *, cutoff_ms: int = 120_000) -> tuple[tuple[Work, ...], int]:
    """The work, and on how many tables it was added up anew; expects a server that has just started to say the same."""
    anew: list[int] = []
    with db.read() as reader:
        found = work(db, reader, cutoff_ms=cutoff_ms, told=lambda _, of: anew.append(of))
    fresh = Db(db.path)
    with fresh.read() as reader:
        assert work(fresh, reader, cutoff_ms=cutoff_ms, told=_unexpected) == found
    with fresh.write() as writer:
        writer.execute("delete from kept_work where cutoff_ms = ?", (cutoff_ms,))
    fresh.remembered.clear()
    with fresh.read() as reader:
        assert work(fresh, reader, cutoff_ms=cutoff_ms) == found
    fresh.close()
    return found, max(anew, default=0)


def _unexpected(done: int, of: int) -> None:
    raise AssertionError(f"the work on {of} tables is added up again")


def test_work_is_kept_until_something_of_its_table_changes(db: Db) -> None:
    first, anew = told(db)
    assert anew == len({entry.gold for entry in first}) == 12
    assert told(db) == (first, 0)
    add_verdict(db, 1, verdict="reopen", person="ann", id="open again", at_revision=1)
    found, anew = told(db)
    assert anew == 1
    assert [entry.is_accepted for entry in found if entry.gold == 1] == [False]
    with db.read() as reader:
        number = reader.execute("select count(*) from edit where gold = 1").fetchone()[0]
    add_edits(db, 1, [NewEdit("more", SetText((TextChange(2, 0, "nut", "nuts"),)))], person="ann", after=number)
    assert told(db)[1] == 1


def test_each_cut_off_is_kept_by_itself(db: Db) -> None:
    usual, shorter = told(db)[0], told(db, cutoff_ms=30_000)[0]
    assert [entry.time.active_ms for entry in usual] != [entry.time.active_ms for entry in shorter]
    assert told(db)[1] == told(db, cutoff_ms=30_000)[1] == 0


def test_deleted_times_are_gone_from_what_is_kept_at_once(db: Db, monkeypatch: pytest.MonkeyPatch) -> None:
    told(db)
    monkeypatch.setattr("store.timing.now", lambda: "2031-01-01T00:00:00.000+00:00")  # after the work was done
    erase_times(db, "bob")
    with db.read() as reader:
        bodies = [body for (body,) in reader.execute("select body from kept_work")]
    assert not any('"bob"' in body for body in bodies)
    assert {entry.person for entry in told(db)[0]} == PEOPLE - {"bob"}


def test_adding_up_that_is_stopped_goes_on_where_it_was(db: Db, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_work, "WRITTEN_AT_ONCE", 5)

    def stop(done: int, of: int) -> None:
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), db.read() as reader:
        work(db, reader, told=stop)
    assert told(db)[1] == 7
