"""How often thresholds break their promise, in simulated documents: python -m benchmarks.thresholds

Each trial draws documents of 30 cells, chooses a threshold on them, and asks for the error among
accepted cells that this threshold has over all documents there could be. Ends with status 1 where the
threshold that heeds documents breaks its promise more often than delta, beyond what so many trials show.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from benchmarks.figures import machine
from scoring.confidence.thresholds import conformal_risk_control, learn_then_test
from scoring.statistics.proportions import exact_interval

ALPHA, DELTA = 0.02, 0.1
CELLS = 30
DOCUMENTS = (50, 200, 1000)
SEED = 20261130
POPULATION = 40_000

Floats = npt.NDArray[np.float64]
Sample = tuple[Floats, npt.NDArray[np.bool_], npt.NDArray[np.intp]]
Chooser = Callable[[Sample], float | None]


@dataclass(frozen=True)
class World:
    """Confidence is the logistic of a normal number; a document adds one of its own to the odds of an error.

    ``shared`` is the standard deviation of that number, in logits; 0 makes all cells independent.
    In a share ``broken`` of documents every cell is wrong, whatever its confidence.
    """

    name: str
    shared: float
    level: float
    broken: float = 0.0

    def draw(self, documents: int, chance: np.random.Generator) -> tuple[Floats, Floats]:
        """Confidence and chance of an error of each cell, documents x cells."""
        logit = self.level + 2.0 * chance.normal(size=(documents, CELLS))
        own = self.shared * chance.normal(size=(documents, 1))
        error = 1 / (1 + np.exp(logit + own))
        return 1 / (1 + np.exp(-logit)), np.where(chance.random((documents, 1)) < self.broken, 1.0, error)

    def truth(self) -> tuple[Floats, Floats]:
        """Scores from high to low, and the error among all cells that have at least this score."""
        confidence, error = self.draw(POPULATION, np.random.default_rng(SEED))
        order = np.argsort(-confidence, axis=None)
        return confidence.ravel()[order], np.cumsum(error.ravel()[order]) / np.arange(1, error.size + 1)


WORLDS = (
    World("independent", 0.0, 3.76),
    World("clustered", 1.5, 3.87),
    World("broken documents", 0.0, 3.76, broken=0.03),
)


def naive(sample: Sample) -> float | None:
    """The loosest threshold that met the target on the sample."""
    confidence, right, _ = sample
    order = np.argsort(-confidence)
    met = np.flatnonzero(np.cumsum(~right[order]) / np.arange(1, len(order) + 1) <= ALPHA)
    return float(confidence[order][met[-1]]) if met.size else None


def cells_alone(sample: Sample) -> float | None:
    """Learn-then-Test as if each cell were a document."""
    confidence, right, document = sample
    return learn_then_test(confidence, right, np.arange(len(document)), alpha=ALPHA, delta=DELTA).tau


def by_document(sample: Sample) -> float | None:
    """Learn-then-Test on the effective number of cells: what the report uses."""
    return learn_then_test(*sample, alpha=ALPHA, delta=DELTA).tau


def risk_control(sample: Sample) -> float | None:
    """Conformal risk control, which promises something else: undetected errors among all cells."""
    return conformal_risk_control(*sample, alpha=ALPHA).tau


CHOOSERS: dict[str, Chooser] = {
    "naive: first that meets it": naive,
    "LTT, cells as independent": cells_alone,
    "LTT, n_eff by document": by_document,
    "CRC, undetected errors": risk_control,
}


def tried(world: World, documents: int, trials: int) -> dict[str, tuple[int, float]]:
    """Of each way to choose: in how many trials the true error exceeds alpha, and the mean share accepted."""
    scores, errors = world.truth()
    chance = np.random.default_rng((SEED, documents))
    document = np.repeat(np.arange(documents), CELLS)
    exceeded = dict.fromkeys(CHOOSERS, 0)
    accepted = dict.fromkeys(CHOOSERS, 0.0)
    for _ in range(trials):
        confidence, error = world.draw(documents, chance)
        sample = confidence.ravel(), (chance.random(error.shape) >= error).ravel(), document
        for name, choose in CHOOSERS.items():
            tau = choose(sample)
            reached = 0 if tau is None else int(np.searchsorted(-scores, -tau, side="right"))
            if reached:
                exceeded[name] += bool(errors[reached - 1] > ALPHA)
                accepted[name] += reached / len(scores)
    return {name: (exceeded[name], accepted[name] / trials) for name in CHOOSERS}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trials", type=int, default=200)
    trials = parser.parse_args().trials
    start = time.process_time()
    print(f"alpha {ALPHA:.0%}, delta {DELTA:.0%}, {CELLS} cells per document, {trials} trials each, seed {SEED}")
    print("share of trials with a true accepted error above alpha / mean accepted share\n")
    kept = True
    for world in WORLDS:
        scores, errors = world.truth()
        best = np.flatnonzero(errors <= ALPHA)
        oracle = (best[-1] + 1) / len(scores) if best.size else 0.0
        print(f"{world.name} (who knows the truth accepts {oracle:.3f} of the cells)")
        print(f"{'':28}" + "".join(f"{f'{documents} documents':>18}" for documents in DOCUMENTS))
        found = {documents: tried(world, documents, trials) for documents in DOCUMENTS}
        for name in CHOOSERS:
            results = [found[documents][name] for documents in DOCUMENTS]
            print(f"{name:28}" + "".join(f"{f'{n / trials:.3f} / {share:.3f}':>18}" for n, share in results))
            if CHOOSERS[name] is by_document and not world.broken:
                for exceeded, _ in results:
                    low, _ = exact_interval(exceeded, trials) or (0.0, 1.0)
                    kept = kept and low <= DELTA
        print()
    print(f"{time.process_time() - start:.0f} s of CPU. {machine()}")
    sys.exit(0 if kept else 1)


if __name__ == "__main__":
    main()
