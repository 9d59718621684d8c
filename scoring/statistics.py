"""Intervals: how far a rate may lie from what was counted."""

from __future__ import annotations

from math import sqrt

# The 97.5 % quantile of the standard normal distribution: two-sided 95 %.
Z_95 = 1.959963984540054


def proportion_interval(successes: int, of: int, *, z: float = Z_95) -> tuple[float, float] | None:
    """The Wilson score interval of a proportion, both ends 0..1; None where ``of`` is 0.

    Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22, 1927.
    Raises ValueError unless 0 <= successes <= of.
    """
    if not 0 <= successes <= of:
        raise ValueError(f"{successes} successes of {of}, expected 0 to {of}")
    if of == 0:
        return None
    rate, squared = successes / of, z * z
    middle = (rate + squared / (2 * of)) / (1 + squared / of)
    half = z / (1 + squared / of) * sqrt(rate * (1 - rate) / of + squared / (4 * of * of))
    # Rounding may carry the ends a hair over 0 or 1.
    return max(0.0, middle - half), min(1.0, middle + half)
