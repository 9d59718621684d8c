from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from sqlite3 import IntegrityError
from types import ModuleType
from typing import Any

import pytest

import store.extractors
from store import attempts, extractions, gold, scores
from store.chosen import chosen
from store.db import Db
from store.documents import Document
from store.extracting import Runs, extract
from store.extractors import Answer, ExtractorError, Identity, Job, NoAnswer
from store.extractors.fixtures import ORDER, fixtures
from store.formats import FORMATS
from store.home import Home
from store.repeats import repeated
from store.reviews import add_verdict
from store.scored_documents import scored_documents
from store.verification import verify
from tests.store import broken_engines

GOOD = b'{"order": {"number": "PO-1", "date": "2024-01-09", "customer": "Bolt", "total": "1.20"}}'
OTHER = b'{"order": {"number": "PO-1", "date": "2024-01-09", "customer": "Bolt", "total": "1.2 EUR"}}'
WRONG = b'{"order": {"number": "PO-1", "date": "2024-01-09", "customer": "Bolt", "total": "7.20"}}'
PROSE = b"Here is the table that you asked for."


class Scripted(ModuleType):
    """An extractor that gives the answers of a list, one after the other; an exception is raised."""

    IN_WORKER = False

    def __init__(self, answers: Sequence[bytes | BaseException], tries: int = 1) -> None:
        super().__init__("scripted")
        self.answers: Iterator[bytes | BaseException] = iter(answers)
        self.tries = tries
        self.jobs: list[Job] = []

    def settled(self, given: Any, table_types: Any) -> Any:
        return {"attempts": self.tries, **given}

    def identity(self, parameters: Any) -> Identity:
        return Identity("scripted", "1")

    def extract(self, job: Job) -> Answer:
        self.jobs.append(job)
        answer = next(self.answers)
        if isinstance(answer, BaseException):
            raise answer
        return Answer(answer)

    def complaints(self, raw: bytes, job: Job) -> tuple[str, ...]:
        return ("total is not printed so",) if raw == WRONG else ()


@pytest.fixture
def orders(db: Db, home: Home, tmp_path: Path) -> tuple[Document, ...]:
    """Three orders and their table type, in the store."""
    for fixture in fixtures()[:3]:
        (tmp_path / fixture.name).write_bytes(fixture.raw)
    types = {"proofgrid": "table-types/1", "table_types": [ORDER.to_json()]}
    (tmp_path / "types.json").write_text(json.dumps(types))
    found, _ = chosen(db, home, [tmp_path], person="ann", project="default")
    return found


@pytest.fixture
def run(db: Db, home: Home, orders: tuple[Document, ...], monkeypatch: pytest.MonkeyPatch) -> Any:
    def run(*answers: bytes | BaseException, tries: int = 1, n: int = 3, **options: Any) -> Runs:
        scripted = Scripted(answers, tries)
        monkeypatch.setattr(store.extractors, "EXTRACTORS", {"scripted": scripted})
        options = {"extractor_name": "scripted", "person": "ann", "project": "default", **options}
        return extract(db, home, orders[:n], **options)

    return run


def test_an_answer_enters_as_a_file_does_and_opens_gold_of_its_type(db: Db, run: Any) -> None:
    runs = run(GOOD, n=1)
    (entry,) = runs.entries
    assert (entry.first.outcome, runs.stopped, runs.left) == ("read", "", 0)
    with db.read() as reader:
        stored = extractions.extraction(reader, entry.first.extraction)
        assert extractions.received(reader, stored.received_sha256) == GOOD
        assert (stored.format, stored.extractor) == ("json-records", "scripted 1")
        (opened,) = gold.gold_tables(reader, entry.document.id)
        assert (opened.name, opened.table_type, opened.base) == ("order", "order", "extraction")


def test_prose_is_stored_as_an_extraction_without_tables_that_counts_and_the_rest_goes_on(db: Db, run: Any) -> None:
    runs = run(GOOD, PROSE, GOOD)
    assert [entry.first.outcome for entry in runs.entries] == ["read", "unreadable", "read"]
    with db.read() as reader:
        stored = extractions.first_extraction(reader, runs.entries[1].document.id)
        assert stored is not None
        assert stored.tables == ()
        assert extractions.received(reader, stored.received_sha256) == PROSE
        (completion,) = attempts.completions(reader)
    assert (completion.completed, completion.documents, completion.rate) == (2, 3, 2 / 3)
    (failure,) = completion.failures
    assert failure.name == "order-02.pdf"
    assert failure.reason.startswith("line 1, column 1: not JSON (Expecting value), found 'Here is the ")


