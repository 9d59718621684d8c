from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scoring.table import Box
from store.formats import FormatError, Read, recognise, tabula
from store.pages import PageSize

PAGE = PageSize(1, 600, 800)


def cell(text: str, left: float, top: float, width: float, height: float = 40) -> dict[str, Any]:
    return {"text": text, "left": left, "top": top, "width": width, "height": height}


ZERO = cell("", 0, 0, 0, 0)


def table(*rows: list[dict[str, Any]], method: str = "lattice") -> dict[str, Any]:
    sides = {"top": 80.0, "left": 60.0, "width": 240.0, "height": 80.0}
    return {"extraction_method": method, "page_number": 1, **sides, "data": rows}


def read(value: Any, *pages: PageSize) -> Read:
    raw = json.dumps(value).encode()
    assert recognise(raw, "a.json") == "tabula"
    return tabula.read(raw, name="a.json", pages=pages)


def test_columns_follow_from_the_boxes_as_rows_list_their_cells_without_gaps() -> None:
    value = table(
        [cell("head", 60, 80, 120), cell("total", 180, 80, 120, 80), ZERO],
        [cell("a", 60, 120, 60), cell("b", 120, 120.4, 60), ZERO],
    )
    (found,) = read([value], PAGE).tables
    assert [(entry.text, entry.row, entry.col, entry.row_span, entry.col_span) for entry in found.table.cells] == [
        ("head", 0, 0, 1, 2),
        ("total", 0, 2, 2, 1),
        ("a", 1, 0, 1, 1),
        ("b", 1, 1, 1, 1),
    ]
    assert found.table.cells[0].box == Box(1, 0.1, 0.1, 0.3, 0.15)
    assert found.boxes == (Box(1, 0.1, 0.1, 0.5, 0.2),)


def test_in_stream_tables_a_box_of_zeros_is_an_empty_cell_without_a_box() -> None:
    (found,) = read(table([ZERO, cell("a", 90, 80, 30, 4.5)], [cell("b", 60, 120, 30), ZERO], method="stream")).tables
    assert [(entry.text, entry.row, entry.col) for entry in found.table.cells] == [
        ("", 0, 0),
        ("a", 0, 1),
        ("b", 1, 0),
        ("", 1, 1),
    ]
    assert found.table.cells[0].box is None
    assert found.place == "/"


def test_lines_in_a_cell_are_parted_by_line_ends() -> None:
    (found,) = read(table([cell("a\rb", 60, 80, 60)])).tables
    assert found.table.cells[0].text == "a\nb"


def test_without_the_page_boxes_are_left_out_and_told() -> None:
    (found,) = read(table([cell("a", 60, 80, 60)])).tables
    assert found.table.cells[0].box is None
    assert found.notes[-1].startswith("boxes were left out")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([table([ZERO]), 7], r"^/1: '7', expected an object"),
        (table([ZERO]) | {"data": [5]}, r"^/data/0: '5', expected a list of cells"),
        (table([ZERO]) | {"page_number": "x"}, r"^/page_number: 'x'"),
    ],
)
def test_a_wrong_part_is_named_by_its_pointer(value: Any, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read(value)


@pytest.mark.corpus
def test_zero_boxes_of_the_samples_are_covered_places(corpus_file: Callable[[str], Path]) -> None:
    raw = corpus_file("formats/tabula/spanning_cells.json").read_bytes()
    first, second = tabula.read(raw, name="a.json", pages=(PAGE,)).tables
    assert (first.table.cells[0].text, first.table.cells[0].col_span) == ("Improved operation scenario", 6)
    assert (second.table.cells[0].text, second.table.cells[0].col_span) == ("All alternative scenarios", 6)
    assert len(first.table.grid) == 21 * 6
    assert all(cell.box is not None and cell.box.x0 > 0 for cell in first.table.cells)
    raw = corpus_file("formats/tabula/twotables.json").read_bytes()
    _, other = tabula.read(raw, name="a.json", pages=(PAGE,)).tables
    assert (other.table.n_cols, other.table.text_at(1, 7), other.table.header_rows) == (8, "純資産合計", 2)
    assert other.repairs == ()
