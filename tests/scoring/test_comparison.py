from __future__ import annotations

import itertools
import json
import random
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from scoring import Counts
from scoring.statistics.comparison import compare, mcnemar
from scoring.statistics.intervals import bootstrap_ratios, ratio_parts, weighted_ratios


def counts(true: int, false_positives: int, false_negatives: int) -> Counts:
    return Counts(true, true + false_positives, true + false_negatives)


A = [counts(9, 1, 1), counts(18, 2, 0), counts(5, 5, 5), counts(30, 0, 3), counts(10, 0, 0), counts(7, 3, 3)]
B = [counts(10, 0, 0), counts(19, 1, 0), counts(8, 2, 2), counts(30, 0, 3), counts(9, 1, 1), counts(8, 2, 2)]


def named(*runs: list[Counts]) -> dict[str, list[Counts]]:
    return {f"document {number}": list(each) for number, each in enumerate(zip(*runs, strict=True))}


def corpus(documents: int, *, lost: float, seed: int = 5) -> list[Counts]:
    """30 cells in each document; the expected share of them is misread."""
    chance = random.Random(seed)
    wrong = [sum(chance.random() < lost for _ in range(30)) for _ in range(documents)]
    return [counts(30 - missed, missed, missed) for missed in wrong]


def test_six_documents_compare_as_worked_out_by_hand() -> None:
    found = compare(named(A), named(B))
    assert (found.a, found.b, found.difference) == pytest.approx((0.872928, 0.923077, 0.050149), abs=5e-7)
    assert found.p_value == pytest.approx(20 / 64)
    assert (found.all_swaps, found.documents, found.differing) == (True, 6, 5)
    assert found.reason == "too few documents for an interval: 6, expected at least 20"
    assert (found.low, found.high) == (None, None)


def test_all_46656_paired_resamples_of_six_documents_are_as_worked_out() -> None:
    draws = itertools.product(range(6), repeat=6)
    weights = np.array([np.bincount(draw, minlength=6) for draw in draws])
    ratios = weighted_ratios(np.stack([ratio_parts(A), ratio_parts(B)], axis=1), weights)
    differences = ratios[:, 1] - ratios[:, 0]
    assert len(differences) == 46_656
    assert differences.std() == pytest.approx(0.041691, abs=5e-7)
    assert np.quantile(differences, [0.025, 0.975]) == pytest.approx([-0.011847, 0.159509], abs=5e-7)


@given(st.lists(st.tuples(*[st.integers(0, 9)] * 6), min_size=1, max_size=7))
def test_the_exact_p_is_the_share_of_all_swaps_tried_one_by_one(rows: list[tuple[int, ...]]) -> None:
    a, b = [counts(*row[:3]) for row in rows], [counts(*row[3:]) for row in rows]
    found = compare(named(a), named(b))
    if found.difference is None:
        assert found.p_value is None
        return
    as_extreme = 0
    for swapped in itertools.product([False, True], repeat=len(rows)):
        left = sum((y if swap else x for x, y, swap in zip(a, b, swapped, strict=True)), Counts())
        right = sum((x if swap else y for x, y, swap in zip(a, b, swapped, strict=True)), Counts())
        undefined = left.f1 is None or right.f1 is None
        as_extreme += undefined or abs(right.f1 - left.f1) >= abs(found.difference) - 1e-12
    assert found.p_value == pytest.approx(as_extreme / 2 ** len(rows))


def test_random_swaps_come_close_to_all_swaps(monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = named(corpus(16, lost=0.10)), named(corpus(16, lost=0.14, seed=6))
    exact = compare(a, b)
    monkeypatch.setattr("scoring.statistics.comparison.MOST_DOCUMENTS_FOR_ALL_SWAPS", 3)
    drawn = compare(a, b)
    assert (exact.all_swaps, drawn.all_swaps, drawn.swaps) == (True, False, 10_000)
    assert drawn.p_value == pytest.approx(exact.p_value, abs=0.015)


def test_a_clear_improvement_is_told_and_its_p_is_never_zero() -> None:
    found = compare(named(corpus(60, lost=0.3)), named(corpus(60, lost=0.05, seed=6)))
    assert (found.low or 0) > 0.15
    assert found.p_value == 1 / 10_001


def test_two_runs_of_one_extractor_are_not_told_apart() -> None:
    found = compare(named(corpus(60, lost=0.1)), named(corpus(60, lost=0.1, seed=6)))
    assert (found.low or 1) < 0 < (found.high or -1)
    assert (found.p_value or 0) > 0.05


def test_the_interval_holds_the_middle_of_the_drawn_differences() -> None:
    a, b = corpus(20, lost=0.1), corpus(20, lost=0.15, seed=6)
    drawn = bootstrap_ratios(np.stack([ratio_parts(a), ratio_parts(b)], axis=1))
    found = compare(named(a), named(b), level=0.8)
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(drawn[:, 1] - drawn[:, 0], [0.1, 0.9])))
    assert (found.documents, found.reason, found.draws, found.seed) == (20, "", 2000, 1)


