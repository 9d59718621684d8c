from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scoring.table import Box
from store.formats import FormatError, Read, docling, otsl, recognise
from store.formats.contract import Repair


def read(text: str, name: str = "page.txt") -> Read:
    assert recognise(text.encode(), name) == "otsl"
    return otsl.read(text.encode(), name=name)


def spans(text: str) -> list[tuple[str, int, int]]:
    (found,) = read(text).tables
    return [(cell.text, cell.row_span, cell.col_span) for cell in found.table.cells]


def test_xcel_makes_one_cell_of_two_by_two() -> None:
    assert spans("<fcel>a<lcel><fcel>b<nl><ucel><xcel><fcel>c<nl>") == [("a", 2, 2), ("b", 1, 1), ("c", 1, 1)]


def test_neighbours_that_are_merged_apart_stay_apart() -> None:
    text = "<fcel>a<fcel>b<lcel><nl><ucel><fcel>c<fcel>d<nl>"
    assert spans(text) == [("a", 2, 1), ("b", 1, 2), ("c", 1, 1), ("d", 1, 1)]


def test_a_merge_mark_without_a_cell_is_an_empty_cell_that_says_so() -> None:
    (found,) = read("<ucel><fcel>b<nl><fcel>c<xcel><nl>").tables
    assert [cell.text for cell in found.table.cells] == ["", "b", "c", ""]
    assert found.repairs == (
        Repair(0, 0, "ucel has no cell to be merged with: taken as an empty cell"),
        Repair(1, 1, "xcel has no cell to be merged with: taken as an empty cell"),
    )


def test_headers_captions_and_pages_are_read() -> None:
    found = read(
        "<doctag><text>Intro</text>\n<page_break>\n<otsl><loc_50><loc_100><loc_450><loc_200>"
        "<ched>item<ecel><nl><rhed>bolt<fcel>1<nl><srow>all<lcel><nl>"
        "<caption><loc_1><loc_2><loc_3><loc_4>Parts</caption></otsl>\n"
        "<otsl><fcel>x<nl></otsl></doctag>"
    )
    first, second = found.tables
    assert first.boxes == (Box(2, 0.1, 0.2, 0.9, 0.4),)
    assert [cell.header for cell in first.table.cells] == ["column", "", "row", "", "row"]
    assert (first.notes, first.place, second.place) == (("caption: Parts",), "line 3", "line 4")
    assert found.extractor == "Docling"


@pytest.mark.parametrize(("upper", "lower"), [((400, 450), (300, 350)), ((50, 100), (150, 200))])
def test_cell_locations_are_counted_from_where_the_rows_begin(upper: tuple[int, int], lower: tuple[int, int]) -> None:
    text = "".join(f"<fcel><loc_50><loc_{top}><loc_100><loc_{bottom}>x<nl>" for top, bottom in (upper, lower))
    (found,) = read(text).tables
    assert [cell.box for cell in found.table.cells] == [Box(1, 0.1, 0.1, 0.2, 0.2), Box(1, 0.1, 0.3, 0.2, 0.4)]


def test_a_table_that_is_not_closed_and_short_rows_are_told() -> None:
    (found,) = read("<otsl><fcel>a<fcel>b<nl><fcel>c").tables
    assert found.notes == (
        "the table is not closed: the file may be cut off",
        "row 2: fewer tokens than the table has columns",
    )
    assert found.table.at(1, 1) is None


def test_rows_of_a_data_set_name_their_document_and_their_texts_go_to_the_cells() -> None:
    row = {
        "filename": "a.pdf",
        "otsl": ["fcel", "lcel", "nl", "fcel", "ecel", "nl"],
        "cells": [[{"tokens": ["<b>", "x", "</b>"]}, {"tokens": ["y"]}]],
    }
    found = read("\n".join(json.dumps(entry) for entry in (row, row | {"filename": "b.pdf"})), "test.jsonl")
    assert [(table.document, table.name, table.place) for table in found.tables] == [
        ("a.pdf", "table 1", "/0"),
        ("b.pdf", "table 1", "/1"),
    ]
    assert [cell.text for cell in found.tables[0].table.cells] == ["<b>x</b>", "y", ""]
    (short,) = read(json.dumps(row | {"cells": [{"tokens": []}]})).tables
    assert short.notes == ("1 texts for 3 cells: the texts were left out",)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"otsl": ["fcel", 7]}, r"^/otsl/1: '7', expected an OTSL token"),
        ({"otsl": ["fcel"], "cells": {"a": 1}}, r"^/cells: .*expected a list"),
        ([{"otsl": ["fcel"]}, 5], r"^/1: '5', expected an object with otsl"),
    ],
)
def test_a_wrong_part_is_named_by_its_pointer(value: Any, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read(json.dumps(value))


@pytest.mark.corpus
def test_the_samples_of_one_table_agree(corpus_file: Callable[[str], Path]) -> None:
    (plain,) = docling.read(corpus_file("formats/docling/2305.03393v1-pg9.json").read_bytes(), name="a").tables
    for name in ("otsl-fintabnet/docling_table.otsl.txt", "docling/2305.03393v1-pg9.doctags.txt"):
        raw = corpus_file(f"formats/{name}").read_bytes()
        assert recognise(raw, name) == "otsl"
        (found,) = otsl.read(raw, name=name).tables
        for cell, other in zip(found.table.cells, plain.table.cells, strict=True):
            assert (cell.text, cell.row_span, cell.col_span) == (other.text, other.row_span, other.col_span)
            if cell.box is not None and other.box is not None:
                assert abs(cell.box.y0 - other.box.y0) < 0.003


@pytest.mark.corpus
def test_bare_tokens_give_the_structure(corpus_file: Callable[[str], Path]) -> None:
    raw = corpus_file("formats/otsl-fintabnet/tokens_only.json").read_bytes()
    assert recognise(raw, "a.json") == "otsl"
    (found,) = otsl.read(raw, name="a.json").tables
    assert (found.table.n_rows, found.table.n_cols, found.table.header_rows) == (6, 8, 2)
    assert found.notes == ("the file holds the structure only: there is no text in the cells",)


def test_tokens_that_are_cut_off_are_refused_and_not_taken_for_csv() -> None:
    raw = b"<otsl><fcel>a<fce"
    assert recognise(raw, "page.txt") == "otsl"
    with pytest.raises(FormatError, match="cut off"):
        otsl.read(raw, name="page.txt")


def test_a_caption_that_is_a_name_is_that_of_the_table_and_each_name_stands_once() -> None:
    names = ("fields", "fields", "fields 2", "Invoice of March", "table 7")
    tables = "".join(f"<otsl><caption>{name}</caption><fcel>1<nl></otsl>" for name in names)
    found = otsl.read(f"<doctag>{tables}</doctag>".encode(), name="a.txt").tables
    assert [table.name for table in found] == ["fields", "fields 2", "fields 2 2", "table 4", "table 5"]
    assert [table.notes for table in found[3:]] == [("caption: Invoice of March",), ("caption: table 7",)]
