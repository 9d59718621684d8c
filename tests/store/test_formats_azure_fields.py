from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scoring.table import Box, Table
from store.formats import FormatError, Read, azure, recognise


def field(content: str | None, confidence: float | None = 0.9, left: float = 0, **more: Any) -> dict[str, Any]:
    polygon = [left, 0, left + 4, 0, left + 4, 1, left, 1]
    regions = [{"pageNumber": 1, "polygon": polygon}]
    return {"type": "string", "content": content, "confidence": confidence, "boundingRegions": regions, **more}


def line(confidence: float | None = 0.6, **parts: Any) -> dict[str, Any]:
    return field("jumbled", confidence, type="object", valueObject=parts)


def answer(*fields: dict[str, Any]) -> dict[str, Any]:
    return {
        "stringIndexType": "utf16CodeUnit",
        "content": "",
        "pages": [{"pageNumber": 1, "width": 8, "height": 10, "unit": "inch"}],
        "documents": [{"docType": "invoice", "fields": each, "confidence": 1} for each in fields],
    }


def read(value: Any) -> Read:
    raw = json.dumps(value).encode()
    assert recognise(raw, "a.json") == "azure"
    return azure.read(raw, name="a.json")


def texts(table: Table) -> list[list[str]]:
    return [[table.text_at(row, col) for col in range(table.n_cols)] for row in range(table.n_rows)]


ITEMS = {
    "type": "array",
    "valueArray": [
        line(Description=field("bolt", 0.8), Amount=field("$1.20", 0.7, 4)),
        line(Description=field("nut", None), Note=None),
    ],
}


def test_fields_are_one_row_with_their_confidence_and_box() -> None:
    total = field("$5.00", 0.417, valueCurrency={"amount": 5, "currencyCode": "USD"}, type="currency")
    (form,) = read(answer({"Total": total, "Due": None})).tables
    assert (form.name, form.place) == ("fields", "/documents/0/fields")
    assert texts(form.table) == [["Total", "Due"], ["$5.00", ""]]
    amount = form.table.at(1, 0)
    assert amount is not None
    assert amount.box == Box(1, 0, 0, 0.5, 0.1)
    assert [(said.value, said.kind, said.unit, said.raw) for said in amount.confidence] == [
        (0.417, "extraction", "field", "0.417")
    ]


def test_items_are_a_table_whose_cells_have_their_own_confidence_or_that_of_their_row() -> None:
    form, items = read(answer({"Id": field("7"), "Items": ITEMS})).tables
    assert (items.name, items.place) == ("Items", "/documents/0/fields/Items")
    assert texts(items.table) == [["Description", "Amount", "Note"], ["bolt", "$1.20", ""], ["nut", "", ""]]
    said = {cell.text: [(one.value, one.unit) for one in cell.confidence] for cell in items.table.cells if cell.row}
    assert said == {"bolt": [(0.8, "field")], "$1.20": [(0.7, "field")], "nut": [(0.6, "row")], "": []}
    assert items.boxes == (Box(1, 0, 0, 0.5, 0.1),)
    assert items.table.at(1, 2) is None
    assert texts(form.table) == [["Id"], ["7"]]


def test_further_documents_have_fields_and_items_of_their_own() -> None:
    found = read(answer({"Id": field("7"), "Items": ITEMS}, {"Id": field("8"), "Items": ITEMS}))
    assert [table.name for table in found.tables] == ["fields", "Items", "fields 2", "Items 2"]


def test_parts_of_objects_and_lists_of_texts_are_cells() -> None:
    nested = {"type": "object", "valueObject": {"Tax": field("1"), "Net": field("2")}}
    several = {"type": "array", "valueArray": [field("a"), field("b")]}
    (form,) = read(answer({"Sums": nested, "Names": several})).tables
    assert texts(form.table) == [["Sums.Tax", "Sums.Net", "Names"], ["1", "2", "a\nb"]]


def test_values_without_content_are_shown_and_marks_are_boxes() -> None:
    fields = {
        "Total": {"type": "currency", "valueCurrency": {"amount": 12.50}},
        "Date": {"type": "date", "valueDate": "2024-01-02"},
        "Paid": {"type": "selectionMark", "valueSelectionMark": "selected"},
        "Open": field(":unselected: open"),
    }
    (form,) = read(answer(fields)).tables
    assert texts(form.table)[1] == ["12.5", "2024-01-02", "☒", "☐ open"]


