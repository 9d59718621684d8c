from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control

from scoring.statistics.multiple_tests import benjamini_hochberg, holm

# Benjamini and Hochberg, "Controlling the false discovery rate", 1995, section 4.1.
PUBLISHED = [
    *(0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344),
    *(0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0),
]


def rejected(adjusted: list[float | None]) -> int:
    return sum(p_value is not None and p_value <= 0.05 for p_value in adjusted)


def test_the_published_p_values_are_rejected_as_published() -> None:
    assert sum(p_value * len(PUBLISHED) <= 0.05 for p_value in PUBLISHED) == 3
    assert rejected(holm(PUBLISHED)) == 3
    assert rejected(benjamini_hochberg(PUBLISHED)) == 4
    assert holm(PUBLISHED)[3] == pytest.approx(0.1140, abs=5e-5)
    assert benjamini_hochberg(PUBLISHED)[3] == pytest.approx(0.0356, abs=5e-5)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_benjamini_and_hochberg_adjust_as_scipy_does(p_values: list[float]) -> None:
    assert benjamini_hochberg(p_values) == pytest.approx(list(false_discovery_control(p_values)))


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20), st.floats(0.001, 0.3))
def test_holm_rejects_step_by_step_until_the_first_that_is_too_large(p_values: list[float], limit: float) -> None:
    steps = 0
    for left, p_value in zip(range(len(p_values), 0, -1), sorted(p_values), strict=True):
        if p_value * left > limit:
            break
        steps += 1
    assert sum(p_value is not None and p_value <= limit for p_value in holm(p_values)) == steps


def test_a_field_without_a_p_value_is_no_test() -> None:
    for adjust in (holm, benjamini_hochberg):
        assert adjust([0.02, None, 0.5]) == [pytest.approx(0.04), None, pytest.approx(0.5)]
        assert adjust([]) == []
        assert adjust([None]) == [None]


def test_what_is_no_probability_is_refused() -> None:
    for wrong in (1.5, -0.1, float("nan")):
        with pytest.raises(ValueError, match="at place 1, expected 0 to 1"):
            holm([0.1, wrong])
