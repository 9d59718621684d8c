"""What a person reads as the same costs fidelity next to nothing; what nobody predicted is not called invented."""

from __future__ import annotations

import math

import pytest

from scoring import Table, from_rows
from scoring.fidelity import fidelity, fidelity_of_tables
from scoring.fidelity.text_recovery import SAME_NUMBER, likeness, likenesses

SAME = [
    ("-250", "(250)"),
    ("(250)", "-250"),
    ("-1,250.50", "($1,250.5)"),
    ("1000", "1,000"),
    ("1 000", "1,000"),
    ("1'000", "1000"),
    ("5", "5.0"),
    ("5.00", "$5.00"),
    ("$5", "5.00"),
    ("5 €", "€5"),
    ("-5", "-$5"),
]
OTHER = [
    ("250", "-250"),
    ("(250)", "-251"),
    ("(-250)", "250"),
    ("1,000", "10,00"),
    ("1000", "1,001"),
    ("1,000", "100"),
    ("5.0", "5.01"),
    ("$5", "$6"),
    ("007", "-7"),
]


@pytest.mark.parametrize(("gold", "pred"), SAME)
def test_one_number_written_otherwise_costs_next_to_nothing(gold: str, pred: str) -> None:
    assert likeness(gold, pred) == likenesses([gold], [pred])[0, 0] == SAME_NUMBER


@pytest.mark.parametrize(("gold", "pred"), OTHER)
def test_another_number_is_lost_however_it_is_written(gold: str, pred: str) -> None:
    assert likeness(gold, pred) == likenesses([gold], [pred])[0, 0] == 0.0


@pytest.mark.parametrize(("gold", "pred"), [("$5", "€5"), ("(250)", "250"), ("007", "7")])
def test_another_currency_brackets_without_a_minus_and_leading_zeros_are_not_the_same(gold: str, pred: str) -> None:
    assert likeness(gold, pred) < SAME_NUMBER


ROWS = [["Item", "Price", "Pieces"], ["Bolt", "1,200", "-3"], ["Nut", "0.40", "12"]]


def table(rows: list[list[str]]) -> Table:
    return from_rows(rows, header_rows=1)


def test_a_table_of_numbers_written_otherwise_keeps_nearly_all() -> None:
    pred = [ROWS[0], ["Bolt", "1 200.00", "(3)"], ["Nut", "$0.40", "12"]]
    assert fidelity_of_tables(table(ROWS), table(pred)).score > 0.97


def test_an_empty_prediction_has_lost_all_and_invented_nothing() -> None:
    found = fidelity_of_tables(table(ROWS), table([]))
    assert (found.recall, found.precision, found.score) == (0.0, 1.0, 0.0)
    assert [loss.kind for loss in found.losses] == ["lost_value"]
    assert math.isclose(sum(loss.weight for loss in found.losses), 1 - found.recall)


def test_a_prediction_for_an_empty_gold_has_invented_all_and_lost_nothing() -> None:
    found = fidelity_of_tables(table([]), table(ROWS))
    assert (found.recall, found.precision, found.score) == (1.0, 0.0, 0.0)
    assert [loss.kind for loss in found.losses] == ["invented"]


HTML = "<table>" + "".join("<tr>" + "".join(f"<td>{text}</td>" for text in row) + "</tr>" for row in ROWS) + "</table>"


@pytest.mark.parametrize("separator", [",", ";", "|"])
def test_a_prediction_in_csv_is_read_with_its_quoted_texts(separator: str) -> None:
    lines = [separator.join(f'"{text}"' if separator in text else text for text in row) for row in ROWS]
    assert fidelity(HTML, "\n".join(lines) + "\n").score == 1.0


@pytest.mark.parametrize("text", ["One line, with two, commas", "Item, Price\n1, 2", "a, b, c\na, b", 'a,b,c\na,"b,c'])
def test_other_texts_with_commas_are_read_line_by_line(text: str) -> None:
    assert fidelity(HTML, text).score < 0.5
