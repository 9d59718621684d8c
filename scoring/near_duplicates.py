"""Bags of texts that are nearly the same: every pair that shares enough of its texts, without comparing all pairs."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from scoring.table import Table
from scoring.text import fold

# A bag of texts as a set: the second "2" of a document is another element than its first.
Bag = frozenset[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class NearPair:
    """Two bags by their indices, and the share of their texts that they have in common, 0..1."""

    one: int
    other: int
    share: float


def bag(tables: Iterable[Table]) -> Bag:
    """The texts of the data cells of tables: headers and empty cells left out, case and white space as one."""
    counted = Counter(text for table in tables for cell in table.cells if not cell.header and (text := fold(cell.text)))
    return frozenset((text, number) for text, times in counted.items() for number in range(times))


def near_pairs(
    bags: Sequence[Bag], others: Sequence[Bag] | None = None, *, least_share: float, least_texts: int
) -> Iterator[NearPair]:
    """The pairs whose Jaccard index (texts in common / texts of either) is at least ``least_share`` (0 < share <= 1).

    Pairs among the bags, or of a bag with one of the others where those are given; bags of fewer than
    ``least_texts`` texts are in none. No pair is missed: two bags that share enough have one of their rarest texts in
    common, of which only so many are looked up (prefix filtering: Chaudhuri, Ganti and Kaushik, ICDE 2006).
    """
    how_often = Counter(text for held in (*bags, *(others or ())) for text in held)
    rarest: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
    for at, held in enumerate(others or ()):
        for text in _prefix(held, how_often, least_share, least_texts):
            rarest[text].append(at)
    for at, held in enumerate(bags):
        prefix = _prefix(held, how_often, least_share, least_texts)
        for found in sorted({other for text in prefix for other in rarest[text]}):
            one, other = (found, at) if others is None else (at, found)
            share = _share(held, (bags if others is None else others)[found])
            if share >= least_share:
                yield NearPair(one, other, share)
        if others is None:
            for text in prefix:
                rarest[text].append(at)


def _prefix(
    held: Bag, how_often: Mapping[tuple[str, int], int], least_share: float, least_texts: int
) -> Sequence[tuple[str, int]]:
    if not held or len(held) < least_texts:
        return ()
    # A hair less, so that a share such as 0.8 in binary leaves no pair out.
    needed = math.ceil(least_share * len(held) - 1e-9)
    return sorted(held, key=lambda text: (how_often[text], text))[: len(held) - needed + 1]


def _share(one: Bag, other: Bag) -> float:
    common = len(one & other)
    return common / (len(one) + len(other) - common)
