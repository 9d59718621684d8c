from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scoring.table import Box
from store.formats import FormatError, Read, docling, recognise
from store.formats.contract import Repair
from store.pages import PageSize


def cell(row: int, col: int, text: str, *, rows: int = 1, cols: int = 1, **more: Any) -> dict[str, Any]:
    return {
        "start_row_offset_idx": row,
        "end_row_offset_idx": row + rows,
        "start_col_offset_idx": col,
        "end_col_offset_idx": col + cols,
        "row_span": rows,
        "col_span": cols,
        "text": text,
        **more,
    }


def document(*cells: dict[str, Any], **table: Any) -> dict[str, Any]:
    return {
        "schema_name": "DoclingDocument",
        "version": "1.10.0",
        "pages": {"1": {"page_no": 1, "size": {"width": 100, "height": 200}}},
        "texts": [{"self_ref": "#/texts/0", "text": "Table 1. Parts"}],
        "tables": [{"prov": [{"page_no": 1}], "data": {"num_rows": 2, "num_cols": 2, "table_cells": cells}, **table}],
    }


def read(value: Any, *pages: PageSize) -> Read:
    raw = json.dumps(value).encode()
    assert recognise(raw, "out.json") == "docling"
    return docling.read(raw, name="out.json", pages=pages)


def test_each_box_is_counted_from_the_corner_that_it_names() -> None:
    around = {"l": 10, "t": 180, "r": 90, "b": 100, "coord_origin": "BOTTOMLEFT"}
    inside = {"l": 10, "t": 20, "r": 50, "b": 60, "coord_origin": "TOPLEFT"}
    (found,) = read(document(cell(0, 0, "a", bbox=inside), prov=[{"page_no": 1, "bbox": around}])).tables
    assert found.boxes == (Box(1, 0.1, 0.1, 0.9, 0.5),)
    assert found.table.cells[0].box == Box(1, 0.1, 0.1, 0.5, 0.3)
    assert found.table.cells[0].confidence == ()


def test_a_position_without_a_cell_is_a_hole_and_spans_are_kept() -> None:
    found = read(document(cell(0, 0, "item", cols=2, column_header=True), cell(1, 1, "all", row_section=True)))
    (table,) = (entry.table for entry in found.tables)
    assert [(entry.text, entry.col_span, entry.header) for entry in table.cells] == [
        ("item", 2, "column"),
        ("all", 1, "row"),
    ]
    assert table.at(1, 0) is None
    assert (found.extractor, found.version) == ("Docling", "DoclingDocument 1.10.0")


def test_a_caption_and_a_cell_that_holds_more_than_text_are_told() -> None:
    rich = cell(0, 0, "a\nb", ref={"$ref": "#/groups/3"})
    (found,) = read(document(rich, captions=[{"$ref": "#/texts/0"}, {"$ref": {}}, 5])).tables
    assert found.notes == ("caption: Table 1. Parts",)
    assert found.repairs == (Repair(0, 0, "holds more than a text (such as a list): only its text is read"),)


def test_the_answer_of_docling_serve_holds_the_document_inside() -> None:
    (found,) = read({"document": {"json_content": document(cell(0, 0, "a"))}, "status": "success"}).tables
    assert found.place == "/document/json_content/tables/0"


def test_without_page_sizes_those_of_the_document_count() -> None:
    value = document(cell(0, 0, "a", bbox={"l": 10, "t": 20, "r": 50, "b": 60, "coord_origin": "TOPLEFT"}))
    del value["pages"]
    (without,) = read(value).tables
    assert without.table.cells[0].box is None
    assert without.notes == ("1 boxes were left out: they are no rectangles, or on a page of unknown size",)
    (found,) = read(value, PageSize(1, 100, 200)).tables
    assert found.table.cells[0].box == Box(1, 0.1, 0.1, 0.5, 0.3)


def test_a_table_over_two_pages_keeps_its_boxes_but_not_those_of_its_cells() -> None:
    bounds = {"l": 10, "t": 20, "r": 50, "b": 60, "coord_origin": "TOPLEFT"}
    value = document(
        cell(0, 0, "a", bbox=bounds), prov=[{"page_no": 1, "bbox": bounds}, {"page_no": 2, "bbox": bounds}]
    )
    (found,) = read(value, PageSize(1, 100, 200), PageSize(2, 100, 200)).tables
    assert [box.page for box in found.boxes] == [1, 2]
    assert found.table.cells[0].box is None
    assert "several pages" in found.notes[0]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda v: v.update(tables={"a": 1}), r"^/tables: .*expected a list"),
        (lambda v: v["tables"][0]["data"]["table_cells"].append(7), r"^/tables/0/data/table_cells/1: '7'"),
        (
            lambda v: v["tables"][0]["data"]["table_cells"][0].pop("start_row_offset_idx"),
            r"^/tables/0/data/table_cells/0/start_row_offset_idx: nothing, expected a whole number",
        ),
        (lambda v: v["tables"][0]["data"].update(num_rows=10**12), "expected at most 1,000,000 positions"),
        (lambda v: v["tables"][0].update(prov=[{"page_no": 0}]), r"^/tables/0/prov/0/page_no: '0'"),
        (lambda v: v["pages"].update({"1": []}), r"^/pages/1: .*expected an object"),
    ],
)
def test_a_wrong_part_is_named_by_its_pointer(change: Callable[[Any], Any], message: str) -> None:
    value = document(cell(0, 0, "a"))
    value["tables"][0]["data"]["table_cells"] = list(value["tables"][0]["data"]["table_cells"])
    change(value)
    with pytest.raises(FormatError, match=message):
        read(value)


@pytest.mark.corpus
def test_all_boxes_of_the_sample_lie_inside_the_box_of_their_table(corpus_file: Callable[[str], Path]) -> None:
    (found,) = docling.read(corpus_file("formats/docling/2305.03393v1-pg9.json").read_bytes(), name="a").tables
    assert (found.table.n_rows, found.table.n_cols, len(found.table.cells)) == (6, 8, 41)
    (around,) = found.boxes
    inside = [
        entry
        for entry in found.table.cells
        if entry.box is not None
        and around.x0 <= entry.box.x0 <= entry.box.x1 <= around.x1
        and around.y0 <= entry.box.y0 <= entry.box.y1 <= around.y1
    ]
    assert len(inside) == 41


@pytest.mark.corpus
def test_holes_of_the_sample_stay_holes(corpus_file: Callable[[str], Path]) -> None:
    tables = docling.read(corpus_file("formats/docling/2206.01062.json").read_bytes(), name="a").tables
    holes = [entry.table.n_rows * entry.table.n_cols - len(entry.table.grid) for entry in tables]
    assert holes == [2, 3, 0, 13, 8]
