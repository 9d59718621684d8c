"""JSON Lines of answers: each line is what an extractor returned for the document that it names; one line at a time."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scoring.reading.json_value import json_value
from store.formats import FormatError, json_text
from store.matching import HASH_KEYS, NAME_KEYS, Named, named_in

LINES = (".jsonl", ".ndjson")
# In bytes. A longer line is passed over: what is read at once has to fit into the memory many times.
LONGEST_LINE = 256_000_000
_LONGEST_HEAD = 16_000_000
# Under these keys stands the answer itself, where a line says other things beside it.
_ANSWERS = ("answer", "result", "response", "output", "extraction", "prediction", "data", "analyzeResult")


@dataclass(frozen=True)
class Answer:
    """One line: its number, its bytes as they stand in the file, the document it names, and the answer in it."""

    line: int
    raw: bytes
    named: Named
    body: bytes


def is_answers(path: Path) -> bool:
    """Whether each line of a file is an answer of its own: the first two lines are looked at.

    They are JSON objects, and each names a document. Flat lines that name the same document are the rows of one
    table of it, and no answers; a single line counts where the file is named as JSON Lines are. Raises OSError.
    """
    with path.open("rb") as file:
        lines = [file.readline(_LONGEST_HEAD) for _ in range(2)]
    if not lines[0].lstrip().startswith(b"{"):
        return False
    try:
        values = [json_value(line) for line in lines if line.strip()]
    except ValueError:
        return False
    named = [named_in(value) for value in values]
    if not all(named) or '"proofgrid"' in lines[0][:200].decode(errors="replace"):
        return False
    flat = not any(isinstance(part, dict | list) for value in values for part in value.values())
    if len(values) == 1:
        return path.suffix.lower() in LINES
    return not (flat and named[0] == named[1])


def answers(path: Path) -> Iterator[Answer | FormatError]:
    """The answers of a file in order, or what is wrong with a line, with its number; blank lines are none.

    Only one line is in the memory at a time. Raises OSError.
    """
    with path.open("rb") as file:
        number = 0
        while raw := file.readline(LONGEST_LINE):
            number += 1
            if len(raw) == LONGEST_LINE and not raw.endswith(b"\n"):
                while (rest := file.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
                    pass
                yield FormatError(f"line {number}: longer than {LONGEST_LINE / 1e6:,.0f} MB")
            elif raw.strip():
                yield _answer(number, raw.rstrip(b"\r\n"))


def _answer(number: int, raw: bytes) -> Answer | FormatError:
    try:
        value, _ = json_text.load(raw)
    except FormatError as wrong:
        # The place in the line stands in the message; the line itself is ours to tell.
        return FormatError(f"line {number}: {str(wrong).removeprefix('line 1, ')}")
    named = named_in(value)
    if not named:
        return FormatError(f"line {number}: names no document, expected one of the keys {', '.join(NAME_KEYS[:4])} ...")
    rest = {key: part for key, part in value.items() if key not in (*NAME_KEYS, *HASH_KEYS)}
    answer = next((rest[key] for key in _ANSWERS if isinstance(rest.get(key), dict | list)), rest)
    if len(rest) == 1 and isinstance(only := next(iter(rest.values())), dict | list):
        answer = only if isinstance(only, dict) else rest
    return Answer(number, raw, named, written(answer).encode())


def rows_by_document(value: Any) -> list[tuple[Named, Mapping[str, Any]]]:
    """The flat objects of a list with the document that each names; none unless all do, and of more than one.

    They are rows of the tables of these documents, told apart by what they name.
    """
    if not isinstance(value, list) or not all(isinstance(row, Mapping) for row in value):
        return []
    if any(isinstance(part, dict | list) for row in value for part in row.values()):
        return []
    named = [named_in(row) for row in value]
    if not all(named) or len(set(named)) < 2:
        return []
    return [
        (said, {key: part for key, part in row.items() if key not in (*NAME_KEYS, *HASH_KEYS)})
        for said, row in zip(named, value, strict=True)
    ]


def written(value: Any) -> str:
    """JSON text with each number by its literal, so that 16.620 stays 16.620."""
    if isinstance(value, json_text.Number):
        return str(value)
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{json.dumps(key)}:{written(part)}" for key, part in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(written, value)) + "]"
    return json.dumps(value)
