from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scoring.table import Box, Table
from store.formats import FORMATS, FormatError, Read, json_records, recognise
from store.pages import PageSize


def read(value: Any, *pages: PageSize) -> Read:
    raw = value if isinstance(value, bytes) else json.dumps(value).encode()
    return json_records.read(raw, name="a.json", pages=pages)


def rows(table: Table) -> list[list[str | None]]:
    return [
        [cell.text if (cell := table.at(row, col)) else None for col in range(table.n_cols)]
        for row in range(table.n_rows)
    ]


def confidence(table: Table, row: int, col: int) -> float | None:
    cell = table.at(row, col)
    assert cell is not None
    return cell.confidence[0].value if cell.confidence else None


def test_fields_become_one_row_and_a_list_a_table_of_its_key() -> None:
    form, items = read({"number": "17", "paid": True, "items": [{"name": "bolt", "qty": 2}, {"name": "nut"}]}).tables
    assert (form.name, rows(form.table)) == ("fields", [["number", "paid"], ["17", "true"]])
    assert (items.name, rows(items.table)) == ("items", [["name", "qty"], ["bolt", "2"], ["nut", None]])
    assert items.table.header_rows == 1


def test_numbers_stay_as_they_are_printed() -> None:
    raw = b'{"a": 16.620, "b": 1e3, "c": -0, "d": 12345678901234567890.10}'
    assert rows(read(raw).tables[0].table)[1] == ["16.620", "1e3", "-0", "12345678901234567890.10"]


def test_null_is_an_empty_cell_and_an_absent_key_a_hole() -> None:
    (table,) = read([{"a": None, "b": "x"}, {"b": "y"}]).tables
    assert rows(table.table)[1:] == [["", "x"], [None, "y"]]
    assert table.name == "table 1"


def test_groups_at_the_top_name_their_forms() -> None:
    found = read({"invoice": {"number": "1"}, "seller": {"name": "A"}, "line_items": [{"qty": 1}]})
    assert [entry.name for entry in found.tables] == ["invoice", "seller", "line_items"]


def test_nested_objects_are_joined_by_dots_and_money_keeps_its_name() -> None:
    value = {"id": 1, "address": {"city": "Leeds"}, "total": {"currency_code": "GBP", "amount": 83.10}}
    raw = json.dumps(value).replace("83.1", "83.10").encode()
    assert rows(read(raw).tables[0].table) == [
        ["id", "address.city", "total", "total.currency_code"],
        ["1", "Leeds", "83.10", "GBP"],
    ]


def test_two_lists_of_one_key_are_named_by_their_paths() -> None:
    found = read({"a": {"rows": [{"x": 1}]}, "b": {"rows": [{"x": 2}]}})
    assert {entry.name for entry in found.tables} == {"a.rows", "b.rows"}


def test_a_list_that_is_called_fields_stays_apart_from_the_form() -> None:
    form, listed = read({"no": "1", "fields": [{"name": "x"}]}).tables
    assert (form.name, rows(form.table)) == (".fields", [["no"], ["1"]])
    assert (listed.name, rows(listed.table)) == ("fields", [["name"], ["x"]])


def test_lists_inside_rows_are_put_together_with_a_note() -> None:
    found = read({"orders": [{"id": 1, "lines": [{"x": 1}]}, {"id": 2, "lines": [{"x": 2}, {"x": 3}]}]})
    orders, lines = found.tables
    assert rows(orders.table) == [["id"], ["1"], ["2"]]
    assert rows(lines.table) == [["x"], ["1"], ["2"], ["3"]]
    assert "several lists were put together: rows 1 of /orders/0 and 2 of /orders/1" in lines.notes


def test_a_leaf_brings_confidence_and_box() -> None:
    leaf = {"value": "12.50", "confidence": 0.83, "box": [2, 0.1, 0.2, 0.3, 0.25]}
    found = read({"extractor": {"name": "reader", "version": "3"}, "total": leaf, "items": [{"price": leaf}]})
    assert (found.extractor, found.version) == ("reader", "3")
    for entry in found.tables:
        cell = entry.table.at(1, 0)
        assert cell is not None
        assert (cell.text, cell.box) == ("12.50", Box(2, 0.1, 0.2, 0.3, 0.25))
        (said,) = cell.confidence
        assert (said.value, said.kind, said.unit, said.raw) == (0.83, "extraction", "field", "0.83")
        assert said.source == "reader field confidence"


