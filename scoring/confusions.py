"""Characters that are taken for one another when print is read."""

from __future__ import annotations

# Each set holds characters that look alike; a character may stand in one set only.
LOOK_ALIKE = ("0OoQD", "1lIi!|7", "5Ss", "8B", "2Zz", "6bG", "4A", "9gq")
# Two characters that look like one.
TWO_FOR_ONE = (("rn", "m"), ("cl", "d"), ("vv", "w"))
# Digits that are misread for each other more often than by chance, in either direction.
DIGITS_ALIKE = frozenset(
    frozenset(pair) for pair in ("17", "38", "56", "68", "08", "06", "49", "35", "58", "27", "39", "69")
)

_SET_OF = {letter: at for at, letters in enumerate(LOOK_ALIKE) for letter in letters}


def look_alike(one: str, other: str) -> bool:
    """Whether two characters stand in one set of look-alikes and are not equal."""
    return one != other and one in _SET_OF and _SET_OF[one] == _SET_OF.get(other)


def confused(gold: str, pred: str) -> tuple[tuple[str, str], ...] | None:
    """The (gold, read) pieces by which two texts differ, all of them look-alikes; None where some are not.

    Equal texts give (). Characters of one set count, and, in both directions, the pairs of two
    characters that look like one, as "rn" and "m". No such pair begins with a character of a set,
    so that one pass tells.
    """
    told: list[tuple[str, str]] = []
    g = p = 0
    while g < len(gold) and p < len(pred):
        if gold[g] == pred[p]:
            g, p = g + 1, p + 1
            continue
        pieces = (piece for pair in TWO_FOR_ONE for piece in (pair, pair[::-1]))
        piece = next((both for both in pieces if gold.startswith(both[0], g) and pred.startswith(both[1], p)), None)
        if piece is None and look_alike(gold[g], pred[p]):
            piece = gold[g], pred[p]
        if piece is None:
            return None
        told.append(piece)
        g, p = g + len(piece[0]), p + len(piece[1])
    return tuple(told) if g == len(gold) and p == len(pred) else None
