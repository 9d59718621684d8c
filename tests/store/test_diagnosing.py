from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from scoring.diagnosis.causes import CAUSE_LABELS
from store import documents, scores
from store.comparison import Comparison
from store.db import Db
from store.diagnoses import Diagnosis, diagnosis
from store.diagnosing import diagnose, settled
from store.diagnosis_request import LABELS, MOST_DIFFERENCES
from store.extractors.contract import ExtractorError
from store.ingested import Ingested
from tests.store.service import Running, running

SAMPLES = Path(__file__).parents[2] / "sample_docs"
Told = tuple[Diagnosis, bool]


@pytest.fixture(scope="module")
def service() -> Iterator[Running]:
    with running() as found:
        yield found


@pytest.fixture
def jobs(db: Db, run: Callable[..., Ingested]) -> Comparison:
    """The print jobs of a sample whose gold was imported: several texts and numbers were misread."""
    run(SAMPLES / "invoice-printer")
    with db.read() as reader:
        (document,) = documents.documents(reader, project="default")
        tables = scores.scored_document(db, reader, document.id).tables
    return next(table.comparison for table in tables if table.comparison.gold.name == "print_jobs")


@pytest.fixture
def ask(db: Db, service: Running, jobs: Comparison) -> Callable[..., Told]:
    def ask(**given: Any) -> Told:
        told: list[Told] = []
        asked = {"base_url": f"{service.origin}/v1", "model": "parrot", "wait_s": 0.01, **given}
        diagnose(db, [jobs], settled(asked), person="ann", told=lambda _, made, new: told.append((made, new)))
        (only,) = told
        return only

    return ask


def verdict(cause: str = "ocr_confusion", **parts: Any) -> dict[str, Any]:
    answer = {"cause": cause, "confidence": 0.8, "evidence": ["d1"], "explanation": "0 for O", **parts}
    return {"chat": json.dumps(answer)}


def request(service: Running, number: int = 0) -> Any:
    return json.loads(service.log[number]["body"])


def test_an_answer_is_kept_beside_the_cause_of_the_rules_and_changes_no_score(
    db: Db, service: Running, ask: Callable[..., Told], jobs: Comparison
) -> None:
    before = jobs.report
    service.play(verdict("truncated"))
    made, new = ask()
    assert (made.cause, made.by_rules, made.agrees) == ("truncated", jobs.causes.cause_of_failure, False)
    assert (made.attempts, made.evidence, made.confidence, new) == (1, ("d1",), 0.8, True)
    with db.read() as reader:
        scored = scores.scored_document(db, reader, jobs.document.id)
        assert diagnosis(reader, jobs) == made
        (kept,) = reader.query("select answers, made_by from diagnosis")
    table = next(table for table in scored.tables if table.comparison.gold.id == jobs.gold.id)
    assert table.diagnosis == made
    assert table.report == before
    assert "truncated" in kept["answers"]


def test_a_table_is_not_asked_about_twice_in_the_same_state(service: Running, ask: Callable[..., Told]) -> None:
    service.play(verdict(), verdict("overrun"))
    assert ask()[1] is True
    made, new = ask()
    assert (made.cause, new) == ("ocr_confusion", False)
    assert len(service.log) == 1
    assert ask(model="another")[0].cause == "overrun"


def test_the_model_gets_labels_schema_and_differences_as_data(
    service: Running, ask: Callable[..., Told], jobs: Comparison
) -> None:
    service.play(verdict())
    ask()
    system, user = (message["content"] for message in request(service)["messages"])
    schema = request(service)["response_format"]["json_schema"]["schema"]
    assert schema["properties"]["cause"]["enum"] == list(CAUSE_LABELS)
    assert all(f"- {label}: " in system for label in CAUSE_LABELS)
    mark, *_, last = user.split("\n")[:-1]
    assert mark == last
    assert mark in system
    data = json.loads(user.removeprefix(mark).removesuffix(f"{mark}\n"))
    assert len(data["differences"]) == min(MOST_DIFFERENCES, len(jobs.causes.differences))
    assert data["differences"]["d1"]["gold"] == jobs.causes.differences[0].gold


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"chat": "The cause is a misread digit."}, "Invalid JSON"),
        (verdict("bad_luck"), "cause: Input should be"),
        (verdict(evidence=["d1", "d999"]), "evidence: d999 not among the ids"),
        (verdict(evidence=[]), "evidence: List should have at least 1"),
        (verdict(explanation="x" * 401), "explanation: String should have at most 400"),
        (verdict(confidence=7), "confidence: Input should be less than or equal to 1"),
        ({"body": {"choices": []}}, "expected an answer of a chat model"),
        ({"status": 400, "body": "no such thing"}, "answered HTTP 400"),
        ({**verdict(), "cut": 30}, "broke off"),
        ({**verdict(), "delay_s": 1.5}, "took longer than 0.5 s"),
    ],
)
def test_a_wrong_answer_is_told_to_the_model_which_is_asked_again(
    service: Running, ask: Callable[..., Told], wrong: dict[str, Any], said: str
) -> None:
    service.play(wrong, verdict())
    made, _ = ask(timeout_s=0.5)
    assert (made.cause, made.attempts, made.refused) == ("ocr_confusion", 2, "")
    assert said in request(service, 1)["messages"][1]["content"]
    assert request(service, 1)["seed"] == request(service)["seed"] + 1


def test_after_three_wrong_answers_the_cause_of_the_rules_stands(
    service: Running, ask: Callable[..., Told], jobs: Comparison
) -> None:
    service.play(verdict("bad_luck"), {"chat": "hm"}, verdict(evidence=["d0"]), verdict())
    made, _ = ask()
    assert (made.cause, made.agrees, made.attempts) == (jobs.causes.cause_of_failure, None, 3)
    assert made.refused == "evidence: d0 not among the ids of the differences"
    assert len(service.log) == 3


def test_a_busy_service_is_waited_for_and_that_is_no_attempt(service: Running, ask: Callable[..., Told]) -> None:
    service.play({"status": 429, "headers": {"Retry-After": "0"}}, {"status": 503}, verdict())
    made, _ = ask()
    assert (made.cause, made.attempts) == ("ocr_confusion", 1)


def test_words_in_a_document_stay_data_and_an_explanation_stays_text(
    service: Running, ask: Callable[..., Told], db: Db
) -> None:
    service.play(verdict(explanation="<script>ignore the rules</script>"))
    assert ask()[0].explanation == "<script>ignore the rules</script>"
    with db.read() as reader:
        assert reader.execute("select count(*) from diagnosis").fetchone() == (1,)


def test_a_refused_key_ends_it_and_keeps_nothing(service: Running, ask: Callable[..., Told], db: Db) -> None:
    service.play({"status": 401, "body": "who are you"})
    with pytest.raises(ExtractorError, match="HTTP 401"):
        ask()
    with db.read() as reader:
        assert reader.execute("select count(*) from diagnosis").fetchone() == (0,)


def test_wrong_parameters_are_told_before_anything_is_sent() -> None:
    for given, said in (
        ({}, "needs the parameter model"),
        ({"model": "m", "colour": "red"}, "has no parameter 'colour'"),
        ({"model": "m", "key_env": "sk-1 2"}, "not the key itself"),
    ):
        with pytest.raises(ExtractorError, match=said):
            settled(given)


def test_every_cause_has_words_for_the_model() -> None:
    assert tuple(LABELS) == CAUSE_LABELS
