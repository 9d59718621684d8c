"""A deterministic parser of "Label: value" lines, for trying out a benchmark and not for reading documents."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from typing import Any

from scoring.schema import TableType
from scoring.text import fold
from store.extractors.contract import Answer, ExtractorError, Identity, Job, expect_known
from store.extractors.page_layout import text_lines
from store.pages import words

IN_WORKER = False
VERSION = "1"
# Real extractors take their time: a harness that only ever met instant ones would not have measured any.
WAIT_MS = 120
_DEFAULTS = {"wait_ms": WAIT_MS, "planted": False, "attempts": 1}


def settled(given: Mapping[str, Any], table_types: Sequence[TableType]) -> Mapping[str, Any]:
    """The wait per document in milliseconds, and whether errors are planted; see ``extract``."""
    if not any(kind.form for kind in table_types):
        raise ExtractorError("extractor mock reads the fields of forms, expected a table type that is a form")
    return expect_known("mock", given, _DEFAULTS)


def identity(parameters: Mapping[str, Any]) -> Identity:
    """Always the same."""
    return Identity("mock", VERSION)


def extract(job: Job) -> Answer:
    """The values behind the labels of the fields of each form, as JSON records.

    With ``planted`` the first value of some documents has lost its last character, see ``is_planted``.
    """
    time.sleep(job.parameters["wait_ms"] / 1000)
    lines: dict[str, str] = {}
    for page in job.pages:
        job.page(page.number)
        for line in text_lines(words(job.file, page.number)):
            label, colon, value = " ".join(word.text for word in line).partition(":")
            if colon:
                lines.setdefault(fold(label), value.strip())
    forms = {
        kind.name: {
            column.name: next((lines[fold(name)] for name in column.names if fold(name) in lines), None)
            for column in kind.columns
        }
        for kind in job.table_types
        if kind.form
    }
    if job.parameters["planted"] and is_planted(job.name):
        fields = next(iter(forms.values()))
        name = next(iter(fields))
        fields[name] = (fields[name] or "")[:-1]
    return Answer(json.dumps(forms, ensure_ascii=False, indent=1).encode(), "json-records")


def complaints(raw: bytes, job: Job) -> tuple[str, ...]:
    """Nothing: what a document does not print is not missing."""
    return ()


def is_planted(name: str) -> bool:
    """Whether an error is planted in the answer for a document of this name: where it ends in 3, 6 or 9."""
    return name.rsplit(".", 1)[0][-1:] in ("3", "6", "9")
