"""Thresholds with a promise: from which confidence on cells may pass unseen, and how sure that is."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from hashlib import sha256

import numpy as np
import numpy.typing as npt

from scoring.confidence.scored_cells import Floats, checked
from scoring.statistics.intervals import FEWEST_DOCUMENTS
from scoring.statistics.proportions import proportion_interval

ALPHA = 0.02
DELTA = 0.1
SEED = 20261130
# The accepted shares that are tried, and how many times the zero-error sample the first of them is.
STEPS = 25
SPARE = 3
# A low badge says that cells are right less often than this, measured on groups of so many.
LOW_ACCURACY = 0.8
LEAST_IN_GROUP = 50
GROUPS = 20


@dataclass(frozen=True, slots=True)
class Threshold:
    """Accept cells with confidence >= ``tau``: at most ``alpha`` of them are wrong, with chance 1 - ``delta``.

    The chance is that of drawing the calibration documents, and future ones must be like them.
    ``accepted`` cells of the ``cells`` with a score passed there, ``wrong`` of them wrong;
    ``effective`` is what they are worth as independent cells, ``upper`` the upper limit of their
    error. Where nothing can be promised, ``tau``, ``effective`` and ``upper`` are None and ``reason``
    says why; else it is "".
    """

    tau: float | None
    alpha: float
    delta: float
    cells: int
    documents: int
    accepted: int = 0
    wrong: int = 0
    effective: float | None = None
    upper: float | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RiskControl:
    """Accept cells with confidence >= ``tau``: expected undetected errors per 100 cells <= 100 ``alpha``.

    That counts accepted wrong cells among *all* cells of a document, on average over documents. It
    is no promise about the error among the accepted cells. ``tau`` None: nothing, for ``reason``.
    """

    tau: float | None
    alpha: float
    documents: int
    undetected_per_100: float | None
    reason: str = ""
    label: str = "expected undetected errors per 100 cells"


@dataclass(frozen=True, slots=True)
class BadgeLimits:
    """High: confidence >= ``high``. Low: confidence < ``low``. Medium: between. No score is its own badge.

    ``high`` is the tau of a ``Threshold``. Up to ``low`` fewer than 80 % of cells are right;
    ``cells_below`` cells have a lower confidence, ``right_below`` of them right. None: there is no
    such badge, for the reason given.
    """

    high: float | None
    low: float | None
    cells_below: int
    right_below: int
    high_reason: str = ""
    low_reason: str = ""


def learn_then_test(
    confidence: npt.ArrayLike,
    right: npt.ArrayLike,
    document: npt.ArrayLike,
    *,
    alpha: float = ALPHA,
    delta: float = DELTA,
) -> Threshold:
    """The loosest threshold whose error among accepted cells is at most ``alpha``, but for a chance ``delta``.

    Fixed-sequence testing of accepted numbers of cells, strict to loose, set before a verdict is
    seen (Angelopoulos et al., "Learn then Test", arXiv 2110.01052). Each is tested by the exact
    binomial limit of Clopper and Pearson (Biometrika 26, 1934) on the effective number of cells,
    which is the number over the design effect of documents (Korn and Graubard, Survey Methodology
    24, 1998); the first failure ends the sequence. Cells of one confidence are accepted together.
    Cells without a score (NaN) are never accepted. Without an error the design effect is unknown
    and taken as 1. Raises ValueError unless alpha and delta are between 0 and 1.
    """
    first = SPARE * zero_error_sample(alpha, delta=delta)
    scores, verdicts, places = checked(confidence, right, document)
    told = ~np.isnan(scores)
    order = np.argsort(-scores[told], kind="stable")
    scores, wrong, places = scores[told][order], ~verdicts[told][order], places[told][order]
    known, starts, places = np.unique(places, return_index=True, return_inverse=True)
    documents = len(known)
    found = Threshold(None, alpha, delta, len(scores), documents)
    if documents < FEWEST_DOCUMENTS or len(scores) < first:
        reason = (
            f"too few to promise {_percent(alpha)}: scored cells {len(scores)}, documents {documents}, "
            f"expected at least {first} and {FEWEST_DOCUMENTS}"
        )
        return replace(found, reason=reason)
    # Which documents come first depends on the scores alone, so that the verdicts do not choose the start.
    first = _block_end(scores, max(first, int(np.sort(starts)[FEWEST_DOCUMENTS - 1]) + 1))
    wanted = np.linspace(first, len(scores), STEPS).round().astype(int)
    tried = sorted({_block_end(scores, n) for n in wanted.tolist()})
    errors, sizes, before = np.zeros(len(starts)), np.zeros(len(starts)), 0
    for n in tried:
        errors += np.bincount(places[before:n], weights=wrong[before:n].astype(float), minlength=len(errors))
        sizes += np.bincount(places[before:n], minlength=len(sizes))
        before, mistakes = n, int(errors.sum())
        effective = n / _design_effect(errors, sizes)
        upper = exact_upper_limit(mistakes / n * effective, effective, delta=delta)
        if upper > alpha:
            if found.tau is None:
                reason = (
                    f"even of the {n} cells with the highest scores {mistakes} are wrong: their error may be "
                    f"{_percent(upper)}, which is above {_percent(alpha)}"
                )
                return replace(found, reason=reason)
            break
        tau = float(scores[n - 1])
        found = replace(found, tau=tau, accepted=n, wrong=mistakes, effective=effective, upper=upper)
    return found


def conformal_risk_control(
    confidence: npt.ArrayLike, right: npt.ArrayLike, document: npt.ArrayLike, *, alpha: float = ALPHA
) -> RiskControl:
    """The loosest threshold with expected undetected errors per 100 cells of at most 100 ``alpha``.

    The loss of a document is the share of its predicted cells that are accepted and wrong. With its
    mean R over n documents the threshold is the lowest with ``n/(n+1) R + 1/(n+1) <= alpha``
    (Angelopoulos, Bates, Fisch, Lei and Schuster, "Conformal Risk Control", arXiv 2208.02814), so
    that at least 1/alpha - 1 documents are needed. Cells without a score (NaN) count in their
    document and are never accepted. Raises ValueError unless alpha is between 0 and 1.
    """
    zero_error_sample(alpha)
    scores, verdicts, places = checked(confidence, right, document)
    sizes = np.bincount(places)
    documents = len(sizes)
    least = math.ceil(1 / alpha - 1 - 1e-9)
    if documents < least:
        reason = f"too few documents to promise {_percent(alpha)}: {documents}, expected at least {least}"
        return RiskControl(None, alpha, documents, None, reason)
    told = ~np.isnan(scores)
    if not told.any():
        return RiskControl(None, alpha, documents, None, "no cell has a score")
    order = np.argsort(-scores[told], kind="stable")
    ranked = scores[told][order]
    losses = np.cumsum(((~verdicts) / sizes[places])[told][order]) / documents
    # A threshold takes in all cells of its score.
    ends = np.flatnonzero(np.append(ranked[1:] < ranked[:-1], True))
    bounds = (documents * losses[ends] + 1) / (documents + 1)
    kept = int(np.searchsorted(bounds, alpha + 1e-12, side="right"))
    if not kept:
        reason = f"the cells with the highest score alone have {100 * bounds[0]:.2g} undetected errors per 100 cells"
        return RiskControl(None, alpha, documents, None, reason)
    return RiskControl(float(ranked[ends[kept - 1]]), alpha, documents, float(100 * bounds[kept - 1]))


def badge_limits(confidence: npt.ArrayLike, right: npt.ArrayLike, threshold: Threshold) -> BadgeLimits:
    """From which score a badge is high, and below which it is low; cells without a score are left out.

    The cells are taken from the lowest score up in at most 20 groups of at least 50 cells, those of
    one score together. ``low`` is the lowest score of the first group for which the upper end of the
    95 % Wilson interval of its accuracy reaches 80 %, but not above ``high``.
    """
    scores, verdicts, _ = checked(confidence, right)
    told = ~np.isnan(scores)
    order = np.argsort(scores[told], kind="stable")
    ranked, true = scores[told][order], verdicts[told][order]
    size = max(LEAST_IN_GROUP, math.ceil(len(ranked) / GROUPS))
    start = 0
    while start + size <= len(ranked):
        end = int(np.searchsorted(ranked, ranked[start + size - 1], side="right"))
        interval = proportion_interval(int(true[start:end].sum()), end - start)
        if interval is None or interval[1] >= LOW_ACCURACY:
            break
        start = end
    if not start:
        few = f"too few scored cells: {len(ranked)}, expected at least {LEAST_IN_GROUP}"
        high_enough = f"even the cells with the lowest scores may be right in {_percent(LOW_ACCURACY)} or more"
        reason = few if len(ranked) < LEAST_IN_GROUP else high_enough
        return BadgeLimits(threshold.tau, None, 0, 0, threshold.reason, reason)
    low = float(ranked[min(start, len(ranked) - 1)])
    if threshold.tau is not None:
        low = min(low, threshold.tau)
    below = int(np.searchsorted(ranked, low))
    return BadgeLimits(threshold.tau, low, below, int(true[:below].sum()), threshold.reason)


def calibration_documents(documents: Iterable[str], *, seed: int = SEED) -> frozenset[str]:
    """The half of the documents to choose a threshold on (the larger one); the others are to report on.

    Documents are ordered by a hash of seed and name, so that the halves depend on no order, and a
    new document moves at most one other.
    """
    ranked = sorted(set(documents), key=lambda name: sha256(f"{seed}:{name}".encode()).digest())
    return frozenset(ranked[: (len(ranked) + 1) // 2])


def zero_error_sample(alpha: float, *, delta: float = 0.05) -> int:
    """How many independent cells, all right, show an error of at most ``alpha`` with chance 1 - ``delta``.

    ``ln(delta) / ln(1 - alpha)``, rounded up: 149 for 2 % at 95 %. Raises ValueError unless both
    are between 0 and 1.
    """
    if not 0 < alpha < 1 or not 0 < delta < 1:
        raise ValueError(f"alpha {alpha} and delta {delta}, expected both between 0 and 1, such as .02 and .1")
    return math.ceil(math.log(delta) / math.log1p(-alpha))


def least_promise(cells: int, *, delta: float = DELTA) -> float | None:
    """The smallest ``alpha`` that ``learn_then_test`` can promise with so many scored cells; None without a cell."""
    tries = cells // SPARE
    return -math.expm1(math.log(delta) / tries) if tries else None


def exact_upper_limit(wrong: float, of: float, *, delta: float = DELTA) -> float:
    """The one-sided exact upper limit of a rate, 0..1: with chance 1 - ``delta`` the true rate is below it.

    Clopper and Pearson, Biometrika 26, 1934, by the beta distribution, which takes effective numbers
    that are not whole too. Raises ValueError unless 0 <= wrong <= of, a finite number, and 0 < delta < 1.
    """
    from scipy.special import betaincinv

    if not 0 < delta < 1:
        raise ValueError(f"delta {delta}, expected more than 0 and less than 1, such as .1")
    if not 0 <= wrong <= of < math.inf:
        raise ValueError(f"{wrong} wrong of {of}, expected 0 to {of}")
    return 1.0 if wrong >= of else float(betaincinv(wrong + 1, of - wrong, 1 - delta))


def design_effect(wrong: npt.ArrayLike, document: npt.ArrayLike) -> float:
    """How many times the variance of an error rate is that of independent cells, at least 1.

    With W_d wrong of A_d cells in each of D documents and r = sum W / sum A, the variance is
    ``D/(D-1) sum (W_d - r A_d)^2 / (sum A)^2``, that of a ratio (Cochran, Sampling Techniques, 6);
    the effect is its quotient by ``r (1 - r) / sum A``. 1 where no cell or every cell is wrong, and
    for one document, as nothing can be told then.
    """
    _, mistakes, places = checked(np.zeros(np.shape(wrong)), wrong, document)
    errors: Floats = np.bincount(places, weights=mistakes.astype(float)).astype(float)
    return _design_effect(errors, np.bincount(places).astype(float))


def error_limit(wrong: npt.ArrayLike, document: npt.ArrayLike, *, delta: float = DELTA) -> float | None:
    """The upper limit of the error rate of some cells, 0..1, on their number over the design effect of documents.

    With chance 1 - ``delta`` the true rate is below it where the cells were chosen before their verdicts were seen;
    None without a cell. Raises ValueError as ``exact_upper_limit`` does.
    """
    _, mistakes, places = checked(np.zeros(np.shape(wrong)), wrong, document)
    if not len(mistakes):
        return None
    errors: Floats = np.bincount(places, weights=mistakes.astype(float)).astype(float)
    effective = len(mistakes) / _design_effect(errors, np.bincount(places).astype(float))
    return exact_upper_limit(float(mistakes.mean()) * effective, effective, delta=delta)


def _design_effect(errors: Floats, sizes: Floats) -> float:
    """The same of wrong cells and cells in each document; documents without cells do not count."""
    cells, documents = sizes.sum(), np.count_nonzero(sizes)
    rate = errors.sum() / cells if cells else 0.0
    if documents < 2 or not 0 < rate < 1:
        return 1.0
    spread = errors - rate * sizes
    variance = documents / (documents - 1) * (spread @ spread) / cells**2
    return float(max(1.0, variance / (rate * (1 - rate) / cells)))


def _block_end(scores: Floats, n: int) -> int:
    """How many cells have at least the score of the n-th; ``scores`` fall."""
    return int(np.searchsorted(-scores, -scores[n - 1], side="right"))


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"
