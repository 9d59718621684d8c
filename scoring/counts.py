"""Counts that add up, with precision, recall and F1 derived from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Counts:
    """How many of ``expected`` (gold) and ``predicted`` things matched; a corpus is a sum of counts.

    ``matched`` is whole for exact counts and a sum of similarities for graded ones. One wrong value
    is in ``predicted`` and in ``expected`` but not in ``matched``: one false positive and one false
    negative. A ratio 0/0 is None, which means undefined; it is never 0 or 1.
    """

    matched: float = 0
    predicted: int = 0
    expected: int = 0

    def __add__(self, other: Self) -> Self:
        return type(self)(
            self.matched + other.matched, self.predicted + other.predicted, self.expected + other.expected
        )

    @property
    def false_positives(self) -> float:
        """Predicted and not matched."""
        return self.predicted - self.matched

    @property
    def false_negatives(self) -> float:
        """Expected and not matched."""
        return self.expected - self.matched

    @property
    def precision(self) -> float | None:
        """matched / predicted, 0..1; None where nothing was predicted."""
        return ratio(self.matched, self.predicted)

    @property
    def recall(self) -> float | None:
        """matched / expected, 0..1; None where nothing was expected."""
        return ratio(self.matched, self.expected)

    @property
    def f1(self) -> float | None:
        """2 matched / (predicted + expected), 0..1: the harmonic mean of precision and recall.

        None only where nothing was predicted and nothing expected.
        """
        return ratio(2 * self.matched, self.predicted + self.expected)

    def to_json(self) -> dict[str, Any]:
        """The three counts and the three ratios; an undefined ratio is null."""
        return {
            "matched": self.matched,
            "predicted": self.predicted,
            "expected": self.expected,
            "precision": self.precision,
            "recall": self.recall,
            "f1": self.f1,
        }


def ratio(part: float, whole: float) -> float | None:
    """part / whole, or None for 0/0."""
    return part / whole if whole else None


def row_accuracy(gold_rows: int, pred_rows: int) -> float | None:
    """How well the number of rows fits, 0..1: ``1 - |gold - pred| / max(gold, pred)``; None where both are 0.

    It speaks of the number alone: one missed row and one extra row leave it at 1.
    """
    most = max(gold_rows, pred_rows)
    return 1 - abs(gold_rows - pred_rows) / most if most else None


NOT_AVAILABLE = "n/a"


def percent(share: float | None) -> str:
    """A share (0..1) in percent with one decimal; "n/a" where it is undefined.

    Only 1 reads 100.0 % and only 0 reads 0.0 %: 0.9996 is 99.9 %.
    """
    if share is None:
        return NOT_AVAILABLE
    rounded = round(share * 100, 1)
    if rounded == 100 and share < 1:
        rounded = 99.9
    if rounded == 0 and share > 0:
        rounded = 0.1
    return f"{rounded:.1f} %"
