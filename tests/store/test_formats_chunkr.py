from __future__ import annotations

import json
from typing import Any

import pytest

from scoring.table import Box, Table
from store.formats import FormatError, Read, chunkr, recognise

HTML = "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>"


def segment(**more: Any) -> dict[str, Any]:
    plain = {
        "segment_id": "s",
        "segment_type": "Table",
        "bbox": {"left": 100, "top": 200, "width": 500, "height": 250},
        "page_number": 2,
        "page_width": 1000,
        "page_height": 1000,
        "html": HTML,
        "markdown": "| x |\n|---|\n| y |",
        "confidence": 0.9,
        "ocr": [{"bbox": {}, "text": "1", "confidence": 0.8}, {"bbox": {}, "text": "2", "confidence": 0.6}],
    }
    return {**plain, **more}


def answer(*segments: Any, **more: Any) -> dict[str, Any]:
    output = {"chunks": [{"chunk_id": "c", "segments": list(segments)}], "file_name": "a.pdf"}
    return {"task_id": "t", "status": "Succeeded", "configuration": {}, "output": output, **more}


def read(value: Any) -> Read:
    raw = json.dumps(value).encode()
    assert recognise(raw, "a.json") == "chunkr"
    return chunkr.read(raw, name="a.json")


def texts(table: Table) -> list[list[str]]:
    return [[table.text_at(row, col) for col in range(table.n_cols)] for row in range(table.n_rows)]


def test_a_table_segment_has_its_box_and_what_is_said_of_it() -> None:
    (found,) = read(answer(segment(segment_type="Text", html="<p>x</p>"), segment())).tables
    assert texts(found.table) == [["a", "b"], ["1", "2"]]
    assert (found.boxes, found.place) == ((Box(2, 0.1, 0.2, 0.6, 0.45),), "/output/chunks/0/segments/1")
    assert [(said.value, said.kind, said.unit) for said in found.confidence] == [
        (0.9, "detection", "table"),
        (0.6, "text", "word"),
    ]


def test_the_markdown_is_read_where_there_is_no_html() -> None:
    (found,) = read(answer(segment(html=""))).tables
    assert texts(found.table) == [["x"], ["y"]]


@pytest.mark.parametrize(
    "old",
    [
        {"bbox": None, "left": 100, "top": 200, "width": 500, "height": 250},
        {"bbox": {"x1": 100, "y1": 200, "x2": 600, "y2": 450}},
    ],
)
def test_boxes_of_older_answers_are_read(old: dict[str, Any]) -> None:
    (found,) = read(answer(segment(segment_type=None, type="Table", **old))).tables
    assert found.boxes == (Box(2, 0.1, 0.2, 0.6, 0.45),)


@pytest.mark.parametrize("wrong", [{"page_width": None}, {"bbox": {"left": "NaN"}}, {"bbox": {"x1": 5, "x2": 1}}])
def test_a_segment_without_a_whole_box_tells_its_page(wrong: dict[str, Any]) -> None:
    (found,) = read(answer(segment(**wrong))).tables
    assert (found.boxes, found.place) == ((), "/output/chunks/0/segments/0, page 2")


def test_the_confidence_of_spreadsheets_is_not_kept() -> None:
    (found,) = read(answer(segment(confidence=1, ss_range="A1:B2", ss_cells=[]))).tables
    assert found.confidence == ()


def test_the_output_alone_and_the_bare_chunks_read_alike() -> None:
    whole = answer(segment())
    for value, place in ((whole["output"], "/chunks/0/segments/0"), (whole["output"]["chunks"], "/0/segments/0")):
        (found,) = read(value).tables
        assert (found.table, found.place) == (read(whole).tables[0].table, place)


def test_a_task_that_has_not_succeeded_is_refused() -> None:
    with pytest.raises(FormatError, match=r"^/status: 'Processing', expected a task that Succeeded"):
        read(answer(status="Processing", output=None))


def test_no_link_of_the_answer_is_shown() -> None:
    found = read(answer(segment(html="", markdown="", image="https://x/?X-Amz-Signature=secret")))
    assert "secret" not in " ".join(found.notes)
    assert found.notes[0] == "/output/chunks/0/segments/0: a table segment without a table was left out"


def test_a_wrong_part_is_named_by_its_pointer() -> None:
    with pytest.raises(FormatError, match=r"^/output/chunks/0/segments/0/page_number: '0', expected a whole number"):
        read(answer(segment(page_number=0)))
