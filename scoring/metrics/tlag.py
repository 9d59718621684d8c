"""T-LAG: which neighbours of cells are kept, to the right and below, with texts compared by a steep similarity."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from rapidfuzz.distance import Levenshtein

from scoring.metrics.overlap import Overlap
from scoring.reading.html_grid import TooLargeError, running_spans
from scoring.text_pairs import Matrix, all_pairs

# The best assignment takes up to the third power of the edges: one to two seconds for so many on either side.
LARGEST_ASSIGNMENT = 2500
_STEEPNESS = 7
_NULL = ""
_NULL_WORDS = frozenset({"", "-", "--", "---", "–", "—", "...", "…", "n/a", "na", "none", "nil"})
# Figure, en and em dash, horizontal bar, minus; no-break space.
_MARKS = str.maketrans("\u2012\u2013\u2014\u2015\u2212\u00a0", "----- ")
_SPACES = re.compile(r"\s+")

Edge = tuple[str, str]


@dataclass(frozen=True, slots=True)
class _Edges:
    right: Sequence[Edge]
    below: Sequence[Edge]
    first: str

    @property
    def size(self) -> int:
        return len(self.right) + len(self.below)


def tlag(gold: str, pred: str) -> Overlap:
    """The T-LAG score of two HTML documents: matched weight out of predicted and expected edges.

    An edge joins the cells of two neighbouring positions, to the right or below. Its weight against an edge of
    the same direction is ``psi(source) * psi(target)``, psi = (1 - Levenshtein / max length) ** 7, and the score is
    the best one-to-one assignment. Two documents without edges are compared by their first cells alone.
    Where only one has edges all ratios are 0. Raises TooLargeError.

    From the formulas of the PulseBench-Tab report (2026); nothing of its program is used. Both directions are
    assigned apart, since weights across are 0. Edges of equal texts are matched first: 1 - psi obeys the triangle
    inequality, so that giving up such a match never gains.
    """
    expected, predicted = _read(gold), _read(pred)
    if not expected.size and not predicted.size:
        return Overlap(_psi([expected.first], [predicted.first])[0, 0].item(), 1, 1)
    if not expected.size or not predicted.size:
        return Overlap(0.0, predicted.size, expected.size)
    left = [_unequal(*edges) for edges in ((expected.right, predicted.right), (expected.below, predicted.below))]
    gold_left, pred_left = zip(*left, strict=True)
    matched = float(expected.size - sum(map(len, gold_left)))
    if any(gold_edges and pred_edges for gold_edges, pred_edges in left):
        matched += _best(gold_left, pred_left)
    return Overlap(matched, predicted.size, expected.size)


def normalise(text: str) -> str:
    """The text as T-LAG compares it; "" for all ways to write that a cell is empty.

    The test for such words comes before dashes are unified: a lone minus sign (U+2212) is the text "-".
    """
    text = text.strip()
    if text == "[NULL]" or text.lower() in _NULL_WORDS:
        return _NULL
    return _SPACES.sub(" ", text.translate(_MARKS)).strip()


def _read(html: str) -> _Edges:
    covering, raw = running_spans(html)
    texts = [normalise(text) for text in raw]
    right, below = set(), set()
    for (row, col), source in covering.items():
        target = covering.get((row, col + 1), source)
        if target != source:
            right.add((source, target))
        target = covering.get((row + 1, col), source)
        if target != source:
            below.add((source, target))
    named = [[(texts[source], texts[target]) for source, target in edges] for edges in (right, below)]
    return _Edges(named[0], named[1], texts[0] if texts else _NULL)


def _psi(gold: Sequence[str], pred: Sequence[str]) -> Matrix:
    return all_pairs(gold, pred, Levenshtein.normalized_similarity) ** _STEEPNESS


def _unequal(gold: Sequence[Edge], pred: Sequence[Edge]) -> tuple[list[Edge], list[Edge]]:
    """The edges of one direction that are left when those of equal texts have been matched."""
    expected, predicted = Counter(gold), Counter(pred)
    equal = expected & predicted
    left = sorted((expected - equal).elements()), sorted((predicted - equal).elements())
    if len(left[0]) * len(left[1]) > LARGEST_ASSIGNMENT**2:
        raise TooLargeError(
            f"T-LAG leaves {len(left[0]):,} edges of gold and {len(left[1]):,} of the prediction without an equal "
            f"partner, expected at most {LARGEST_ASSIGNMENT:,} each; score the parts of the table on their own"
        )
    return left


def _best(gold: Sequence[Sequence[Edge]], pred: Sequence[Sequence[Edge]]) -> float:
    """The weight of the best one-to-one assignment, direction by direction."""
    from scipy.optimize import linear_sum_assignment  # 0.3 s to load, and equal tables do without

    texts_gold, texts_pred = _places(gold), _places(pred)
    psi = _psi(list(texts_gold), list(texts_pred))
    total = 0.0
    for expected, predicted in zip(gold, pred, strict=True):
        if expected and predicted:
            from_gold, to_gold = ([texts_gold[edge[end]] for edge in expected] for end in (0, 1))
            from_pred, to_pred = ([texts_pred[edge[end]] for edge in predicted] for end in (0, 1))
            weights = psi[np.ix_(from_gold, from_pred)] * psi[np.ix_(to_gold, to_pred)]
            total += float(weights[linear_sum_assignment(weights, maximize=True)].sum())
    return total


def _places(edges: Sequence[Sequence[Edge]]) -> dict[str, int]:
    texts = dict.fromkeys(text for direction in edges for edge in direction for text in edge)
    return {text: index for index, text in enumerate(texts)}
