"""Which row and column of a prediction stands for which of gold: in order first, then what moved, then by place."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scoring.fidelity.sheets import NO_VALUE, Sheet
from scoring.fidelity.text_recovery import likenesses, shared_tokens
from scoring.text_pairs import Matrix

# A line that moved is recognised by so much of what it says.
_MOVED = 0.6
# Texts that share words are a hint where no text is alike, as in fused cells.
_HINT = 0.6
_ROUNDS = 3

Ids = np.ndarray[tuple[int, int], np.dtype[np.int64]]


@dataclass(frozen=True, slots=True)
class Alignment:
    """For each row and column of gold the one of the prediction that stands for it, or -1."""

    rows: tuple[int, ...]
    cols: tuple[int, ...]


def align(gold: Sheet, pred: Sheet) -> Alignment:
    """The alignment under which the aligned cells are most alike, each text weighted by how rare it is in gold.

    Two starts, rows or columns by the words they share, each improved in turn: columns given the rows, rows given the
    columns (as in GriTS, Smock et al. 2023, by dynamic programming in order, but iterated). Lines that are left over
    may have moved; gaps of equal length are aligned line by line. Raises TooLargeError.
    """
    places_gold, ids_gold = _ids(gold)
    places_pred, ids_pred = _ids(pred)
    texts_gold, texts_pred = list(places_gold), list(places_pred)
    alike = shared_tokens(texts_gold, texts_pred)
    alike *= _HINT
    np.maximum(alike, likenesses(texts_gold, texts_pred), out=alike)
    silent_gold = [places_gold[text] for text in ("", NO_VALUE) if text in places_gold]
    silent_pred = [places_pred[text] for text in ("", NO_VALUE) if text in places_pred]
    alike[silent_gold, :] = 0.0
    alike[:, silent_pred] = 0.0
    counts = np.bincount(ids_gold.ravel(), minlength=len(texts_gold))
    alike /= np.sqrt(np.maximum(counts, 1))[:, None]
    turned_gold, turned_pred = ids_gold.T, ids_pred.T
    found = []
    for rows_first in (True, False):
        if rows_first:
            rows = _matched(_lines_by_words(gold.texts, pred.texts))
            cols: list[int] = []
        else:
            cols = _matched(_lines_by_words(gold.across.texts, pred.across.texts))
            rows = _matched(_given(alike, ids_gold, ids_pred, cols))
        for _ in range(_ROUNDS):
            before = rows, cols
            cols = _matched(_given(alike, turned_gold, turned_pred, rows))
            rows = _matched(_given(alike, ids_gold, ids_pred, cols))
            if (rows, cols) == before:
                break
        on_rows = [(row, other) for row, other in enumerate(rows) if other >= 0]
        on_cols = [(col, other) for col, other in enumerate(cols) if other >= 0]
        total = math.fsum(
            alike[ids_gold[row, col], ids_pred[at_row, at_col]] for row, at_row in on_rows for col, at_col in on_cols
        )
        found.append((total, rows, cols))
    _, rows, cols = max(found, key=lambda each: each[0])
    return Alignment(_gaps_filled(rows, pred.n_rows), _gaps_filled(cols, pred.n_cols))


def _ids(sheet: Sheet) -> tuple[dict[str, int], Ids]:
    places: dict[str, int] = {}
    ids = [[places.setdefault(text, len(places)) for text in line] for line in sheet.texts]
    return places, np.array(ids, dtype=np.int64).reshape(sheet.n_rows, sheet.n_cols)


def _lines_by_words(gold: Sequence[Sequence[str]], pred: Sequence[Sequence[str]]) -> Matrix:
    return shared_tokens([" ".join(line) for line in gold], [" ".join(line) for line in pred])


def _given(alike: Matrix, gold: Ids, pred: Ids, across: Sequence[int]) -> Matrix:
    """How alike all lines of both are, if the lines across them are aligned so."""
    total: Matrix = np.zeros((gold.shape[0], pred.shape[0]))
    for at_gold, at_pred in enumerate(across):
        if at_pred >= 0:
            total += alike[gold[:, at_gold][:, None], pred[:, at_pred][None, :]]
    return total


def _matched(similarity: Matrix) -> list[int]:
    """The best alignment in order; then lines left over on both sides that are clearly the same, the likest first."""
    matched = _in_order(similarity)
    left = similarity.copy()
    left[[line for line, other in enumerate(matched) if other >= 0], :] = 0.0
    left[:, [other for other in matched if other >= 0]] = 0.0
    enough = _MOVED * similarity.max(axis=1, initial=0.0)[:, None]
    lines, others = np.nonzero((left > 0.0) & (left >= enough))
    likest = np.argsort(-left[lines, others], kind="stable")
    taken: set[int] = set()
    for line, other in zip(lines[likest].tolist(), others[likest].tolist(), strict=True):
        if matched[line] < 0 and other not in taken:
            matched[line] = other
            taken.add(other)
    return matched


def _in_order(similarity: Matrix) -> list[int]:
    n_gold, n_pred = similarity.shape
    best = np.zeros((n_gold + 1, n_pred + 1))
    for line in range(n_gold):
        aligned = best[line, :-1] + similarity[line]
        best[line + 1, 1:] = np.maximum.accumulate(np.maximum(aligned, best[line, 1:]))
    matched = [-1] * n_gold
    line, other = n_gold, n_pred
    while line and other:
        gain = similarity[line - 1, other - 1]
        if gain > 0 and best[line, other] == best[line - 1, other - 1] + gain:
            line, other = line - 1, other - 1
            matched[line] = other
        elif best[line, other] == best[line - 1, other]:
            line -= 1
        else:
            other -= 1
    return matched


def _gaps_filled(matched: Sequence[int], n_pred: int) -> tuple[int, ...]:
    """Between two aligned lines as many left over on either side stand for each other by their place."""
    filled, taken = list(matched), set(matched)
    before, start = -1, 0
    for line, other in [*enumerate(matched), (len(matched), n_pred)]:
        if other < 0:
            continue
        gap = range(start, line)
        free = [place for place in range(before + 1, other) if place not in taken]
        if len(gap) == len(free) and other > before:
            for at_gold, at_pred in zip(gap, free, strict=True):
                filled[at_gold] = at_pred
        before, start = other, line + 1
    return tuple(filled)
