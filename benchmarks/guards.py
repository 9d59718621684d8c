"""Whether the guards find what is true: reviewers of known care, tables of known errors: python -m benchmarks.guards"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.counts import Counts
from scoring.statistics.anchoring import anchoring
from scoring.statistics.proportions import proportion_interval

REPEATS = 1000
CELLS = 80
CORRECTED = 400
SEEDED_SHARE = 0.03
# Documents differ: their accuracy is a Beta variable with the weight of so many cells.
WEIGHT = 40


@dataclass(frozen=True)
class Setting:
    """How well the extractor reads, how often a reviewer leaves a wrong cell, and how many documents are blind."""

    accuracy: float
    left: float
    blind: int


@dataclass(frozen=True)
class Found:
    """Shares of repeats, 0..1: intervals that hold the truth, and those in which flattery is claimed.

    ``corrected`` and ``blind`` are the mean scores, ``caught`` the mean catch rate.
    """

    setting: Setting
    corrected: float
    blind: float
    gap: float
    blind_coverage: float
    gap_coverage: float
    claimed: float
    caught: float
    caught_coverage: float
    without_interval: float


def run(setting: Setting, *, repeats: int = REPEATS, seed: int = 1) -> Found:
    """One setting, so many times: a wrong cell is left, and a planted error passed, with the same probability."""
    chance = np.random.default_rng(seed)
    alpha = setting.accuracy * WEIGHT
    gap = (1 - setting.accuracy) * setting.left
    rows = []
    for _ in range(repeats):
        right = _right(chance, alpha, CORRECTED)
        agreeing = right + chance.binomial(CELLS - right, setting.left)
        found = anchoring(_counts(agreeing), _counts(_right(chance, alpha, setting.blind)))
        planted = int(chance.binomial(CORRECTED * CELLS, SEEDED_SHARE))
        caught = int(chance.binomial(planted, 1 - setting.left))
        low, high = proportion_interval(caught, planted) or (0.0, 1.0)
        blind = found.blind
        given = found.low is not None and found.high is not None
        rows.append(
            (
                found.corrected.estimate,
                blind.estimate,
                given,
                given and (blind.low or 0) <= setting.accuracy <= (blind.high or 1),
                given and (found.low or 0) <= gap <= (found.high or 0),
                found.is_flattered,
                caught / planted,
                low - 1e-9 <= 1 - setting.left <= high + 1e-9,
            )
        )
    told = np.array(rows, dtype=np.float64)
    means, given = told.mean(axis=0), told[:, 2].sum()
    return Found(
        setting,
        *(float(mean) for mean in means[:2]),
        gap,
        blind_coverage=float(told[:, 3].sum() / given),
        gap_coverage=float(told[:, 4].sum() / given),
        claimed=float(means[5]),
        caught=float(means[6]),
        caught_coverage=float(means[7]),
        without_interval=float(1 - means[2]),
    )


def _right(chance: np.random.Generator, alpha: float, documents: int) -> NDArray[np.int64]:
    return chance.binomial(CELLS, chance.beta(alpha, WEIGHT - alpha, documents))


def _counts(right: NDArray[np.int64]) -> list[Counts]:
    return [Counts(int(number), CELLS, CELLS) for number in right]


SETTINGS = [
    Setting(accuracy, left, blind) for accuracy in (0.95, 0.85) for left in (0.0, 0.3, 0.6) for blind in (20, 40, 100)
]


def main() -> None:
    """Print one line for each setting."""
    print("accuracy  left  blind | corrected  blind    gap | holds: blind  gap  catch | claimed  caught  no interval")
    for setting in SETTINGS:
        found = run(setting)
        if "--json" in sys.argv:
            print(json.dumps(asdict(found)))
            continue
        scores = f"{found.corrected:9.4f} {found.blind:6.4f} {found.gap:6.4f}"
        holds = f"{found.blind_coverage:12.3f} {found.gap_coverage:5.3f} {found.caught_coverage:5.3f}"
        told = f"{found.claimed:7.3f} {found.caught:7.4f} {found.without_interval:8.3f}"
        print(f"{setting.accuracy:8.2f} {setting.left:5.1f} {setting.blind:6d} | {scores} | {holds} | {told}")


if __name__ == "__main__":
    main()
