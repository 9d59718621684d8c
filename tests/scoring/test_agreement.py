from __future__ import annotations

from itertools import permutations
from math import nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.statistics.agreement import (
    CellAgreement,
    Scale,
    cell_agreement,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    pairwise_agreement,
)


def rated(*lines: str) -> list[list[int | None]]:
    return [[None if mark == "*" else int(mark) for mark in line.split()] for line in lines]


# Krippendorff, "Computing Krippendorff's alpha-reliability", 2011, part C.
OBSERVERS = rated(
    "1 2 3 3 2 1 4 1 2 * * *",
    "1 2 3 3 2 2 4 1 2 5 * 3",
    "* 3 3 3 2 3 4 2 2 5 1 *",
    "1 2 3 3 2 4 4 1 2 5 1 *",
)
CODERS = rated(
    "* * * * * 3 4 1 2 1 1 3 3 * 3",
    "1 * 2 1 3 3 4 3 * * * * * * *",
    "* * 2 1 3 4 4 * 2 1 1 3 3 * 4",
)
# Fleiss, 1971: 10 subjects, 5 categories, 14 raters.
DIAGNOSES = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]


@pytest.mark.parametrize(
    ("scale", "alpha"), [("nominal", 0.7434), ("ordinal", 0.8154), ("interval", 0.8491), ("ratio", 0.7974)]
)
def test_the_four_observers_of_krippendorff_have_his_alphas(scale: Scale, alpha: float) -> None:
    found = krippendorff_alpha(OBSERVERS, scale=scale)
    assert found.value == pytest.approx(alpha, abs=5e-5)
    # The last unit has one rating only, so that it counts for nothing.
    assert (found.units, found.ratings, found.reason) == (11, 40, "")


@pytest.mark.parametrize(("scale", "alpha"), [("nominal", 0.691358), ("interval", 0.810845)])
def test_the_three_coders_have_their_alphas(scale: Scale, alpha: float) -> None:
    assert krippendorff_alpha(CODERS, scale=scale).value == pytest.approx(alpha, abs=5e-7)


def squared_difference(a: int, b: int, scale: Scale, times: dict[int, int]) -> float:
    low, high = sorted((a, b))
    if scale == "nominal":
        return float(a != b)
    if scale == "ordinal":
        between = sum(count for value, count in times.items() if low <= value <= high)
        return (between - (times[low] + times[high]) / 2) ** 2 if low != high else 0
    if scale == "ratio":
        return ((a - b) / (a + b)) ** 2 if a + b else 0
    return (a - b) ** 2


@given(
    st.lists(st.lists(st.none() | st.integers(0, 5), min_size=3, max_size=3), min_size=1, max_size=8),
    st.sampled_from(["nominal", "ordinal", "interval", "ratio"]),
)
def test_alpha_is_what_the_coincidences_of_the_paper_give_one_by_one(
    by_unit: list[list[int | None]], scale: Scale
) -> None:
    units = [[rating for rating in unit if rating is not None] for unit in by_unit]
    units = [unit for unit in units if len(unit) > 1]
    everything = [rating for unit in units for rating in unit]
    times = {value: everything.count(value) for value in everything}
    found = krippendorff_alpha(list(zip(*by_unit, strict=True)), scale=scale)
    if len(times) < 2:
        assert found.value is None
        assert found.reason
        return
    observed = sum(
        squared_difference(a, b, scale, times) / (len(unit) - 1) for unit in units for a, b in permutations(unit, 2)
    ) / len(everything)
    expected = sum(squared_difference(a, b, scale, times) for a, b in permutations(everything, 2))
    expected /= len(everything) * (len(everything) - 1)
    assert found.value == pytest.approx(1 - observed / expected, abs=1e-9)


def test_alpha_of_free_values_is_hardly_more_than_raw_agreement() -> None:
    a = [f"value {number}" for number in range(200)]
    b = [text if number % 5 else f"other {number}" for number, text in enumerate(a)]
    assert krippendorff_alpha([a, b]).value == pytest.approx(0.8, abs=0.001)


def test_alpha_of_verdicts_is_far_below_raw_agreement_when_nearly_all_pass() -> None:
    a = ["pass"] * 96 + ["fail"] * 4
    b = ["pass"] * 92 + ["fail"] * 4 + ["pass"] * 4
    assert (krippendorff_alpha([a, b]).value or 0) < 0


