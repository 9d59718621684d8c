from __future__ import annotations

import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scoring import Counts, SchemaError, Table, TableType, from_rows
from scoring.metrics.row_metrics import rows_by_key
from scoring.text import similarity
from scoring.values.reader import read, same
from tests.scoring import reference_rows

HEAD = ["code", "price", "text"]


def kind(**price: object) -> TableType:
    columns = [{"name": "code", "key": True}, {"name": "price", "type": "number", **price}, {"name": "text"}]
    return TableType.from_json({"name": "t", "columns": columns})


def typed(rows: list[list[str]], head: list[str] = HEAD) -> Table:
    return from_rows([head, *rows], header_rows=1)


CODES = st.sampled_from(["", "A-100", "A-101", "A-10l", "B-7", "-"])
PRICES = st.sampled_from(["1.00", "1.01", "2", "", "x"])
LINES = st.lists(st.tuples(CODES, PRICES, st.sampled_from(["a", "b", ""])).map(list), max_size=5)


@pytest.mark.parametrize("least", [None, 0.8])
@settings(max_examples=80)
@given(gold=LINES, pred=LINES)
def test_as_many_rows_are_matched_as_can_be(least: float | None, gold: list[list[str]], pred: list[list[str]]) -> None:
    table_type = kind(key=True, tolerance="0.01")

    def equal(one: list[str], other: list[str]) -> bool:
        values = [
            [read(text, column) for text, column in zip(row[:2], table_type.columns, strict=False)]
            for row in (one, other)
        ]
        if any(value.kind == "null" for row in values for value in row):
            return False
        return all(
            same(g, p, column)
            or (least is not None and g.kind == p.kind == "text" and similarity(g.text, p.text) >= least)
            for g, p, column in zip(*values, table_type.columns, strict=False)
        )

    told = [[row for row in rows if any(row)] for rows in (gold, pred)]
    found = rows_by_key(typed(gold), typed(pred), table_type=table_type, least_similarity=least)
    allowed = [[equal(row, other) for other in told[1]] for row in told[0]]
    assert found.rows == Counts(reference_rows.keyed(*told, allowed), len(told[1]), len(told[0]))
    assert len(found.pairs) == found.rows.matched
    assert all(equal(gold[g - 1], pred[p - 1]) for g, p in found.pairs)
    assert len({g for g, _ in found.pairs}) == len({p for _, p in found.pairs}) == len(found.pairs)


@settings(max_examples=80)
@given(gold=LINES, pred=LINES, chance=st.randoms())
@example(gold=[["A-100", "", "a"]], pred=[["A-100", "1.00", "a"], ["A-100", "", "b"]], chance=random.Random(0))
def test_the_order_of_rows_does_not_count_and_gold_and_prediction_may_change_places(
    gold: list[list[str]], pred: list[list[str]], chance: random.Random
) -> None:
    shuffled = chance.sample(gold, len(gold)), chance.sample(pred, len(pred))
    one = rows_by_key(typed(gold), typed(pred), table_type=kind())
    other = rows_by_key(*map(typed, shuffled), table_type=kind())
    assert (one.rows, one.cells) == (other.rows, other.cells)
    swapped = rows_by_key(typed(pred), typed(gold), table_type=kind())
    assert (swapped.rows.precision, swapped.rows.recall) == (one.rows.recall, one.rows.precision)
    assert swapped.cells.matched == one.cells.matched


@given(gold=LINES)
def test_a_table_against_itself_finds_each_row_that_has_a_key(gold: list[list[str]]) -> None:
    found = rows_by_key(typed(gold), typed(gold), table_type=kind())
    assert found.rows.matched == sum(row[0] not in ("", "-") for row in gold)
    assert found.cells.matched == found.cells.predicted == found.cells.expected


