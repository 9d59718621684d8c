from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring import Cell, Counts, Table, TableType, from_rows
from scoring.alignment.align import align
from scoring.metrics.cell_metrics import (
    adjacency,
    cell_error_rates,
    cells_aligned,
    cells_multiset,
    cells_positional,
    rows_multiset,
    rows_positional,
)
from scoring.metrics.error_rates import ErrorRate
from scoring.metrics.grits import grits_con, grits_texts
from tests.scoring import html_tables, reference, reference_rows
from tests.scoring.test_invariants import tables

Metric = Callable[[Table, Table], Counts]
METRICS: list[Metric] = [
    cells_positional,
    rows_positional,
    cells_aligned,
    rows_multiset,
    cells_multiset,
    adjacency,
]
WORDS = st.sampled_from(["", "a", "b", "ab", "1", "a b"])
LINES = st.lists(st.lists(WORDS, min_size=3, max_size=3), max_size=5)
TYPE = TableType.from_json(
    {
        "name": "t",
        "columns": [
            {"name": "item"},
            {"name": "amount", "type": "currency", "locale": "en_GB", "tolerance": "0.5"},
            {"name": "day", "type": "date", "date_patterns": ["%d.%m.%Y", "%Y-%m-%d"]},
        ],
    }
)
HEAD = ["item", "amount", "day"]
GOLD = [["flask", "£1,200.00", "02.01.2024"], ["beaker", "-", "03.01.2024"]]


def triple(found: Counts) -> tuple[float, int, int]:
    return found.matched, found.predicted, found.expected


def typed(rows: list[list[str]], head: list[str] = HEAD) -> Table:
    return from_rows([head, *rows], header_rows=1)


@settings(max_examples=150)
@given(gold=tables(), pred=tables())
def test_counts_agree_with_the_slow_and_obvious(gold: Table, pred: Table) -> None:
    # Tables of this strategy hold characters that are not seen, which the slow versions know nothing of.
    gold, pred = seen(gold), seen(pred)
    both = gold, pred
    assert triple(cells_positional(*both)) == reference_rows.cells_positional(*both)
    assert triple(rows_positional(*both)) == reference_rows.rows_positional(*both)
    assert triple(rows_multiset(*both)) == reference_rows.in_common(*map(reference_rows.lines, both))
    assert triple(cells_multiset(*both)) == reference_rows.in_common(*map(reference_rows.texts, both))
    assert triple(adjacency(*both)) == reference_rows.in_common(*map(reference_rows.relations, both))


def seen(table: Table) -> Table:
    cells = (
        Cell(cell.row, cell.col, cell.text.replace("\u00ad", ""), cell.row_span, cell.col_span) for cell in table.cells
    )
    return Table(table.n_rows, table.n_cols, tuple(cells))


@settings(max_examples=100)
@given(gold=tables(), pred=tables())
def test_aligned_cells_are_those_of_the_alignment_of_grits(gold: Table, pred: Table) -> None:
    gold, pred = seen(gold), seen(pred)
    grids = [
        [[" ".join(table.text_at(row, col).split()) for col in range(table.n_cols)] for row in range(table.n_rows)]
        for table in (gold, pred)
    ]
    matched, predicted, expected, _ = reference.counts(gold, pred, grits_texts(*grids))  # type: ignore[arg-type]
    assert triple(cells_aligned(gold, pred)) == (matched, predicted, expected)


@given(LINES, LINES)
def test_grits_of_texts_is_grits_of_the_html(gold: list[list[str]], pred: list[list[str]]) -> None:
    html = [html_tables.table(*rows) for rows in (gold, pred)]
    for mode in ("kg", "ms-2023"):
        assert grits_texts(gold, pred, mode=mode).f1 == pytest.approx(grits_con(*html, mode=mode).f1)  # type: ignore[arg-type]


@pytest.mark.parametrize("metric", METRICS)
@settings(max_examples=50)
@given(table=tables())
def test_a_table_against_itself_is_perfect_or_undefined(metric: Metric, table: Table) -> None:
    found = metric(table, table)
    assert found.matched == found.predicted == found.expected
    assert found.f1 in (None, 1.0)


@pytest.mark.parametrize("metric", METRICS)
@settings(max_examples=50)
@given(gold=tables(), pred=tables())
def test_gold_and_prediction_in_each_others_place_swap_precision_and_recall(
    metric: Metric, gold: Table, pred: Table
) -> None:
    one, other = metric(gold, pred), metric(pred, gold)
    assert (one.predicted, one.expected) == (other.expected, other.predicted)
    if metric is not cells_aligned:  # where two alignments are as good, each way takes the first it meets
        assert one.matched == other.matched
    assert 0 <= one.matched <= min(one.predicted, one.expected)


@given(LINES, LINES, st.randoms())
def test_the_order_of_rows_does_not_count_in_multisets(
    gold: list[list[str]], pred: list[list[str]], chance: random.Random
) -> None:
    shuffled = chance.sample(pred, len(pred))
    for metric in (rows_multiset, cells_multiset):
        assert metric(from_rows(gold), from_rows(pred)) == metric(from_rows(gold), from_rows(shuffled))


def test_a_missed_row_costs_all_that_follows_by_position_and_nothing_else_by_alignment() -> None:
    gold = from_rows([["a", "1"], ["b", "2"], ["c", "3"]])
    pred = from_rows([["b", "2"], ["c", "3"]])
    assert triple(cells_positional(gold, pred)) == (0, 4, 6)
    assert triple(rows_positional(gold, pred)) == (0, 2, 3)
    assert triple(cells_aligned(gold, pred)) == (4, 4, 6)
    assert triple(rows_multiset(gold, pred)) == (2, 2, 3)


