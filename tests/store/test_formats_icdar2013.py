from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from scoring.table import Box
from store.formats import FormatError, Read, icdar2013, recognise
from store.pages import PageSize

PAGE = PageSize(1, 600, 800)


def document(*regions: str) -> str:
    return f"<?xml version='1.0'?><document filename='a'><table id='1'>{''.join(regions)}</table></document>"


def region(*cells: str, more: str = "page='1' col-increment='0' row-increment='0'") -> str:
    return f"<region id='1' {more}>{''.join(cells)}</region>"


def cell(row: int, col: int, text: str, more: str = "", box: str = "x1='60' y1='700' x2='120' y2='720'") -> str:
    return f"<cell start-row='{row}' start-col='{col}' {more}><bounding-box {box}/><content>{text}</content></cell>"


def read(text: str, *pages: PageSize) -> Read:
    assert recognise(text.encode(), "a-str.xml") == "icdar2013"
    return icdar2013.read(text.encode(), name="a-str.xml", pages=pages)


def test_ends_are_inclusive_and_boxes_are_counted_from_the_bottom() -> None:
    (found,) = read(document(region(cell(0, 0, "a", "end-row='1' end-col='2'"), cell(0, 3, "b"))), PAGE).tables
    first = found.table.cells[0]
    assert (first.row_span, first.col_span) == (2, 3)
    assert first.box == Box(1, 0.1, 0.1, 0.2, 0.125)
    assert found.boxes == (Box(1, 0.1, 0.1, 0.2, 0.125),)
    assert found.table.at(1, 3) is None


def test_regions_of_a_table_are_put_together_by_their_increments() -> None:
    text = document(
        region(cell(0, 0, "a"), cell(0, 1, "b")),
        region(cell(0, 0, "c"), more="page='2' col-increment='2' row-increment='1'"),
    )
    (found,) = read(text, PAGE, PageSize(2, 600, 800)).tables
    assert found.table.text_at(1, 2) == "c"
    assert [box.page for box in found.boxes] == [1, 2]
    assert "the table lies on pages 1 and 2" in found.notes


def test_counting_from_1_and_the_slip_of_an_attribute_are_told() -> None:
    (found,) = read(document(region(cell(1, 1, "a", "col-end='2'"), cell(2, 1, "b"), cell(2, 2, "c"))), PAGE).tables
    assert [(entry.row, entry.col, entry.col_span) for entry in found.table.cells] == [(0, 0, 2), (1, 0, 1), (1, 1, 1)]
    assert found.notes[:2] == (
        "rows and columns are counted from 1 in the file",
        "1 cells have col-end or row-end for end-col or end-row: read all the same",
    )


def test_without_the_page_boxes_are_left_out_and_told() -> None:
    (found,) = read(document(region(cell(0, 0, "a")))).tables
    assert found.table.cells[0].box is None
    assert found.notes == ("boxes were left out: neither the file nor a document tells the size of the page",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (document(region("<instruction instr-id='1'/>")), r"regions without cells.*-str\.xml"),
        (document(region(cell(0, 0, "a")))[:-20], r"line 1, column \d+: not XML"),
        (document(region("<cell start-col='0'/>")), "table 1, region 1, cell 1: no start-row"),
        (document(region(cell(0, 0, "a", "end-row='x'"))), "table 1, region 1, cell 1: end-row='x', expected"),
        (document(region(cell(10**9, 0, "a"))), "expected at most 1,000,000 positions"),
        (document(region(cell(0, 0, "a"), more="page='0'")), "table 1, region 1: page=0"),
        (f"<!DOCTYPE document>{document(region(cell(0, 0, 'a')))[21:]}", "declares a document type or entities"),
        (
            f"<!DOCTYPE document [<!ENTITY a 'b'>]>{document(region(cell(0, 0, '&a;')))[21:]}",
            "declares a document type or entities",
        ),
    ],
)
def test_what_cannot_be_read_is_named_by_its_place(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read(text)


@pytest.mark.corpus
def test_spans_and_regions_of_the_samples(corpus_file: Callable[[str], Path]) -> None:
    first, _ = icdar2013.read(corpus_file("formats/icdar2013/us-001-str.xml").read_bytes(), name="a").tables
    year = first.table.at(0, 1)
    assert year is not None
    assert (year.text, year.col_span, first.table.n_rows, first.table.n_cols) == ("2005", 4, 26, 11)
    pages = tuple(PageSize(number, 612, 792) for number in range(1, 5))
    _, second, _ = icdar2013.read(
        corpus_file("formats/icdar2013/us-035a-str.xml").read_bytes(), name="a", pages=pages
    ).tables
    assert (second.table.n_rows, second.table.n_cols) == (41, 6)
    assert [box.page for box in second.boxes] == [3, 3, 3]
    assert second.repairs == ()


@pytest.mark.corpus
def test_a_file_of_regions_says_which_file_to_give(corpus_file: Callable[[str], Path]) -> None:
    raw = corpus_file("formats/icdar2013/us-001-reg.xml").read_bytes()
    assert recognise(raw, "us-001-reg.xml") == "icdar2013"
    with pytest.raises(FormatError, match=r"-str\.xml"):
        icdar2013.read(raw, name="us-001-reg.xml")
