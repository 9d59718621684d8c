"""The ladder of fidelity: what a careful reader would give each damage of one scientific table, and why."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.fidelity import Fidelity, fidelity, fidelity_of_tables
from scoring.reading.html_grid import TooLargeError
from scoring.reading.table_text import read_tables
from scoring.table import from_rows

Rows = list[list[str]]

TOP = [
    ["Method", "Backbone", "CIFAR-10", "", "ImageNet", "", "Time (h)"],
    ["", "", "Acc ↑", "NLL ↓", "Acc ↑", "NLL ↓", ""],
]
SUPERVISED = [
    ["Baseline", "ResNet-18", "93.1 ± 0.2", "0.412", "69.8 ± 0.1", "1.247", "3.5"],
    ["Mixup", "ResNet-18", "94.6 ± 0.3", "0.388", "71.2 ± 0.2", "1.198", "3.9"],
    ["CutMix", "ResNet-50", "95.2 ± 0.1", "0.351", "76.4 ± 0.3", "1.043", "8.1"],
    ["AugMix", "ResNet-50", "95.0 ± 0.2", "0.349", "77.5 ± 0.1", "0.981", "9.4"],
    ["Ensemble", "ResNet-50", "95.9 ± 0.1", "0.302", "78.3 ± 0.1", "0.925", "40.2"],
]
SELF = [
    ["SimCLR", "ResNet-50", "91.8 ± 0.4", "0.467", "66.5 ± 0.3", "1.392", "52.0"],
    ["BYOL", "ResNet-50", "92.7 ± 0.3", "0.431", "71.9 ± 0.2", "1.174", "61.3"],
    ["DINO", "ViT-S/16", "94.1 ± 0.2", "0.397", "75.3 ± 0.2", "1.068", "72.6"],
    ["MAE", "ViT-B/16", "93.5 ± 0.5", "0.405", "77.9 ± 0.1", "0.967", "88.7"],
    ["iBOT", "ViT-B/16", "95.4 ± 0.1", "0.336", "78.6 ± 0.2", "0.913", "95.1"],
]
GOLD = [*TOP, ["Supervised"], *SUPERVISED, ["Self-supervised"], *SELF]
SPANS = {(0, 0): (2, 1), (0, 1): (2, 1), (0, 2): (1, 2), (0, 4): (1, 2), (0, 6): (2, 1), (2, 0): (1, 7), (8, 0): (1, 7)}


def html(rows: Rows, spans: dict[tuple[int, int], tuple[int, int]] | None = None, *, th: int = 2) -> str:
    """Rows as an HTML table; positions under a span are left out."""
    spans = SPANS if spans is None else spans
    covered = {
        (row + down, col + right)
        for (row, col), (height, width) in spans.items()
        for down in range(height)
        for right in range(width)
        if down or right
    }
    lines = []
    for row, line in enumerate(rows):
        cells = []
        for col, text in enumerate(line):
            if (row, col) in covered:
                continue
            height, width = spans.get((row, col), (1, 1))
            tag = "th" if row < th else "td"
            cells.append(f'<{tag} rowspan="{height}" colspan="{width}">{text}</{tag}>')
        lines.append(f"<tr>{''.join(cells)}</tr>")
    head, body = "".join(lines[:th]), "".join(lines[th:])
    return f"<table><thead>{head}</thead><tbody>{body}</tbody></table>" if th else f"<table>{body}</table>"


def score(pred: str) -> float:
    """0 to 10, as readers rate."""
    return 10 * fidelity(html(GOLD), pred).score


def padded(rows: Rows) -> Rows:
    return [[*line, *[""] * (7 - len(line))] for line in rows]


def changed(row: int, col: int, text: str) -> str:
    rows = [list(line) for line in GOLD]
    rows[row][col] = text
    return html(rows)


def mapped(change: Callable[[str], str], *, first: int = 0) -> str:
    return html([line if row < first else [change(text) for text in line] for row, line in enumerate(GOLD)])


def without_columns(*cols: int) -> str:
    rows = [[text for col, text in enumerate(line) if col not in cols] for line in padded(GOLD)]
    return html(rows, {})


def without_rows(*rows: int) -> str:
    return html([line for row, line in enumerate(padded(GOLD)) if row not in rows], {})


FLAT = [
    ["Method", "Backbone", *(f"{over} {under}" for over in ("CIFAR-10", "ImageNet") for under in ("Acc ↑", "NLL ↓"))]
]
FLAT[0].append("Time (h)")
BODY = padded(GOLD)[2:]

# Forgiven: the reader recovers all, or as good as all.
FORGIVEN = {
    "identity": (html(GOLD), 10.0),
    "no header marks": (html(GOLD, th=0), 9.7),
    "LaTeX signs": (mapped(lambda text: f"${text.replace('±', chr(92) + 'pm')}$" if "±" in text else text), 9.7),
    "bold marks of Markdown": (mapped(lambda text: f"**{text}**" if text else text), 9.7),
    "bold marks of HTML": (mapped(lambda text: f"<b>{text}</b>"), 9.7),
    "no spaces around the sign": (mapped(lambda text: text.replace(" ± ", "±")), 9.7),
    "an empty column more": (html([[*line[:2], "", *line[2:]] for line in padded(GOLD)], {}), 9.5),
    "a caption row": (html([["Table 2: Results on two data sets", *[""] * 6], *padded(GOLD)], {}, th=0), 9.5),
    "a note below": (html([*padded(GOLD), ["All runs on one GPU.", *[""] * 6]], {}), 9.0),
    "spans lost, texts at their first column": (html(padded(GOLD), {}), 9.5),
    "spans repeated": (
        html(
            [
                ["Method", "Backbone", "CIFAR-10", "CIFAR-10", "ImageNet", "ImageNet", "Time (h)"],
                ["Method", "Backbone", "Acc ↑", "NLL ↓", "Acc ↑", "NLL ↓", "Time (h)"],
                ["Supervised"] * 7,
                *SUPERVISED,
                ["Self-supervised"] * 7,
                *SELF,
            ],
            {},
        ),
        9.5,
    ),
    "headers joined in one row": (html([*FLAT, *BODY], {}, th=1), 9.5),
    "the section as a column of its own": (
        html(
            [["", *TOP[0]], ["", *TOP[1]], *(["Supervised", *line] for line in SUPERVISED)]
            + [["Self-supervised", *line] for line in SELF],
            {(0, 3): (1, 2), (0, 5): (1, 2)},
        ),
        9.0,
    ),
    "labels in capitals": (mapped(str.upper), 9.0),
    "two tables, the second after the section": (
        html(padded(GOLD[:8]), {}) + html(padded(GOLD[8:]), {}, th=0),
        9.5,
    ),
}


@pytest.mark.parametrize("case", FORGIVEN)
def test_what_readers_forgive_costs_little(case: str) -> None:
    pred, least = FORGIVEN[case]
    assert least <= score(pred) <= 10.0


# Punished: the band that a careful reader would give, and why.
PUNISHED = {
    # One value of fifty is wrong, and nothing shows which.
    "one digit wrong": (changed(4, 3, "0.338"), 8.5, 9.7),
    "one uncertainty lost": (changed(4, 2, "94.6"), 9.0, 9.9),
    "one value lost": (changed(4, 3, ""), 8.5, 9.7),
    # All values of a column are read as something else.
    "one header with another meaning": (html([TOP[0], [*TOP[1][:3], "ECE ↓", *TOP[1][4:]], *GOLD[2:]]), 4.5, 8.0),
    "two headers changed places": (
        html([TOP[0], ["", "", "NLL ↓", "Acc ↑", "Acc ↑", "NLL ↓", ""], *GOLD[2:]]),
        2.0,
        6.0,
    ),
    # Which accuracy is whose? All but the last column cannot be told apart.
    "headers of the upper row lost": (
        html([["Method", "Backbone", *TOP[1][2:6], "Time (h)"], *BODY], {}, th=1),
        1.0,
        4.5,
    ),
    "the first header spans three columns": (
        html(GOLD, SPANS | {(0, 2): (1, 3), (0, 4): (1, 1)}).replace("ImageNet", ""),
        1.5,
        5.5,
    ),
    "no header at all": (html(BODY, {}, th=0), 0.5, 3.5),
    # Backbones stay, and tell some rows.
    "the column of methods lost": (without_columns(0), 0.5, 4.0),
    "both label columns lost": (without_columns(0, 1), 0.0, 2.5),
    "labels merged in one cell": (
        html(
            [*padded(GOLD)[:3], [" ".join(line[0] for line in SUPERVISED), *SUPERVISED[0][1:]]]
            + [["", *line[1:]] for line in SUPERVISED[1:]]
            + [["Self-supervised", *[""] * 6], [" ".join(line[0] for line in SELF), *SELF[0][1:]]]
            + [["", *line[1:]] for line in SELF[1:]],
            {(0, 2): (1, 2), (0, 4): (1, 2)},
        ),
        0.5,
        4.5,
    ),
    "a value column lost": (without_columns(3), 4.0, 7.5),
    "the last three rows cut off": (without_rows(11, 12, 13), 2.5, 6.5),
    "the last row cut off": (without_rows(13), 6.0, 8.5),
    "all after the first rows cut off": (without_rows(*range(6, 14)), 0.0, 2.5),
    "two columns run together": (
        html([[*line[:2], f"{line[2]} {line[3]}".strip(), *line[4:]] for line in padded(GOLD)], {}),
        3.0,
        7.5,
    ),
    "two columns run together without a space": (
        html([[*line[:2], line[2] + line[3], *line[4:]] for line in padded(GOLD)], {}),
        1.5,
        5.5,
    ),
    "two figures of a row fused": (
        html([*GOLD[:4], ["Mixup", "ResNet-18", "94.6 ± 0.30.388", "", *GOLD[4][4:]], *GOLD[5:]]),
        7.5,
        9.5,
    ),
    "the second section swallowed": (without_rows(8), 5.0, 9.0),
    "a row of the next section swallowed": (html([*GOLD[:8], GOLD[9], GOLD[8], *GOLD[10:]]), 7.0, 9.7),
    "values of one row moved left": (
        html([*GOLD[:4], ["Mixup", *GOLD[4][2:], ""], *GOLD[5:]]),
        6.0,
        9.0,
    ),
    "a row invented": (
        html([*GOLD, ["MoCo", "ResNet-50", "91.1 ± 0.4", "0.477", "67.5 ± 0.3", "1.382", "50.0"]]),
        7.0,
        9.9,
    ),
    "all rows twice": (html([*GOLD, *GOLD[2:]]), 4.0, 8.5),
    # Structure is gone.
    "one line of text per row": (html([[" ".join(filter(None, line))] for line in GOLD], {}), 0.0, 2.0),
    "one cell": (html([[" ".join(text for line in GOLD for text in line)]], {}), 0.0, 0.8),
    "another table": (html([["Country", "Capital"], ["France", "Paris"], ["Spain", "Madrid"]], {}), 0.0, 0.3),
    "no table": ("The table could not be read.", 0.0, 0.0),
    "nothing": ("", 0.0, 0.0),
}


@pytest.mark.parametrize("case", PUNISHED)
def test_what_readers_punish_costs_as_much_as_they_say(case: str) -> None:
    pred, least, most = PUNISHED[case]
    assert least <= score(pred) <= most


# The worse first.
LADDER = [
    ("one cell", "one line of text per row"),
    ("one line of text per row", "two columns run together"),
    ("both label columns lost", "the column of methods lost"),
    ("the column of methods lost", "one digit wrong"),
    ("the column of methods lost", "a value column lost"),
    ("no header at all", "headers of the upper row lost"),
    ("headers of the upper row lost", "one header with another meaning"),
    ("headers of the upper row lost", "a value column lost"),
    ("two headers changed places", "one header with another meaning"),
    ("one header with another meaning", "one digit wrong"),
    ("the last three rows cut off", "the last row cut off"),
    ("the last row cut off", "one digit wrong"),
    ("two columns run together without a space", "two columns run together"),
    ("one value lost", "one uncertainty lost"),
    ("the second section swallowed", "a row of the next section swallowed"),
    ("labels merged in one cell", "two figures of a row fused"),
    ("all after the first rows cut off", "the last three rows cut off"),
]


@pytest.mark.parametrize(("worse", "better"), LADDER)
def test_the_ladder_is_in_order(worse: str, better: str) -> None:
    assert score(PUNISHED[worse][0]) < score(PUNISHED[better][0])


LATEX = r"""
\begin{table}\caption{Results}
\begin{tabular}{llccccc}
\toprule
\multirow{2}{*}{Method} & \multirow{2}{*}{Backbone} & \multicolumn{2}{c}{CIFAR-10} & \multicolumn{2}{c}{ImageNet}
 & \multirow{2}{*}{Time (h)} \\
