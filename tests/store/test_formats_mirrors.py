"""What programs write beside the values of JSON records lands on the right cells."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scoring.table import Box
from store.formats import Read, json_records, recognise

ITEMS = [{"item": "bolt", "price": "1.20"}, {"item": "nut", "price": "0.40"}]
INVOICE = {"total": "1.60", "items": ITEMS}
BOX = {"left": 0.1, "top": 0.2, "width": 0.3, "height": 0.1, "page": 2, "original_page": 2}


def read(value: Any) -> Read:
    raw = json.dumps(value).encode()
    assert recognise(raw, "a.json") == "json-records"
    return json_records.read(raw, name="a.json")


def said(value: Any) -> dict[str, list[tuple[Any, ...]]]:
    """Each text of a data cell with what is said of it: value or label, kind, unit."""
    return {
        cell.text: [(one.raw if one.value is None else one.value, one.kind, one.unit) for one in cell.confidence]
        for entry in read(value).tables
        for cell in entry.table.cells
        if cell.row
    }


def leaf(confidence: float, **more: Any) -> dict[str, Any]:
    return {"confidence": confidence, **more}


def cited(label: str, number: float) -> list[dict[str, Any]]:
    numbers = {"parse_confidence": number, "extract_confidence": None}
    return [{"type": "Table", "bbox": BOX, "content": "x", "confidence": label, "granular_confidence": numbers}]


def test_a_tree_with_a_leaf_for_each_cell_may_have_gaps() -> None:
    tree = {
        "global_threshold": 0.8,
        "total": leaf(0.9),
        "items": [{"item": leaf(0.8)}, {"price": leaf(0.7), "item": None}],
    }
    assert said({"inference_result": INVOICE, "explainability_info": [tree]}) == {
        "1.60": [(0.9, "extraction", "field")],
        "bolt": [(0.8, "extraction", "field")],
        "1.20": [],
        "nut": [],
        "0.40": [(0.7, "extraction", "field")],
    }


def test_a_tree_with_a_leaf_for_each_row_speaks_of_rows() -> None:
    tree = {"items": [leaf(0.8), leaf(0.7, confidence_reason="faint")]}
    assert said({"inference_result": {"items": ITEMS}, "explainability_info": [tree]}) == {
        "bolt": [(0.8, "extraction", "row")],
        "1.20": [(0.8, "extraction", "row")],
        "nut": [(0.7, "self-report", "row")],
        "0.40": [(0.7, "self-report", "row")],
    }


def test_one_leaf_for_all_rows_speaks_of_the_table_and_not_of_its_cells() -> None:
    (found,) = read({"inference_result": {"items": ITEMS}, "explainability_info": [{"items": leaf(0.8)}]}).tables
    assert [(one.value, one.unit) for one in found.confidence] == [(0.8, "table")]
    assert all(cell.confidence == () for cell in found.table.cells)


def test_a_tree_may_be_shorter_than_the_rows_or_of_other_names() -> None:
    assert said({"result": {"items": ITEMS}, "explainability_info": [{"items": [{"item": leaf(0.8)}]}]})["nut"] == []
    found = read({"result": {"items": ITEMS}, "explainability_info": [{"other": leaf(0.8)}]})
    assert [table.name for table in found.tables] == ["items"]


def test_the_place_that_a_tree_tells_is_the_box_of_the_cell() -> None:
    place = [{"boundingBox": {"top": 0.1, "left": 0.2, "width": 0.3, "height": 0.05}, "page": 3}]
    (form,) = read(
        {"inference_result": {"total": "5"}, "explainability_info": [{"total": leaf(0.9, geometry=place)}]}
    ).tables
    assert form.table.cells[1].box == Box(3, 0.2, 0.1, 0.5, 0.15)


def test_the_metadata_of_llamaextract_lands_on_its_cells() -> None:
    leaves = {
        "total": leaf(0.9, parsing_confidence=0.8, extraction_confidence=0.95, citation=[{"page": 1}]),
        "items": [{"item": leaf(0.7)}, {"price": leaf(0.6)}],
    }
    metadata = {"field_metadata": leaves, "usage": {"num_pages": 1}}
    found = said({"data": INVOICE, "extraction_metadata": metadata})
    assert found["1.60"] == [(0.9, "extraction", "field"), (0.8, "text", "field"), (0.95, "extraction", "field")]
    assert (found["bolt"], found["nut"], found["0.40"]) == (
        [(0.7, "extraction", "field")],
        [],
        [(0.6, "extraction", "field")],
    )


@pytest.mark.parametrize("version", [2, 3])
def test_the_citations_of_reducto_are_box_and_confidence(version: int) -> None:
    if version == 3:
        row = {"item": {"value": "bolt", "citations": cited("low", 0.3)}, "price": {"value": "1.20", "citations": []}}
        result: Any = {"total": {"value": "1.60", "citations": cited("high", 0.9)}, "items": [row]}
        answer = {"usage": {"num_pages": 1}, "result": result, "studio_link": None}
    else:
        mirror = {"total": cited("high", 0.9), "items": [{"item": cited("low", 0.3), "price": []}]}
        answer = {"usage": {"num_pages": 1}, "result": [{"total": "1.60", "items": ITEMS[:1]}], "citations": [mirror]}
    assert said(answer) == {
        "1.60": [("high", "extraction", "field"), (0.9, "text", "field")],
        "bolt": [("low", "extraction", "field"), (0.3, "text", "field")],
        "1.20": [],
    }
    assert [cell.box for cell in read(answer).tables[1].table.cells if cell.text == "bolt"] == [
        Box(2, 0.1, 0.2, 0.4, 0.3)
    ]


def test_several_results_of_reducto_have_their_own_citations() -> None:
    answer = {
        "result": [{"total": "5"}, {"total": "6"}],
        "citations": [{"total": cited("high", 0.9)}, {"total": cited("low", 0.2)}],
    }
    assert said(answer) == {
        "5": [("high", "extraction", "field"), (0.9, "text", "field")],
        "6": [("low", "extraction", "field"), (0.2, "text", "field")],
    }


def test_citations_that_are_data_stay_a_table() -> None:
    found = read({"page": 3, "citations": [{"page": 1, "text": "a"}, {"page": 2, "text": "b"}]})
    assert [table.name for table in found.tables] == ["fields", "citations"]


def test_bare_numbers_in_a_tree_are_confidence() -> None:
    assert said({**INVOICE, "confidence": {"total": 0.9, "items": [{"item": 0.8}, {"price": 0.1}]}})["0.40"] == [
        (0.1, "extraction", "field")
    ]


@pytest.mark.parametrize("answer", [INVOICE, json.dumps(INVOICE)])
def test_the_answer_of_a_program_that_reasons_is_read_without_its_reasons(answer: Any) -> None:
    found = read({"reasoning": "because", "answer": answer})
    assert [table.name for table in found.tables] == ["fields", "items"]
    assert found.notes == ("key 'reasoning' beside 'answer' left out",)


def test_a_list_of_such_answers_is_a_list_of_rows() -> None:
    (found,) = read([{"reasoning": "b", "answer": {"total": "5"}}, {"reasoning": "b", "answer": {"total": "6"}}]).tables
    assert [cell.text for cell in found.table.cells] == ["total", "5", "6"]


def test_an_answer_that_is_no_json_stays_a_text() -> None:
    (found,) = read({"reasoning": "because", "answer": "{not json"}).tables
    assert found.table.text_at(1, 1) == "{not json"
