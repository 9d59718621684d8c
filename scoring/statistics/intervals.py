"""Intervals of scores that are ratios of sums over documents: logit-t and document bootstrap."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from math import exp, log, sqrt
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoring.counts import Counts, percent
from scoring.statistics.proportions import bound_without_errors, check_at_least_one, check_level, check_numbers

Floats = NDArray[np.float64]
Ratio = Literal["precision", "recall", "f1"]
RATIOS: tuple[Ratio, ...] = ("precision", "recall", "f1")

# At 20 documents, 95 % intervals hold 90 (bootstrap) to 92 % (logit-t) of the time, with fewer less often still:
# benchmarks/intervals.py.
FEWEST_DOCUMENTS = 20
DRAWS = 2_000
SEED = 1
# So many numbers are drawn at once: 16 MB.
BLOCK = 2_000_000
# Sums of ratios differ by rounding where they should be equal.
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Interval:
    """A corpus score with its interval at ``level``, from documents that have something to count.

    ``low`` and ``high`` are None where no interval can be given; ``reason`` then says why, and is ""
    otherwise. ``lowest`` and ``highest`` are the scores of single documents, a range and no interval.
    ``estimate`` is None where nothing was counted. ``draws`` and ``seed`` are None without resampling.
    """

    estimate: float | None
    low: float | None
    high: float | None
    level: float
    documents: int
    lowest: float | None
    highest: float | None
    method: Literal["logit-t", "document bootstrap"]
    draws: int | None = None
    seed: int | None = None
    reason: str = ""

    def to_json(self) -> dict[str, Any]:
        """A plain mapping; what is undefined is null."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class ClusteredMean:
    """A mean of scores with its standard error, as if all were independent and with clusters heeded.

    Both errors are None with fewer than two scores, the clustered one with fewer than two clusters.
    """

    mean: float | None
    scores: int
    clusters: int
    independent_se: float | None
    clustered_se: float | None

    def to_json(self) -> dict[str, Any]:
        """A plain mapping; what is undefined is null."""
        return asdict(self)


def counted(documents: Iterable[Counts]) -> Floats:
    """The counts as numbers matched, predicted, expected: shape (documents, 3)."""
    numbers = [(counts.matched, counts.predicted, counts.expected) for counts in documents]
    return np.array(numbers, dtype=np.float64).reshape(-1, 3)


def ratio_parts(documents: Iterable[Counts] | Floats, *, ratio: Ratio = "f1") -> Floats:
    """Numerator and denominator of a ratio in each document, given as counts or ``counted``: shape (documents, 2)."""
    numbers = documents if isinstance(documents, np.ndarray) else counted(documents)
    matched, predicted, expected = numbers.T
    if ratio == "f1":
        return np.stack([2 * matched, predicted + expected], axis=1)
    return np.stack([matched, predicted if ratio == "precision" else expected], axis=1)


def corpus_intervals(documents: Iterable[Counts] | Floats, *, level: float = 0.95) -> dict[Ratio, Interval]:
    """The logit-t intervals of micro precision, recall and F1; ``documents`` are the counts of one document each."""
    numbers = documents if isinstance(documents, np.ndarray) else counted(documents)
    return {ratio: logit_t_interval(ratio_parts(numbers, ratio=ratio), level=level) for ratio in RATIOS}


def linearised_se(parts: ArrayLike) -> float | None:
    """The standard error of sum(numerators) / sum(denominators) over documents; None with fewer than two.

    ``parts`` has shape (documents, 2); documents with the denominator 0 say nothing and are left out.
    ``sqrt(D / (D - 1) * sum((n - R m)^2)) / sum(m)``: Cochran, *Sampling Techniques*, 3rd edition,
    1977, chapter 6.
    """
    counted = _counted(_checked(parts))
    if len(counted) < 2:
        return None
    numerators, denominators = counted.T
    rest = numerators - numerators.sum() / denominators.sum() * denominators
    documents = len(counted)
    return float(sqrt(documents / (documents - 1) * (rest @ rest)) / denominators.sum())


