"""Rows found again by their key, and the cells of those rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

from scoring.alignment.align import column_of, header_rows
from scoring.alignment.assignment import Places, heaviest
from scoring.alignment.column_match import match_columns
from scoring.alignment.row_similarity import equal_values
from scoring.counts import Counts
from scoring.reading.html_grid import TooLargeError
from scoring.schema import Column, SchemaError, TableType, bind
from scoring.table import Table
from scoring.values.reader import Value, read, same

# So many pairs of different keys are compared in about two seconds, so many pairs of rows assigned.
_MOST_PAIRS_OF_KEYS, _MOST_PAIRS_OF_ROWS = 50_000_000, 1_000_000
_KEYS_AT_A_TIME = 500


@dataclass(frozen=True, slots=True)
class KeyedRows:
    """What a table looks like to who looks its rows up by key.

    ``rows`` are data rows with a value, matched where the other table has a row with that key. ``cells`` are the
    cells with a value in matched rows, beside the key columns. ``pairs`` are the matched (gold, predicted) rows in
    grid numbers. Counts add up; 0/0 is None.
    """

    rows: Counts
    cells: Counts
    pairs: tuple[tuple[int, int], ...]


def rows_by_key(gold: Table, pred: Table, *, table_type: TableType, least_similarity: float | None = None) -> KeyedRows:
    """Data rows matched one to one by the key columns of the table type, wherever they stand.

    Two keys match if their values do in every key column: ``values.same``, so numbers within the tolerance of the
    column. With ``least_similarity`` (0..1) texts and ids match from that normalised Levenshtein similarity on;
    numbers and dates never do by likeness. A row without a value in a key column matches none. As many rows as
    possible are matched; of several ways the one with most equal cells wins. The order of rows does not count.

    Raises SchemaError where the table type has no key column, ValueError for a similarity outside 0..1, and
    TooLargeError where too many rows share a key.
    """
    if least_similarity is not None and not 0 <= least_similarity <= 1:
        raise ValueError(
            f"least_similarity {least_similarity!r}, expected a number from 0 to 1, or None for equal keys"
        )
    if not any(column.key for column in table_type.columns):
        raise SchemaError(f'table type {table_type.name!r} has no key column, expected "key": true in at least one')
    one, other = (
        _Data.of(table, header, table_type) for table, header in zip((gold, pred), header_rows(gold, pred), strict=True)
    )
    lanes = _lanes(one, other, table_type)
    keys = [lane for lane in lanes if lane.key]
    wanted = sum(column.key for column in table_type.columns)
    told = [lane for lane in lanes if not lane.key]
    pairs: list[tuple[int, int]] = []
    if len([lane for lane in keys if None not in (lane.gold, lane.pred)]) == wanted:
        pairs = _matched(one, other, keys, told, least_similarity)
    return KeyedRows(
        Counts(len(pairs), other.count, one.count),
        _cells(one, other, pairs, told),
        tuple(sorted((g + one.first, p + other.first) for g, p in pairs)),
    )


@dataclass(frozen=True, slots=True)
class _Lane:
    """A pair of columns, or a column without a partner, and its column of the table type."""

    gold: int | None
    pred: int | None
    column: Column

    @property
    def key(self) -> bool:
        return self.column.key


@dataclass(frozen=True)
class _Data:
    """A table, its data rows and their columns; ``order`` sorts rows by content, so that their order is lost."""

    table: Table
    first: int
    columns: tuple[int | None, ...]
    count: int
    order: tuple[int, ...]

    @classmethod
    def of(cls, table: Table, header: int, table_type: TableType) -> _Data:
        rows = range(table.n_rows - header)
        lines = {row: [table.text_at(row + header, col) for col in range(table.n_cols)] for row in rows}
        told = [row for row in rows if any(text.strip() for text in lines[row])]
        columns = bind(table, table_type, header_rows=header).columns
        return cls(table, header, columns, len(told), tuple(sorted(told, key=lines.__getitem__)))

    def values(self, col: int | None, column: Column) -> list[Value]:
        """The values of a column in the order of ``order``; a merged cell has its value in each row."""
        texts = ["" if col is None else self.table.text_at(row + self.first, col) for row in self.order]
        known = {text: read(text, column) for text in set(texts)}
        return [known[text] for text in texts]

    def anchored(self, row: int, col: int | None) -> str | None:
        """The text of the cell whose first position this is; None where there is none."""
        cell = None if col is None else self.table.at(row + self.first, col)
        return cell.text if cell is not None and (cell.row, cell.col) == (row + self.first, col) else None


def _lanes(one: _Data, other: _Data, table_type: TableType) -> list[_Lane]:
    pairs: list[tuple[int | None, int | None]] = [
        *match_columns(one.table, other.table, one.first, other.first, one.columns, other.columns)
    ]
    taken = {col for _, col in pairs}
    gone = {col for col, _ in pairs}
    pairs += [(col, None) for col in range(one.table.n_cols) if col not in gone]
    pairs += [(None, col) for col in range(other.table.n_cols) if col not in taken]
    return [
        _Lane(
            gold,
            pred,
            column_of(
                table_type,
                None if gold is None else one.columns[gold],
                None if pred is None else other.columns[pred],
            ),
        )
        for gold, pred in pairs
    ]


def _matched(
    one: _Data, other: _Data, keys: Sequence[_Lane], told: Sequence[_Lane], least: float | None
) -> list[tuple[int, int]]:
    gold_at, pred_at = _with_equal_keys(one, other, keys, least)
    equal = np.zeros(len(gold_at))
    for lane in told:
        numbers: dict[object, int] = {None: 0}
        of_gold, of_pred = (
            np.array([numbers.setdefault(_key(value), len(numbers)) for value in values], np.int64)
            for values in (one.values(lane.gold, lane.column), other.values(lane.pred, lane.column))
        )
        # Two absent values are no equal cell, as in the counts.
        equal += (of_gold[gold_at] == of_pred[pred_at]) & (of_gold[gold_at] > 0)
    # One more pair is worth more than all equal cells together.
    most = len(told) * min(len(one.order), len(other.order)) + 1.0
    found = heaviest(gold_at, pred_at, most + equal, n_gold=len(one.order), n_pred=len(other.order))
    return [(one.order[g], other.order[p]) for g, p in found]


def _with_equal_keys(one: _Data, other: _Data, keys: Sequence[_Lane], least: float | None) -> tuple[Places, Places]:
    gold, pred = (_by_key(side, keys, gold=side is one) for side in (one, other))
    gold_keys, pred_keys = list(gold), list(pred)
    if len(gold_keys) * len(pred_keys) > _MOST_PAIRS_OF_KEYS:
        raise TooLargeError(
            f"gold has {len(gold_keys):,} different keys and the prediction {len(pred_keys):,}, expected a product of "
            f"at most {_MOST_PAIRS_OF_KEYS:,}; score the parts of the table on their own"
        )
    pairs: list[tuple[int, int]] = []
    for first in range(0, len(gold_keys), _KEYS_AT_A_TIME):
        piece = gold_keys[first : first + _KEYS_AT_A_TIME]
        allowed = np.ones((len(piece), len(pred_keys)), np.bool_)
        for at, lane in enumerate(keys):
            of_gold, of_pred = [key[at] for key in piece], [key[at] for key in pred_keys]
            equal = equal_values(of_gold, of_pred, lane.column)
            if least is not None:
                equal |= _alike(of_gold, of_pred, least)
            allowed &= equal
        for g, p in zip(*(places.tolist() for places in np.nonzero(allowed)), strict=True):
            pairs += [(row, found) for row in gold[piece[g]] for found in pred[pred_keys[p]]]
            if len(pairs) > _MOST_PAIRS_OF_ROWS:
                raise TooLargeError(
                    f"more than {_MOST_PAIRS_OF_ROWS:,} pairs of rows have the same key, expected a key that tells "
                    "rows apart; add a key column to the table type"
                )
    found = np.array(pairs, np.int64).reshape(-1, 2)
    return found[:, 0], found[:, 1]


def _by_key(side: _Data, keys: Sequence[_Lane], *, gold: bool) -> dict[tuple[Value, ...], list[int]]:
    lanes = [side.values(lane.gold if gold else lane.pred, lane.column) for lane in keys]
    rows: dict[tuple[Value, ...], list[int]] = {}
    for at, key in enumerate(zip(*lanes, strict=True)):
        if all(value.kind != "null" for value in key):
            rows.setdefault(key, []).append(at)
    return rows


def _alike(gold: Sequence[Value], pred: Sequence[Value], least: float) -> NDArray[np.bool_]:
    words = [np.array([value.kind in ("text", "id") for value in side]) for side in (gold, pred)]
    texts = [[value.text for value in side] for side in (gold, pred)]
    found = cdist(*texts, scorer=Levenshtein.normalized_similarity, dtype=np.float64)
    alike: NDArray[np.bool_] = np.logical_and.outer(*words) & (found >= least)
    return alike


def _key(value: Value) -> object:
    return None if value.kind == "null" else (value.kind, value.value)


def _cells(one: _Data, other: _Data, pairs: Sequence[tuple[int, int]], told: Sequence[_Lane]) -> Counts:
    matched = predicted = expected = 0
    for gold_row, pred_row in pairs:
        for lane in told:
            texts = one.anchored(gold_row, lane.gold), other.anchored(pred_row, lane.pred)
            gold, pred = (read(text or "", lane.column) for text in texts)
            expected += gold.kind != "null"
            predicted += pred.kind != "null"
            matched += gold.kind != "null" and same(gold, pred, lane.column)
    return Counts(matched, predicted, expected)
