from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring import Counts
from scoring.statistics.intervals import (
    bootstrap_intervals,
    bootstrap_ratios,
    clustered_mean,
    corpus_intervals,
    linearised_se,
    logit_t_interval,
    ratio_parts,
    weighted_ratios,
)


def counts(true: int, false_positives: int, false_negatives: int) -> Counts:
    return Counts(true, true + false_positives, true + false_negatives)


FIVE = [counts(9, 1, 1), counts(18, 2, 0), counts(5, 5, 5), counts(30, 0, 3), counts(0, 2, 4)]
MICE = ([94, 197, 16, 38, 99, 141, 23], [52, 104, 146, 10, 51, 30, 40, 27, 46])
LAW_SCHOOLS = np.array(
    [
        [576, 635, 558, 578, 666, 580, 555, 661, 651, 605, 653, 575, 545, 572, 594],
        [3.39, 3.30, 2.81, 3.03, 3.44, 3.07, 3.00, 3.43, 3.36, 3.13, 3.12, 2.74, 2.76, 2.88, 2.96],
    ]
)


def corpus(documents: int, *, seed: int = 3) -> list[Counts]:
    """Documents of 5 to 80 cells that are read with very different success."""
    chance = random.Random(seed)
    made = []
    for _ in range(documents):
        cells, share = chance.randint(5, 80), chance.uniform(0.6, 1)
        right = sum(chance.random() < share for _ in range(cells))
        made.append(Counts(right, cells - chance.randint(0, cells - right), cells))
    return made


def means(values: Iterable[float]) -> np.ndarray:
    """A mean is a ratio of sums: of the values, and of ones."""
    return np.array([[value, 1.0] for value in values])


def every_resample(documents: int) -> np.ndarray:
    draws = itertools.product(range(documents), repeat=documents)
    return np.array([np.bincount(draw, minlength=documents) for draw in draws])


def test_micro_scores_of_five_documents_are_as_worked_out_by_hand() -> None:
    found = corpus_intervals(FIVE)
    assert [found[name].estimate for name in ("precision", "recall", "f1")] == pytest.approx(
        [0.861111, 0.826667, 0.843537], abs=5e-7
    )
    assert np.mean([document.f1 for document in FIVE]) == pytest.approx(0.659950, abs=5e-7)
    assert linearised_se(ratio_parts(FIVE)) == pytest.approx(0.088920, abs=5e-7)


def test_leaving_out_one_document_at_a_time_gives_the_jackknife_error() -> None:
    left_out = weighted_ratios(ratio_parts(FIVE)[:, None, :], 1 - np.eye(5))[:, 0]
    assert np.sqrt(4 / 5 * ((left_out - left_out.mean()) ** 2).sum()) == pytest.approx(0.097975, abs=5e-7)


def test_all_3125_resamples_of_five_documents_are_as_worked_out() -> None:
    ratios = weighted_ratios(ratio_parts(FIVE)[:, None, :], every_resample(5))[:, 0]
    assert len(ratios) == 3125
    assert (ratios.mean(), ratios.std()) == pytest.approx((0.818932, 0.104961), abs=5e-7)
    assert np.quantile(ratios, [0.025, 0.975]) == pytest.approx([0.527778, 0.945946], abs=5e-7)


def test_drawn_resamples_come_close_to_all_of_them() -> None:
    ratios = bootstrap_ratios(ratio_parts(FIVE)[:, None, :], draws=40_000)[:, 0]
    assert (ratios.mean(), ratios.std()) == pytest.approx((0.818932, 0.104961), abs=0.002)


@pytest.mark.parametrize(("times", "mean", "exact"), [(MICE[0], 86.857, 23.3635), (MICE[1], 56.222, 13.3489)])
def test_the_mice_of_efron_and_tibshirani_have_their_errors(times: list[int], mean: float, exact: float) -> None:
    mice, parts = len(times), means(times)
    assert parts.sum(axis=0)[0] / mice == pytest.approx(mean, abs=5e-4)
    # The ideal bootstrap divides by n where the sample variance divides by n - 1.
    assert (linearised_se(parts) or 0) * np.sqrt((mice - 1) / mice) == pytest.approx(exact, abs=5e-5)
    assert bootstrap_ratios(parts[:, None, :], draws=40_000).std() == pytest.approx(exact, rel=0.02)


def test_the_correlation_of_the_law_schools_has_its_bootstrap_error() -> None:
    scores, grades = LAW_SCHOOLS
    moments = np.stack([means(row) for row in (scores, grades, scores**2, grades**2, scores * grades)], axis=1)

    def correlation(mean: np.ndarray) -> np.ndarray:
        x, y, xx, yy, xy = mean.T
        return (xy - x * y) / np.sqrt((xx - x * x) * (yy - y * y))

    assert correlation(weighted_ratios(moments, np.ones((1, 15)))) == pytest.approx(0.776374, abs=5e-7)
    assert correlation(bootstrap_ratios(moments, draws=20_000)).std() == pytest.approx(0.133, abs=0.003)


