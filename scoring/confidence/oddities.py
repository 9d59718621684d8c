"""Values of a column that look unlike the others: rare pattern, odd length or characters, look-alikes, repeats."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, Literal

from scoring.values.columns import Column
from scoring.values.reader import read

OddityKind = Literal["look-alike", "characters", "pattern", "repeat", "length"]

# Chances by judgement, as those of scoring.confidence.
RISKS: dict[OddityKind, float] = {
    "look-alike": 0.6,
    "characters": 0.4,
    "pattern": 0.3,
    "repeat": 0.25,
    "length": 0.2,
}
# Of fewer values nothing can be called rare.
LEAST_VALUES = 12
LEAST_COMMON = 3
RARE, COMMON, COVERED = 0.02, 0.05, 0.8
# A value counts as repeated by slip only where most rows of its table differ from the row above.
MOST_REPEATS = 0.2
FARTHEST_LENGTH = 4.0
# Letters that print takes the place of digits for; a few more would call units and codes odd.
# What parts the thousands of a number; a point does where a decimal comma follows.
_GROUPS = re.compile(r"(?<=\d)(?:[,'’\u00a0\u202f ]|\.(?=[\d.]*,))(?=\d{3}(?!\d))")
# What may stand in any number.
_OF_NUMBERS = frozenset("9.,-+()'’")
_NUMBER_LIKE = re.compile(r"(?:[^\W_]|\|)+(?:[.,](?:[^\W_]|\|)+)*")
DIGIT_FOR = str.maketrans({"O": "0", "o": "0", "I": "1", "l": "1", "|": "1", "S": "5", "s": "5", "B": "8", "Z": "2"})


@dataclass(frozen=True, slots=True)
class Oddity:
    """What is odd about a value: the kind, the reason in words, and the chance 0..1 that it is wrong for it."""

    kind: OddityKind
    reason: str
    risk: float


def pattern(text: str) -> str:
    """The text with A for letters in a row and 9 for each digit; the digits that it begins with are one 9.

    So 9.50, 120.00 and 1,150.00 are 9.99, -3.25 is -9.99, and BF-02058 is A-99999.
    """
    made: list[str] = []
    leading = True
    for sign in _GROUPS.sub("", " ".join(text.split())):
        if sign.isalpha() or unicodedata.category(sign).startswith("M"):
            if not (made and made[-1] == "A"):
                made.append("A")
            leading = False
        elif sign.isdigit():
            if not (leading and made and made[-1] == "9"):
                made.append("9")
        else:
            leading = leading and not (made and made[-1] == "9")
            made.append(sign)
    return "".join(made)


@dataclass(frozen=True)
class Tally:
    """How many values have each pattern, kind of characters, and length; tallies of parts of a column add up."""

    patterns: Counter[str] = field(default_factory=Counter)
    signs: Counter[str] = field(default_factory=Counter)
    lengths: Counter[int] = field(default_factory=Counter)

    @classmethod
    def of(cls, texts: Iterable[str]) -> Tally:
        """That of some values; empty ones are left out."""
        held = [text for text in texts if text.strip()]
        return cls(
            Counter(map(pattern, held)),
            Counter(sign for text in held for sign in _signs(text)),
            Counter(map(len, held)),
        )

    @classmethod
    def of_json(cls, value: Sequence[Mapping[str, int]]) -> Tally:
        """That of ``to_json``."""
        patterns, signs, lengths = value
        return cls(Counter(patterns), Counter(signs), Counter({int(length): n for length, n in lengths.items()}))

    def to_json(self) -> list[dict[Any, int]]:
        """A plain list of three mappings; lengths become texts in JSON."""
        return [dict(self.patterns), dict(self.signs), dict(self.lengths)]

    def add(self, other: Tally, times: int = 1) -> None:
        """Count the values of another part of the column too, or, -1 times, no longer."""
        for mine, more in ((self.patterns, other.patterns), (self.signs, other.signs), (self.lengths, other.lengths)):
            _add(mine, more, times)


def oddities(
    tables: Sequence[Sequence[str]], column: Column | None = None, *, usual: Tally | None = None
) -> list[list[tuple[Oddity, ...]]]:
    """What is odd about each value of one column; ``tables`` holds its values by table, in order of the rows.

    Rare is what at most RARE of all values have, beside patterns that make up most of them; a
    look-alike is a letter in the place of which a digit would give a common pattern, or a value
    that can be read. Empty values are never odd. ``usual`` is the tally of all values of the column
    where ``tables`` are but some of its tables.
    """
    seen = Seen(usual or Tally.of(text for table in tables for text in table))
    return [list(_of_table(table, seen, column)) for table in tables]


class Seen:
    """What is usual among the values of a column: its patterns, kinds of characters, and the spread of lengths."""

    def __init__(self, tally: Tally) -> None:
        self.count = tally.lengths.total()
        self.patterns, self.signs = tally.patterns, tally.signs
        self.middle = _median(tally.lengths)
        away: Counter[float] = Counter()
        for length, times in tally.lengths.items():
            away[abs(length - self.middle)] += times
        self.spread = max(1.0, 1.4826 * _median(away))
        common = sum(count for count in self.patterns.values() if self._is_often(count))
        self.regular = self.count >= LEAST_VALUES and common >= COVERED * self.count
        self.usual = max(self.patterns, key=self.patterns.__getitem__, default="")

    def is_rare(self, count: int) -> bool:
        """Whether so many of the values are few."""
        return self.count >= LEAST_VALUES and count <= max(1, RARE * self.count)

    def is_common(self, form: str) -> bool:
        """Whether a pattern is met often."""
        return self.count >= LEAST_VALUES and self._is_often(self.patterns[form])

    def _is_often(self, count: int) -> bool:
        return count >= max(LEAST_COMMON, COMMON * self.count)


def _of_table(texts: Sequence[str], seen: Seen, column: Column | None) -> Iterator[tuple[Oddity, ...]]:
    repeats = [bool(text.strip()) and at > 0 and texts[at - 1] == text for at, text in enumerate(texts)]
    by_slip = len(texts) > 2 and 0 < sum(repeats) <= MOST_REPEATS * len(texts)
    for text, repeated in zip(texts, repeats, strict=True):
        found = list(_of_value(text, seen, column)) if text.strip() else []
        if by_slip and repeated:
            found.append(_oddity("repeat", "the same as the row above"))
        yield tuple(sorted(found, key=lambda oddity: -oddity.risk))


def _of_value(text: str, seen: Seen, column: Column | None) -> Iterator[Oddity]:
    form = pattern(text)
    if digits := _as_digits(text, form, seen, column):
        yield _oddity("look-alike", f"letters in the place of digits? It would read {digits}")
    rare = sorted(sign for sign in _signs(text) - _OF_NUMBERS if seen.is_rare(seen.signs[sign]))
    if rare:
        yield _oddity("characters", f"{', '.join(map(_named, rare))}: met in {seen.signs[rare[0]]} of {seen.count}")
    if seen.regular and seen.is_rare(seen.patterns[form]):
        yield _oddity("pattern", f"pattern {form}: met in {seen.patterns[form]} of {seen.count}, mostly {seen.usual}")
    if seen.count >= LEAST_VALUES and abs(len(text) - seen.middle) > FARTHEST_LENGTH * seen.spread:
        yield _oddity("length", f"{len(text)} characters, usual are {seen.middle:g}")


def _as_digits(text: str, form: str, seen: Seen, column: Column | None) -> str:
    digits = _NUMBER_LIKE.sub(
        lambda run: run[0].translate(DIGIT_FOR) if any(map(str.isdigit, run[0])) else run[0], text
    )
    if digits == text:
        return ""
    if column is not None and not read(text, column).readable:
        return digits if read(digits, column).readable else ""
    rarer = seen.patterns[form] * 5 <= seen.patterns[pattern(digits)]
    return digits if rarer and seen.is_common(pattern(digits)) else ""


def _add(mine: Counter[Any], more: Mapping[Any, int], times: int) -> None:
    for value, count in more.items():
        mine[value] += times * count
        if not mine[value]:
            del mine[value]


def _median(times: Mapping[int, int] | Mapping[float, int]) -> float:
    """The median of values that are met so many times; 0 of none."""
    values = sorted((value, count) for value, count in times.items() if count)
    ends = list(accumulate(count for _, count in values))
    if not ends:
        return 0.0
    low, high = (values[bisect_left(ends, place)][0] for place in ((ends[-1] + 1) // 2, ends[-1] // 2 + 1))
    return (low + high) / 2


def _signs(text: str) -> set[str]:
    """The kinds of characters of a text: a script for letters, 9 for digits, else the character itself."""
    kinds = set()
    for sign in text:
        if sign.isdigit():
            kinds.add("9")
        elif sign.isalpha():
            kinds.add(f"{unicodedata.name(sign, 'UNNAMED').split(' ')[0].lower()} letters")
        elif not sign.isspace():
            kinds.add(sign)
    return kinds


def _named(sign: str) -> str:
    return sign if len(sign) > 1 else f"“{sign}”"


def _oddity(kind: OddityKind, reason: str) -> Oddity:
    return Oddity(kind, reason, RISKS[kind])
