"""Files with a wrong value at any place are read or refused in words, whatever the format."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from store.formats import FORMATS, FormatError, recognise
from store.pages import PageSize

PAGE = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")
EXAMPLES = {
    name: json.loads(found[1])
    for name in FORMATS
    if (found := re.match(r"[^`]*```json\n(.*?)^```", PAGE.split(f"\n### {name}\n")[-1], re.MULTILINE | re.DOTALL))
}
WILD: list[Any] = [
    *(None, True, 0, -1, 2, 0.5, 1e308, float("nan"), float("inf"), 10**9, 10**30, "9" * 5000),
    *("", "x", "NaN", "-3", "<table><tr><td colspan=99999 rowspan=99999>a", "| a | b |\n|---|\n| 1 |"),
    *([], {}, [[]], [{}], [None], ["x"], {"a": 1}, [1, 2, 3]),
]


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Each object or list inside a value with each of its keys."""
    if isinstance(value, dict | list):
        for key, child in list(value.items() if isinstance(value, dict) else enumerate(value)):
            yield value, key
            yield from places(child)


def damaged(value: Any, chance: random.Random) -> bytes:
    """A value with one to three parts replaced by others, or left out."""
    value = deepcopy(value)
    for _ in range(chance.randint(1, 3)):
        found = list(places(value))
        if not found:
            break
        inside, key = chance.choice(found)
        other, name = chance.choice(found)
        match chance.randrange(4):
            case 0:
                del inside[key]
            case 1:
                inside[key] = deepcopy(other[name])
            case _:
                inside[key] = deepcopy(chance.choice(WILD))
    return json.dumps(value).encode()


def read_or_refused(raw: bytes, name: str, format_name: str) -> None:
    with suppress(FormatError):
        for table in FORMATS[format_name].read(raw, name=name, pages=(PageSize(1, 600, 800),)).tables:
            assert all(table.remarks)


@pytest.mark.parametrize("format_name", EXAMPLES)
def test_a_wrong_value_at_any_place_is_read_or_refused(format_name: str) -> None:
    chance = random.Random(format_name)
    for _ in range(300):
        raw = damaged(EXAMPLES[format_name], chance)
        for module in FORMATS.values():
            module.sniff(raw, "a.json")
        read_or_refused(raw, "a.json", format_name)


@pytest.mark.corpus
@pytest.mark.parametrize("folder", ["aws-textract", "azure", "google-docai", "llamaparse", "json-records"])
def test_a_sample_with_a_wrong_value_is_read_or_refused(folder: str, corpus_file: Callable[[str], Path]) -> None:
    chance = random.Random(folder)
    for path in sorted(corpus_file(f"formats/{folder}").glob("*.json")):
        raw = path.read_bytes()
        format_name = recognise(raw, path.name)
        value = shortened(json.loads(raw))
        for _ in range(100):
            read_or_refused(damaged(value, chance), path.name, format_name)


def shortened(value: Any) -> Any:
    """The value with the first entries of its lists only, so that most damage is to what counts."""
    if isinstance(value, dict):
        return {key: shortened(child) for key, child in value.items()}
    return [shortened(child) for child in value[:6]] if isinstance(value, list) else value


@pytest.mark.parametrize(("name", "message"), [("a.xlsx", "workbook"), ("a.parquet", "Parquet file is damaged")])
def test_a_workbook_or_a_data_set_that_is_cut_off_is_told_as_such(name: str, message: str) -> None:
    raw = b"PK\x03\x04\x14\x00\x06" + b"x" * 50 if name == "a.xlsx" else b"PAX1" + b"x" * 50
    with pytest.raises(FormatError, match=message):
        FORMATS[recognise(raw, name)].read(raw, name=name, pages=())