def test_the_first_attempt_is_scored_and_the_second_begins_gold(db: Db, home: Home, run: Any) -> None:
    runs = run(PROSE, GOOD, tries=3, n=1)
    (entry,) = runs.entries
    assert (entry.first.outcome, entry.attempts, entry.last) == ("unreadable", 2, "read")
    with db.read() as reader:
        kept = attempts.attempts(reader, entry.document.id, entry.first.run)
        (opened,) = gold.gold_tables(reader, entry.document.id)
    assert [(attempt.number, attempt.outcome) for attempt in kept] == [(1, "unreadable"), (2, "read")]
    add_verdict(db, opened.id, verdict="accept", person="ann", id="accept-1", at_revision=0)
    with db.read() as reader:
        (scored,) = scored_documents(db, reader)
        assert list(verify(reader, home)) == []
    exact = scored.tables[0].report.exact
    assert (exact.matched, exact.predicted, exact.expected) == (0, 0, 4)


def test_a_failure_is_the_reason_that_the_score_gives_for_its_document(db: Db, run: Any) -> None:
    run(PROSE, GOOD, NoAnswer("cut off after 3 bytes"), GOOD, GOOD, tries=2)
    with db.read() as reader:
        opened = [table for key in (1, 2, 3) for table in gold.gold_tables(reader, key)]
    for table in opened:
        add_verdict(db, table.id, verdict="accept", person="ann", id=f"accept-{table.id}", at_revision=0)
    with db.read() as reader:
        found = scored_documents(db, reader)
    reasons = {entry.document.name: entry.first_reason for entry in found}
    assert reasons["order-01.pdf"].startswith("the extractor failed (unreadable): line 1, column 1: not JSON")
    # The first answer of the second order came with its second attempt, and that one is scored.
    assert reasons["order-02.pdf"] == reasons["order-03.pdf"] == ""
    (failed,) = scores.corpus_of(found).failures
    assert (failed.state, failed.reason[:16]) == ("broken", "line 1, column 1")


