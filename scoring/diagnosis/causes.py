"""Why an extracted table differs from gold: one deterministic cause for each difference."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from scoring.alignment.align import align
from scoring.cells import outcomes
from scoring.diagnosis.cell_causes import cell_findings
from scoring.diagnosis.finding import CAUSE_LABELS, CauseFinding, CauseLabel, CauseThresholds, Compared, Source
from scoring.diagnosis.row_causes import row_findings
from scoring.diagnosis.table_causes import (
    MovedColumns,
    column_findings,
    header_findings,
    missed_table,
    moved_columns,
    other_table,
    put_back,
)
from scoring.differences import Difference, differences
from scoring.schema import TableType
from scoring.table import Table

__all__ = [
    "CAUSE_LABELS",
    "CauseCounts",
    "CauseFinding",
    "CauseLabel",
    "CauseThresholds",
    "Causes",
    "cause_of_failure",
    "causes",
]


@dataclass(frozen=True, slots=True)
class CauseCounts:
    """How many findings each label has, and how many values it hits, in the order of the labels."""

    findings: Mapping[CauseLabel, int]
    cells: Mapping[CauseLabel, int]

    @property
    def cause_of_failure(self) -> CauseLabel | None:
        """The label that hits most values, formatting left out; None where nothing else is wrong."""
        return cause_of_failure([self])


@dataclass(frozen=True)
class Causes:
    """The causes of all differences between gold and a prediction, table causes first, then rows, then cells.

    Every one of ``differences`` (those that ``score`` reports) is explained by exactly one finding.
    """

    findings: tuple[CauseFinding, ...]
    differences: tuple[Difference, ...]
    thresholds: CauseThresholds

    @cached_property
    def counts(self) -> dict[CauseLabel, int]:
        """How many findings each label has, in the order of the labels; labels without any are left out."""
        found = Counter(finding.label for finding in self.findings)
        return {label: found[label] for label in CAUSE_LABELS if found[label]}

    @cached_property
    def cells(self) -> dict[CauseLabel, int]:
        """How many values each label hits, in the order of the labels."""
        found: Counter[CauseLabel] = Counter()
        for finding in self.findings:
            found[finding.label] += finding.cells
        return {label: found[label] for label in CAUSE_LABELS if label in found}

    @property
    def counted(self) -> CauseCounts:
        """The numbers alone."""
        return CauseCounts(self.counts, self.cells)

    @property
    def cause_of_failure(self) -> CauseLabel | None:
        """The label that hits most values, formatting left out; None where nothing else is wrong."""
        return self.counted.cause_of_failure

    def to_json(self) -> dict[str, Any]:
        """A plain mapping of findings, counts, values hit, the cause of failure and the thresholds."""
        return {
            "cause_of_failure": self.cause_of_failure,
            "counts": dict(self.counts),
            "cells": dict(self.cells),
            "findings": [finding.to_json() for finding in self.findings],
            "thresholds": self.thresholds.to_json(),
        }


def cause_of_failure(many: Iterable[CauseCounts]) -> CauseLabel | None:
    """The label that hits most values of a document or a corpus, formatting left out.

    At equal numbers the label that comes first in ``CAUSE_LABELS``; None where nothing is wrong.
    """
    found: Counter[CauseLabel] = Counter()
    for each in many:
        # A finding without values, as of an empty row too much, still is a cause where there is no other.
        for label, cells in each.cells.items():
            found[label] += cells
    del found["formatting_only"]
    return max((label for label in CAUSE_LABELS if label in found), key=found.__getitem__, default=None)


def causes(
    gold: Table,
    pred: Table | None,
    *,
    table_type: TableType | None = None,
    source_text: str | None = None,
    other_gold: Sequence[Table] = (),
    thresholds: CauseThresholds | None = None,
) -> Causes:
    """Why the prediction differs from gold; ``pred`` is None where no table was extracted.

    Rules are tried from the table over its rows to its cells; the first that fits decides.
    ``source_text`` is the text of the document (OCR or PDF): it tells values that are made up from
    values of another place; without it both are "unsupported_unknown". ``other_gold`` are the other
    gold tables of the document, one of which may have been extracted instead. Moved columns are put
    back, then the rest is explained. Values are read by the table type; values that are equal but
    written otherwise are "formatting_only". Never raises; equal input gives equal findings.
    """
    limits = thresholds or CauseThresholds()
    if pred is None or not any(cell.text.strip() for cell in pred.cells):
        told = () if pred is None else _compared(gold, pred, table_type, limits, None).differences
        first_row = align(gold, Table(0, 0), table_type=table_type).gold_header if table_type else 0
        finding = replace(missed_table(gold, first_row=first_row), differences=tuple(range(len(told))))
        found = (finding,) if finding.cells or told else ()
        return Causes(found, told, limits)
    source = None if source_text is None else Source(source_text)
    compared = _compared(gold, pred, table_type, limits, source)
    instead = other_table(gold, pred, other_gold, limits)
    if instead:
        label, at = instead
        said = f"the prediction shows another table of the document, number {at + 1} of the others"
        whole = compared.finding(
            label, said, range(len(compared.differences)), gold_rows=range(gold.n_rows), pred_rows=range(pred.n_rows)
        )
        return Causes((whole,), compared.differences, limits)
    moved = moved_columns(pred, compared.alignment, limits)
    if moved is None:
        return Causes(_explained(compared), compared.differences, limits)
    restored, stood = put_back(pred, compared.alignment, moved)
    rest = _explained(_compared(gold, restored, table_type, limits, source, stood))
    return Causes(_with_columns(compared, moved, rest), compared.differences, limits)


def _compared(
    gold: Table,
    pred: Table,
    table_type: TableType | None,
    limits: CauseThresholds,
    source: Source | None,
    stood: Sequence[int] | None = None,
) -> Compared:
    alignment = align(gold, pred, table_type=table_type)
    found = outcomes(gold, pred, alignment, table_type=table_type)
    told = differences(gold, pred, alignment, found, table_type=table_type)
    return Compared(gold, pred, alignment, told, table_type, limits, source, stood or range(pred.n_cols))


def _explained(compared: Compared) -> tuple[CauseFinding, ...]:
    found = [*header_findings(compared), *row_findings(compared)]
    explained = {at for finding in found for at in finding.differences}
    found += cell_findings(compared, (at for at in range(len(compared.differences)) if at not in explained))
    return tuple(found)


def _with_columns(compared: Compared, moved: MovedColumns, rest: Sequence[CauseFinding]) -> tuple[CauseFinding, ...]:
    """The findings of moved columns and the rest, each difference of the table as it is given to one of them.

    A difference belongs to what is wrong at its place after the columns were put back, and to the
    move where nothing is.
    """
    moves = list(column_findings(compared.gold, compared.alignment, moved))
    of_column = {col: at for at, (_, _, cols) in enumerate(moves) for col in cols}
    content_of = {stood: col for col, stood in moved.places.items()}
    of_place = {
        place: at
        for at, finding in enumerate(rest)
        for place in (
            *(("gold", *cell) for cell in finding.gold_cells),
            *(("pred", *cell) for cell in finding.pred_cells if not finding.gold_cells),
            *(("gold", row) for row in finding.gold_rows),
            *(("pred", row) for row in finding.pred_rows),
        )
    }
    by_move: dict[int, list[int]] = defaultdict(list)
    by_rest: dict[int, list[int]] = defaultdict(list)
    for at, told in enumerate(compared.differences):
        places: list[tuple[Any, ...]] = [("gold", told.gold_row, told.gold_col), ("pred", told.pred_row, told.pred_col)]
        places += [("gold", told.gold_row), ("pred", told.pred_row)]
        owner = next((of_place[place] for place in places if place in of_place), None)
        if owner is not None:
            by_rest[owner].append(at)
        else:
            column = told.gold_col if told.gold_col in of_column else content_of.get(told.pred_col or 0)
            by_move[of_column.get(column or 0, 0)].append(at)
    found = [
        compared.finding(
            label,
            said,
            by_move[at],
            gold_rows=[row for told in by_move[at] if (row := _whole(compared.differences[told])) is not None],
        )
        for at, (label, said, _) in enumerate(moves)
    ]
    return *found, *(replace(finding, differences=tuple(by_rest[at])) for at, finding in enumerate(rest))


def _whole(told: Difference) -> int | None:
    return told.gold_row if told.kind == "missed_row" else None
