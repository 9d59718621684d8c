from __future__ import annotations

from typing import Any

import pytest

from scoring import SchemaError, Table, TableType, check, from_rows
from scoring.arithmetic.check_rules import CrossFoot, Totals

REGIONS = ["region", "north", "south", "all"]


def footed(**more: Any) -> TableType:
    columns: list[dict[str, Any]] = [{"name": name, "type": "currency"} for name in REGIONS[1:]]
    rule = {"kind": "cross_foot", "columns": ["north", "south"], "total": "all"} | more
    return TableType.from_json({"name": "sales", "columns": [{"name": "region"}, *columns], "checks": [rule]})


def sales(*rows: list[str]) -> Table:
    return from_rows([REGIONS, *rows], header_rows=1)


def messages(table: Table, table_type: TableType, **more: Any) -> list[str]:
    return [finding.message for finding in check(table, table_type, **more)]


def test_a_table_is_footed_across_and_down() -> None:
    rows = [["a", "10.00", "4.00", "14.00"], ["b", "2.50", "", "2.50"], ["sum", "12.50", "4.00", "16.50"]]
    assert check(sales(*rows), footed()) == ()
    rows[0][2] = "5.00"
    assert messages(sales(*rows), footed()) == [
        "north 10.00 + south 5.00 = 15.00, all says 14.00",
        "column south adds up to 5.00, the last row says 4.00",
    ]
    (across, down) = check(sales(*rows), footed())
    assert (across.row, across.col, across.kind, across.cells) == (1, 3, "cross_foot", ((1, 1), (1, 2), (1, 3)))
    assert (down.row, down.col, down.kind, down.cells) == (3, 2, "sum", ((1, 2), (3, 2)))


def test_a_table_may_have_only_a_total_column_or_only_a_total_row() -> None:
    rows = [["a", "10.00", "4.00", "99.00"], ["b", "2.00", "1.00", "3.00"]]
    assert messages(sales(*rows), footed(total_row=False)) == ["north 10.00 + south 4.00 = 14.00, all says 99.00"]
    assert messages(sales(*rows), footed(total="")) == [
        "column north adds up to 10.00, the last row says 2.00",
        "column south adds up to 4.00, the last row says 1.00",
    ]


def test_a_total_that_is_off_because_each_line_was_rounded_is_explained() -> None:
    rows = [["a", "3.33", "", ""], ["b", "3.33", "", ""], ["c", "3.33", "", ""], ["sum", "10.005", "", ""]]
    (finding,) = check(sales(*rows), footed(tolerance="0"))
    assert (
        finding.message == "column north adds up to 9.990, the last row says 10.005, explained by rounding of 3 numbers"
    )
    assert finding.explained
    # Three addends of two decimals may be off by 3 x 0.005 together, and not by more.
    rows[3][1] = "10.006"
    (finding,) = check(sales(*rows), footed(tolerance="0"))
    assert (finding.explained, "rounding" in finding.message) == (False, False)


def test_counts_are_not_rounded() -> None:
    rows = [["a", "3", "", ""], ["b", "4", "", ""], ["sum", "8", "", ""]]
    (finding,) = check(sales(*rows), footed())
    assert not finding.explained


FIELDS = ["subtotal", "discount", "shipping", "credit", "rate", "tax", "total"]
RULE: dict[str, Any] = {"kind": "totals", **{name: name for name in FIELDS}}


def invoice_type(*, places: str = "en", **more: Any) -> TableType:
    columns: list[dict[str, Any]] = [{"name": name, "type": "currency", "locale": places} for name in FIELDS]
    columns[4]["type"] = "percent"
    return TableType.from_json({"name": "invoice", "form": True, "columns": columns, "checks": [RULE | more]})


def invoice(*fields: str) -> Table:
    return from_rows([FIELDS, fields], header_rows=1)


@pytest.mark.parametrize("discount", ["20.00", "-20.00", "(20.00)"])
@pytest.mark.parametrize("credit", ["5.00", "-5.00"])
def test_a_discount_and_a_credit_are_taken_off_however_they_are_printed(discount: str, credit: str) -> None:
    # 19 % of 200 - 20 = 34.20; 180 + 9.90 + 34.20 - 5 = 219.10
    assert check(invoice("200.00", discount, "9.90", credit, "19 %", "34.20", "219.10"), invoice_type()) == ()


def test_a_wrong_tax_and_a_wrong_total_are_told() -> None:
    table = invoice("200.00", "20.00", "9.90", "", "19 %", "38.00", "219.10")
    assert messages(table, invoice_type()) == [
        "subtotal 200.00 − discount 20.00 + shipping 9.90 + tax 38.00 = 227.90, total says 219.10",
        "tax of 19 % on 180.00 = 34.20, tax says 38.00",
    ]


