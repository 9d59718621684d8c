from __future__ import annotations

import copy
import json
from decimal import Decimal
from pathlib import Path
from typing import Any, get_args

import pytest

from scoring import Cell, SchemaError, Table, TableType, bind, from_rows
from scoring.schema import Product, Sum, SumOfFields
from scoring.values.columns import ColumnType
from scoring.values.reader import Flag

LINES: dict[str, Any] = {
    "name": "line_items",
    "label": "Line items",
    "columns": [
        {"name": "article", "type": "id", "key": True},
        {"name": "quantity", "label": "Quantity", "type": "integer", "aliases": ["Qty"], "locale": "en_GB"},
        {"name": "unit_price", "type": "currency", "tolerance": "0.005"},
        {"name": "amount", "type": "currency", "required": True, "weight": 2.0, "aliases": ["Betrag"]},
        {"name": "day", "type": "date", "date_patterns": ["%d.%m.%Y"], "null_words": ["none"]},
    ],
    "checks": [
        {"kind": "product", "factors": ["quantity", "unit_price"], "product": "amount", "tolerance": "0.01"},
        {"kind": "sum", "column": "amount", "equals": {"table": "invoice", "column": "net_total"}},
        {"kind": "sum", "column": "amount", "equals": {"last_row": True}, "tolerance": 0.02},
        {"kind": "sum_fields", "terms": [["amount", 1], ["unit_price", -1]], "equals": "amount"},
    ],
    "acceptance": {"row_recall": 0.9, "cell_f1": 0.95, "required_correct": False},
}


def lines(*path: str | int, value: Any) -> dict[str, Any]:
    """LINES with one part changed."""
    changed = copy.deepcopy(LINES)
    place: Any = changed
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return changed


def test_a_table_type_is_read_and_written_back_equal() -> None:
    table_type = TableType.from_json(LINES)
    assert TableType.from_json(table_type.to_json()) == table_type
    assert table_type.columns[1].names == ("quantity", "Quantity", "Qty")
    assert table_type.columns[2].tolerance == Decimal("0.005")
    assert table_type.checks == (
        Product(("quantity", "unit_price"), "amount", Decimal("0.01")),
        Sum("amount", "invoice", "net_total"),
        Sum("amount", tolerance=Decimal("0.02")),
        SumOfFields((("amount", Decimal(1)), ("unit_price", Decimal(-1))), "amount"),
    )
    assert table_type.acceptance.row_recall == 0.9


def test_everything_but_the_names_is_optional() -> None:
    table_type = TableType.from_json({"name": "t", "columns": [{"name": "a"}]})
    assert (table_type.form, table_type.checks, table_type.acceptance.cell_f1) == (False, (), 1.0)
    assert table_type.columns[0].type == "text"
    assert table_type.to_json()["columns"] == [{"name": "a"}]


def test_the_signature_follows_the_rules_and_not_their_order_of_writing() -> None:
    table_type = TableType.from_json(LINES)
    assert len(table_type.signature) == 12
    assert TableType.from_json(dict(reversed(LINES.items()))).signature == table_type.signature
    assert TableType.from_json(lines("columns", 3, "weight", value=3.0)).signature != table_type.signature


def test_the_signature_of_a_table_type_without_new_parts_stays_what_it_was() -> None:
    assert TableType.from_json(LINES).signature == "b04a4792ff37"
    assert TableType.from_json({"name": "t", "columns": [{"name": "a"}]}).signature == "fedceb456d9e"


def test_each_part_that_is_declared_changes_the_signature() -> None:
    plain = {"name": "x", "type": "quantity", "unit": "kg"}
    parts: list[dict[str, Any]] = [
        {"units": {"g": "0.001"}},
        {"units": {"g": "0.01"}},
        {"scale": 1000},
        {"scale_words": {"k": 1000}},
        {"relative_tolerance": "0.1"},
        {"precision": "printed"},
        {"dash_is_zero": True},
        {"credit": "negative"},
        {"credit": "positive"},
        {"footnote_marks": ["a"]},
        {},
    ]
    types = [TableType.from_json({"name": "t", "columns": [plain | part]}) for part in parts]
    assert len({table_type.signature for table_type in types}) == len(parts)
    assert all(TableType.from_json(table_type.to_json()) == table_type for table_type in types)