def test_pairing_by_document_sees_what_separate_intervals_do_not() -> None:
    chance = random.Random(1)
    a = [counts(right, 100 - right, 100 - right) for right in chance.choices(range(30, 95), k=40)]
    b = [counts(int(each.matched) + 2, 98 - int(each.matched), 98 - int(each.matched)) for each in a]
    found = compare(named(a), named(b))
    assert found.difference == pytest.approx(0.02)
    assert (found.low, found.high) == pytest.approx((0.02, 0.02))


def test_exchanged_sides_turn_the_difference_round_and_keep_p() -> None:
    a, b = named(corpus(12, lost=0.1)), named(corpus(12, lost=0.2, seed=6))
    one, other = compare(a, b), compare(b, a)
    assert one.difference == pytest.approx(-(other.difference or 0))
    assert one.p_value == other.p_value


def test_the_order_of_the_documents_changes_no_byte() -> None:
    a, b = named(corpus(40, lost=0.1)), named(corpus(40, lost=0.2, seed=6))
    assert json.dumps(compare(a, b).to_json()) == json.dumps(compare(dict(reversed(a.items())), b).to_json())


def test_runs_of_a_document_are_averaged_and_are_no_further_documents() -> None:
    a, b = corpus(30, lost=0.1), corpus(30, lost=0.15, seed=6)
    once, thrice = compare(named(a), named(b)), compare(named(a), named(b, b, b))
    for name in ("b", "difference", "low", "high", "p_value"):
        assert getattr(thrice, name) == pytest.approx(getattr(once, name), abs=1e-9)
    assert thrice.documents == 30
    better, worse = [counts(20, 0, 0)] * 30, [counts(10, 10, 10)] * 30
    assert compare(named(a), named(better, worse)).b == pytest.approx(0.75)


def test_precision_and_recall_compare_too() -> None:
    for ratio in ("precision", "recall"):
        found = compare(named(A), named(B), ratio=ratio)
        assert found.a == getattr(sum(A, Counts()), ratio)
        assert found.b == getattr(sum(B, Counts()), ratio)


def test_the_same_run_twice_differs_by_nothing() -> None:
    same = named(corpus(30, lost=0.1))
    found = compare(same, same)
    assert (found.difference, found.p_value, found.low) == (0, 1, None)
    assert found.reason == "A and B have the same counts in all 30 documents"


def test_nothing_counted_on_one_side_is_undefined_with_a_reason() -> None:
    found = compare({"x": [Counts(0, 0, 0)]}, {"x": [Counts(1, 1, 1)]})
    assert (found.a, found.difference, found.p_value) == (None, None, None)
    assert found.reason == "nothing was counted in one of the two"
    assert compare({}, {}).difference is None


def test_a_document_of_one_side_only_is_named() -> None:
    one, both = {"x.pdf": [Counts(1, 1, 1)]}, {"x.pdf": [Counts(1, 1, 1)], "y.pdf": [Counts(1, 1, 1)]}
    with pytest.raises(ValueError, match=r"'y\.pdf' is in B but not in A, expected the same documents"):
        compare(one, both)
    with pytest.raises(ValueError, match=r"'y\.pdf' is in A but not in B"):
        compare(both, one)
    with pytest.raises(ValueError, match=r"'x\.pdf' has no run in B"):
        compare(one, {"x.pdf": []})


def test_the_approval_ratings_of_agresti_have_their_four_tests() -> None:
    found = mcnemar(86, 150)
    assert found.statistic == pytest.approx(17.3559, abs=5e-5)
    assert found.corrected == pytest.approx(16.8178, abs=5e-5)
    assert found.exact_p == pytest.approx(3.716e-5, abs=5e-9)
    assert found.mid_p == pytest.approx(2.893e-5, abs=5e-9)


def test_twenty_five_against_fifteen_has_its_four_tests() -> None:
    found = mcnemar(25, 15)
    assert (found.statistic, found.corrected) == pytest.approx((2.5, 2.025))
    assert found.corrected_p == pytest.approx(0.154729, abs=5e-7)
    assert found.exact_p == pytest.approx(0.153860, abs=5e-7)
    assert found.mid_p == pytest.approx(0.117275, abs=5e-7)


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_is_a_binomial_test_of_the_discordant_documents(only_a: int, only_b: int) -> None:
    found, both = mcnemar(only_a, only_b), only_a + only_b
    if both == 0:
        assert found.to_json() == dict.fromkeys(found.to_json(), None) | {"only_a": 0, "only_b": 0}
        return
    exact = binomtest(only_a, both).pvalue
    assert found.exact_p == pytest.approx(exact)
    # Of the observed outcome only half the probability counts, on both sides.
    points = comb(both, only_a) / 2**both * (1 if only_a != only_b else 0)
    assert found.mid_p == pytest.approx(exact - points)
    assert mcnemar(only_b, only_a).mid_p == found.mid_p


def test_a_negative_number_of_documents_is_refused() -> None:
    with pytest.raises(ValueError, match="-1 only in A"):
        mcnemar(-1, 2)
