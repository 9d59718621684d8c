from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.guards import Checked, run_checked
from scoring.statistics.proportions import exact_interval
from scoring.statistics.stratified import (
    FEWEST_OF_A_STRATUM,
    Stratum,
    allocated,
    error_rate,
    stratified_error_rate,
)


def test_each_stratum_counts_for_as_many_cells_as_it_has() -> None:
    found = stratified_error_rate([Stratum("high", 9000, 98, 2), Stratum("low", 1000, 30, 20)])
    assert found.rate == pytest.approx(0.9 * 0.02 + 0.1 * 0.4)
    assert found.low is not None
    assert found.high is not None
    assert found.low < found.rate < found.high


def test_no_error_found_still_gives_a_bound_that_is_of_use() -> None:
    found = stratified_error_rate([Stratum("high", 9000, 180, 0), Stratum("low", 1000, 20, 0)])
    assert (found.rate, found.low) == (0, 0)
    assert found.high == pytest.approx(3.689 / 200, abs=1e-5)  # 3.689: half the 97.5 % quantile of chi square, 2 df


def test_counts_of_equal_weight_have_the_exact_poisson_interval() -> None:
    # Garwood 1936: 10 events lie between 4.795 and 18.390.
    found = stratified_error_rate([Stratum("a", 10_000, 994, 6), Stratum("b", 10_000, 996, 4)])
    assert found.low == pytest.approx(4.795 / 2000, abs=1e-6)
    assert found.high == pytest.approx(18.390 / 2000, abs=1e-6)


def test_an_error_in_a_heavy_stratum_that_was_not_met_is_allowed_for() -> None:
    light = stratified_error_rate([Stratum("a", 9000, 180, 0), Stratum("b", 1000, 20, 0)])
    heavy = stratified_error_rate([Stratum("a", 9000, 20, 0), Stratum("b", 1000, 180, 0)])
    assert light.high is not None
    assert heavy.high is not None
    assert heavy.high > 5 * light.high


@pytest.mark.parametrize("size", [100, 400])
@pytest.mark.parametrize("rates", [(0.0005, 0.002, 0.01, 0.002), (0.01, 0.05, 0.2, 0.05)])
def test_the_interval_holds_the_truth_as_often_as_it_says(rates: tuple[float, float, float, float], size: int) -> None:
    found = run_checked(Checked(rates, size), repeats=400)
    assert found.coverage >= 0.95
    assert found.estimate == pytest.approx(found.truth, rel=0.3)


def test_what_was_checked_whole_is_known_and_adds_nothing_to_the_interval() -> None:
    found = stratified_error_rate([Stratum("a", 30, 24, 6), Stratum("b", 20, 20, 0)])
    assert found.low == found.rate == found.high == pytest.approx(6 / 50)
    part = stratified_error_rate([Stratum("a", 40, 30, 10), Stratum("b", 960, 40, 0)])
    assert part.low == part.rate == pytest.approx(10 / 1000)


def test_what_nobody_could_tell_is_counted_apart_and_the_worst_case_told() -> None:
    found = stratified_error_rate([Stratum("a", 1000, 90, 5, unclear=5)])
    assert (found.checked, found.unclear) == (95, 5)
    assert found.rate == pytest.approx(5 / 95)
    assert found.worst == pytest.approx(10 / 100)


def test_under_a_least_number_there_is_a_reason_and_no_rate() -> None:
    few = stratified_error_rate([Stratum("a", 1000, 29, 0)])
    assert (few.rate, few.low, few.high, few.reason) == (None, None, None, "29 checked, expected 30 or more")
    one = error_rate(Stratum("a", 1000, 9, 0))
    assert (one.rate, one.reason) == (None, "9 checked, expected 10 or more")
    assert error_rate(Stratum("a", 3, 2, 1)).rate == pytest.approx(1 / 3)


def test_a_stratum_of_which_nothing_is_checked_leaves_the_whole_unknown() -> None:
    found = stratified_error_rate([Stratum("high", 900, 60, 0), Stratum("low", 100, 0, 0, unclear=3)])
    assert (found.rate, found.reason) == (None, "nothing checked yet of: low")


def test_one_stratum_has_the_exact_interval() -> None:
    found = error_rate(Stratum("a", 1000, 47, 3))
    assert (found.low, found.high) == exact_interval(3, 50)


def test_more_checked_than_there_are_is_refused() -> None:
    with pytest.raises(ValueError, match="5 right, 1 wrong and 0 unclear of 5"):
        Stratum("a", 5, 5, 1)


@given(st.lists(st.integers(0, 5000), min_size=1, max_size=5), st.integers(1, 3000))
def test_a_sample_is_as_large_as_asked_and_takes_no_more_than_there_is(populations: list[int], size: int) -> None:
    found = allocated(populations, size)
    assert sum(found) == min(size, sum(populations))
    assert all(0 <= drawn <= population for drawn, population in zip(found, populations, strict=True))
    assert found == allocated(populations, size)


def test_a_small_stratum_is_drawn_often_enough_to_tell_of_it() -> None:
    found = allocated([16_000, 2_400, 800, 5], 200)
    assert found[3] == 5
    assert min(found[:3]) >= 2 * FEWEST_OF_A_STRATUM
    assert found[0] > found[1]


@given(
    st.lists(st.tuples(st.integers(30, 60), st.integers(0, 30), st.integers(0, 9)), min_size=1, max_size=4),
)
def test_the_rate_lies_in_its_interval_and_that_between_0_and_1(parts: list[tuple[int, int, int]]) -> None:
    strata = [
        Stratum(str(at), 100 * (at + 1), right, wrong, unclear) for at, (right, wrong, unclear) in enumerate(parts)
    ]
    found = stratified_error_rate(strata)
    assert found.rate is not None
    assert found.low is not None
    assert found.high is not None
    assert 0 <= found.low <= found.rate <= found.high <= 1
