"""How often 95 % intervals hold the truth, and tests raise false alarms; their time: python -m benchmarks.intervals"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Mapping
from math import erfc, sqrt

import numpy as np

from benchmarks.figures import Figure, printed
from scoring import Counts, proportion_interval
from scoring.statistics.comparison import Runs, compare
from scoring.statistics.intervals import Floats, bootstrap_intervals, logit_t_interval, ratio_parts

DOCUMENTS, CELLS = (20, 50, 200), (5, 80)
# Cells are right by chance of exp(x) / (1 + exp(x)), x normal around this over documents: about nine of ten.
MIDDLE, SPREADS = 2.5, (1.0, 0.0)
# What the interval that the app shows must keep from so many documents on; 400 trials tell it to one point.
FROM_DOCUMENTS, LEAST_COVERAGE = 50, 0.92
# Two extractors of the same quality differ so much in single documents, in logits.
RUN_SPREAD = 0.7
ALPHA, MOST_FALSE_ALARMS = 0.05, 0.08
SIZES, RUNS, WITHIN_MS = (1_000, 10_000), 5, 2_000

Ends = tuple[float | None, float | None]


def corpus(chance: np.random.Generator, documents: int, spread: float) -> Floats:
    """Right cells and cells of each document."""
    cells = chance.integers(CELLS[0], CELLS[1] + 1, size=documents)
    share = 1 / (1 + np.exp(-chance.normal(MIDDLE, spread, size=documents)))
    return np.stack([chance.binomial(cells, share), cells], axis=1).astype(np.float64)


def true_score(spread: float) -> float:
    """The score of infinitely many documents: the mean of the shares, by the trapezoidal rule."""
    x = np.linspace(-8, 8, 4001)
    density = np.exp(-x * x / 2)
    return float((density / (1 + np.exp(-(MIDDLE + spread * x)))).sum() / density.sum())


def of_cells(parts: Floats) -> Ends:
    """Wilson's, as if all cells were independent."""
    right, cells = parts.sum(axis=0)
    return proportion_interval(int(right), int(cells)) or (None, None)


def of_resampled_documents(parts: Floats) -> Ends:
    (interval,) = bootstrap_intervals(parts[:, None, :])
    return interval.low, interval.high


def of_logit_t(parts: Floats) -> Ends:
    interval = logit_t_interval(parts)
    return interval.low, interval.high


METHODS: Mapping[str, Callable[[Floats], Ends]] = {
    "Wilson of cells": of_cells,
    "document bootstrap": of_resampled_documents,
    "logit-t": of_logit_t,
}


def coverage(documents: int, spread: float, *, trials: int) -> dict[str, tuple[float, float]]:
    """Of each method the share of corpora whose interval holds the true score, and the mean width."""
    truth, chance = true_score(spread), np.random.default_rng(documents)
    held, widths = dict.fromkeys(METHODS, 0), dict.fromkeys(METHODS, 0.0)
    for _ in range(trials):
        parts = corpus(chance, documents, spread)
        for name, method in METHODS.items():
            low, high = method(parts)
            if low is not None and high is not None:
                held[name] += low <= truth <= high
                widths[name] += high - low
    return {name: (held[name] / trials, widths[name] / trials) for name in METHODS}


def coverages(trials: int) -> bool:
    """Print the table; whether logit-t holds what it should."""
    print(f"{'documents':<12}{'between them':<16}" + "".join(f"{name:>26}" for name in METHODS))
    kept = True
    for spread in SPREADS:
        for documents in DOCUMENTS:
            found = coverage(documents, spread, trials=trials)
            words = f"{documents:<12}{f'sd {spread:g} logit':<16}"
            print(words + "".join(f"{f'{held:.3f} (width {width:.3f})':>26}" for held, width in found.values()))
            kept &= documents < FROM_DOCUMENTS or found["logit-t"][0] >= LEAST_COVERAGE
    verdict = "kept" if kept else "MISSED"
    print(f"\n{trials} trials each. Logit-t from {FROM_DOCUMENTS} documents on: {verdict} at least {LEAST_COVERAGE}.\n")
    return kept


