"""T-LAG: which neighbours of cells are kept, to the right and below, with texts compared by a steep similarity."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from rapidfuzz.distance import Levenshtein

from scoring.html_grid import TooLargeError, running_spans
from scoring.overlap import Overlap
from scoring.text_pairs import Matrix, all_pairs

# The best assignment takes up to the third power of the edges: about 3 s here, and far longer beyond.
LARGEST_ASSIGNMENT = 1500
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
    matched = _best(expected.right, predicted.right) + _best(expected.below, predicted.below)
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


def _best(gold: Sequence[Edge], pred: Sequence[Edge]) -> float:
    """The weight of the best one-to-one assignment of edges of one direction."""
    counted, predicted = Counter(gold), Counter(pred)
    equal = counted & predicted
    matched = float(equal.total())
    gold = sorted((counted - equal).elements())
    pred = sorted((predicted - equal).elements())
    if not gold or not pred:
        return matched
    if min(len(gold), len(pred)) > LARGEST_ASSIGNMENT or len(gold) * len(pred) > 4 * LARGEST_ASSIGNMENT**2:
        raise TooLargeError(
            f"T-LAG leaves {len(gold):,} edges of gold and {len(pred):,} of the prediction without an equal partner, "
            f"expected at most {LARGEST_ASSIGNMENT:,}; score the parts of the table on their own"
        )
    from scipy.optimize import linear_sum_assignment  # 0.3 s to load, and equal tables do without

    of_gold, of_pred = (sorted({text for edge in edges for text in edge}) for edges in (gold, pred))
    psi = _psi(of_gold, of_pred)
    (from_gold, to_gold), (from_pred, to_pred) = _places(gold, of_gold), _places(pred, of_pred)
    weights = psi[np.ix_(from_gold, from_pred)] * psi[np.ix_(to_gold, to_pred)]
    chosen = linear_sum_assignment(weights, maximize=True)
    return matched + float(weights[chosen].sum())


def _places(edges: Sequence[Edge], texts: Sequence[str]) -> tuple[list[int], list[int]]:
    place = {text: index for index, text in enumerate(texts)}
    return [place[source] for source, _ in edges], [place[target] for _, target in edges]
