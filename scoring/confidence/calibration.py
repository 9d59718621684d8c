"""Calibration: whether cells of confidence .9 are right nine times in ten."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from scoring.confidence.scored_cells import Bools, Floats, Integers, checked
from scoring.statistics.proportions import check_at_least_one, proportion_interval

BINS = 10
DRAWS = 1000
SEED = 20261130
# Cells in fewer tenths than these hardly differ in confidence, and any ECE is easily small.
LEAST_POPULATED = 3
MEASURES = (
    "accuracy",
    "mean_confidence",
    "brier",
    "brier_skill",
    "ece",
    "ece_chance_mean",
    "ece_chance_q95",
    "adaptive_ece",
)


@dataclass(frozen=True, slots=True)
class Bin:
    """The cells with low <= confidence < high (the last bin includes 1): what was said and what was true.

    ``mean_confidence`` and ``accuracy`` are 0..1, ``interval`` is the 95 % Wilson interval of the
    accuracy; all None where ``n`` is 0. Wilson takes the cells as independent, so that the bar is
    too short where errors come by document.
    """

    low: float
    high: float
    n: int
    mean_confidence: float | None
    accuracy: float | None
    interval: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Calibration:
    """How far confidence and accuracy of ``n`` cells with a score lie apart; None is told in ``undefined``.

    ``ece_chance_mean`` and ``ece_chance_q95`` tell the ECE that ``draws`` perfectly calibrated sets
    of these confidences have by chance: an ``ece`` below the latter is no evidence against the
    scores. ``degenerate``: fewer than three tenths hold cells.
    """

    n: int
    accuracy: float | None
    mean_confidence: float | None
    brier: float | None
    brier_skill: float | None
    ece: float | None
    ece_chance_mean: float | None
    ece_chance_q95: float | None
    draws: int
    adaptive_ece: float | None
    bins: tuple[Bin, ...]
    populated: int
    degenerate: bool
    undefined: Mapping[str, str] = field(default_factory=dict)


def calibration(
    confidence: npt.ArrayLike, right: npt.ArrayLike, *, draws: int = DRAWS, seed: int = SEED
) -> Calibration:
    """The calibration of cells, those without a score (NaN) left out.

    Raises ValueError for confidences outside 0..1, another number of verdicts, or no draws.
    """
    check_at_least_one(draws, "draws")
    scores, verdicts = _with_score(confidence, right)
    bins = reliability_bins(scores, verdicts)
    populated = sum(part.n > 0 for part in bins)
    if not len(scores):
        why = dict.fromkeys(MEASURES, "no cell has a score")
        return Calibration(0, None, None, None, None, None, None, None, 0, None, bins, 0, True, why)
    skill = brier_skill(scores, verdicts)
    one_sided = f"every scored cell is {'right' if verdicts.all() else 'wrong'}, so that there is nothing to tell apart"
    chance = chance_errors(scores, draws=draws, seed=seed)
    return Calibration(
        n=len(scores),
        accuracy=float(verdicts.mean()),
        mean_confidence=float(scores.mean()),
        brier=brier(scores, verdicts),
        brier_skill=skill,
        ece=calibration_error(scores, verdicts),
        ece_chance_mean=float(chance.mean()),
        ece_chance_q95=float(np.quantile(chance, 0.95)),
        draws=draws,
        adaptive_ece=adaptive_calibration_error(scores, verdicts),
        bins=bins,
        populated=populated,
        degenerate=populated < LEAST_POPULATED,
        undefined={"brier_skill": one_sided} if skill is None else {},
    )


def brier(confidence: npt.ArrayLike, right: npt.ArrayLike) -> float | None:
    """The mean of (confidence - right)^2, 0 (best) to 1; None without a scored cell.

    Brier, "Verification of forecasts expressed in terms of probability", Monthly Weather Review 78, 1950.
    """
    scores, verdicts = _with_score(confidence, right)
    return float(np.mean((scores - verdicts) ** 2)) if len(scores) else None


def brier_skill(confidence: npt.ArrayLike, right: npt.ArrayLike) -> float | None:
    """``1 - Brier / (p (1 - p))``, p the accuracy: 1 is best, 0 is no better than always saying p.

    None where all cells or none are right, and without a scored cell.
    """
    scores, verdicts = _with_score(confidence, right)
    if not verdicts.any() or verdicts.all():
        return None
    rate = float(verdicts.mean())
    return 1 - float(np.mean((scores - verdicts) ** 2)) / (rate * (1 - rate))


def reliability_bins(confidence: npt.ArrayLike, right: npt.ArrayLike, *, bins: int = BINS) -> tuple[Bin, ...]:
    """The cells by confidence in bins of equal width, empty ones too: the bars of a reliability diagram.

    Raises ValueError for fewer than one bin.
    """
    check_at_least_one(bins, "bins")
    scores, verdicts = _with_score(confidence, right)
    counts, said, true = _sums(_equal_width(scores, bins), scores, verdicts, bins)
    return tuple(
        Bin(
            at / bins,
            (at + 1) / bins,
            n,
            float(said[at]) / n if n else None,
            float(true[at]) / n if n else None,
            proportion_interval(int(true[at]), n),
        )
        for at, n in enumerate(counts.tolist())
    )


def calibration_error(confidence: npt.ArrayLike, right: npt.ArrayLike, *, bins: int = BINS) -> float | None:
    """The expected calibration error (ECE), 0 (best) to 1; None without a scored cell.

    ``sum_b n_b / N |accuracy_b - mean confidence_b|`` over bins of equal width, with the mean
    confidence of a bin and not its middle. Naeini, Cooper and Hauskrecht, AAAI 2015; Guo et al.,
    ICML 2017. It is above 0 by chance even for perfect scores: see ``chance_errors``. Raises
    ValueError for fewer than one bin.
    """
    check_at_least_one(bins, "bins")
    scores, verdicts = _with_score(confidence, right)
    return _error(_equal_width(scores, bins), scores, verdicts, bins)


def adaptive_calibration_error(confidence: npt.ArrayLike, right: npt.ArrayLike, *, bins: int = BINS) -> float | None:
    """The ECE over bins of equal numbers of cells, 0..1; None without a scored cell.

    Cells of one confidence stay together, in the bin where their middle falls, so that bins may be
    uneven or empty. Nixon et al., "Measuring calibration in deep learning", CVPR workshops 2019. Its
    bias by chance is larger than that of bins of equal width. Raises ValueError for fewer than one bin.
    """
    check_at_least_one(bins, "bins")
    scores, verdicts = _with_score(confidence, right)
    _, level, size = np.unique(scores, return_inverse=True, return_counts=True)
    middle = np.cumsum(size) - size / 2
    places = np.floor(middle / max(1, len(scores)) * bins).astype(np.intp)
    return _error(places[level] if len(scores) else level, scores, verdicts, bins)


def chance_errors(confidence: npt.ArrayLike, *, bins: int = BINS, draws: int = DRAWS, seed: int = SEED) -> Floats:
    """The ECE of ``draws`` sets in which each cell is right with the chance that its confidence says.

    The cells of one hundredth of confidence are drawn together, by a binomial of their mean: the mean
    of a bin is exact, its variance within 0.1 %, and time does not grow with the number of cells.
    Without cells an empty array. Same seed, same values. Raises ValueError for fewer than one bin or draw.
    """
    check_at_least_one(bins, "bins")
    check_at_least_one(draws, "draws")
    scores, _ = _with_score(confidence, np.zeros(np.shape(confidence), dtype=bool))
    if not len(scores):
        return np.zeros(0)
    place = _equal_width(scores, bins)
    hundredth = np.floor(scores * 100).astype(np.intp)
    stratum = place * 101 + hundredth
    size = np.bincount(stratum)
    held = np.flatnonzero(size)
    size, place_of = size[held], held // 101
    total = np.bincount(stratum, weights=scores)[held]
    # The mean of many numbers up to 1 may round to a hair above 1.
    true = np.random.default_rng(seed).binomial(size, np.minimum(1.0, total / size), size=(draws, len(size)))
    member = place_of[:, None] == np.arange(bins)
    gaps = np.abs((true - total) @ member.astype(float))
    return np.asarray(gaps.sum(axis=1) / len(scores), dtype=float)


def _with_score(confidence: npt.ArrayLike, right: npt.ArrayLike) -> tuple[Floats, Bools]:
    scores, verdicts, _ = checked(confidence, right)
    told = ~np.isnan(scores)
    return scores[told], verdicts[told]


def _equal_width(scores: Floats, bins: int) -> Integers:
    # Compared with the edges: 0.29 * 100 is below 29, but .3 is in the bin that begins with .3.
    return np.asarray(np.digitize(scores, np.arange(1, bins) / bins), dtype=np.intp)


def _sums(place: Integers, scores: Floats, verdicts: Bools, bins: int) -> tuple[Integers, Floats, Floats]:
    counts = np.bincount(place, minlength=bins)
    said = np.bincount(place, weights=scores, minlength=bins).astype(float)
    true = np.bincount(place, weights=verdicts.astype(float), minlength=bins).astype(float)
    return counts, said, true


def _error(place: Integers, scores: Floats, verdicts: Bools, bins: int) -> float | None:
    if not len(scores):
        return None
    _, said, true = _sums(place, scores, verdicts, bins)
    return float(np.abs(true - said).sum() / len(scores))
