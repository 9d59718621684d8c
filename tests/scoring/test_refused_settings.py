"""Thresholds, levels and scores that are no such thing are refused in words, by confidence and statistics alike."""

from __future__ import annotations

import re
from collections.abc import Callable
from math import inf, nan

import pytest

from scoring.confidence.calibration import calibration_error, chance_errors, reliability_bins
from scoring.confidence.confidence_report import confidence_report
from scoring.confidence.error_detection import auroc_interval, error_detection, review_curve
from scoring.confidence.scored_cells import ScoredCell
from scoring.confidence.straight_through import straight_through
from scoring.confidence.thresholds import conformal_risk_control, exact_upper_limit, learn_then_test
from scoring.statistics.agreement import fleiss_kappa
from scoring.statistics.comparison import compare, mcnemar
from scoring.statistics.intervals import bootstrap_intervals, clustered_mean, corpus_intervals
from scoring.statistics.multiple_tests import holm
from scoring.statistics.proportions import exact_interval, half_width, proportion_interval
from scoring.statistics.repeated_runs import headline, variance
from scoring.statistics.sample_size import design_effect, documents_for_change, margin

CELLS = (ScoredCell(0.9, True, "a", "price"), ScoredCell(0.4, False, "b", "price"))
ONE = ([0.5], [True], ["a"])

REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "a threshold that is NaN": (lambda: straight_through(CELLS, tau=nan), "threshold tau nan, expected 0 to 1"),
    "a threshold above 1": (lambda: straight_through(CELLS, tau=1.5), "threshold tau 1.5, expected 0 to 1"),
    "an alpha that is NaN": (lambda: learn_then_test(*ONE, alpha=nan), "alpha nan"),
    "a delta of 1": (lambda: learn_then_test(*ONE, delta=1), "delta 1"),
    "a risk of 0": (lambda: conformal_risk_control(*ONE, alpha=0), "alpha 0"),
    "a limit with a delta that is NaN": (lambda: exact_upper_limit(1, 10, delta=nan), "delta nan, expected more"),
    "a limit with a delta of 2": (lambda: exact_upper_limit(1, 10, delta=2), "delta 2, expected more than 0"),
    "a report without draws": (lambda: confidence_report(CELLS, draws=0), "0 draws, expected at least 1"),
    "a report of nothing without draws": (lambda: confidence_report([], draws=0), "0 draws, expected at least 1"),
    "a report with an alpha of 2": (lambda: confidence_report(CELLS, alpha=2), "alpha 2"),
    "a catch rate that is NaN": (lambda: confidence_report(CELLS, catch_rate=nan), "catch rate nan"),
    "a review of no share": (lambda: review_curve(*ONE[:2], shares=(nan,)), "shares"),
    "no bins": (lambda: reliability_bins(*ONE[:2], bins=0), "0 bins, expected at least 1"),
    "an error over no bins": (lambda: calibration_error(*ONE[:2], bins=0), "0 bins, expected at least 1"),
    "chance without draws": (lambda: chance_errors(ONE[0], draws=0), "0 draws, expected at least 1"),
    "detection without draws": (lambda: error_detection(*ONE, draws=0), "0 draws, expected at least 1"),
    "an AUROC without draws": (lambda: auroc_interval(*ONE, draws=-1), "-1 draws, expected at least 1"),
    "a verdict in words": (lambda: ScoredCell(0.5, "no", "a", "b"), "verdict 'no' in document 'a'"),  # type: ignore[arg-type]
    "a verdict that is NaN": (lambda: ScoredCell(0.5, nan, "a", "b"), "verdict nan in document 'a'"),  # type: ignore[arg-type]
    "a confidence that is NaN": (lambda: ScoredCell(nan, True, "a", "b"), "confidence nan in document 'a'"),
    "a negative z": (lambda: proportion_interval(1, 2, z=-1), "z -1, expected a number above 0"),
    "a z that is NaN": (lambda: proportion_interval(1, 2, z=nan), "z nan, expected a number above 0"),
    "a width for a rate of 2": (lambda: half_width(2, 10), "a rate of 2 among 10 things"),
    "a width among nothing": (lambda: half_width(0.5, 0), "a rate of 0.5 among 0 things"),
    "a level that is NaN": (lambda: exact_interval(1, 2, level=nan), "level nan"),
    "a level of 1 for a corpus": (lambda: corpus_intervals([], level=1), "level 1"),
    "a bootstrap without draws": (lambda: bootstrap_intervals([[[1, 2]]], draws=0), "0 draws, expected at least 1"),
    "a comparison without draws": (lambda: compare({}, {}, draws=0), "0 draws, expected at least 1"),
    "documents that are NaN": (lambda: mcnemar(nan, 2), "nan only in A"),  # type: ignore[arg-type]
    "counts that are NaN": (lambda: fleiss_kappa([[nan, 2]]), "a negative count or one that is no finite number"),  # type: ignore[list-item]
    "a p-value that is NaN": (lambda: holm([nan, 0.1]), "p-value nan"),
    "a mean of NaN": (lambda: clustered_mean([nan, 1], ["a", "b"]), "score nan at place 0, expected a finite"),
    "a run that scored NaN": (lambda: headline([1, nan]), "score of a run nan at place 1, expected a finite"),
    "a run that scored without end": (lambda: headline([inf]), "score of a run inf at place 0"),
    "a variance of NaN": (lambda: variance([[1, 2], [1, nan]]), "score of document 1 nan at place 1"),
    "NaN cells in a document": (lambda: design_effect(nan, 0.1), "nan cells and icc 0.1, expected at least 1"),
    "endless cells in a document": (lambda: design_effect(inf, 0.1), "inf cells and icc 0.1, expected at least 1"),
    "an icc that is NaN": (lambda: design_effect(10, nan), "10 cells and icc nan"),
    "a margin among NaN cells": (lambda: margin(0.5, nan), "nan cells"),  # type: ignore[arg-type]
    "an endless change": (lambda: documents_for_change(inf, 1), "change inf, expected more than 0"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_no_number_of_its_kind_is_refused_in_words(what: str) -> None:
    call, words = REFUSED[what]
    with pytest.raises(ValueError, match=re.escape(words)):
        call()


def test_the_thresholds_at_the_ends_are_taken() -> None:
    assert straight_through(CELLS, tau=0).stp == 1
    assert straight_through(CELLS, tau=1).stp == 0