def test_a_field_in_several_places_says_so() -> None:
    regions = [{"pageNumber": 1, "polygon": [0, 0, 4, 0, 4, 1, 0, 1]}] * 2
    (form,) = read(answer({"Name": field("x", boundingRegions=regions)})).tables
    assert [str(repair) for repair in form.repairs] == [
        "row 2, column 1: lies in several places: the first box was kept"
    ]


def test_the_spelling_of_the_javascript_library_reads_alike() -> None:
    """Its dates are written as {}, so that only the content tells them."""

    def javascript(value: Any) -> Any:
        if not isinstance(value, dict):
            return [javascript(entry) for entry in value] if isinstance(value, list) else value
        spelt = {key: javascript(part) for key, part in value.items() if not key.startswith("value") and key != "type"}
        if "polygon" in spelt:
            sides = spelt["polygon"]
            spelt["polygon"] = [{"x": x, "y": y} for x, y in zip(sides[0::2], sides[1::2], strict=True)]
        if "type" in value:
            spelt["kind"] = value["type"]
        for key, name in (("valueArray", "values"), ("valueObject", "properties"), ("valueDate", "value")):
            if key in value:
                spelt[name] = {} if key == "valueDate" else javascript(value[key])
        return spelt

    value = answer({"Items": ITEMS, "Date": field("1 May", type="date", valueDate="2024-05-01")})
    ours, theirs = read(value).tables, read(javascript(value)).tables
    assert [table.table for table in theirs] == [table.table for table in ours]
    assert texts(theirs[0].table) == [["Date"], ["1 May"]]


def test_the_spelling_of_the_older_python_library_keeps_the_names_of_fields() -> None:
    value = answer({})
    regions = [{"page_number": 1, "polygon": [{"x": 0, "y": 0}, {"x": 4, "y": 1}]}]
    item = {
        "value_type": "dictionary",
        "value": {"unit_price": {"value_type": "float", "value": 1.5, "content": "1,50"}},
    }
    value["pages"] = [{"page_number": 1, "width": 8, "height": 10}]
    value["documents"][0]["fields"] = {
        "due_date": {"value_type": "date", "value": "2024", "content": "May", "bounding_regions": regions},
        "line_items": {"value_type": "list", "value": [item]},
    }
    form, items = read({"analyze_result": value}).tables
    assert texts(form.table) == [["due_date"], ["May"]]
    assert form.table.cells[1].box == Box(1, 0, 0, 0.5, 0.1)
    assert (items.name, texts(items.table)) == ("line_items", [["unit_price"], ["1,50"]])


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (7, r"^/documents/0/fields/Total: '7', expected a field"),
        (field("x", boundingRegions=3), r"^/documents/0/fields/Total/boundingRegions: '3', expected a list"),
        ({"valueArray": [{"valueObject": {"a": {"content": "x"}, "b": []}}]}, r"/Total/valueArray/0/b: a list of 0"),
    ],
)
def test_a_wrong_field_is_named_by_its_pointer(wrong: Any, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read(answer({"Total": wrong}))


@pytest.mark.corpus
def test_the_v2_samples_have_their_fields(corpus_file: Callable[[str], Path]) -> None:
    raw = corpus_file("formats/azure/invoice_v2.1_Invoice-6.json").read_bytes()
    form = azure.read(raw, name="a.json").tables[1]
    assert texts(form.table) == [
        ["Receipt No", "Online Delivery?", "Live Delivery?", "ID #", "Video Delivery?", "Sold To"],
        ["9876", "☒", "☒", "5554443", "☐", "Wingtip Toys"],
    ]
    assert form.place == "/analyzeResult/documentResults/0/fields"
    assert all(cell.box and cell.confidence for cell in form.table.cells if cell.row)
    raw = corpus_file("formats/azure/invoice_v2.1_prebuilt_sample-invoice.json").read_bytes()
    *_, form = azure.read(raw, name="a.json").tables
    assert (form.table.n_rows, form.table.n_cols, form.table.text_at(1, 0)) == (2, 26, "$610.00")