def two_runs(chance: np.random.Generator, documents: int) -> tuple[Runs, Runs]:
    """Two extractors of the same quality over the same documents."""
    cells = chance.integers(CELLS[0], CELLS[1] + 1, size=documents)
    ease = chance.normal(MIDDLE, 1, size=documents)
    runs = []
    for _ in range(2):
        share = 1 / (1 + np.exp(-chance.normal(ease, RUN_SPREAD)))
        counted = zip(chance.binomial(cells, share).tolist(), cells.tolist(), strict=True)
        runs.append({str(number): [Counts(right, of, of)] for number, (right, of) in enumerate(counted)})
    return runs[0], runs[1]


def of_cells_p(a: Runs, b: Runs) -> float:
    """The z-test of two proportions, as if all cells were independent."""
    (right_a, cells), (right_b, _) = (
        ratio_parts(counts for (counts,) in run.values()).sum(axis=0).tolist() for run in (a, b)
    )
    rate = (right_a + right_b) / (2 * cells)
    return erfc(abs(right_a - right_b) / cells / sqrt(2 * rate * (1 - rate) / cells) / sqrt(2))


def false_alarms(trials: int) -> bool:
    """Print how often two extractors of the same quality seem to differ; whether the app's tests do so seldom."""
    print(f"{'documents':<12}{'z-test of cells':>20}{'swap test':>20}{'interval without 0':>20}")
    most = 0.0
    for documents in DOCUMENTS:
        chance, alarms = np.random.default_rng(documents), np.zeros(3)
        for _ in range(trials):
            a, b = two_runs(chance, documents)
            found = compare(a, b)
            apart = found.low is not None and found.high is not None and not found.low <= 0 <= found.high
            by_swaps = found.p_value is not None and found.p_value < ALPHA
            alarms += (of_cells_p(a, b) < ALPHA, by_swaps, apart)
        print(f"{documents:<12}" + "".join(f"{share:>20.3f}" for share in alarms / trials))
        if documents >= FROM_DOCUMENTS:
            most = max(most, *(alarms[1:] / trials))
    kept = most <= MOST_FALSE_ALARMS
    verdict = "kept" if kept else "MISSED"
    print(f"\n{trials} trials each. The latter two from {FROM_DOCUMENTS} on: {verdict} at most {MOST_FALSE_ALARMS}.\n")
    return kept


def milliseconds(work: Callable[[], object]) -> list[float]:
    """CPU time of a few runs."""
    times = []
    for _ in range(RUNS):
        start = time.process_time()
        work()
        times.append((time.process_time() - start) * 1000)
    return times


def times(size: int) -> list[Figure]:
    """What so many documents take."""
    first, second = two_runs(np.random.default_rng(size), size)
    together = np.stack([ratio_parts(counts for (counts,) in first.values())] * 12, axis=1)
    work: dict[str, Callable[[], object]] = {
        "bootstrap of 1 metric": lambda: bootstrap_intervals(together[:, :1]),
        "bootstrap of 12 metrics": lambda: bootstrap_intervals(together),
        "logit-t of 1 metric": lambda: logit_t_interval(together[:, 0]),
        "comparison of two runs": lambda: compare(first, second),
    }
    return [Figure(f"{size:,} documents: {name}", milliseconds(do), WITHIN_MS) for name, do in work.items()]


def main() -> int:
    """Print both tables; exit status 1 where a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=400, help="how many corpora to simulate for each line")
    trials = parser.parse_args().trials
    held, quiet = coverages(trials), false_alarms(trials)
    in_time = printed([figure for size in SIZES for figure in times(size)])
    return 0 if held and quiet and in_time else 1


if __name__ == "__main__":
    sys.exit(main())
