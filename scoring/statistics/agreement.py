"""How far reviewers agree: F1 of their cells pairwise, and agreement beyond chance (alpha, kappa)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from math import isfinite
from typing import Any, Literal, Self, TypeVar, get_args

import numpy as np

from scoring.counts import ratio

# The name of a cell, such as its aligned row and its column.
Place = TypeVar("Place", bound=Hashable)
Scale = Literal["nominal", "ordinal", "interval", "ratio"]
# Differences of ratios are compared one by one: 10,000 values take about a second.
MOST_RATIO_VALUES = 10_000


@dataclass(frozen=True, slots=True)
class CellAgreement:
    """How many cells two reviewers have, share, and have with equal values; pairs of reviewers add up.

    Lead with ``f1``: it heeds cells, and thus rows, that only one of them has. All ratios are 0..1 and
    None where they are 0/0.
    """

    of_a: int = 0
    of_b: int = 0
    shared: int = 0
    equal: int = 0

    def __add__(self, other: Self) -> Self:
        return type(self)(
            self.of_a + other.of_a,
            self.of_b + other.of_b,
            self.shared + other.shared,
            self.equal + other.equal,
        )

    @property
    def f1(self) -> float | None:
        """2 equal / (cells of A + cells of B): what each would score with the other as gold."""
        return ratio(2 * self.equal, self.of_a + self.of_b)

    @property
    def of_shared(self) -> float | None:
        """equal / cells that both have: a row that one of them missed does not lower it."""
        return ratio(self.equal, self.shared)

    @property
    def of_union(self) -> float | None:
        """equal / cells that at least one has: the strictest of the three."""
        return ratio(self.equal, self.of_a + self.of_b - self.shared)

    def to_json(self) -> dict[str, Any]:
        """The four counts and the three ratios; an undefined ratio is null."""
        return {**asdict(self), "f1": self.f1, "of_shared": self.of_shared, "of_union": self.of_union}


@dataclass(frozen=True, slots=True)
class Alpha:
    """Krippendorff's alpha: 1 is full agreement, 0 that of chance, below 0 worse than chance.

    ``units`` were rated at least twice and are the ones that count, with ``ratings`` ratings in them.
    ``value`` is None where it is undefined; ``reason`` says why.
    """

    value: float | None
    scale: Scale
    units: int
    ratings: int
    reason: str = ""

    def to_json(self) -> dict[str, Any]:
        """A plain mapping; what is undefined is null."""
        return asdict(self)


def cell_agreement(a: Mapping[Place, str], b: Mapping[Place, str]) -> CellAgreement:
    """The agreement of two reviewers, from the normalised values of their cells by names that both use.

    Such a name is made of the aligned row and the column, so that a row that only one of them has is a
    name that only one of them has.
    """
    shared = a.keys() & b.keys()
    return CellAgreement(len(a), len(b), len(shared), sum(a[cell] == b[cell] for cell in shared))


def pairwise_agreement(reviewers: Sequence[Mapping[Place, str]]) -> CellAgreement:
    """The agreement of all pairs of reviewers of one document, added up."""
    return sum((cell_agreement(a, b) for a, b in combinations(reviewers, 2)), CellAgreement())


def krippendorff_alpha(ratings: Sequence[Sequence[str | float | None]], *, scale: Scale = "nominal") -> Alpha:
    """Krippendorff's alpha of ratings by reviewer and unit; None where a reviewer has not rated a unit.

    ``ratings`` has for each reviewer a rating of each unit: of any kind on the nominal scale, else numbers, on the
    ratio scale none below 0. Krippendorff, "Computing Krippendorff's alpha-reliability", 2011.

    Of the free values of cells it says hardly more than raw agreement, since two readings are almost never the
    same by chance; it is meant for few categories, such as verdicts or how bad an error is. Raises
    ValueError for an unknown scale, reviewers with unequally many units, or ratings that do not fit the scale.
    """
    _check_ratings(ratings, scale)
    units = [[rating for rating in unit if rating is not None] for unit in zip(*ratings, strict=True)]
    units = [unit for unit in units if len(unit) > 1]
    together = Counter(rating for unit in units for rating in unit)
    number = together.total()
    if not units:
        return Alpha(None, scale, 0, 0, "no unit was rated by two reviewers")
    if len(together) == 1:
        return Alpha(None, scale, len(units), number, "all ratings are the same, so that chance would agree too")
    if scale == "ordinal":
        ranks = _middle_ranks(together)
        units = [[ranks[rating] for rating in unit] for unit in units]
        together = Counter(rating for unit in units for rating in unit)
    observed = sum(_disagreement(Counter(unit), scale) / (len(unit) - 1) for unit in units)
    expected = _disagreement(together, scale) / (number - 1)
    return Alpha(1 - observed / expected, scale, len(units), number)


def fleiss_kappa(table: Sequence[Sequence[int]]) -> float | None:
    """Fleiss' kappa, -1..1, from how many reviewers put each unit (row) in each category (column).

    None where all ratings are in one category, or no unit was rated twice. Fleiss, "Measuring nominal
    scale agreement among many raters", 1971. Raises ValueError where units have unequally many ratings.
    """
    counts = _table(table)
    raters = counts.sum(axis=1)
    if len(set(raters.tolist())) > 1:
        raise ValueError(f"units with {raters.min():g} to {raters.max():g} ratings, expected equally many in each")
    if not counts.size or raters[0] < 2:
        return None
    per_unit = (counts * (counts - 1)).sum(axis=1) / (raters * (raters - 1))
    chance = float(((counts.sum(axis=0) / counts.sum()) ** 2).sum())
    return _beyond_chance(float(per_unit.mean()), chance)


def cohen_kappa(table: Sequence[Sequence[int]]) -> float | None:
    """Cohen's kappa, -1..1, from how many units A put in the category of the row and B in that of the column.

    None where both put all units in one category, or there are none. Cohen, "A coefficient of agreement
    for nominal scales", 1960. Raises ValueError unless the table is square.
    """
    counts = _table(table)
    if counts.size and counts.shape[0] != counts.shape[1]:
        raise ValueError(f"a table of {counts.shape[0]} by {counts.shape[1]}, expected the same categories for both")
    if not counts.sum():
        return None
    shares = counts / counts.sum()
    return _beyond_chance(float(np.trace(shares)), float(shares.sum(axis=0) @ shares.sum(axis=1)))


def _check_ratings(ratings: Sequence[Sequence[str | float | None]], scale: Scale) -> None:
    if scale not in get_args(Scale):
        raise ValueError(f"scale {scale!r}, expected one of {', '.join(get_args(Scale))}")
    if len({len(of_one) for of_one in ratings}) > 1:
        found = ", ".join(str(len(of_one)) for of_one in ratings)
        raise ValueError(f"reviewers with {found} units, expected the same units for each, None where not rated")
    given = {rating for of_one in ratings for rating in of_one if rating is not None}
    wanted = {"nominal": "texts or numbers", "ratio": "numbers from 0 on"}.get(scale, "numbers")
    for rating in given:
        is_text = isinstance(rating, str)
        if (is_text and scale != "nominal") or (not is_text and not _fits(float(rating), scale)):
            raise ValueError(f"rating {rating!r} on the {scale} scale, expected {wanted}, or None where not rated")
    if scale == "ratio" and len(given) > MOST_RATIO_VALUES:
        raise ValueError(f"{len(given)} different ratings, expected at most {MOST_RATIO_VALUES}: round them")


def _fits(number: float, scale: Scale) -> bool:
    return isfinite(number) and (number >= 0 or scale != "ratio")


def _middle_ranks(together: Counter[Any]) -> dict[Any, float]:
    """Of each rating the middle of its ranks: squared differences of these are Krippendorff's ordinal ones."""
    ranks, below = {}, 0
    for rating in sorted(together):
        ranks[rating] = below + together[rating] / 2
        below += together[rating]
    return ranks