def test_other_spellings_of_confidence_are_read() -> None:
    value = {
        "a": {"_value": "1", "_confidence": 0.5},
        "b": "2",
        "b_confidence": 0.6,
        "c": {"value": "3", "confidence": "0.7"},
        "d": {"value": "4", "confidence": "high"},
        "e": "5",
    }
    (form,) = read(value).tables
    assert rows(form.table) == [["a", "b", "c", "d", "e"], ["1", "2", "3", "4", "5"]]
    assert [confidence(form.table, 1, col) for col in range(5)] == [0.5, 0.6, 0.7, None, None]
    labelled, silent = form.table.at(1, 3), form.table.at(1, 4)
    assert labelled is not None
    assert labelled.confidence[0].raw == "high"
    assert silent is not None
    assert silent.confidence == ()


def test_a_mirror_tree_lands_on_the_right_cells() -> None:
    value = {
        "data": {"no": "7", "items": [{"x": "a", "y": "b"}, {"x": "c"}, {"x": "d"}]},
        "field_metadata": {
            "no": {"confidence": 0.9, "reasoning": "clear"},
            "items": [{"x": {"confidence": 0.1}, "y": 0.2}, {"confidence": 0.3}],
        },
    }
    form, items = read(value).tables
    assert rows(form.table) == [["no"], ["7"]]
    assert form.table.cells[1].confidence[0].kind == "self-report"
    assert [confidence(items.table, *place) for place in ((1, 0), (1, 1), (2, 0), (3, 0))] == [0.1, 0.2, 0.3, None]
    on_row = items.table.at(2, 0)
    assert on_row is not None
    assert on_row.confidence[0].unit == "row"


def test_a_confidence_inside_a_row_speaks_of_the_row() -> None:
    (items,) = read({"items": [{"x": "a", "confidence": 0.4}, {"x": {"value": "b", "confidence": 0.8}}]}).tables
    assert rows(items.table) == [["x"], ["a"], ["b"]]
    units = [cell.confidence[0].unit for cell in items.table.cells if cell.confidence]
    assert units == ["row", "field"]


def test_percent_scales_are_divided_with_a_note_and_nonsense_is_not_used() -> None:
    found = read({"a": {"value": "1", "confidence": 87.5}, "b": {"value": "2", "confidence": 0.5}})
    assert confidence(found.tables[0].table, 1, 0) == 0.875
    assert "divided by 100" in found.notes[0]
    found = read({"a": {"value": "1", "confidence": 870}, "b": {"value": "2", "confidence": -1}})
    assert confidence(found.tables[0].table, 1, 0) is None
    assert "off the scale" in found.notes[0]


def test_one_slip_among_fractions_does_not_divide_all_of_them() -> None:
    found = read([{"a": {"value": "1", "confidence": c}} for c in (0.91, 0.88, 55, 0.7)])
    table = found.tables[0].table
    assert [confidence(table, row, 0) for row in (1, 2, 3, 4)] == [0.91, 0.88, None, 0.7]
    assert "off the scale" in found.notes[0]


def test_boxes_in_points_and_without_a_page_use_the_document() -> None:
    page = PageSize(1, 600, 800)
    found = read({"a": {"value": "1", "confidence": 1, "bbox": [60, 80, 120, 160]}}, page)
    assert found.tables[0].table.cells[1].box == Box(1, 0.1, 0.1, 0.2, 0.2)
    found = read({"a": {"value": "1", "box": {"left": 0.1, "top": 0.1, "width": 0.5, "height": 0.5}, "page": 3}})
    assert found.tables[0].table.cells[1].box == Box(3, 0.1, 0.1, 0.6, 0.6)


@pytest.mark.parametrize(
    "box", [[1, 2, 3], "here", [1, 0.5, 0.5, 0.4, 0.4], [1, 70, 80, 90, 9000], [0.1, 0.1, 0.2, 0.2]]
)
def test_a_box_that_cannot_be_is_left_out_with_a_note(box: Any) -> None:
    (form,) = read({"a": {"value": "1", "box": box}}).tables
    assert form.table.cells[1].box is None
    assert form.notes[0].startswith("row 1, a: ")


def test_wrappers_are_taken_off() -> None:
    found = read({"reasoning": "It says so.", "answer": {"total": "5", "items": [{"x": 1}]}})
    assert [entry.name for entry in found.tables] == ["fields", "items"]
    assert "'reasoning'" in found.notes[0]


def test_rows_of_lists_are_a_grid() -> None:
    (grid,) = read({"table": [["a", "b"], ["1"]]}).tables
    assert (grid.name, rows(grid.table)) == ("table", [["a", "b"], ["1", None]])


