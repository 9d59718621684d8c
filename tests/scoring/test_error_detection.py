from __future__ import annotations

from math import nan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.confidence.error_detection import auroc, auroc_interval, error_detection, review_curve, risk_coverage
from tests.scoring import reference_confidence as slow

SCORES = st.one_of(st.integers(0, 5).map(lambda k: k / 5), st.floats(0, 1))
CELLS = st.lists(st.tuples(SCORES, st.booleans()), min_size=1, max_size=40)
FEW = st.lists(st.tuples(st.sampled_from((0.2, 0.5, 0.8)), st.booleans()), min_size=1, max_size=6)


def test_the_auroc_of_the_published_example() -> None:
    assert auroc([0.1, 0.4, 0.35, 0.8], [0, 0, 1, 1]) == 0.75


@given(CELLS)
def test_the_auroc_is_that_of_all_pairs(cells: list[tuple[float, bool]]) -> None:
    confidence, right = zip(*cells, strict=True)
    expected = slow.auroc(confidence, right)
    assert auroc(confidence, right) == (None if expected is None else pytest.approx(expected, abs=1e-12))


def test_scores_that_are_all_alike_detect_nothing() -> None:
    assert auroc([1.0] * 10, [True] * 9 + [False]) == 0.5


def test_the_areas_of_the_example() -> None:
    found = risk_coverage([0.9, 0.8, 0.7, 0.6], [1, 1, 0, 1])
    assert (found.aurc, found.e_aurc, found.augrc) == pytest.approx((0.145833, 0.083333, 0.125), abs=5e-7)


@settings(max_examples=60)
@given(FEW)
def test_the_areas_are_the_mean_over_all_orders_of_ties(cells: list[tuple[float, bool]]) -> None:
    confidence, right = zip(*cells, strict=True)
    found = risk_coverage(confidence, right)
    assert (found.aurc, found.e_aurc, found.augrc) == pytest.approx(slow.areas(confidence, right), abs=1e-12)


def test_the_risk_at_full_coverage_is_the_error_rate() -> None:
    found = risk_coverage([0.9, 0.9, 0.4, 0.1], [1, 1, 1, 0])
    assert dict(found.points)[1.0] == 0.25
    assert dict(found.points)[0.5] == 0.0


def test_no_scored_cell_has_no_risk() -> None:
    found = risk_coverage([nan], [True])
    assert (found.aurc, found.e_aurc, found.augrc, found.points) == (None, None, None, ())


@given(CELLS, st.sampled_from((0.05, 0.1, 0.3, 0.5, 1.0)))
def test_the_review_finds_what_block_after_block_holds(cells: list[tuple[float, bool]], share: float) -> None:
    confidence, right = zip(*cells, strict=True)
    (found,) = review_curve(confidence, right, shares=(share,), catch_rate=0.75)
    seen, wrong = slow.errors_reviewed(confidence, right, share), right.count(False)
    assert found.residual == pytest.approx((wrong - 0.75 * seen) / len(cells), abs=1e-12)
    if wrong:
        assert found.error_capture == pytest.approx(seen / wrong, abs=1e-12)
        assert found.gain == pytest.approx(seen / wrong / share, abs=1e-12)
    else:
        assert found.error_capture is found.gain is None


def test_a_review_of_the_lowest_tenth_that_holds_half_of_the_errors() -> None:
    confidence = [k / 100 for k in range(100)]
    right = [k >= 10 or k % 2 == 0 for k in range(100)]
    right[50] = right[60] = right[70] = right[80] = right[90] = False
    tenth = next(point for point in review_curve(confidence, right) if point.share == 0.1)
    assert (tenth.error_capture, tenth.residual, tenth.gain) == pytest.approx((0.5, 0.05, 5.0))


def test_the_shares_of_the_review_curve() -> None:
    assert [point.share for point in review_curve([0.5], [True])] == [0.05, 0.1, 0.2, 0.3, 0.5]


