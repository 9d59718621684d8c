from __future__ import annotations

import pytest

from scoring import Column, TableType
from scoring.double_keying import CellDifference, RowDifference, agreement, two_readings
from scoring.table import Table, from_rows

PARTS = TableType("parts", columns=(Column("item", key=True), Column("price", type="number", locale="en")))


def table(*rows: list[str]) -> Table:
    return from_rows([["item", "price"], *rows], header_rows=1)


ANN = table(["bolt", "1.20"], ["nut", "0.40"], ["washer", "0.10"])


def test_the_same_reading_twice_differs_in_nothing() -> None:
    found = two_readings(ANN, ANN, table_type=PARTS)
    assert found.differences == ()
    assert found.cells["price"].f1 == 1
    assert (found.rows.f1, found.cols.f1) == (1, 1)


def test_a_value_written_otherwise_is_the_same() -> None:
    other = table(["bolt", "1.2"], ["nut", "0.40"], ["washer", "0.10"])
    assert two_readings(ANN, other, table_type=PARTS).differences == ()


def test_another_value_is_told_with_its_place_in_both() -> None:
    found = two_readings(ANN, table(["nut", "0.40"], ["bolt", "1.70"], ["washer", "0.10"]), table_type=PARTS)
    assert found.differences == (CellDifference("price", 1, 1, 2, 1, "1.20", "1.70"),)
    assert (found.cells["price"].shared, found.cells["price"].equal) == (3, 2)


def test_rows_that_only_one_has_are_told_whole() -> None:
    found = two_readings(ANN, table(["bolt", "1.20"], ["nut", "0.40"], ["screw", "9.99"]), table_type=PARTS)
    assert found.differences == (RowDifference("a", 3, "washer | 0.10"), RowDifference("b", 3, "screw | 9.99"))
    assert found.rows.f1 == pytest.approx(4 / 6)
    assert (found.cells["item"].of_a, found.cells["item"].of_b, found.cells["item"].shared) == (3, 3, 2)


def test_agreement_adds_up_over_tables_with_alpha_and_interval() -> None:
    other = table(["bolt", "1.20"], ["nut", "0.90"], ["washer", "0.10"])
    found = agreement([two_readings(ANN, each, table_type=PARTS) for each in (ANN, other)])
    assert [each.field for each in found.fields] == ["item", "price"]
    assert (found.everything.cells.shared, found.everything.cells.equal) == (12, 11)
    price = found.fields[1]
    # By hand: 6 units, 5 agree; values 1.2 (4), .4 (3), .9 (1), .1 (4) of 12 ratings.
    expected = 1 - (2 / 12) / ((144 - (16 + 9 + 1 + 16)) / (12 * 11))
    assert price.alpha == pytest.approx(expected)
    assert (price.interval.low, price.tables) == (None, 2)
    assert price.interval.reason


def test_no_table_read_twice_is_undefined_and_no_error() -> None:
    found = agreement([])
    assert (found.everything.cells.f1, found.everything.alpha, found.fields) == (None, None, ())
    assert found.to_json()["structure"]["rows"]["f1"] is None


def test_a_table_without_a_type_is_compared_by_its_places() -> None:
    found = two_readings(from_rows([["a", "b"], ["c", "d"]]), from_rows([["a", "b"], ["c", "x"]]))
    assert found.differences == (CellDifference("", 1, 1, 1, 1, "d", "x"),)
    assert set(found.cells) == {""}
