"""Slow and obvious row, cell and record metrics that the fast ones are compared with."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.row_similarity import Texts
from scoring.schema import Column
from scoring.values import is_null, read, same


def cells_similarity(gold: Sequence[str], pred: Sequence[str], columns: Sequence[Column]) -> float:
    """The share by weight of the cells that are equal, of those that either row has."""
    equal = told = 0.0
    for one, other, column in zip(gold, pred, columns, strict=True):
        if one or other:
            told += column.weight
            equal += column.weight * same(read(one, column), read(other, column), column)
    return equal / told if told else 1.0


def every(gold: Texts, pred: Texts, columns: Sequence[Column]) -> list[list[float]]:
    return [[cells_similarity(row, other, columns) for other in pred] for row in gold]


def blanked(rows: Sequence[Sequence[str]], columns: Sequence[Column]) -> Texts:
    """Rows as the alignment holds them: an absent value is the empty text."""
    return tuple(
        tuple("" if is_null(text, column) else text for text, column in zip(row, columns, strict=True)) for row in rows
    )
