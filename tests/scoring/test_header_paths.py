"""Header rows, label columns and sections of gold, with marks and without."""

from __future__ import annotations

import pytest

from scoring.fidelity.header_paths import column_path, headers_of, row_path, with_spans_restored
from scoring.fidelity.sheets import Sheet, sheet
from scoring.reading.table_text import read_tables

REGRESSION = r"""
\begin{tabular}{lccc} \hline
 & (1) & (2) & (3) \\
 & Price & Price & Log price \\ \hline
mpg & -49.51*** & 21.85 & -0.03 \\
 & (86.16) & (74.22) & (0.01) \\
weight & 3.46*** & & 0.002 \\ \hline
\end{tabular}"""
EDITORS = r"""
\begin{tabular}{l cc cc} \toprule
\multirow{2}{*}{Editor} & \multicolumn{2}{c}{Neighborhood} & \multicolumn{2}{c}{Distracting} \\
 & First & Differing & First & Differing \\ \midrule
\multicolumn{5}{l}{GPT-2 XL} \\
ROME & 0.12 & 0.34 & 0.56 & 0.78 \\
\multicolumn{5}{l}{GPT-J} \\
ROME & 0.22 & 0.44 & 0.66 & 0.88 \\ \bottomrule
\end{tabular}"""
TWO_LABELS = """
| Dataset | Method | F1 |
|---|---|---|
| CoNLL | CRF | 90.1 |
| | BERT | 92.8 |
| Onto | CRF | 86.1 |
"""
SETTINGS = "<table><tr><td>Learning rate</td><td>0.001</td></tr><tr><td>Batch size</td><td>32</td></tr></table>"
TWO_LEVELS = """
| Editor | A | | B | |
|---|---|---|---|---|
| | x | y | x | y |
| ROME | 1 | 2 | 3 | 4 |
"""


def read(text: str) -> Sheet:
    return with_spans_restored(sheet(read_tables(text)))


@pytest.mark.parametrize(
    ("text", "header_rows", "label_cols", "sections"),
    [
        (REGRESSION, 2, 1, []),
        (EDITORS, 2, 1, [2, 4]),
        (TWO_LABELS, 1, 2, []),
        (SETTINGS, 0, 1, []),
        (TWO_LEVELS, 2, 1, []),
    ],
)
def test_the_structure_is_found(text: str, header_rows: int, label_cols: int, sections: list[int]) -> None:
    headers = headers_of(read(text))
    assert (headers.header_rows, headers.label_cols) == (header_rows, label_cols)
    assert [row for row, is_section in enumerate(headers.is_section) if is_section] == sections


def test_a_path_begins_at_the_top_and_with_the_section() -> None:
    table = read(EDITORS)
    headers = headers_of(table)
    assert column_path(table, headers, 2) == ("Neighborhood", "Differing")
    assert row_path(table, headers, 5) == ("GPT-J", "ROME")


def test_an_empty_label_is_that_of_the_row_above() -> None:
    table = read(TWO_LABELS)
    assert row_path(table, headers_of(table), 2) == ("CoNLL", "BERT")


def test_spans_that_markdown_cannot_write_are_restored() -> None:
    table = read(TWO_LEVELS)
    assert column_path(table, headers_of(table), 4) == ("B", "y")


def test_a_table_without_values_has_no_headers() -> None:
    headers = headers_of(read("<table><tr><th>Name</th><th>Score</th></tr><tr><td>A</td><td></td></tr></table>"))
    assert (headers.header_rows, headers.label_cols) == (0, 0)
