from __future__ import annotations

import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring import Cell, Table, from_rows
from scoring.metrics.record_score import record_score, record_text
from scoring.reading.html_grid import TooLargeError
from tests.scoring import reference_rows

HEAD = ["Item", "Price", "Stock"]
LINES = [["Flask", "1,200", "5"], ["Beaker", "$ 5.00", "-"], ["Gloves", "7", "12"]]
NAMES = st.sampled_from(["article number", "article numbers", "price", "stock", "day"])
TEXTS = st.sampled_from(["", "a", "b", "1", "-", "n/a"])


@st.composite
def headed(draw: st.DrawFn) -> list[list[str]]:
    names = draw(st.lists(NAMES, min_size=1, max_size=3, unique=True))
    rows = draw(st.lists(st.lists(TEXTS, min_size=len(names), max_size=len(names)), max_size=4))
    return [names, *rows]


@settings(max_examples=150)
@given(headed(), headed())
def test_the_score_is_that_of_the_best_of_all_pairings(gold: list[list[str]], pred: list[list[str]]) -> None:
    one, other = from_rows(gold, header_rows=1), from_rows(pred, header_rows=1)
    slow = reference_rows.records(one, other, (gold[0], pred[0]), 1)
    assert record_score(one, other).score == pytest.approx(slow)


@given(headed(), headed(), st.randoms())
def test_neither_the_order_of_rows_nor_that_of_columns_counts(
    gold: list[list[str]], pred: list[list[str]], chance: random.Random
) -> None:
    cols = chance.sample(range(len(pred[0])), len(pred[0]))
    rows = [pred[0], *chance.sample(pred[1:], len(pred) - 1)]
    moved = from_rows([[row[col] for col in cols] for row in rows], header_rows=1)
    one, other = from_rows(gold, header_rows=1), from_rows(pred, header_rows=1)
    assert record_score(one, moved).score == pytest.approx(record_score(one, other).score)
    assert record_score(other, one).score == pytest.approx(record_score(one, other).score)
    assert record_score(other, moved).score == pytest.approx(1.0)


def test_a_wrong_cell_costs_its_share_of_the_record() -> None:
    gold = from_rows([HEAD, *LINES])
    pred = from_rows([HEAD, LINES[0], [*LINES[1][:2], "3"], LINES[2]])
    found = record_score(gold, pred)
    assert found.score == pytest.approx(8 / 9)
    assert (found.gold, found.pred, found.records) == (3, 3, ((1, 1), (2, 2), (3, 3)))
    assert found.overlap.f1 == pytest.approx(8 / 9)


def test_a_missed_and_an_invented_row_count_against_the_larger_table() -> None:
    gold = from_rows([HEAD, *LINES])
    assert record_score(gold, from_rows([HEAD, *LINES[:2]])).score == pytest.approx(2 / 3)
    found = record_score(gold, from_rows([HEAD, *LINES, ["x", "y", "z"]]))
    assert found.score == pytest.approx(3 / 4)
    assert (found.overlap.precision, found.overlap.recall) == (pytest.approx(3 / 4), 1.0)


def test_a_missed_column_counts_in_the_union() -> None:
    found = record_score(from_rows([HEAD, *LINES]), from_rows([HEAD[:2], *(line[:2] for line in LINES)]))
    assert found.score == pytest.approx(2 / 3)
    found = record_score(from_rows([HEAD, *LINES]), from_rows([["Item", "Cost", "Stock"], *LINES]))
    assert found.score == pytest.approx(2 / 4)  # Price and Cost are two columns
    assert found.columns == ((0, 0), (2, 2))


def test_names_are_compared_without_case_and_with_small_differences() -> None:
    pred = from_rows([["Unit prices", "ITEM"], ["3", "Flask"]])
    assert record_score(from_rows([["Item", "Unit price"], ["Flask", "3"]]), pred).score == 1.0