def test_cells_beside_the_key_are_counted_in_matched_rows_only() -> None:
    gold = [["A-1", "10", "flask"], ["A-2", "20", "beaker"], ["A-3", "30", ""]]
    pred = [["A-3", "30.0", "new"], ["A-1", "11", "flask"], ["A-9", "20", "beaker"]]
    found = rows_by_key(typed(gold), typed(pred), table_type=kind())
    assert found.pairs == ((1, 2), (3, 1))
    assert found.rows == Counts(2, 3, 3)
    assert found.cells == Counts(2, 4, 3)  # flask and 30 are right, 11 is wrong, new is spurious


def test_of_rows_with_one_key_the_most_equal_ones_are_matched() -> None:
    gold = [["A", "1", "x"], ["A", "2", "y"]]
    pred = [["A", "2", "y"], ["A", "9", "z"], ["A", "1", "x"]]
    assert rows_by_key(typed(gold), typed(pred), table_type=kind()).pairs == ((1, 3), (2, 1))


def test_a_misread_key_is_found_by_a_declared_likeness() -> None:
    gold, pred = typed([["INV-2024-001", "5", "a"]]), typed([["INV-2O24-001", "5", "a"]])
    assert rows_by_key(gold, pred, table_type=kind()).rows.recall == 0.0
    assert rows_by_key(gold, pred, table_type=kind(), least_similarity=0.9).rows.recall == 1.0
    assert rows_by_key(gold, pred, table_type=kind(), least_similarity=0.95).rows.recall == 0.0


def test_a_number_as_key_matches_within_its_tolerance_and_never_by_likeness() -> None:
    by_price = TableType.from_json(
        {"name": "t", "columns": [{"name": "price", "type": "number", "key": True, "tolerance": "0.05"}]}
    )
    gold, pred = typed([["1000.00"], ["2000.00"]], ["price"]), typed([["1000.04"], ["2000.10"]], ["price"])
    found = rows_by_key(gold, pred, table_type=by_price, least_similarity=0.5)
    assert found.pairs == ((1, 1),)


def test_one_more_row_found_is_worth_more_than_equal_cells() -> None:
    columns = [{"name": "price", "type": "number", "key": True, "tolerance": "0.05"}, {"name": "a"}, {"name": "b"}]
    by_price = TableType.from_json({"name": "t", "columns": columns})
    head = ["price", "a", "b"]
    gold = typed([["1.00", "x", "y"], ["1.06", "v", "w"]], head)
    pred = typed([["1.03", "x", "y"], ["0.97", "p", "q"]], head)
    assert rows_by_key(gold, pred, table_type=by_price).pairs == ((1, 2), (2, 1))


def test_without_the_key_column_no_row_is_found() -> None:
    found = rows_by_key(typed([["A", "1", "x"]]), typed([["1", "x"]], ["price", "text"]), table_type=kind())
    assert (found.rows, found.cells, found.pairs) == (Counts(0, 1, 1), Counts(), ())
    assert rows_by_key(Table(0, 0), Table(0, 0), table_type=kind()).rows.f1 is None


def test_a_header_that_is_not_marked_is_no_row() -> None:
    rows = [["A", "1", "x"], ["B", "2", "y"]]
    found = rows_by_key(typed(rows), from_rows([HEAD, *rows]), table_type=kind())
    assert (found.rows, found.pairs) == (Counts(2, 2, 2), ((1, 1), (2, 2)))


def test_a_table_type_without_keys_and_a_likeness_over_one_are_refused() -> None:
    table = typed([["A", "1", "x"]])
    with pytest.raises(SchemaError, match="'t' has no key column"):
        rows_by_key(table, table, table_type=TableType.from_json({"name": "t", "columns": [{"name": "code"}]}))
    with pytest.raises(ValueError, match=r"1\.5, expected a number from 0 to 1"):
        rows_by_key(table, table, table_type=kind(), least_similarity=1.5)


def test_many_thousand_rows_are_found_by_their_key() -> None:
    rows = [[f"A-{at}", str(at), "x"] for at in range(4000)]
    found = rows_by_key(typed(rows), typed(rows[::-1]), table_type=kind())
    assert (found.rows.f1, found.cells.f1) == (1.0, 1.0)
