"""Looks into parsed JSON: each returns a value of the shape asked for, or says by its pointer what stands there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import inf, isfinite
from typing import Any

from scoring.table import (
    LARGEST_COL_SPAN,
    LARGEST_ROW_SPAN,
    Box,
    Cell,
    Confidence,
    ConfidenceKind,
    ConfidenceUnit,
    TableError,
)
from store.formats import json_text
from store.formats.contract import FormatError

_SNAKE = re.compile(r"(?<=[a-z0-9])_([a-z])")

Path = tuple[str | int, ...]


def wrong(path: Path, found: object, expected: str) -> FormatError:
    """The error to raise for what stands at a path."""
    return FormatError(f"{json_text.pointer(path)}: {_shown(found)}, expected {expected}")


def _shown(found: object) -> str:
    match found:
        case list() | tuple():
            return f"a list of {len(found)}"
        case Mapping():
            return f"an object of {len(found)} keys"
        case str():
            return repr(str(found[:40]))
        case _:
            return json_text.text_of(found) or "nothing"


def camel(value: Any) -> Any:
    """The same value with all keys as REST interfaces spell them; some Python libraries write page_number."""
    if isinstance(value, dict):
        return {_SNAKE.sub(lambda found: found[1].upper(), key): camel(child) for key, child in value.items()}
    return [camel(child) for child in value] if isinstance(value, list) else value


def objects(entry: Mapping[str, Any], key: str, path: Path) -> Iterator[tuple[Mapping[str, Any], Path]]:
    """The objects of a list and the path to each; an absent list is empty. Raises FormatError for anything else."""
    return listed(entries(entry, key, path), (*path, key))


def listed(found: Sequence[Any], path: Path) -> Iterator[tuple[Mapping[str, Any], Path]]:
    """The objects of a list at a path and the path to each. Raises FormatError for an entry that is none."""
    for index, child in enumerate(found):
        if not isinstance(child, Mapping):
            raise wrong((*path, index), child, "an object")
        yield child, (*path, index)


def entries(entry: Mapping[str, Any], key: str, path: Path) -> Sequence[Any]:
    """A list of anything; an absent one is empty. Raises FormatError for anything else."""
    found = entry.get(key) or ()
    if not isinstance(found, list | tuple):
        raise wrong((*path, key), found, "a list")
    return found


def inner(entry: Mapping[str, Any], key: str, path: Path) -> Mapping[str, Any]:
    """An object; an absent one is empty. Raises FormatError for anything else."""
    found = entry.get(key) or {}
    if not isinstance(found, Mapping):
        raise wrong((*path, key), found, "an object")
    return found


def whole(entry: Mapping[str, Any], key: str, path: Path, *, default: int | None = None, least: int = 0) -> int:
    """A whole number; absent and null are the default. Raises FormatError for anything else, and below ``least``."""
    value = entry.get(key)
    if value is None and default is not None:
        return default
    try:
        found = least - 1 if isinstance(value, bool) else int(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        # Some programs write 3.0 for 3.
        share = number(value)
        found = int(share) if share is not None and share.is_integer() else least - 1
    if found < least:
        raise wrong((*path, key), value, f"a whole number from {least} on")
    return found


def number(received: object) -> float | None:
    """A finite number, also one that is written as a text; None for anything else."""
    if isinstance(received, bool) or not isinstance(received, str | int | float):
        return None
    try:
        value = float(received)
    except (ValueError, OverflowError):
        return None
    return value if isfinite(value) else None


def fraction(received: object, *, scale: float = 1.0) -> float | None:
    """A number from 0 to ``scale`` as one from 0 to 1; None for anything else."""
    value = number(received)
    return value / scale if value is not None and 0.0 <= value <= scale else None


def text(entry: Mapping[str, Any], key: str) -> str:
    """A text, or a number as it is printed; "" for anything else."""
    found = entry.get(key)
    return found if isinstance(found, str) else json_text.text_of(found) if isinstance(found, int | float) else ""


def around(page: int, points: Iterable[tuple[object, object]]) -> Box | None:
    """The upright rectangle round points that are fractions of the page; None without points, or with a wild one."""
    x0 = y0 = inf
    x1 = y1 = -inf
    for across, down in points:
        x, y = number(across), number(down)
        if x is None or y is None:
            return None
        x0, y0, x1, y1 = min(x0, x), min(y0, y), max(x1, x), max(y1, y)
    try:
        return Box(page, *(round(side, 6) for side in (x0, y0, x1, y1)))
    except TableError:
        return None


def confidence(
    received: object, kind: ConfidenceKind, unit: ConfidenceUnit, source: str, *, scale: float = 1.0
) -> tuple[Confidence, ...]:
    """What was received as one confidence: none where nothing was, without a value where it is off the scale."""
    if not isinstance(received, str | int | float) or received == "":
        return ()
    return (Confidence(fraction(received, scale=scale), kind, unit, source, json_text.text_of(received)),)


def lowest(found: Iterable[Confidence]) -> tuple[Confidence, ...]:
    """The least certain of several, which speaks for them all; its source tells of how many. None of none."""
    given = list(found)
    if len(given) < 2:
        return tuple(given)
    least = min(given, key=lambda entry: inf if entry.value is None else entry.value)
    return (Confidence(least.value, least.kind, least.unit, f"{least.source}, lowest of {len(given)}", least.raw),)


def cell(path: Path, **parts: Any) -> Cell:
    """The cell of these parts; raises FormatError with the path where there cannot be such a cell.

    A span beyond all measure is the longest there can be: where the table ends, it is cut off and told.
    """
    for key, longest in (("row_span", LARGEST_ROW_SPAN), ("col_span", LARGEST_COL_SPAN)):
        if parts.get(key, 1) > longest:
            parts[key] = longest
    try:
        return Cell(**parts)
    except TableError as cause:
        raise FormatError(f"{json_text.pointer(path)}: {cause}") from None


def rectangle(
    received: object, keys: Sequence[str], page: int, *, size: tuple[float, float] = (1.0, 1.0)
) -> Box | None:
    """The box of an object with left, top, width and height under these keys, on a page of this size.

    None where a number is missing or wild, or a side is negative.
    """
    if not isinstance(received, Mapping) or page < 1:
        return None
    left, top, width, height = (number(received.get(key)) for key in keys)
    if left is None or top is None or width is None or height is None or width < 0 or height < 0:
        return None
    return around(page, [(left / size[0], top / size[1]), ((left + width) / size[0], (top + height) / size[1])])
