from __future__ import annotations

import pytest
from hypothesis import given, settings

from scoring.metrics import html_cells
from scoring.metrics.error_rates import ErrorRate
from scoring.metrics.overlap import Overlap
from scoring.reading.html_grid import LARGEST_HTML, TooLargeError
from tests.scoring.conftest import ScoredPair
from tests.scoring.html_tables import ANYTHING, table, tables

COUNTED = ["cells_positional", "cells_aligned", "rows_multiset", "cells_multiset", "adjacency", "records"]
RATES = ["cer_cells", "wer_cells"]
GOLD = table(["Item", "Price"], ["Flask, 500 ml", "6.80"], ["Beaker", "4.35"])
PRED = table(["Item", "Price"], ["Beaker", "4.35"], ["Flask, 50O ml", "6.80"])


def metric(name: str, gold: str, pred: str) -> Overlap | ErrorRate:
    found: Overlap | ErrorRate = getattr(html_cells, name)(gold, pred)
    return found


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("cells_positional", (2, 6, 6)),
        ("cells_aligned", (4, 6, 6)),
        ("rows_multiset", (2, 3, 3)),
        ("cells_multiset", (5, 6, 6)),
        ("adjacency", (2, 7, 7)),
        ("records", (1.5, 2, 2)),
    ],
)
def test_each_metric_counts_what_it_is_about(name: str, counts: tuple[float, int, int]) -> None:
    found = metric(name, GOLD, PRED)
    assert isinstance(found, Overlap)
    assert (found.matched, found.predicted, found.expected) == counts


def test_errors_are_counted_in_aligned_cells() -> None:
    assert html_cells.cer_cells(GOLD, PRED) == ErrorRate(1, 4 + 5 + 13 + 4 + 6 + 4)
    assert html_cells.wer_cells(GOLD, PRED) == ErrorRate(1, 1 + 1 + 3 + 1 + 1 + 1)


@pytest.mark.parametrize("name", [*COUNTED, *RATES])
@settings(max_examples=40)
@given(gold=tables(), pred=tables())
def test_values_are_within_their_bounds_and_perfect_for_a_table_against_itself(name: str, gold: str, pred: str) -> None:
    found, same = metric(name, gold, pred), metric(name, gold, gold)
    if isinstance(found, Overlap) and isinstance(same, Overlap):
        assert 0 <= found.f1 <= 1
        assert same.f1 == 1.0
    elif isinstance(found, ErrorRate) and isinstance(same, ErrorRate):
        assert found.rate >= 0
        assert same.rate == 0.0


@pytest.mark.parametrize("name", [*COUNTED, *RATES])
@settings(max_examples=60)
@given(gold=ANYTHING, pred=ANYTHING)
def test_any_two_texts_have_a_value(name: str, gold: str, pred: str) -> None:
    metric(name, gold, pred)


@pytest.mark.parametrize("name", COUNTED)
def test_two_documents_without_a_table_are_equal_and_one_without_misses_all(name: str) -> None:
    nothing, missed, invented = (metric(name, *pair) for pair in (("", "no table"), (GOLD, ""), ("", GOLD)))
    assert [each.f1 for each in (nothing, missed, invented) if isinstance(each, Overlap)] == [1.0, 0.0, 0.0]


def test_markdown_is_read_like_html() -> None:
    written = "| Item | Price |\n|---|---|\n| Flask, 500 ml | 6.80 |\n| Beaker | 4.35 |\n"
    assert metric("cells_positional", GOLD, written) == metric("cells_positional", GOLD, GOLD)


def test_a_document_that_is_too_large_is_refused() -> None:
    with pytest.raises(TooLargeError):
        html_cells.records("x" * (LARGEST_HTML + 1), GOLD)


@pytest.mark.corpus
@pytest.mark.parametrize("name", [*COUNTED, *RATES])
def test_real_tables_have_values_and_are_equal_to_themselves(name: str, scored_pairs: list[ScoredPair]) -> None:
    for pair in scored_pairs[::4]:
        found, same = metric(name, pair.gold, pair.pred), metric(name, pair.gold, pair.gold)
        if isinstance(found, Overlap) and isinstance(same, Overlap):
            assert 0 <= found.f1 <= 1
            assert same.f1 == 1.0, pair.name
        elif isinstance(same, ErrorRate):
            assert same.edits == 0, pair.name
