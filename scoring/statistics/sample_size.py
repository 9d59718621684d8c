"""How many cells or documents a measurement needs: for an interval of a width, or to see a change."""

from __future__ import annotations

from math import ceil, inf, sqrt

import numpy as np
from numpy.typing import ArrayLike

from scoring.statistics.intervals import linearised_se
from scoring.statistics.proportions import check_level, half_width


def design_effect(cells_per_document: float, icc: float) -> float:
    """How many times as many cells are needed because cells of one document are alike: ``1 + (m - 1) icc``.

    ``icc`` is the intraclass correlation, 0 (cells of one document are no more alike than others) to 1
    (a document is all right or all wrong). Kish, *Survey Sampling*, 1965. Raises ValueError for fewer
    than one cell, or an icc outside 0..1.
    """
    if not 1 <= cells_per_document < inf or not 0 <= icc <= 1:
        raise ValueError(f"{cells_per_document} cells and icc {icc}, expected at least 1 cell and an icc of 0 to 1")
    return 1 + (cells_per_document - 1) * icc


def measured_icc(parts: ArrayLike) -> float | None:
    """The intraclass correlation of a pilot, 0..1; None where it cannot be told.

    ``parts`` has for each document how many cells are right and how many there are (precision or
    recall of ``ratio_parts``, not F1, which counts a cell twice). It is the ``icc`` with which
    ``design_effect`` of the mean number of cells, weighted by itself, gives the variance of the
    documents at hand over that of independent cells.
    """
    found = np.asarray(parts, dtype=np.float64)
    se = linearised_se(found)
    right, cells = found.sum(axis=0) if len(found) else (0.0, 0.0)
    if se is None or not 0 < right < cells:
        return None
    rate, weighted_mean = right / cells, float((found[:, 1] ** 2).sum() / cells)
    effect = se**2 / (rate * (1 - rate) / cells)
    return min(1.0, max(0.0, float(effect - 1) / (weighted_mean - 1))) if weighted_mean > 1 else None


def cells_for_half_width(
    rate: float, half: float, *, cells_per_document: float = 1, icc: float = 0, level: float = 0.95
) -> int:
    """How many cells make the interval of an expected rate (0..1) as narrow as ± ``half`` (0..1).

    ``z^2 p (1 - p) / half^2`` times the design effect, rounded up: Cochran, *Sampling Techniques*, 3rd
    edition, 1977, chapter 4. Raises ValueError for a rate or a half width outside 0..1.
    """
    _check_rate(rate)
    _check_positive(half, "half width")
    cells = _z(level) ** 2 * rate * (1 - rate) / half**2
    return _up(cells * design_effect(cells_per_document, icc))


def margin(
    rate: float, cells: int, *, cells_per_document: float = 1, icc: float = 0, level: float = 0.95
) -> float | None:
    """Half the width (0..1) of the Wilson interval to expect for a rate among so many cells; None for no cells.

    Cells of one document count as fewer, by the design effect. Raises ValueError for a rate outside 0..1.
    """
    _check_rate(rate)
    if not 0 <= cells < inf:
        raise ValueError(f"{cells} cells, expected a number from 0 on")
    independent = cells / design_effect(cells_per_document, icc)
    return half_width(rate, independent, z=_z(level)) if cells else None


def documents_for_change(change: float, sd: float, *, power: float = 0.8, level: float = 0.95) -> int:
    """How many documents show a change of a score between two runs over them, with that power.

    ``change`` and ``sd``, the standard deviation of the change of single documents, are in the same
    unit. ``((z_level + z_power) sd / change)^2``, rounded up. Raises ValueError where one is not positive.
    """
    _check_positive(change, "change", most=None)
    _check_positive(sd, "standard deviation", most=None)
    return _up(((_z(level) + _z_one_sided(power)) * sd / change) ** 2)


def documents_for_mcnemar(discordance: float, gap: float, *, power: float = 0.8, level: float = 0.95) -> int:
    """How many documents show with that power that A and B pass unequally often.

    ``discordance`` is the share of documents that only one of them passes, ``gap`` the difference of
    the two pass rates, both 0..1. Connor, "Sample size for testing differences in proportions for the
    paired-sample design", Biometrics 43, 1987. Raises ValueError unless 0 < gap <= discordance <= 1.
    """
    if not 0 < gap <= discordance <= 1:
        raise ValueError(f"a gap of {gap} and a discordance of {discordance}, expected 0 < gap <= discordance <= 1")
    reach = _z(level) * sqrt(discordance) + _z_one_sided(power) * sqrt(discordance - gap**2)
    return _up((reach / gap) ** 2)


def _z(level: float) -> float:
    """The two-sided quantile of the standard normal distribution."""
    check_level(level)
    return _z_one_sided((1 + level) / 2)


def _z_one_sided(share: float) -> float:
    from scipy.special import ndtri

    check_level(share)
    return float(ndtri(share))


def _up(number: float) -> int:
    # A hair above a whole number is rounding, and no further cell.
    return max(1, ceil(number - 1e-9))


def _check_rate(rate: float) -> None:
    if not 0 <= rate <= 1:
        raise ValueError(f"rate {rate}, expected 0 to 1")


def _check_positive(number: float, what: str, *, most: float | None = 1) -> None:
    if not 0 < number <= (most or number) or number == inf:
        raise ValueError(f"{what} {number}, expected more than 0" + (f" and at most {most}" if most else ""))
