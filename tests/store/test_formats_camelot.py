from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from store.formats import FormatError, Read, camelot, html, recognise
from store.formats.csv import read as read_csv


def read(value: Any, name: str = "foo-page-2-table-1.json") -> Read:
    raw = json.dumps(value).encode()
    assert recognise(raw, name) == "camelot"
    return camelot.read(raw, name=name, pages=())


def test_rows_are_keyed_by_column_numbers_and_the_page_stands_in_the_name() -> None:
    (found,) = read([{"0": "item", "1": "price"}, {"0": "bolt\nM6", "1": ""}]).tables
    assert [cell.text for cell in found.table.cells] == ["item", "price", "bolt\nM6", ""]
    assert (found.place, found.table.header_rows) == ("page 2, table 1", 1)
    assert found.notes == ("the first row was taken as the header",)


@pytest.mark.parametrize("value", [[{"0": "a", "2": "b"}], [{"1": "a"}], [{"0": {"a": 1}}], [{"0": "a"}, {"b": 1}]])
def test_other_lists_of_objects_are_not_taken_for_it(value: Any) -> None:
    assert recognise(json.dumps(value).encode(), "a.json") == "json-records"


def test_a_row_that_is_none_is_named_by_its_pointer() -> None:
    rows: list[Any] = [{"0": "a"}] * 60
    with pytest.raises(FormatError, match=r"^/60: '7', expected an object"):
        read([*rows, 7])
    with pytest.raises(FormatError, match=r"^/60/x: 'y', expected a text under a column number below 1"):
        read([*rows, {"x": "y"}])


FRAME = (
    '<table border="1" class="dataframe"><thead><tr><th></th><th>{0}</th><th>{1}</th></tr></thead>'
    r"<tbody><tr><th>0</th><td>item\nno</td><td>price</td></tr><tr><th>1</th><td>bolt</td><td>1.20</td></tr></tbody></table>"
)


def test_the_numbers_of_pandas_are_no_cells() -> None:
    (found,) = html.read(FRAME.format("0", "1").encode(), name="a.html").tables
    assert [cell.text for cell in found.table.cells] == ["item\nno", "price", "bolt", "1.20"]
    assert found.notes == (
        "the row and column numbers of pandas were taken off",
        r"line ends that pandas wrote as \n are line ends again",
        "the first row was taken as the header",
    )


def test_named_columns_of_pandas_stay_the_header() -> None:
    (found,) = html.read(FRAME.format("a", "b").encode(), name="a.html").tables
    assert [cell.text for cell in found.table.cells][:3] == ["a", "b", "item\nno"]
    assert found.table.header_rows == 1
    assert found.notes[0] == "the row numbers of pandas were taken off"


def test_a_table_of_another_class_keeps_its_numbers() -> None:
    (found,) = html.read(FRAME.replace("dataframe", "data").format("0", "1").encode(), name="a.html").tables
    assert (found.table.n_rows, found.table.n_cols) == (3, 3)


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["foo", "column_span_1", "row_span_1"])
def test_the_exports_of_one_table_agree(corpus_file: Callable[[str], Path], name: str) -> None:
    path = f"formats/camelot/{name}_lattice-page-1-table-1"
    (plain,) = camelot.read(corpus_file(f"{path}.json").read_bytes(), name="a.json").tables
    (framed,) = html.read(corpus_file(f"{path}.html").read_bytes(), name="a.html").tables
    (separated,) = read_csv(corpus_file(f"{path}.csv").read_bytes(), name="a.csv").tables
    size = (plain.table.n_rows, plain.table.n_cols)
    assert (framed.table.n_rows, framed.table.n_cols) == (separated.table.n_rows, separated.table.n_cols) == size
    for row in range(size[0]):
        for col in range(size[1]):
            # White space at the ends of lines is lost in HTML, and the lines are what counts here.
            shown = [line.split() for line in plain.table.text_at(row, col).split("\n")]
            assert [line.split() for line in framed.table.text_at(row, col).split("\n")] == shown
            assert separated.table.text_at(row, col) == plain.table.text_at(row, col)
