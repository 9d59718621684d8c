"""Two runs over the same documents: difference of micro F1, swap test, and McNemar's tests of pass and fail."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import erfc, inf, sqrt
from typing import Any

import numpy as np

from scoring.counts import Counts
from scoring.statistics.intervals import (
    BLOCK,
    DRAWS,
    FEWEST_DOCUMENTS,
    ROUNDING,
    SEED,
    Floats,
    Ratio,
    bootstrap_ratios,
    in_order,
    ratio_parts,
    weighted_ratios,
)
from scoring.statistics.proportions import check_at_least_one, check_level

# All swaps are tried up to 2 ** 16 = 65,536 of them, else so many at random.
MOST_DOCUMENTS_FOR_ALL_SWAPS = 16
SWAPS = 10_000

# The counts of a document in each run over it.
Runs = Mapping[str, Sequence[Counts]]


@dataclass(frozen=True, slots=True)
class Comparison:
    """How much higher B scores than A on the same documents.

    ``difference`` is b - a, -1..1, with its interval ``low`` to ``high`` at ``level``; these are None
    where no interval can be given, and ``reason`` says why. ``p_value`` is two-sided, against the
    hypothesis that it makes no difference which run a document's counts came from; it is exact where
    ``all_swaps``, else from ``swaps`` random ones. ``differing`` of ``documents`` have other counts in
    A than in B. Scores are None where nothing was counted.
    """

    ratio: Ratio
    a: float | None
    b: float | None
    difference: float | None
    low: float | None
    high: float | None
    level: float
    p_value: float | None
    swaps: int
    all_swaps: bool
    documents: int
    differing: int
    draws: int
    seed: int
    reason: str = ""

    def to_json(self) -> dict[str, Any]:
        """A plain mapping; what is undefined is null."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class McNemar:
    """Tests of whether A and B pass equally often, from the documents that only one of them passes.

    ``statistic`` is McNemar's chi-square of one degree of freedom, ``corrected`` that with
    continuity correction. Report ``mid_p``: ``exact_p`` is never too small, but often much too large.
    All are None where no document tells A from B.
    """

    only_a: int
    only_b: int
    statistic: float | None
    p_value: float | None
    corrected: float | None
    corrected_p: float | None
    exact_p: float | None
    mid_p: float | None

    def to_json(self) -> dict[str, Any]:
        """A plain mapping; what is undefined is null."""
        return asdict(self)


def compare(
    a: Runs, b: Runs, *, ratio: Ratio = "f1", level: float = 0.95, draws: int = DRAWS, seed: int = SEED
) -> Comparison:
    """Micro precision, recall or F1 of B minus that of A, paired by document.

    ``a`` and ``b`` name the same documents and hold their counts, one ``Counts`` for each run;
    several runs of a document are averaged first, as they are no further documents. The interval is
    the percentile interval of the difference over resampled documents. The p-value comes from
    swapping A and B within documents: Noreen, *Computer-Intensive Methods for Testing Hypotheses*,
    1989; of random swaps it is ``(1 + as extreme) / (1 + swaps)``: Phipson and Smyth, "Permutation
    p-values should never be zero", 2010. Raises ValueError where a document is missing on one side
    or has no run, for a level outside 0..1, or no draws.
    """
    check_level(level)
    check_at_least_one(draws, "draws")
    parts = in_order(_paired_parts(a, b, ratio))
    score_a, score_b = _ratios(parts)
    counted = int((parts[..., 1].sum(axis=1) > 0).sum())
    differing = parts[(parts[:, 0] != parts[:, 1]).any(axis=1)]
    all_swaps = len(differing) <= MOST_DOCUMENTS_FOR_ALL_SWAPS
    swaps = 2 ** len(differing) if all_swaps else SWAPS
    low = high = difference = p_value = None
    if score_a is None or score_b is None:
        reason = "nothing was counted in one of the two"
    else:
        difference = score_b - score_a
        p_value = _swap_p(parts.sum(axis=0), differing, abs(difference), all_swaps=all_swaps, seed=seed)
        reason = _reason_against(counted, len(differing))
    if not reason:
        ratios = bootstrap_ratios(parts, draws=draws, seed=seed)
        tail = (1 - level) / 2
        low, high = np.nanquantile(ratios[:, 1] - ratios[:, 0], (tail, 1 - tail)).tolist()
    return Comparison(
        ratio=ratio,
        a=score_a,
        b=score_b,
        difference=difference,
        low=low,
        high=high,
        level=level,
        p_value=p_value,
        swaps=swaps,
        all_swaps=all_swaps,
        documents=counted,
        differing=len(differing),
        draws=draws,
        seed=seed,
        reason=reason,
    )


