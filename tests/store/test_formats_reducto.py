from __future__ import annotations

import json
from typing import Any

import pytest

from scoring.table import Box, Table
from store.formats import FormatError, Read, recognise, reducto

HTML = "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>"
CELLS = [["a", "b"], ["1", "2"]]


def block(content: str, **more: Any) -> dict[str, Any]:
    bbox = {"left": 0.1, "top": 0.2, "width": 0.5, "height": 0.25, "page": 1, "original_page": 7}
    return {"type": "Table", "content": content, "bbox": bbox, "confidence": "high", **more}


def answer(*blocks: Any) -> dict[str, Any]:
    chunks = [{"content": "", "embed": "", "blocks": list(blocks)}]
    return {"job_id": "j", "duration": 1, "usage": {"num_pages": 1}, "result": {"type": "full", "chunks": chunks}}


def read(value: Any) -> Read:
    raw = json.dumps(value).encode()
    assert recognise(raw, "a.json") == "reducto"
    return reducto.read(raw, name="a.json")


def texts(table: Table) -> list[list[str]]:
    return [[table.text_at(row, col) for col in range(table.n_cols)] for row in range(table.n_rows)]


@pytest.mark.parametrize(
    "content",
    [
        HTML,
        "| a | b |\n|---|---|\n| 1 | 2 |",
        "a,b\n1,2\n",
        json.dumps([["a", "b"], [1, 2]]),
        json.dumps([[{"text": "a"}, {"text": "b"}], [{"text": "1"}, "2"]]),
    ],
)
def test_the_content_is_read_in_whichever_notation_it_is(content: str) -> None:
    (found,) = read(answer({"type": "Text", "content": "x", "bbox": {}}, block(content))).tables
    assert (texts(found.table), found.table.header_rows) == (
        CELLS,
        1 if "," not in content or content[0] in "[a" else 0,
    )
    assert (found.boxes, found.place) == ((Box(7, 0.1, 0.2, 0.6, 0.45),), "/result/chunks/0/blocks/1")


def test_cells_with_boxes_keep_them() -> None:
    bbox = {"left": 0.5, "top": 0.5, "width": 0.25, "height": 0.25, "page": 1}
    (found,) = read(answer(block(json.dumps([[{"text": "a", "bbox": bbox}]])))).tables
    assert found.table.cells[0].box == Box(7, 0.5, 0.5, 0.75, 0.75)


def test_label_and_numbers_stand_side_by_side_and_the_label_is_no_number() -> None:
    numbers = {"parse_confidence": 0.13, "extract_confidence": None}
    (found,) = read(answer(block(HTML, granular_confidence=numbers))).tables
    assert [(said.value, said.kind, said.raw) for said in found.confidence] == [
        (None, "extraction", "high"),
        (0.13, "text", "0.13"),
    ]


def test_a_link_in_place_of_the_result_is_refused_without_showing_it() -> None:
    value = {"job_id": "j", "result": {"type": "url", "url": "https://example.com/?signature=secret"}}
    with pytest.raises(FormatError, match=r"^/result: a link to the result, expected the result itself") as refused:
        read(value)
    assert "secret" not in str(refused.value)


def test_blocks_without_a_table_are_told() -> None:
    found = read(answer(block("prose without cells")))
    assert found.notes == (
        "/result/chunks/0/blocks/0: a table block without a table was left out",
        "the answer holds no tables",
    )


def test_a_wild_box_is_left_out_and_merged_tables_are_told() -> None:
    (found,) = read(answer(block(HTML, bbox={"left": "NaN"}, merged_tables=[{}, {}]))).tables
    assert found.boxes == ()
    assert found.notes == ("its box is no rectangle and was left out", "was put together from 2 tables")


def test_a_wrong_part_is_named_by_its_pointer() -> None:
    with pytest.raises(FormatError, match=r"^/result/chunks/0/blocks/1: '7', expected an object"):
        read(answer(block(HTML), 7))
