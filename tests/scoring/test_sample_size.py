from __future__ import annotations

import random

import numpy as np
import pytest

from scoring import Counts
from scoring.statistics.intervals import ratio_parts
from scoring.statistics.sample_size import (
    cells_for_half_width,
    design_effect,
    documents_for_change,
    documents_for_mcnemar,
    margin,
    measured_icc,
)


@pytest.mark.parametrize(
    ("rate", "half", "cells"),
    [(0.95, 0.05, 73), (0.95, 0.02, 457), (0.95, 0.01, 1825), (0.98, 0.05, 31), (0.98, 0.02, 189), (0.98, 0.01, 753)],
)
def test_so_many_cells_give_that_half_width(rate: float, half: float, cells: int) -> None:
    assert cells_for_half_width(rate, half) == cells


def test_cells_of_one_document_count_for_less_the_more_alike_they_are() -> None:
    assert design_effect(30, 0.1) == pytest.approx(3.9)
    assert design_effect(30, 0.3) == pytest.approx(9.7)
    assert design_effect(30, 0) == 1
    assert cells_for_half_width(0.95, 0.02, cells_per_document=30, icc=0.1) == pytest.approx(457 * 3.9, abs=4)


@pytest.mark.parametrize(
    ("sd", "change", "documents"),
    [(0.10, 0.01, 785), (0.10, 0.02, 197), (0.10, 0.05, 32), (0.05, 0.01, 197), (0.05, 0.02, 50), (0.05, 0.05, 8)],
)
def test_so_many_documents_show_a_change(sd: float, change: float, documents: int) -> None:
    assert documents_for_change(change, sd) == documents


def test_so_many_documents_show_that_one_passes_more() -> None:
    assert documents_for_mcnemar(0.10, 0.05) == 312
    assert documents_for_mcnemar(0.10, 0.03) == 870


@pytest.mark.parametrize(("cells", "half"), [(20, 0.136), (100, 0.059), (300, 0.034), (500, 0.026)])
def test_the_margin_of_a_field_that_is_right_nine_times_in_ten(cells: int, half: float) -> None:
    assert margin(0.9, cells) == pytest.approx(half, abs=0.001)


def test_the_margin_grows_with_the_likeness_of_the_cells() -> None:
    assert margin(0.9, 390, cells_per_document=30, icc=0.1) == pytest.approx(margin(0.9, 100) or 0)
    assert margin(0.9, 0) is None
    assert 0 < (margin(1, 20) or 0) < (margin(0.9, 20) or 0)


def test_the_power_is_what_was_asked_for() -> None:
    chance, seen = np.random.default_rng(2), 0
    documents = documents_for_change(0.02, 0.1)
    for _ in range(2000):
        changes = chance.normal(0.02, 0.1, size=documents)
        seen += abs(changes.mean()) > 1.96 * changes.std(ddof=1) / documents**0.5
    assert seen / 2000 == pytest.approx(0.8, abs=0.03)


def test_a_pilot_shows_how_alike_the_cells_of_a_document_are() -> None:
    chance = random.Random(1)

    def pilot(spread: float) -> float | None:
        documents = []
        for _ in range(3000):
            # A beta distribution of mean .8 makes cells with the icc 1 / (a + b + 1).
            share = chance.betavariate(0.8 * spread, 0.2 * spread)
            cells = chance.randint(5, 40)
            documents.append(Counts(sum(chance.random() < share for _ in range(cells)), cells, cells))
        return measured_icc(ratio_parts(documents, ratio="recall"))

    assert pilot(9) == pytest.approx(0.1, abs=0.015)
    assert pilot(1e6) == pytest.approx(0, abs=0.01)


def test_a_document_that_is_all_right_or_all_wrong_is_one_cell() -> None:
    halves = [[10.0, 10.0], [0.0, 10.0]] * 500
    assert measured_icc(halves) == pytest.approx(1, abs=0.01)


def test_a_pilot_without_errors_or_documents_tells_nothing() -> None:
    assert measured_icc([[5, 5], [6, 6]]) is None
    assert measured_icc([[4, 5]]) is None
    assert measured_icc(ratio_parts([])) is None
    assert measured_icc([[1, 1], [0, 1]]) is None


def test_what_cannot_be_planned_is_refused_in_words() -> None:
    with pytest.raises(ValueError, match=r"rate 95, expected 0 to 1"):
        cells_for_half_width(95, 0.01)
    with pytest.raises(ValueError, match="half width 0, expected more than 0 and at most 1"):
        cells_for_half_width(0.9, 0)
    with pytest.raises(ValueError, match="change -1, expected more than 0"):
        documents_for_change(-1, 0.1)
    with pytest.raises(ValueError, match=r"a gap of 0\.2 and a discordance of 0\.1"):
        documents_for_mcnemar(0.1, 0.2)
    with pytest.raises(ValueError, match="0 cells and icc 0"):
        design_effect(0, 0)
    with pytest.raises(ValueError, match="-3 cells"):
        margin(0.9, -3)
    with pytest.raises(ValueError, match="level 80"):
        documents_for_change(0.1, 0.1, power=80)
