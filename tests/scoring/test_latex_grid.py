from __future__ import annotations

import pytest

from scoring.reading.html_grid import TooLargeError
from scoring.reading.latex_grid import latex_tables
from scoring.reading.notation import math
from scoring.table import Cell, Table
from tests.scoring.test_html_tables import grid


def tabular(body: str) -> Table:
    (table,) = latex_tables(rf"\begin{{tabular}}{{ccc}}{body}\end{{tabular}}")
    return table


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (r"a & b \\ c & d", [["a", "b"], ["c", "d"]]),
        (r"a & b \\[2pt] c & d \\* e & f \tabularnewline", [["a", "b"], ["c", "d"], ["e", "f"]]),
        (r"a & \\ & b \\", [["a", ""], ["", "b"]]),
        (r"\multicolumn{2}{c|}{a} & b \\ c & d & e", [["a", "a", "b"], ["c", "d", "e"]]),
        (r"\multicolumn{2}{>{\bfseries}c}{a} & b", [["a", "a", "b"]]),
        (r"\multirow{2}{*}{a} & b \\ & c", [["a", "b"], ["a", "c"]]),
        (r"\multirow[t]{2}*{a} & b \\ & c", [["a", "b"], ["a", "c"]]),
        (r"\multirow{2}{2cm}{a} & b \\ \cline{2-2} & c", [["a", "b"], ["a", "c"]]),
        (r"& b \\ \multirow{-2}{*}{a} & c", [["a", "b"], ["a", "c"]]),
        (r"\multirow{9}{*}{a} & b \\ & c", [["a", "b"], ["a", "c"]]),
        (r"\multirow{3}{*}{a} & b \\ & c \\ x & d", [["a", "b"], ["a", "c"], ["x", "d"]]),
        (r"\multirow{2}{*}{\multicolumn{2}{c}{a}} & b \\ & & c", [["a", "a", "b"], ["a", "a", "c"]]),
        (r"\multicolumn{2}{c}{\multirow{2}{*}{a}} & b \\ & & c", [["a", "a", "b"], ["a", "a", "c"]]),
        (r"\multicolumn{2}{c}{\multirow{2}{*}{a}} & b \\ \multicolumn{2}{c}{} & c", [["a", "a", "b"], ["a", "a", "c"]]),
        (r"\makecell{a\\b} & \shortstack[l]{c \\[1pt] d}", [["a\nb", "c\nd"]]),
        (r"\begin{tabular}[c]{@{}c@{}}a\\b & c\end{tabular} & d", [["a\nb c", "d"]]),
        (r"a\&b & c\\", [[r"a\&b", "c"]]),
        ("a % gone & gone \\\\\n & b", [["a", "b"]]),
        (r"50% & 5\% ", [[r"50\%", r"5\%"]]),
        (r"\verb|a&b\\| & c", [["a&b\\\\", "c"]]),
        (r"{a \\ b} & $x_{i}^{2}$", [["{a\nb}", "$x_{i}^{2}$"]]),
        (r"\hline \rowcolor{gray!20} a & \cellcolor[HTML]{FFF}b \\ \cmidrule(lr){1-2} c & d", [["a", "b"], ["c", "d"]]),
        (r"a & b \\ \specialrule{1pt}{2pt}{3pt} \addlinespace[2pt] c & d \\ \noalign{x}", [["a", "b"], ["c", "d"]]),
        (r"a \\ \\ b \\", [["a"], ["b"]]),
        (r"\{1\} & \left\{2\right\}", [[r"\{1\}", r"\left\{2\right\}"]]),
    ],
)
def test_a_tabular_is_read_with_its_spans_and_lines(body: str, expected: list[list[str]]) -> None:
    assert grid(tabular(body)) == expected


@pytest.mark.parametrize(
    ("body", "header_rows"),
    [
        (r"\toprule A & B \\ \midrule 1 & 2 \\ \bottomrule", 1),
        (r"\toprule A & B \\ \cmidrule{1-2} C & D \\ \midrule 1 & 2 \\ \midrule 3 & 4 \\ \bottomrule", 2),
        (r"\hline A & B \\ \hline 1 & 2 \\ \hline 3 & 4 \\ \hline", 1),
        (r"\hline\hline A & B \\ \hline 1 & 2 \\", 1),
        (r"A & B \\ \hline 1 & 2 \\", 1),
        (r"A & B \\ 1 & 2 \\", 0),
        (r"\hline A & B \\ 1 & 2 \\ \hline", 0),
        (r"\toprule A & B \\ 1 & 2 \\ \bottomrule", 0),
    ],
)
def test_the_rows_above_the_rule_are_headers(body: str, header_rows: int) -> None:
    assert tabular(body).header_rows == header_rows


