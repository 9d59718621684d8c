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
        (comparison.gold.id, _state(comparison), model, model),
    )
    if kept is None:
        return None
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
        insert(
            writer,
            "diagnosis",
            {
                **made.to_json(),
                "evidence": json.dumps(made.evidence),
                "gold": comparison.gold.id,
                "state": _state(comparison),
                "parameters": json.dumps(dict(parameters)),
                "answers": json.dumps(list(answers), ensure_ascii=False),
                "made_at": now(),
                "made_by": person,
            },
        )


def _state(comparison: Comparison) -> str:
    """What a diagnosis follows from, but for the model: gold as it is, what was extracted, the rules, the words."""
    first = comparison.first and comparison.first.id
    return json.dumps([comparison.revision, first, SCORING_VERSION, PROMPT_VERSION])
