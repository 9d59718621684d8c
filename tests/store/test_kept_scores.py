"""What is kept of scores and times is what comparing everything anew would give, after each kind of change."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from scoring.report import TableSums
from scoring.schema import TableType
from scoring.table import from_rows
from store.activity import Activity, add_activity
from store.attempts import add_attempt
from store.db import Db
from store.diagnoses import Diagnosis, add_diagnosis
from store.edits import SetText, TextChange
from store.extractions import Run, add_extraction
from store.formats.contract import ReadTable
from store.gold import NewEdit, add_edits, add_gold
from store.kept_scores import WRITTEN_AT_ONCE
from store.kept_times import times_of_like_tables
from store.reviews import add_verdict
from store.scored_documents import scored_documents
from store.scores import ScoredDocument, ScoredTable, compared_documents, scored_document
from store.table_types import add_table_type
from store.timing import erase_times
from store.work_time import correction_time
from tests.two_runs import HEAD, two_runs

PARTS = [name for name in TableSums.__dataclass_fields__ if name != "signature"]


@pytest.fixture
def db(tmp_path: Path) -> Db:
    return Db(two_runs(tmp_path / "home").database)


def plain(table: ScoredTable) -> list[object]:
    """All that a kept table holds, of either kind of it."""
    report = [getattr(table.report, name) for name in (*PARTS, "signature")]
    more = (table.gold, table.label, table.first, table.causes, table.extractor, table.received_at)
    return [*report, *more, table.time, table.edits, table.diagnosis]


def told(found: tuple[ScoredDocument, ...]) -> list[object]:
    return [
        (entry.document, entry.open_tables, entry.failure, entry.first_reason, [plain(table) for table in entry.tables])
        for entry in found
    ]


def check(db: Db) -> int:
    """Expects what is kept to be what is true, for every run; how many tables were compared anew for it."""
    anew: list[int] = []
    for run in (None, 1, 3):
        with db.read() as reader:
            true = told(compared_documents(db, reader, run=run))
            marks: list[int] = []
            kept = scored_documents(db, reader, run=run, told=lambda _, of: marks.append(of))  # noqa: B023
            anew.append(max(marks, default=0))
            assert told(kept) == true
    fresh = Db(db.path)  # as a server that has just been started
    for run in (None, 1, 3):
        with db.read() as reader, fresh.read() as other:
            true = told(scored_documents(db, reader, run=run, told=_unexpected))
            assert told(scored_documents(fresh, other, run=run, told=_unexpected)) == true
    fresh.close()
    return sum(anew)


def _unexpected(done: int, of: int) -> None:
    raise AssertionError(f"{of} tables are compared again")


def edit(db: Db, number: int, old: str, new: str, undoes: str | None = None) -> None:
    for verdict in ("reopen", "accept"):
        if verdict == "accept":
            change = NewEdit(f"edit-number-{number}", SetText((TextChange(1, 1, old, new),)), undoes=undoes)
            add_edits(db, 1, [change], person="ann", after=number - 1)
        at = number if verdict == "accept" else number - 1
        add_verdict(db, 1, verdict=verdict, person="ann", id=f"{verdict}-again-{number}", at_revision=at)


def work(db: Db, key: int, name: str, *, seconds: float, after: float, began: datetime, person: str = "ann") -> None:
    began += timedelta(seconds=after)
    stretch = Activity(name, name, "correction", began.isoformat(), round(seconds * 1000), pauses=(), away={})
    add_activity(db, key, [stretch], person=person)


def test_kept_values_are_the_true_ones_after_each_kind_of_change(db: Db) -> None:
    assert check(db) == 3 * 24 - 24  # the first extraction of each document is that of run 1
    assert check(db) == 0
    edit(db, 1, "1", "100")
    assert check(db) == 2
    edit(db, 2, "100", "1", undoes="edit-number-1")
    assert check(db) == 2
    add_verdict(db, 2, verdict="reopen", person="ann", id="reopened", at_revision=0)
    assert check(db) == 0
    add_verdict(db, 2, verdict="accept", person="ann", id="accepted-again", at_revision=0)
    assert check(db) == 0


def test_a_table_type_changes_the_scores_of_its_tables_only(db: Db) -> None:
    notes, _ = add_gold(db, 3, from_rows([["note"], ["paid"]]), name="notes", base="import", person="ann")
    add_verdict(db, notes.id, verdict="accept", person="ann", id="notes", at_revision=0)
    check(db)
    columns = [{"name": name, "required": name == "price"} for name in HEAD]
    assert add_table_type(db, TableType.from_json({"name": "lines", "columns": columns}), project="orders")
    # Those beside a table of the type may be named by it, as its causes may.
    assert check(db) == 2 * 25
    other = TableType.from_json({"name": "other", "columns": [{"name": "name"}]})
    assert add_table_type(db, other, project="orders")
    assert check(db) == 0


def test_what_comes_in_later_is_scored_and_nothing_else_anew(db: Db) -> None:
    check(db)
    rows = [["washer", "3", "0.30"]]
    add_gold(db, 5, from_rows([HEAD, *rows], header_rows=1), name="more", base="import", person="ann")
    assert check(db) == 2  # its document has a table more, which is open
    add_gold(db, 5, from_rows([HEAD, *rows], header_rows=1), name="offered", base="extraction", person="ann")
    assert check(db) == 2
    tables = [ReadTable("lines", from_rows([HEAD, *rows], header_rows=1))]
    given = {"file_name": "a.json", "format_name": "proofgrid", "tables": tables, "notes": (), "person": "ann"}
    add_extraction(db, 6, b"again", run=Run("steady", "1"), **given)  # type: ignore[arg-type]  # as named above
    add_extraction(db, 6, b"new", run=Run("newcomer"), **given)  # type: ignore[arg-type]
    assert check(db) == 0
    with db.read() as reader:
        found = scored_documents(db, reader, run=4)
        assert told(found) == told(compared_documents(db, reader, run=4))
    assert sum(table.first is not None for entry in found for table in entry.tables) == 1


def test_a_run_that_failed_at_a_document_is_told_of(db: Db) -> None:
    check(db)
    for outcome in ("no answer", "unreadable"):
        add_attempt(
            db,
            7,
            Run("newcomer"),
            outcome=outcome,  # type: ignore[arg-type]  # one of them
            reason="cut off",
            seconds=1.0,
            raw=b"",
            file_name="a.json",
            extraction=None,
            person="ann",
        )
        with db.read() as reader:
            assert told(scored_documents(db, reader, run=4)) == told(compared_documents(db, reader, run=4))
    with db.read() as reader:
        (failed,) = (entry for entry in scored_documents(db, reader, run=4) if entry.failure)
    assert failed.first_reason == "the extractor failed (no answer): cut off"


@pytest.mark.parametrize("few", [0, 20])
def test_times_are_those_of_the_stretches_that_are_left(db: Db, few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("store.kept_times.FEW", few)
    began = datetime.now(UTC)  # after the tables were added: who works on a table works on it since
    work(db, 1, "one", seconds=12, after=0, began=began)
    check(db)
    work(db, 2, "two", seconds=12, after=20, began=began)
    check(db)
    with db.read() as reader:
        before = [table.time.active_ms for entry in scored_documents(db, reader) for table in entry.tables]
    # It began before both and went on into the second one, so that both count for less.
    work(db, 3, "three", seconds=25, after=-1, began=began)
    check(db)
    with db.read() as reader:
        after = [table.time.active_ms for entry in scored_documents(db, reader) for table in entry.tables]
    assert sum(one < other for one, other in zip(after, before, strict=True)) == 2
    bob = Activity("bob's", "tab", "correction", began.isoformat(), 5_000, pauses=(), away={})
    add_activity(db, 4, [bob], person="bob")
    check(db)
    erase_times(db, "bob")
    check(db)
    # The database gives it the number of the stretch that was deleted.
    work(db, 4, "again", seconds=7, after=0, began=datetime.now(UTC), person="eve")
    check(db)


def test_times_beside_those_of_a_table_are_of_accepted_tables_of_its_type_in_its_project(db: Db) -> None:
    began = datetime.now(UTC)
    for key in (1, 2, 3, 4):
        work(db, key, f"on {key}", seconds=key, after=20 * key, began=began)
    add_verdict(db, 4, verdict="reopen", person="ann", id="open-4", at_revision=0)
    untyped, _ = add_gold(db, 1, from_rows([HEAD]), name="other", base="blank", person="ann")
    add_verdict(db, untyped.id, verdict="accept", person="ann", id="other", at_revision=0)
    work(db, untyped.id, "on another", seconds=9, after=200, began=began)
    with db.read() as reader:
        others = sorted(correction_time(reader, key).active_ms for key in (2, 3))
        assert list(times_of_like_tables(db, reader, 1)) == others


def test_a_diagnosis_is_that_of_the_state_that_it_was_asked_in(db: Db) -> None:
    check(db)
    said = Diagnosis("magnitude", "magnitude", True, 0.9, ("d1",), "ten times as much", "parrot", 1, "")
    with db.read() as reader:
        (table,) = scored_document(db, reader, 1).tables
    add_diagnosis(db, table.comparison, said, parameters={}, answers=("{}",), person="ann")
    check(db)
    with db.read() as reader:
        assert sum(one.diagnosis == said for entry in scored_documents(db, reader) for one in entry.tables) == 1
    edit(db, 1, "1", "100")
    check(db)


def test_scoring_that_is_stopped_goes_on_where_it_was(db: Db, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("store.kept_scores.WRITTEN_AT_ONCE", 10)
    assert WRITTEN_AT_ONCE > 10

    def stop(at: int) -> Callable[[int, int], None]:
        def told(done: int, of: int) -> None:
            if done == at:
                raise InterruptedError(f"{done} of {of}")

        return told

    with db.read() as reader, pytest.raises(InterruptedError, match="20 of 24"):
        scored_documents(db, reader, told=stop(20))
    with db.read() as reader, pytest.raises(InterruptedError, match="0 of 4"):
        scored_documents(db, reader, told=stop(0))
    check(db)


def test_two_people_that_look_at_other_states_see_their_own(db: Db) -> None:
    check(db)
    with db.read() as earlier:
        before = told(compared_documents(db, earlier))
        edit(db, 1, "1", "100")
        with db.read() as later:
            assert told(scored_documents(db, later)) == told(compared_documents(db, later)) != before