def test_json_lines_and_fenced_json_are_read() -> None:
    assert rows(read(b'{"a": 1}\n{"a": 2}\n').tables[0].table) == [["a"], ["1"], ["2"]]
    found = read(b'```json\n{"a": 1}\n```\n')
    assert rows(found.tables[0].table) == [["a"], ["1"]]
    assert "fence" in found.notes[0]


def test_a_key_that_stands_twice_is_told() -> None:
    found = read(b'{"a": 1, "a": 2}')
    assert rows(found.tables[0].table) == [["a"], ["2"]]
    assert "key 'a' stands more than once" in found.notes[0]


def test_an_empty_list_is_told_and_makes_no_table() -> None:
    found = read({"no": "1", "items": []})
    assert [entry.name for entry in found.tables] == ["fields"]
    assert found.notes == ("/items is an empty list: there is no table of it",)


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b'{"a": 1,\n "b": [1, 2', "line 2, column 12: the JSON ends too early"),
        (b'{"a": "x\n', "line 1, column 9"),
        (b'{"a": 1\n "b": 2}', "line 2, column 2: not JSON"),
        (b'{"a": 1} {', "line 1, column 10"),
        (b"{}", "/: an empty object"),
        (b"[]", "/: a list of 0 entries"),
        (b"", "empty"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a": 1}\n' + b"[" * 100_000, "nested too deeply"),
        (b"[" * 500 + b"]" * 500, "nested more than 200"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(raw: bytes, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read(raw)


@pytest.mark.corpus
def test_sample_records_are_read(corpus_file: Callable[[str], Path]) -> None:
    raw = corpus_file("formats/json-records/invoice_1.json").read_bytes()
    assert recognise(raw, "invoice_1.json") == "json-records"
    items = {entry.name: entry.table for entry in read(raw).tables}["items"]
    assert rows(items)[1] == ["MA197", "STRETCHWRAP ROLL", "5", "", "16.62", "GBP", "83.1", "GBP"]
    raw = corpus_file("formats/json-records/aws_idp_inference_with_explainability_info.json").read_bytes()
    (form,) = read(raw).tables
    assert rows(form.table) == [["YTDNetPay", "PayPeriodStartDate"], ["75000", "2024-01-01"]]
    assert [confidence(form.table, 1, col) for col in (0, 1)] == [0.92, 0.75]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (
            {"status": "failed", "error": {"code": "InvalidContent", "message": "corrupted"}},
            "InvalidContent, corrupted",
        ),
        ({"JobStatus": "FAILED", "StatusMessage": "throttled", "Blocks": []}, "'FAILED': throttled"),
        ({"model": "m", "choices": []}, "the model gave no answer"),
        ({"error": {"message": "rate limit", "type": "tokens", "param": None, "code": None}}, "tokens, rate limit"),
        ({"status": "processing", "id": "17"}, "not there yet"),
        ({"__type": "ThrottlingException", "message": "slow down"}, "slow down"),
    ],
)
def test_what_a_service_sends_in_place_of_an_answer_is_refused_with_its_reason(answer: object, told: str) -> None:
    raw = json.dumps(answer).encode()
    with pytest.raises(FormatError, match=told):
        FORMATS[recognise(raw, "a.json")].read(raw, name="a.json", pages=())


@pytest.mark.parametrize(
    "record",
    [
        {"sample": "A 3", "status": "failed"},
        {"status": "pending", "rows": [{"item": "bolt"}]},
        {"error": "0.02", "value": "3"},
    ],
)
def test_a_state_among_the_values_of_a_document_is_a_value(record: object) -> None:
    raw = json.dumps(record).encode()
    assert json_records.read(raw, name="a.json").tables


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ([0.9, 1.01], [0.9, None]),
        ([2], [None]),
        ([0.9, 55, 60], [0.009, 0.55, 0.6]),
        ([5, 90], [0.05, 0.9]),
    ],
)
def test_a_confidence_a_little_too_high_makes_no_scale_of_100(given: list[float], meant: list[float | None]) -> None:
    found = read({"rows": [{"a": {"value": "x", "confidence": number}} for number in given]})
    values = [cell.confidence[0].value for cell in found.tables[0].table.cells if cell.confidence]
    assert [value and round(value, 6) for value in values] == meant
    assert any("off the scale" in note or "divided by 100" in note for note in found.notes)


def test_a_table_under_an_empty_key_is_named_by_its_number() -> None:
    found = read({"": [{"a": "1"}], "items": [{"b": "2"}]})
    assert [table.name for table in found.tables] == ["table 1", "items"]
