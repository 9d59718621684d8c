from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from scoring import proportion_interval


@given(st.integers(1, 400), st.integers(0, 400))
def test_the_interval_of_a_proportion_is_that_of_scipy(of: int, successes: int) -> None:
    successes = min(successes, of)
    theirs = binomtest(successes, of).proportion_ci(method="wilson")
    assert proportion_interval(successes, of) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_nothing_counted_has_no_interval() -> None:
    assert proportion_interval(0, 0) is None


def test_more_successes_than_trials_are_refused() -> None:
    with pytest.raises(ValueError, match="3 successes of 2"):
        proportion_interval(3, 2)
