"""Inner loops over flat sequences: compiled where numba is installed, the same source run as it is elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from scoring.reading.html_grid import TooLargeError

# Loading numba takes most of a second, in which plain Python makes about so many steps.
WORTH_COMPILING = 2_000_000
# In plain Python about two seconds; compiled half a second, but 300 MB to work in.
MOST_STEPS_COMPILED = 150_000_000
MOST_STEPS_PLAIN = 6_000_000


def run(kernel: Callable[..., Any], steps: int, *arguments: Any) -> Any:
    """What the kernel returns, compiled or not; both give equal results, to the last bit.

    ``steps`` tells roughly how often its innermost loop runs. Arrays are handed to plain Python as lists, so that
    a kernel must return what it made.
    """
    if worth_compiling(steps):
        return compiled(kernel)(*arguments)
    return kernel(*(each.tolist() if isinstance(each, np.ndarray) else each for each in arguments))


def expect_affordable(steps: int) -> None:
    """Raise TooLargeError where so many steps take longer than about two seconds; ask before making room for them."""
    fast = steps > WORTH_COMPILING and _compiler() is not None
    most = MOST_STEPS_COMPILED if fast else MOST_STEPS_PLAIN
    if steps > most:
        hint = "score the parts of the table on their own"
        if not fast:
            hint = "install proofgrid[fast], or " + hint
        raise TooLargeError(f"comparing the tables would take {steps:,} steps, expected at most {most:,}; {hint}")


def worth_compiling(steps: int) -> bool:
    """Whether numba is there and loaded, or these steps and those asked for before pay for loading it."""
    global _steps_so_far
    _steps_so_far += steps
    return (_steps_so_far > WORTH_COMPILING or "numba" in sys.modules) and _compiler() is not None


# This decides how fast values come, and never which.
_steps_so_far = 0


def compiled(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """The kernel as machine code; call it only where numba is there."""
    compiler = _compiler()
    assert compiler is not None, "worth_compiling says whether numba is there"
    return compiler(kernel)


@cache
def _compiler() -> Callable[[Callable[..., Any]], Callable[..., Any]] | None:
    try:
        import numba
    except ImportError:
        return None

    @cache
    def compiler(kernel: Callable[..., Any]) -> Callable[..., Any]:
        try:
            function: Callable[..., Any] = numba.njit(kernel, cache=True, nogil=True)
        except RuntimeError:  # no folder is writable that the compiled code could be kept in
            function = numba.njit(kernel, nogil=True)
        return function

    return compiler


def tree_distance(
    left_gold: Any,
    left_pred: Any,
    roots_gold: Any,
    roots_pred: Any,
    label_gold: Any,
    label_pred: Any,
    content_gold: Any,
    content_pred: Any,
    content_distance: Any,
    contents: int,
    between: Any,
    forest: Any,
) -> float:
    """The edit distance of two ordered trees in postorder, insertion and deletion 1, by Zhang and Shasha (1989).

    Per node: its leftmost leaf, a label, and the index of its content or -1. Renaming costs 1 where labels differ,
    else the distance of the contents (``contents`` per line). ``between`` and ``forest`` are room to work in.
    """
    n_pred = len(left_pred)
    wide = n_pred + 1
    for i in roots_gold:
        for j in roots_pred:
            first_gold, first_pred = left_gold[i], left_pred[j]
            if first_gold == i and first_pred == j:  # two leaves: a renaming never costs more than 1 + 1
                cost = 1.0
                if label_gold[i] == label_pred[j]:
                    cost = 0.0
                    if content_gold[i] >= 0:
                        cost = content_distance[content_gold[i] * contents + content_pred[j]]
                between[i * n_pred + j] = cost
                continue
            # forest[(x - first_gold + 1) * wide + y - first_pred + 1]: the distance of first_gold..x and first_pred..y
            for y in range(j - first_pred + 2):
                forest[y] = float(y)
            for x in range(first_gold, i + 1):
                here = (x - first_gold + 1) * wide
                above = here - wide
                forest[here] = forest[above] + 1.0
                left = left_gold[x]
                down = (left - first_gold) * wide
                label = label_gold[x]
                content = content_gold[x]
                for y in range(first_pred, j + 1):
                    at = y - first_pred + 1
                    best = min(forest[above + at] + 1.0, forest[here + at - 1] + 1.0)
                    other = left_pred[y]
                    if left == first_gold and other == first_pred:
                        cost = 1.0
                        if label == label_pred[y]:
                            cost = 0.0
                            if content >= 0:
                                cost = content_distance[content * contents + content_pred[y]]
                        best = min(best, forest[above + at - 1] + cost)
                        between[x * n_pred + y] = best
                    else:
                        best = min(best, forest[down + other - first_pred] + between[x * n_pred + y])
                    forest[here + at] = best
    return float(between[len(left_gold) * n_pred - 1])


def align_lines(
    lines_gold: int,
    wide_gold: int,
    lines_pred: int,
    wide_pred: int,
    ids_gold: Any,
    ids_pred: Any,
    similarity: Any,
    texts: int,
    scores: Any,
    moves: Any,
    before: Any,
    now: Any,
    pairs_gold: Any,
    pairs_pred: Any,
) -> tuple[float, int, Any, Any]:
    """The best alignment in order of the lines of two grids, a pair of lines scored by aligning its cells in order.

    Returns the score, how many lines are aligned, and which, last pair first. Equal scores are decided as in
    GriTS: align, else leave out a line of gold, else one of the prediction. The rest is room to work in.
    """
    wide = lines_pred + 1
    for i in range(lines_gold):
        for k in range(lines_pred):
            for at in range(wide_pred + 1):
                before[at] = 0.0
            for j in range(wide_gold):
                row = ids_gold[i * wide_gold + j] * texts
                now[0] = 0.0
                for at in range(wide_pred):
                    best = before[at] + similarity[row + ids_pred[k * wide_pred + at]]
                    if before[at + 1] > best:
                        best = before[at + 1]
                    if now[at] > best:
                        best = now[at]
                    now[at + 1] = best
                before, now = now, before
            aligned = scores[i * wide + k] + before[wide_pred]
            without_gold = scores[i * wide + k + 1]
            without_pred = scores[(i + 1) * wide + k]
            best = max(aligned, without_gold, without_pred)
            scores[(i + 1) * wide + k + 1] = best
            moves[i * lines_pred + k] = 0 if aligned == best else 1 if without_gold == best else 2
    i, k, count = lines_gold - 1, lines_pred - 1, 0
    while i >= 0 and k >= 0:
        move = moves[i * lines_pred + k]
        if move == 0:
            pairs_gold[count] = i
            pairs_pred[count] = k
            count += 1
        if move != 2:
            i -= 1
        if move != 1:
            k -= 1
    return scores[lines_gold * wide + lines_pred], count, pairs_gold, pairs_pred
