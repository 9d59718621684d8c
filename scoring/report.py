"""The score of one predicted table against gold, with its mistakes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from scoring.alignment.align import (
    COMPARED_CHARACTERS,
    LEAST_SIMILARITY,
    LEAST_SIMILARITY_OF_DOUBTFUL,
    LEAST_SIMILARITY_OF_HEADERS,
    Alignment,
    align,
)
from scoring.alignment.row_similarity import RowCost, cost_name
from scoring.cells import Outcome, count, outcomes
from scoring.counts import Counts, percent, row_accuracy
from scoring.differences import Difference, differences
from scoring.schema import Acceptance, TableType
from scoring.shown import cut
from scoring.table import Table

# Raised with every change that may change a score of the same two tables under the same rules.
SCORING_VERSION = "2"

NOTHING = Table(0, 0)
# So begins the name of a column that only the prediction has.
EXTRA_COLUMN = "extra column "


@dataclass(frozen=True)
class Rules:
    """What a score is measured by: the table type, or None for a table that is only a grid of texts.

    ``row_cost`` says what rows without a key are matched by, see ``row_similarity``.
    """

    table_type: TableType | None = None
    row_cost: RowCost = "levenshtein"

    @property
    def acceptance(self) -> Acceptance:
        """When the table passes: the rule of the table type, else everything right."""
        return self.table_type.acceptance if self.table_type else Acceptance()

    @property
    def signature(self) -> str:
        """One line that names all that a score depends on beside the two tables."""
        thresholds = (
            f"{LEAST_SIMILARITY}/{LEAST_SIMILARITY_OF_DOUBTFUL}/{LEAST_SIMILARITY_OF_HEADERS}/{COMPARED_CHARACTERS}"
        )
        kind = f"{self.table_type.name}@{self.table_type.signature}" if self.table_type else "grid"
        normalised = "by-column" if self.table_type else "whitespace"
        cost = "" if self.row_cost == "levenshtein" else f"|cost:{cost_name(self.row_cost)}"
        return f"rows+cells|rules:{kind}|norm:{normalised}|align:{thresholds}{cost}|version:{SCORING_VERSION}"


@dataclass(frozen=True, slots=True)
class TableSums:
    """What the score of a table adds to sums over many, and whether it passes.

    ``rows`` counts matched data rows (header rows too where there is no table type); duplicates
    and extras are predicted rows without a match. ``exact`` counts cells that are equal after
    normalisation, ``verbatim`` those whose raw texts are equal too (the gap is formatting),
    ``graded`` gives a wrong value its similarity. ``columns`` are exact counts by column.
    ``first_reason`` says in words why the table does not pass, "" where it passes.
    """

    rows: Counts
    row_accuracy: float | None
    exact: Counts
    graded: Counts
    verbatim: Counts
    columns: tuple[tuple[str, Counts], ...]
    passed: bool
    first_reason: str
    signature: str


@dataclass(frozen=True)
class Report(TableSums):
    """The score of one prediction, with its mistakes.

    ``required`` counts the cells of required columns. ``both_empty`` are aligned positions that are
    empty on both sides: right, and in none of the counts.
    """

    duplicates: int
    extras: int
    required: Counts
    both_empty: int
    differences: tuple[Difference, ...]

    @property
    def per_column(self) -> Mapping[str, Counts]:
        """The exact counts of each column by its name."""
        return dict(self.columns)

    def to_json(self) -> dict[str, Any]:
        """A plain mapping; undefined ratios are null."""
        return {
            "signature": self.signature,
            "passed": self.passed,
            "first_reason": self.first_reason,
            "rows": {
                **self.rows.to_json(),
                "accuracy": self.row_accuracy,
                "duplicates": self.duplicates,
                "extras": self.extras,
            },
            "cells": {
                "exact": self.exact.to_json(),
                "graded": self.graded.to_json(),
                "verbatim": self.verbatim.to_json(),
                "required": self.required.to_json(),
                "both_empty": self.both_empty,
            },
            "columns": {name: counts.to_json() for name, counts in self.columns},
            "differences": [difference.to_json() for difference in self.differences],
        }


def score(gold: Table, pred: Table | None, *, rules: Rules = Rules()) -> Report:
    """The score of a predicted table against gold; None means that nothing was extracted.

    Never raises on any two tables, unless the row cost of the rules does (EmbeddingError). A table
    passes when row recall and cell F1 reach the acceptance rule and, where it asks so, all gold
    values of required columns are right; a grid passes only with the spans of gold too. A ratio
    that is undefined fails nothing.
    """
    found_table = NOTHING if pred is None else pred
    table_type = rules.table_type
    alignment = align(gold, found_table, table_type=table_type, row_cost=rules.row_cost)
    found = outcomes(gold, found_table, alignment, table_type=table_type)
    told = differences(gold, found_table, alignment, found, table_type=table_type)
    required = count(outcome for outcome in found if _is_required(outcome, table_type))
    rows, exact = _rows(alignment, table_type), count(found)
    reason = _reason(rules, rows, exact, required, told, pred)
    return Report(
        rows=rows,
        row_accuracy=row_accuracy(rows.expected, rows.predicted),
        duplicates=len(alignment.duplicates),
        extras=sum(difference.kind == "extra_row" for difference in told),
        exact=exact,
        graded=count(found, "graded"),
        verbatim=count(found, "verbatim"),
        required=required,
        both_empty=sum(outcome.verdict == "empty" for outcome in found),
        columns=_by_column(found, table_type),
        differences=told,
        passed=not reason,
        first_reason=reason,
        signature=rules.signature,
    )


def _rows(alignment: Alignment, table_type: TableType | None) -> Counts:
    gold_first, pred_first = (alignment.gold_header, alignment.pred_header) if table_type else (0, 0)
    matched = sum(gold >= gold_first for gold, _ in alignment.rows)
    return Counts(matched, alignment.pred_rows - pred_first, alignment.gold_rows - gold_first)


def _is_required(outcome: Outcome, table_type: TableType | None) -> bool:
    return table_type is not None and outcome.column is not None and table_type.columns[outcome.column].required


def _by_column(found: Iterable[Outcome], table_type: TableType | None) -> tuple[tuple[str, Counts], ...]:
    """Exact counts by schema column in its order, then by position where there is none."""
    names = {at: column.name for at, column in enumerate(table_type.columns)} if table_type else {}
    groups: dict[tuple[int, int], list[Outcome]] = {(0, at): [] for at in names}
    for outcome in found:
        col = outcome.pred_col if outcome.gold_col is None else outcome.gold_col
        if outcome.column is not None:
            key = (0, outcome.column)
        else:
            key = (1 if outcome.gold_col is not None else 2, col or 0)
        groups.setdefault(key, []).append(outcome)
    labels = {1: "column {}", 2: EXTRA_COLUMN + "{}"}
    return tuple(
        (names[at] if kind == 0 else labels[kind].format(at + 1), count(group))
        for (kind, at), group in sorted(groups.items())
    )


def _reason(
    rules: Rules,
    rows: Counts,
    exact: Counts,
    required: Counts,
    told: tuple[Difference, ...],
    pred: Table | None,
) -> str:
    rule = rules.acceptance
    if pred is None and rows.expected:
        return "nothing was extracted"
    if rows.recall is not None and rows.recall < rule.row_recall:
        missed = rows.expected - int(rows.matched)
        return (
            f"{missed} of {rows.expected} rows missed, row recall {percent(rows.recall)} is under "
            f"{percent(rule.row_recall)}{_example(told, 'missed_row')}"
        )
    if rule.required_correct and required.matched < required.expected:
        wrong = required.expected - int(required.matched)
        return f"{wrong} required value{'s' * (wrong != 1)} not right{_example(told, 'wrong_value', 'missing_value')}"
    if exact.f1 is not None and exact.f1 < rule.cell_f1:
        return (
            f"cell F1 {percent(exact.f1)} is under {percent(rule.cell_f1)}"
            f"{_example(told, 'wrong_value', 'missing_value', 'spurious_value', 'duplicate_row', 'extra_row')}"
        )
    spans = sum(difference.kind == "span" for difference in told)
    if rules.table_type is None and spans:
        return f"{spans} cell{'s' * (spans != 1)} of another span{_example(told, 'span')}"
    return ""


def _example(told: tuple[Difference, ...], *kinds: str) -> str:
    """The first difference of the first of these kinds that there is, for the end of a reason."""
    for kind in kinds:
        for difference in told:
            if difference.kind == kind:
                text = " against ".join(repr(cut(side)) for side in (difference.pred, difference.gold) if side)
                return f", first {kind.replace('_', ' ')}: {text}"
    return ""
