from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from scoring.statistics.proportions import bound_without_errors, exact_interval, half_width, proportion_interval


@given(st.integers(1, 400), st.integers(0, 400))
def test_both_intervals_of_a_proportion_are_those_of_scipy(of: int, successes: int) -> None:
    test = binomtest(min(successes, of), of)
    for ours, method in ((proportion_interval, "wilson"), (exact_interval, "exact")):
        theirs = test.proportion_ci(method=method)
        assert ours(min(successes, of), of) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


@pytest.mark.parametrize(
    ("successes", "of", "wilson", "exact"),
    [
        # Newcombe, "Two-sided confidence intervals for the single proportion", 1998, table I.
        (81, 263, (0.2553, 0.3662), (0.2527, 0.3676)),
        (15, 148, (0.0624, 0.1605), (0.0578, 0.1617)),
        (0, 20, (0, 0.1611), (0, 0.1684)),
        (1, 29, (0.0061, 0.1718), (0.0009, 0.1776)),
    ],
)
def test_the_intervals_are_those_that_newcombe_published(
    successes: int, of: int, wilson: tuple[float, float], exact: tuple[float, float]
) -> None:
    assert proportion_interval(successes, of) == pytest.approx(wilson, abs=5e-5)
    assert exact_interval(successes, of) == pytest.approx(exact, abs=5e-5)


def test_eighteen_right_of_twenty_may_be_seventy_percent() -> None:
    assert proportion_interval(18, 20) == pytest.approx((0.6990, 0.9721), abs=5e-5)


@pytest.mark.parametrize(("of", "limit"), [(59, 0.05), (149, 0.02), (299, 0.01), (598, 0.005)])
def test_so_many_without_an_error_are_needed_for_a_limit(of: int, limit: float) -> None:
    assert (bound_without_errors(of) or 1) <= limit < (bound_without_errors(of - 1) or 1)


@pytest.mark.parametrize(("of", "limit"), [(45, 0.05), (114, 0.02), (230, 0.01), (460, 0.005)])
def test_ninety_percent_need_fewer(of: int, limit: float) -> None:
    assert (bound_without_errors(of, level=0.9) or 1) <= limit < (bound_without_errors(of - 1, level=0.9) or 1)


def test_the_bound_is_nearly_three_by_the_number() -> None:
    assert bound_without_errors(300) == pytest.approx(3 / 300, rel=0.01)


def test_the_half_width_is_half_of_the_interval() -> None:
    low, high = proportion_interval(40, 50) or (0, 0)
    assert half_width(0.8, 50) == pytest.approx((high - low) / 2)


def test_nothing_counted_has_no_interval_and_no_bound() -> None:
    assert (proportion_interval(0, 0), exact_interval(0, 0), bound_without_errors(0)) == (None, None, None)


def test_more_successes_than_trials_are_refused() -> None:
    for interval in (proportion_interval, exact_interval):
        with pytest.raises(ValueError, match="3 successes of 2"):
            interval(3, 2)


@pytest.mark.parametrize("level", [95, 1, 0])
def test_a_level_in_percent_or_of_certainty_is_refused(level: float) -> None:
    for wrong in (lambda: exact_interval(1, 2, level=level), lambda: bound_without_errors(2, level=level)):
        with pytest.raises(ValueError, match=f"level {level}, expected more than 0 and less than 1"):
            wrong()


def test_of_none_the_lower_end_is_nothing_and_of_all_the_upper_end_is_one() -> None:
    ends = [(proportion_interval(0, of), proportion_interval(of, of)) for of in range(1, 400)]
    assert {none and none[0] for none, _ in ends} == {0.0}
    assert {every and every[1] for _, every in ends} == {1.0}
