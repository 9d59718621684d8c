from __future__ import annotations

from dataclasses import replace

import pytest

from scoring.counts import Counts
from store.extractors.fixtures import fixtures
from store.selftest import SelfTest, selftest


@pytest.fixture(scope="module")
def found() -> SelfTest:
    return selftest()


def test_the_harness_reads_scores_and_repeats_its_own_documents_without_a_mistake(found: SelfTest) -> None:
    assert found.problems == ()
    told = found.to_json()
    assert (told["documents"], told["fields"], told["repeats"]) == (11, 44, 2)
    assert (told["precision"], told["recall"], told["f1"], told["repeat_variation"]) == (1.0, 1.0, 1.0, 0.0)
    assert told["latency_ms"]["lowest"] >= 120
    assert "harness and not extraction" in told["note"]


def test_the_harness_finds_the_errors_that_were_planted(found: SelfTest) -> None:
    planted = found.to_json()["planted_errors"]
    assert (planted["planted"], planted["matched"], planted["expected"], planted["corrected"]) == (3, 41, 44, 3)


def test_a_number_that_is_not_as_it_must_be_is_named(found: SelfTest) -> None:
    broken = replace(found, plain=replace(found.plain, counts=Counts(43, 44, 44)))
    assert broken.problems == ("fields right: 43, expected 44",)
    assert list(broken.lines())[-1] == "Some numbers are not as they must be."


def test_the_documents_of_the_self_test_are_always_the_same_bytes() -> None:
    assert fixtures() == fixtures()
    assert len({fixture.raw for fixture in fixtures()}) == 11
