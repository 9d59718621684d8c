from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from scoring.table import Cell, Table
from store.formats import FormatError, Read, html
from store.formats.contract import Repair


def read(text: str) -> Read:
    return html.read(text.encode(), name="page.html")


def rows(table: Table) -> list[list[str | None]]:
    return [
        [cell.text if (cell := table.at(row, col)) else None for col in range(table.n_cols)]
        for row in range(table.n_rows)
    ]


def only(text: str) -> Table:
    (found,) = read(text).tables
    return found.table


def test_spans_cover_their_places() -> None:
    table = only("<table><tr><td rowspan=2>a<td colspan=2>b<tr><td>c<td>d</table>")
    assert rows(table) == [["a", "b", "b"], ["a", "c", "d"]]
    assert table.at(1, 0) == Cell(0, 0, "a", row_span=2)


def test_a_rowspan_of_zero_runs_to_the_end_of_its_section() -> None:
    table = only("<table><tbody><tr><td rowspan=0>a<td>b<tr><td>c<tbody><tr><td>d<td>e</table>")
    assert rows(table) == [["a", "b"], ["a", "c"], ["d", "e"]]


def test_a_rowspan_past_the_last_row_is_cut_with_a_note() -> None:
    (found,) = read("<table><tr><td rowspan=5>a<td>b<tr><td>c</table>").tables
    assert found.table.n_rows == 2
    assert found.repairs == (Repair(0, 0, "has rowspan='5', past the last row of its section: cut to 2"),)


@pytest.mark.parametrize(("written", "span"), [("2;", 2), ("0", 1), ("two", 1), ("-3", 1), ("99999999999999", 1000)])
def test_a_wild_colspan_is_repaired_with_a_note(written: str, span: int) -> None:
    (found,) = read(f"<table><tr><td colspan='{written}'>a</table>").tables
    assert found.table.cells[0].col_span == span
    (repair,) = found.repairs
    assert f"colspan='{written}'" in repair.what


def test_cells_that_overlap_keep_their_places_and_the_note_names_both() -> None:
    (found,) = read("<table><tr><td>a<td rowspan=2>tall<tr><td colspan=2>wide</table>").tables
    assert rows(found.table) == [["a", "tall"], ["wide", "tall"]]
    assert found.repairs == (Repair(1, 0, "also covered the cell 'tall' at row 1, column 2 and was made smaller"),)


def test_a_head_is_column_headers_and_a_leading_th_is_a_row_header() -> None:
    table = only("<table><thead><tr><td>a<td>b<tbody><tr><th>c<td>d</table>")
    assert [cell.header for cell in table.cells] == ["column", "column", "row", ""]


def test_rows_of_th_at_the_top_are_headers_even_with_an_empty_corner() -> None:
    table = only("<table><tr><td><th>2023<th>2024<tr><th>Sales<td>1<td>2<tr><th>Costs<th>3<th>4</table>")
    assert table.header_rows == 1
    assert [cell.header for cell in table.cells if cell.row == 2] == ["row", "row", "row"]


def test_a_foot_written_first_is_shown_last() -> None:
    table = only("<table><tfoot><tr><td>sum</tfoot><tbody><tr><td>1</tbody></table>")
    assert rows(table) == [["1"], ["sum"]]


def test_breaks_and_blocks_become_newlines_and_white_space_is_collapsed() -> None:
    table = only("<table><tr><td> one<br/>two  \n <b>th</b>ree<p>four</p><ul><li>five</li><li>six</li></ul> </table>")
    assert table.text_at(0, 0) == "one\ntwo three\nfour\nfive\nsix"


def test_entities_are_characters_and_scripts_are_no_text() -> None:
    table = only("<table><tr><td>a&amp;b&nbsp;c<script>x()</script><style>y</style></table>")
    assert table.text_at(0, 0) == "a&b\xa0c"


def test_a_nested_table_is_a_table_of_its_own() -> None:
    outer, inner = read("<table><tr><td>a<table><tr><td>in</table><td>b</table>").tables
    assert rows(outer.table) == [["a", "b"]]
    assert rows(inner.table) == [["in"]]
    assert outer.repairs == (Repair(0, 0, "holds a table of its own: see table 2"),)


def test_short_rows_end_in_holes_with_a_note() -> None:
    (found,) = read("<table><tr><td>a<td>b<tr><td>c</table>").tables
    assert rows(found.table) == [["a", "b"], ["c", None]]
    assert found.notes == ("row 2: fewer cells than the table has columns",)


def test_rows_without_a_table_and_a_table_cut_off_are_read_with_a_note() -> None:
    found = read("<tr><td>a</td><td>b</td></tr>")
    assert rows(found.tables[0].table) == [["a", "b"]]
    assert "outside a <table>" in found.notes[0]
    found = read("<table><tr><td>a<td>b</tr><tr><td>c")
    assert rows(found.tables[0].table) == [["a", "b"], ["c", None]]
    assert "cut off" in found.notes[0]


def test_tables_in_a_markdown_text_are_numbered_in_order() -> None:
    found = read("# Report\n\n<table><tr><th>a</th></tr></table>\n\ntext\n\n<table><caption>Sales</caption></table>")
    assert [entry.name for entry in found.tables] == ["table 1", "table 2"]
    assert found.tables[1].notes == ("caption: Sales",)


def test_a_caption_that_is_a_name_names_its_table_once() -> None:
    found = read("<table><caption>items</caption><tr><td>a</table>" * 2)
    assert [entry.name for entry in found.tables] == ["items", "table 2"]


def test_a_declared_character_set_is_used() -> None:
    raw = "<meta charset=windows-1250><table><tr><td>Łódź</table>".encode("windows-1250")
    assert html.read(raw, name="a.html").tables[0].table.text_at(0, 0) == "Łódź"


def test_nesting_deeper_than_python_may_recurse_is_read() -> None:
    assert only("<table><tr><td>" + "<b>" * 20_000 + "deep</table>").text_at(0, 0) == "deep"


def test_a_page_without_a_table_and_a_table_without_end_are_refused() -> None:
    with pytest.raises(FormatError, match="no <table>"):
        read("<p>nothing here</p>")
    with pytest.raises(FormatError, match="table 1, row 1"):
        read("<table>" + "<tr>" * 1100 + "</table>".replace("</table>", "") + "<tr><td colspan=1000></table>")


def test_what_is_written_is_read_again() -> None:
    table = Table(
        3,
        3,
        (
            Cell(0, 0, "", header="column"),
            Cell(0, 1, "<2024> & more", col_span=2, header="column"),
            Cell(1, 0, "Sales", row_span=2, header="row"),
            Cell(1, 1, "one\ntwo"),
            Cell(1, 2, "3"),
            Cell(2, 1, "4"),
        ),
    )
    found = html.read(html.write([("line_items", table)], title="a <b>"), name="a.html")
    assert found.tables[0].table == table
    assert found.tables[0].name == "line_items"


@pytest.mark.corpus
def test_docling_header_levels_are_headers(corpus_file: Callable[[str], Path]) -> None:
    raw = corpus_file("formats/markdown-html/docling_table.html").read_bytes()
    table = html.read(raw, name="docling_table.html").tables[0].table
    assert (table.n_rows, table.n_cols, table.header_rows) == (6, 8, 2)
