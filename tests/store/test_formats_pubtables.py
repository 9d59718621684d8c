from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scoring.table import Box
from store.formats import FormatError, Read, pubtables, recognise, voc
from store.pages import PageSize

FOLDER = "formats/pubtables1m-pascalvoc/competition-dataset-us_us-001_table"


def thing(name: str, *sides: float) -> str:
    tags = zip(("xmin", "ymin", "xmax", "ymax"), sides, strict=True)
    return f"<object><name>{name}</name><bndbox>{''.join(f'<{t}>{v}</{t}>' for t, v in tags)}</bndbox></object>"


ROWS = [thing("table row", 0, top, 90, top + 10) for top in (0, 10, 20)]
COLS = [thing("table column", left, 0, left + 30, 30) for left in (60, 0, 30)]


def annotation(*more: str, objects: list[str] | None = None) -> str:
    size = "<size><width>90</width><height>30</height></size>"
    return f"<annotation><filename>a.jpg</filename>{size}{''.join(objects or ROWS + COLS)}{''.join(more)}</annotation>"


def read_voc(text: str, *pages: PageSize) -> Read:
    assert recognise(text.encode(), "a.xml") == "voc"
    return voc.read(text.encode(), name="a.xml", pages=pages)


def test_rows_by_columns_are_cells_and_spanning_cells_merge_what_they_cover_by_half() -> None:
    spanning, header = thing("table spanning cell", 28, 1, 90, 9), thing("table column header", 0, 0, 90, 11)
    (found,) = read_voc(annotation(spanning, header, thing("table projected row header", 0, 11, 90, 20))).tables
    assert [(cell.row, cell.col, cell.col_span, cell.header) for cell in found.table.cells] == [
        (0, 0, 1, "column"),
        (0, 1, 2, "column"),
        (1, 0, 3, "row"),
        (2, 0, 1, ""),
        (2, 1, 1, ""),
        (2, 2, 1, ""),
    ]
    assert found.table.cells[1].box == Box(1, 0.333333, 0.0, 1.0, 0.333333)
    assert found.notes == ("the file holds the structure only: there is no text in the cells",)
    assert found.place == "a.jpg"


def test_words_that_follow_go_to_the_cell_in_which_their_middle_lies() -> None:
    words = [
        {"text": "bolt", "bbox": [2, 2, 20, 8]},
        {"text": "M6", "bbox": [21, 2, 29, 8]},
        {"text": "far", "bbox": [200, 2, 220, 8]},
    ]
    (found,) = read_voc(annotation() + json.dumps(words)).tables
    assert found.table.text_at(0, 0) == "bolt M6"
    assert found.notes == ("1 words lie outside the rows and columns and were left out",)


def test_boxes_of_the_image_are_no_boxes_of_a_page_of_another_shape() -> None:
    (found,) = read_voc(annotation(), PageSize(1, 612, 792)).tables
    assert found.table.cells[0].box is None
    assert "the document is another" in found.notes[0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (annotation(objects=[thing("table", 0, 0, 9, 9)]), "no rows or no columns"),
        (annotation(thing("table row", 5, 5, 5, 5)), r"object 7 \(table row\): "),
        (annotation(thing("table row", 0, float("nan"), 5, 5)), r"object 7 \(table row\): "),
        (annotation()[:-20], r"line 1, column \d+: not XML"),
        (annotation() + '[{"bbox": [1]}]', r"^/0/bbox: .*four finite numbers"),
        (annotation() + "7", "expected a list of words"),
    ],
)
def test_what_cannot_be_read_is_named_by_its_place(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_voc(text)


def cell(rows: list[int], cols: list[int], text: str = "x", **more: Any) -> dict[str, Any]:
    return {"row_nums": rows, "column_nums": cols, "pdf_text_content": text, **more}


def table(*cells: Any, **more: Any) -> dict[str, Any]:
    return {"pdf_page_index": 1, "pdf_full_page_bbox": [0, 0, 600, 800], "cells": cells, **more}


def read(value: Any) -> Read:
    raw = json.dumps(value).encode()
    assert recognise(raw, "a.json") == "pubtables"
    return pubtables.read(raw, name="a.json", pages=())


def test_cells_of_the_page_annotation_name_their_rows_and_columns() -> None:
    (found,) = read(
        [table(cell([0], [0, 1], "head", is_column_header=True, pdf_bbox=[60, 80, 300, 160]), cell([1, 2], [0]))]
    ).tables
    spans = [(entry.text, entry.row_span, entry.col_span) for entry in found.table.cells]
    assert spans == [("head", 1, 2), ("x", 2, 1)]
    assert found.table.cells[0].box == Box(2, 0.1, 0.1, 0.5, 0.2)
    assert found.table.header_rows == 1


def test_a_file_of_several_documents_names_each() -> None:
    tables = [table(cell([0], [0]), pdf_file_name=name) for name in ("a.pdf", "b.pdf", "b.pdf")]
    assert [(found.document, found.name) for found in read(tables).tables] == [
        ("a.pdf", "table 1"),
        ("b.pdf", "table 1"),
        ("b.pdf", "table 2"),
    ]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([table(cell([0], [0]), cell([], [0]))], r"^/0/cells/1/row_nums: .*expected a list of whole numbers"),
        ([table(cell([0], [0]), cell([-1], [0]))], r"^/0/cells/1/row_nums/0: '-1'"),
        ([table(cell([0], [10**9]))], "expected at most 1,000,000 positions|cell at row"),
        ([table(cell([0], [0])), 3], r"^/1: '3', expected an object"),
    ],
)
def test_a_wrong_part_is_named_by_its_pointer(value: Any, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read(value)


@pytest.mark.corpus
def test_both_annotations_of_the_sample_agree(corpus_file: Callable[[str], Path]) -> None:
    xml = corpus_file(f"{FOLDER}_0.xml").read_bytes()
    (boxes,) = voc.read(xml + corpus_file(f"{FOLDER}_0_words.json").read_bytes(), name="a.xml").tables
    cells, _ = pubtables.read(corpus_file(f"{FOLDER}s.json").read_bytes(), name="a.json").tables
    assert (boxes.table.n_rows, boxes.table.n_cols) == (26, 11)
    assert sum(entry.row_span * entry.col_span > 1 for entry in boxes.table.cells) == 4
    for one, other in zip(boxes.table.cells, cells.table.cells, strict=True):
        assert (one.row, one.col, one.row_span, one.col_span) == (other.row, other.col, other.row_span, other.col_span)
        # Leading dots are words of their own in one of the two.
        assert one.col == 0 or one.text == other.text
