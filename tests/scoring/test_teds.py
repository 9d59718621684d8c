from __future__ import annotations

import pytest
from hypothesis import given, settings

from scoring.metrics import kernels
from scoring.metrics.teds import teds
from scoring.reading.html_grid import TooLargeError
from tests.scoring import reference
from tests.scoring.conftest import ScoredPair
from tests.scoring.html_tables import table, tables

SQUARE = table("abc", "123", "456")


@pytest.mark.corpus
@pytest.mark.parametrize(("metric", "structure_only"), [("teds", False), ("teds_struct", True)])
def test_all_pairs_score_as_the_ibm_program_scores_them(
    scored_pairs: list[ScoredPair], metric: str, structure_only: bool
) -> None:
    differences = [
        abs(teds(pair.gold, pair.pred, structure_only=structure_only).score - pair.reference[metric])
        for pair in scored_pairs
        if pair.ok(metric)
    ]
    assert len(differences) == 608
    assert max(differences) < 1e-12


@pytest.mark.parametrize(
    ("gold", "pred", "score", "structure"),
    [
        (SQUARE, SQUARE, 1.0, 1.0),
        (SQUARE, "<table></table>", 0.0, 0.0),
        ("<table></table>", "<table></table>", 1.0, 1.0),
        (SQUARE, "", 0.0, 0.0),
        ("", "", 0.0, 0.0),
        (f"<div>{SQUARE}</div>", SQUARE, 0.0, 0.0),
        (table(["hello"]), table(["hallo"]), 0.9, 1.0),
        (SQUARE, table("abc", tag="th").replace("</table>", "") + table("123", "456")[7:], 0.75, 0.75),
        (table("abc", tag="th"), table("abX", tag="th"), 1.0, 1.0),
        (SQUARE, SQUARE + table("zw"), 1.0, 1.0),
        ("<table><tr><td>a<br>b</td><td>c<br/>d</td></tr></table>", table(["a b", "cd"]), 0.8, 1.0),
        ("<table><tr><td><unk>q</unk></td><td>b</td></tr></table>", table("qb"), 0.875, 1.0),
        (table(["x"]), '<table><tr><td colspan="two">x</td></tr></table>', 1.0, 1.0),
    ],
)
def test_tables_at_the_edge_of_the_definition_have_these_scores(
    gold: str, pred: str, score: float, structure: float
) -> None:
    assert teds(gold, pred).score == pytest.approx(score, abs=1e-12)
    assert teds(gold, pred, structure_only=True).score == pytest.approx(structure, abs=1e-12)


def test_very_different_trees_score_below_zero() -> None:
    deep = "<table>" + "<div><span>" * 6 + "</span></div>" * 6 + "</table>"
    assert teds(deep, table("abcdefghijkl")).score == pytest.approx(reference.teds(deep, table("abcdefghijkl")))


@pytest.mark.parametrize(
    "same",
    [
        table("ab", "12", tag="th"),
        "<table><thead><tr><td>a</td><td>b</td></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>",
        "<div><table><tr><td> a</td><td><b>b</b></td></tr><tr><td>1\n</td><td>2</td></tr></table></div>",
        "<table><caption>t</caption><colgroup><col><col></colgroup>" + table("ab", "12")[7:],
    ],
)
def test_normalised_ways_to_write_one_table_do_not_count(same: str) -> None:
    assert teds(table("ab", "12"), same, mode="normalised").score == 1
    assert teds(table("ab", "12"), same).score < 1


def test_normalised_the_text_of_header_cells_counts() -> None:
    assert teds(table("ab", tag="th"), table("aX", tag="th"), mode="normalised").score == pytest.approx(3 / 4)


@settings(max_examples=150)
@given(gold=tables(), pred=tables())
def test_the_tree_distance_is_that_of_the_recurrence(gold: str, pred: str) -> None:
    assert teds(gold, pred).score == pytest.approx(reference.teds(gold, pred), abs=1e-12)


@settings(max_examples=60)
@given(gold=tables(), pred=tables())
def test_normalised_scores_are_symmetric_and_within_0_and_1(gold: str, pred: str) -> None:
    score = teds(gold, pred, mode="normalised").score
    assert 0 <= score <= 1
    assert score == pytest.approx(teds(pred, gold, mode="normalised").score, abs=1e-12)


def test_compiled_and_plain_loops_give_one_value(monkeypatch: pytest.MonkeyPatch) -> None:
    gold = table(*([f"{row}{col}" for col in range(8)] for row in range(12)))
    pred = table(*([f"{row}{col % 7}x" for col in range(7)] for row in range(13)))
    with monkeypatch.context() as patched:
        patched.setattr(kernels, "_compiler", lambda: None)
        plain = teds(gold, pred)
    pytest.importorskip("numba", reason="numba is not installed: only the plain loops are there")
    assert teds(gold, pred) == plain


def test_tables_that_would_take_too_long_are_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    many, other = (table(*([text, "b"] for _ in range(900))) for text in "ac")
    with monkeypatch.context() as patched:
        patched.setattr(kernels, "_compiler", lambda: None)
        with pytest.raises(TooLargeError, match=r"install proofgrid\[fast\], or score the parts"):
            teds(many, other)
    long, other = table(["ab" * 100_000]), table(["cb" * 100_000])
    with pytest.raises(TooLargeError, match="the different texts of gold have 200,000 characters"):
        teds(long, other)
