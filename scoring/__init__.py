"""Scores of extracted tables against gold: pure values in, values out.

    from scoring import Rules, Table, score

    report = score(gold, pred, rules=Rules(table_type))
    print(report.exact.f1, report.first_reason)

Every function takes gold first and options by keyword. Counts add up and ratios are derived from
them; a ratio of 0/0 is None, which means undefined.
"""

from scoring.arithmetic.checks import Finding, check
from scoring.arithmetic.witness import Witness, witness
from scoring.confidence.badges import Badge, Doubt, Thresholds, badge, doubts
from scoring.counts import NOT_AVAILABLE, Counts, percent, row_accuracy
from scoring.diagnosis.causes import CauseFinding, Causes, cause_of_failure, causes
from scoring.differences import Difference
from scoring.report import SCORING_VERSION, Report, Rules, score
from scoring.schema import Acceptance, Binding, Column, SchemaError, TableType, bind
from scoring.statistics.proportions import proportion_interval
from scoring.sums import Pooled, pooled
from scoring.table import Box, Cell, Confidence, Table, TableError, from_rows
from scoring.text import similarity
from scoring.values.reader import Value, read

__all__ = [
    "NOT_AVAILABLE",
    "SCORING_VERSION",
    "Acceptance",
    "Badge",
    "Binding",
    "Box",
    "CauseFinding",
    "Causes",
    "Cell",
    "Column",
    "Confidence",
    "Counts",
    "Difference",
    "Doubt",
    "Finding",
    "Pooled",
    "Report",
    "Rules",
    "SchemaError",
    "Table",
    "TableError",
    "TableType",
    "Thresholds",
    "Value",
    "Witness",
    "badge",
    "bind",
    "cause_of_failure",
    "causes",
    "check",
    "doubts",
    "from_rows",
    "percent",
    "pooled",
    "proportion_interval",
    "read",
    "row_accuracy",
    "score",
    "similarity",
    "witness",
]
