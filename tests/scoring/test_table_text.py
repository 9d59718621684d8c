from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scoring.metrics.catalogue import METRICS
from scoring.metrics.teds import teds
from scoring.reading.html_grid import TooLargeError
from scoring.reading.table_text import LARGEST_TEXT, as_html, kind_of, read_tables
from tests.scoring.conftest import ScoredPair
from tests.scoring.test_html_tables import grid
from tests.scoring.test_latex_grid import PAPER
from tests.scoring.test_markdown_grid import PANDOC

HTML = "<table><tr><th>Name</th><th>x<sup>2</sup></th></tr><tr><td>a &amp; b</td><td>1</td></tr></table>"
MARKDOWN = "| Name | $x^2$ |\n|---|---|\n| a & b | 1 |"
LATEX = r"\begin{tabular}{cc} \hline Name & $x^2$ \\ \hline a \& b & 1 \\ \hline \end{tabular}"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (HTML, "html"),
        (MARKDOWN, "markdown"),
        (LATEX, "latex"),
        (PANDOC, "markdown"),
        ("nothing | here", "text"),
        ("", "text"),
        ("<td>1", "html"),
        (r"\begin{array}{c} 1 \end{array}", "latex"),
        ("| A |\n|---|\n" + r"| $\begin{array}{c} 1 \\ 2 \end{array}$ |", "markdown"),
        ("<p>" + MARKDOWN, "markdown"),
        ("a < b and <tdx>", "text"),
    ],
)
def test_the_kind_is_told_by_what_there_is(text: str, kind: str) -> None:
    assert kind_of(text) == kind


@pytest.mark.parametrize("table", [HTML, MARKDOWN, LATEX])
@pytest.mark.parametrize(
    "answer",
    [
        "{}",
        "Here is the table:\n\n{}\n\nI hope this helps.",
        "```html\n{}\n```",
        "```\n{}",
        "Sure!\n```markdown\n{}\n```\nDone.",
        "  ~~~latex\n{}\n  ~~~",
    ],
)
def test_a_table_is_found_in_the_answer_of_a_model(answer: str, table: str) -> None:
    (found,) = read_tables(answer.replace("{}", table))
    assert [len(row) for row in grid(found)] == [2, 2]
    assert found.text_at(0, 0) == "Name"
    assert found.header_rows == 1


def test_the_strings_of_a_json_answer_are_read() -> None:
    answer = '```json\n{"page": 1, "tables": [{"html": "<table><tr><td class=\\"x\\">a</td></tr></table>"}]}\n```'
    assert [grid(table) for table in read_tables(answer)] == [[["a"]]]
    assert [grid(table)[1] for table in read_tables('["| A |\\n|---|\\n| 1 |"]')] == [["1"]]


def test_markdown_and_latex_become_the_html_of_the_same_table() -> None:
    expected = "<table><tr><th>Name</th><th>x^2</th></tr><tr><td>a &amp; b</td><td>1</td></tr></table>"
    assert as_html(MARKDOWN) == as_html(LATEX) == expected


def test_spans_lines_and_holes_are_kept_in_html() -> None:
    assert as_html(PAPER).startswith(
        '<table><tr><th rowspan="2">Model</th><th colspan="2">Accuracy ↑</th><th rowspan="2">n</th></tr>'
        "<tr><th>dev<br>set</th><th>test</th></tr>"
    )
    assert as_html("|A|B|\n|-|-|\n|1|") == "<table><tr><th>A</th><th>B</th></tr><tr><td>1</td></tr></table>"


@pytest.mark.parametrize("text", [PAPER, PANDOC, MARKDOWN])
def test_what_was_made_html_has_the_same_cells(text: str) -> None:
    (before,), (after,) = read_tables(text), read_tables(as_html(text))
    assert [(cell.rows, cell.cols, cell.header) for cell in before.cells] == [
        (cell.rows, cell.cols, cell.header) for cell in after.cells
    ]


@pytest.mark.parametrize("text", [HTML, "prose", "", "<tr><td>| a |\n|---|", "a | b"])
def test_html_and_texts_without_a_table_are_unchanged(text: str) -> None:
    assert as_html(text) == text


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_takes_markdown_and_latex(name: str) -> None:
    metric = METRICS[name]
    assert metric.score(MARKDOWN, LATEX) == metric.score(as_html(MARKDOWN), as_html(MARKDOWN))


def test_the_functions_of_the_metrics_stay_about_html() -> None:
    assert teds(MARKDOWN, as_html(MARKDOWN)).score < 0.5
    assert METRICS["teds"].score(MARKDOWN, as_html(MARKDOWN)) == 1.0


PIECES = [
    "<table>",
    "<tr>",
    "<td>",
    "<th>",
    "</table>",
    "<td rowspan=0>",
    "<td colspan=3>",
    "<td rowspan=2>",
    "<thead>",
]
PIECES += ["<tfoot>", "<br>", "<sup>", "<td hidden>", "<p>", "<!--", "-->", " ", "a", "1", "\n", "|", "|-", "|---|---|"]
PIECES += [
    "\\|",
    "`",
    "$",
    "+---+",
    "+===+",
    "+-",
    "-+",
    "&",
    "\\\\",
    "\\\\[2pt]",
    "\\begin{tabular}",
    "{cc}",
    "{",
    "}",
]
PIECES += ["\\end{tabular}", "\\multicolumn{2}{c}{", "\\multirow{2}{*}{", "\\multirow{-2}{*}{", "\\hline", "\\midrule"]
PIECES += ["%", "\\verb|", "\\endhead", "\\endlastfoot", "\\caption{", "\\makecell{", "\\begin{array}", "\\end{x}"]
PIECES += ["\x00", "\ud800", "\\", "```", "*{3}{c}", '{"', '"}', "["]


@given(st.one_of(st.lists(st.sampled_from(PIECES), max_size=25).map("".join), st.text(max_size=30)))
@example("\\begin{tabular}")
@example("+-+\n")
@example('{"a": "\\ud800<td>"}')
@example("[" * 5000)
def test_any_text_has_tables_or_none(text: str) -> None:
    with suppress(TooLargeError):
        assert bool(read_tables(text)) <= (kind_of(text) != "text")
        assert kind_of(as_html(text)) in ("html", kind_of(text))


@pytest.mark.parametrize("text", [HTML, MARKDOWN, LATEX, PAPER, PANDOC])
def test_a_table_cut_off_at_any_place_is_read(text: str) -> None:
    for length in range(len(text)):
        assert len(read_tables(text[:length])) <= 1
        as_html(text[:length])


def test_a_text_of_many_megabytes_is_refused_in_words() -> None:
    with pytest.raises(TooLargeError, match="expected at most 200,000 without HTML"):
        read_tables("|" * (LARGEST_TEXT + 1))
    with pytest.raises(TooLargeError, match=r"expected at most 1,000,000$"):
        read_tables("x" * 1_000_001)
    assert read_tables("x" * 1_000_000) == ()


@pytest.mark.corpus
def test_the_documents_of_the_reference_pairs_are_html_and_stay_as_they_are(scored_pairs: list[ScoredPair]) -> None:
    for pair in scored_pairs:
        for document in (pair.gold, pair.pred):
            assert as_html(document) == document
            with suppress(TooLargeError):
                read_tables(document)
