from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.confidence.calibration import (
    adaptive_calibration_error,
    brier,
    brier_skill,
    calibration,
    calibration_error,
    chance_errors,
    reliability_bins,
)
from tests.scoring import reference_confidence as slow

# Tenths, hundredths and any number: ties, edges of bins, and neither.
SCORES = st.one_of(
    st.integers(0, 10).map(lambda k: k / 10), st.integers(0, 100).map(lambda k: k / 100), st.floats(0, 1)
)
CELLS = st.lists(st.tuples(SCORES, st.booleans()), min_size=1, max_size=60)


def test_the_ece_of_the_published_walk_through() -> None:
    confidence = [0.78, 0.64, 0.92, 0.58, 0.51, 0.85, 0.70, 0.63, 0.83]
    assert calibration_error(confidence, [1, 1, 0, 1, 0, 1, 1, 0, 1], bins=5) == pytest.approx(0.104444, abs=5e-7)


def test_the_brier_score_of_the_published_example() -> None:
    assert brier([0.1, 0.9, 0.8, 0.3], [0, 1, 1, 0]) == pytest.approx(0.0375, abs=1e-15)


def test_the_brier_skill_compares_with_always_saying_the_accuracy() -> None:
    assert brier_skill([0.1, 0.9, 0.8, 0.3], [0, 1, 1, 0]) == pytest.approx(1 - 0.0375 / 0.25)
    assert brier_skill([0.75] * 4, [1, 1, 1, 0]) == pytest.approx(0.0)
    assert brier_skill([0.9, 0.8], [1, 1]) is None
    assert brier_skill([0.9, 0.8], [0, 0]) is None


def test_scores_of_one_that_are_all_right_have_no_error() -> None:
    # With the middle of the bin for the confidence it would be .05.
    assert calibration_error([1.0] * 20, [True] * 20) == 0.0


@given(CELLS, st.sampled_from((5, 10, 15)))
def test_the_ece_is_that_of_the_loops(cells: list[tuple[float, bool]], bins: int) -> None:
    confidence, right = zip(*cells, strict=True)
    assert calibration_error(confidence, right, bins=bins) == pytest.approx(
        slow.calibration_error(confidence, right, bins), abs=1e-12
    )


@given(CELLS)
def test_the_bins_hold_each_cell_once_and_their_gaps_are_the_ece(cells: list[tuple[float, bool]]) -> None:
    confidence, right = zip(*cells, strict=True)
    bins = reliability_bins(confidence, right)
    assert sum(part.n for part in bins) == len(cells)
    gaps = [
        part.n * abs(part.accuracy - part.mean_confidence)
        for part in bins
        if part.accuracy is not None and part.mean_confidence is not None
    ]
    assert sum(gaps) / len(cells) == pytest.approx(calibration_error(confidence, right), abs=1e-12)
    for part in bins:
        assert (part.interval is None) == (part.n == 0)
        if part.interval and part.accuracy is not None and part.mean_confidence is not None:
            assert part.interval[0] - 1e-12 <= part.accuracy <= part.interval[1] + 1e-12
            assert part.low - 1e-12 <= part.mean_confidence <= part.high + 1e-12


def test_an_edge_belongs_to_the_bin_that_begins_with_it() -> None:
    bins = reliability_bins([0.0, 0.1, 0.3, 0.6, 0.7, 0.9, 1.0], [True] * 7)
    assert [part.n for part in bins] == [1, 1, 0, 1, 0, 0, 1, 1, 0, 2]


def test_the_bar_of_a_bin_is_the_wilson_interval() -> None:
    (bar,) = [part for part in reliability_bins([0.95] * 20, [True] * 18 + [False] * 2) if part.n]
    assert bar.interval == pytest.approx((0.6990, 0.9721), abs=5e-5)


