from __future__ import annotations

from typing import Any

import pytest

from scoring import Cell, Table, TableType, check, from_rows

INVOICE = TableType.from_json(
    {
        "name": "invoice",
        "label": "Invoice",
        "form": True,
        "columns": [
            {"name": "subtotal", "label": "Subtotal", "type": "currency", "locale": "en_GB"},
            {"name": "discount", "label": "Discount", "type": "currency", "locale": "en_GB"},
            {"name": "total", "label": "Total due", "type": "currency", "locale": "en_GB"},
        ],
        "checks": [{"kind": "sum_fields", "terms": [["subtotal", 1], ["discount", -1]], "equals": "total"}],
    }
)
LINES = TableType.from_json(
    {
        "name": "line_items",
        "columns": [
            {"name": "article", "required": True},
            {"name": "quantity", "label": "Quantity", "type": "integer"},
            {"name": "price", "label": "Price", "type": "currency", "locale": "en_GB"},
            {"name": "amount", "label": "Amount", "type": "currency", "locale": "en_GB"},
        ],
        "checks": [
            {"kind": "product", "factors": ["quantity", "price"], "product": "amount"},
            {"kind": "sum", "column": "amount", "equals": {"table": "invoice", "column": "subtotal"}},
        ],
    }
)
HEAD = ["article", "quantity", "price", "amount"]


def lines(*rows: list[str]) -> Table:
    return from_rows([HEAD, *rows], header_rows=1)


def invoice(*fields: str) -> Table:
    return from_rows([["subtotal", "discount", "total"], fields], header_rows=1)


def messages(table: Table, table_type: TableType, **more: Any) -> list[str]:
    return [finding.message for finding in check(table, table_type, **more)]


def test_a_table_that_adds_up_has_no_findings() -> None:
    table = lines(["A", "2", "3.50", "7.00"], ["B", "1", "£1,000.00", "1,000.00"])
    assert check(table, LINES, related={"invoice": (invoice("1,007.00", "", ""), INVOICE)}) == ()


def test_a_product_that_does_not_fit_is_told_with_its_operands() -> None:
    (finding,) = check(lines(["A", "15", "945", "141.75"]), LINES)
    assert finding.message == "15 × 945 = 14,175.00, Amount says 141.75"
    assert (finding.row, finding.col, finding.kind, finding.cells) == (1, 3, "product", ((1, 1), (1, 2), (1, 3)))


def test_a_column_that_does_not_add_up_is_told_with_both_sums() -> None:
    related = {"invoice": (invoice("1,284.50", "", ""), INVOICE)}
    (finding,) = check(lines(["A", "", "", "1,000.00"], ["B", "", "", "200.00"]), LINES, related=related)
    assert finding.message == "column Amount adds up to 1,200.00, Invoice (Subtotal) says 1,284.50"
    assert (finding.row, finding.col, finding.cells) == (None, 3, ((1, 3), (2, 3)))


def test_the_last_row_may_be_the_total() -> None:
    table_type = TableType.from_json(
        {
            "name": "t",
            "columns": [{"name": "what"}, {"name": "n", "type": "integer", "locale": "de_DE"}],
            "checks": [{"kind": "sum", "column": "n", "equals": {"last_row": True}}],
        }
    )
    fits = from_rows([["what", "n"], ["a", "1.000"], ["b", "200"], ["Total", "1.200"]], header_rows=1)
    assert check(fits, table_type) == ()
    fails = from_rows([["what", "n"], ["a", "1.000"], ["b", "200"], ["Total", "1.201"]], header_rows=1)
    (finding,) = check(fails, table_type)
    assert finding.message == "column n adds up to 1.200, the last row says 1.201"
    assert (finding.row, finding.col) == (3, 1)


def test_the_fields_of_a_form_have_to_give_the_total() -> None:
    (finding,) = check(invoice("1,000.00", "50.00", "£951.00"), INVOICE)
    assert finding.message == "Subtotal 1,000.00 − Discount 50.00 = 950.00, Total due says 951.00"
    assert (finding.row, finding.col, finding.kind) == (1, 2, "sum_fields")


