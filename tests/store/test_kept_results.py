"""Comparisons of runs that are kept are those that would be worked out now, or are told to be older."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlite_utils import Database

from store.attempts import add_attempt
from store.db import Db
from store.extractions import Run
from store.leaderboard import kept_leaderboard, leaderboard
from store.paired_runs import kept_pair, pair_runs
from store.reviews import add_verdict
from store.run_series import all_series
from tests.two_runs import two_runs


@pytest.fixture
def db(tmp_path: Path) -> Db:
    return Db(two_runs(tmp_path / "home").database)


def reopen(db: Db, key: int) -> None:
    add_verdict(db, key, verdict="reopen", person="ann", id=f"reopened-{key}", at_revision=0)


def flag(db: Db, key: int) -> None:
    """A verdict of which no score speaks."""
    add_verdict(db, key, verdict="flag", person="ann", id=f"flagged-{key}", at_revision=0)


def kept(db: Db, reader: Database, **options: bool) -> list[object]:
    a, b = all_series(reader)
    return [
        kept_pair(db, reader, a, b, **options),  # type: ignore[arg-type]  # earlier is the only one
        kept_leaderboard(db, reader, project="orders", **options),  # type: ignore[arg-type]
    ]


def true(db: Db, reader: Database) -> list[object]:
    a, b = all_series(reader)
    return [(pair_runs(db, reader, a, b), ""), (leaderboard(db, reader, project="orders"), "")]


def bodies(db: Db) -> list[tuple[str, str]]:
    with db.read() as reader:
        return list(reader.execute("select name, body from kept_result order by name"))


def test_what_is_kept_of_two_runs_is_what_would_be_worked_out_after_each_change(db: Db) -> None:
    for change in (lambda: None, lambda: reopen(db, 3), lambda: flag(db, 4), lambda: reopen(db, 1)):
        change()
        for _ in range(2):
            with db.read() as reader:
                assert kept(db, reader) == true(db, reader)
        fresh = Db(db.path)  # as a server that has just been started
        with fresh.read() as reader:
            assert kept(fresh, reader) == true(fresh, reader)
        fresh.close()
    assert len(bodies(db)) == 2


def test_a_document_that_a_run_is_asked_for_later_counts_from_then_on(db: Db) -> None:
    with db.read() as reader:
        kept(db, reader)
    add_attempt(
        db,
        1,
        Run("newcomer"),
        outcome="no answer",
        reason="cut off",
        seconds=1.0,
        raw=b"",
        file_name="a.json",
        extraction=None,
        person="ann",
    )
    with db.read() as reader:
        found, since = kept_leaderboard(db, reader, project="orders")
        assert (found, since) == (leaderboard(db, reader, project="orders"), "")
        assert found.documents == 1


def test_over_many_documents_an_older_comparison_is_shown_with_its_time(
    db: Db, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("paired_runs", "leaderboard"):
        monkeypatch.setattr(f"store.{module}.MANY", 20)
    with db.read() as reader:
        before = kept(db, reader, earlier=True)
        assert before == true(db, reader)
    flag(db, 4)
    with db.read() as reader:
        assert kept(db, reader, earlier=True) == before
    reopen(db, 3)
    with db.read() as reader:
        for (found, since), (last, _) in zip(kept(db, reader, earlier=True), before, strict=True):  # type: ignore[misc]
            assert found == last
            assert since.startswith("20")
        assert kept(db, reader) == true(db, reader) != before
