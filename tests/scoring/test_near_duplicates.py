from __future__ import annotations

from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.near_duplicates import Bag, NearPair, bag, near_pairs
from scoring.table import from_rows

# Few texts, so that many bags have some in common.
bags = st.lists(
    st.lists(st.sampled_from("abcdefgh"), max_size=9).map(lambda texts: bag([from_rows([texts])])), max_size=6
)
shares = st.sampled_from([0.1, 1 / 3, 0.5, 0.8, 1.0])


def jaccard(one: Bag, other: Bag) -> float:
    return len(one & other) / len(one | other)


@given(bags, shares)
def test_no_pair_is_missed_and_none_made_up(held: list[Bag], share: float) -> None:
    expected = {
        (at, to)
        for (at, one), (to, other) in combinations(enumerate(held), 2)
        if min(len(one), len(other)) >= 2 and jaccard(one, other) >= share
    }
    found = list(near_pairs(held, least_share=share, least_texts=2))
    assert len(found) == len(expected)
    assert {(pair.one, pair.other) for pair in found} == expected


@given(bags, bags, shares)
def test_no_pair_between_two_lists_is_missed_and_none_made_up(held: list[Bag], others: list[Bag], share: float) -> None:
    expected = {
        (at, to)
        for (at, one), (to, other) in product(enumerate(held), enumerate(others))
        if min(len(one), len(other)) >= 1 and jaccard(one, other) >= share
    }
    found = list(near_pairs(held, others, least_share=share, least_texts=1))
    assert len(found) == len(expected)
    assert {(pair.one, pair.other) for pair in found} == expected


def test_a_text_counts_as_often_as_it_stands_there_and_headers_do_not() -> None:
    one = bag([from_rows([["item", "price"], ["Bolt", "1"], ["nut", "1"]], header_rows=1)])
    other = bag([from_rows([["other", "head"], ["bolt ", "1"], ["washer", ""]], header_rows=1)])
    assert one == {("bolt", 0), ("1", 0), ("1", 1), ("nut", 0)}
    # bolt and one 1 of bolt, 1, 1, nut, washer.
    assert list(near_pairs([one, other], least_share=0.4, least_texts=1)) == [NearPair(0, 1, pytest.approx(0.4))]
    assert list(near_pairs([one, other], least_share=0.41, least_texts=1)) == []
