from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from scoring.table import Box, Cell
from store.formats import FormatError, Read, azure, recognise
from store.pages import PageSize


def polygon(x0: float, y0: float, x1: float, y1: float) -> list[float]:
    return [x0, y0, x1, y0, x1, y1, x0, y1]


def word(text: str, offset: int, x: float, confidence: float) -> dict[str, Any]:
    return {
        "content": text,
        "polygon": polygon(x, 1, x + 0.5, 1.2),
        "confidence": confidence,
        "span": {"offset": offset, "length": len(text)},
    }


def cell(row: int, col: int, content: str, offset: int, **more: Any) -> dict[str, Any]:
    spans = [{"offset": offset, "length": len(content)}] if content else []
    return {"rowIndex": row, "columnIndex": col, "content": content, "spans": spans, **more}


def answer(cells: list[dict[str, Any]], words: list[dict[str, Any]], **page: Any) -> dict[str, Any]:
    plain = {
        "apiVersion": "2024-11-30",
        "modelId": "prebuilt-layout",
        "stringIndexType": "textElements",
        "content": "Net total 12.50",
        "pages": [{"pageNumber": 1, "width": 8, "height": 10, "unit": "inch", "words": words, **page}],
        "tables": [{"rowCount": 2, "columnCount": 2, "cells": cells}],
    }
    return deepcopy(plain)  # tests change their answer


WORDS = [word("Net", 0, 1, 0.99), word("total", 4, 2, 0.43), word("12.50", 10, 4, 0.9)]
CELLS = [
    cell(0, 0, "Net total", 0, kind="columnHeader", columnSpan=2),
    cell(1, 0, "12.50", 10, boundingRegions=[{"pageNumber": 1, "polygon": polygon(4, 0.5, 6, 1.5)}]),
    cell(1, 1, "", 0),
]


def read(value: Any, *pages: PageSize) -> Read:
    raw = json.dumps(value).encode()
    assert recognise(raw, "answer.json") == "azure"
    return azure.read(raw, name="answer.json", pages=pages)


def test_a_cell_has_its_box_its_header_and_the_confidence_of_its_least_certain_word() -> None:
    found = read(answer(CELLS, WORDS))
    assert (found.extractor, found.version) == ("Azure AI Document Intelligence", "prebuilt-layout 2024-11-30")
    (table,) = (entry.table for entry in found.tables)
    head, amount, empty = table.cells
    assert (head.header, head.col_span, head.text) == ("column", 2, "Net total")
    assert (head.confidence[0].value, head.confidence[0].raw) == (0.43, "0.43")
    assert head.confidence[0].source == "Azure word confidence, lowest of 2"
    assert (head.confidence[0].kind, head.confidence[0].unit) == ("text", "word")
    assert amount.box == Box(1, 0.5, 0.05, 0.75, 0.15)
    assert empty.confidence == ()


@pytest.mark.parametrize(
    "wrap", [lambda a: a, lambda a: {"status": "succeeded", "analyzeResult": a}, lambda a: [{"x": {"r": a}}]]
)
def test_envelope_bare_result_and_wrappers_read_alike(wrap: Callable[[Any], Any]) -> None:
    (found,) = read(wrap(answer(CELLS, WORDS))).tables
    assert found.table == read(answer(CELLS, WORDS)).tables[0].table
    assert found.place.endswith("/tables/0")


def test_the_older_python_spelling_reads_alike() -> None:
    def snake(value: Any) -> Any:
        if isinstance(value, dict):
            return {"".join(f"_{c.lower()}" if c.isupper() else c for c in key): snake(v) for key, v in value.items()}
        if isinstance(value, list) and len(value) == 8 and isinstance(value[0], int | float):
            return [{"x": x, "y": y} for x, y in zip(value[0::2], value[1::2], strict=True)]
        return [snake(entry) for entry in value] if isinstance(value, list) else value

    (found,) = read({"analyze_result": snake(answer(CELLS, WORDS))}).tables
    assert found.table == read(answer(CELLS, WORDS)).tables[0].table


