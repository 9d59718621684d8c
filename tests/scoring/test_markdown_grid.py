from __future__ import annotations

import pytest

from scoring.reading.html_grid import TooLargeError
from scoring.reading.markdown_grid import markdown_tables
from scoring.table import Cell
from tests.scoring.test_html_tables import grid

HEAD = "| A | B |\n|---|---|\n"


@pytest.mark.parametrize(
    ("text", "expected", "header_rows"),
    [
        (HEAD + "| 1 | 2 |", [["A", "B"], ["1", "2"]], 1),
        ("A | B\n:-- | --:\n1 | 2\n", [["A", "B"], ["1", "2"]], 1),
        ("| A | B |\n| - | :-: |\n", [["A", "B"]], 1),
        (HEAD + "| 1 |\n| 1 | 2 | 3 |", [["A", "B", None], ["1", None, None], ["1", "2", "3"]], 1),
        (HEAD + "| a\\|b | c |", [["A", "B"], ["a|b", "c"]], 1),
        (HEAD + "| `a|b` | c |", [["A", "B"], ["`a|b`", "c"]], 1),
        (HEAD + "| `a|b` |", [["A", "B"], ["`a", "b`"]], 1),
        (HEAD + "| $|x|$ | c |", [["A", "B"], ["$|x|$", "c"]], 1),
        (HEAD + "| $5 | $6 |", [["A", "B"], ["$5", "$6"]], 1),
        (HEAD + "| $5 | $6 | more |", [["A", "B", None], ["$5", "$6", "more"]], 1),
        (HEAD + "|$5|$x|", [["A", "B"], ["$5", "$x"]], 1),
        (HEAD + "| a<br>b | c<BR/>d |", [["A", "B"], ["a\nb", "c\nd"]], 1),
        (HEAD + "| a &amp; b | &lt;5 |", [["A", "B"], ["a & b", "<5"]], 1),
        (HEAD + "| | 2 |", [["A", "B"], ["", "2"]], 1),
        (HEAD + "| **1** | \\* |", [["A", "B"], ["**1**", "\\*"]], 1),
        ("| | |\n|---|---|\n| 1 | 2 |", [["1", "2"]], 0),
        ("|---|---|\n| 1 | 2 |", [["1", "2"]], 0),
        ("| 1 | 2 |\n| 3 | 4 |", [["1", "2"], ["3", "4"]], 0),
        ("| A | A |\n| B | C |\n|---|---|\n| 1 | 2 |", [["A", "A"], ["B", "C"], ["1", "2"]], 2),
        ("    | A | B |\n    |---|---|\n    | 1 | 2 |", [["A", "B"], ["1", "2"]], 1),
        ("prose a|b\n" + HEAD + "| 1 | 2 |\nmore prose", [["A", "B"], ["1", "2"]], 1),
        (HEAD + "| 1 | cut o", [["A", "B"], ["1", "cut o"]], 1),
        ("| A |\n|---|\n| 1 |", [["A"], ["1"]], 1),
        ("| A | B |\r\n|---|---|\r\n| 1 | 2 |\r\n", [["A", "B"], ["1", "2"]], 1),
    ],
)
def test_a_pipe_table_is_read_with_all_its_cells(text: str, expected: list[list[str | None]], header_rows: int) -> None:
    (table,) = markdown_tables(text)
    assert grid(table) == expected
    assert table.header_rows == header_rows


@pytest.mark.parametrize(
    "text", ["", "prose", "a | b", "x\n---\ny", "| one line |", "- a\n- b", "+ a\n+ b", "|", "--|--"]
)
def test_what_is_no_table_is_none(text: str) -> None:
    assert markdown_tables(text) == ()


def test_several_tables_are_told_apart_by_what_stands_between() -> None:
    tables = markdown_tables(HEAD + "| 1 | 2 |\n\nprose\n\n" + HEAD + "| 3 | 4 |\n")
    assert [grid(table)[1] for table in tables] == [["1", "2"], ["3", "4"]]


PANDOC = """
+---------------+---------------+--------------------+
| Fruit         | Price         | Advantages         |
+===============+===============+====================+
| Bananas       | $1.34         | - built-in wrapper |
|               |               | - bright color     |
+---------------+---------------+--------------------+
| Oranges       | both          | cures              |
|               +---------------+--------------------+
|               | $2.10         | tasty              |
+---------------+---------------+--------------------+
| wide                          | x                  |
+-------------------------------+--------------------+
"""


def test_a_grid_table_of_the_pandoc_manual_is_read_with_its_spans() -> None:
    (table,) = markdown_tables(PANDOC)
    assert table.header_rows == 1
    assert table.at(1, 2) == Cell(1, 2, "- built-in wrapper - bright color")
    assert table.at(3, 0) == Cell(2, 0, "Oranges", row_span=2)
    assert table.at(4, 1) == Cell(4, 0, "wide", col_span=2)
    assert grid(table)[3] == ["Oranges", "$2.10", "tasty"]


def test_a_blank_line_in_a_grid_table_parts_the_lines_of_a_cell() -> None:
    (table,) = markdown_tables("+-----+\n| a   |\n| b  c|\n|     |\n| d   |\n+-----+")
    assert table.text_at(0, 0) == "a b c\nd"


def test_a_grid_table_that_is_cut_off_anywhere_is_read_as_far_as_it_goes() -> None:
    for length in range(len(PANDOC)):
        for table in markdown_tables(PANDOC[:length]):
            assert table.n_cols <= 3
            assert length < 170 or table.text_at(0, 0) == "Fruit"


def test_a_table_beyond_all_measure_is_refused_in_words() -> None:
    with pytest.raises(TooLargeError, match="expected at most 100,000"):
        markdown_tables(HEAD + "|" * 60_000)
