"""Rows and cells of two tables counted in six ways: by position, alignment, content alone, neighbours, characters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from rapidfuzz.distance import Levenshtein

from scoring.alignment.align import align, column_of, header_rows
from scoring.cells import outcomes
from scoring.counts import Counts
from scoring.metrics.error_rates import ErrorRate
from scoring.metrics.grits import grits_texts
from scoring.schema import Column, TableType, bind
from scoring.table import Table
from scoring.text import whitespace
from scoring.text_pairs import MOST_CHARACTER_PAIRS, expect_short
from scoring.values.reader import Value, read, same


@dataclass(frozen=True, slots=True)
class CellErrorRates:
    """Edits and lengths of gold over all aligned cells, in characters and in words; they add up."""

    characters: ErrorRate
    words: ErrorRate

    def __add__(self, other: CellErrorRates) -> CellErrorRates:
        return CellErrorRates(self.characters + other.characters, self.words + other.words)


def cells_positional(gold: Table, pred: Table, *, table_type: TableType | None = None) -> Counts:
    """Cells with a value; matched are those with an equal one at the same row and column of the other table.

    A merged cell stands at its first position. With a table type values are typed and rows are counted from the
    first one after the header, which is left out; without one all cells are texts. 0/0 is None.
    """
    one, other = _sides(gold, pred, table_type)
    rows, cols = range(min(one.n_rows, other.n_rows)), range(min(gold.n_cols, pred.n_cols))
    return _cells(one, other, list(zip(rows, rows, strict=True)), list(zip(cols, cols, strict=True)))


def rows_positional(gold: Table, pred: Table, *, table_type: TableType | None = None) -> Counts:
    """Rows with a value; matched are those that are equal at every position to the same row of the other table.

    A merged cell counts at all positions that it covers. Rows are counted as in ``cells_positional``. 0/0 is None.
    """
    one, other = _sides(gold, pred, table_type)
    columns = [column_of(table_type, one.bound(col), other.bound(col)) for col in range(max(gold.n_cols, pred.n_cols))]
    lines = [
        [[read(side.text(row, col), column) for col, column in enumerate(columns)] for row in range(side.n_rows)]
        for side in (one, other)
    ]
    matched = sum(
        any(value.kind != "null" for value in row) and all(map(same, row, found, columns))
        for row, found in zip(*lines, strict=False)
    )
    expected, predicted = (sum(any(value.kind != "null" for value in row) for row in side) for side in lines)
    return Counts(matched, predicted, expected)


def cells_aligned(gold: Table, pred: Table, *, table_type: TableType | None = None) -> Counts:
    """Cells with a value; matched are those with an equal one in the aligned row and the aligned column.

    Rows and columns are aligned by GriTS-Con (Smock et al., arXiv:2203.12555) as in grits-metric 0.7: in order, by
    the longest common subsequences of the texts, rows and columns one after the other. Else as in
    ``cells_positional``; 0/0 is None. Where several alignments are as good, one is taken, so that the other one may
    be taken with gold and prediction in each other's place. Raises TooLargeError.
    """
    one, other = _sides(gold, pred, table_type)
    found = grits_texts(one.texts, other.texts)
    return _cells(one, other, found.rows, found.cols)


def rows_multiset(gold: Table, pred: Table, *, table_type: TableType | None = None) -> Counts:
    """Rows with a value; matched are as many as the two tables have in common, in whatever order they stand.

    Two rows are equal if all their values are, column by column: by position, and with a table type by schema column
    first. A merged cell counts at all positions that it covers. Values are equal as written in their type: a
    tolerance does not count, and "5" is not "5 %", since otherwise what is equal would depend on what else is there.
    0/0 is None.
    """
    one, other = _sides(gold, pred, table_type)
    return _in_common(one.row_keys(), other.row_keys())


def cells_multiset(gold: Table, pred: Table, *, table_type: TableType | None = None) -> Counts:
    """Cells with a value; matched are as many as the two tables have in common, wherever they stand.

    With a table type a value has to stand in the same schema column. Values are equal as in ``rows_multiset``;
    0/0 is None.
    """
    one, other = _sides(gold, pred, table_type)
    return _in_common(one.cell_keys(), other.cell_keys())


def adjacency(gold: Table, pred: Table) -> Counts:
    """Adjacency relations of ICDAR 2013: pairs of neighbouring texts with their direction, right or below.

    Each cell with a text and its nearest neighbour with one, in every row and column that it covers, blank cells
    skipped; a pair of cells counts once for each direction. Relations are equal if direction and both texts are,
    white space apart; matched are as many as both have in common. 0/0 is None: tables of one cell have no relation.
    Göbel et al., "A Methodology for Evaluating Algorithms for Table Understanding in PDF Documents", DocEng 2012.
    """
    return _in_common(_relations(gold), _relations(pred))


def cell_error_rates(gold: Table, pred: Table, *, table_type: TableType | None = None) -> CellErrorRates:
    """Character and word errors of each cell against the one it is aligned with, added up over the tables.

    Rows and columns are aligned by ``align``. A cell that is missing is all deletions, one that is spurious all
    insertions. White space inside a cell counts as one space and ends a word. The header is left out with a table
    type. Raises TooLargeError for two cells of which the comparison would take seconds.
    """
    found = outcomes(gold, pred, align(gold, pred, table_type=table_type), table_type=table_type)
    total = CellErrorRates(ErrorRate(0, 0), ErrorRate(0, 0))
    for outcome in found:
        one, other = (whitespace(cell.text) if cell else "" for cell in (outcome.gold, outcome.pred))
        expect_short([one], [other], most=MOST_CHARACTER_PAIRS)
        words, found_words = one.split(), other.split()
        total += CellErrorRates(
            ErrorRate(Levenshtein.distance(one, other), len(one)),
            ErrorRate(Levenshtein.distance(words, found_words), len(words)),
        )
    return total


@dataclass(frozen=True)
class _Side:
    """A table whose rows are counted from the first one that is scored."""

    table: Table
    table_type: TableType | None
    first: int
    columns: tuple[int | None, ...]

    @property
    def n_rows(self) -> int:
        return self.table.n_rows - self.first

    @cached_property
    def anchored(self) -> dict[tuple[int, int], str]:
        """The text of each cell at its first position."""
        return {(cell.row - self.first, cell.col): cell.text for cell in self.table.cells if cell.row >= self.first}

    @property
    def texts(self) -> list[list[str]]:
        """The normalised text at each position."""
        return [[whitespace(self.text(row, col)) for col in range(self.table.n_cols)] for row in range(self.n_rows)]

    def text(self, row: int, col: int) -> str:
        return self.table.text_at(row + self.first, col)

    def bound(self, col: int | None) -> int | None:
        """The schema column of a column; None also beyond the last one."""
        return None if col is None or col >= len(self.columns) else self.columns[col]

    def column(self, col: int) -> Column:
        return column_of(self.table_type, self.bound(col), None)

    def row_keys(self) -> Iterable[Hashable]:
        """The values of each row that has one, in an order that both tables share."""
        known = [col for _, col in sorted((at, col) for col, at in enumerate(self.columns) if at is not None)]
        others = [col for col, at in enumerate(self.columns) if at is None]
        for row in range(self.n_rows):
            values = [(self.bound(col), _key(self.text(row, col), self.column(col))) for col in known]
            rest = [_key(self.text(row, col), self.column(col)) for col in others]
            while rest and rest[-1] is None:
                rest.pop()
            told = tuple(value for value in values if value[1] is not None)
            if told or rest:
                yield told, tuple(rest)

    def cell_keys(self) -> Iterable[Hashable]:
        """The schema column and the value of each cell that has one."""
        for (_, col), text in self.anchored.items():
            key = _key(text, self.column(col))
            if key is not None:
                yield self.bound(col), key


def _sides(gold: Table, pred: Table, table_type: TableType | None) -> tuple[_Side, _Side]:
    if table_type is None:
        return _Side(gold, None, 0, (None,) * gold.n_cols), _Side(pred, None, 0, (None,) * pred.n_cols)
    one, other = (
        _Side(table, table_type, header, bind(table, table_type, header_rows=header).columns)
        for table, header in zip((gold, pred), header_rows(gold, pred), strict=True)
    )
    return one, other


def _cells(one: _Side, other: _Side, rows: Sequence[tuple[int, int]], cols: Sequence[tuple[int, int]]) -> Counts:
    """The cells with a value, matched where the one in the same pair of rows and pair of columns is equal."""
    gold_columns = {col: one.column(col) for col in range(one.table.n_cols)}
    pred_columns = {col: other.column(col) for col in range(other.table.n_cols)}
    for gold_col, pred_col in cols:
        both = column_of(one.table_type, one.bound(gold_col), other.bound(pred_col))
        gold_columns[gold_col] = pred_columns[pred_col] = both
    expected, predicted = (
        {
            place: value
            for place, text in side.anchored.items()
            if (value := read(text, columns[place[1]])).kind != "null"
        }
        for side, columns in ((one, gold_columns), (other, pred_columns))
    )
    pred_row, pred_col_of = dict(rows), dict(cols)
    matched = 0
    for (row, col), value in expected.items():
        found = predicted.get((pred_row.get(row, -1), pred_col_of.get(col, -1)))
        matched += found is not None and same(value, found, gold_columns[col])
    return Counts(matched, len(predicted), len(expected))


def _key(text: str, column: Column) -> Hashable:
    """What is equal for equal values; None for an absent one."""
    value: Value = read(text, column)
    if value.kind == "null":
        return None
    return value.text if column.normalise == "exact" else (value.kind, value.value, value.unit)


def _in_common(gold: Iterable[Hashable], pred: Iterable[Hashable]) -> Counts:
    expected, predicted = Counter(gold), Counter(pred)
    return Counts((expected & predicted).total(), predicted.total(), expected.total())


def _relations(table: Table) -> Iterable[Hashable]:
    texts = [whitespace(cell.text) for cell in table.cells]
    number = {(cell.row, cell.col): at for at, cell in enumerate(table.cells)}
    at = {place: number[cell.row, cell.col] for place, cell in table.grid.items()}
    across = [("right", [(row, col) for col in range(table.n_cols)]) for row in range(table.n_rows)]
    down = [("below", [(row, col) for row in range(table.n_rows)]) for col in range(table.n_cols)]
    found = set()
    for direction, places in [*across, *down]:
        told = [at[place] for place in places if place in at and texts[at[place]]]
        found |= {(one, other, direction) for one, other in pairwise(told) if one != other}
    return [(texts[one], texts[other], direction) for one, other, direction in found]