def test_the_two_intervals_and_the_linearised_error_agree_on_many_documents() -> None:
    parts = ratio_parts(corpus(400))
    by_logit, (by_draws,) = logit_t_interval(parts), bootstrap_intervals(parts[:, None, :])
    se = linearised_se(parts) or 0
    for interval in (by_logit, by_draws):
        assert interval.low == pytest.approx((interval.estimate or 0) - 1.96 * se, abs=0.1 * se)
        assert interval.high == pytest.approx((interval.estimate or 0) + 1.96 * se, abs=0.1 * se)
    assert (by_draws.draws, by_draws.seed, by_logit.draws, by_logit.seed) == (2000, 1, None, None)


def test_an_interval_of_cells_would_be_far_too_narrow_when_documents_differ() -> None:
    from scoring import proportion_interval

    documents = corpus(60)
    found = corpus_intervals(documents)["recall"]
    low, high = proportion_interval(round(sum(d.matched for d in documents)), sum(d.expected for d in documents)) or (
        0,
        0,
    )
    assert (found.high or 0) - (found.low or 0) > 1.8 * (high - low)


def test_a_logit_interval_never_leaves_zero_to_one() -> None:
    found = logit_t_interval(ratio_parts([Counts(50, 50, 50)] * 30 + [Counts(0, 10, 10)]))
    assert 0 < (found.low or 0) < (found.estimate or 0) < (found.high or 0) < 1
    assert ((found.estimate or 0) - (found.low or 0)) > ((found.high or 0) - (found.estimate or 0))


def test_below_twenty_documents_there_is_a_range_and_no_interval() -> None:
    nineteen = ratio_parts(corpus(19))
    for found in (logit_t_interval(nineteen), *bootstrap_intervals(nineteen[:, None, :])):
        assert (found.low, found.high) == (None, None)
        assert found.reason == "too few documents for an interval: 19, expected at least 20"
        ratios = nineteen[:, 0] / nineteen[:, 1]
        assert (found.lowest, found.highest) == (ratios.min(), ratios.max())
    twenty = ratio_parts(corpus(20))
    assert logit_t_interval(twenty).low is not None
    assert logit_t_interval(twenty).reason == ""


def test_documents_with_nothing_to_count_are_no_documents() -> None:
    filled, empty = corpus(30), [Counts()] * 500
    with_empty, without = (logit_t_interval(ratio_parts(documents)) for documents in (filled + empty, filled))
    assert with_empty == without
    few = logit_t_interval(ratio_parts(corpus(19) + empty))
    assert (few.documents, few.low) == (19, None)


def test_documents_without_an_error_have_no_interval_of_width_zero() -> None:
    perfect = ratio_parts([Counts(cells, cells, cells) for cells in range(10, 35)])
    for found in (logit_t_interval(perfect), *bootstrap_intervals(perfect[:, None, :])):
        assert (found.estimate, found.low, found.high) == (1, None, None)
        assert found.reason == "none of 25 documents has an error; 11.3 % of all may still have one (one-sided bound)"


def test_documents_that_are_all_half_right_show_no_spread() -> None:
    found = logit_t_interval(ratio_parts([Counts(n, 2 * n, 2 * n) for n in range(1, 31)]))
    assert (found.estimate, found.low) == (0.5, None)
    assert found.reason == "all 30 documents have the same score, so that they show no spread"


def test_no_document_at_all_is_undefined_with_a_reason() -> None:
    for documents in ([], [Counts()] * 40):
        found = corpus_intervals(documents)["f1"]
        assert (found.estimate, found.low, found.documents, found.lowest) == (None, None, 0, None)
        assert found.reason == "no document has anything to count"
        (drawn,) = bootstrap_intervals(ratio_parts(documents)[:, None, :])
        assert (drawn.estimate, drawn.low, drawn.reason) == (None, None, found.reason)


def test_a_metric_that_few_draws_can_count_has_an_interval_of_the_others() -> None:
    rare = [Counts(1, 1, 1), *[Counts()] * 40]
    ratios = bootstrap_ratios(ratio_parts(rare)[:, None, :])
    assert 0.3 < np.isnan(ratios).mean() < 0.45
    assert np.nanmin(ratios) == 1


def test_a_mean_of_scores_below_zero_has_a_bootstrap_interval() -> None:
    (found,) = bootstrap_intervals(means([-0.2, 0.9] * 15)[:, None, :])
    assert found.estimate == pytest.approx(0.35)
    assert (found.low or 0) < 0.35 < (found.high or 0)
    assert found.lowest == -0.2


