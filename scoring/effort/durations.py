"""Durations in groups: median, quartiles, trimmed mean and n; nothing where there are too few, and no mean alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import floor
from statistics import quantiles
from typing import Any, TypeVar

# Quartiles of fewer values are those values themselves.
FEWEST = 5
# So much is left out at either end of the trimmed mean.
TRIMMED = 0.1

K = TypeVar("K")


@dataclass(frozen=True, slots=True)
class Durations:
    """Some durations of one kind in milliseconds. All but ``n`` and ``total_ms`` are None where ``too_few``."""

    n: int
    total_ms: float
    median_ms: float | None
    low_quartile_ms: float | None
    high_quartile_ms: float | None
    trimmed_mean_ms: float | None

    @property
    def too_few(self) -> bool:
        """Whether there are fewer than FEWEST, so that a median would say more about single values."""
        return self.n < FEWEST

    def to_json(self) -> dict[str, Any]:
        """A plain mapping; what is undefined is null."""
        return {**asdict(self), "too_few": self.too_few}


def durations(values: Iterable[float]) -> Durations:
    """Summary of durations. The trimmed mean leaves out TRIMMED at each end.

    Quartiles are interpolated between values: Hyndman and Fan's type 7, as in numpy, R and QUARTILE.INC.
    """
    ordered = sorted(values)
    total = float(sum(ordered))
    if len(ordered) < FEWEST:
        return Durations(len(ordered), total, None, None, None, None)
    low, middle, high = quantiles(ordered, n=4, method="inclusive")
    left_out = floor(len(ordered) * TRIMMED)
    kept = ordered[left_out : len(ordered) - left_out]
    return Durations(len(ordered), total, middle, low, high, float(sum(kept) / len(kept)))


def by_group(values: Iterable[tuple[K, float]]) -> dict[K, Durations]:
    """The durations of each group, in the order in which the groups first appear."""
    groups: dict[K, list[float]] = {}
    for key, value in values:
        groups.setdefault(key, []).append(value)
    return {key: durations(group) for key, group in groups.items()}


def sensitivity(
    by_cutoff: Mapping[int, Sequence[float]], *, cutoff_ms: int
) -> dict[int, tuple[Durations, float | None]]:
    """Summary under each cut-off, and its median against that under ``cutoff_ms`` (1 means the same)."""
    found = {cutoff: durations(values) for cutoff, values in sorted(by_cutoff.items())}
    usual = found[cutoff_ms].median_ms
    return {
        cutoff: (summary, summary.median_ms / usual if usual and summary.median_ms is not None else None)
        for cutoff, summary in found.items()
    }