\cmidrule(lr){3-4}\cmidrule(lr){5-6}
 & & Acc $\uparrow$ & NLL $\downarrow$ & Acc $\uparrow$ & NLL $\downarrow$ & \\
\midrule
\multicolumn{7}{c}{\textit{Supervised}} \\
BODY1
\midrule
\multicolumn{7}{c}{\textit{Self-supervised}} \\
BODY2
\bottomrule
\end{tabular}\end{table}
"""


def latex() -> str:
    one, two = (
        "\n".join(" & ".join(f"${text}$" if "±" in text else text for text in line) + r" \\" for line in rows)
        for rows in (SUPERVISED, SELF)
    )
    return LATEX.replace("BODY1", one).replace("BODY2", two).replace("±", r"\pm")


def markdown() -> str:
    lines = ["| " + " | ".join(line) + " |" for line in padded(GOLD)]
    return "\n".join([lines[0], "|" + "---|" * 7, *lines[1:]])


@pytest.mark.parametrize("gold", ["html", "latex", "markdown"])
@pytest.mark.parametrize("pred", ["html", "latex", "markdown"])
def test_the_notation_of_the_table_does_not_matter(gold: str, pred: str) -> None:
    texts = {"html": html(GOLD), "latex": latex(), "markdown": markdown()}
    result = fidelity(texts[gold], texts[pred])
    assert result.score >= (1.0 if gold == pred else 0.97)


@pytest.mark.parametrize("gold", ["html", "latex", "markdown"])
def test_a_lost_column_costs_alike_in_each_notation(gold: str) -> None:
    texts = {"html": html(GOLD), "latex": latex(), "markdown": markdown()}
    assert 0.4 <= fidelity(texts[gold], without_columns(3)).score <= 0.75
    assert fidelity(texts[gold], without_columns(0)).score <= 0.4


@pytest.mark.parametrize("case", [*FORGIVEN, *PUNISHED])
def test_the_losses_explain_recall_and_precision(case: str) -> None:
    result = fidelity(html(GOLD), {**FORGIVEN, **PUNISHED}[case][0])
    invented = math.fsum(loss.weight for loss in result.losses if loss.kind == "invented")
    lost = math.fsum(loss.weight for loss in result.losses if loss.kind != "invented")
    assert math.isclose(lost, 1 - result.recall, abs_tol=1e-9)
    assert math.isclose(invented, 1 - result.precision, abs_tol=1e-9)
    assert all(loss.weight > 0 for loss in result.losses)


def kinds(result: Fidelity) -> set[str]:
    return {loss.kind for loss in result.losses}


def test_each_loss_is_told_with_its_place_and_its_texts() -> None:
    (loss,) = fidelity(html(GOLD), changed(4, 3, "0.338")).losses
    assert (loss.kind, loss.gold, loss.pred, loss.gold_text, loss.pred_text) == (
        "wrong_value",
        (4, 3),
        (4, 3),
        "0.388",
        "0.338",
    )


@pytest.mark.parametrize(
    ("case", "kind"),
    [
        ("one value lost", "lost_value"),
        ("one uncertainty lost", "altered_value"),
        ("one header with another meaning", "wrong_column_header"),
        ("headers of the upper row lost", "ambiguous_column_header"),
        ("no header at all", "lost_column_header"),
        ("both label columns lost", "lost_row_header"),
        ("the second section swallowed", "wrong_row_header"),
        ("two columns run together", "fused"),
        ("values of one row moved left", "misplaced"),
        ("a row invented", "invented"),
    ],
)
def test_a_damage_is_told_by_its_kind(case: str, kind: str) -> None:
    assert kind in kinds(fidelity(html(GOLD), PUNISHED[case][0]))


def test_lines_of_a_cell_in_matching_order_are_forgiven() -> None:
    rows = [["Model", "Acc", "F1"], ["A", "0.71", "0.69"], ["B", "0.82", "0.80"], ["C", "0.93", "0.91"]]
    merged = [rows[0], ["<br>".join(row[col] for row in rows[1:]) for col in range(3)]]
    spaced = [rows[0], [" ".join(row[col] for row in rows[1:]) for col in range(3)]]
    joined = [rows[0], ["".join(row[col] for row in rows[1:]) for col in range(3)]]
    scores = [fidelity(html(rows, {}, th=1), html(pred, {}, th=1)).score for pred in (merged, spaced, joined)]
    assert scores[0] > 0.8
    assert scores[0] > scores[1] > scores[2]
    assert scores[2] < 0.1


def test_a_label_that_wraps_into_a_row_of_its_own_is_forgiven() -> None:
    rows = [["Model", "Acc"], ["Long name of a model", "0.71"], ["Other", "0.82"]]
    wrapped = [rows[0], ["Long name of", "0.71"], ["a model", ""], rows[2]]
    assert fidelity(html(rows, {}, th=1), html(wrapped, {}, th=1)).score >= 0.97


def test_a_value_split_over_two_columns_is_forgiven() -> None:
    rows = [["Model", "Acc", "F1"], ["A", "0.71±0.02", "0.5"], ["B", "0.82±0.01", "0.6"]]
    split = [["Model", "Acc", "", "F1"], ["A", "0.71", "±0.02", "0.5"], ["B", "0.82", "±0.01", "0.6"]]
    assert fidelity(html(rows, {}, th=1), html(split, {}, th=1)).score >= 0.97


def test_rows_in_another_order_keep_their_values() -> None:
    rows = [["City", "Area", "Height"], ["Oslo", "454", "23"], ["Rome", "1285", "21"], ["Bern", "52", "542"]]
    moved = [rows[0], rows[3], rows[1], rows[2]]
    assert fidelity(html(rows, {}, th=1), html(moved, {}, th=1)).score == 1.0


def test_pieces_of_a_split_table_are_put_below_each_other() -> None:
    pieces = html(padded(GOLD[:8]), {}) + html([*TOP, *padded(GOLD[8:])], {})
    assert fidelity(html(GOLD), pieces).score >= 0.95


def test_other_tables_of_the_page_do_no_harm() -> None:
    other = html([["Country", "Capital"], ["France", "Paris"], ["Spain", "Madrid"]], {}, th=1)
    assert fidelity(html(GOLD), other + html(GOLD)).score == 1.0


def test_tables_as_values_score_as_their_texts() -> None:
    pred = without_columns(3)
    (first,), (second,) = read_tables(html(GOLD)), read_tables(pred)
    assert fidelity_of_tables(first, second) == fidelity(html(GOLD), pred)


def test_two_texts_without_a_table_are_equal_and_one_is_not() -> None:
    assert fidelity("", "no table").score == 1.0
    assert fidelity("", html(GOLD)).score == 0.0


def test_a_table_of_too_many_positions_is_refused_in_words() -> None:
    rows = from_rows([["1"] * 101] * 101)
    with pytest.raises(TooLargeError, match="expected at most"):
        fidelity_of_tables(rows, rows)


texts = st.sampled_from(["", "-", "A", "B", "Acc", "1", "2", "1.5", "1.5 ± 0.1", "1 2", "total", "x<br>y"])
tables = st.lists(st.lists(texts, min_size=1, max_size=5), max_size=6)


@settings(max_examples=150, deadline=None)
@given(gold=tables, pred=tables, marked=st.integers(0, 2))
def test_any_two_tables_have_a_score_and_their_losses_explain_it(gold: Rows, pred: Rows, marked: int) -> None:
    result = fidelity(html(gold, {}, th=marked), html(pred, {}, th=0))
    assert 0.0 <= result.score <= 1.0
    lost = math.fsum(loss.weight for loss in result.losses if loss.kind != "invented")
    invented = math.fsum(loss.weight for loss in result.losses if loss.kind == "invented")
    assert math.isclose(lost, 1 - result.recall, abs_tol=1e-9)
    assert math.isclose(invented, 1 - result.precision, abs_tol=1e-9)
    assert fidelity(html(gold, {}, th=marked), html(gold, {}, th=0)).score == 1.0


@settings(max_examples=100, deadline=None)
@given(gold=st.text(max_size=80), pred=st.text(alphabet="<>tabledr|-\\&{}$ \n12x", max_size=80))
def test_no_text_raises(gold: str, pred: str) -> None:
    assert 0.0 <= fidelity(gold, pred).score <= 1.0


SMALL = [["Model", "Acc", "F1"], ["A", "0.71", "0.69"], ["B", "0.82", "0.80"], ["C", "0.93", "0.91"]]


def small(*rows: list[str], gold: Rows = SMALL) -> float:
    return fidelity(html(gold, {}, th=1), html(list(rows), {}, th=1)).score


def test_a_lost_upper_header_costs_little_where_the_lower_one_is_enough() -> None:
    gold = html([["", "Test", ""], ["Model", "Acc", "F1"], *SMALL[1:]], {(0, 1): (1, 2)})
    assert 0.5 <= fidelity(gold, html(SMALL, {}, th=1)).score <= 0.8


def test_a_header_more_than_gold_has_costs_little() -> None:
    more = [["", *["Measured on the test set in spring"] * 2], *SMALL]
    more[0][2] += " and summer"
    assert fidelity(html(SMALL, {}, th=1), html(more, {}, th=2)).score >= 0.75


def test_of_two_columns_with_one_header_the_one_that_has_it_in_gold_keeps_more() -> None:
    twice, neither = ([["Model", *words], *SMALL[1:]] for words in (["Acc", "Acc"], ["Value", "Value"]))
    losses = {loss.gold: loss.weight for loss in fidelity(html(SMALL, {}, th=1), html(twice, {}, th=1)).losses}
    assert losses[0, 1] < 0.7 * losses[0, 2]
    assert small(*twice) > small(*neither)


def test_names_that_a_program_gives_to_columns_are_no_headers() -> None:
    assert small(["Col1", "Col2", "Col3"], *SMALL) == 1.0


def test_a_header_that_slid_into_the_next_cell_is_half_kept() -> None:
    assert 0.4 <= small(["Model", "Acc F1", ""], *SMALL[1:]) <= 0.7


def test_a_row_between_two_others_is_found_by_its_place() -> None:
    result = fidelity(html(SMALL, {}, th=1), html([*SMALL[:2], ["X", "0.28", "0.08"], SMALL[3]], {}, th=1))
    assert [loss.kind for loss in result.losses] == ["wrong_value", "wrong_value"]


def test_rows_merged_into_one_of_two_are_looked_for_where_most_of_them_stands() -> None:
    gold = [["Set", "Model", "Acc"], ["X", "A", "0.71"], ["X", "B", "0.82"], ["Y", "A", "0.71"], ["Y", "B", "0.93"]]
    merged = [gold[0], ["X", "A<br>B", "0.71<br>0.82"], ["Y", "A<br>B", "0.71<br>0.93"]]
    assert small(*merged, gold=gold) >= 0.85


def test_a_header_that_stands_beside_its_values_is_put_over_them() -> None:
    beside = [["Model", "", "Acc", "", "F1"], *([a, b, "", c, ""] for a, b, c in SMALL[1:])]
    assert small(*beside) == 1.0


def test_header_lines_stay_under_their_spanning_header() -> None:
    gold = html([["Symptom", "How often", ""], ["", "Each week", "Rarely/Never"], *SMALL[1:]], {(0, 1): (1, 2)})
    pred = [["", "How often", ""], ["Symptom", "Each", ""], ["", "week", "Rarely/Never"], *SMALL[1:]]
    assert fidelity(gold, html(pred, {}, th=1)).score >= 0.97


def test_gold_of_one_heading_is_kept_only_where_the_heading_is() -> None:
    heading = "<table><tr><td colspan=2>a</td></tr></table>"
    assert fidelity(heading, "<table></table>").recall == 0.0
    assert fidelity(heading, "<table><tr><td>a</td></tr></table>").recall == 1.0
    assert fidelity(heading, heading).score == 1.0
