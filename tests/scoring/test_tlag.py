from __future__ import annotations

import pytest
from hypothesis import given, settings

from scoring.metrics.tlag import LARGEST_ASSIGNMENT, normalise, tlag
from scoring.reading.html_grid import TooLargeError
from tests.scoring import reference
from tests.scoring.conftest import ScoredPair
from tests.scoring.html_tables import table, tables

SQUARE = table("abc", "123", "456")


@pytest.mark.corpus
def test_all_pairs_score_as_the_official_program_scores_them(scored_pairs: list[ScoredPair]) -> None:
    differences = []
    for pair in (pair for pair in scored_pairs if pair.ok("tlag")):
        score, expected = tlag(pair.gold, pair.pred), pair.reference
        differences += [
            abs(score.precision - expected["tlag_precision"]),
            abs(score.recall - expected["tlag_recall"]),
            abs(score.f1 - expected["tlag_f1"]),
        ]
        if any(expected["tlag_edges"]):
            assert [score.expected, score.predicted] == expected["tlag_edges"], pair.name
    assert len(differences) == 3 * 608
    assert max(differences) < 1e-12


@pytest.mark.parametrize(
    ("gold", "pred", "f1"),
    [
        ("<table></table>", "<table></table>", 1.0),
        (SQUARE, "<table></table>", 0.0),
        (SQUARE, "", 0.0),
        ("", "", 1.0),
        (table(["hello"]), table(["hallo"]), 0.8**7),
        (table(["a"]), SQUARE, 0.0),
        ("<p>zzz</p>", table([""]), 1.0),
        (SQUARE, f'<?xml version="1.0" encoding="utf-8"?>{SQUARE}', 1.0),
        ("<table><td>a</td><td>b</td></table>", table("ab"), 0.0),
        (SQUARE, SQUARE + table("zw"), 0.888888888888889),
        (table("abcdef"), table(*"abcdef"), 0.0),
    ],
)
def test_documents_at_the_edge_of_the_definition_have_these_scores(gold: str, pred: str, f1: float) -> None:
    assert tlag(gold, pred).f1 == pytest.approx(f1, abs=1e-12)


def test_below_a_row_that_ends_early_a_running_span_lives_one_row_longer() -> None:
    gold = table("ab", "d", "efg", "hij").replace("<td>b</td>", '<td>b</td><td rowspan="2">c</td>')
    pred = table("abc", ["d", "", ""], "efg", "hij")
    assert tlag(gold, pred).f1 == pytest.approx(0.6206896551724139, abs=1e-12)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (" N/A ", ""),
        ("\u3000", ""),
        ("[NULL]", ""),
        ("[null]", "[null]"),
        ("null", "null"),
        ("NaN", "NaN"),
        ("\u2212", "-"),
        ("\u2013", ""),
        ("1\u20132\u00a0 x", "1-2 x"),
        ("\u200b", "\u200b"),
    ],
)
def test_words_for_nothing_are_recognised_before_dashes_are_unified(text: str, expected: str) -> None:
    assert normalise(text) == expected


@settings(max_examples=150)
@given(gold=tables(), pred=tables())
def test_matching_equal_edges_first_never_changes_the_score(gold: str, pred: str) -> None:
    assert tlag(gold, pred).f1 == pytest.approx(reference.tlag_f1(gold, pred), abs=1e-12)


def test_a_span_of_a_million_is_refused_in_words() -> None:
    with pytest.raises(TooLargeError, match="look for a wrong rowspan or colspan"):
        tlag(SQUARE, '<table><tr><td colspan="1000000">a</td></tr></table>')
    with pytest.raises(TooLargeError, match="row 2"):
        tlag(SQUARE, '<table><tr><td>a</td></tr><tr><td rowspan="900000000">a</td></tr></table>')
    tlag(SQUARE, '<table><tr><td colspan="-3" rowspan="900000000">a</td></tr></table>')


def test_more_unequal_edges_than_can_be_assigned_are_refused_in_words() -> None:
    many = [f"{n}" for n in range(LARGEST_ASSIGNMENT + 2)]
    with pytest.raises(TooLargeError, match="score the parts of the table on their own"):
        tlag(table(many), table(f"x{n}" for n in many))
    assert tlag(table(many), table(many)).f1 == 1
