"""Intervals of a simple proportion: Wilson, exact (Clopper-Pearson), and the bound after no errors."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf, isfinite, sqrt

# The 97.5 % quantile of the standard normal distribution: two-sided 95 %.
Z_95 = 1.959963984540054


def proportion_interval(successes: int, of: int, *, z: float = Z_95) -> tuple[float, float] | None:
    """The Wilson score interval of a proportion, both ends 0..1; None where ``of`` is 0.

    Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22, 1927.
    It is for things that are independent of each other, such as documents that passed; cells of one
    document are not, see ``scoring.statistics.intervals``. Raises ValueError unless 0 <= successes <= of
    and z is a number above 0.
    """
    _check_z(z)
    _check(successes, of)
    if of == 0:
        return None
    rate, squared = successes / of, z * z
    middle = (rate + squared / (2 * of)) / (1 + squared / of)
    half = half_width(rate, of, z=z)
    # Rounding may carry the ends a hair over 0 or 1, or leave them a hair short of it.
    low = 0.0 if successes == 0 else max(0.0, middle - half)
    return low, 1.0 if successes == of else min(1.0, middle + half)


def half_width(rate: float, of: float, *, z: float = Z_95) -> float:
    """Half the width of the Wilson interval of a rate (0..1) among ``of`` > 0 independent things.

    Raises ValueError for a rate outside 0..1, or ``of`` or z that is not a number above 0.
    """
    _check_z(z)
    if not 0 <= rate <= 1 or not 0 < of < inf:
        raise ValueError(f"a rate of {rate} among {of} things, expected 0 to 1 among more than 0")
    squared = z * z
    return z / (1 + squared / of) * sqrt(rate * (1 - rate) / of + squared / (4 * of * of))


def exact_interval(successes: int, of: int, *, level: float = 0.95) -> tuple[float, float] | None:
    """The Clopper-Pearson interval of a proportion, both ends 0..1; None where ``of`` is 0.

    It holds its level for every true rate and is wider than Wilson's for it: for a promise ("at
    least 98 % of documents pass") rather than for a picture. Clopper and Pearson, "The use of
    confidence or fiducial limits", Biometrika 26, 1934. Raises ValueError unless
    0 <= successes <= of and 0 < level < 1.
    """
    from scipy.special import betaincinv

    _check(successes, of)
    check_level(level)
    if of == 0:
        return None
    tail = (1 - level) / 2
    low = float(betaincinv(successes, of - successes + 1, tail)) if successes else 0.0
    high = float(betaincinv(successes + 1, of - successes, 1 - tail)) if successes < of else 1.0
    return low, high


def bound_without_errors(of: int, *, level: float = 0.95) -> float | None:
    """The highest error rate (0..1) that still agrees with no error among ``of`` things; None for 0 things.

    ``1 - (1 - level) ** (1 / of)``, one-sided and exact. Its short form at 95 % is the rule of
    three, 3 / of: Hanley and Lippman-Hand, "If nothing goes wrong, is everything all right?", JAMA
    249, 1983. Raises ValueError for a negative number or a level outside 0..1.
    """
    _check(0, of)
    check_level(level)
    return 1 - (1 - level) ** (1 / of) if of else None


def check_level(level: float) -> None:
    """Raises ValueError unless 0 < level < 1."""
    if not 0 < level < 1:
        raise ValueError(f"level {level:g}, expected more than 0 and less than 1, such as 0.95")


def check_at_least_one(number: int, what: str) -> None:
    """Raises ValueError where there is not at least one of something, such as draws."""
    if not 1 <= number < inf:
        raise ValueError(f"{number} {what}, expected at least 1")


def check_numbers(scores: Iterable[float], what: str) -> None:
    """Raises ValueError for NaN and infinite numbers, with the place of the first."""
    for place, score in enumerate(scores):
        if not isfinite(score):
            raise ValueError(f"{what} {score} at place {place}, expected a finite number")


def _check_z(z: float) -> None:
    if not 0 < z < inf:
        raise ValueError(f"z {z}, expected a number above 0, such as 1.96 for 95 %")


def _check(successes: int, of: int) -> None:
    if not 0 <= successes <= of < inf:
        raise ValueError(f"{successes} successes of {of}, expected 0 to {of}")