def test_cells_without_a_score_are_reviewed_first() -> None:
    (half,) = review_curve([0.0, 0.9, nan, nan], [False, True, False, True], shares=(0.5,))
    assert half.error_capture == 0.5
    (three_quarters,) = review_curve([0.0, 0.9, nan, nan], [False, True, False, True], shares=(0.75,))
    assert three_quarters.error_capture == 1.0


def test_a_share_or_catch_rate_out_of_range_is_refused() -> None:
    with pytest.raises(ValueError, match=r"shares \(0,\) and catch rate 1\.0"):
        review_curve([0.5], [True], shares=(0,))
    with pytest.raises(ValueError, match=r"catch rate 1\.5"):
        review_curve([0.5], [True], catch_rate=1.5)


def drawn(documents: int, per_document: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Cells of documents that differ; wrong cells and every other right one have scores in whole tenths."""
    chance = np.random.default_rng(seed)
    document = np.repeat(np.arange(documents), per_document)
    confidence = chance.random(documents * per_document)
    own = chance.normal(size=documents)[document]
    right = chance.random(len(document)) < 1 / (1 + np.exp(-(4 * confidence + own)))
    apart = right & (np.arange(len(document)) % 2 == 0)
    return np.where(apart, confidence, confidence.round(1)), right, document


def test_the_interval_is_that_of_scoring_each_resample_anew() -> None:
    confidence, right, document = drawn(30, 12)
    chance, values = np.random.default_rng(9), []
    for _ in range(1500):
        picked = np.concatenate([np.flatnonzero(document == one) for one in chance.integers(0, 30, size=30)])
        values.append(slow_enough(confidence[picked], right[picked]))
    expected = np.quantile(values, (0.025, 0.975))
    assert auroc_interval(confidence, right, document, draws=3000) == pytest.approx(tuple(expected), abs=0.012)


def slow_enough(confidence: np.ndarray, right: np.ndarray) -> float:
    low, high = confidence[~right][:, None], confidence[right][None, :]
    return float(((low < high) + 0.5 * (low == high)).mean())


def test_the_interval_hardly_moves_with_the_seed_and_not_with_the_order() -> None:
    confidence, right, document = drawn(40, 10)
    turned = np.random.default_rng(2).permutation(len(document))
    first = auroc_interval(confidence, right, document)
    assert first == pytest.approx(auroc_interval(confidence[turned], right[turned], document[turned]))
    assert first == pytest.approx(auroc_interval(confidence, right, document, seed=7), abs=0.02)


def test_cells_that_err_together_widen_the_interval() -> None:
    confidence, right, document = drawn(60, 1, seed=5)
    alone = auroc_interval(np.repeat(confidence, 20), np.repeat(right, 20), np.arange(1200))
    together = auroc_interval(np.repeat(confidence, 20), np.repeat(right, 20), np.repeat(document, 20))
    assert alone is not None
    assert together is not None
    assert together[1] - together[0] > 3 * (alone[1] - alone[0])


def test_few_wrong_cells_are_thin_and_counted() -> None:
    confidence, right, document = drawn(30, 20)
    right[:] = True
    right[::60] = False
    found = error_detection(confidence, right, document)
    assert (found.n_wrong, found.n_right, found.thin, found.documents) == (10, 590, True, 30)
    assert not error_detection(*drawn(30, 20)).thin


def test_what_is_undefined_says_why() -> None:
    assert error_detection([0.5], [True], ["a"]).undefined["auroc"] == "no scored cell is wrong"
    assert error_detection([0.5], [False], ["a"]).undefined["auroc"] == "no scored cell is right"
    assert error_detection([nan], [False], ["a"]).undefined["auroc"] == "no cell has a score"
    few = error_detection([0.5, 0.6], [False, True], ["a", "b"])
    assert few.auroc == 1.0
    assert few.interval is None
    assert few.undefined == {"interval": "too few documents for an interval: 2, expected at least 20"}
    one_wrong = error_detection([0.5] * 30, [False] + [True] * 29, list(range(30)))
    assert one_wrong.interval is None
    assert one_wrong.draws == 0
    assert "too few documents" in one_wrong.undefined["interval"]
