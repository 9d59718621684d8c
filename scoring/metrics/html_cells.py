"""Cell and record metrics of the first tables of two documents in HTML, Markdown or LaTeX."""

from __future__ import annotations

from collections.abc import Callable

from scoring.counts import Counts
from scoring.metrics import cell_metrics
from scoring.metrics.error_rates import ErrorRate
from scoring.metrics.overlap import Overlap
from scoring.metrics.record_score import record_score
from scoring.reading.table_text import read_tables
from scoring.table import Table


def cells_positional(gold: str, pred: str) -> Overlap:
    """Cells with an equal one at the same row and column; two tables without a text have 1. Raises TooLargeError."""
    return _counted(cell_metrics.cells_positional, gold, pred)


def cells_aligned(gold: str, pred: str) -> Overlap:
    """Cells with an equal one in the aligned row and column; two tables without a text have 1. Raises TooLargeError."""
    return _counted(cell_metrics.cells_aligned, gold, pred)


def rows_multiset(gold: str, pred: str) -> Overlap:
    """Rows that both tables have, in any order; two tables without a text have 1. Raises TooLargeError."""
    return _counted(cell_metrics.rows_multiset, gold, pred)


def cells_multiset(gold: str, pred: str) -> Overlap:
    """Cells that both tables have, anywhere; two tables without a text have 1. Raises TooLargeError."""
    return _counted(cell_metrics.cells_multiset, gold, pred)


def adjacency(gold: str, pred: str) -> Overlap:
    """Neighbour relations of ICDAR 2013; two tables without a relation have 1. Raises TooLargeError."""
    return _counted(cell_metrics.adjacency, gold, pred)


def records(gold: str, pred: str) -> Overlap:
    """Similarity of the records; two tables without a record have 1. Raises TooLargeError."""
    return record_score(first_table(gold), first_table(pred)).overlap


def cer_cells(gold: str, pred: str) -> ErrorRate:
    """Character errors of aligned cells. Raises TooLargeError."""
    return cell_metrics.cell_error_rates(first_table(gold), first_table(pred)).characters


def wer_cells(gold: str, pred: str) -> ErrorRate:
    """Word errors of aligned cells. Raises TooLargeError."""
    return cell_metrics.cell_error_rates(first_table(gold), first_table(pred)).words


def first_table(text: str) -> Table:
    """The first table of a document, one without cells where there is none. Raises TooLargeError."""
    return next(iter(read_tables(text)), Table(0, 0))


def _counted(metric: Callable[[Table, Table], Counts], gold: str, pred: str) -> Overlap:
    found = metric(first_table(gold), first_table(pred))
    return Overlap(found.matched, found.predicted, found.expected, of_nothing=1.0)