def test_a_row_in_another_place_costs_the_alignment_and_not_the_multiset() -> None:
    gold, pred = from_rows([["a"], ["b"], ["c"]]), from_rows([["c"], ["a"], ["b"]])
    assert triple(cells_aligned(gold, pred)) == (2, 3, 3)
    assert rows_multiset(gold, pred).f1 == cells_multiset(gold, pred).f1 == 1.0
    assert rows_positional(gold, pred).f1 == 0.0


def test_values_are_typed_where_there_is_a_table_type() -> None:
    pred = typed([["flask", "1200.00", "2.1.2024"], ["beaker", "n/a", "2024-01-03"]])
    gold = typed(GOLD)
    for metric in (cells_positional, cells_aligned):
        assert triple(metric(gold, pred, table_type=TYPE)) == (5, 5, 5)
        assert triple(metric(gold, pred)) == (5, 9, 9)  # three headers and two names; "-" is a text like any other
    assert triple(rows_positional(gold, pred, table_type=TYPE)) == (2, 2, 2)


def test_a_header_that_is_not_marked_is_left_out_like_one_that_is() -> None:
    gold, pred = typed(GOLD), from_rows([HEAD, *GOLD])
    assert cells_positional(gold, pred, table_type=TYPE) == Counts(5, 5, 5)
    assert rows_multiset(gold, pred, table_type=TYPE) == Counts(2, 2, 2)


def test_a_tolerance_counts_in_pairs_and_not_in_multisets() -> None:
    gold, pred = typed(GOLD), typed([["flask", "£1,200.40", "02.01.2024"], GOLD[1]])
    assert triple(rows_positional(gold, pred, table_type=TYPE)) == (2, 2, 2)
    assert triple(rows_multiset(gold, pred, table_type=TYPE)) == (1, 2, 2)
    assert triple(cells_multiset(gold, pred, table_type=TYPE)) == (4, 5, 5)


def test_an_amount_in_another_currency_is_not_found_in_multisets() -> None:
    gold, pred = typed([["", "£5", ""]]), typed([["", "€5", ""]])
    assert triple(cells_multiset(gold, pred, table_type=TYPE)) == (0, 1, 1)
    assert triple(rows_multiset(gold, pred, table_type=TYPE)) == (0, 1, 1)


def test_multisets_find_schema_columns_wherever_they_stand() -> None:
    pred = typed([[row[2], row[0], row[1]] for row in GOLD[::-1]], ["day", "item", "amount"])
    assert rows_multiset(typed(GOLD), pred, table_type=TYPE).f1 == 1.0
    assert cells_multiset(typed(GOLD), pred, table_type=TYPE).f1 == 1.0
    assert triple(rows_multiset(typed(GOLD), pred)) == (0, 3, 3)


def test_a_value_in_another_schema_column_is_not_found_by_its_text() -> None:
    gold, pred = typed([["7", "", ""]]), typed([["", "7", ""]])
    assert triple(cells_multiset(gold, pred, table_type=TYPE)) == (0, 1, 1)
    assert cells_multiset(gold, pred).f1 == 1.0


def test_neighbours_are_found_over_blank_cells_and_merged_ones_count_once() -> None:
    table = Table(2, 3, (Cell(0, 0, "Sum", 2, 1), Cell(0, 1, ""), Cell(0, 2, "1"), Cell(1, 1, "2"), Cell(1, 2, "3")))
    assert triple(adjacency(table, table)) == (4, 4, 4)  # Sum-1, Sum-2, 2-3 to the right, 1-3 below
    moved = Table(2, 2, (Cell(0, 0, "Sum", 2, 1), Cell(0, 1, "1"), Cell(1, 1, "2")))
    assert triple(adjacency(table, moved)) == (2, 3, 4)


def test_a_single_cell_has_no_neighbour_and_no_ratio() -> None:
    found = adjacency(from_rows([["a"]]), from_rows([["a"]]))
    assert (found.precision, found.recall, found.f1) == (None, None, None)


def test_errors_of_cells_add_up_over_aligned_missing_and_spurious_ones() -> None:
    gold = from_rows([["beaker small", "12.50"], ["flask", "7"], ["gloves", "450"]])
    pred = from_rows([["flask", "7"], ["beaker smell", "12.5O", "new"]])
    found = cell_error_rates(gold, pred)
    # e for a, O for 0; gloves and 450 deleted; new inserted.
    assert found.characters == ErrorRate(2 + 9 + 3, 12 + 5 + 5 + 1 + 6 + 3)
    assert found.words == ErrorRate(2 + 2 + 1, 2 + 1 + 1 + 1 + 1 + 1)
    assert found + found == type(found)(ErrorRate(28, 64), ErrorRate(10, 14))


@settings(max_examples=80)
@given(gold=tables(), pred=tables())
def test_error_rates_agree_with_the_textbook_distance(gold: Table, pred: Table) -> None:
    gold, pred = seen(gold), seen(pred)
    found = align(gold, pred)
    rows, cols = dict(found.rows), dict(found.cols)
    left = {(cell.row, cell.col): " ".join(cell.text.split()) for cell in pred.cells}
    edits = length = 0
    for cell in gold.cells:
        text = " ".join(cell.text.split())
        edits += reference.distance(text, left.pop((rows.get(cell.row, -1), cols.get(cell.col, -1)), ""))
        length += len(text)
    assert cell_error_rates(gold, pred).characters == ErrorRate(edits + sum(map(len, left.values())), length)


def test_tables_without_cells_have_no_ratios() -> None:
    for metric in METRICS:
        assert metric(Table(0, 0), Table(2, 2)) == Counts()
        assert metric(from_rows([["a", "b"]]), Table(0, 0)).recall == 0.0
    assert cell_error_rates(Table(0, 0), Table(0, 3)).characters == ErrorRate(0, 0)
