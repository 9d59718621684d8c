"""Characters in the matching blocks of two texts, as Python's difflib counts them, for many texts at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from scoring.metrics.kernels import compiled, worth_compiling
from scoring.reading.html_grid import TooLargeError
from scoring.text_pairs import Matrix, expect_few, expect_short

# difflib leaves out of its index what it takes for noise in texts from this length on ("autojunk").
AUTOJUNK_FROM = 200
# Pairs of characters that Python compares in two seconds, and steps that take the compiled loops as long.
_MOST_PLAIN = 100_000_000
_MOST_COMPILED = 20_000_000_000
_MOST_STEPS = 350_000_000
# Positions in a text as bits of one signed machine word.
_WORD = 62
_LENGTH_BITS = 23
_LENGTH_MASK = (1 << _LENGTH_BITS) - 1


def similarities(gold: Sequence[str], pred: Sequence[str]) -> Matrix:
    """``difflib.SequenceMatcher(None, gold, pred).ratio()`` of each text of gold with each of the prediction, 0..1.

    Matching blocks (Ratcliff and Obershelp 1988): the longest common block, the earliest in gold, then the earliest
    in the prediction; the same again to its left and to its right. The order of the two texts counts, and so does
    difflib's autojunk. Raises TooLargeError.
    """
    expect_few(gold, pred)
    pairs = sum(map(len, gold)) * sum(map(len, pred))
    if worth_compiling(pairs // 20):
        expect_short(gold, pred, most=_MOST_COMPILED)
        matched = _compiled(gold, pred)
    else:
        expect_short(gold, pred, most=_MOST_PLAIN)
        matched = np.array([[0.0] * len(pred)] * len(gold)).reshape(len(gold), len(pred))
        for col, text in enumerate(pred):
            index = index_of(text)
            matched[:, col] = [matching_characters(other, text, index) for other in gold]
    lengths = np.add.outer([len(text) for text in gold], [len(text) for text in pred])
    return np.divide(2.0 * matched, lengths, out=np.ones_like(matched), where=lengths > 0)


def index_of(text: str) -> dict[str, int]:
    """For each character the positions where it stands, as bits; without those that difflib takes for noise."""
    index: dict[str, int] = {}
    for at, character in enumerate(text):
        index[character] = index.get(character, 0) | 1 << at
    if len(text) >= AUTOJUNK_FROM:
        most = len(text) // 100 + 1
        return {character: where for character, where in index.items() if where.bit_count() <= most}
    return index


def matching_characters(gold: str, pred: str, index: dict[str, int]) -> int:
    """The number of characters in the matching blocks of two texts; ``index`` is that of ``pred``.

    Every set of positions in the prediction is one integer, so that all of them move on in one step.
    """
    if gold == pred:
        return len(gold)
    where = [index.get(character, 0) for character in gold]
    total = 0
    open_parts = [(0, len(gold), 0, len(pred))]
    while open_parts:
        start, end, first, last = open_parts.pop()
        inside = (1 << last) - (1 << first)
        size, at_gold, at_pred = 0, start, first
        ends: list[tuple[int, int]] = []
        longer = [(at, found) for at in range(start, end) if (found := where[at] & inside)]
        while longer:
            size, ends = size + 1, longer
            longer = [
                (at + 1, found)
                for at, before in ends
                if at + 1 < end and (found := before << 1 & where[at + 1] & inside)
            ]
        if ends:
            at, found = ends[0]
            at_gold, at_pred = at - size + 1, (found & -found).bit_length() - size
        if len(pred) >= AUTOJUNK_FROM:  # what the index leaves out may still join a block
            while at_gold > start and at_pred > first and gold[at_gold - 1] == pred[at_pred - 1]:
                at_gold, at_pred, size = at_gold - 1, at_pred - 1, size + 1
            room = min(end - at_gold, last - at_pred)
            while size < room and gold[at_gold + size] == pred[at_pred + size]:
                size += 1
        if size:
            total += size
            open_parts.append((start, at_gold, first, at_pred))
            open_parts.append((at_gold + size, end, at_pred + size, last))
    return total


def _compiled(gold: Sequence[str], pred: Sequence[str]) -> Matrix:
    letters: dict[str, int] = {}
    codes_gold, starts_gold = _coded(gold, letters)
    codes_pred, starts_pred = _coded(pred, letters)
    longest_gold, longest_pred = max(map(len, gold), default=0), max(map(len, pred), default=0)
    matched, done = compiled(count_matching)(
        codes_gold,
        starts_gold,
        codes_pred,
        starts_pred,
        np.zeros(len(letters), np.int64),
        np.full(len(letters), -1),
        np.zeros((2, longest_pred + 1), np.int64),
        np.zeros(longest_pred + 1, np.int64),
        np.zeros((3, longest_gold + 1), np.int64),
        np.zeros((longest_gold + 2, 4), np.int64),
        np.zeros((len(gold), len(pred))),
        _MOST_STEPS,
    )
    if not done:
        raise TooLargeError(
            f"texts of up to {max(longest_gold, longest_pred):,} characters repeat themselves so much that comparing "
            f"them takes more than {_MOST_STEPS:,} steps; score the parts of the table on their own"
        )
    return matched  # type: ignore[no-any-return]


def _coded(texts: Sequence[str], letters: dict[str, int]) -> tuple[Any, Any]:
    codes = [letters.setdefault(letter, len(letters)) for text in texts for letter in text]
    starts = np.cumsum([0, *map(len, texts)])
    return np.array(codes, np.int64), starts


def count_matching(
    codes_gold: Any,
    starts_gold: Any,
    codes_pred: Any,
    starts_pred: Any,
    bits: Any,
    heads: Any,
    runs: Any,
    following: Any,
    ends: Any,
    parts: Any,
    matched: Any,
    most_steps: int,
) -> tuple[Any, bool]:
    """``matching_characters`` of all pairs, in loops to be compiled; False where ``most_steps`` were not enough.

    Texts are numbers of letters. Short ones keep their positions as bits of one word (``bits``, per letter), long
    ones as a list from ``heads`` on, and ``runs`` holds how long the block is that ends at each position, with the
    round in which that was found. The rest is room to work in.
    """
    steps, stamp = 0, 0
    for q in range(len(starts_pred) - 1):
        pred = codes_pred[starts_pred[q] : starts_pred[q + 1]]
        n_pred = len(pred)
        short = n_pred <= _WORD
        if short:
            for at in range(n_pred):
                bits[pred[at]] |= 1 << at
        else:
            for at in range(n_pred):
                bits[pred[at]] += 1  # how often
            for at in range(n_pred - 1, -1, -1):
                letter = pred[at]
                if n_pred < AUTOJUNK_FROM or bits[letter] <= n_pred // 100 + 1:
                    following[at] = heads[letter]
                    heads[letter] = at
        for p in range(len(starts_gold) - 1):
            gold = codes_gold[starts_gold[p] : starts_gold[p + 1]]
            total, n_parts = 0, 1
            parts[0, 0], parts[0, 1], parts[0, 2], parts[0, 3] = 0, len(gold), 0, n_pred
            while n_parts:
                n_parts -= 1
                start, end, first, last = parts[n_parts, 0], parts[n_parts, 1], parts[n_parts, 2], parts[n_parts, 3]
                size, at_gold, at_pred = 0, start, first
                if short:
                    inside = (1 << last) - (1 << first)
                    count = 0
                    for at in range(start, end):
                        found = bits[gold[at]] & inside
                        ends[2, at] = found
                        if found:
                            ends[0, count], ends[1, count] = at, found
                            count += 1
                    steps += end - start
                    while count:
                        size += 1
                        steps += count
                        at_gold, at_pred = ends[0, 0], ends[1, 0]  # of the end, and as bits, until the last round
                        longer = 0
                        for entry in range(count):
                            at = ends[0, entry] + 1
                            if at < end:
                                found = (ends[1, entry] << 1) & ends[2, at]
                                if found:
                                    ends[0, longer], ends[1, longer] = at, found
                                    longer += 1
                        count = longer
                    if size:
                        found, at_pred = at_pred, 0
                        while not (found >> at_pred) & 1:
                            at_pred += 1
                        at_gold, at_pred = at_gold - size + 1, at_pred - size + 1
                else:
                    steps += end - start
                    stamp += 1
                    for at in range(start, end):
                        stamp += 1
                        now, past = stamp % 2, (stamp + 1) % 2
                        other = heads[gold[at]]
                        while other >= 0 and other < last:
                            steps += 1
                            if other >= first:
                                length = 1
                                if other > first and runs[past, other - 1] >> _LENGTH_BITS == stamp - 1:
                                    length += runs[past, other - 1] & _LENGTH_MASK
                                runs[now, other] = stamp << _LENGTH_BITS | length
                                if length > size:
                                    size, at_gold, at_pred = length, at - length + 1, other - length + 1
                            other = following[other]
                    while at_gold > start and at_pred > first and gold[at_gold - 1] == pred[at_pred - 1]:
                        at_gold, at_pred, size = at_gold - 1, at_pred - 1, size + 1
                    room = min(end - at_gold, last - at_pred)
                    while size < room and gold[at_gold + size] == pred[at_pred + size]:
                        size += 1
                if size:
                    total += size
                    if start < at_gold and first < at_pred:
                        parts[n_parts, 0], parts[n_parts, 1] = start, at_gold
                        parts[n_parts, 2], parts[n_parts, 3] = first, at_pred
                        n_parts += 1
                    if at_gold + size < end and at_pred + size < last:
                        parts[n_parts, 0], parts[n_parts, 1] = at_gold + size, end
                        parts[n_parts, 2], parts[n_parts, 3] = at_pred + size, last
                        n_parts += 1
                if steps > most_steps:
                    return matched, False
            matched[p, q] = total
        for at in range(n_pred):
            bits[pred[at]] = 0
            heads[pred[at]] = -1
    return matched, True
