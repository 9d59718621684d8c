"""Whether the guards find what is true: reviewers of known care, tables of known errors: python -m benchmarks.guards"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.counts import Counts
from scoring.statistics.anchoring import anchoring
from scoring.statistics.proportions import Z_95, exact_interval, proportion_interval
from scoring.statistics.stratified import Stratum, allocated, stratified_error_rate

REPEATS = 1000
CELLS = 80
CORRECTED = 400
SEEDED_SHARE = 0.03
# Documents differ: their accuracy is a Beta variable with the weight of so many cells.
WEIGHT = 40
# The accepted cells of a project by badge: high, medium, low, none; and how much documents differ in their errors.
BANDS = (16_000, 2_400, 800, 800)
CLUSTER = 5


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


@dataclass(frozen=True)
class Checked:
    """A project of which ``size`` accepted cells are checked; the errors of each band, high to none, come in clusters.

    ``rates`` are the mean error rates of the bands, each of which has BANDS cells.
    """

    rates: tuple[float, float, float, float]
    size: int


@dataclass(frozen=True)
class Measured:
    """The true error rate of accepted cells, the mean estimate and width, and shares of repeats, 0..1.

    ``coverage`` is how often the interval holds the truth, ``above`` and ``below`` how often it lies above or below
    it. So for others: ``usual`` by the variance of the stratified mean; ``wilson`` and ``exact`` (with its mean width)
    of each band, put together. ``no_error`` is how often no error was found, and ``bound`` the mean upper end then.
    """

    setting: Checked
    truth: float
    estimate: float
    width: float
    coverage: float
    above: float
    below: float
    usual: float
    wilson: float
    exact: float
    exact_width: float
    no_error: float
    bound: float | None


def run_checked(setting: Checked, *, repeats: int = REPEATS, seed: int = 1) -> Measured:
    """One setting, so many times: documents differ in their errors, and cells are drawn whatever their document."""
    chance = np.random.default_rng(seed)
    sizes = allocated(BANDS, setting.size)
    rows, bounds = [], []
    for _ in range(repeats):
        wrong = [_wrong(chance, rate, cells) for rate, cells in zip(setting.rates, BANDS, strict=True)]
        truth = sum(wrong) / sum(BANDS)
        strata = [
            Stratum("", cells, drawn - found, found)
            for cells, bad, drawn in zip(BANDS, wrong, sizes, strict=True)
            for found in [int(chance.hypergeometric(bad, cells - bad, drawn))]
        ]
        found = stratified_error_rate(strata)
        rate, low, high = found.rate or 0.0, found.low or 0.0, found.high or 0.0
        if not found.wrong:
            bounds.append(high)
        others = [_together(strata, rate, interval) for interval in (proportion_interval, exact_interval)]
        held = [low <= truth <= high, low > truth, high < truth, _usual(strata, truth)]
        held += [ends[0] <= truth <= ends[1] for ends in others]
        rows.append((truth, rate, high - low, *held, others[1][1] - others[1][0]))
    means = np.array(rows, dtype=np.float64).mean(axis=0)
    return Measured(
        setting, *(float(mean) for mean in means), len(bounds) / repeats, float(np.mean(bounds)) if bounds else None
    )


def _wrong(chance: np.random.Generator, rate: float, cells: int) -> int:
    """The wrong cells of a band, of documents of CELLS cells whose rates differ."""
    rates = chance.beta(rate * CLUSTER, (1 - rate) * CLUSTER, cells // CELLS)
    return int(chance.binomial(CELLS, rates).sum())


def _usual(strata: list[Stratum], truth: float) -> bool:
    """Whether the interval by the variance of the stratified mean (Cochran 1977, 5.3) holds the truth."""
    rate = variance = 0.0
    for one in strata:
        share, found = one.population / sum(BANDS), one.wrong / one.checked
        rate += share * found
        variance += share**2 * (1 - one.checked / one.population) * found * (1 - found) / (one.checked - 1)
    return bool(abs(rate - truth) <= Z_95 * variance**0.5)


def _together(
    strata: list[Stratum], rate: float, interval: Callable[[int, int], tuple[float, float] | None]
) -> tuple[float, float]:
    """The interval of the stratified mean from one of each band (Zou and Donner 2008)."""
    below = above = 0.0
    for one in strata:
        share, found = one.population / sum(BANDS), one.wrong / one.checked
        low, high = interval(one.wrong, one.checked) or (0.0, 1.0)
        below += (share * (found - low)) ** 2
        above += (share * (high - found)) ** 2
    return rate - below**0.5, rate + above**0.5


CHECKED = [
    Checked(rates, size)
    for rates in ((0.0005, 0.002, 0.01, 0.002), (0.002, 0.01, 0.05, 0.01), (0.01, 0.05, 0.2, 0.05))
    for size in (100, 200, 400, 1000)
]
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
    heads = "checked | true error  estimate  width | holds  above  below | by variance  Wilson  exact  its width"
    print(heads, "| no error  bound then")
    for each in CHECKED:
        one = run_checked(each)
        if "--json" in sys.argv:
            print(json.dumps(asdict(one)))
            continue
        figures = f"{one.truth:10.5f} {one.estimate:9.5f} {one.width:6.4f}"
        holds = f"{one.coverage:5.3f} {one.above:6.3f} {one.below:6.3f} | {one.usual:11.3f} {one.wilson:7.3f}"
        holds += f" {one.exact:6.3f} {one.exact_width:10.4f}"
        bound = "n/a" if one.bound is None else f"{one.bound:.4f}"
        print(f"{each.size:7d} | {figures} | {holds} | {one.no_error:8.3f} {bound:>11}")


if __name__ == "__main__":
    main()
