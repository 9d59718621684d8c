"""Which rows of two large tables are worth comparing: those that share values, rare ones first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from scoring.alignment.row_similarity import Texts

Places = NDArray[np.int64]
Floats = NDArray[np.float64]

# A row is compared with so many rows of the other table: those with most cells in common.
MOST_CANDIDATES = 20
# A value that stands in more rows leads each row to those nearest in order only.
_MOST_PER_VALUE = 32
# A row whose best candidate has less in common is looked for by pieces of its texts too.
_LEAST_SHARE = 0.5
# Longer texts are cut into words, shorter ones into runs of three characters.
_LONGEST_CUT_INTO_RUNS = 40
# Pairs of rows that share a run or a word; frequent ones are passed over.
_MOST_PAIRS_BY_PIECES = 4_000_000


def candidate_pairs(gold: Texts, pred: Texts, weights: Sequence[float]) -> tuple[Places, Places]:
    """Pairs (gold row, predicted row) that are worth comparing, in order, each once.

    Rows have one text for each of ``weights``. Two rows are found together by an equal value in a column, or by
    equal values in two neighbouring columns, numbers and dates like any other. Of those each row keeps the 20 that
    have most in common with it by column weight, at equal shares the nearest in order. Rows that have less than half
    in common with any other are also found by words and runs of three characters, where rare ones count more.
    """
    n_gold, n_pred = len(gold), len(pred)
    if not n_gold or not n_pred or not weights:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    values_gold, values_pred = _numbered(gold, pred)
    both = np.unique(np.concatenate([g * n_pred + p for g, p in _sharing(values_gold, values_pred)]))
    gold_at, pred_at = np.divmod(both, n_pred)
    common = _share(values_gold, values_pred, gold_at, pred_at, weights)
    gold_at, pred_at, common = _best(gold_at, pred_at, common, n_gold, n_pred)
    weak_gold, weak_pred = (
        np.flatnonzero(_most(at, common, count) < _LEAST_SHARE) for at, count in ((gold_at, n_gold), (pred_at, n_pred))
    )
    more_gold, more_pred = _by_pieces(gold, pred, weak_gold, weak_pred)
    both = np.unique(np.concatenate([gold_at * n_pred + pred_at, more_gold * n_pred + more_pred]))
    gold_at, pred_at = np.divmod(both, n_pred)
    return gold_at, pred_at


def _numbered(gold: Texts, pred: Texts) -> tuple[Places, Places]:
    """The texts as numbers, rows x columns: equal texts of a column have equal numbers, the empty text has 0."""
    lanes = []
    for lane in zip(*gold, *pred, strict=True):
        known = {"": 0}
        lanes.append([known.setdefault(text, len(known)) for text in lane])
    numbers = np.array(lanes, np.int64).T
    return numbers[: len(gold)], numbers[len(gold) :]


def _sharing(gold: Places, pred: Places) -> Iterator[tuple[Places, Places]]:
    n_cols = gold.shape[1]
    for col in range(n_cols):
        yield _equal_keys(gold[:, col], pred[:, col])
    for col in range(n_cols if n_cols > 2 else n_cols - 1):
        beside = (col + 1) % n_cols
        base = 1 + max(gold[:, beside].max(), pred[:, beside].max())
        # Two values together are rarer than each of them; 0 stands for a pair with an empty cell.
        keys = [
            np.where((side[:, col] > 0) & (side[:, beside] > 0), side[:, col] * base + side[:, beside], 0)
            for side in (gold, pred)
        ]
        yield _equal_keys(*keys)


def _equal_keys(gold: Places, pred: Places) -> tuple[Places, Places]:
    """The pairs of rows with equal keys other than 0; of a frequent key the nearest in order."""
    in_order = np.argsort(pred, kind="stable")
    first = np.searchsorted(pred[in_order], gold, "left")
    count = np.where(gold > 0, np.searchsorted(pred[in_order], gold, "right") - first, 0)
    by_key = np.argsort(gold, kind="stable")
    starts = np.searchsorted(gold[by_key], gold, "left")
    rank = np.empty_like(gold)
    rank[by_key] = np.arange(len(gold)) - starts[by_key]
    twins = np.searchsorted(gold[by_key], gold, "right") - starts
    taken = np.minimum(count, _MOST_PER_VALUE)
    window = np.clip(rank * count // np.maximum(twins, 1) - taken // 2, 0, count - taken)
    gold_at = np.repeat(np.arange(len(gold)), taken)
    within = np.arange(len(gold_at)) - np.repeat(np.cumsum(taken) - taken, taken)
    return gold_at, in_order[np.repeat(first + window, taken) + within]


def _share(gold: Places, pred: Places, gold_at: Places, pred_at: Places, weights: Sequence[float]) -> Floats:
    """The share of cells that are equal, 0..1 by weight, of those that either row has."""
    equal, told = np.zeros(len(gold_at)), np.zeros(len(gold_at))
    for col, weight in enumerate(weights):
        of_gold, of_pred = gold[gold_at, col], pred[pred_at, col]
        some = (of_gold > 0) | (of_pred > 0)
        equal += weight * (some & (of_gold == of_pred))
        told += weight * some
    return np.divide(equal, told, out=np.zeros_like(equal), where=told > 0)


def _best(gold_at: Places, pred_at: Places, worth: Floats, n_gold: int, n_pred: int) -> tuple[Places, Places, Floats]:
    """The pairs that are among the best of their gold row or of their predicted row."""
    far = np.abs(gold_at / n_gold - pred_at / n_pred)
    kept = np.zeros(len(gold_at), np.bool_)
    for at in (gold_at, pred_at):
        in_order = np.lexsort((far, -worth, at))
        place = np.arange(len(at)) - np.searchsorted(at[in_order], at[in_order], "left")
        kept[in_order[place < MOST_CANDIDATES]] = True
    return gold_at[kept], pred_at[kept], worth[kept]


def _most(at: Places, worth: Floats, count: int) -> Floats:
    most = np.zeros(count)
    np.maximum.at(most, at, worth)
    return most


def _by_pieces(gold: Texts, pred: Texts, gold_at: Places, pred_at: Places) -> tuple[Places, Places]:
    if not len(gold_at) or not len(pred_at):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    # Imported here: it takes longer to load than most tables take to score.
    from scipy.sparse import csr_array

    known: dict[tuple[int, str], int] = {}
    sides = []
    for texts, rows in ((gold, gold_at), (pred, pred_at)):
        found = [sorted({known.setdefault(piece, len(known)) for piece in _pieces(texts[row])}) for row in rows]
        row_of = np.repeat(np.arange(len(rows)), [len(each) for each in found])
        sides.append((row_of, np.array([piece for each in found for piece in each], np.int64)))
    counts = [np.bincount(pieces, minlength=len(known)) for _, pieces in sides]
    pairs = counts[0] * counts[1]
    by_rarity = np.argsort(pairs, kind="stable")
    rare = np.zeros(len(known), np.bool_)
    rare[by_rarity[np.cumsum(pairs[by_rarity]) <= _MOST_PAIRS_BY_PIECES]] = True
    value = np.where(rare, np.log(1 + (len(gold_at) + len(pred_at)) / np.maximum(counts[0] + counts[1], 1)), 0.0)
    matrices = []
    for (row_of, pieces), rows in zip(sides, (gold_at, pred_at), strict=True):
        row, used = row_of[rare[pieces]], pieces[rare[pieces]]
        matrices.append(csr_array((value[used] ** 0.5, (row, used)), shape=(len(rows), len(known))))
    shared = (matrices[0] @ matrices[1].T).tocoo()
    found_gold, found_pred, _ = _best(
        shared.row.astype(np.int64), shared.col.astype(np.int64), shared.data, len(gold_at), len(pred_at)
    )
    return gold_at[found_gold], pred_at[found_pred]


def _pieces(row: Sequence[str]) -> Iterator[tuple[int, str]]:
    for col, text in enumerate(row):
        if len(text) > _LONGEST_CUT_INTO_RUNS:
            yield from ((col, word) for word in text.split())
        elif text:
            padded = f" {text} "
            yield from ((col, padded[at : at + 3]) for at in range(len(padded) - 2))
