"""What all answers of Amazon Textract share: the parts of a job and its state, boxes and confidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scoring.table import Box, Confidence, ConfidenceKind, ConfidenceUnit
from store.formats import json_shape, json_text
from store.formats.contract import some
from store.formats.json_shape import Path, entries, objects

_FINISHED = ("", "SUCCEEDED", "PARTIAL_SUCCESS")
_SIDES = ("Left", "Top", "Width", "Height")

Answers = Sequence[tuple[Mapping[str, Any], Path]]


def answers_in(raw: bytes, key: str) -> tuple[Answers, list[str]]:
    """The answers of a file and the path to each, and notes: one answer, or a list of the parts of a job.

    Raises FormatError where one is not finished, or has nothing under ``key``.
    """
    value, notes = json_text.load(raw, lines=True)
    answers = [(part, (at,)) for at, part in enumerate(value)] if isinstance(value, list) else [(value, ())]
    doubts = list(notes)
    for answer, path in answers:
        if not isinstance(answer, Mapping):
            raise json_shape.wrong(path, answer, f"an answer of Textract with {key}")
        state = json_shape.text(answer, "JobStatus")
        if state not in _FINISHED:
            raise json_shape.wrong((*path, "JobStatus"), state, "a job that SUCCEEDED: get its answer again")
        if key not in answer:
            raise json_shape.wrong(path, ", ".join(answer), f"{key} among the keys")
        if state == "PARTIAL_SUCCESS":
            doubts.append("the job succeeded in part only")
        warnings = list(objects(answer, "Warnings", path))
        failed = [page for warning, where in warnings for page in entries(warning, "Pages", where)]
        if failed:
            doubts.append(f"Textract could not analyse {some('page', failed)}")
    if answers and json_shape.text(answers[-1][0], "NextToken"):
        doubts.append("the last answer has a NextToken: the job has more parts, which are not in this file")
    return answers, doubts


def is_answer(value: Any, key: str, *, entry: str) -> bool:
    """Whether parsed JSON is an answer, or a list of them, with this key and entries that have the other one."""
    answers = value if isinstance(value, list) else [value]
    return bool(answers) and all(_has(answer, key, entry) for answer in answers)


def _has(answer: Any, key: str, entry: str) -> bool:
    found = answer.get(key) if isinstance(answer, dict) else None
    if isinstance(found, list) and found:
        return isinstance(found[0], dict) and entry in found[0]
    return found == [] and "DocumentMetadata" in answer


def version(answers: Answers, key: str) -> str:
    """The version of the model, "" where no answer tells it."""
    return next((told for answer, _ in answers if (told := json_shape.text(answer, key))), "")


def box(entry: Mapping[str, Any], page: int) -> Box | None:
    """The upright box of a block or a detection; Textract gives it in fractions of the page as it was sent."""
    geometry = entry.get("Geometry")
    return json_shape.rectangle(geometry.get("BoundingBox"), _SIDES, page) if isinstance(geometry, Mapping) else None


def said(entry: Mapping[str, Any], kind: ConfidenceKind, unit: ConfidenceUnit, source: str) -> tuple[Confidence, ...]:
    """The confidence of a block or a detection, which runs to 100."""
    return json_shape.confidence(entry.get("Confidence"), kind, unit, source, scale=100.0)