def test_units_that_all_have_one_rating_only_are_undefined_with_a_reason() -> None:
    assert krippendorff_alpha([["a", None], [None, "b"]]).to_json() == {
        "value": None,
        "scale": "nominal",
        "units": 0,
        "ratings": 0,
        "reason": "no unit was rated by two reviewers",
    }
    assert krippendorff_alpha([]).value is None
    same = krippendorff_alpha([["a", "a"], ["a", "a"]])
    assert (same.value, same.reason) == (None, "all ratings are the same, so that chance would agree too")


def test_ratings_that_do_not_fit_the_scale_are_refused() -> None:
    with pytest.raises(ValueError, match="rating 'bad' on the interval scale, expected numbers"):
        krippendorff_alpha([["bad"], [1]], scale="interval")
    with pytest.raises(ValueError, match="rating -1 on the ratio scale, expected numbers from 0 on"):
        krippendorff_alpha([[-1], [1]], scale="ratio")
    with pytest.raises(ValueError, match="rating nan on the nominal scale, expected texts or numbers, or None"):
        krippendorff_alpha([[nan], [1]])
    with pytest.raises(ValueError, match="reviewers with 2, 1 units"):
        krippendorff_alpha([[1, 2], [1]])
    with pytest.raises(ValueError, match="scale 'cardinal', expected one of nominal, ordinal, interval, ratio"):
        krippendorff_alpha([[1], [1]], scale="cardinal")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="10001 different ratings, expected at most 10000"):
        krippendorff_alpha([range(10_001), range(10_001)], scale="ratio")


def test_fourteen_raters_of_fleiss_have_his_kappa() -> None:
    assert fleiss_kappa(DIAGNOSES) == pytest.approx(0.20993, abs=5e-6)


def test_two_readers_of_fifty_grants_have_cohens_kappa() -> None:
    assert cohen_kappa([[20, 5], [10, 15]]) == pytest.approx(0.40)


def test_kappas_are_one_for_full_agreement_and_undefined_for_one_category() -> None:
    assert fleiss_kappa([[3, 0], [0, 3]]) == 1
    assert cohen_kappa([[4, 0], [0, 6]]) == 1
    assert (fleiss_kappa([[3, 0], [3, 0]]), cohen_kappa([[4, 0], [0, 0]])) == (None, None)
    assert (fleiss_kappa([]), cohen_kappa([]), fleiss_kappa([[1, 0]]), cohen_kappa([[0, 0], [0, 0]])) == (None,) * 4


def test_tables_that_are_no_ratings_are_refused() -> None:
    with pytest.raises(ValueError, match="units with 2 to 3 ratings, expected equally many"):
        fleiss_kappa([[1, 1], [2, 1]])
    with pytest.raises(ValueError, match="a table of 1 by 2, expected the same categories"):
        cohen_kappa([[1, 2]])
    with pytest.raises(ValueError, match="rows of unequal length"):
        fleiss_kappa([[1, 2], [1]])
    with pytest.raises(ValueError, match="a negative count"):
        cohen_kappa([[1, -2], [1, 1]])


A = {(0, "item"): "bolt", (0, "price"): "1.20", (1, "item"): "nut", (1, "price"): "0.40"}


def test_two_reviewers_with_three_shared_and_two_equal_cells_agree_as_worked_out() -> None:
    b = {(0, "item"): "bolt", (0, "price"): "1.20", (1, "item"): "nuts", (2, "item"): "washer"}
    found = cell_agreement(A, b)
    assert found == CellAgreement(of_a=4, of_b=4, shared=3, equal=2)
    assert (found.f1, found.of_shared, found.of_union) == pytest.approx((0.5, 0.6667, 0.4), abs=5e-5)


def test_a_row_that_one_reviewer_left_out_lowers_f1_but_not_the_agreement_of_shared_cells() -> None:
    found = cell_agreement(A, {place: text for place, text in A.items() if place[0] == 0})
    assert (found.of_shared, found.f1, found.of_union) == (1, pytest.approx(2 / 3), 0.5)


def test_agreement_is_the_same_from_both_sides_and_one_with_oneself() -> None:
    b = {(0, "item"): "bolt", (5, "item"): "x"}
    assert cell_agreement(A, b).f1 == cell_agreement(b, A).f1
    assert cell_agreement(A, A).f1 == 1


def test_three_reviewers_are_three_pairs() -> None:
    b = {(0, "item"): "bolt"}
    assert pairwise_agreement([A, A, b]) == CellAgreement(of_a=12, of_b=6, shared=6, equal=6)
    assert pairwise_agreement([A]).f1 is None
    assert pairwise_agreement([{}, {}]).to_json() == {
        **dict.fromkeys(("of_a", "of_b", "shared", "equal"), 0),
        **dict.fromkeys(("f1", "of_shared", "of_union")),
    }
