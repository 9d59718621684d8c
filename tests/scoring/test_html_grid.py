from __future__ import annotations

import pytest

from scoring.reading.html_grid import all_rows, parse, running_spans, tree_walk, whole_number
from tests.scoring.html_tables import table


def drawn(html: str, *, browser_spans: bool = False) -> list[str]:
    """The grid with the first letter of each cell, a dot where there is none."""
    grid = tree_walk(html, browser_spans=browser_spans)
    assert grid is not None
    letters = ["".join(cell.texts)[:1] or " " for cell in grid.cells]
    return ["".join(letters[index] if index >= 0 else "." for index in row) for row in grid.covering]


def drawn_running(html: str) -> list[str]:
    covering, texts = running_spans(html)
    rows, cols = (range(max(place[axis] for place in covering) + 1) for axis in (0, 1))
    return ["".join(texts[covering[row, col]] if (row, col) in covering else "." for col in cols) for row in rows]


SPANS = "<table><tr><td rowspan=2>a<td colspan=2>b<tr><td>c<tr><td rowspan=9>d<td>e</table>"


def test_a_row_span_past_the_last_row_adds_rows() -> None:
    assert drawn(SPANS) == ["abb", "ac.", "de.", *["d.."] * 8]
    assert drawn_running(SPANS) == drawn(SPANS)


def test_where_cells_overlap_the_later_one_wins() -> None:
    html = "<table><tr><td>a<td rowspan=2>b<td>c<tr><td colspan=2>d<td>e</table>"
    assert drawn(html) == drawn_running(html) == ["abc", "dde"]


def test_row_span_zero_reaches_the_last_row_in_one_reading_only() -> None:
    html = "<table><tr><td rowspan=0>a<td>b<tr><td>c</table>"
    assert drawn_running(html) == ["ab", "ac"]
    assert drawn(html) == drawn(html, browser_spans=True) == ["ab", "c."]


def test_a_browser_reads_the_leading_number_of_a_span_and_limits_it() -> None:
    html = '<table><tr><td colspan="2px">a</td><td>b</td></tr></table>'
    assert drawn(html, browser_spans=True) == ["aab"]
    assert drawn(html) == ["ab"]
    [row] = drawn(html.replace("2px", "99999"), browser_spans=True)
    assert len(row) == 1001


def test_cells_outside_a_row_are_placed_in_one_of_their_own_or_lost() -> None:
    loose = "<table><td>a</td><td>b</td></table>"
    assert drawn(loose) == drawn(loose, browser_spans=True) == ["ab"]
    assert all_rows(loose) == []
    assert drawn(f"{table('a')}<td>z</td>") == ["a"]


def test_rows_of_nested_and_of_further_tables_are_further_rows() -> None:
    html = f"<table><tr><td>{table('xy')}</td><td>b</td></tr></table>{table('z')}"
    rows = [["".join(cell.texts) for cell in row] for row in all_rows(html)]
    assert rows == [["xy", "b"], ["x", "y"], ["z"]]


def test_comments_and_declarations_leave_no_text() -> None:
    html = '<?xml version="1.0" encoding="utf-8"?><table><tr><td>a<!-- b -->c<?d e?></table>'
    assert [cell.texts for row in all_rows(html) for cell in row] == [("ac",)]
    assert parse("<!-- <html> <body> -->").tag == "html"


@pytest.mark.parametrize(
    ("written", "number"),
    [(None, 1), ("", 1), ("3", 3), (" 3> ", 3), ("-2", -2), ("0", 0), ("1_0", 10), ("2px", 1), ("9" * 5000, 1)],
)
def test_a_span_that_is_no_whole_number_is_one(written: str | None, number: int) -> None:
    assert whole_number(written) == number