def test_parts_are_written_as_they_are_read() -> None:
    column = {"name": "x", "type": "quantity", "units": {"kg": "1", "g": "0.001", "Kilo": "kg"}, "scale": "1000"}
    assert TableType.from_json({"name": "t", "columns": [column]}).to_json()["columns"] == [column]


def test_the_example_of_the_page_on_table_types_is_one() -> None:
    page = (Path(__file__).parents[2] / "docs" / "table_types.md").read_text(encoding="utf-8")
    example = json.loads(page.split("```json\n")[1].split("```")[0])
    (table_type,) = (TableType.from_json(entry) for entry in example["table_types"])
    assert {column.type for column in table_type.columns} == {*get_args(ColumnType)} - {"text", "integer"}


def test_the_page_on_table_types_names_every_flag() -> None:
    page = (Path(__file__).parents[2] / "docs" / "table_types.md").read_text(encoding="utf-8")
    rows = page.split("| flag of a value |")[1].split("\n\n")[0].splitlines()[2:]
    assert {row.split("`")[1] for row in rows} == set(get_args(Flag))


@pytest.mark.parametrize(
    ("wrong", "place", "expected"),
    [
        (lines("columns", 2, "type", value="money"), "columns[2].type", "one of text, integer"),
        (lines("columns", 2, "requierd", value=True), "columns[2].requierd", "required"),
        (lines("columns", 1, "locale", value="xx_YY"), "columns[1].locale", "en_GB"),
        (lines("columns", 1, "locale", value=7), "columns[1].locale", "a text"),
        (lines("columns", 4, "date_patterns", value=["%d.%m.%Q"]), "columns[4].date_patterns[0]", "%Q"),
        (lines("columns", 4, "date_patterns", value=["%d %Y"]), "columns[4].date_patterns[0]", "month"),
        (lines("columns", 4, "date_patterns", value=["%m %m"]), "columns[4].date_patterns[0]", "twice"),
        (lines("columns", 0, "weight", value=-1), "columns[0].weight", "a number from 0 on"),
        (lines("columns", 0, "weight", value=float("nan")), "columns[0].weight", "a number from 0 on"),
        (lines("columns", 0, "weight", value=True), "columns[0].weight", "a number from 0 on"),
        (lines("columns", 2, "tolerance", value="much"), "columns[2].tolerance", "decimal number"),
        (lines("columns", 2, "tolerance", value="1e999999999"), "columns[2].tolerance", "at most 40 digits"),
        (lines("columns", 2, "tolerance", value="1e-31"), "columns[2].tolerance", "at most 40 digits"),
        (lines("columns", 2, "tolerance", value="1." + "1" * 40), "columns[2].tolerance", "at most 40 digits"),
        (lines("columns", 0, "weight", value=10**400), "columns[0].weight", "a number from 0 on"),
        (lines("columns", 0, "tolerance", value="1"), "columns[0].tolerance", "the type is 'id'"),
        (lines("columns", 3, "date_patterns", value=["%d.%m.%Y"]), "columns[3].date_patterns", "type date"),
        (lines("columns", 3, "name", value="Unit  Price"), "columns[3] 'Unit  Price'", "columns[2] 'unit_price'"),
        (lines("columns", 3, "aliases", value=["QTY"]), "columns[3] 'amount'", "'Qty' of columns[1] 'quantity'"),
        (lines("checks", 1, "column", value="article"), "checks[1].column", "'article' is of type 'id', expected one"),
        (
            lines("checks", 2, "equals", value={"last_row": True, "table": "t", "column": "c"}),
            "checks[2].equals",
            "expected one of both",
        ),
        (lines("checks", 3, "terms", value=[["amount", "1e6000"]]), "checks[3].terms[0].factor", "at most 40 digits"),
        (lines("columns", 0, "required", value="yes"), "columns[0].required", "true or false"),
        (lines("columns", 1, "aliases", value="Qty"), "columns[1].aliases", "a list of texts"),
        (lines("columns", 1, "name", value="article"), "columns[1].name", "once"),
        (lines("columns", 1, "name", value=" "), "columns[1].name", "not blank"),
        (lines("columns", 1, value="quantity"), "columns[1]", "an object"),
        (lines("columns", value=[]), "columns", "at least one"),
        (lines("columns", value=None), "columns", "a list"),
        (lines("checks", 0, "kind", value="ratio"), "checks[0].kind", "one of product, sum"),
        (lines("checks", 0, "product", value="total"), "checks[0].product", "article"),
        (lines("checks", 0, "factors", value=["quantity", "x"]), "checks[0].factors[1]", "article"),
        (lines("checks", 0, "factors", value=["quantity"]), "checks[0].factors", "at least two"),
        (lines("checks", 1, "equals", value={"table": "invoice"}), "checks[1].equals.column", "missing"),
        (lines("checks", 1, "column", value=3), "checks[1].column", "a text"),
        (lines("checks", 3, "terms", value=[["amount"]]), "checks[3].terms[0]", "a factor"),
        (lines("checks", 3, "terms", value=[["amount", "one"]]), "checks[3].terms[0].factor", "decimal"),
        (lines("acceptance", "cell_f1", value=95), "acceptance.cell_f1", "from 0 to 1"),
        (lines("form", value=1), "form", "true or false"),
        ({"columns": [{"name": "a"}]}, "name", "missing"),
        ([], "table type", "an object"),
    ],
)
def test_an_error_names_the_place_and_what_was_expected(wrong: object, place: str, expected: str) -> None:
    with pytest.raises(SchemaError) as told:
        TableType.from_json(wrong)
    assert str(told.value).startswith(f"{place} ") or str(told.value).startswith(f"{place}:")
    assert expected in str(told.value)


