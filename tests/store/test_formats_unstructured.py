from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scoring.table import Box
from store.formats import FormatError, Read, recognise, unstructured

HTML = "<table><thead><th>item</th><th>price</th></thead><tr><td>bolt</td><td>1.20</td></tr></table>"


def element(**metadata: Any) -> dict[str, Any]:
    return {"type": "Table", "element_id": "a1", "text": "item", "metadata": {"page_number": 2, **metadata}}


def read(*elements: Any) -> Read:
    raw = json.dumps(elements).encode()
    assert recognise(raw, "out.json") == "unstructured"
    return unstructured.read(raw, name="out.json", pages=())


def test_header_cells_without_a_row_are_a_row() -> None:
    (found,) = read({"type": "Title", "element_id": "a0", "metadata": {}}, element(text_as_html=HTML)).tables
    assert (found.table.n_rows, found.table.header_rows, found.place) == (2, 1, "/1")


@pytest.mark.parametrize(
    ("system", "box"), [("PixelSpace", (0.1, 0.1, 0.5, 0.2)), ("PointSpace", (0.1, 0.8, 0.5, 0.9))]
)
def test_a_box_is_counted_from_where_its_system_begins(system: str, box: tuple[float, ...]) -> None:
    points = [[100, 200], [100, 400], [500, 400], [500, 200]]
    where = {"points": points, "system": system, "layout_width": 1000, "layout_height": 2000}
    (found,) = read(element(text_as_html=HTML, coordinates=where)).tables
    assert found.boxes == (Box(2, *box),)


def test_the_detectors_probability_speaks_of_the_table_and_not_of_its_cells() -> None:
    (found,) = read(element(text_as_html=HTML, detection_class_prob=0.93)).tables
    (said,) = found.confidence
    assert (said.value, said.kind, said.unit, said.raw) == (0.93, "detection", "table", "0.93")
    assert all(cell.confidence == () for cell in found.table.cells)


def test_without_html_the_cells_are_read_by_their_places() -> None:
    cells = [{"x": 0, "y": 0, "w": 2, "h": 1, "content": "a"}, {"x": 1, "y": 1, "w": 1, "h": 1, "content": "b"}]
    (found,) = read(element(table_as_cells=cells)).tables
    assert [(cell.row, cell.col, cell.text, cell.col_span) for cell in found.table.cells] == [
        (0, 0, "a", 2),
        (1, 1, "b", 1),
    ]


def test_elements_of_several_files_name_their_document() -> None:
    found = read(element(text_as_html=HTML, filename="a.pdf"), element(text_as_html=HTML, filename="b.pdf"))
    assert [(table.document, table.name) for table in found.tables] == [("a.pdf", "table 1"), ("b.pdf", "table 1")]
    (one,) = read(element(text_as_html=HTML, filename="a.pdf")).tables
    assert one.document == ""


def test_chunks_tables_without_html_and_unusable_boxes_are_told() -> None:
    chunk = {"type": "CompositeElement", "element_id": "c", "metadata": {"orig_elements": "eJy"}}
    found = read(chunk, element())
    assert found.notes == (
        "/1: no table in its HTML",
        "1 chunks hold packed elements, which are not read: partition without chunking",
        "the file holds no table elements",
    )
    (table,) = read(element(text_as_html=HTML, coordinates={"points": [[1, 2]]})).tables
    assert table.notes == ("its box was left out: it is no rectangle, or the page has no size in the file",)


@pytest.mark.parametrize(
    ("metadata", "message"),
    [
        ({"table_as_cells": [{"x": -1, "y": 0}]}, r"^/0/metadata/table_as_cells/0/x: '-1'"),
        ({"table_as_cells": [{"x": 10**9, "y": 10**9}]}, "expected at most 1,000,000 positions"),
        ({"coordinates": [1]}, r"^/0/metadata/coordinates: .*expected an object"),
    ],
)
def test_a_wrong_part_is_named_by_its_pointer(metadata: dict[str, Any], message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read(element(**metadata))


@pytest.mark.corpus
def test_both_header_rows_of_the_form_are_kept(corpus_file: Callable[[str], Path]) -> None:
    raw = corpus_file("formats/unstructured/IRS-2023-Form-1095-A.pdf.json").read_bytes()
    first, *_ = unstructured.read(raw, name="a.json").tables
    assert (first.table.n_rows, first.table.n_cols, first.table.header_rows) == (5, 6, 2)