def test_equal_mass_bins_hold_equal_numbers_of_different_scores() -> None:
    # Ten cells and five bins: pairs. In each the accuracy is .5, the mean confidence (.05 + .15) / 2 and so on.
    confidence = [0.05 + k / 10 for k in range(10)]
    expected = np.mean([abs(0.5 - mean) for mean in (0.1, 0.3, 0.5, 0.7, 0.9)])
    assert adaptive_calibration_error(confidence, [True, False] * 5, bins=5) == pytest.approx(expected)


@given(st.permutations(range(12)))
def test_ties_stay_together_in_equal_mass_bins_whatever_the_order(order: list[int]) -> None:
    confidence, right = [0.9] * 8 + [0.2] * 4, [True] * 6 + [False] * 2 + [True] + [False] * 3
    shuffled = adaptive_calibration_error([confidence[at] for at in order], [right[at] for at in order])
    assert shuffled == pytest.approx(8 / 12 * 0.15 + 4 / 12 * 0.05)


def test_a_block_of_ties_is_in_the_equal_mass_bin_of_its_middle() -> None:
    # The middle of the middle block begins the upper half, where 4 are right as expected.
    confidence, right = [0.1] * 4 + [0.2] * 4 + [0.8] * 4, [False] * 4 + [True] * 4 + [False] * 4
    assert adaptive_calibration_error(confidence, right, bins=2) == pytest.approx(0.4 / 12)


def test_the_chance_band_is_that_of_drawing_each_cell_by_itself() -> None:
    chance = np.random.default_rng(3)
    confidence = 1 - chance.beta(1, 6, size=2000)
    drawn = [calibration_error(confidence, chance.random(2000) < confidence) or 0.0 for _ in range(800)]
    band = chance_errors(confidence)
    assert band.mean() == pytest.approx(np.mean(drawn), rel=0.05)
    assert np.quantile(band, 0.95) == pytest.approx(np.quantile(drawn, 0.95), rel=0.07)


def test_the_chance_band_shrinks_with_the_root_of_the_number_of_cells() -> None:
    confidence = np.linspace(0.5, 1, 400)
    few, many = chance_errors(confidence), chance_errors(np.repeat(confidence, 25))
    assert few.mean() / many.mean() == pytest.approx(5, rel=0.1)


def test_certain_scores_have_no_chance_error_and_a_seed_gives_one_band() -> None:
    assert chance_errors([1.0, 1.0, 0.0]).tolist() == [0.0] * 1000
    assert (chance_errors([0.5, 0.7], seed=5) == chance_errors([0.5, 0.7], seed=5)).all()
    assert chance_errors([]).size == 0


def test_scores_in_two_tenths_are_degenerate() -> None:
    found = calibration([0.95, 0.97, 0.92, 0.81], [True, True, False, True])
    assert (found.populated, found.degenerate) == (2, True)
    assert not calibration([0.95, 0.85, 0.75], [True, True, False]).degenerate


def test_cells_without_a_score_are_left_out() -> None:
    found = calibration([0.9, np.nan, 0.8], [True, False, False])
    assert (found.n, found.accuracy) == (2, 0.5)
    assert found.brier == pytest.approx((0.01 + 0.64) / 2)


def test_what_is_undefined_says_why() -> None:
    nothing = calibration([np.nan], [True])
    assert nothing.brier is nothing.ece is nothing.ece_chance_q95 is nothing.adaptive_ece is None
    assert set(nothing.undefined.values()) == {"no cell has a score"}
    undefined = {name for name in nothing.undefined if getattr(nothing, name) is not None}
    assert undefined == set()
    assert "every scored cell is right" in calibration([0.9, 0.8], [True, True]).undefined["brier_skill"]


@pytest.mark.parametrize(
    ("confidence", "right", "told"),
    [
        ([0.5, 1.2], [1, 0], r"confidence 1\.2.*expected 0 to 1"),
        ([0.5], [1, 0], "one length"),
        ([0.5], [2], "neither true nor false"),
    ],
)
def test_wrong_input_is_refused_in_words(confidence: list[float], right: list[int], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        brier(confidence, right)
