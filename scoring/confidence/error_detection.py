"""Error detection: whether wrong cells have the low scores, and what a review of the lowest finds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from scoring.confidence.scored_cells import Bools, Floats, Integers, checked
from scoring.statistics.intervals import FEWEST_DOCUMENTS
from scoring.statistics.proportions import check_at_least_one

DRAWS = 1000
SEED = 20261130
# Below so many wrong cells an AUROC says little.
LEAST_WRONG = 30
SHARES = (0.05, 0.1, 0.2, 0.3, 0.5)
COVERAGES = tuple(step / 20 for step in range(1, 21))
# Many wrong cells are resampled less often, down to 200 times, so that it takes a second and not ten.
WORK = 20_000_000
# Numbers held at once while resampling: 8 MB, which a cache still holds.
CHUNK = 1_000_000
NO_INTERVAL = "no interval was asked for"


@dataclass(frozen=True, slots=True)
class ErrorDetection:
    """How well confidence tells wrong cells from right ones, over the cells with a score.

    ``auroc`` 0..1: .5 is chance. ``interval`` is its 95 % interval by ``draws`` resamples of whole
    documents. ``thin``: fewer than 30 wrong cells. None is told in ``undefined``.
    """

    n_right: int
    n_wrong: int
    documents: int
    auroc: float | None
    interval: tuple[float, float] | None
    draws: int
    thin: bool
    undefined: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RiskCoverage:
    """The share of errors among the most confident cells; all None without a scored cell.

    ``points`` are (coverage, risk) at every twentieth of the scored cells. ``aurc`` is the mean risk
    over all coverages, ``e_aurc`` its excess over the best order of the same cells, ``augrc`` the
    mean of errors accepted / all cells; 0 is best of each.
    """

    aurc: float | None
    e_aurc: float | None
    augrc: float | None
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Review:
    """What it brings to review the ``share`` of cells with the lowest scores.

    ``error_capture``: wrong cells reviewed / wrong cells. ``residual``: wrong cells left / all cells,
    after reviewers who mend ``catch_rate`` of the wrong cells they see. ``gain``: capture / share, 1
    for a review in random order. Capture and gain are None where no cell is wrong, residual where
    there is no cell.
    """

    share: float
    catch_rate: float
    error_capture: float | None
    residual: float | None
    gain: float | None


def error_detection(
    confidence: npt.ArrayLike,
    right: npt.ArrayLike,
    document: npt.ArrayLike,
    *,
    draws: int = DRAWS,
    seed: int = SEED,
    with_interval: bool = True,
) -> ErrorDetection:
    """The AUROC of error detection with what it rests on; cells without a score (NaN) are left out.

    The interval takes nearly all of the time, and can be left out. Raises ValueError for fewer than one draw.
    """
    check_at_least_one(draws, "draws")
    scores, verdicts, places = _with_score(confidence, right, document)
    n_right = int(verdicts.sum())
    n_wrong = len(verdicts) - n_right
    documents = len(np.unique(places))
    draws = min(draws, max(200, WORK // (2 * n_wrong + 1)))
    value = auroc(scores, verdicts)
    undefined = {}
    interval = None
    if value is None:
        absent = "no cell has a score" if not len(scores) else f"no scored cell is {'wrong' if n_right else 'right'}"
        undefined = {"auroc": absent, "interval": absent}
    elif not with_interval:
        undefined["interval"] = NO_INTERVAL
    elif documents < FEWEST_DOCUMENTS:
        undefined["interval"] = f"too few documents for an interval: {documents}, expected at least {FEWEST_DOCUMENTS}"
    else:
        interval = auroc_interval(scores, verdicts, places, draws=draws, seed=seed)
        if interval is None:
            undefined["interval"] = "the wrong cells, or the right ones, are in too few documents to resample"
    return ErrorDetection(
        n_right, n_wrong, documents, value, interval, draws if interval else 0, n_wrong < LEAST_WRONG, undefined
    )


def auroc(confidence: npt.ArrayLike, right: npt.ArrayLike) -> float | None:
    """P(a wrong cell has the lower score than a right one) + half of P(both have the same), 0..1.

    None where no scored cell is wrong, or none right. Mann and Whitney, Annals of Mathematical
    Statistics 18, 1947; Hanley and McNeil, Radiology 143, 1982.
    """
    scores, verdicts, _ = _with_score(confidence, right)
    _, level = np.unique(scores, return_inverse=True)
    true = np.bincount(level, weights=verdicts.astype(float))
    false = np.bincount(level, weights=(~verdicts).astype(float))
    pairs = true.sum() * false.sum()
    return float(true @ (np.cumsum(false) - false / 2) / pairs) if pairs else None


def auroc_interval(
    confidence: npt.ArrayLike,
    right: npt.ArrayLike,
    document: npt.ArrayLike,
    *,
    draws: int = DRAWS,
    seed: int = SEED,
) -> tuple[float, float] | None:
    """The 95 % percentile interval of the AUROC over resamples of whole documents, both ends 0..1.

    Cells of a document share scan and prompt, so that pairs of cells are not independent, and an
    interval for independent ones is too short. Resamples without a wrong or a right cell are passed
    over; None where they are more than one in twenty. Same seed, same interval, whatever the order
    of the cells of each document. Raises ValueError for fewer than one draw.
    """
    from scipy.sparse import csr_array

    check_at_least_one(draws, "draws")
    scores, verdicts, places = _with_score(confidence, right, document)
    if not len(scores):
        return None
    documents = int(places.max()) + 1
    # Right cells between two scores of wrong cells need not be told apart.
    limits = np.unique(scores[~verdicts])
    level = np.searchsorted(limits, scores) + np.searchsorted(limits, scores, side="right")
    shape = (2 * len(limits) + 1, documents)
    true = csr_array((verdicts.astype(float), (level, places)), shape=shape)
    false = csr_array(((~verdicts).astype(float), (level, places)), shape=shape)
    values = []
    chance = np.random.default_rng(seed)
    for weights in _resamples(chance, documents, draws, max(1, CHUNK // max(shape))):
        trues, falses = true @ weights, false @ weights
        above = np.einsum("ld,ld->d", trues, np.cumsum(falses, axis=0) - falses / 2)
        pairs = trues.sum(axis=0) * falses.sum(axis=0)
        values.append(above[pairs > 0] / pairs[pairs > 0])
    found = np.concatenate(values)
    if len(found) < 0.95 * draws:
        return None
    low, high = np.quantile(found, (0.025, 0.975))
    return float(low), float(high)


def risk_coverage(confidence: npt.ArrayLike, right: npt.ArrayLike) -> RiskCoverage:
    """The risk-coverage curve of the scored cells, most confident first, and its three areas.

    ``risk@k`` = errors among the first k / k, and AURC is its mean over k = 1..N (Geifman, Uziel and
    El-Yaniv, "Bias-reduced uncertainty estimation", ICLR 2019, with E-AURC); AUGRC = mean of errors
    among the first k / N (Traub et al., NeurIPS 2024). Cells of one score are one block: a coverage
    that ends within it takes that part of its errors, the mean over all orders of the block.
    """
    scores, verdicts, _ = _with_score(confidence, right)
    n = len(scores)
    if not n:
        return RiskCoverage(None, None, None, ())
    first = np.arange(1, n + 1)
    errors = _errors_among(first.astype(float), scores, verdicts)
    best = np.maximum(0, first - int(verdicts.sum()))
    aurc = float(np.mean(errors / first))
    reach = np.array(COVERAGES) * n
    risks = _errors_among(reach, scores, verdicts) / reach
    return RiskCoverage(
        aurc,
        aurc - float(np.mean(best / first)),
        float(np.mean(errors) / n),
        tuple(zip(COVERAGES, risks.tolist(), strict=True)),
    )


def review_curve(
    confidence: npt.ArrayLike,
    right: npt.ArrayLike,
    *,
    shares: Sequence[float] = SHARES,
    catch_rate: float = 1.0,
) -> tuple[Review, ...]:
    """What a review of each share (0..1) of all predicted cells finds, lowest scores first.

    Cells without a score (NaN) are reviewed before all others, as one block. A share that ends
    within a block of equal scores takes that part of its errors: the mean over all orders of the
    block. Raises ValueError for a share or a catch rate outside 0..1, and for a share of 0.
    """
    if not 0 <= catch_rate <= 1 or not all(0 < share <= 1 for share in shares):
        raise ValueError(f"shares {tuple(shares)} and catch rate {catch_rate}, expected above 0 to 1, and 0 to 1")
    scores, verdicts, _ = checked(confidence, right)
    n = len(scores)
    wrong = int((~verdicts).sum())
    if not n:
        return tuple(Review(share, catch_rate, None, None, None) for share in shares)
    kept = (1 - np.array(shares)) * n
    seen = wrong - _errors_among(kept, np.nan_to_num(scores, nan=-1.0), verdicts)
    return tuple(
        Review(
            share,
            catch_rate,
            caught / wrong if wrong else None,
            (wrong - catch_rate * caught) / n,
            caught / wrong / share if wrong else None,
        )
        for share, caught in zip(shares, seen.tolist(), strict=True)
    )


def _errors_among(first: Floats, scores: Floats, verdicts: Bools) -> Floats:
    """Errors among the first k cells by falling score, for each k; linear within a block of equal scores."""
    levels, level, size = np.unique(scores, return_inverse=True, return_counts=True)
    wrong = np.bincount(level, weights=(~verdicts).astype(float), minlength=len(levels))
    ends = np.concatenate(([0.0], np.cumsum(size[::-1])))
    errors = np.concatenate(([0.0], np.cumsum(wrong[::-1])))
    return np.asarray(np.interp(first, ends, errors), dtype=float)


def _resamples(chance: np.random.Generator, documents: int, draws: int, chunk: int) -> list[Floats]:
    """How often each document is in each resample: arrays of documents x up to ``chunk`` draws."""
    found = []
    for start in range(0, draws, chunk):
        many = min(chunk, draws - start)
        picked = chance.integers(0, documents, size=(many, documents)) + documents * np.arange(many)[:, None]
        counts = np.bincount(picked.ravel(), minlength=many * documents).reshape(many, documents)
        found.append(np.ascontiguousarray(counts.T, dtype=float))
    return found


def _with_score(
    confidence: npt.ArrayLike, right: npt.ArrayLike, document: npt.ArrayLike | None = None
) -> tuple[Floats, Bools, Integers]:
    scores, verdicts, places = checked(confidence, right, document)
    told = ~np.isnan(scores)
    return scores[told], verdicts[told], np.unique(places[told], return_inverse=True)[1].astype(np.intp)
