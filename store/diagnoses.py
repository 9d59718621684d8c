"""Diagnoses: the cause of a table's errors as a language model sees it, kept beside that of the rules."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlite_utils import Database

from scoring import SCORING_VERSION
from scoring.diagnosis.causes import CauseLabel
from store.comparison import Comparison
from store.db import Db, insert, now, row
from store.rights import expect_right

# Raised with every change of the words that a model is asked by: answers depend on them.
PROMPT_VERSION = "1"


@dataclass(frozen=True)
class Diagnosis:
    """The cause of a table's errors as a model sees it, beside that of the rules.

    ``cause`` is that of the model; where none of its answers could be taken, that of the rules, ``agrees`` is
    None and ``refused`` says why. ``evidence`` are ids of differences, d1 being the first one.
    """

    cause: CauseLabel
    by_rules: CauseLabel
    agrees: bool | None
    confidence: float | None
    evidence: tuple[str, ...]
    explanation: str
    model: str
    attempts: int
    refused: str

    def to_json(self) -> dict[str, Any]:
        """A plain mapping."""
        return {
            "cause": self.cause,
            "by_rules": self.by_rules,
            "agrees": self.agrees,
            "confidence": self.confidence,
            "evidence": list(self.evidence),
            "explanation": self.explanation,
            "model": self.model,
            "attempts": self.attempts,
            "refused": self.refused,
        }


def diagnosis(reader: Database, comparison: Comparison, *, model: str | None = None) -> Diagnosis | None:
    """The last diagnosis of a table in its present state, of any model or of one; None without one."""
    kept = row(
        reader,
        "select * from diagnosis where gold = ? and state = ? and (model = ? or ? is null) order by id desc",
        (comparison.gold.id, _state_of(comparison), model, model),
    )
    return None if kept is None else _diagnosis(kept)


def diagnoses(reader: Database) -> dict[tuple[int, str], Diagnosis]:
    """The last diagnosis of any model, by gold table and ``state``."""
    rows = reader.query("select * from diagnosis order by id")
    return {(entry["gold"], entry["state"]): _diagnosis(entry) for entry in rows}


def state(revision: int, first: int | None) -> str:
    """What a diagnosis follows from, but for the model: gold as it is, the extracted table, the rules, the words."""
    return json.dumps([revision, first, SCORING_VERSION, PROMPT_VERSION])


def _diagnosis(kept: Mapping[str, Any]) -> Diagnosis:
    return Diagnosis(
        kept["cause"],
        kept["by_rules"],
        None if kept["agrees"] is None else bool(kept["agrees"]),
        kept["confidence"],
        tuple(json.loads(kept["evidence"])),
        kept["explanation"],
        kept["model"],
        kept["attempts"],
        kept["refused"],
    )


def add_diagnosis(
    db: Db,
    comparison: Comparison,
    made: Diagnosis,
    *,
    parameters: Mapping[str, Any],
    answers: Sequence[str],
    person: str,
) -> None:
    """Keep a diagnosis for good, with the answers as they came."""
    with db.write() as writer:
        expect_right(writer, person, "import")
        insert(
            writer,
            "diagnosis",
            {
                **made.to_json(),
                "evidence": json.dumps(made.evidence),
                "gold": comparison.gold.id,
                "state": _state_of(comparison),
                "parameters": json.dumps(dict(parameters)),
                "answers": json.dumps(list(answers), ensure_ascii=False),
                "made_at": now(),
                "made_by": person,
            },
        )


def _state_of(comparison: Comparison) -> str:
    return state(comparison.revision, comparison.first.id if comparison.first else None)
