from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from scoring.table import Table
from store.formats import FormatError, Read, markdown, recognise

PIPE = "| a | b |\n|---|---|\n| 1 | 2 |\n"
HTML = "<table><tr><th>c</th></tr><tr><td>x | y</td></tr></table>\n"


def read(text: str, name: str = "a.md") -> Read:
    assert recognise(text.encode(), name) == "markdown"
    return markdown.read(text.encode(), name=name)


def texts(table: Table) -> list[list[str]]:
    return [[table.text_at(row, col) for col in range(table.n_cols)] for row in range(table.n_rows)]


def test_pipe_and_html_tables_stand_in_the_order_of_the_text() -> None:
    found = read(f"# Title\n\n{HTML}\n\n{PIPE}\n{HTML}")
    assert [(table.name, table.place, texts(table.table)) for table in found.tables] == [
        ("table 1", "line 3", [["c"], ["x | y"]]),
        ("table 2", "line 6", [["a", "b"], ["1", "2"]]),
        ("table 3", "line 10", [["c"], ["x | y"]]),
    ]
    assert all(table.table.header_rows == 1 for table in found.tables)
    assert all(table.notes == () and table.repairs == () for table in found.tables)


def test_the_single_dashes_of_azure_are_a_rule() -> None:
    (found,) = read("| a | b |\n| - | - |\n| 1 | 2 |\n", "a.txt").tables
    assert (texts(found.table), found.table.header_rows) == ([["a", "b"], ["1", "2"]], 1)


def test_each_page_break_raises_the_page() -> None:
    text = f'{PIPE}\n<!-- PageNumber="7" -->\n<!-- PageBreak -->\n\n{HTML}\n<!-- PageBreak -->\n{PIPE}'
    assert [table.place for table in read(text).tables] == ["line 1, page 1", "line 8, page 2", "line 11, page 3"]


def test_cells_beyond_the_head_are_kept_and_missing_ones_are_told() -> None:
    (found,) = read(f"{PIPE}| 3 | 4 | 5 |\n| 6 |\n").tables
    assert texts(found.table) == [["a", "b", ""], ["1", "2", ""], ["3", "4", "5"], ["6", "", ""]]
    assert [str(repair) for repair in found.repairs] == [
        "row 3, column 3: the row has 3 cells and the head 2: the others were kept"
    ]
    assert found.notes == ("row 4: fewer cells than the table has columns",)


def test_line_breaks_entities_and_escaped_bars_are_characters() -> None:
    (found,) = read("| a | b |\n|---|---|\n| x<br>y | 5 &lt; 6 \\| 7 |\n").tables
    assert texts(found.table)[1] == ["x\ny", "5 < 6 | 7"]


def test_a_caption_that_is_a_name_names_its_table_once() -> None:
    named = "<table><caption>line_items</caption><tr><td>1</td></tr></table>\n\n"
    assert [table.name for table in read(named * 2 + PIPE).tables] == ["line_items", "table 2", "table 3"]


def test_a_table_that_is_cut_off_is_read_as_far_as_it_goes() -> None:
    found = read(f"{PIPE}\n<table><tr><td>1</td><td>")
    assert [texts(table.table) for table in found.tables] == [[["a", "b"], ["1", "2"]], [["1", ""]]]
    assert "not closed" in found.tables[1].notes[0]


@pytest.mark.parametrize(
    ("text", "name", "format_name"),
    [
        (PIPE, "a", "markdown"),
        (PIPE, "a.csv", "csv"),
        ("a|b\n1|2\n3|4\n", "a.psv", "csv"),
        (HTML, "a.html", "html"),
        (HTML, "a.md", "markdown"),
        (f"<!-- PageBreak -->\n{HTML}", "a", "markdown"),
        ('{"a": "| x | y |\\n|---|---|"}', "a.json", "json-records"),
        ("prose", "a.md", "markdown"),
    ],
)
def test_markdown_is_told_from_what_looks_like_it(text: str, name: str, format_name: str) -> None:
    assert recognise(text.encode(), name) == format_name


def test_a_text_without_tables_is_refused() -> None:
    with pytest.raises(FormatError, match="no table in the Markdown"):
        read("prose")


def test_a_table_that_is_too_large_is_refused() -> None:
    with pytest.raises(FormatError, match=r"expected at most 100,000 positions"):
        read(PIPE + "|" * 60_000)


@pytest.mark.corpus
def test_the_azure_sample_has_spans_and_pages(corpus_file: Callable[[str], Path]) -> None:
    path = corpus_file("formats/azure/markdown_v4_html_tables__invoice-extraction.md")
    found = markdown.read(path.read_bytes(), name=path.name)
    assert [table.place.split(", ")[1] for table in found.tables] == ["page 1"] * 3 + ["page 2"]
    name = found.tables[2].table.at(0, 0)
    assert name is not None
    assert (name.text, name.row_span) == ("Name:", 2)
    assert found.tables[1].table.text_at(1, 5) == "☒ 4355.86"


@pytest.mark.corpus
def test_the_samples_of_tools_are_read(corpus_file: Callable[[str], Path]) -> None:
    shapes = {}
    for name in (
        "docling/2305.03393v1-pg9.md",
        "markdown-html/docling_table.md",
        "camelot/row_span_1_lattice-page-1-table-1.md",
    ):
        path = corpus_file(f"formats/{name}")
        assert recognise(path.read_bytes(), path.name) == "markdown"
        (found,) = markdown.read(path.read_bytes(), name=path.name).tables
        shapes[name.split("/")[0]] = (found.table.n_rows, found.table.n_cols, found.repairs, found.notes)
    assert shapes == {"docling": (6, 8, (), ()), "markdown-html": (5, 8, (), ()), "camelot": (42, 5, (), ())}


def test_a_heading_that_is_a_name_names_the_pipe_table_right_under_it() -> None:
    found = read(
        f"## line_items\n\n{PIPE}\n## Prices of March\n{PIPE}\n## notes\n\ntext\n\n{PIPE}\n# line_items #\n{PIPE}"
    )
    assert [table.name for table in found.tables] == ["line_items", "table 2", "table 3", "table 4"]
