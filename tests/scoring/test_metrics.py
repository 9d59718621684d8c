from __future__ import annotations

import math
from contextlib import suppress

import pytest
from hypothesis import example, given, settings

from scoring.metrics.catalogue import METRICS, counts
from scoring.reading.html_grid import TooLargeError, parse
from tests.scoring.conftest import ScoredPair
from tests.scoring.html_tables import ANYTHING, table, tables

EVERY = pytest.mark.parametrize("name", METRICS)


def values(name: str, gold: str, pred: str) -> dict[str, float]:
    found = METRICS[name].score(gold, pred)
    return {"value": found} if isinstance(found, float) else dict(found)


@EVERY
@settings(max_examples=30)
@given(gold=tables())
def test_a_table_against_itself_has_the_best_value(name: str, gold: str) -> None:
    assert set(values(name, gold, gold).values()) == {METRICS[name].equal}


@EVERY
@settings(max_examples=30)
@given(gold=tables(), pred=tables())
def test_values_keep_the_bounds_that_are_claimed(name: str, gold: str, pred: str) -> None:
    metric = METRICS[name]
    for value in values(name, gold, pred).values():
        assert metric.least is None or value >= metric.least
        assert metric.most is None or value <= metric.most + 1e-12


@pytest.mark.parametrize("name", [name for name, metric in METRICS.items() if metric.symmetric])
@settings(max_examples=30)
@given(gold=tables(), pred=tables())
def test_gold_and_prediction_may_change_places_where_that_is_claimed(name: str, gold: str, pred: str) -> None:
    one, other = values(name, gold, pred), values(name, pred, gold)
    if "precision" in other:
        other = {"precision": other["recall"], "recall": other["precision"], "f1": other["f1"]}
    assert one == pytest.approx(other, abs=1e-12)


@EVERY
@settings(max_examples=50)
@given(gold=ANYTHING, pred=ANYTHING)
@example(gold="", pred="\x00")
@example(gold="\ud800", pred="<!--")
@example(gold="<!--<html><body>-->", pred="<?xml version='1.0'?><!--<html><body>")
@example(gold="<html><body>", pred='<?xml version="1.0" encoding="latin-1"?>')
@example(gold="<table>" * 3000, pred="<table><tr><td>" * 3000)
@example(gold="<i>" * 5000 + "<table>", pred=table("a"))
@example(gold="<table><tr><td rowspan='" + "9" * 5000 + "'>", pred="<table><tr><td colspan='-9'>")
def test_any_two_texts_have_a_finite_value_or_are_refused_in_words(name: str, gold: str, pred: str) -> None:
    with suppress(TooLargeError):
        assert all(math.isfinite(value) for value in values(name, gold, pred).values())


@EVERY
@settings(max_examples=30)
@given(gold=tables(), pred=tables())
def test_the_score_follows_from_counts_that_add_up(name: str, gold: str, pred: str) -> None:
    metric = METRICS[name]
    one = counts(metric.measure(gold, pred))
    if not any(one):
        assert metric.micro(one) is None
        return
    assert metric.micro(one) == metric.score(gold, pred)
    if one[-1]:  # the error rate of an empty gold is a number of edits
        assert metric.micro([2 * number for number in one]) == pytest.approx(metric.score(gold, pred), abs=1e-12)


@EVERY
@settings(max_examples=30)
@given(gold=tables())
def test_a_missed_table_has_the_worst_value_and_the_size_of_gold(name: str, gold: str) -> None:
    metric = METRICS[name]
    missed, own = metric.missed(gold), metric.measure(gold, gold)
    found = metric.micro(counts(missed))
    if found is not None:
        assert (found if isinstance(found, float) else found["f1"]) == 1 - metric.equal
    assert counts(missed)[-1] == counts(own)[-1]


@pytest.mark.corpus
@EVERY
def test_all_pairs_are_scored_within_the_claimed_bounds(scored_pairs: list[ScoredPair], name: str) -> None:
    metric = METRICS[name]
    for pair in scored_pairs:
        for value in values(name, pair.gold, pair.pred).values():
            assert metric.least is None or value >= metric.least, pair.name
            assert metric.most is None or value <= metric.most + 1e-12, pair.name


def test_a_document_of_many_megabytes_is_refused_in_words() -> None:
    with pytest.raises(TooLargeError, match="expected at most 1,000,000"):
        parse(" " * 1_000_001)