def test_a_title_is_passed_over_whether_it_is_merged_repeated_or_alone() -> None:
    plain = from_rows([HEAD, *LINES])
    for title in (["Stock list", "Stock list", "Stock list"], ["Stock list", "", ""], ["Stock list"]):
        assert record_score(plain, from_rows([title, HEAD, *LINES])).score == 1.0
    cells = tuple(
        Cell(cell.row + 1, cell.col, cell.text, header="column" if cell.row == 0 else "") for cell in plain.cells
    )
    merged = Table(5, 3, (Cell(0, 0, "Stock list", 1, 3, "column"), *cells))
    assert record_score(plain, merged).score == 1.0


def test_a_marked_header_with_one_name_is_no_title() -> None:
    gold = from_rows([["Item", ""], ["Flask", "1"], ["Beaker", "2"]], header_rows=1)
    found = record_score(gold, gold)
    assert (found.gold, found.columns) == (2, ((0, 0), (1, 1)))


def test_the_names_of_two_header_levels_are_joined() -> None:
    two = (
        Cell(0, 0, "Item", 2, 1),
        Cell(0, 1, "2024", 1, 2),
        Cell(1, 1, "Price"),
        Cell(1, 2, "Stock"),
        Cell(2, 0, "Flask"),
        Cell(2, 1, "1"),
        Cell(2, 2, "5"),
    )
    flat = from_rows([["Item", "2024 Price", "2024 Stock"], ["Flask", "1", "5"]])
    assert record_score(Table(3, 3, two), flat).score == 1.0
    lost = from_rows([["Item", "2024", ""], ["", "Price", "Stock"], ["Flask", "1", "5"]], header_rows=2)
    assert record_score(Table(3, 3, two), lost).score == pytest.approx(2 / 4)


def test_equal_names_are_numbered_and_absent_ones_are_named_by_their_place() -> None:
    gold = from_rows([["Year", "Year", ""], ["1", "2", "3"]])
    assert record_score(gold, gold).columns == ((0, 0), (1, 1), (2, 2))
    once = from_rows([["Year", "Value"], ["1", "2"]])
    assert record_score(gold, once).columns == ()


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("1,234,567", "1234567"),
        ("1,23", "1,23"),
        ("$ 5.00", "$5.00"),
        ("Travel . . . . . . 12", "Travel 12"),
        ("Travel ........", "Travel"),
        ("−5", "-5"),
        ("\u2014", ""),
        ("N/A", ""),
        ("None", ""),
        ("x²", "x^2"),
        ("x^{2}", "x^2"),
        ("**Total**", "Total"),
        (" a \n b ", "a b"),
        ("3.5", "3.5"),
    ],
)
def test_texts_are_compared_without_what_is_only_typography(text: str, same: str) -> None:
    assert record_text(text) == same


def test_two_tables_without_records_are_equal() -> None:
    for table in (Table(0, 0), Table(3, 2), from_rows([HEAD])):
        assert record_score(table, Table(0, 0)).score == 1.0
    assert record_score(from_rows([HEAD, *LINES]), Table(0, 0)).score == 0.0
    assert record_score(from_rows([["a"], ["b"]]), from_rows([["c"], ["b"]])).score == 0.0


def test_many_equal_rows_are_scored_and_too_many_different_ones_are_refused() -> None:
    rows = [[str(at), str(at * 7 % 5000)] for at in range(5000)]
    gold = from_rows([["no", "worth"], *rows])
    assert record_score(gold, from_rows([["no", "worth"], *rows[::-1]])).score == 1.0
    with pytest.raises(TooLargeError, match="5,000 gold records and 5,000 predicted ones"):
        record_score(gold, from_rows([["no", "worth"], *([no, "x"] for no, _ in rows)]))


def test_the_sum_is_exact() -> None:
    gold = from_rows([HEAD, *([str(at), "a", "b"] for at in range(10))])
    pred = from_rows([HEAD, *([str(at), "a", "c"] for at in range(10))])
    assert Fraction(record_score(gold, pred).similarity).limit_denominator(1000) == Fraction(20, 3)
