"""What the confidence of one field is worth, and the threshold that its cells recommend, as values that can be kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from scoring.confidence.calibration import DRAWS, SEED, Bin, Calibration, calibration
from scoring.confidence.cell_arrays import CellArrays
from scoring.confidence.error_detection import COVERAGES, ErrorDetection, Review, error_detection, review_curve
from scoring.confidence.straight_through import StraightThrough, let_through
from scoring.confidence.thresholds import (
    ALPHA,
    DELTA,
    BadgeLimits,
    Threshold,
    badge_limits,
    error_limit,
    learn_then_test,
)
from scoring.counts import ratio


@dataclass(frozen=True, slots=True)
class Measures:
    """How far the confidence of some cells can be relied on; ``review`` is at every twentieth of the cells.

    ``levels`` is how many different scores there are. ``gold_cells`` and ``omitted`` are None where not given.
    """

    cells: int
    scored: int
    levels: int
    wrong: int
    documents: int
    gold_cells: int | None
    omitted: int | None
    calibration: Calibration
    error_detection: ErrorDetection
    review: tuple[Review, ...]

    @property
    def conf_coverage(self) -> float | None:
        """Predicted cells with a score / predicted cells; None without a cell."""
        return ratio(self.scored, self.cells)

    @property
    def omission_rate(self) -> float | None:
        """Gold cells never predicted / gold cells; None without one. No score and no threshold sees those."""
        return None if self.omitted is None or self.gold_cells is None else ratio(self.omitted, self.gold_cells)

    def to_json(self) -> dict[str, Any]:
        """A plain mapping; what is undefined is null."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Measures:
        """The measures that ``to_json`` gave, also through JSON text."""
        told = dict(value["calibration"])
        bins = tuple(Bin(**{**each, "interval": _pair(each["interval"])}) for each in told["bins"])
        detected = {**value["error_detection"], "interval": _pair(value["error_detection"]["interval"])}
        return cls(
            **{
                **value,
                "calibration": Calibration(**{**told, "bins": bins}),
                "error_detection": ErrorDetection(**detected),
                "review": tuple(Review(**each) for each in value["review"]),
            }
        )


@dataclass(frozen=True, slots=True)
class Recommendation:
    """The threshold that half of the documents recommend, the limits of badges, and what it lets pass in the others.

    ``passed`` and ``upper``, the upper limit of the error among the cells that pass there, are None where no
    threshold can be promised.
    """

    threshold: Threshold
    limits: BadgeLimits
    passed: StraightThrough | None
    upper: float | None

    def to_json(self) -> dict[str, Any]:
        """A plain mapping; what is undefined is null."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Recommendation:
        """The recommendation that ``to_json`` gave, also through JSON text."""
        passed = value["passed"]
        return cls(
            Threshold(**value["threshold"]),
            BadgeLimits(**value["limits"]),
            None if passed is None else StraightThrough(**passed),
            value["upper"],
        )


def measures(cells: CellArrays, *, draws: int = DRAWS, seed: int = SEED, with_interval: bool = True) -> Measures:
    """The measures of some cells, the AUROC with or without an interval; raises ValueError for fewer than one draw."""
    confidence, right = cells.confidence, cells.right
    scored = confidence[~np.isnan(confidence)]
    return Measures(
        cells=len(right),
        scored=len(scored),
        levels=len(np.unique(scored)),
        wrong=int((~right).sum()),
        documents=len(cells.names),
        gold_cells=None if cells.gold is None else int(cells.gold.sum()),
        omitted=None if cells.omitted is None else int(cells.omitted.sum()),
        calibration=calibration(confidence, right, draws=draws, seed=seed),
        error_detection=error_detection(
            confidence, right, cells.document, draws=draws, seed=seed, with_interval=with_interval
        ),
        review=review_curve(confidence, right, shares=COVERAGES),
    )


def recommended(
    cells: CellArrays, calibrating: frozenset[str], *, alpha: float = ALPHA, delta: float = DELTA
) -> Recommendation:
    """The threshold by Learn-then-Test on the documents ``calibrating``, and what it lets pass in all others.

    Raises ValueError unless alpha and delta are between 0 and 1.
    """
    half = cells.part(calibrating)
    threshold = learn_then_test(half.confidence, half.right, half.document, alpha=alpha, delta=delta)
    limits = badge_limits(half.confidence, half.right, threshold)
    if threshold.tau is None:
        return Recommendation(threshold, limits, None, None)
    others = cells.part(frozenset(cells.names) - calibrating)
    upper = accepted_limit(others, tau=threshold.tau, delta=delta)
    return Recommendation(threshold, limits, let_through(others, tau=threshold.tau), upper)


def accepted_limit(cells: CellArrays, *, tau: float, delta: float = DELTA) -> float | None:
    """The upper limit of the error among the cells with confidence >= ``tau``, 0..1; None where there are none.

    It holds with chance 1 - ``delta`` where ``tau`` was not chosen on the same cells.
    """
    passed = cells.confidence >= tau
    return error_limit(~cells.right[passed], cells.document[passed], delta=delta)


def _pair(value: Any) -> tuple[float, float] | None:
    return None if value is None else (value[0], value[1])
