"""Character and word error rates of two tables written out as text, defined as in jiwer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Levenshtein

from scoring.reading.html_grid import all_rows
from scoring.text_pairs import MOST_CHARACTER_PAIRS, expect_short

_SEVERAL_SPACES = re.compile(r"\s\s+")


@dataclass(frozen=True, slots=True)
class ErrorRate:
    """Substitutions, deletions and insertions, and the length of gold, in characters or words; they add up."""

    edits: int
    length: int

    def __add__(self, other: ErrorRate) -> ErrorRate:
        return ErrorRate(self.edits + other.edits, self.length + other.length)

    @property
    def rate(self) -> float:
        """edits / length, 0 at best and above 1 where much was inserted; the edits themselves where gold is empty."""
        return self.edits / self.length if self.length else float(self.edits)


def cer(gold: str, pred: str) -> ErrorRate:
    """The character error rate of two HTML documents, as jiwer 4 computes it on their texts (``linear``).

    Upper and lower case, punctuation and Unicode forms count; white space at the two ends does not. Raises
    TooLargeError.
    """
    return _compared(linear(gold).strip(), linear(pred).strip())


def wer(gold: str, pred: str) -> ErrorRate:
    """The word error rate of two HTML documents, as jiwer 4 computes it on their texts (``linear``).

    Words end at a space and nowhere else, so that neighbouring cells of one word each are one word. Raises
    TooLargeError.
    """
    return _compared(_words(linear(gold)), _words(linear(pred)))


def linear(html: str) -> str:
    """All table rows as text: one line per row, a tab between cells, white space inside a cell one space."""
    return "\n".join("\t".join(" ".join("".join(cell.texts).split()) for cell in row) for row in all_rows(html))


def _words(text: str) -> list[str]:
    return [word for word in _SEVERAL_SPACES.sub(" ", text).strip().split(" ") if word]


def _compared(gold: Sequence[str], pred: Sequence[str]) -> ErrorRate:
    expect_short([gold], [pred], most=MOST_CHARACTER_PAIRS)
    return ErrorRate(Levenshtein.distance(gold, pred), len(gold))
