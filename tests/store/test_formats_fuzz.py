"""Damaged files of every format: read or refused in words, never anything else.

PROOFGRID_FUZZ=5000 tries so many changes of each example and sample; without it there are a few hundred.
"""

from __future__ import annotations

import io
import json
import os
import random
import re
import zipfile
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from store.formats import FORMATS, FormatError, recognise
from store.pages import PageSize
from tests.test_docs import example

CHANGES = int(os.environ.get("PROOFGRID_FUZZ", "0"))
# Without that: so many of an example, and of a sample as many as its size allows.
OF_EXAMPLE, MOST_OF_SAMPLE, BYTES_OF_SAMPLE = 120, 20, 600_000
WILD: list[Any] = [
    *(float("nan"), float("inf"), -1, 0, 1, 1e308, -1e308, 10**30, 10**9, 2**31, 0.5, True, False, None),
    *("", "x", "NaN", "1e999", "-1", "999999999999", "<table><tr><td>", "\x00", "\ud800", "٣", "²"),
    *([], {}, [[]], [None], {"a": {}}, [1, 2, 3, 4], ["x"] * 5),
]
WILD_TEXT = ["-1", "99999999999999", "NaN", "", "<", ">", '"', "1e308", "&#0;", "\x00", "<table>", "</tr>", "²"]
PAGES = [(), (PageSize(1, 612, 792),)]


def places(value: Any) -> list[tuple[Any, Any]]:
    """Each container and key in it, down to the leaves."""
    found: list[tuple[Any, Any]] = []
    stack = [value]
    while stack:
        holder = stack.pop()
        keys = list(holder) if isinstance(holder, dict) else range(len(holder))
        for key in keys:
            found.append((holder, key))
            if isinstance(holder[key], dict | list):
                stack.append(holder[key])
    return found


def change_json(value: Any, chance: random.Random) -> None:
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        found = places(value)
        if not found:
            return
        holder, key = chance.choice(found)
        other, other_key = chance.choice(found)
        match chance.randrange(6):
            case 0:
                del holder[key]
            case 1 if isinstance(holder, list):
                holder.insert(key, holder[key])
            case 2:
                with suppress(KeyError, IndexError):
                    holder[key], other[other_key] = other[other_key], holder[key]
                return  # a value may hold itself now
            case _:
                holder[key] = deepcopy(chance.choice(WILD))


def written(value: Any) -> bytes | None:
    try:
        return json.dumps(value).encode()
    except (ValueError, RecursionError):  # it holds itself
        return None


def change_bytes(raw: bytes, chance: random.Random) -> bytes:
    at, width = chance.randrange(len(raw) + 1), chance.choice((1, 2, 10, 100, 1000))
    match chance.randrange(6):
        case 0:
            return raw[:at]
        case 1:
            return raw[:at] + bytes(chance.randrange(256) for _ in range(min(width, 10))) + raw[at + width :]
        case 2:
            return raw[:at] + raw[at + width :]
        case 3:
            return raw[:at] + raw[at : at + width] * 2 + raw[at + width :]
        case 4:
            return raw[at:] + raw[:at]
        case _:
            numbers = list(re.finditer(rb"\d+", raw))
            if not numbers:
                return raw[:at]
            hit = chance.choice(numbers)
            return raw[: hit.start()] + chance.choice(WILD_TEXT).encode() + raw[hit.end() :]


def change_zip(raw: bytes, chance: random.Random) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(raw)) as old, zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as new:
        names = [name for name in old.namelist() if old.getinfo(name).file_size < 100_000]
        hit = chance.choice(names)
        for name in old.namelist():
            part = old.read(name)
            new.writestr(name, change_bytes(part, chance) if name == hit else part)
    return held.getvalue()


def damaged(raw: bytes, chance: random.Random) -> bytes:
    """The file with something in it changed: half of the time in the way of its kind."""
    if chance.randrange(2):
        if raw.startswith(b"PK"):
            return change_zip(raw, chance)
        with suppress(ValueError):
            value = json.loads(raw)
            change_json(value, chance)
            changed = written(value)
            return raw[: len(raw) // 2] if changed is None else changed
    return change_bytes(raw, chance)


def try_out(name: str, raw: bytes, count: int, file: str) -> None:
    for seed in range(count):
        chance = random.Random(f"{name} {file} {seed}")
        changed = damaged(raw, chance)
        try:
            with suppress(FormatError):
                recognise(changed, file)
            with suppress(FormatError):
                FORMATS[name].read(changed, name=file, pages=PAGES[seed % 2])
        except Exception as cause:
            raise AssertionError(f"{name}: change {seed} of {file}, which is {changed[:2000]!r}") from cause


@pytest.mark.parametrize("name", FORMATS)
def test_damaged_examples_are_read_or_refused_in_words(name: str) -> None:
    file = "order.csv" if name == "csv" else "order"
    try_out(name, example(name), CHANGES or OF_EXAMPLE, file)


@pytest.mark.corpus
@pytest.mark.parametrize("name", FORMATS)
def test_damaged_samples_are_read_or_refused_in_words(name: str, corpus_file: Callable[[str], Path]) -> None:
    for path in sorted(corpus_file("formats").glob("*/*")):
        if path.suffix not in {".json", ".jsonl", ".xml", ".html", ".md", ".txt", ".csv", ".xlsx"}:
            continue
        raw = path.read_bytes()
        with suppress(FormatError):
            if recognise(raw, path.name) == name:
                most, size = (CHANGES, 100 * BYTES_OF_SAMPLE) if CHANGES else (MOST_OF_SAMPLE, BYTES_OF_SAMPLE)
                try_out(name, raw, min(most, size // len(raw)), path.name)