def test_what_was_wrong_with_an_attempt_is_told_to_the_next(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    run(WRONG, GOOD, tries=2, n=1)
    scripted: Any = store.extractors.EXTRACTORS["scripted"]
    assert [(job.attempt, job.complaints) for job in scripted.jobs] == [(1, ()), (2, ("total is not printed so",))]


def test_an_answer_that_lacks_something_is_partial_and_says_so_at_the_extraction(db: Db, run: Any) -> None:
    (entry,) = run(WRONG, n=1).entries
    assert (entry.first.outcome, entry.first.reason) == ("partial", "total is not printed so")
    with db.read() as reader:
        assert extractions.extraction(reader, entry.first.extraction).notes == ("total is not printed so",)


def test_an_answer_is_kept_before_it_is_read_whatever_happens_then(
    db: Db, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def struck(*_: Any, **__: Any) -> None:
        raise SystemExit("power failure")

    monkeypatch.setattr("store.extracting.recognise", struck)
    with pytest.raises(SystemExit):
        run(GOOD, n=1)
    with db.read() as reader:
        assert [row["body"] for row in reader.query("select body from received")] == [GOOD]
        assert list(reader.query("select * from attempt")) == []


def test_a_document_without_an_answer_is_a_failure_and_no_extraction(db: Db, run: Any) -> None:
    runs = run(GOOD, NoAnswer("timed out after 3 s", b'{"half'), GOOD)
    failed = runs.entries[1]
    assert (failed.first.outcome, failed.first.reason) == ("no answer", "timed out after 3 s")
    with db.read() as reader:
        assert extractions.first_extraction(reader, failed.document.id) is None
        (completion,) = attempts.completions(reader)
        assert [row["body"] for row in reader.query("select body from received where body = ?", (b'{"half',))]
    assert completion.rate == 2 / 3


def test_an_interrupt_leaves_what_was_stored_and_resume_tries_only_the_rest(db: Db, home: Home, run: Any) -> None:
    cut = run(GOOD, KeyboardInterrupt())
    assert (len(cut.entries), cut.left, cut.stopped) == (1, 2, "stopped by hand")
    resumed = run(GOOD, WRONG, resume=True)
    assert [entry.known for entry in resumed.entries] == [True, False, False]
    assert resumed.numbers == cut.numbers
    with db.read() as reader:
        (completion,) = attempts.completions(reader)
        assert list(verify(reader, home)) == []
    assert completion.first == {"read": 2, "partial": 1, "unreadable": 0, "no answer": 0}


def test_resume_tries_a_document_again_that_gave_no_answer_but_its_first_attempt_still_counts(db: Db, run: Any) -> None:
    run(NoAnswer("cut off"), n=1)
    (again,) = run(GOOD, n=1, resume=True).entries
    assert (again.first.outcome, again.attempts, again.last) == ("no answer", 2, "read")
    with db.read() as reader:
        (completion,) = attempts.completions(reader)
    assert (completion.completed, completion.retried) == (0, 1)


def test_without_resume_a_new_start_is_a_further_repeat(db: Db, run: Any) -> None:
    first, second = run(GOOD, n=1), run(GOOD, n=1)
    assert [entry.repeat for entry in (*first.entries, *second.entries)] == [1, 2]
    assert (first.repeats, second.repeats) == (1, 2)
    assert first.numbers != second.numbers


def test_an_extractor_that_cannot_be_used_ends_the_run_and_says_why(run: Any) -> None:
    runs = run(GOOD, ExtractorError("the key was refused"))
    assert (len(runs.entries), runs.left, runs.stopped) == (1, 2, "the key was refused")


def test_repeats_tell_how_many_values_flip_by_meaning_and_by_text(db: Db, run: Any) -> None:
    run(GOOD, OTHER, WRONG, n=1, repeats=3)
    with db.read() as reader:
        (found,) = repeated(db, reader)
    # Of four fields one has the values 1.20, 1.2 EUR and 7.20: two of three pairs differ.
    assert found.stability.cells == 4
    assert found.flip_rate == pytest.approx(2 / 12)
    assert found.stability.same_values == 3 / 4
    assert found.f1.runs == 0
    with db.read() as reader:
        (opened,) = gold.gold_tables(reader, 1)
    add_verdict(db, opened.id, verdict="accept", person="ann", id="accept-1", at_revision=0)
    with db.read() as reader:
        (found,) = repeated(db, reader)
    assert (found.f1.lowest, found.f1.highest) == (0.75, 1.0)


def test_a_page_on_which_the_engine_hangs_fails_its_document_and_the_rest_goes_on(
    db: Db, home: Home, orders: tuple[Document, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store.extractors, "EXTRACTORS", {"engine": broken_engines})
    given = {"how": "hangs", "page": 1, "name": "order-01.pdf", "seconds_per_page": 0.5}
    options: Any = {"extractor_name": "engine", "person": "ann", "project": "default", "given": given}
    runs = extract(db, home, orders[:2], **options)
    assert [(entry.first.outcome, entry.first.reason) for entry in runs.entries] == [
        ("no answer", "page 1 took longer than 0.5 s; the extractor was stopped"),
        ("read", ""),
    ]


def test_an_unknown_table_type_is_refused_with_those_that_there_are(run: Any) -> None:
    with pytest.raises(ExtractorError, match="'items' is not in project 'default'; expected one of: order"):
        run(types=["items"])


def test_only_documents_of_a_folder_are_taken_and_not_what_others_returned_for_them(
    db: Db, home: Home, tmp_path: Path
) -> None:
    (tmp_path / "a.pdf").write_bytes(fixtures()[0].raw)
    (tmp_path / "a.json").write_bytes(GOOD)
    found, imported = chosen(db, home, [tmp_path], person="ann", project="default")
    assert [document.name for document in found] == ["a.pdf"]
    with db.read() as reader:
        assert extractions.first_extraction(reader, found[0].id) is None
    assert imported.refused == ()


def test_the_database_refuses_to_change_an_attempt(db: Db, run: Any) -> None:
    run(GOOD, n=1)
    columns = "document, run, number, outcome, reason, 0, received, extraction, made_at, made_by"
    for statement in (
        "update attempt set seconds = 0",
        "delete from attempt",
        f"insert or replace into attempt select null, {columns} from attempt",
    ):
        with pytest.raises(IntegrityError, match="append-only"), db.write() as writer:
            writer.execute(statement)


def test_a_fault_of_a_reader_is_the_failure_of_that_answer_alone(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    good, worked = FORMATS["json-records"], []

    def fails(raw: bytes, **options: Any) -> Any:
        worked.append(raw)
        if len(worked) == 1:
            raise IndexError("list index out of range")
        return good_read(raw, **options)

    good_read = good.read
    monkeypatch.setattr(good, "read", fails)
    runs = run(GOOD, GOOD, n=2)
    assert [entry.first.outcome for entry in runs.entries] == ["unreadable", "read"]
    assert "a fault of Proofgrid itself (IndexError" in runs.entries[0].first.reason


@pytest.mark.parametrize(
    ("extractor", "wrong"),
    [
        ("mock", {"wait_ms": -7}),
        ("llm", {"model": "m", "attempts": 0}),
        ("http", {"url": "http://127.0.0.1:9/", "timeout_s": -1.0}),
        ("digital", {"seconds_per_page": float("nan")}),
        ("digital", {"memory_mb": -1}),
    ],
)
def test_a_number_that_makes_no_sense_is_refused_before_anything_runs(extractor: str, wrong: dict[str, Any]) -> None:
    [name] = [name for name in wrong if name not in ("model", "url")]
    with pytest.raises(ExtractorError, match=f"parameter {name} of extractor {extractor} is "):
        store.extractors.extractor(extractor).settled(wrong, [ORDER])