def logit_t_interval(parts: ArrayLike, *, level: float = 0.95) -> Interval:
    """The interval of a ratio of sums within 0..1; ``parts`` has shape (documents, 2), 0 <= numerator <= denominator.

    Its ends are ``R ± t * se`` on the logit scale, so that they stay within 0..1, with the quantile of
    Student's t of D - 1 degrees of freedom: Korn and Graubard, *Analysis of Health Surveys*, 1999.
    Without an interval where fewer than 20 documents count or all have the same score. Raises
    ValueError for parts of another shape or range, or a level outside 0..1.
    """
    from scipy.special import stdtrit

    checked = _checked(parts)
    if ((checked[:, 0] < 0) | (checked[:, 0] > checked[:, 1])).any():
        raise ValueError("a numerator is outside 0 to its denominator, expected 0 <= numerator <= denominator")
    ratio, reason = _ratio(checked), _reason_against(checked, level)
    low = high = None
    if ratio is not None and not reason:
        documents = len(_counted(checked))
        error = (linearised_se(checked) or 0.0) / (ratio * (1 - ratio))
        step = float(stdtrit(documents - 1, (1 + level) / 2)) * error
        middle = log(ratio / (1 - ratio))
        low, high = (1 / (1 + exp(-max(-700.0, end))) for end in (middle - step, middle + step))
    return Interval(ratio, low, high, level, *_extent(checked), method="logit-t", reason=reason)


def bootstrap_intervals(
    parts: ArrayLike, *, level: float = 0.95, draws: int = DRAWS, seed: int = SEED
) -> tuple[Interval, ...]:
    """The percentile intervals of many metrics at once, from resampled documents.

    ``parts`` has shape (documents, metrics, 2); numerators may be negative or above the denominator.
    Efron and Tibshirani, *An Introduction to the Bootstrap*, 1993, chapter 13. The same documents in any
    order give the same interval. It takes about a quarter of a second for 10,000 documents, and in
    proportion; for hundreds of thousands ``logit_t_interval`` says the same at once. Without an
    interval where fewer than 20 documents count or all have the same score. Raises ValueError for
    parts of another shape, a negative denominator, a level outside 0..1, or no draws.
    """
    check_level(level)
    check_at_least_one(draws, "draws")
    together = _checked(parts, dimensions=3)
    metrics, tail = together.transpose(1, 0, 2), (1 - level) / 2
    reasons = [_reason_against(metric, level) for metric in metrics]
    ratios = np.empty((0, len(metrics))) if all(reasons) else bootstrap_ratios(together, draws=draws, seed=seed)
    found = []
    for number, (metric, reason) in enumerate(zip(metrics, reasons, strict=True)):
        low, high = (None, None) if reason else np.nanquantile(ratios[:, number], (tail, 1 - tail)).tolist()
        counted = _extent(metric)
        found.append(Interval(_ratio(metric), low, high, level, *counted, "document bootstrap", draws, seed, reason))
    return tuple(found)


def bootstrap_ratios(parts: ArrayLike, *, draws: int = DRAWS, seed: int = SEED) -> Floats:
    """The ratios of so many corpora of documents drawn with replacement: shape (draws, metrics), NaN for 0/0.

    ``parts`` has shape (documents, metrics, 2). The metrics of one draw are of the same documents, so
    that their differences are paired. Raises ValueError for another shape, no documents, or no draws.
    """
    together = _checked(parts, dimensions=3)
    if not len(together):
        raise ValueError("no documents to draw from, expected at least one")
    check_at_least_one(draws, "draws")
    together = in_order(together)
    return np.concatenate([weighted_ratios(together, drawn) for drawn in _weights(len(together), draws, seed)])


def weighted_ratios(parts: Floats, weights: ArrayLike) -> Floats:
    """The ratios of weighted sums, one row for each row of weights: shape (draws, metrics), NaN for 0/0.

    ``parts`` has shape (documents, metrics, 2), ``weights`` (draws, documents).
    """
    documents, metrics, _ = parts.shape
    sums = (np.asarray(weights, dtype=np.float64) @ parts.reshape(documents, 2 * metrics)).reshape(-1, metrics, 2)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(sums[..., 0] / sums[..., 1], dtype=np.float64)


def in_order(parts: Floats) -> Floats:
    """The documents in an order that only their own numbers decide, whatever order they came in."""
    return parts[np.lexsort(parts.reshape(len(parts), -1).T[::-1])] if parts.size else parts


