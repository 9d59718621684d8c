from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scoring.effort.durations import FEWEST, by_group, durations, sensitivity


def test_fewer_than_five_durations_have_no_median_and_no_mean() -> None:
    few = durations([1, 2, 3, 4])
    assert (few.n, few.total_ms, few.too_few) == (4, 10, True)
    assert few.median_ms is few.low_quartile_ms is few.high_quartile_ms is few.trimmed_mean_ms is None
    assert not durations(range(FEWEST)).too_few


def test_a_forgotten_tab_moves_neither_median_nor_trimmed_mean() -> None:
    usual = [*range(60_000, 70_000, 1_000)]
    assert durations([*usual[:-1], 28_800_000]).median_ms == durations(usual).median_ms
    trimmed = durations([*usual[:-1], 28_800_000]).trimmed_mean_ms
    assert trimmed is not None
    assert trimmed < 70_000


@given(st.lists(st.integers(0, 10**9), min_size=FEWEST, max_size=50))
def test_quartiles_are_those_of_numpy(values: list[int]) -> None:
    found = durations(values)
    expected = np.quantile(values, [0.25, 0.5, 0.75])
    np.testing.assert_allclose([found.low_quartile_ms, found.median_ms, found.high_quartile_ms], expected, rtol=1e-12)


def test_groups_stand_in_the_order_in_which_they_come() -> None:
    groups = by_group([("b", 1), ("a", 2), ("b", 3)])
    assert [(name, group.n, group.total_ms) for name, group in groups.items()] == [("b", 2, 4), ("a", 1, 2)]


def test_sensitivity_compares_each_cut_off_with_the_usual_one() -> None:
    found = sensitivity({30: [1] * 5, 120: [2] * 5, 300: [3] * 4}, cutoff_ms=120)
    assert {cutoff: against for cutoff, (_, against) in found.items()} == {30: 0.5, 120: 1.0, 300: None}
