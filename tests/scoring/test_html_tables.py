from __future__ import annotations

import pytest

from scoring.reading.html_grid import TooLargeError
from scoring.reading.html_tables import html_tables
from scoring.table import Table


def one(html: str) -> Table:
    (table,) = html_tables(html)
    return table


def grid(table: Table) -> list[list[str | None]]:
    """The text at each position, None for a hole."""
    return [
        [None if (cell := table.at(row, col)) is None else cell.text for col in range(table.n_cols)]
        for row in range(table.n_rows)
    ]


def headers(table: Table) -> list[str]:
    return [cell.header for cell in table.cells]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<table><tr><td>a<td>b<tr><td>c</table>", [["a", "b"], ["c", None]]),
        ("<tr><td>a</td></tr>", [["a"]]),
        ("<td>a</td><td>b</td>", [["a", "b"]]),
        ("<table><tr><td rowspan=2>a<td>b<tr><td>c</table>", [["a", "b"], ["a", "c"]]),
        ("<table><tr><td rowspan=9>a<td>b<tr><td>c</table>", [["a", "b"], ["a", "c"]]),
        ("<table><tr><td rowspan=0>a<td>b<tr><td>c<tr><td>d</table>", [["a", "b"], ["a", "c"], ["a", "d"]]),
        ("<table><tr><td colspan='2;'>a<tr><td>b<td>c</table>", [["a", "a"], ["b", "c"]]),
        ("<table><tr><td colspan=0>a<td colspan=x>b</table>", [["a", "b"]]),
        ("<table><tr><td>a<td rowspan=2>b<tr><td colspan=2>c</table>", [["a", "b"], ["c", "b"]]),
        ("<table><thead><th>A<th>B</thead><tr><td>1<td>2</table>", [["A", "B"], ["1", "2"]]),
        ("<table><tfoot><tr><td>f</tfoot><tr><td>a</table>", [["a"], ["f"]]),
        ("<table><thead><tr><th rowspan=5>h</thead><tr><td>a</table>", [["h"], ["a"]]),
        ("<table><tr><td>a<tr style='display: none'><td>no<tr hidden><td>no<tr><td>b</table>", [["a"], ["b"]]),
        ("<table><tr><td hidden>no<td>a</table>", [["a"]]),
        ("<table><caption>no</caption><tr><td>a</table>", [["a"]]),
        ("<table><tr><td>a<td>b</td></tr><tr><td>cut o", [["a", "b"], ["cut o", None]]),
        ("<TABLE><TR><TD ROWSPAN=2>a<TD>b</TR><TR><TD>c</TABLE>", [["a", "b"], ["a", "c"]]),
    ],
)
def test_cells_stand_where_a_browser_puts_them(html: str, expected: list[list[str | None]]) -> None:
    assert grid(one(html)) == expected


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ("a<br>b", "a\nb"),
        ("a<br/><br/>b", "a\n\nb"),
        ("<p>a</p><p>b</p>", "a\nb"),
        ("<ul><li>a</li><li>b</li></ul>", "a\nb"),
        ("  a \n b  ", "a b"),
        ("x<sup>2</sup>", "x^{2}"),
        ("H<sub>2</sub>O", "H_{2}O"),
        ("<b>a</b> <i>b</i>", "a b"),
        ("a&nbsp;b &amp; &lt;c&gt;", "a\u00a0b & <c>"),
        ("a&amp;lt;b", "a&lt;b"),
        ("a<span style='display:none'>sort key</span>b", "ab"),
        ("a<script>x</script><style>y</style><!-- z -->", "a"),
        ("<table><tr><td>i<td>j<tr><td>k</table>", "i j\nk"),
        ("a<table><tr><td>i</table>b", "a\ni\nb"),
        ("", ""),
        ("<br>", ""),
        ("<p></p>a", "a"),
        ("<b>a </b> <i> b</i>", "a b"),
        ("<table> <tr> <td>i</td> <td>j</td> </tr> </table>", "i j"),
    ],
)
def test_the_text_of_a_cell_is_what_is_seen_with_its_notation(inside: str, expected: str) -> None:
    assert one(f"<table><tr><td>{inside}</td></tr></table>").text_at(0, 0) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<tr><th>A<th>B<tr><td>1<td>2", ["column", "column", "", ""]),
        ("<tr><td><th>B<tr><td>1<td>2", ["column", "column", "", ""]),
        ("<thead><tr><td>A<td>B</thead><tr><td>1<td>2", ["column", "column", "", ""]),
        ("<tr><th>A<th>B<tr><th>1<td>2", ["column", "column", "row", ""]),
        ("<tr><th>A<td>1<tr><th>B<td>2", ["row", "", "row", ""]),
        ("<tr><td>1<td>2<tr><th>A<th>B", ["", "", "row", "row"]),
        ("<tr><td>1<td>2<tr><th scope=col>A<th scope=row>B", ["", "", "column", "row"]),
        ("<tr><th scope=row>A<tr><td>1", ["row", ""]),
    ],
)
def test_headers_are_told_by_section_tag_and_scope(html: str, expected: list[str]) -> None:
    assert headers(one(f"<table>{html}</table>")) == expected


def test_tables_follow_in_their_order_and_those_without_cells_are_passed_over() -> None:
    tables = html_tables("x<table></table><table><tr><td>a</table> y <table><tr><td>b<td>c</table>")
    assert [grid(table) for table in tables] == [[["a"]], [["b", "c"]]]


def test_a_span_beyond_all_measure_is_refused_in_words() -> None:
    with pytest.raises(TooLargeError, match="look for a wrong colspan"):
        html_tables("<table><tr>" + "<td colspan=1000>" * 101)
