"""JSON text to values: numbers as they are printed, and errors that name line and column."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any

from scoring.reading.json_value import json_value
from store.formats.charset import decode
from store.formats.contract import FormatError

_FENCE = re.compile(r"\A\s*```[a-zA-Z]*[ \t]*\n(.*?)\n?[ \t]*```\s*\Z", re.DOTALL)
# The C decoder recurses; what is deeper than this is no extraction.
_DEEPEST = 200
_SURROGATE = re.compile(r"\\u[dD]")
# So many literals are remembered while numbers are read: enough for a table, too few to weigh anything.
_NEAR = 10_000
LONE_SURROGATES = "halves of characters (lone surrogates) were replaced by \N{REPLACEMENT CHARACTER}"


class Number(str):
    """A JSON number by its literal, so that 16.620 stays 16.620."""

    __slots__ = ()


def looks_like(raw: bytes) -> bool:
    """Whether the text begins as a JSON object or list does, perhaps inside a Markdown fence."""
    try:
        head, _ = decode(raw[:4000] if len(raw) > 4000 else raw)
    except FormatError:
        return False
    head = head.lstrip()
    if head.startswith("```"):
        head = head.partition("\n")[2].lstrip()
    return head[:1] == "{" or bool(re.match(r'\[\s*([\[{"\]0-9tfn-]|\Z)', head))


def peeked(raw: bytes) -> Any:
    """The value of JSON, for a format to look whether it is its own; None where the bytes are no JSON.

    Not to be changed: ``load`` returns the same value.
    """
    if not looks_like(raw):
        return None
    try:
        return _parsed(raw, True)[0]
    except FormatError:
        return None


def load(raw: bytes, *, lines: bool = False, verbatim: bool = True) -> tuple[Any, tuple[str, ...]]:
    """The value and notes about what was repaired; numbers are ``Number`` if ``verbatim``, else plain.

    With ``lines``, a file of one value per line (JSON Lines) is the list of them. The value is kept
    for the next call with the same bytes, and not to be changed.
    Raises FormatError naming line and column where the text is not JSON or is cut off.
    """
    value, notes, excess = _parsed(raw, verbatim)
    if excess and not lines:
        raise FormatError(excess)
    return value, notes


def unfenced(raw: bytes) -> bytes:
    """UTF-8 text without a Markdown fence round it."""
    found = _FENCE.match(raw.decode(errors="replace"))
    return found.group(1).encode() if found else raw


# Each format is asked whether a file is its own: the one file in hand is parsed once for all of them.
@lru_cache(maxsize=1)
def _parsed(raw: bytes, verbatim: bool) -> tuple[Any, tuple[str, ...], str]:
    """The value, notes, and, if the file holds a value per line, what is wrong with that where one is expected."""
    text, notes = decode(raw)
    if fenced := _FENCE.match(text):
        # Blank lines in place of what came before keep the line numbers of messages right.
        text = "\n" * text[: fenced.start(1)].count("\n") + fenced.group(1)
        notes = (*notes, "the Markdown fence round the JSON was taken off")
    if not text.strip():
        raise FormatError("the file is empty, expected JSON")
    repeated: list[str] = []

    def pairs(entries: Iterable[tuple[str, Any]]) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for key, value in entries:
            if key in values:
                repeated.append(key)
            values[key] = value
        return values

    number = _numbers() if verbatim else None

    def parsed(part: str) -> Any:
        try:
            return json_value(
                part, parse_float=number, parse_int=number, parse_constant=number, object_pairs_hook=pairs
            )
        except json.JSONDecodeError:
            raise
        except ValueError as wrong:  # too deep, or a number of thousands of digits
            raise FormatError(f"the JSON cannot be read: {wrong}") from None

    excess = ""
    try:
        value = parsed(text)
    except json.JSONDecodeError as wrong:
        parts = [part for part in text.splitlines() if part.strip()]
        if not (wrong.msg.startswith("Extra data") and all(part.lstrip()[:1] in "{[" for part in parts)):
            raise FormatError(_explained(text, wrong)) from None
        value, excess = _each_line(text, parsed), _explained(text, wrong)
    if _deeper_than(value, _DEEPEST):
        raise FormatError(f"the JSON is nested more than {_DEEPEST} levels deep, which no extraction is")
    if _SURROGATE.search(text):
        value, halves = _mended(value)
        if halves:
            notes = (*notes, LONE_SURROGATES)
    if repeated:
        keys = ", ".join(repr(key) for key in dict.fromkeys(repeated))
        notes = (*notes, f"key {keys} stands more than once in one object: the last value was kept")
    return value, notes, excess


def _numbers() -> Callable[[str], Number]:
    """Makes numbers of literals; one that was met a short while ago is the same object, as corners repeat their box."""
    near: dict[str, Number] = {}

    def number(literal: str) -> Number:
        found = near.get(literal)
        if found is None:
            if len(near) >= _NEAR:
                near.clear()
            found = near[literal] = Number(literal)
        return found

    return number


def _mended(value: Any) -> tuple[Any, bool]:
    """The value without lone surrogates, which no text may hold, and whether there were any."""
    match value:
        case str():
            whole = value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
            return (value, False) if whole == value else (whole, True)
        case list():
            parts = [_mended(part) for part in value]
            return [part for part, _ in parts], any(found for _, found in parts)
        case dict():
            pairs = [(_mended(key), _mended(part)) for key, part in value.items()]
            return {key: part for (key, _), (part, _) in pairs}, any(k or v for (_, k), (_, v) in pairs)
        case _:
            return value, False


def pointer(path: Iterable[str | int]) -> str:
    """The JSON pointer (RFC 6901) of a path; "/" for the whole document."""
    return "/" + "/".join(str(part).replace("~", "~0").replace("/", "~1") for part in path)


def text_of(value: Any) -> str:
    """A scalar as the file prints it: a text as it is, null as ""."""
    if value is None:
        return ""
    if value is True or value is False:
        return "true" if value else "false"
    return str(value)


def _each_line(text: str, parsed: Callable[[str], Any]) -> list[Any]:
    values = []
    for number, part in enumerate(text.splitlines(), start=1):
        if part.strip():
            try:
                values.append(parsed(part))
            except json.JSONDecodeError as wrong:
                raise FormatError(f"line {number}, column {wrong.colno}: not JSON ({wrong.msg})") from None
    return values


def _explained(text: str, wrong: json.JSONDecodeError) -> str:
    where = f"line {wrong.lineno}, column {wrong.colno}"
    if wrong.msg.startswith("Extra data"):
        return f"{where}: more text follows after the end of the JSON; expected one JSON value in a file"
    if not text[wrong.pos :].strip() or wrong.msg.startswith("Unterminated string"):
        return f"{where}: the JSON ends too early ({wrong.msg}); the file is cut off, get it again"
    return f"{where}: not JSON ({wrong.msg}), found {text[wrong.pos : wrong.pos + 20]!r}"


def _deeper_than(value: Any, deepest: int) -> bool:
    level = [value]
    for _ in range(deepest):
        below: list[Any] = []
        for entry in level:
            if isinstance(entry, Mapping):
                below += (child for child in entry.values() if isinstance(child, dict | list))
            elif isinstance(entry, list):
                below += (child for child in entry if isinstance(child, dict | list))
        if not below:
            return False
        level = below
    return True
