from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scoring.table import Box, Table
from store.formats import FormatError, Read, recognise, textract_expense

SAMPLES = "formats/aws-textract"


def field(kind: str, text: str, label: str = "", **more: Any) -> dict[str, Any]:
    geometry = {"BoundingBox": {"Left": 0.5, "Top": 0.25, "Width": 0.25, "Height": 0.125}}
    labelled = {"LabelDetection": {"Text": label}} if label else {}
    value = {"Text": text, "Confidence": 60.0, "Geometry": geometry}
    return {"Type": {"Text": kind, "Confidence": 90.0}, "ValueDetection": value, **labelled, "PageNumber": 1, **more}


def answer(summary: list[Any], lines: list[list[Any]]) -> dict[str, Any]:
    group = {"LineItemGroupIndex": 1, "LineItems": [{"LineItemExpenseFields": line} for line in lines]}
    document = {"ExpenseIndex": 1, "SummaryFields": summary, "LineItemGroups": [group]}
    return {"DocumentMetadata": {"Pages": 1}, "ExpenseDocuments": [document]}


def read(value: Any) -> Read:
    raw = json.dumps(value).encode()
    assert recognise(raw, "a.json") == "textract-expense"
    return textract_expense.read(raw, name="a.json")


def texts(table: Table) -> list[list[str]]:
    return [[table.text_at(row, col) for col in range(table.n_cols)] for row in range(table.n_rows)]


def test_fields_are_one_row_with_both_confidences_and_their_box() -> None:
    total = field("TOTAL", "$5.00", "Total:", Currency={"Code": "USD", "Confidence": 70.0})
    (form,) = read(answer([total], [])).tables
    assert form.name == "fields"
    assert texts(form.table) == [["TOTAL", "TOTAL.Currency"], ["$5.00", "USD"]]
    amount = form.table.at(1, 0)
    assert amount is not None
    assert amount.box == Box(1, 0.5, 0.25, 0.75, 0.375)
    assert [(said.value, said.kind, said.unit) for said in amount.confidence] == [
        (0.9, "extraction", "field"),
        (0.6, "text", "field"),
    ]


def test_fields_are_told_apart_by_group_label_and_number() -> None:
    grouped = field("NAME", "ACME", GroupProperties=[{"Types": ["VENDOR"], "Id": "x"}])
    summary = [grouped, field("NAME", "Ann"), field("NAME", "Bob"), field("OTHER", "7", "TR#"), field("OTHER", "8")]
    (form,) = read(answer(summary, [])).tables
    assert texts(form.table)[0] == ["VENDOR.NAME", "NAME", "NAME 2", "TR#", "OTHER"]


def test_line_items_are_rows_without_the_whole_line() -> None:
    lines = [
        [field("ITEM", "bolt", "Item"), field("QUANTITY", "2", "Qty"), field("EXPENSE_ROW", "bolt 2")],
        [field("ITEM", "nut", "Item"), field("OTHER", "", "Qty"), field("OTHER", "x", "Note")],
    ]
    (table,) = read(answer([], lines)).tables
    assert table.name == "line_items"
    assert texts(table.table) == [["ITEM", "QUANTITY", "Note"], ["bolt", "2", ""], ["nut", "", "x"]]
    assert list(map(str, table.repairs)) == ["row 3, column 2: is of type OTHER, but its label is that of QUANTITY"]
    assert table.table.at(1, 2) is None


def test_a_line_that_has_only_the_whole_line_keeps_it() -> None:
    (table,) = read(answer([], [[field("ITEM", "bolt")], [field("EXPENSE_ROW", "nut 2")]])).tables
    assert texts(table.table) == [["ITEM", "EXPENSE_ROW"], ["bolt", ""], ["", "nut 2"]]
    assert table.notes == ("line 2 given as a whole only, as EXPENSE_ROW",)


def test_an_answer_with_nothing_says_so() -> None:
    assert read(answer([], [])).notes == ("the answer holds no fields and no line items",)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"Type": 7}, r"/ExpenseDocuments/0/SummaryFields/0/Type: '7', expected an object"),
        (
            {"ValueDetection": [1]},
            r"/ExpenseDocuments/0/SummaryFields/0/ValueDetection: a list of 1, expected an object",
        ),
        ({"PageNumber": 0}, r"/ExpenseDocuments/0/SummaryFields/0/PageNumber: '0', expected a whole number from 1"),
    ],
)
def test_a_wrong_part_is_named_by_its_pointer(change: dict[str, Any], message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read(answer([{**field("TOTAL", "1"), **change}], []))


def test_a_wild_box_is_left_out_and_told() -> None:
    wild = field("TOTAL", "1")
    wild["ValueDetection"]["Geometry"]["BoundingBox"]["Width"] = "NaN"
    (form,) = read(answer([wild], [])).tables
    assert form.table.cells[1].box is None
    assert "no rectangle" in str(form.repairs[0])


@pytest.mark.corpus
def test_the_samples_have_their_fields_and_lines(corpus_file: Callable[[str], Path]) -> None:
    shapes = {}
    for name in ("receipt", "invoice_jsclient", "async_multipage"):
        raw = corpus_file(f"{SAMPLES}/analyzeexpense_{name}.json").read_bytes()
        assert recognise(raw, "a.json") == "textract-expense"
        tables = textract_expense.read(raw, name="a.json").tables
        shapes[name] = [(entry.name, entry.table.n_rows - 1) for entry in tables]
    assert shapes == {
        "receipt": [("fields", 1), ("line_items", 4)],
        "invoice_jsclient": [("fields", 1), ("line_items", 4)],
        "async_multipage": [("fields", 1), ("line_items", 5), ("fields 2", 1), ("line_items 2", 3)],
    }