def test_words_whose_spans_do_not_fit_are_found_by_their_place() -> None:
    shifted = [{**entry, "span": {"offset": entry["span"]["offset"] + 7, "length": 2}} for entry in WORDS]
    table = read(answer(CELLS, shifted)).tables[0].table
    amount = table.at(1, 0)
    assert amount is not None
    assert amount.confidence[0].value == 0.9


def test_selection_marks_become_boxes_with_a_confidence_of_their_own() -> None:
    mark = {
        "state": "selected",
        "polygon": polygon(1, 1, 1.2, 1.2),
        "confidence": 0.7,
        "span": {"offset": 0, "length": 10},
    }
    found = read(answer([cell(0, 0, ":selected: Yes", 0)], [word("Yes", 11, 2, 0.8)], selectionMarks=[mark]))
    (only,) = found.tables[0].table.cells
    assert only.text == "☒ Yes"
    assert [(said.value, said.kind) for said in only.confidence] == [(0.8, "text"), (0.7, "detection")]
    assert found.tables[0].notes == ("1 selection marks are shown as ☒ and ☐",)


def test_cells_that_overlap_are_kept_as_far_as_they_fit() -> None:
    cells = [cell(0, 0, "tall", 0, rowSpan=2), cell(1, 0, "lost", 0), cell(0, 1, "wide", 0, columnSpan=9)]
    (found,) = read(answer(cells, [])).tables
    assert found.table.cells == (Cell(0, 0, "tall", row_span=2), Cell(0, 1, "wide"))
    lost, wide = map(str, found.repairs)
    assert lost == "row 2, column 1: 'lost' was left out: the cell 'tall' at row 1, column 1 covers its place"
    assert wide.startswith("row 1, column 2: reached past")


def test_a_page_that_is_shown_in_another_shape_is_told() -> None:
    assert read(answer(CELLS, WORDS), PageSize(1, 576, 720)).notes == ()
    (note,) = read(answer(CELLS, WORDS), PageSize(1, 720, 576)).notes
    assert note.startswith("page 1 is 8 x 10 in the answer, the document shows 720 x 576")


def test_tables_that_stand_in_the_markdown_only_are_read() -> None:
    value = answer([], [])
    value.update(content="# a\n\n| x | y |\n| - | - |\n| 1 | 2 |\n", contentFormat="markdown", tables=[])
    found = read(value)
    assert [cell.text for cell in found.tables[0].table.cells] == ["x", "y", "1", "2"]
    assert found.tables[0].place == "/content, line 3"
    assert found.notes == ("the answer has tables in its Markdown only: without boxes and confidence",)


@pytest.mark.parametrize("unit", ["textElements", "utf16CodeUnit", "unicodeCodePoint"])
def test_offsets_are_compared_with_offsets_whatever_they_count(unit: str) -> None:
    flags = "\N{REGIONAL INDICATOR SYMBOL LETTER D}\N{REGIONAL INDICATOR SYMBOL LETTER E}"
    size = {"textElements": 1, "utf16CodeUnit": 4, "unicodeCodePoint": 2}[unit]
    words = [word(flags, 0, 1, 0.5), word("bolt", size + 1, 2, 0.7)]
    words[0]["span"]["length"] = size
    cells = [{**cell(0, 0, flags, 0), "spans": [{"offset": 0, "length": size}]}, cell(0, 1, "bolt", size + 1)]
    value = {**answer(cells, words), "stringIndexType": unit}
    assert [c.confidence[0].value for c in read(value).tables[0].table.cells if c.text] == [0.5, 0.7]


def test_spans_over_the_whole_document_are_no_words_of_a_cell() -> None:
    cells = [{**cell(0, 0, "x", 0), "spans": [{"offset": 0, "length": 10**9}]}]
    assert read(answer(cells, WORDS)).tables[0].table.cells[0].confidence == ()