def clustered_mean(scores: Sequence[float], clusters: Sequence[Hashable]) -> ClusteredMean:
    """The mean of scores that come in clusters, such as the tables of one document; one cluster name per score.

    The variance is ``s^2 / n`` plus ``1 / n^2`` times the sum, over all ordered pairs of two scores of
    one cluster, of the products of their deviations from the mean: Miller, "Adding error bars to evals", arXiv
    2411.00640, 2024. Raises ValueError where there is not one cluster name for each score, or a
    score is NaN or infinite.
    """
    if len(scores) != len(clusters):
        raise ValueError(f"{len(scores)} scores and {len(clusters)} cluster names, expected one name for each score")
    check_numbers(scores, "score")
    count, names = len(scores), {name: number for number, name in enumerate(dict.fromkeys(clusters))}
    if not count:
        return ClusteredMean(None, 0, 0, None, None)
    values = np.asarray(scores, dtype=np.float64)
    mean = float(values.mean())
    if count < 2:
        return ClusteredMean(mean, count, len(names), None, None)
    rest = values - mean
    independent = float(rest @ rest) / (count - 1) / count
    sums = np.bincount([names[name] for name in clusters], weights=rest)
    clustered = independent + float(sums @ sums - rest @ rest) / count**2
    return ClusteredMean(mean, count, len(names), sqrt(independent), sqrt(clustered) if len(names) > 1 else None)


# Many metrics of the same documents are resampled one after the other: 40 MB for 10,000 documents.
@lru_cache(maxsize=1)
def _weights(documents: int, draws: int, seed: int) -> tuple[NDArray[Any], ...]:
    """How often each document was drawn, multinomial, in blocks of rows.

    Counting drawn numbers is ten times as fast as ``Generator.multinomial``.
    """
    rows, chance = max(1, BLOCK // documents), np.random.default_rng(seed)
    blocks = []
    for start in range(0, draws, rows):
        drawn = chance.integers(0, documents, size=(min(rows, draws - start), documents))
        small = np.uint16 if documents < 2**16 else np.uint32
        blocks.append(np.array([np.bincount(row, minlength=documents) for row in drawn], dtype=small))
    return tuple(blocks)


def _checked(parts: ArrayLike, *, dimensions: int = 2) -> Floats:
    found = np.asarray(parts, dtype=np.float64)
    if found.ndim != dimensions or found.shape[-1] != 2:
        wanted = "(documents, 2)" if dimensions == 2 else "(documents, metrics, 2)"
        raise ValueError(f"parts of shape {found.shape}, expected {wanted}: a numerator and a denominator each")
    if not np.isfinite(found).all() or (found[..., 1] < 0).any():
        raise ValueError("a denominator is negative or a part is no number, expected finite numbers")
    if found[..., 0][found[..., 1] == 0].any():
        raise ValueError("a numerator without a denominator, expected 0 / 0 where a document has nothing to count")
    return found


def _counted(parts: Floats) -> Floats:
    """The documents that have something to count."""
    return parts[parts[:, 1] > 0]


def _ratio(parts: Floats) -> float | None:
    numerator, denominator = parts.sum(axis=0)
    return float(numerator / denominator) if denominator else None


def _extent(parts: Floats) -> tuple[int, float | None, float | None]:
    """How many documents count, and the lowest and highest score of one."""
    counted = _counted(parts)
    if not len(counted):
        return 0, None, None
    ratios = counted[:, 0] / counted[:, 1]
    return len(counted), float(ratios.min()), float(ratios.max())


def _reason_against(parts: Floats, level: float) -> str:
    """Why there is no interval, "" where there is one."""
    check_level(level)
    documents, lowest, highest = _extent(parts)
    if lowest is None or highest is None:
        return "no document has anything to count"
    if documents < FEWEST_DOCUMENTS:
        return f"too few documents for an interval: {documents}, expected at least {FEWEST_DOCUMENTS}"
    if highest - lowest > ROUNDING:
        return ""
    if lowest < 1:
        return f"all {documents} documents have the same score, so that they show no spread"
    share = percent(bound_without_errors(documents, level=level))
    return f"none of {documents} documents has an error; {share} of all may still have one (one-sided bound)"
