from __future__ import annotations

import pytest
from hypothesis import given, settings

from scoring.metrics.error_rates import ErrorRate, cer, linear, wer
from tests.scoring import reference
from tests.scoring.conftest import ScoredPair
from tests.scoring.html_tables import table, tables


@pytest.mark.corpus
def test_all_pairs_have_the_error_rates_that_jiwer_found(scored_pairs: list[ScoredPair]) -> None:
    differences = [
        max(
            abs(cer(pair.gold, pair.pred).rate - pair.reference["cer"]),
            abs(wer(pair.gold, pair.pred).rate - pair.reference["wer"]),
        )
        for pair in scored_pairs
    ]
    assert len(differences) == 611
    assert max(differences) == 0


def test_a_table_is_written_out_with_tabs_between_cells_and_a_line_per_row() -> None:
    assert linear("<table><tr><th> a\n b<td>c<br>d<tr><tr><td rowspan=2>e</table>") == "a b\tcd\n\ne"


@pytest.mark.parametrize(
    ("gold", "pred", "characters", "words"),
    [
        (table(["abcd"]), table(["abxd"]), ErrorRate(1, 4), ErrorRate(1, 1)),
        (table(["a b"], ["c"]), table(["a"], ["b c"]), ErrorRate(2, 5), ErrorRate(2, 2)),
        (table(["a b c"]), "", ErrorRate(5, 5), ErrorRate(3, 3)),
        ("", table(["a b c"]), ErrorRate(5, 0), ErrorRate(3, 0)),
        ("", "", ErrorRate(0, 0), ErrorRate(0, 0)),
        (table(["a", "", "b c"]), table(["a b", "c"]), ErrorRate(3, 6), ErrorRate(2, 3)),
    ],
)
def test_edits_are_counted_in_characters_and_in_words_between_spaces(
    gold: str, pred: str, characters: ErrorRate, words: ErrorRate
) -> None:
    assert (cer(gold, pred), wer(gold, pred)) == (characters, words)


def test_without_gold_the_rate_is_the_number_of_insertions() -> None:
    assert cer("", table(["abc"])).rate == 3
    assert cer("", "").rate == 0


def test_the_rate_of_a_corpus_is_that_of_its_summed_edits() -> None:
    assert (ErrorRate(1, 4) + ErrorRate(3, 4)).rate == 0.5


@settings(max_examples=40)
@given(gold=tables(), pred=tables())
def test_edits_are_those_of_the_plain_recurrence(gold: str, pred: str) -> None:
    assert cer(gold, pred).edits == reference.distance(linear(gold).strip(), linear(pred).strip())
