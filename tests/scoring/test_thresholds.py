from __future__ import annotations

from math import nan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from scoring.confidence.thresholds import (
    Threshold,
    badge_limits,
    calibration_documents,
    conformal_risk_control,
    design_effect,
    exact_upper_limit,
    learn_then_test,
    zero_error_sample,
)
from scoring.statistics.proportions import exact_interval
from tests.scoring import reference_confidence as slow


def ranked(right: list[bool] | np.ndarray, documents: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Cells of falling confidence, all different, dealt out to the documents in turn."""
    n = len(right)
    return 1 - np.arange(n) / n, np.asarray(right, dtype=bool), np.arange(n) % documents


@pytest.mark.parametrize(
    ("alpha", "at_95", "at_90"), [(0.05, 59, 45), (0.02, 149, 114), (0.01, 299, 230), (0.005, 598, 460)]
)
def test_how_many_cells_without_an_error_show_a_rate(alpha: float, at_95: int, at_90: int) -> None:
    assert zero_error_sample(alpha) == at_95
    assert zero_error_sample(alpha, delta=0.1) == at_90
    assert exact_upper_limit(0, at_95, delta=0.05) <= alpha < exact_upper_limit(0, at_95 - 1, delta=0.05)


@pytest.mark.parametrize(
    ("wrong", "of", "limit"), [(81, 263, 0.3676), (15, 148, 0.1617), (0, 20, 0.1684), (1, 29, 0.1776)]
)
def test_the_exact_limit_is_that_of_clopper_and_pearson(wrong: int, of: int, limit: float) -> None:
    assert exact_upper_limit(wrong, of, delta=0.025) == pytest.approx(limit, abs=5e-5)


@given(st.integers(1, 200), st.integers(0, 200), st.sampled_from((0.01, 0.05, 0.1)))
def test_the_exact_limit_solves_the_binomial_tail(of: int, wrong: int, delta: float) -> None:
    wrong = min(wrong, of)
    limit = exact_upper_limit(wrong, of, delta=delta)
    if wrong == of:
        assert limit == 1.0
    else:
        assert slow.binomial_at_most(wrong, of, limit) == pytest.approx(delta, rel=1e-6)
    two_sided = exact_interval(wrong, of, level=1 - 2 * delta)
    assert two_sided is not None
    assert limit == pytest.approx(two_sided[1], abs=1e-12)


def test_the_limit_agrees_with_the_one_sided_test_of_scipy() -> None:
    theirs = binomtest(7, 400, alternative="less").proportion_ci(confidence_level=0.9, method="exact")
    assert exact_upper_limit(7, 400, delta=0.1) == pytest.approx(theirs.high, abs=1e-12)


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(0, 9)), min_size=2, max_size=15))
def test_the_design_effect_is_the_sum_over_documents(drawn: list[tuple[int, int]]) -> None:
    cells = [size for size, _ in drawn]
    wrong = [min(errors, size) for size, errors in drawn]
    document = np.repeat(np.arange(len(cells)), cells)
    verdicts = np.concatenate([np.arange(size) < errors for size, errors in zip(cells, wrong, strict=True)])
    if 0 < sum(wrong) < sum(cells):
        assert design_effect(verdicts, document) == pytest.approx(slow.design_effect(wrong, cells))
    else:
        assert design_effect(verdicts, document) == 1.0


def test_errors_in_whole_documents_are_worth_documents() -> None:
    # 50 documents of 30 cells that are all wrong or all right: 1,500 cells are worth about 50.
    wrong = np.repeat(np.arange(50) % 10 == 0, 30)
    assert 1500 / design_effect(wrong, np.repeat(np.arange(50), 30)) == pytest.approx(49)
    assert design_effect(wrong, np.arange(1500)) == pytest.approx(1, abs=0.001)


def test_a_threshold_is_promised_as_far_as_the_errors_allow() -> None:
    right = np.ones(3000, dtype=bool)
    right[2000:] = np.arange(1000) % 5 > 0
    found = learn_then_test(*ranked(right, 100))
    assert found.reason == ""
    assert found.tau is not None
    assert found.upper is not None
    assert found.upper <= 0.02
    # 2 % of the first n are wrong at 2,222; the promise has to stay below that.
    assert 2000 <= found.accepted < 2222
    assert found.wrong == int((~right[: found.accepted]).sum())
    assert found.tau == pytest.approx(1 - (found.accepted - 1) / 3000)
    assert (found.cells, found.documents) == (3000, 100)


def test_the_limit_of_the_threshold_can_be_computed_by_hand() -> None:
    found = learn_then_test(*ranked(np.ones(600, dtype=bool), 60))
    assert (found.accepted, found.wrong, found.effective) == (600, 0, 600)
    assert found.upper == pytest.approx(1 - 0.1 ** (1 / 600))


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.sampled_from((1, 2, 9)), st.sampled_from((0.05, 0.1, 0.2)))
def test_the_threshold_is_that_of_taking_each_accepted_set_anew(seed: int, digits: int, alpha: float) -> None:
    chance = np.random.default_rng(seed)
    n = int(chance.integers(30, 600))
    confidence, document = chance.random(n).round(digits), chance.integers(0, 40, n)
    error = 0.4 * (1 - confidence) ** 2 * (1 + chance.normal(size=40)[document]).clip(0)
    right = chance.random(n) >= error
    found = learn_then_test(confidence, right, document, alpha=alpha, delta=0.1)
    assert found.tau == slow.promised(confidence.tolist(), right.tolist(), document.tolist(), alpha, 0.1)
    assert found.upper is None or found.upper <= alpha


def test_errors_that_come_by_document_cost_accepted_cells() -> None:
    chance = np.random.default_rng(4)
    document = np.repeat(np.arange(200), 30)
    confidence = chance.random(6000)
    bad = (document % 8 == 0) & (chance.random(6000) < 0.3 * (1 - confidence))
    aware = learn_then_test(confidence, ~bad, document)
    unaware = learn_then_test(confidence, ~bad, np.arange(6000))
    assert 0 < aware.accepted < unaware.accepted


def test_cells_of_one_score_are_accepted_together_or_not_at_all() -> None:
    confidence = np.repeat([0.99, 0.9, 0.5], [800, 800, 400])
    right = np.ones(2000, dtype=bool)
    right[800:1600:10] = False
    found = learn_then_test(confidence, right, np.arange(2000) % 50)
    assert (found.tau, found.accepted) == (0.99, 800)


def test_the_order_of_the_cells_does_not_matter() -> None:
    chance = np.random.default_rng(8)
    confidence, right = chance.random(3000).round(2), chance.random(3000) < 0.995
    document = np.arange(3000) % 70
    turned = chance.permutation(3000)
    first = learn_then_test(confidence, right, document)
    assert first.tau is not None
    assert first == learn_then_test(confidence[turned], right[turned], document[turned])


def test_too_little_data_is_refused_with_what_is_needed() -> None:
    few_cells = learn_then_test(*ranked(np.ones(341, dtype=bool), 40))
    assert few_cells.tau is None
    assert few_cells.reason == ("too few to promise 2 %: scored cells 341, documents 40, expected at least 342 and 20")
    assert learn_then_test(*ranked(np.ones(342, dtype=bool), 40)).tau is not None
    few_documents = learn_then_test(*ranked(np.ones(2000, dtype=bool), 19))
    assert few_documents.tau is None
    assert "documents 19, " in few_documents.reason
    assert "scored cells 0, " in learn_then_test([], [], []).reason


def test_wrong_cells_with_high_scores_leave_no_threshold() -> None:
    right = np.arange(2000) % 20 > 0
    found = learn_then_test(*ranked(right, 50))
    assert found.tau is None
    assert found.reason.startswith("even of the 342 cells with the highest scores 18 are wrong")


def test_high_scores_of_one_document_prove_nothing_about_others() -> None:
    # The highest 1,000 scores are right and all of one document; those of the others are wrong.
    confidence, right, document = ranked(np.arange(2000) < 1000, 50)
    document[:1000] = 0
    found = learn_then_test(confidence, right, document)
    assert found.tau is None
    # From cell 1,001 on each cell is of the next document, the first of them of document 0 again.
    assert found.reason.startswith("even of the 1020 cells")


def test_cells_without_a_score_are_never_accepted_nor_counted() -> None:
    confidence, right, document = ranked(np.ones(900, dtype=bool), 30)
    with_gaps = np.concatenate((confidence, np.full(100, nan)))
    found = learn_then_test(with_gaps, np.append(right, [False] * 100), np.append(document, np.arange(100) % 30))
    assert (found.cells, found.accepted, found.wrong) == (900, 900, 0)


@pytest.mark.parametrize(("alpha", "delta"), [(0.0, 0.1), (1.0, 0.1), (0.02, 0.0), (2, 0.1)])
def test_a_promise_out_of_range_is_refused(alpha: float, delta: float) -> None:
    with pytest.raises(ValueError, match="expected both between 0 and 1"):
        learn_then_test(*ranked([True] * 5, 5), alpha=alpha, delta=delta)


@settings(max_examples=50)
@given(st.data())
def test_risk_control_is_the_lowest_of_all_thresholds_tried(data: st.DataObject) -> None:
    sizes = data.draw(st.lists(st.integers(1, 4), min_size=9, max_size=30))
    n = sum(sizes)
    scores = data.draw(st.lists(st.integers(0, 10).map(lambda k: k / 10), min_size=n, max_size=n))
    right = data.draw(st.lists(st.sampled_from((True, True, True, False)), min_size=n, max_size=n))
    found = conformal_risk_control(scores, right, np.repeat(np.arange(len(sizes)), sizes), alpha=0.2)
    expected = slow.largest_accepted(scores, right, sizes, 0.2)
    assert found.tau == (None if expected == float("inf") else expected)


def test_risk_control_says_what_it_controls() -> None:
    found = conformal_risk_control(*ranked(np.ones(600, dtype=bool), 60))
    assert found.label == "expected undetected errors per 100 cells"
    assert found.undetected_per_100 == pytest.approx(100 / 61)


def test_risk_control_needs_as_many_documents_as_one_over_alpha_less_one() -> None:
    assert conformal_risk_control(*ranked([True] * 98, 49)).tau is not None
    few = conformal_risk_control(*ranked([True] * 96, 48))
    assert few.tau is None
    assert few.reason == "too few documents to promise 2 %: 48, expected at least 49"
    assert conformal_risk_control([nan] * 60, [True] * 60, list(range(60))).reason == "no cell has a score"
    all_wrong = conformal_risk_control(*ranked([False] * 60, 60), alpha=0.02)
    assert all_wrong.reason.startswith("the cells with the highest score alone")


def test_the_halves_are_fixed_and_a_new_document_moves_at_most_one() -> None:
    names = [f"invoice-{k}" for k in range(101)]
    half = calibration_documents(names)
    assert len(half) == 51
    assert half == calibration_documents(reversed(names)) == calibration_documents(names * 2)
    assert half != calibration_documents(names, seed=3)
    assert len(half ^ (calibration_documents([*names, "one more"]) - {"one more"})) <= 1


def test_a_low_badge_is_below_the_score_where_four_in_five_are_right() -> None:
    # 100 cells of each score is right as often as it says.
    confidence = np.repeat(np.arange(50, 100) / 100, 100)
    right = np.concatenate([np.arange(100) < score for score in range(50, 100)])
    threshold = learn_then_test(confidence, right, np.arange(5000) % 100, alpha=0.05)
    limits = badge_limits(confidence, right, threshold)
    assert limits.low is not None
    assert 0.7 <= limits.low <= 0.8
    assert limits.cells_below == int((confidence < limits.low).sum())
    assert limits.right_below == int(right[confidence < limits.low].sum())
    assert limits.high == threshold.tau


def test_badges_without_evidence_have_no_limits_but_reasons() -> None:
    none = Threshold(None, 0.02, 0.1, 10, 2, reason="too few")
    few = badge_limits([0.5] * 10, [False] * 10, none)
    assert (few.high, few.low, few.high_reason) == (None, None, "too few")
    assert few.low_reason == "too few scored cells: 10, expected at least 50"
    good = badge_limits(np.linspace(0.5, 1, 100), [True] * 100, none)
    assert good.low is None
    assert "may be right in 80 % or more" in good.low_reason


def test_a_low_badge_never_reaches_above_a_high_one() -> None:
    confidence, right = np.repeat([0.4, 0.9], 100), [False] * 200
    assert badge_limits(confidence, right, Threshold(0.6, 0.02, 0.1, 200, 20)).low == 0.6