def _disagreement(bag: Counter[Any], scale: Scale) -> float:
    """The sum of squared differences over all ordered pairs of ratings in a bag."""
    number = bag.total()
    if len(bag) == 1:
        return 0.0
    if scale == "nominal":
        return float(number**2 - sum(times**2 for times in bag.values()))
    values = np.array(list(bag), dtype=np.float64)
    times = np.array(list(bag.values()), dtype=np.float64)
    if scale == "ratio":
        return float(
            sum(
                count * (times @ np.square((values - value) / np.where(values + value > 0, values + value, 1)))
                for value, count in zip(values, times, strict=True)
            )
        )
    rest = values - (times @ values) / number
    return float(2 * number * (times @ rest**2))


def _table(table: Sequence[Sequence[int]]) -> np.ndarray[Any, np.dtype[np.float64]]:
    if len({len(row) for row in table}) > 1:
        raise ValueError("rows of unequal length, expected one count for each category in every row")
    counts = np.array(table, dtype=np.float64).reshape(len(table), -1) if table else np.empty((0, 0))
    if not ((counts >= 0) & np.isfinite(counts)).all():
        raise ValueError("a negative count or one that is no finite number, expected counts from 0 on")
    return counts


def _beyond_chance(observed: float, chance: float) -> float | None:
    return (observed - chance) / (1 - chance) if chance < 1 else None
