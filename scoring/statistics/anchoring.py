"""How much a score gains by gold that was made from the very output it scores: corrected gold against blind gold."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from math import hypot
from typing import Any

from scoring.counts import Counts
from scoring.statistics.intervals import Interval, Ratio, logit_t_interval, ratio_parts


@dataclass(frozen=True, slots=True)
class Anchoring:
    """The score of a first output on tables corrected from it, and on tables keyed without it.

    ``gap`` is corrected minus blind, -1..1, with its interval ``low`` to ``high``: above 0, the score is flattered.
    These are None where they can not be given; ``reason`` then says why.
    """

    ratio: Ratio
    corrected: Interval
    blind: Interval
    gap: float | None
    low: float | None
    high: float | None
    reason: str = ""

    @property
    def is_flattered(self) -> bool:
        """Whether the interval of the gap lies above 0."""
        return self.low is not None and self.low > 0

    def to_json(self) -> dict[str, Any]:
        """A plain mapping; what is undefined is null."""
        return {**asdict(self), "is_flattered": self.is_flattered}


def anchoring(
    corrected: Iterable[Counts], blind: Iterable[Counts], *, ratio: Ratio = "f1", level: float = 0.95
) -> Anchoring:
    """The gap between the micro score on corrected gold and on blind gold; each of the counts is of one document.

    Gold that is made by editing an output agrees with it too often: Berzak, Huang, Barbu, Korhonen and Katz, "Anchoring
    and agreement in syntactic annotations", EMNLP 2016, arXiv 1605.04481. The two are scores of different tables, so
    the gap has the interval of a difference of independent estimates, made from the interval of each: Zou and Donner,
    "Construction of confidence limits about effect measures", Statistics in Medicine 27, 2008. A document with tables
    on both sides makes it a little too wide. Raises ValueError for a level outside 0..1.
    """
    one, other = (logit_t_interval(ratio_parts(side, ratio=ratio), level=level) for side in (corrected, blind))
    if one.estimate is None or other.estimate is None:
        which = "blind" if other.estimate is None else "corrected"
        return Anchoring(ratio, one, other, None, None, None, f"no {which} table has anything to count")
    gap = one.estimate - other.estimate
    if other.low is None or other.high is None:
        return Anchoring(ratio, one, other, gap, None, None, f"blind tables: {other.reason}")
    if one.low is None or one.high is None:
        return Anchoring(ratio, one, other, gap, None, None, f"corrected tables: {one.reason}")
    low = gap - hypot(one.estimate - one.low, other.high - other.estimate)
    high = gap + hypot(one.high - one.estimate, other.estimate - other.low)
    return Anchoring(ratio, one, other, gap, low, high)
