"""Asking a language model for the cause of the errors of tables; no answer of it changes a score."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from scoring.diagnosis.causes import CauseLabel
from store.comparison import Comparison
from store.db import Db
from store.diagnoses import PROMPT_VERSION, Diagnosis, add_diagnosis, diagnosis
from store.diagnosis_request import Question, Verdict, accepted, question
from store.extractors import chat
from store.extractors.contract import NoAnswer, expect_known
from store.formats import FormatError, chat_completion

# The first answer, and two more where it cannot be taken.
MOST_ATTEMPTS = 3


def settled(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """The parameters of the chat endpoint with their defaults; raises ExtractorError for one that is wrong."""
    asked = expect_known("diagnosis", given, {**chat.DEFAULTS, "timeout_s": 120.0})
    chat.expect_usable("the diagnosis", asked)
    return {**asked, "prompt": PROMPT_VERSION}


def diagnose(
    db: Db,
    found: Sequence[Comparison],
    parameters: Mapping[str, Any],
    *,
    person: str,
    told: Callable[[Comparison, Diagnosis, bool], None],
) -> None:
    """Ask for the cause of each table that has one, and keep the answer; ``told`` hears of each, and whether it is new.

    A table that this model was asked about in the same state is not asked about again. Raises ExtractorError where
    the endpoint cannot be used at all; what was kept before stays.
    """
    for comparison in found:
        by_rules = comparison.causes.cause_of_failure
        if by_rules is None:
            continue
        with db.read() as reader:
            known = diagnosis(reader, comparison, model=parameters["model"])
        made = known or _asked(db, comparison, by_rules, parameters, person)
        told(comparison, made, known is None)


def _asked(db: Db, found: Comparison, by_rules: CauseLabel, parameters: Mapping[str, Any], person: str) -> Diagnosis:
    asked = question(found)
    answers: list[str] = []
    complaints: tuple[str, ...] = ()
    verdict: Verdict | None = None
    for number in range(1, MOST_ATTEMPTS + 1):
        verdict, complaints = _answer(asked, parameters, number, complaints, answers.append)
        if verdict is not None:
            break
    made = Diagnosis(
        cause=verdict.cause if verdict else by_rules,
        by_rules=by_rules,
        agrees=verdict.cause == by_rules if verdict else None,
        confidence=verdict.confidence if verdict else None,
        evidence=tuple(dict.fromkeys(verdict.evidence)) if verdict else (),
        explanation=verdict.explanation if verdict else "",
        model=parameters["model"],
        attempts=number,
        refused="" if verdict else "; ".join(complaints),
    )
    add_diagnosis(db, found, made, parameters=parameters, answers=answers, person=person)
    return made


def _answer(
    asked: Question,
    parameters: Mapping[str, Any],
    number: int,
    complaints: Sequence[str],
    keep: Callable[[str], None],
) -> tuple[Verdict | None, tuple[str, ...]]:
    """One answer of the model, or why there is none; ``keep`` gets what came, whatever it is."""
    send = partial(chat.ask, "the diagnosis", parameters, asked.messages(complaints))
    try:
        raw = send(
            schema=Verdict.model_json_schema(),
            name="diagnosis",
            seed=parameters["seed"] + number - 1,
            user=f"proofgrid-diagnosis-a{number}",
        )
    except NoAnswer as none:
        keep(none.raw.decode(errors="replace"))
        return None, (none.reason,)
    keep(raw.decode(errors="replace"))
    try:
        return accepted(chat_completion.content(raw), asked)
    except FormatError as wrong:
        return None, (str(wrong),)
