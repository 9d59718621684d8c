"""The same extractor run several times: spread of the headline, unstable cells, and where the variance lies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import sqrt
from statistics import fmean, stdev
from typing import Any

from scoring.statistics.proportions import check_numbers


@dataclass(frozen=True, slots=True)
class Headline:
    """A score over several runs: mean, standard deviation (K - 1), lowest and highest run.

    ``run_noise`` is ``sd / sqrt(K)``, the standard error of the mean as far as it comes from the runs;
    it says nothing of what other documents would give. Both are None for one run, all for none.
    """

    runs: int
    mean: float | None
    sd: float | None
    lowest: float | None
    highest: float | None
    run_noise: float | None

    def to_json(self) -> dict[str, Any]:
        """A plain mapping; what is undefined is null."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Stability:
    """How far the cells of K runs agree with each other; all shares are 0..1 and None where they are undefined.

    ``same_values`` is TARa@K, the share of cells with one normalised value in all runs, and
    ``same_texts`` TARr@K, that of cells with one raw text: Atil et al., "Non-determinism of
    deterministic LLM settings", arXiv 2408.04667, 2024. ``pair_flip_rate`` is the share of pairs of runs in
    which the value of a cell differs. ``best`` and ``worst`` are the shares of cells that are right in at
    least one run and in all runs: no single run need reach the best. None of these without gold.
    """

    cells: int
    runs: int
    same_values: float | None
    same_texts: float | None
    pair_flip_rate: float | None
    best: float | None
    worst: float | None

    def to_json(self) -> dict[str, Any]:
        """A plain mapping; what is undefined is null."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Variance:
    """The variance of a score of single documents in single runs, split in two, and what it does to the mean.

    ``between_documents`` and ``within_runs`` add up to the variance of one document in one run. The
    standard error of the mean over all is ``se``; ``run_se`` is the part that further runs would
    shrink, ``document_se`` the part that only further documents would.
    """

    documents: int
    runs: int
    mean: float | None
    between_documents: float | None
    within_runs: float | None
    se: float | None
    document_se: float | None
    run_se: float | None

    def to_json(self) -> dict[str, Any]:
        """A plain mapping; what is undefined is null."""
        return asdict(self)


def headline(scores: Sequence[float]) -> Headline:
    """The spread of one score of each run, in the unit of the scores. Raises ValueError for NaN and infinite ones."""
    check_numbers(scores, "score of a run")
    if not scores:
        return Headline(0, None, None, None, None, None)
    sd = stdev(scores) if len(scores) > 1 else None
    noise = None if sd is None else sd / sqrt(len(scores))
    return Headline(len(scores), fmean(scores), sd, min(scores), max(scores), noise)


def stability(
    values: Sequence[Sequence[str | None]],
    *,
    texts: Sequence[Sequence[str | None]] | None = None,
    gold: Sequence[str | None] | None = None,
) -> Stability:
    """How stable the cells are; ``values`` has for each cell its normalised value in each run, None where missing.

    ``texts`` are the raw texts of the same cells, ``gold`` their right values. A value that is missing
    in two runs is the same in both. Raises ValueError where cells have unequally many runs, or texts
    and gold are not of the same cells.
    """
    runs = _runs(values, "value")
    if texts is not None and (len(texts) != len(values) or (texts and _runs(texts, "text") != runs)):
        raise ValueError(f"texts of {len(texts)} cells for {len(values)} cells of {runs} runs, expected one for each")
    if gold is not None and len(gold) != len(values):
        raise ValueError(f"{len(gold)} gold values for {len(values)} cells, expected one for each")
    pairs = len(values) * (runs * (runs - 1) // 2)
    same = sum(times * (times - 1) // 2 for cell in values for times in Counter(cell).values())
    judged = None
    if gold is not None:
        judged = [[value == right for value in cell] for cell, right in zip(values, gold, strict=True)]
    return Stability(
        cells=len(values),
        runs=runs,
        same_values=_share([len(set(cell)) == 1 for cell in values]),
        same_texts=None if texts is None else _share([len(set(cell)) == 1 for cell in texts]),
        pair_flip_rate=(pairs - same) / pairs if pairs else None,
        best=None if judged is None else _share([any(cell) for cell in judged]),
        worst=None if judged is None else _share([all(cell) for cell in judged]),
    )


def variance(scores: Sequence[Sequence[float]]) -> Variance:
    """Where the variance of a score lies; ``scores`` has for each document its score in each run.

    The one-way analysis of variance with random effects: within is the mean square within documents,
    between is what the mean square between documents has above it, divided by K, and at least 0.
    Searle, Casella and McCulloch, *Variance Components*, 1992, chapter 3. Undefined (None) with fewer than
    two documents or runs. Raises ValueError where documents have unequally many runs,
    or a score is NaN or infinite.
    """
    documents, runs = len(scores), _runs(scores, "score")
    for number, document in enumerate(scores):
        check_numbers(document, f"score of document {number}")
    mean = fmean(score for document in scores for score in document) if documents and runs else None
    if documents < 2 or runs < 2:
        return Variance(documents, runs, mean, None, None, None, None, None)
    means = [fmean(document) for document in scores]
    of_means = stdev(means) ** 2
    within = fmean(stdev(document) ** 2 for document in scores)
    between = max(0.0, of_means - within / runs)
    return Variance(
        documents,
        runs,
        mean,
        between,
        within,
        se=sqrt(of_means / documents),
        document_se=sqrt(between / documents),
        run_se=sqrt(within / (documents * runs)),
    )


def _runs(rows: Sequence[Sequence[object]], what: str) -> int:
    runs = len(rows[0]) if rows else 0
    for number, row in enumerate(rows):
        if len(row) != runs or not row:
            raise ValueError(
                f"{what}s of {len(row)} runs at place {number} and of {runs} at place 0, "
                f"expected one {what} for each run, and at least one run"
            )
    return runs


def _share(found: Sequence[bool]) -> float | None:
    return sum(found) / len(found) if found else None
