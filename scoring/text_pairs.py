"""How alike all texts of one table are to all texts of another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from rapidfuzz.process import cdist

from scoring.reading.html_grid import TooLargeError

Matrix = np.ndarray[tuple[int, int], np.dtype[np.float64]]
# Bit-parallel algorithms take 64 characters at once, which makes this about one second.
MOST_CHARACTER_PAIRS = 10_000_000_000
# A matrix of 100 MB.
MOST_PAIRS = 12_000_000


def all_pairs(gold: Sequence[Any], pred: Sequence[Any], scorer: Callable[..., float]) -> Matrix:
    """A rapidfuzz score of each text (or sequence of tokens) of gold with each of the prediction.

    Raises TooLargeError where the texts are so many or so long that it would take more than about a second.
    """
    expect_few(gold, pred)
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


def expect_few(gold: Sequence[Any], pred: Sequence[Any]) -> None:
    """Raise TooLargeError where the matrix of all pairs would fill the memory."""
    if len(gold) * len(pred) > MOST_PAIRS:
        raise TooLargeError(
            f"gold has {len(gold):,} different entries and the prediction {len(pred):,}, "
            f"expected a product of at most {MOST_PAIRS:,}; score the parts of the table on their own"
        )
