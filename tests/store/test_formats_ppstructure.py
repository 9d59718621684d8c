from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from scoring.table import Box
from store.formats import FormatError, Read, ppstructure, recognise

HTML = "<table><tr><td>bolt M6</td><td>1</td></tr><tr><td>nut</td><td>1</td></tr></table>"
RESULT: dict[str, Any] = {
    "width": 1000,
    "height": 500,
    "page_index": 1,
    "layout_det_res": {"boxes": [{"label": "table", "score": 0.95, "coordinate": [100.4, 100, 500, 200]}]},
    "parsing_res_list": [{"block_label": "table", "block_bbox": [100, 100, 500, 200], "block_content": HTML}],
    "table_res_list": [
        {
            "pred_html": HTML,
            "cell_box_list": [[100, 100, 300, 150], [300, 100, 500, 150], [100, 150, 300, 200], [300, 150, 500, 200]],
            "table_ocr_pred": {
                "rec_texts": ["bolt", "M6", "1", "nut"],
                "rec_scores": [0.9, 0.7, 0.8, 0.6],
                "rec_boxes": [[110, 110, 150, 140], [160, 110, 190, 140], [310, 155, 330, 190], [0, 0, 1, 1]],
            },
        }
    ],
}


def read(value: Any) -> Read:
    raw = json.dumps(value).encode()
    assert recognise(raw, "res.json") == "ppstructure"
    return ppstructure.read(raw, name="res.json", pages=())


def test_lines_of_ocr_belong_to_cells_by_text_or_by_place() -> None:
    (found,) = read(RESULT).tables
    assert [[(said.value, said.source) for said in cell.confidence] for cell in found.table.cells] == [
        [(0.7, "PaddleOCR line score, lowest of 2")],
        [],
        [(0.6, "PaddleOCR line score")],
        [(0.8, "PaddleOCR line score")],
    ]
    assert found.table.cells[1].box == Box(2, 0.3, 0.2, 0.5, 0.3)
    assert found.boxes == (Box(2, 0.1, 0.2, 0.5, 0.4),)
    assert [(said.value, said.kind, said.unit) for said in found.confidence] == [(0.95, "detection", "table")]


@pytest.mark.parametrize(
    ("change", "note"),
    [
        (lambda boxes: boxes.pop(), "3 cell boxes for 4 cells: they were left out"),
        (lambda boxes: boxes.reverse(), "4 cell boxes in another order than the cells: they were left out"),
    ],
)
def test_cell_boxes_that_do_not_fit_the_cells_are_left_out(change: Callable[[Any], Any], note: str) -> None:
    value = deepcopy(RESULT)
    change(value["table_res_list"][0]["cell_box_list"])
    (found,) = read(value).tables
    assert all(cell.box is None for cell in found.table.cells)
    assert found.notes == (note, "3 lines of OCR belong to no single cell: their scores were left out")


def test_pages_in_a_list_or_in_wrappers_are_read_and_name_their_documents() -> None:
    found = read([{"res": RESULT | {"input_path": "a.png"}}, RESULT | {"input_path": "b.png"}])
    assert [(table.document, table.place) for table in found.tables] == [
        ("a.png", "/0/res/table_res_list/0"),
        ("b.png", "/1/table_res_list/0"),
    ]


def test_without_table_results_the_parsed_blocks_are_read() -> None:
    (found,) = read({key: part for key, part in RESULT.items() if key != "table_res_list"}).tables
    assert (found.table.text_at(0, 0), found.place) == ("bolt M6", "/parsing_res_list/0")


def test_regions_of_the_older_tool_are_read_without_boxes() -> None:
    region = {"type": "table", "bbox": [1, 2, 3, 4], "res": {"html": HTML, "cell_bbox": [[0, 0, 5, 0, 5, 5, 0, 5]]}}
    (found,) = read([{"type": "text", "res": []}, region]).tables
    assert found.table.text_at(1, 0) == "nut"
    assert found.notes == ("its boxes say no page size and were left out",)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda v: v.update(page_index="x"), r"/page_index: 'x', expected a whole number"),
        (lambda v: v["table_res_list"].append(3), r"^/table_res_list/1: '3', expected an object"),
        (lambda v: v["table_res_list"][0].update(table_ocr_pred=[1]), r"^/table_res_list/0/table_ocr_pred: "),
    ],
)
def test_a_wrong_part_is_named_by_its_pointer(change: Callable[[Any], Any], message: str) -> None:
    value = deepcopy(RESULT)
    change(value)
    with pytest.raises(FormatError, match=message):
        read(value)


@pytest.mark.corpus
def test_the_sample_has_a_box_for_each_cell_and_a_score_for_each_text(corpus_file: Callable[[str], Path]) -> None:
    raw = corpus_file("formats/paddleocr/ppstructurev3_res.json").read_bytes()
    (found,) = ppstructure.read(raw, name="a.json").tables
    assert [cell.box is not None for cell in found.table.cells] == [True] * 7
    assert [bool(cell.confidence) for cell in found.table.cells] == [True] * 6 + [False]
