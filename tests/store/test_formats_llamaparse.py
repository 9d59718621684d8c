from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scoring.table import Box, Table
from store.formats import FormatError, Read, llamaparse, recognise
from store.pages import PageSize

ROWS = [["item", "price"], ["bolt", 1.20], ["nut", None]]


def v1(*items: Any, **more: Any) -> list[dict[str, Any]]:
    page = {"page": 1, "text": "", "md": "", "width": 600, "height": 800, "items": list(items), **more}
    return [{"pages": [page], "job_id": "j", "job_metadata": {}}]


def v2(*items: Any, **more: Any) -> dict[str, Any]:
    page = {"page_number": 2, "page_width": 600, "page_height": 800, "success": True, "items": list(items), **more}
    return {"items": {"pages": [page]}, "metadata": {"pages": [{"page_number": 2, "confidence": 0.5}]}}


def read(value: Any, *pages: PageSize) -> Read:
    raw = json.dumps(value).encode()
    assert recognise(raw, "a.json") == "llamaparse"
    return llamaparse.read(raw, name="a.json", pages=pages)


def texts(table: Table) -> list[list[str]]:
    return [[table.text_at(row, col) for col in range(table.n_cols)] for row in range(table.n_rows)]


def test_rows_are_read_and_the_first_one_is_the_header() -> None:
    (found,) = read(
        v1({"type": "text"}, {"type": "table", "rows": ROWS, "bBox": {"x": 60, "y": 80, "w": 300, "h": 40}})
    ).tables
    assert texts(found.table) == [["item", "price"], ["bolt", "1.2"], ["nut", ""]]
    assert (found.table.header_rows, found.place, found.notes) == (1, "/0/pages/0/items/1", ())
    assert found.boxes == (Box(1, 0.1, 0.1, 0.6, 0.15),)


def test_a_box_needs_the_size_of_its_page() -> None:
    item = {"type": "table", "rows": ROWS, "bBox": {"x": 60, "y": 80, "w": 300, "h": 40}}
    value = v1(item, width=None, height=None)
    (without,) = read(value).tables
    assert without.boxes == ()
    assert without.notes == ("its box on page 1 was left out: the size of the page is not known",)
    assert without.place.endswith(", page 1")
    assert read(value, PageSize(1, 600, 800)).tables[0].boxes == (Box(1, 0.1, 0.1, 0.6, 0.15),)


@pytest.mark.parametrize("box", [{"x": None, "y": 1, "w": None, "h": 2}, {"x": 1, "y": 1, "w": -5, "h": 2}, {}, 7])
def test_a_box_that_is_not_whole_is_left_out(box: Any) -> None:
    (found,) = read(v1({"type": "table", "rows": ROWS, "bBox": box})).tables
    assert found.boxes == ()


def test_html_has_the_spans_and_csv_is_never_read() -> None:
    html = "<table><tr><th colspan=2>all</th></tr><tr><td>1</td><td>2</td></tr></table>"
    (found,) = read(v2({"type": "table", "html": html, "rows": [["all", "all"]], "csv": "x,y", "md": "| z |"})).tables
    assert texts(found.table) == [["all", "all"], ["1", "2"]]
    assert found.table.cells[0].col_span == 2
    (found,) = read(v1({"type": "table", "rows": [], "md": "| a |\n|---|\n| 1 |", "csv": "x"})).tables
    assert texts(found.table) == [["a"], ["1"]]


def test_the_confidence_of_a_page_is_that_of_its_tables_and_that_of_boxes_stands_beside() -> None:
    boxes = [
        {"x": 0, "y": 0, "w": 60, "h": 80, "confidence": 0.9},
        {"x": 0, "y": 80, "w": 60, "h": 80, "confidence": 0.8},
    ]
    (found,) = read(v2({"type": "table", "rows": ROWS, "bbox": boxes})).tables
    assert [(said.value, said.kind, said.unit) for said in found.confidence] == [
        (0.8, "detection", "table"),
        (0.5, "extraction", "page"),
    ]
    assert [box.page for box in found.boxes] == [2, 2]
    assert all(cell.confidence == () for cell in found.table.cells)


def test_merged_tables_are_told_and_the_emptied_one_is_passed_over() -> None:
    whole = {
        "type": "table",
        "rows": ROWS,
        "merged_from_pages": [2, 3],
        "parse_concerns": [{"type": "header_value_type_mismatch"}],
    }
    found = read(v2(whole, {"type": "table", "rows": [], "merged_into_page": 1}))
    assert found.tables[0].notes == (
        "was put together from pages 2 and 3",
        "LlamaParse is in doubt: header value type mismatch",
    )
    assert found.notes == ("/items/pages/0/items/1 is empty: its rows were joined to the table on page 1",)


def test_pages_that_failed_are_told() -> None:
    failed = [{"page_number": 3, "success": False, "error": "timed out"}, {"page_number": 4, "success": False}]
    assert read({"pages": failed}).notes == (
        "LlamaParse could not read page 3: timed out",
        "LlamaParse could not read page 4: no reason given",
        "the answer holds no tables",
    )


def test_markdown_is_read_of_a_page_without_items() -> None:
    (found,) = read(v1(md="# a\n\n| a |\n|---|\n| 1 |")).tables
    assert (texts(found.table), found.place) == ([["a"], ["1"]], "/0/pages/0/md, line 3, page 1")


@pytest.mark.parametrize(
    ("item", "message"),
    [
        ({"type": "table", "rows": {"a": 1}}, r"/0/pages/0/items/0/rows: an object of 1 keys, expected a list"),
        ({"type": "table", "rows": ["a"]}, r"/0/pages/0/items/0/rows/0: 'a', expected a list of cells"),
        ({"type": "table", "rows": [[{}]]}, r"/rows/0/0: an object of 0 keys, expected a text, a number or null"),
    ],
)
def test_a_wrong_part_is_named_by_its_pointer(item: Any, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read(v1(item))


@pytest.mark.corpus
def test_the_sample_has_its_tables(corpus_file: Callable[[str], Path]) -> None:
    raw = corpus_file("formats/llamaparse/v1_json_mode_items.json").read_bytes()
    assert recognise(raw, "a.json") == "llamaparse"
    first, second = llamaparse.read(raw, name="a.json").tables
    assert (first.table.n_rows, first.table.n_cols, first.table.header_rows) == (11, 2, 1)
    assert texts(second.table)[1] == ["Under 5 Years", "~50,000"]
    assert second.place.endswith("page 35")
