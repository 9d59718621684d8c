"""The best one-to-one pairs of rows or columns, from all similarities or from those of some candidates."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Places = NDArray[np.int64]


def best_pairs(similarity: Floats, least: Floats, moved: Floats | None = None) -> list[tuple[int, int]]:
    """The pairs with the largest sum of similarities, each of at least ``least`` of its column.

    Similarities are whole millionths. At equal sums the pairs with the smallest ``moved`` win (how far apart the
    two stand; by default the difference of their numbers), then the earlier ones.
    """
    if not similarity.size:
        return []
    # Imported here: it takes longer to load than most tables take to score.
    from scipy.optimize import linear_sum_assignment

    n_gold, n_pred = similarity.shape
    if moved is None:
        moved = np.subtract.outer(np.arange(n_gold, dtype=float), np.arange(n_pred, dtype=float))
    allowed = similarity >= least
    earliness = 1 - np.add.outer(np.arange(n_gold), np.arange(n_pred)) / (n_gold + n_pred)
    furthest = float(np.abs(moved).max())
    worth = np.where(allowed, similarity + _bonus(moved, furthest, earliness, max(n_gold, n_pred)), 0.0)
    gold_at, pred_at = linear_sum_assignment(worth, maximize=True)
    return [(int(g), int(p)) for g, p in zip(gold_at, pred_at, strict=True) if allowed[g, p]]


def best_of_candidates(
    gold_at: Places, pred_at: Places, similarity: Floats, moved: Floats, *, n_gold: int, n_pred: int, furthest: float
) -> list[tuple[int, int]]:
    """The pairs with the largest sum of similarities among candidates: ``best_pairs`` where most pairs are ruled out.

    Candidate ``i`` is the pair (gold_at[i], pred_at[i]), each at most once and all of them allowed; ``furthest`` is
    the largest ``moved`` that two rows could have.
    """
    earliness = 1 - (gold_at + pred_at) / (n_gold + n_pred)
    worth = similarity + _bonus(moved, furthest, earliness, max(n_gold, n_pred))
    return heaviest(gold_at, pred_at, worth, n_gold=n_gold, n_pred=n_pred)


def heaviest(gold_at: Places, pred_at: Places, worth: Floats, *, n_gold: int, n_pred: int) -> list[tuple[int, int]]:
    """The pairs with the largest sum of ``worth`` among candidates (gold_at[i], pred_at[i]), each at most once.

    ``worth`` is above 0. Exact, by the algorithm of Jonker and Volgenant for sparse matrices.
    """
    if not len(gold_at):
        return []
    # Imported here: it takes longer to load than most tables take to score.
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    # Each gold row may also stay alone: a place of its own, worth nothing. Costs must not be 0.
    alone, most = np.arange(n_gold), float(worth.max()) + 1
    cost = csr_array(
        (
            np.concatenate([most - worth, np.full(n_gold, most)]),
            (np.concatenate([gold_at, alone]), np.concatenate([pred_at, n_pred + alone])),
        ),
        shape=(n_gold, n_pred + n_gold),
    )
    found_gold, found_pred = min_weight_full_bipartite_matching(cost)
    return [(int(g), int(p)) for g, p in zip(found_gold, found_pred, strict=True) if p < n_pred]


def _bonus(moved: Floats, furthest: float, earliness: Floats, size: int) -> Floats:
    """What decides between equal sums: all bonuses together stay below one millionth.

    The squares prefer two small moves to one large one, which keeps the order.
    """
    nearness = 1 - (moved / max(1.0, furthest)) ** 2
    return 2e-7 / size * (1 + nearness + 1e-4 * earliness)
