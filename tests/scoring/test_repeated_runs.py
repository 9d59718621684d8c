from __future__ import annotations

import random
from itertools import combinations
from statistics import variance as sample_variance

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.statistics.repeated_runs import headline, stability, variance

CELLS = ["aaaa", "bbxb", "cycy", "dddd", "zzzz"]
GOLD = "abcde"


def test_four_runs_over_five_cells_are_as_worked_out_by_hand() -> None:
    accuracies = [sum(cell[run] == right for cell, right in zip(CELLS, GOLD, strict=True)) / 5 for run in range(4)]
    assert accuracies == [0.8, 0.6, 0.6, 0.6]
    found = headline(accuracies)
    assert (found.mean, found.sd) == pytest.approx((0.65, 0.10))
    assert (found.lowest, found.highest, found.run_noise) == (0.6, 0.8, pytest.approx(0.05))
    cells = stability(CELLS, gold=GOLD)
    assert (cells.same_values, cells.pair_flip_rate) == (0.6, pytest.approx(0.23333, abs=5e-6))
    assert (cells.best, cells.worst) == (0.8, 0.4)
    assert (cells.cells, cells.runs, cells.same_texts) == (5, 4, None)


def test_runs_that_differ_in_format_only_have_the_same_values_but_not_the_same_texts() -> None:
    values, texts = [["1200", "1200"], ["x", "x"], ["y", "y"]], [["1,200", "1200.00"], ["x", "x"], ["y", "y"]]
    found = stability(values, texts=texts)
    assert (found.same_values, found.same_texts) == (1, pytest.approx(2 / 3))


def test_a_row_that_only_one_run_has_flips_its_cells() -> None:
    found = stability([[None, "a"], [None, None]], gold=["a", None])
    assert (found.same_values, found.pair_flip_rate, found.best, found.worst) == (0.5, 0.5, 1, 0.5)


@given(st.lists(st.lists(st.sampled_from("abc"), min_size=3, max_size=3), min_size=1, max_size=12))
def test_the_flip_rate_is_that_of_all_pairs_of_runs_one_by_one(cells: list[list[str]]) -> None:
    flips = [cell[i] != cell[j] for cell in cells for i, j in combinations(range(3), 2)]
    assert stability(cells).pair_flip_rate == pytest.approx(sum(flips) / len(flips))


def test_the_best_of_all_runs_may_be_above_each_of_them() -> None:
    found = stability(["ax", "xb"], gold="ab")
    assert (found.best, found.worst) == (1, 0)


def test_one_run_has_no_spread_and_no_flips() -> None:
    assert (headline([0.9]).mean, headline([0.9]).sd, headline([0.9]).run_noise) == (0.9, None, None)
    assert headline([]).to_json() == {"runs": 0} | dict.fromkeys(("mean", "sd", "lowest", "highest", "run_noise"))
    assert stability([["a"], ["b"]]).pair_flip_rate is None
    assert stability([], gold=[]).to_json() == {"cells": 0, "runs": 0} | dict.fromkeys(
        ("same_values", "same_texts", "pair_flip_rate", "best", "worst")
    )


def test_runs_that_all_say_the_same_have_all_variance_between_documents() -> None:
    found = variance([[0.9, 0.9, 0.9], [0.5, 0.5, 0.5]])
    assert (found.within_runs, found.run_se) == (0, 0)
    assert found.between_documents == pytest.approx(0.08)
    assert found.se == pytest.approx(found.document_se)


def test_documents_that_are_all_alike_have_all_variance_within_runs() -> None:
    found = variance([[0.4, 0.6], [0.6, 0.4]])
    assert (found.between_documents, found.document_se) == (0, 0)
    assert found.within_runs == pytest.approx(0.02)
    assert found.mean == pytest.approx(0.5)


def test_the_two_parts_of_the_error_add_up_to_that_of_the_means_of_documents() -> None:
    chance = random.Random(4)
    scores = [[level + chance.gauss(0, 0.03) for _ in range(5)] for level in (0.5, 0.6, 0.7, 0.8, 0.9)]
    found = variance(scores)
    assert (found.document_se or 0) ** 2 + (found.run_se or 0) ** 2 == pytest.approx((found.se or 0) ** 2)
    assert (found.se or 0) ** 2 == pytest.approx(sample_variance([sum(row) / 5 for row in scores]) / 5)


def test_the_split_finds_the_variances_that_the_scores_were_made_with() -> None:
    chance = random.Random(4)
    scores = [[chance.gauss(0, 0.1) + level for _ in range(3)] for level in (chance.gauss(0, 0.2) for _ in range(4000))]
    found = variance(scores)
    assert (found.between_documents, found.within_runs) == pytest.approx((0.04, 0.01), rel=0.06)


def test_one_document_or_one_run_cannot_be_split() -> None:
    assert variance([[0.5, 0.6]]).se is None
    assert (variance([[0.5], [0.7]]).mean, variance([[0.5], [0.7]]).within_runs) == (0.6, None)
    assert variance([]).mean is None


def test_a_cell_without_one_of_the_runs_is_refused() -> None:
    with pytest.raises(ValueError, match="values of 1 runs at place 1 and of 2 at place 0, expected one value"):
        stability([["a", "b"], ["a"]])
    with pytest.raises(ValueError, match="scores of 0 runs at place 0"):
        variance([[], []])
    with pytest.raises(ValueError, match="1 gold values for 2 cells"):
        stability(["ab", "ab"], gold="a")
    with pytest.raises(ValueError, match="texts of 1 cells for 2 cells"):
        stability(["ab", "ab"], texts=["ab"])
