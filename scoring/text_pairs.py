"""How alike all texts of one table are to all texts of another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from rapidfuzz.process import cdist

from scoring.html_grid import TooLargeError

Matrix = np.ndarray[tuple[int, int], np.dtype[np.float64]]
# About one second: bit-parallel algorithms take 64 characters at once.
MOST_CHARACTER_PAIRS = 20_000_000_000


def all_pairs(gold: Sequence[Any], pred: Sequence[Any], scorer: Callable[..., float]) -> Matrix:
    """A rapidfuzz score of each text (or sequence of tokens) of gold with each of the prediction.

    Raises TooLargeError where the texts are so long that it would take more than about a second.
    """
    expect_short(gold, pred, most=MOST_CHARACTER_PAIRS)
    return cdist(gold, pred, scorer=scorer, dtype=np.float64)


def expect_short(gold: Sequence[Any], pred: Sequence[Any], *, most: int) -> None:
    """Raise TooLargeError where comparing each character of one side with each of the other exceeds ``most``."""
    of_gold, of_pred = sum(map(len, gold)), sum(map(len, pred))
    if of_gold * of_pred > most:
        raise TooLargeError(
            f"the different texts of gold have {of_gold:,} characters and those of the prediction {of_pred:,}, "
            f"expected a product of at most {most:,}; score the parts of the table on their own"
        )