def test_a_table_over_two_pages_says_so() -> None:
    value = answer(CELLS, WORDS)
    value["tables"][0]["boundingRegions"] = [{"pageNumber": 1}, {"pageNumber": 2}]
    assert "the table lies on pages 1 and 2" in read(value).tables[0].notes


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda a: a["tables"][0]["cells"][1].update(rowIndex="x"),
            r"/tables/0/cells/1/rowIndex: 'x', expected",
        ),
        (lambda a: a["tables"][0]["cells"].append(7), r"/tables/0/cells/3: '7', expected an object"),
        (lambda a: a.update(tables={"a": 1}), r"/tables: .* expected a list"),
        (lambda a: a["pages"][0]["words"][0].update(span={"offset": -1}), r"/pages/0/words/0/span/offset"),
        (lambda a: a["pages"][0].update(pageNumber=0), r"/pages/0/pageNumber: '0', expected a whole number from 1 on"),
    ],
)
def test_a_wrong_part_is_named_by_its_pointer(change: Callable[[Any], Any], message: str) -> None:
    value = answer(CELLS, WORDS)
    change(value)
    with pytest.raises(FormatError, match=message):
        read(value)


def test_a_polygon_that_is_none_is_left_out_and_told_at_its_cell() -> None:
    value = answer(CELLS, WORDS)
    value["pages"][0]["words"][0].update(polygon=[1, 2, 3])
    value["tables"][0]["cells"][2]["boundingRegions"] = [{"pageNumber": 1, "polygon": [1, "x", 3, 4]}]
    (found,) = read(value).tables
    place = value["tables"][0]["cells"][2]
    assert [(repair.row, repair.col) for repair in found.repairs] == [(place["rowIndex"], place["columnIndex"])]
    assert found.repairs[0].what == "its box is no polygon and was left out"
    assert found.table.cells[2].box is None


def test_a_span_beyond_all_measure_is_cut_at_the_edge_of_the_table() -> None:
    value = answer(CELLS, WORDS)
    value["tables"][0]["cells"][-1].update(rowSpan=1_000_000, columnSpan=1_000_000)
    (found,) = read(value).tables
    assert (found.table.n_rows, found.table.n_cols) == (2, 2)
    assert "was cut at the edge" in found.repairs[0].what


def test_an_answer_that_is_not_ready_is_refused() -> None:
    with pytest.raises(FormatError, match="status 'running' and no analyzeResult"):
        azure.read(b'{"status": "running", "analyzeResult": null}', name="a.json")


@pytest.mark.corpus
def test_the_v4_sample_keeps_spans_marks_and_word_confidence(corpus_file: Callable[[str], Path]) -> None:
    raw = corpus_file("formats/azure/layout_v4_2024-11-30_bcgov.json").read_bytes()
    tables = [entry.table for entry in azure.read(raw, name="a.json").tables]
    assert len(tables) == 5
    assert [(entry.text, entry.col_span) for entry in tables[1].cells[1:3]] == [("Applicant", 2), ("Spouse", 3)]
    filled = [entry for table in tables for entry in table.cells if entry.text]
    by_words = [entry for entry in filled if any(said.kind == "text" for said in entry.confidence)]
    assert (len(filled), len(by_words)) == (116, 111)
    assert {entry.text for entry in filled if entry not in by_words} <= {"☒", "☐"}


@pytest.mark.corpus
def test_the_v3_preview_sample_is_read(corpus_file: Callable[[str], Path]) -> None:
    raw = corpus_file("formats/azure/layout_v3preview_2022-03-31_checklist.json").read_bytes()
    (found,) = azure.read(raw, name="a.json").tables
    assert (found.table.n_rows, found.table.n_cols) == (26, 3)
    assert found.table.text_at(1, 0) == "Adoption or guardianship papers*\n☐"


@pytest.mark.corpus
def test_the_v2_sample_is_read(corpus_file: Callable[[str], Path]) -> None:
    raw = corpus_file("formats/azure/layout_v2.1_sample-layout.json").read_bytes()
    assert recognise(raw, "a.json") == "azure"
    found = azure.read(raw, name="a.json").tables[0].table
    assert found.text_at(0, 1) == "Trading Symbol"
    first = found.at(0, 0)
    assert first is not None
    assert first.box is not None
    assert first.confidence[0].source == "Azure word confidence, lowest of 4"
