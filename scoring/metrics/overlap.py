"""How much of gold a prediction covers, by metrics that have fixed values where nothing is to be covered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Overlap:
    """A sum of similarities (``matched``) out of ``predicted`` and ``expected`` (gold) things; sums add up.

    Unlike ``Counts`` no ratio is undefined: published metrics give 0/0 a value, kept in ``of_nothing``.
    """

    matched: float
    predicted: int
    expected: int
    of_nothing: float = 0.0

    def __add__(self, other: Self) -> Self:
        return type(self)(
            self.matched + other.matched,
            self.predicted + other.predicted,
            self.expected + other.expected,
            self.of_nothing,
        )

    @property
    def precision(self) -> float:
        """matched / predicted, 0..1."""
        return self.matched / self.predicted if self.predicted else self.of_nothing

    @property
    def recall(self) -> float:
        """matched / expected, 0..1."""
        return self.matched / self.expected if self.expected else self.of_nothing

    @property
    def f1(self) -> float:
        """2PR / (P + R), 0..1; 0 where both are 0."""
        together = self.precision + self.recall
        return 2 * self.precision * self.recall / together if together else 0.0

    def to_json(self) -> dict[str, Any]:
        """The three ratios."""
        return {"precision": self.precision, "recall": self.recall, "f1": self.f1}
