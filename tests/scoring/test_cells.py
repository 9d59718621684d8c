from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring import Cell, Counts, Table, TableType, from_rows
from scoring.alignment.align import align
from scoring.cells import Outcome, count, outcomes
from tests.scoring import reference

TYPE = TableType.from_json(
    {
        "name": "t",
        "columns": [
            {"name": "article", "type": "id"},
            {"name": "amount", "type": "number", "locale": "de_DE", "null_words": ["-"]},
        ],
    }
)
HEAD = ["article", "amount"]


def found(gold: Table, pred: Table, table_type: TableType | None = None) -> tuple[Outcome, ...]:
    return outcomes(gold, pred, align(gold, pred, table_type=table_type), table_type=table_type)


def typed(*lines: list[str]) -> Table:
    return from_rows([HEAD, *lines], header_rows=1)


def verdicts(gold: Table, pred: Table, table_type: TableType | None = None) -> list[str]:
    return [outcome.verdict for outcome in found(gold, pred, table_type)]


def test_a_wrong_value_is_one_false_positive_and_one_false_negative() -> None:
    counts = count(found(typed(["A-1", "5,00"], ["A-2", "6,00"]), typed(["A-1", "5,01"], ["A-2", "6,00"]), TYPE))
    assert counts == Counts(3, 4, 4)
    assert (counts.false_positives, counts.false_negatives) == (1, 1)


def test_two_of_three_with_one_wrong_is_no_full_recall() -> None:
    counts = count(found(from_rows([["a", "b", "c"]]), from_rows([["a", "b", "x"]])))
    assert counts.recall == pytest.approx(2 / 3)


def test_values_are_compared_by_the_type_of_their_column() -> None:
    gold, pred = typed(["A-1", "1.284,50"]), typed(["A-1", "1284,5"])
    assert verdicts(gold, pred, TYPE) == ["right", "right"]
    assert count(found(gold, pred, TYPE)) == Counts(2, 2, 2)
    assert count(found(gold, pred, TYPE), "verbatim") == Counts(1, 2, 2)


def test_a_value_that_only_one_side_has_is_missing_or_spurious() -> None:
    assert verdicts(typed(["A-1", "5"]), typed(["A-1", "-"]), TYPE) == ["right", "missing"]
    assert verdicts(typed(["A-1", "-"]), typed(["A-1", "5"]), TYPE) == ["right", "spurious"]
    assert count(found(typed(["A-1", "-"]), typed(["A-1", "5"]), TYPE)) == Counts(1, 2, 1)


def test_absent_on_both_sides_is_right_and_in_none_of_the_counts() -> None:
    assert verdicts(typed(["A-1", "-"]), typed(["A-1", ""]), TYPE) == ["right", "empty"]
    assert count(found(typed(["A-1", "-"]), typed(["A-1", ""]), TYPE)) == Counts(1, 1, 1)


def test_a_hole_counts_like_an_empty_cell() -> None:
    holed = Table(1, 2, (Cell(0, 0, "a"),))
    assert count(found(from_rows([["a", "b"]]), holed)) == Counts(1, 1, 2)
    assert count(found(from_rows([["a", ""]]), holed)) == Counts(1, 1, 1)
    assert count(found(holed, holed)) == Counts(1, 1, 1)


def test_every_value_of_a_missed_row_is_missing_and_of_an_extra_row_spurious() -> None:
    gold, pred = typed(["A-1", "5"], ["B-222", "-"]), typed(["A-1", "5"])
    assert count(found(gold, pred, TYPE)) == Counts(2, 2, 3)
    assert count(found(pred, gold, TYPE)) == Counts(2, 3, 2)


def test_a_duplicate_row_cannot_claim_a_value_again() -> None:
    counts = count(found(typed(["A-1", "5"]), typed(["A-1", "5"], ["A-1", "5"]), TYPE))
    assert counts == Counts(2, 4, 2)


def test_a_lost_column_is_missing_and_a_new_one_spurious() -> None:
    gold, pred = from_rows([["a", "x1"], ["b", "y2"]]), from_rows([["a"], ["b"]])
    assert count(found(gold, pred)) == Counts(2, 2, 4)
    assert count(found(pred, gold)) == Counts(2, 4, 2)


def test_a_merged_cell_counts_once() -> None:
    merged = Table(2, 2, (Cell(0, 0, "Paper", row_span=2), Cell(0, 1, "a"), Cell(1, 1, "b")))
    assert count(found(merged, merged)) == Counts(3, 3, 3)
    repeated = from_rows([["Paper", "a"], ["Paper", "b"]])
    assert count(found(merged, repeated)) == Counts(3, 4, 3)
    assert count(found(repeated, merged)) == Counts(3, 3, 4)


def test_header_cells_count_in_a_grid_and_not_under_a_schema() -> None:
    gold, pred = typed(["A-1", "5"]), from_rows([["article", "amuont"], ["A-1", "5"]], header_rows=1)
    assert count(found(gold, pred)) == Counts(3, 4, 4)
    assert count(found(gold, pred, TYPE)) == Counts(2, 2, 2)


def test_graded_credit_is_the_similarity_of_the_texts() -> None:
    both = found(from_rows([["Haus", "456", "ok"]]), from_rows([["Maus", "4B6", "ok"]]))
    assert count(both, "graded") == Counts(pytest.approx(0.75 + 2 / 3 + 1), 3, 3)
    assert count(both, "exact") == Counts(1, 3, 3)


def test_an_outcome_keeps_both_cells_and_their_positions() -> None:
    gold, pred = typed(["A-1", "5"]), from_rows([["amount", "article"], ["6", "A-1"]], header_rows=1)
    wrong = next(outcome for outcome in found(gold, pred, TYPE) if outcome.verdict == "wrong")
    assert (wrong.gold_row, wrong.gold_col, wrong.pred_row, wrong.pred_col, wrong.column) == (1, 1, 1, 0, 1)
    assert wrong.gold == gold.at(1, 1)
    assert wrong.pred == pred.at(1, 0)


TEXTS = st.sampled_from(["", " ", "a", "a ", "ab", "abc", "xyz", "7"])


@settings(max_examples=150)
@given(st.lists(st.lists(TEXTS, max_size=3), max_size=4), st.lists(st.lists(TEXTS, max_size=3), max_size=4))
def test_the_counts_agree_with_counting_by_hand(gold: list[list[str]], pred: list[list[str]]) -> None:
    one, other = from_rows(gold), from_rows(pred)
    alignment = align(one, other)
    outcome = outcomes(one, other, alignment)
    exact, verbatim = count(outcome), count(outcome, "verbatim")
    assert (exact.matched, exact.predicted, exact.expected, verbatim.matched) == reference.counts(one, other, alignment)
    assert exact.matched <= count(outcome, "graded").matched <= min(exact.predicted, exact.expected) + 1e-9
