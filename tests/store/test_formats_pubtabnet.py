from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scoring.table import Box
from store.formats import FormatError, Read, pubtabnet, recognise
from store.pages import PageSize

PAGE = PageSize(1, 100, 200)
TOKENS = ["<thead>", "<tr>", "<td", ' colspan="2"', ">", "</td>", "</tr>", "</thead>", "<tbody>", "<tr>"]
TOKENS += ["<td>", "</td>", "<td>", "</td>", "</tr>", "</tbody>"]
CELLS: list[dict[str, Any]] = [
    {"tokens": ["<b>", "a", "</b>", "<sup>", "2", "</sup>"], "bbox": [10, 20, 50, 40]},
    {"tokens": ["p", " ", "<", "q", ".", "5"]},
    {"tokens": []},
]


def row(name: str = "a.png", **more: Any) -> dict[str, Any]:
    return {"filename": name, "html": {"structure": {"tokens": TOKENS}, "cells": CELLS} | more}


def read(*rows: Any, pages: tuple[PageSize, ...] = (PAGE,)) -> Read:
    raw = "\n".join(json.dumps(entry) for entry in rows).encode()
    assert recognise(raw, "val.jsonl") == "pubtabnet"
    return pubtabnet.read(raw, name="val.jsonl", pages=pages)


def test_tokens_are_a_table_and_a_lone_bracket_is_text() -> None:
    (found,) = read(row()).tables
    assert [(cell.text, cell.col_span) for cell in found.table.cells] == [("a2", 2), ("p <q.5", 1), ("", 1)]
    assert (found.table.header_rows, found.document) == (1, "")


def test_boxes_are_pixels_from_the_top_or_points_from_the_bottom() -> None:
    (found,) = read(row()).tables
    assert [cell.box for cell in found.table.cells] == [Box(1, 0.1, 0.1, 0.5, 0.2), None, None]
    (found,) = read(row("a.pdf") | {"table_id": 7}).tables
    assert found.table.cells[0].box == Box(1, 0.1, 0.8, 0.5, 0.9)


def test_each_line_names_its_document_and_boxes_need_the_only_one() -> None:
    tables = read(row("a.png"), row("b.png"), row("b.png")).tables
    assert [(table.document, table.name, table.place) for table in tables] == [
        ("a.png", "table 1", "/0"),
        ("b.png", "table 1", "/1"),
        ("b.png", "table 2", "/2"),
    ]
    assert all(cell.box is None for table in tables for cell in table.table.cells)


def test_predictions_are_html_by_file_name() -> None:
    html = "<html><body><table><tr><td>a</td></tr></table></body></html>"
    value = {"a.png": html, "b.png": {"html": html, "type": "simple"}}
    tables = read(value).tables
    assert [(table.document, table.place) for table in tables] == [("a.png", "/a.png"), ("b.png", "/b.png")]
    (one,) = read({"a.png": html}).tables
    assert one.document == ""


def test_records_with_html_in_them_are_not_taken_for_predictions() -> None:
    assert recognise(b'{"text": "<table><tr><td>a</td></tr></table>"}', "a.json") == "json-records"


def test_too_few_texts_are_told() -> None:
    (found,) = read(row(cells=CELLS[:2])).tables
    assert found.notes == ("2 texts for 3 cells: they were filled in order",)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (row(structure={"tokens": ["<tr>", "<script>"]}), r"^/html/structure/tokens/1: '<script>'"),
        (row(cells=[{"tokens": 5}]), r"^/html/cells/0/tokens: '5', expected a list"),
        (row(cells=["x"]), r"^/html/cells/0: 'x', expected an object"),
    ],
)
def test_a_wrong_part_is_named_by_its_pointer(value: Any, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read(value)


@pytest.mark.corpus
def test_the_sample_has_a_cell_for_each_text(corpus_file: Callable[[str], Path]) -> None:
    raw = corpus_file("formats/pubtabnet/PubTabNet_Examples.jsonl").read_bytes()
    found = pubtabnet.read(raw, name="a.jsonl")
    rows = [json.loads(line) for line in raw.splitlines()]
    assert [len(table.table.cells) for table in found.tables] == [len(entry["html"]["cells"]) for entry in rows]
    assert len(found.tables) == 20
    assert all(table.notes == () for table in found.tables)
