"""All metrics for pairs of tables as texts by name, with what each one claims about its values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType

from scoring.fidelity import fidelity
from scoring.metrics import html_cells
from scoring.metrics.error_rates import ErrorRate, cer, wer
from scoring.metrics.grits import grits_con, grits_top
from scoring.metrics.overlap import Overlap
from scoring.metrics.teds import TreeDistance, teds
from scoring.metrics.tlag import tlag
from scoring.reading.table_text import as_html

Ratios = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Grades:
    """The sum of grades 0..1, each given to a whole pair, and of how many pairs."""

    total: float
    pairs: int

    @property
    def mean(self) -> float:
        """The mean grade, 0..1."""
        return self.total / self.pairs


Measured = Overlap | TreeDistance | ErrorRate | Grades


@dataclass(frozen=True, slots=True)
class Metric:
    """A score of HTML gold and prediction (gold first): one number, or precision, recall and f1.

    ``measure`` returns the counts that the score follows from, ``kind`` makes such a value of numbers. ``equal`` is
    the value of a document that has a table against itself, ``least`` and ``most`` are the bounds that hold for all
    pairs (None: there is none), ``symmetric`` says that gold and prediction may change places (which swaps precision
    and recall). ``reference`` names the program whose values it has, or the definition.
    """

    measure: Callable[[str, str], Measured]
    reference: str
    kind: Callable[..., Measured] = Overlap
    equal: float = 1.0
    least: float | None = 0.0
    most: float | None = 1.0
    symmetric: bool = True

    def score(self, gold: str, pred: str) -> float | Ratios:
        """The score of a pair. Raises TooLargeError."""
        return value(self.measure(gold, pred))

    def missed(self, gold: str) -> Measured:
        """What ``measure`` would be had everything been missed: a pair without a prediction. Raises TooLargeError.

        Not the score of an empty text, which TEDS takes for a tree of one node, however large gold is.
        """
        found = self.measure(gold, gold)
        if isinstance(found, Overlap):
            return Overlap(0.0, 0, found.expected, found.of_nothing)
        if isinstance(found, TreeDistance):
            return TreeDistance(found.nodes, found.nodes)
        if isinstance(found, Grades):
            return Grades(0.0, 1)
        return ErrorRate(found.length, found.length)

    def micro(self, sums: Sequence[float]) -> float | Ratios | None:
        """The score that follows from sums of ``counts`` over pairs; None where they are all 0."""
        return value(self.kind(*sums)) if any(sums) else None


def value(measured: Measured) -> float | Ratios:
    """The score that follows from the counts of one pair, or from their sums."""
    if isinstance(measured, Overlap):
        return measured.to_json()
    if isinstance(measured, Grades):
        return measured.mean
    return measured.score if isinstance(measured, TreeDistance) else measured.rate


def counts(measured: Measured) -> tuple[float, ...]:
    """The numbers that add up over pairs.

    Similarity matched, things predicted and things expected (edges in T-LAG, grid positions in GriTS); or edits and
    nodes (TEDS); or edits and length of gold (error rates); or grades and pairs (fidelity).
    """
    if isinstance(measured, Overlap):
        return measured.matched, measured.predicted, measured.expected
    if isinstance(measured, Grades):
        return measured.total, measured.pairs
    return measured.edits, measured.nodes if isinstance(measured, TreeDistance) else measured.length


_IBM = "metric.py of ibm-aur-nlp/PubTabNet 8ffde90"
_MICROSOFT = "grits.py of microsoft/table-transformer 16d124f"
_KENSHO = "grits-metric 0.7.0"
_GRITS = partial(Overlap, of_nothing=1.0)
_CELLS = "row and cell metrics, Proofgrid"
_OWN = "TEDS on trees of rows and cells, Proofgrid"

# Fidelity, and each published metric in its usual mode.
USUAL = ("fidelity", "tlag", "teds", "teds_struct", "grits_con", "grits_top", "cer", "wer")

_OF_HTML = {
    "tlag": Metric(tlag, "T-LAG of PulseBench-Tab, April 2026"),
    "teds": Metric(teds, _IBM, TreeDistance, least=None),
    "teds_struct": Metric(partial(teds, structure_only=True), _IBM, TreeDistance, least=None),
    "grits_con": Metric(lambda gold, pred: grits_con(gold, pred).overlap, _MICROSOFT, _GRITS, symmetric=False),
    "grits_top": Metric(lambda gold, pred: grits_top(gold, pred).overlap, _MICROSOFT, _GRITS, symmetric=False),
    "cer": Metric(cer, "jiwer 4.0.0", ErrorRate, equal=0.0, most=None, symmetric=False),
    "wer": Metric(wer, "jiwer 4.0.0", ErrorRate, equal=0.0, most=None, symmetric=False),
    "teds_normalised": Metric(partial(teds, mode="normalised"), _OWN, TreeDistance),
    "teds_struct_normalised": Metric(partial(teds, structure_only=True, mode="normalised"), _OWN, TreeDistance),
    "grits_con_kg": Metric(
        lambda gold, pred: grits_con(gold, pred, mode="kg").overlap, _KENSHO, _GRITS, symmetric=False
    ),
    "grits_top_kg": Metric(
        lambda gold, pred: grits_top(gold, pred, mode="kg").overlap, _KENSHO, _GRITS, symmetric=False
    ),
    "cells_positional": Metric(html_cells.cells_positional, _CELLS, _GRITS),
    "cells_aligned": Metric(html_cells.cells_aligned, _CELLS, _GRITS, symmetric=False),
    "rows_multiset": Metric(html_cells.rows_multiset, _CELLS, _GRITS),
    "cells_multiset": Metric(html_cells.cells_multiset, _CELLS, _GRITS),
    "adjacency": Metric(html_cells.adjacency, _CELLS, _GRITS),
    "records": Metric(html_cells.records, "after TableRecordMatch of ParseBench, Proofgrid", _GRITS),
    "cer_cells": Metric(html_cells.cer_cells, _CELLS, ErrorRate, equal=0.0, most=None, symmetric=False),
    "wer_cells": Metric(html_cells.wer_cells, _CELLS, ErrorRate, equal=0.0, most=None, symmetric=False),
}
_FIDELITY = Metric(
    lambda gold, pred: Grades(fidelity(gold, pred).score, 1), "Proofgrid, docs/metrics.md", Grades, symmetric=False
)


def _of_any_text(measure: Callable[[str, str], Measured]) -> Callable[[str, str], Measured]:
    return lambda gold, pred: measure(as_html(gold), as_html(pred))


# A text without a tag of HTML in which there is a Markdown or LaTeX table is made HTML first; fidelity reads it itself.
METRICS: Mapping[str, Metric] = MappingProxyType(
    {"fidelity": _FIDELITY}
    | {name: replace(metric, measure=_of_any_text(metric.measure)) for name, metric in _OF_HTML.items()}
)