def test_shipping_is_taxed_where_that_is_declared() -> None:
    table = invoice("200.00", "", "10.00", "", "19 %", "39.90", "249.90")
    assert check(table, invoice_type(shipping_taxed=True)) == ()
    assert messages(table, invoice_type()) == ["tax of 19 % on 200.00 = 38.00, tax says 39.90"]


LINES = TableType.from_json(
    {
        "name": "lines",
        "columns": [{"name": "amount", "type": "currency"}, {"name": "vat", "type": "percent"}],
    }
)


def lines(*rows: list[str]) -> dict[str, tuple[Table, TableType]]:
    return {"lines": (from_rows([["amount", "vat"], *rows], header_rows=1), LINES)}


def test_tax_that_is_rounded_per_line_differs_from_tax_that_is_rounded_per_total() -> None:
    # 7 % of 1.05 is 0.0735: three lines give 3 x 0.07 = 0.21, their sum 0.2205 gives 0.22.
    three = lines(*[["1.05", "7 %"]] * 3)
    per_line = invoice_type(rounding="per_line", lines="lines", line_amount="amount", line_rate="vat")
    per_total = invoice_type(rounding="per_total", lines="lines", line_amount="amount", line_rate="vat")
    small, large = invoice("3.15", "", "", "", "", "0.21", "3.36"), invoice("3.15", "", "", "", "", "0.22", "3.37")
    tight = {"tolerance": "0"}
    per_line = TableType.from_json(per_line.to_json() | {"checks": [per_line.checks[0].to_json() | tight]})
    per_total = TableType.from_json(per_total.to_json() | {"checks": [per_total.checks[0].to_json() | tight]})
    assert check(small, per_line, related=three) == check(large, per_total, related=three) == ()
    assert messages(large, per_line, related=three) == ["tax of 7 % on 3.15, rounded 3 times, = 0.21, tax says 0.22"]
    assert messages(small, per_total, related=three) == ["tax of 7 % on 3.15 = 0.22, tax says 0.21"]


def test_several_rates_are_each_rounded_once() -> None:
    two = lines(["100.00", "19 %"], ["50.05", "7 %"], ["10.00", "19 %"])
    rule = invoice_type(lines="lines", line_amount="amount", line_rate="vat")
    # 110 x 19 % = 20.90, 50.05 x 7 % = 3.5035
    assert check(invoice("160.05", "", "", "", "", "24.40", "184.45"), rule, related=two) == ()
    (told,) = messages(invoice("160.05", "", "", "", "", "24.90", "184.95"), rule, related=two)
    assert told == "tax of 19 % and 7 % on 160.05, rounded 2 times, = 24.40, tax says 24.90"


def test_a_tax_of_lines_that_are_not_there_or_do_not_parse_is_passed_over() -> None:
    rule = invoice_type(rounding="per_line", lines="lines", line_amount="amount", line_rate="vat")
    table = invoice("10.00", "", "", "", "", "9.00", "19.00")
    assert check(table, rule) == ()
    assert check(table, rule, related=lines(["1O.00", "19 %"])) == ()
    assert check(table, rule, related={"lines": (Table(0, 0), invoice_type())}) == ()


def test_the_rules_are_read_back_from_their_json() -> None:
    foot = CrossFoot(("north", "south"), "all")
    assert CrossFoot.from_json(foot.to_json(), "here", REGIONS) == foot
    totals = Totals("total", "subtotal", tax="tax", rate="rate", lines="l", line_amount="a", rounding="per_line")
    assert Totals.from_json(totals.to_json(), "here", FIELDS) == totals
    assert TableType.from_json(footed().to_json()) == footed()
    assert TableType.from_json(invoice_type().to_json()) == invoice_type()


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ({"kind": "cross_foot", "columns": ["east"], "total": "all"}, "checks[0].columns[0] names the column 'east'"),
        ({"kind": "cross_foot", "columns": [], "total": "all"}, "checks[0] adds nothing up"),
        ({"kind": "cross_foot", "columns": ["north"], "total_row": False}, "checks[0] adds nothing up"),
        ({"kind": "totals", "subtotal": "north"}, "checks[0].total is missing"),
        ({"kind": "totals", "total": "all", "subtotal": "x"}, "checks[0].subtotal names the column 'x'"),
        ({"kind": "totals", "total": "all", "subtotal": "north", "lines": "l"}, "only one of lines and line_amount"),
        ({"kind": "totals", "total": "all", "subtotal": "north", "rounding": "per_line"}, 'rounding is "per_line"'),
        ({"kind": "totals", "total": "all", "subtotal": "north", "rounding": "up"}, "expected one of per_total, per_"),
        ({"kind": "totals", "total": "all", "subtotal": "north", "tip": "north"}, "checks[0].tip is not known"),
    ],
)
def test_a_rule_that_cannot_be_is_refused_with_its_place(rule: dict[str, Any], message: str) -> None:
    with pytest.raises(SchemaError) as wrong:
        TableType.from_json(footed().to_json() | {"checks": [rule]})
    assert message in str(wrong.value)