def test_the_place_of_a_table_type_in_its_file_comes_first() -> None:
    with pytest.raises(SchemaError, match=r"^table_types\[1\]\.columns\[2\]\.type is 'money'"):
        TableType.from_json(lines("columns", 2, "type", value="money"), "table_types[1]")


def table_type(*names: str) -> TableType:
    return TableType.from_json({"name": "t", "label": "T", "columns": [{"name": name} for name in names]})


def test_columns_are_bound_by_header_text_in_any_order_and_case() -> None:
    bound = bind(from_rows([["BETRAG", "Qty", "unit  price", "Article"]], header_rows=1), TableType.from_json(LINES))
    assert bound.columns == (3, 1, 2, 0)
    assert (bound.header_rows, bound.column_of(3), bound.column_of(4)) == (1, 0, None)
    assert bound.notes == ("column day was not found",)


def test_header_levels_are_joined_by_a_space() -> None:
    head = (
        Cell(0, 0, "Article", row_span=2, header="column"),
        Cell(0, 1, "Price", col_span=2, header="column"),
        Cell(1, 1, "net", header="column"),
        Cell(1, 2, "gross", header="column"),
    )
    bound = bind(Table(2, 3, head), table_type("price gross", "price net", "article"))
    assert (bound.header_rows, bound.columns) == (2, (2, 1, 0))


def test_a_header_that_names_nothing_is_bound_by_position_and_noted() -> None:
    table = from_rows([["a", "8", "c"]], header_rows=1)
    bound = bind(table, table_type("a", "b", "c"))
    assert bound.columns == (0, 1, 2)
    assert bound.notes == ("column 2 '8' is taken for b by its position",)
    assert bind(table, table_type("a", "b", "c"), by_position=False).columns == (0, None, 2)


def test_without_a_header_the_position_decides_if_the_counts_are_equal() -> None:
    assert bind(from_rows([["1", "2"]]), table_type("a", "b")).columns == (0, 1)
    assert bind(from_rows([["1", "2"]]), table_type("a", "b", "c")).columns == (None, None)


def test_a_second_column_of_the_same_name_is_bound_to_nothing() -> None:
    bound = bind(from_rows([["a", "a"]], header_rows=1), table_type("a", "b", "c"))
    assert bound.columns == (0, None)
    assert bound.notes == ("column 2 'a' is no column of T", "column b was not found", "column c was not found")


def test_an_empty_table_binds_to_nothing() -> None:
    assert bind(Table(0, 0), table_type("a")).columns == ()
