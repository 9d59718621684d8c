"""How alike two rows are, by a named cost: Levenshtein, differing cells, or embeddings of the caller."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist, cpdist

from scoring.alignment.embeddings import Embeddings
from scoring.schema import Column
from scoring.values.reader import Value, read, same

RowCost = Literal["levenshtein", "cells"] | Embeddings
Texts = tuple[tuple[str, ...], ...]
Floats = NDArray[np.float64]
Places = NDArray[np.int64]
# So many gold rows at a time keep the matrices of the columns small beside the result.
_ROWS_AT_A_TIME = 2000
_FLOAT_ERROR = 1e-12


def cost_name(cost: RowCost) -> str:
    """The name of a cost for a signature: "levenshtein", "cells", or "embeddings:" and the model."""
    if not isinstance(cost, Embeddings):
        return cost
    return f"embeddings:{cost.name}" + (f"({'+'.join(cost.columns)})" if cost.columns else "")


def row_similarity(gold: Texts, pred: Texts, columns: Sequence[Column], *, cost: RowCost = "levenshtein") -> Floats:
    """Similarity 0..1 of every gold row with every predicted row, in whole millionths.

    Rows have one text for each of ``columns``. The similarity is the mean over the columns, by their weight, of

    - "levenshtein": the squared normalised Levenshtein similarity of the texts (squared since any two amounts share
      some digits);
    - "cells": 1 where the values are equal (``values.same``: typed, within the tolerance of the column), else 0;
    - embeddings: the similarity that the caller's model gives the texts; Levenshtein in the other columns.

    Cells that are empty on both sides do not count; two rows without any text are equal (1). It takes about 40 ns
    for a pair of different texts. Raises EmbeddingError.
    """
    pieces = [
        _every_pair(gold[first : first + _ROWS_AT_A_TIME], pred, columns, cost)
        for first in range(0, len(gold), _ROWS_AT_A_TIME)
    ]
    return np.concatenate(pieces) if len(pieces) > 1 else pieces[0] if pieces else np.zeros((0, len(pred)))


def pair_similarity(
    gold: Texts, pred: Texts, gold_at: Places, pred_at: Places, columns: Sequence[Column], *, cost: RowCost
) -> Floats:
    """Similarity 0..1 of the pairs (gold_at[i], pred_at[i]) alone; the same values as ``row_similarity``."""
    total, weight = np.zeros(len(gold_at)), np.zeros(len(gold_at))
    for col, column in enumerate(columns):
        gold_text, of_gold = _unique([row[col] for row in gold])
        pred_text, of_pred = _unique([row[col] for row in pred])
        both = np.array(of_gold, np.int64)[gold_at] * max(len(pred_text), 1) + np.array(of_pred, np.int64)[pred_at]
        different, at = np.unique(both, return_inverse=True)
        of_gold_text, of_pred_text = np.divmod(different, max(len(pred_text), 1))
        found = _column_pairs(gold_text, pred_text, of_gold_text, of_pred_text, column, cost)
        counts = ~(_empty(gold_text)[of_gold_text] & _empty(pred_text)[of_pred_text])
        total += column.weight * (found * counts)[at]
        weight += column.weight * counts[at]
    return _mean(total, weight)


def _every_pair(gold: Texts, pred: Texts, columns: Sequence[Column], cost: RowCost) -> Floats:
    total, weight = np.zeros((len(gold), len(pred))), np.zeros((len(gold), len(pred)))
    for col, column in enumerate(columns):
        gold_text, gold_at = _unique([row[col] for row in gold])
        pred_text, pred_at = _unique([row[col] for row in pred])
        found = _column_matrix(gold_text, pred_text, column, cost)
        counts = ~np.logical_and.outer(_empty(gold_text), _empty(pred_text))
        total += column.weight * (found * counts)[np.ix_(gold_at, pred_at)]
        weight += column.weight * counts[np.ix_(gold_at, pred_at)]
    return _mean(total, weight)


def _mean(total: Floats, weight: Floats) -> Floats:
    result: Floats = np.divide(total, weight, out=np.ones_like(total), where=weight > 0)
    # Rounding makes sums of equal parts equal, whatever their order.
    return np.round(result, 6)


def _column_matrix(gold: list[str], pred: list[str], column: Column, cost: RowCost) -> NDArray[np.float32]:
    if isinstance(cost, Embeddings) and cost.covers(column):
        return cost.matrix(gold, pred)
    if cost == "cells":
        of_gold, of_pred = ([read(text, column) for text in side] for side in (gold, pred))
        return equal_values(of_gold, of_pred, column).astype(np.float32)
    found: NDArray[np.float32] = cdist(gold, pred, scorer=Levenshtein.normalized_similarity, dtype=np.float32)
    return found * found


def _column_pairs(
    gold: list[str], pred: list[str], gold_at: Places, pred_at: Places, column: Column, cost: RowCost
) -> NDArray[np.float32]:
    if isinstance(cost, Embeddings) and cost.covers(column):
        result = np.zeros(len(gold_at), np.float32)
        for first in range(0, len(gold), _ROWS_AT_A_TIME):
            (inside,) = np.nonzero((gold_at >= first) & (gold_at < first + _ROWS_AT_A_TIME))
            wanted, at = np.unique(pred_at[inside], return_inverse=True)
            piece = cost.matrix(gold[first : first + _ROWS_AT_A_TIME], [pred[place] for place in wanted])
            result[inside] = piece[gold_at[inside] - first, at]
        return result
    if cost == "cells":
        of_gold, of_pred = [read(text, column) for text in gold], [read(text, column) for text in pred]
        equal = [same(of_gold[g], of_pred[p], column) for g, p in zip(gold_at.tolist(), pred_at.tolist(), strict=True)]
        return np.array(equal, np.float32)
    found: NDArray[np.float32] = cpdist(
        [gold[g] for g in gold_at.tolist()],
        [pred[p] for p in pred_at.tolist()],
        scorer=Levenshtein.normalized_similarity,
        dtype=np.float32,
    )
    return found * found


def equal_values(gold: Sequence[Value], pred: Sequence[Value], column: Column) -> NDArray[np.bool_]:
    """Where a gold value is the ``same`` as a predicted one, without asking for each pair."""
    exact = column.normalise == "exact"
    numbers: dict[Any, int] = {}
    keys = [
        np.array([numbers.setdefault(_key(value, exact=exact), len(numbers)) for value in side], np.int64)
        for side in (gold, pred)
    ]
    equal = np.equal.outer(*keys)
    if not exact:
        if column.tolerance or column.relative_tolerance or column.precision == "printed":
            _mark_near(equal, gold, pred, column)
        units: dict[str, int] = {"": 0}
        of_gold, of_pred = (
            np.array([units.setdefault(value.unit, len(units)) for value in side], np.int64) for side in (gold, pred)
        )
        equal &= np.equal.outer(of_gold, of_pred) | np.logical_or.outer(of_gold == 0, of_pred == 0)
    found: NDArray[np.bool_] = equal
    return found


def _key(value: Value, *, exact: bool) -> tuple[str, Any]:
    if value.kind == "null":
        return "null", ""
    return ("exact", value.text) if exact else (value.kind, value.value)


def _mark_near(equal: NDArray[np.bool_], gold: Sequence[Value], pred: Sequence[Value], column: Column) -> None:
    """Mark the numbers that are equal within what the column allows; only close calls are asked for one by one."""
    rows = [row for row, value in enumerate(gold) if value.kind == "number"]
    cols = [col for col, value in enumerate(pred) if value.kind == "number"]
    of_gold, of_pred = (
        np.array([float(side[at].value) for at in places]) for side, places in ((gold, rows), (pred, cols))
    )
    with np.errstate(all="ignore"):  # numbers of 400 digits are infinite here, and asked for
        apart = np.abs(np.subtract.outer(of_gold, of_pred))
        larger = np.maximum.outer(np.abs(of_gold), np.abs(of_pred))
        allowed = np.maximum(float(column.tolerance), larger * float(column.relative_tolerance))
        near = apart < allowed - larger * _FLOAT_ERROR
        if column.precision == "printed":
            steps = ([float(side[at].step) for at in places] for side, places in ((gold, rows), (pred, cols)))
            allowed = np.maximum(allowed, np.maximum.outer(*map(np.array, steps)))
        asked = ~(near | (apart > allowed + larger * _FLOAT_ERROR))
    for row, col in zip(*np.nonzero(asked), strict=True):
        near[row, col] = same(gold[rows[row]], pred[cols[col]], column)
    equal[np.ix_(rows, cols)] |= near


def _empty(texts: Sequence[str]) -> NDArray[np.bool_]:
    return np.array([not text for text in texts], np.bool_)


def _unique(texts: Sequence[str]) -> tuple[list[str], list[int]]:
    index: dict[str, int] = {}
    at = [index.setdefault(text, len(index)) for text in texts]
    return list(index), at
