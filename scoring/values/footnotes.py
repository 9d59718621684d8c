"""Footnote marks before and after a value, cut off and kept."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

_MARKS = (
    "[\u00b9\u00b2\u00b3\u2070-\u2079]",
    "[\u1d43\u1d47\u1d9c\u1d48\u1d49\u1da0]",  # superscript a to f
    "[*†‡]",
    r"\[[0-9a-z]{1,2}\]",
    r"\([a-z]\)",
)


@dataclass(frozen=True)
class FootnoteMarks:
    """What marks look like before and after a value."""

    leading: re.Pattern[str]
    trailing: re.Pattern[str]


@lru_cache(maxsize=128)
def footnote_marks(declared: tuple[str, ...] = ()) -> FootnoteMarks:
    """The marks of a column: superscript digits and letters, ``*``, daggers, ``[1]``, ``(a)``, and those declared.

    A declared mark that is a bare letter stands before a value with a space only, since a letter
    at a number is a misread digit more often than a mark.
    """
    more = tuple(map(re.escape, declared))
    leading = (*(rf"{mark}\s*" for mark in _MARKS), *(_leading(mark) for mark in declared))
    trailing = "|".join((*_MARKS, *more))
    # Possessive (++), since a hundred asterisks before a letter would else be parted in all ways.
    return FootnoteMarks(re.compile(f"(?:{'|'.join(leading)})++"), re.compile(rf"(?:\s*(?:{trailing}))++$"))


def without_footnote(text: str, marks: FootnoteMarks) -> Iterator[tuple[str, str]]:
    """The rest and the mark where a text has one: behind, before, then on both sides, joined by a space."""
    behind, before = marks.trailing.search(text), marks.leading.match(text)
    if behind:
        yield text[: behind.start()], behind[0].strip()
    if before:
        yield text[before.end() :], before[0].strip()
    if behind and before and before.end() <= behind.start():
        yield text[before.end() : behind.start()], f"{before[0].strip()} {behind[0].strip()}"


def _leading(mark: str) -> str:
    return re.escape(mark) + (r"\s+" if mark.isalnum() else r"\s*")