def test_the_head_of_a_longtable_counts_once() -> None:
    (table,) = latex_tables(
        r"\begin{longtable}[c]{cc} \caption{A & B \\ C}\\ \hline A & B \\ \hline \endfirsthead \hline C & D \\ \hline"
        r"\endhead \multicolumn{2}{r}{continued} \\ \endfoot all & 9 \\ \endlastfoot 1 & 2 \\ 3 & 4 \end{longtable}"
    )
    assert grid(table) == [["A", "B"], ["1", "2"], ["3", "4"], ["all", "9"]]
    assert table.header_rows == 1


@pytest.mark.parametrize(
    "begin",
    [
        r"\begin{tabular}[t]{l*{3}{c}@{}>{\bfseries}r!{\vrule}|p{3cm}}",
        r"\begin{tabular*}{\textwidth}{@{\extracolsep{\fill}}cc}",
        r"\begin{tabularx}{\linewidth}{X|X}",
        r"\begin{tabulary}{1.0\textwidth}[t]{LL}",
        r"\begin{longtable}{cc}",
        r"\begin{array}{cc}",
        r"\begin {tabular} {cc}",
        r"\begin{table}[h]\centering\caption{x & y \\}\begin{tabular}{cc}",
    ],
)
def test_the_column_specification_is_no_text(begin: str) -> None:
    (table,) = latex_tables(rf"{begin} a & b \\ c & d")
    assert grid(table) == [["a", "b"], ["c", "d"]]


def test_several_tabulars_are_several_tables() -> None:
    tables = latex_tables(r"\begin{tabular}{c}a\end{tabular} x & y \begin{tabular}{c}b\end{tabular}")
    assert [grid(table) for table in tables] == [[["a"]], [["b"]]]


def test_a_cell_above_a_negative_multirow_is_given_up_to_it_only_if_empty() -> None:
    assert tabular(r"x & b \\ \multirow{-2}{*}{a} & c").at(1, 0) == Cell(1, 0, "a")
    assert tabular(r"& b \\ \multirow{-2}{*}{a} & c").at(0, 0) == Cell(0, 0, "a", row_span=2)


PAPER = r"""\begin{table}[t]
\begin{tabular}{l*{2}{c}@{}r}
\toprule
\multirow{2}{*}{\textbf{Model}} & \multicolumn{2}{c}{Accuracy $\uparrow$} & \multirow{2}*{$n$} \\ \cmidrule(lr){2-3}
 & \makecell[c]{dev\\set} & test & \\ [2pt]
\midrule
Base\footnotemark & 50.1\% & $61.2_{\pm 0.3}$ & 1{,}000 \\
Ours (R\&D) & \textbf{55.0} & $\mathbf{63.1}^{*}$ & -- \\
\bottomrule
\end{tabular}
\end{table}"""


def test_a_table_of_a_paper_reads_as_it_is_printed() -> None:
    (table,) = latex_tables(PAPER)
    assert [[math(text or "") for text in row] for row in grid(table)] == [
        ["Model", "Accuracy↑", "Accuracy↑", "n"],
        ["Model", "dev set", "test", "n"],
        ["Basefootnotemark", "50.1%", "61.2_±0.3", "1,000"],
        ["Ours(R&D)", "55.0", "63.1*", "-"],
    ]
    assert table.header_rows == 2


def test_a_table_that_is_cut_off_anywhere_keeps_what_came_before() -> None:
    whole = grid(latex_tables(PAPER)[0])
    for length in range(PAPER.index("Base"), len(PAPER)):
        (table,) = latex_tables(PAPER[:length])
        assert grid(table)[:2] == whole[:2]
        assert table.n_cols == 4


def test_a_multicolumn_beyond_all_measure_is_refused_in_words() -> None:
    with pytest.raises(TooLargeError, match="look for a wrong multicolumn"):
        tabular(r"\multicolumn{1000}{c}{a} & " * 101)