def test_an_absent_term_counts_as_nothing_in_a_sum() -> None:
    assert check(invoice("1,000.00", "", "1,000.00"), INVOICE) == ()
    assert check(invoice("", "", "1,000.00"), INVOICE) == ()


@pytest.mark.parametrize("row", [["A", "l5", "9.45", "1.00"], ["A", "", "9.45", "1.00"], ["A", "15", "9.45", "?"]])
def test_a_product_with_an_operand_that_is_absent_or_unreadable_is_passed_over(row: list[str]) -> None:
    assert not [finding for finding in check(lines(row), LINES) if finding.kind == "product"]


def test_a_sum_with_an_unreadable_value_is_passed_over() -> None:
    related = {"invoice": (invoice("9.00", "", ""), INVOICE)}
    told = check(lines(["A", "", "", "1.00"], ["B", "", "", "2.O0"]), LINES, related=related)
    assert [finding.kind for finding in told] == ["type"]


def test_a_sum_whose_other_table_or_field_is_not_there_is_passed_over() -> None:
    table = lines(["A", "", "", "1.00"])
    assert check(table, LINES) == ()
    assert check(table, LINES, related={"invoice": (invoice("", "", ""), INVOICE)}) == ()
    assert check(table, LINES, related={"invoice": (Table(0, 0), INVOICE)}) == ()


def test_the_tolerance_is_still_accepted() -> None:
    assert check(lines(["A", "3", "3.33", "10.00"]), LINES) == ()
    assert len(check(lines(["A", "3", "3.33", "10.01"]), LINES)) == 1


def test_a_percentage_enters_a_product_as_its_hundredth() -> None:
    table_type = TableType.from_json(
        {
            "name": "t",
            "columns": [
                {"name": "net", "type": "number"},
                {"name": "rate", "type": "percent"},
                {"name": "tax", "type": "number"},
            ],
            "checks": [{"kind": "product", "factors": ["net", "rate"], "product": "tax"}],
        }
    )
    assert check(from_rows([["net", "rate", "tax"], ["200", "19 %", "38.00"]], header_rows=1), table_type) == ()


def test_a_required_value_that_is_absent_is_told_even_in_a_hole() -> None:
    assert messages(lines(["", "1", "1.00", "1.00"]), LINES) == ["article is required and empty"]
    holed = Table(2, 4, tuple(Cell(0, col, name, header="column") for col, name in enumerate(HEAD)))
    (finding,) = check(holed, LINES)
    assert (finding.row, finding.col, finding.cells) == (1, 0, ((1, 0),))


def test_a_label_that_spans_rows_fulfils_each_of_them() -> None:
    head = tuple(Cell(0, col, name, header="column") for col, name in enumerate(HEAD))
    assert check(Table(3, 4, (*head, Cell(1, 0, "A", row_span=2))), LINES) == ()


def test_a_required_column_that_is_not_there_is_told_once() -> None:
    table = from_rows([["quantity"], ["1"], ["2"]], header_rows=1)
    (finding,) = check(table, LINES)
    assert finding.message == "column article is required and was not found"
    assert (finding.row, finding.col, finding.cells) == (None, None, ())


def test_a_value_that_does_not_parse_is_told_with_what_was_expected() -> None:
    assert messages(lines(["A", "l,234", "", ""]), LINES) == ["'l,234' does not parse as integer (en)"]
    day = TableType.from_json({"name": "t", "columns": [{"name": "d", "type": "date", "date_patterns": ["%d.%m.%Y"]}]})
    table = from_rows([["d"], ["2024-10-03"]], header_rows=1)
    assert messages(table, day) == ["'2024-10-03' does not parse as date (expected one like 31.10.2024)"]


def test_an_empty_table_has_nothing_to_check_but_its_columns() -> None:
    assert check(Table(0, 0), INVOICE) == ()
