"""Which data rows belong together: by key, by equal texts, and by the assignment of the rest."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.alignment.assignment import best_of_candidates, best_pairs
from scoring.alignment.blocking import candidate_pairs
from scoring.alignment.row_similarity import RowCost, Texts, pair_similarity, row_similarity
from scoring.schema import Column
from scoring.values.reader import Value, read

# Up to so many rows without an equal partner every one is compared with every other.
LARGEST_ASSIGNMENT = 2000
# So many pairs of rows that the candidates left over are compared after all.
_MOST_LEFT_OVER = 1_000_000

Pair = tuple[int, int]


@dataclass(frozen=True)
class Rows:
    """The texts of the data rows of gold and prediction, one for each pair of columns, and what tells them apart.

    A pair needs a similarity of ``least``, one with a predicted row that has a twin ``least_of_twins``.
    """

    gold: Texts
    pred: Texts
    columns: Sequence[Column]
    cost: RowCost
    least: float
    least_of_twins: float
    twins: Counter[tuple[str, ...]] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "twins", Counter(self.pred))


@dataclass(frozen=True, slots=True)
class Matched:
    """Pairs of (gold, predicted) data rows; ``approximated`` tells how many of each were not all compared."""

    pairs: tuple[Pair, ...]
    approximated: Pair = (0, 0)

    def __add__(self, other: Matched) -> Matched:
        (gold, pred), (more_gold, more_pred) = self.approximated, other.approximated
        return Matched(self.pairs + other.pairs, (gold + more_gold, pred + more_pred))

    @property
    def how(self) -> str:
        """What was approximated, in words that follow others; "" where nothing was."""
        gold, pred = self.approximated
        if not gold:
            return ""
        return f"; {gold:,} and {pred:,} rows without an equal one are compared only where they share values"


def match_all(rows: Rows) -> Matched:
    """The best pairs of all rows, however unlike."""
    return _matched(rows, range(len(rows.gold)), range(len(rows.pred)), least=0.0)


def match_by_key(rows: Rows, keys: Sequence[int]) -> Matched:
    """Rows with equal values in the columns ``keys``, then the rest by content from ``least_of_twins`` on."""
    gold_by_key, pred_by_key = _grouped(rows.gold, keys, rows.columns), _grouped(rows.pred, keys, rows.columns)
    found = Matched(())
    pairs: list[Pair] = []
    for key, gold_at in gold_by_key.items():
        pred_at = pred_by_key.get(key, [])
        if len(gold_at) == len(pred_at) == 1:
            pairs.append((gold_at[0], pred_at[0]))
        elif pred_at:
            found += _matched(rows, gold_at, pred_at, least=0.0)
    found += Matched(tuple(pairs))
    gold_rest = rest(len(rows.gold), (g for g, _ in found.pairs))
    seen = {rows.pred[p] for _, p in found.pairs}
    pred_rest = [p for p in rest(len(rows.pred), (p for _, p in found.pairs)) if rows.pred[p] not in seen]
    return found + _matched(rows, gold_rest, pred_rest, least=rows.least_of_twins)


def match_by_content(rows: Rows) -> Matched:
    """Rows with equal texts in order, then the assignment of the rest from ``least`` on."""
    waiting: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for at in reversed(range(len(rows.pred))):
        waiting[rows.pred[at]].append(at)
    pairs = tuple((at, waiting[row].pop()) for at, row in enumerate(rows.gold) if waiting.get(row))
    gold_rest = rest(len(rows.gold), (g for g, _ in pairs))
    pred_rest = rest(len(rows.pred), (p for _, p in pairs))
    return Matched(pairs) + _matched(rows, gold_rest, pred_rest, least=rows.least)


def rest(count: int, taken: Iterable[int]) -> list[int]:
    """The numbers below ``count`` that are not taken."""
    gone = set(taken)
    return [at for at in range(count) if at not in gone]


def _grouped(texts: Texts, keys: Sequence[int], columns: Sequence[Column]) -> dict[tuple[Any, ...], list[int]]:
    groups: dict[tuple[Any, ...], list[int]] = defaultdict(list)
    for at, row in enumerate(texts):
        values: list[Value] = [read(row[key], columns[key]) for key in keys]
        if all(value.kind != "null" for value in values):
            groups[tuple((value.kind, value.value) for value in values)].append(at)
    return groups


def _matched(rows: Rows, gold_at: Sequence[int], pred_at: Sequence[int], *, least: float) -> Matched:
    """The best pairs between some gold and some predicted rows."""
    if not gold_at or not pred_at:
        return Matched(())
    if max(len(gold_at), len(pred_at)) <= LARGEST_ASSIGNMENT:
        return Matched(of_all_pairs(rows, gold_at, pred_at, least=least))
    return Matched(of_candidates(rows, gold_at, pred_at, least=least), (len(gold_at), len(pred_at)))


def of_all_pairs(rows: Rows, gold_at: Sequence[int], pred_at: Sequence[int], *, least: float) -> tuple[Pair, ...]:
    """The best pairs, every row compared with every other: time and memory grow with the square."""
    gold, pred = tuple(rows.gold[at] for at in gold_at), tuple(rows.pred[at] for at in pred_at)
    found = row_similarity(gold, pred, rows.columns, cost=rows.cost)
    moved = np.subtract.outer(np.array(gold_at, float), np.array(pred_at, float))
    return tuple((gold_at[g], pred_at[p]) for g, p in best_pairs(found, _needed(rows, pred_at, least), moved))


def of_candidates(rows: Rows, gold_at: Sequence[int], pred_at: Sequence[int], *, least: float) -> tuple[Pair, ...]:
    """The best pairs of rows that share values or parts of them, then of the rows left over if they are few."""
    gold, pred = tuple(rows.gold[at] for at in gold_at), tuple(rows.pred[at] for at in pred_at)
    g, p = candidate_pairs(gold, pred, [column.weight for column in rows.columns])
    similarity = pair_similarity(gold, pred, g, p, rows.columns, cost=rows.cost)
    allowed = similarity >= _needed(rows, pred_at, least)[p]
    g, p, similarity = g[allowed], p[allowed], similarity[allowed]
    of_gold, of_pred = np.array(gold_at), np.array(pred_at)
    found = best_of_candidates(
        g,
        p,
        similarity,
        (of_gold[g] - of_pred[p]).astype(np.float64),
        n_gold=len(gold),
        n_pred=len(pred),
        furthest=float(max(of_gold[-1] - of_pred[0], of_pred[-1] - of_gold[0])),
    )
    pairs = tuple((gold_at[g], pred_at[p]) for g, p in found)
    gold_rest = [gold_at[at] for at in rest(len(gold), (g for g, _ in found))]
    pred_rest = [pred_at[at] for at in rest(len(pred), (p for _, p in found))]
    if 0 < len(gold_rest) * len(pred_rest) <= _MOST_LEFT_OVER:
        pairs += of_all_pairs(rows, gold_rest, pred_rest, least=least)
    return pairs


def _needed(rows: Rows, pred_at: Sequence[int], least: float) -> NDArray[np.float64]:
    return np.array(
        [max(least, rows.least_of_twins) if least and rows.twins[rows.pred[at]] > 1 else least for at in pred_at]
    )
