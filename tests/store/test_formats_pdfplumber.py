from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scoring.table import Box
from store.formats import FormatError, Read, pdfplumber, recognise
from store.pages import PageSize

PAGE = PageSize(1, 600, 800)
TABLE: dict[str, Any] = {
    "page": 1,
    "bbox": [60, 80, 300, 200],
    "rows": [
        [[60, 80, 180, 160], [180, 80, 300, 120]],
        [None, [180, 120, 300, 160]],
        [[60, 160, 300, 200], None],
    ],
    "text": [["item", "price"], [None, "net"], ["bolt", None]],
}


def read(value: Any, *pages: PageSize) -> Read:
    raw = json.dumps(value).encode()
    assert recognise(raw, "a.json") == "pdfplumber"
    return pdfplumber.read(raw, name="a.json", pages=pages)


def test_spans_are_rebuilt_from_the_boxes_that_cover_the_nulls() -> None:
    (found,) = read([TABLE], PAGE).tables
    assert [(cell.text, cell.row_span, cell.col_span) for cell in found.table.cells] == [
        ("item", 2, 1),
        ("price", 1, 1),
        ("net", 1, 1),
        ("bolt", 1, 2),
    ]
    assert found.table.cells[0].box == Box(1, 0.1, 0.1, 0.3, 0.2)
    assert found.boxes == (Box(1, 0.1, 0.1, 0.5, 0.25),)
    assert (found.table.header_rows, found.notes) == (2, ("the first 2 rows were taken as the header",))


def test_without_the_page_spans_are_kept_and_boxes_left_out() -> None:
    (found,) = read(TABLE).tables
    assert found.table.cells[0].row_span == 2
    assert found.table.cells[0].box is None
    assert found.notes[-1].startswith("boxes were left out")


def test_without_boxes_a_null_is_a_hole_and_an_empty_text_a_cell() -> None:
    (found,) = read([["item", None], ["bolt", ""]]).tables
    assert found.table.at(0, 1) is None
    assert found.table.text_at(1, 1) == ""
    assert found.notes[-1] == "1 positions belong to spanning cells, and the file does not say to which: left open"


@pytest.mark.parametrize(
    ("value", "places"),
    [
        ([[["a"]], [["b"]]], ["/0", "/1"]),
        ([[[["a"]]], [], [[["b"]], [["c"]]]], ["/0/0", "/2/0", "/2/1"]),
    ],
)
def test_lists_of_tables_and_of_pages_are_read(value: Any, places: list[str]) -> None:
    assert [table.place for table in read(value).tables] == places


def test_boxes_of_another_table_are_not_used() -> None:
    (found,) = read(TABLE | {"rows": TABLE["rows"][:2]}, PAGE).tables
    assert found.table.at(1, 0) is None
    assert "left open" in found.notes[-1]


@pytest.mark.parametrize("value", [[["a", "b"], ["c", "d"]], [["a", 1]], [[{"a": 1}]], ["a"], []])
def test_other_lists_are_not_taken_for_it(value: Any) -> None:
    assert not pdfplumber.sniff(json.dumps(value).encode(), "a.json")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([TABLE, 7], r"^/1: '7', expected a list of rows"),
        ([["a", None], ["b", {"c": 1}]], r"^/1/1: .*expected a text or null"),
        (TABLE | {"page": 0}, r"^/page: '0', expected a whole number from 1 on"),
        (TABLE | {"text": [["a"], *[["b"]] * 60, 5]}, r"^/61: '5', expected a list of texts"),
    ],
)
def test_a_wrong_part_is_named_by_its_pointer(value: Any, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        pdfplumber.read(json.dumps(value).encode(), name="a.json", pages=())


@pytest.mark.corpus
def test_the_samples_have_no_holes(corpus_file: Callable[[str], Path]) -> None:
    expected = {"nics-background-checks-2015-11": 11, "senate-expenditures": 8, "table-curves-example": 9}
    for name, spans in expected.items():
        raw = corpus_file(f"formats/pdfplumber/{name}_tables.json").read_bytes()
        (found,) = pdfplumber.read(raw, name="a.json", pages=(PAGE,)).tables
        assert len(found.table.grid) == found.table.n_rows * found.table.n_cols
        assert sum(cell.row_span * cell.col_span > 1 for cell in found.table.cells) == spans
        assert found.repairs == ()