def test_many_metrics_share_the_documents_of_a_draw() -> None:
    documents = corpus(50)
    both = np.stack([ratio_parts(documents, ratio="recall")] * 2, axis=1)
    ratios = bootstrap_ratios(both)
    assert (ratios[:, 0] == ratios[:, 1]).all()
    assert ratios.shape == (2000, 2)


@settings(max_examples=20, deadline=None)
@given(st.randoms(use_true_random=False))
def test_the_order_of_the_documents_changes_no_byte(chance: random.Random) -> None:
    documents = corpus(40)
    shuffled = chance.sample(documents, len(documents))

    def told(some: list[Counts]) -> str:
        parts = np.stack([ratio_parts(some, ratio=ratio) for ratio in ("precision", "recall", "f1")], axis=1)
        return json.dumps([interval.to_json() for interval in bootstrap_intervals(parts, draws=200)])

    assert told(documents) == told(shuffled)


def test_another_seed_gives_another_interval_and_says_so() -> None:
    parts = ratio_parts(corpus(40))[:, None, :]
    (one,), (two,) = bootstrap_intervals(parts, seed=1), bootstrap_intervals(parts, seed=2)
    assert one.low != two.low
    assert (one.to_json()["seed"], two.to_json()["seed"]) == (1, 2)


def test_a_wider_level_gives_a_wider_interval() -> None:
    parts = ratio_parts(corpus(40))
    narrow, wide = logit_t_interval(parts, level=0.9), logit_t_interval(parts, level=0.99)
    assert (wide.low or 0) < (narrow.low or 0) < (narrow.high or 0) < (wide.high or 0)


def test_scores_of_two_clusters_have_the_error_that_miller_defines() -> None:
    found = clustered_mean([1, 1, 1, 0, 0, 1], ["x", "x", "x", "y", "y", "y"])
    assert found.independent_se == pytest.approx(0.210819, abs=5e-7)
    assert found.clustered_se == pytest.approx(0.250924, abs=5e-7)
    assert (found.mean, found.scores, found.clusters) == (pytest.approx(4 / 6), 6, 2)


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(0, 4)), min_size=2, max_size=30))
def test_the_clustered_error_is_the_double_sum_of_the_paper(scored: list[tuple[float, int]]) -> None:
    scores, clusters = zip(*scored, strict=True)
    n, mean = len(scores), sum(scores) / len(scores)
    variance = sum((score - mean) ** 2 for score in scores) / (n - 1) / n
    for i, j in itertools.permutations(range(n), 2):
        if clusters[i] == clusters[j]:
            variance += (scores[i] - mean) * (scores[j] - mean) / n**2
    found = clustered_mean(scores, clusters)
    if len(set(clusters)) == 1:
        assert found.clustered_se is None
    else:
        assert found.clustered_se == pytest.approx(max(0.0, variance) ** 0.5, abs=1e-7)


def test_one_score_has_a_mean_and_no_error() -> None:
    assert clustered_mean([0.5], ["x"]).to_json() == {
        "mean": 0.5,
        "scores": 1,
        "clusters": 1,
        "independent_se": None,
        "clustered_se": None,
    }
    assert clustered_mean([], []).mean is None
    with pytest.raises(ValueError, match="2 scores and 1 cluster names"):
        clustered_mean([0, 1], ["x"])


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ([1, 2], r"shape \(2,\), expected \(documents, 2\)"),
        ([[1, 2, 3]], r"shape \(1, 3\), expected \(documents, 2\)"),
        ([[1, -2]], "a denominator is negative"),
        ([[float("nan"), 2]], "a part is no number"),
        ([[1, 0]], "numerator without a denominator"),
        ([[3, 2]], "a numerator is outside 0 to its denominator"),
        ([[-1, 2]], "a numerator is outside 0 to its denominator"),
    ],
)
def test_parts_that_are_no_ratio_are_refused_in_words(parts: list[float], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        logit_t_interval(parts)


def test_no_draws_and_a_level_in_percent_are_refused() -> None:
    parts = ratio_parts(corpus(30))[:, None, :]
    with pytest.raises(ValueError, match="0 draws, expected at least 1"):
        bootstrap_intervals(parts, draws=0)
    with pytest.raises(ValueError, match="level 95"):
        bootstrap_intervals(parts, level=95)
    with pytest.raises(ValueError, match="no documents to draw from"):
        bootstrap_ratios(np.empty((0, 1, 2)))


def test_a_hair_below_full_marks_in_one_document_is_no_division_by_zero() -> None:
    found = logit_t_interval([[10.0, 10.0]] * 10**4 + [[1 - 1e-11, 1.0]])
    assert (found.low, found.reason != "") == (None, True)
