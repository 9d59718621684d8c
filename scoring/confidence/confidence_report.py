"""The confidence report: all measures of confidence of one set of cells, as a whole and per column."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from scoring.confidence.calibration import DRAWS, Calibration
from scoring.confidence.cell_arrays import CellArrays
from scoring.confidence.error_detection import ErrorDetection, Review, RiskCoverage, review_curve, risk_coverage
from scoring.confidence.field_measures import measures, recommended
from scoring.confidence.scored_cells import Omissions, ScoredCell
from scoring.confidence.straight_through import StraightThrough
from scoring.confidence.thresholds import (
    ALPHA,
    DELTA,
    SEED,
    BadgeLimits,
    RiskControl,
    Threshold,
    calibration_documents,
    conformal_risk_control,
)


@dataclass(frozen=True, slots=True)
class Summary:
    """All measures of one set of cells; what is None is told in ``undefined``, here or in the part it belongs to.

    ``conf_coverage`` = predicted cells with a score / predicted cells. ``omission_rate`` = gold cells
    never predicted / gold cells: no score and no threshold sees those. ``threshold``, ``risk_control``
    and ``limits`` are chosen on one half of the documents; ``straight_through`` is what that
    threshold lets pass in the other half, None where there is no threshold.
    """

    cells: int
    scored: int
    wrong: int
    documents: int
    conf_coverage: float | None
    gold_cells: int | None
    omitted: int | None
    omission_rate: float | None
    calibration: Calibration
    error_detection: ErrorDetection
    risk_coverage: RiskCoverage
    review: tuple[Review, ...]
    threshold: Threshold
    risk_control: RiskControl
    limits: BadgeLimits
    straight_through: StraightThrough | None
    undefined: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ConfidenceReport:
    """The measures of all cells and of each column by its name, with the settings that they rest on."""

    whole: Summary
    columns: tuple[tuple[str, Summary], ...]
    alpha: float
    delta: float
    catch_rate: float
    draws: int
    seed: int

    @property
    def per_column(self) -> Mapping[str, Summary]:
        """The measures of each column by its name."""
        return dict(self.columns)

    def to_json(self) -> dict[str, Any]:
        """A plain mapping; what is undefined is null, with its reason under ``undefined`` or ``reason``."""
        return {
            "alpha": self.alpha,
            "delta": self.delta,
            "catch_rate": self.catch_rate,
            "draws": self.draws,
            "seed": self.seed,
            "whole": asdict(self.whole),
            "columns": {name: asdict(summary) for name, summary in self.columns},
        }


def confidence_report(
    cells: Iterable[ScoredCell],
    *,
    omitted: Iterable[Omissions] | None = None,
    alpha: float = ALPHA,
    delta: float = DELTA,
    catch_rate: float = 1.0,
    draws: int = DRAWS,
    seed: int = SEED,
) -> ConfidenceReport:
    """The measures of predicted cells and of the gold cells that were never predicted.

    Without ``omitted`` the omission rate is undefined, and a document counts as right where all its
    predicted cells are. ``alpha`` is the error to allow among accepted cells, ``delta`` the chance
    that it is exceeded, ``catch_rate`` the share of wrong cells that a reviewer mends. Columns are
    in the order in which they are met. The threshold of a column needs as much data as that of the
    whole, and its promise holds for that column alone. The measures are the same to the last bit in
    whatever order the cells come, so that parts of a corpus may be scored apart and put together.
    Raises ValueError for settings outside 0..1, or no draws.
    """
    units = tuple(cells)
    gaps = None if omitted is None else tuple(omitted)
    calibrating = calibration_documents(
        [cell.document for cell in units] + [part.document for part in gaps or ()], seed=seed
    )

    def summary(some: Sequence[ScoredCell], missed: Sequence[Omissions] | None) -> Summary:
        return _summary(CellArrays.of(some, missed), calibrating, alpha, delta, catch_rate, draws, seed)

    by_column: defaultdict[str, list[ScoredCell]] = defaultdict(list)
    missed_by_column: defaultdict[str, list[Omissions]] = defaultdict(list)
    names = tuple(dict.fromkeys([*(cell.column for cell in units), *(part.column for part in gaps or ())]))
    units = tuple(sorted(units, key=_place))
    for cell in units:
        by_column[cell.column].append(cell)
    for part in gaps or ():
        missed_by_column[part.column].append(part)
    columns = tuple(
        (name, summary(by_column[name], None if gaps is None else missed_by_column[name])) for name in names
    )
    return ConfidenceReport(summary(units, gaps), columns, alpha, delta, catch_rate, draws, seed)


def _place(cell: ScoredCell) -> tuple[str, str, float, bool]:
    return cell.document, cell.column, -1.0 if cell.confidence is None else cell.confidence, cell.right


def _summary(
    cells: CellArrays,
    calibrating: frozenset[str],
    alpha: float,
    delta: float,
    catch_rate: float,
    draws: int,
    seed: int,
) -> Summary:
    measured = measures(cells, draws=draws, seed=seed)
    promised = recommended(cells, calibrating, alpha=alpha, delta=delta)
    half = cells.part(calibrating)
    undefined = {}
    if not measured.cells:
        undefined["conf_coverage"] = "no cell was predicted"
        undefined["review"] = "no cell was predicted"
    elif not measured.wrong:
        undefined["review"] = "no predicted cell is wrong, so that there is nothing to capture or to gain"
    if not measured.scored:
        undefined["risk_coverage"] = "no cell has a score"
    if measured.gold_cells is None:
        undefined |= dict.fromkeys(("gold_cells", "omitted", "omission_rate"), "gold cells were not given")
    elif measured.omission_rate is None:
        undefined["omission_rate"] = "there are no gold cells"
    if promised.passed is None:
        undefined["straight_through"] = promised.threshold.reason
    return Summary(
        cells=measured.cells,
        scored=measured.scored,
        wrong=measured.wrong,
        documents=measured.documents,
        conf_coverage=measured.conf_coverage,
        gold_cells=measured.gold_cells,
        omitted=measured.omitted,
        omission_rate=measured.omission_rate,
        calibration=measured.calibration,
        error_detection=measured.error_detection,
        risk_coverage=risk_coverage(cells.confidence, cells.right),
        review=review_curve(cells.confidence, cells.right, catch_rate=catch_rate),
        threshold=promised.threshold,
        risk_control=conformal_risk_control(half.confidence, half.right, half.document, alpha=alpha),
        limits=promised.limits,
        straight_through=promised.passed,
        undefined=undefined,
    )
