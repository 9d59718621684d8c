from __future__ import annotations

import numpy as np
import pytest

from scoring.counts import Counts
from scoring.statistics.anchoring import anchoring


def _documents(rate: float, number: int, seed: int) -> list[Counts]:
    chance = np.random.default_rng(seed)
    return [Counts(int(chance.binomial(50, rate)), 50, 50) for _ in range(number)]


def test_gold_that_copies_the_output_flatters_it() -> None:
    found = anchoring(_documents(0.98, 60, 1), _documents(0.9, 60, 2))
    assert found.gap == pytest.approx(0.08, abs=0.02)
    assert found.is_flattered
    assert (found.low or 0) < 0.08 < (found.high or 0)


def test_no_flattery_is_claimed_where_the_two_agree() -> None:
    assert not anchoring(_documents(0.9, 60, 1), _documents(0.9, 60, 2)).is_flattered


def test_the_interval_of_the_gap_is_that_of_a_difference_of_independent_scores() -> None:
    found = anchoring(_documents(0.95, 40, 1), _documents(0.9, 30, 2))
    one, other = found.corrected, found.blind
    assert found.low == pytest.approx(
        found.gap - ((one.estimate - one.low) ** 2 + (other.high - other.estimate) ** 2) ** 0.5  # type: ignore[operator]
    )


def test_too_few_blind_documents_give_a_gap_without_an_interval() -> None:
    found = anchoring(_documents(0.98, 60, 1), _documents(0.9, 19, 2))
    assert (found.low, found.is_flattered) == (None, False)
    assert found.reason == "blind tables: too few documents for an interval: 19, expected at least 20"


def test_without_blind_tables_there_is_no_gap() -> None:
    found = anchoring(_documents(0.98, 60, 1), [])
    assert (found.gap, found.reason) == (None, "no blind table has anything to count")