def mcnemar(only_a: int, only_b: int) -> McNemar:
    """McNemar's tests, from how many documents pass in A only and in B only.

    McNemar, Psychometrika 12, 1947; corrected: Edwards, Psychometrika 13, 1948; mid-p: Fagerland,
    Lydersen and Laake, BMC Medical Research Methodology 13:91, 2013. The same units as everywhere:
    documents, not cells. Raises ValueError for a negative number.
    """
    from scipy.special import bdtr

    if not 0 <= only_a < inf or not 0 <= only_b < inf:
        raise ValueError(f"{only_a} only in A and {only_b} only in B, expected numbers from 0 on")
    both = only_a + only_b
    if both == 0:
        return McNemar(0, 0, None, None, None, None, None, None)
    gap, fewer = abs(only_a - only_b), min(only_a, only_b)
    statistic, corrected = gap**2 / both, max(0, gap - 1) ** 2 / both
    at_most = float(bdtr(fewer, both, 0.5))
    below = float(bdtr(fewer - 1, both, 0.5)) if fewer else 0.0
    return McNemar(
        only_a=only_a,
        only_b=only_b,
        statistic=statistic,
        p_value=erfc(sqrt(statistic / 2)),
        corrected=corrected,
        corrected_p=erfc(sqrt(corrected / 2)),
        exact_p=min(1.0, 2 * at_most),
        mid_p=min(1.0, at_most + below),
    )


def _paired_parts(a: Runs, b: Runs, ratio: Ratio) -> Floats:
    """Shape (documents, 2, 2): A and B, numerator and denominator, averaged over the runs of a document."""
    for runs, other, side, absent in ((a, b, "A", "B"), (b, a, "B", "A")):
        for document, counts in runs.items():
            if document not in other:
                raise ValueError(
                    f"document {document!r} is in {side} but not in {absent}, expected the same documents in both; "
                    "if its extraction failed, count all of its gold cells as missed"
                )
            if not counts:
                raise ValueError(f"document {document!r} has no run in {side}, expected the counts of at least one")
    if not a:
        return np.empty((0, 2, 2))
    means = []
    for runs in (a, b):
        repeats = [runs[document] for document in a]
        each = ratio_parts((counts for repeat in repeats for counts in repeat), ratio=ratio)
        lengths = np.array([len(repeat) for repeat in repeats])
        means.append(np.add.reduceat(each, np.cumsum(lengths) - lengths) / lengths[:, None])
    return np.stack(means, axis=1)


def _ratios(parts: Floats) -> tuple[float | None, float | None]:
    score_a, score_b = weighted_ratios(parts, np.ones((1, len(parts))))[0].tolist()
    return None if score_a != score_a else score_a, None if score_b != score_b else score_b


def _reason_against(documents: int, differing: int) -> str:
    if documents < FEWEST_DOCUMENTS:
        return f"too few documents for an interval: {documents}, expected at least {FEWEST_DOCUMENTS}"
    if not differing:
        return f"A and B have the same counts in all {documents} documents"
    return ""


def _swap_p(sums: Floats, differing: Floats, observed: float, *, all_swaps: bool, seed: int) -> float:
    """The share of swaps with at least the observed difference; documents without a difference do not matter."""
    # What a swapped document takes from B's numerator and denominator and gives to A's.
    moved = differing[:, 1] - differing[:, 0]
    as_extreme = tried = 0
    for swapped in _all_swaps(len(moved)) if all_swaps else _random_swaps(len(moved), seed):
        given = swapped @ moved
        a, b = sums[0] + given, sums[1] - given
        with np.errstate(divide="ignore", invalid="ignore"):
            found = np.abs(b[:, 0] / b[:, 1] - a[:, 0] / a[:, 1])
        # Written so that an undefined difference counts as extreme: it never makes p too small.
        as_extreme += len(found) - int((found < observed - ROUNDING).sum())
        tried += len(found)
    return as_extreme / tried if all_swaps else (1 + as_extreme) / (1 + tried)


def _all_swaps(documents: int) -> Iterator[Floats]:
    numbers = np.arange(2**documents)[:, None]
    yield (numbers >> np.arange(documents) & 1).astype(np.float64)


def _random_swaps(documents: int, seed: int) -> Iterator[Floats]:
    chance = np.random.default_rng(seed)
    rows = max(1, BLOCK // documents)
    for start in range(0, SWAPS, rows):
        yield chance.integers(0, 2, size=(min(rows, SWAPS - start), documents), dtype=np.int8).astype(np.float64)
