from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest

from benchmarks.scoring import _misread, _text
from scoring import Column, TableType, from_rows
from scoring.alignment.align import LEAST_SIMILARITY, LEAST_SIMILARITY_OF_DOUBTFUL, align
from scoring.alignment.blocking import MOST_CANDIDATES, candidate_pairs
from scoring.alignment.embeddings import Embeddings
from scoring.alignment.row_match import Rows, of_all_pairs, of_candidates
from scoring.alignment.row_similarity import RowCost, pair_similarity
from scoring.values.reader import PLAIN

Lines = list[list[str]]
Maker = Callable[[random.Random, int, int], Lines]


def mixed(chance: random.Random, rows: int, cols: int) -> Lines:
    return [[_text(chance, col) for col in range(cols)] for _ in range(rows)]


def numbers(chance: random.Random, rows: int, cols: int) -> Lines:
    return [[str(chance.randrange(1, 200)) for _ in range(cols)] for _ in range(rows)]


def categories(chance: random.Random, rows: int, cols: int) -> Lines:
    return [[f"kind {chance.randrange(8)}" for _ in range(cols)] for _ in range(rows)]


def damaged(gold: Lines, chance: random.Random, share: float) -> tuple[Lines, list[int]]:
    """The rows in another order without a tenth of them, that share of cells misread, and where each is from."""
    order = [at for at in range(len(gold)) if chance.random() > 0.1]
    chance.shuffle(order)
    return [[_misread(chance, text) if chance.random() < share else text for text in gold[at]] for at in order], order


def rows_of(gold: Lines, pred: Lines, cost: RowCost = "levenshtein") -> Rows:
    columns = (PLAIN,) * len(gold[0])
    texts = (tuple(map(tuple, lines)) for lines in (gold, pred))
    return Rows(*texts, columns, cost, LEAST_SIMILARITY, LEAST_SIMILARITY_OF_DOUBTFUL)


def both_ways(rows: Rows) -> tuple[dict[int, int], dict[int, int]]:
    """The pairs by comparing every row with every other, and by candidates alone."""
    at = range(len(rows.gold)), range(len(rows.pred))
    return dict(of_all_pairs(rows, *at, least=rows.least)), dict(of_candidates(rows, *at, least=rows.least))


@pytest.mark.parametrize("cost", ["levenshtein", "cells"])
@pytest.mark.parametrize(
    ("make", "share"), [(mixed, 0.1), (mixed, 0.7), (numbers, 0.1), (numbers, 0.7), (categories, 0.1)]
)
def test_candidates_find_the_partner_that_comparing_every_pair_finds(make: Maker, share: float, cost: RowCost) -> None:
    equal = 0
    for seed in range(2):
        chance = random.Random(seed)
        gold = make(chance, 300, 6)
        pred, _ = damaged(gold, chance, share)
        every, some = both_ways(rows_of(gold, pred, cost))
        equal += sum(every.get(at) == some.get(at) for at in range(300))
    assert equal >= 0.99 * 600


def test_where_rows_cannot_be_told_apart_candidates_find_a_match_that_is_as_good() -> None:
    # Eight different words, of which four in ten are misread: many rows are equally near.
    chance = random.Random(3)
    gold = categories(chance, 300, 6)
    pred, _ = damaged(gold, chance, 0.4)
    rows = rows_of(gold, pred)
    best, found = (
        pair_similarity(
            rows.gold, rows.pred, np.array([*pairs]), np.array([*pairs.values()]), rows.columns, cost=rows.cost
        ).sum()
        for pairs in both_ways(rows)
    )
    assert best >= found >= 0.99 * best


def test_five_thousand_rows_in_another_order_find_their_own_without_keys() -> None:
    chance = random.Random(1)
    gold = mixed(chance, 5000, 4)
    pred, order = damaged(gold, chance, 0.2)
    found = align(from_rows(gold), from_rows(pred))
    right = sum(order[p] == g for g, p in found.rows)
    assert right >= 0.99 * len(pred)
    assert "compared only where they share values" in found.how
    assert align(from_rows(gold), from_rows(pred)) == found


def test_rows_that_share_no_whole_value_find_each_other_by_pieces_of_their_texts() -> None:
    gold = [[f"row {at} of many"] for at in range(4500)]
    pred = [[f"{text}!"] for (text,) in gold]
    found = align(from_rows(gold), from_rows(pred[::-1]))
    assert found.rows == tuple((at, 4499 - at) for at in range(4500))


def test_long_texts_find_each_other_by_their_words() -> None:
    chance = random.Random(4)
    gold = [[" ".join(_text(chance, 1) for _ in range(4)) + f" {at * 7}"] for at in range(2500)]
    pred = [[f"{text} (copied)"] for (text,) in gold]
    chance.shuffle(pred)
    found = align(from_rows(gold), from_rows(pred))
    right = sum(pred[p][0].startswith(f"{gold[g][0]} ") for g, p in found.rows)
    assert right >= 0.99 * 2500


def test_a_value_of_a_rare_column_leads_to_the_row_and_one_that_all_have_does_not() -> None:
    gold = tuple(("EUR", f"{at}.50") for at in range(200))
    pred = tuple(("EUR", f"{199 - at}.50") for at in range(200))
    gold_at, pred_at = candidate_pairs(gold, pred, (1.0, 1.0))
    pairs = set(zip(gold_at.tolist(), pred_at.tolist(), strict=True))
    assert {(at, 199 - at) for at in range(200)} <= pairs
    assert len(pairs) <= 2 * MOST_CANDIDATES * 200


def test_two_frequent_values_together_lead_to_the_row() -> None:
    # Each value stands in hundreds of rows, two beside each other in dozens.
    chance = random.Random(6)
    gold = categories(chance, 2000, 8)
    pred, order = damaged(gold, chance, 0.1)
    found = of_candidates(rows_of(gold, pred), range(2000), range(len(pred)), least=LEAST_SIMILARITY)
    assert sum(gold[order[p]] == gold[g] for g, p in found) >= 0.95 * len(pred)


def test_the_few_rows_left_over_are_compared_after_all() -> None:
    gold, pred = (("abcdef",),), (("aXcdYf",),)
    assert [len(at) for at in candidate_pairs(gold, pred, (1.0,))] == [0, 0]
    assert of_candidates(rows_of([["abcdef"]], [["aXcdYf"]]), [0], [0], least=LEAST_SIMILARITY) == ((0, 0),)


def test_keys_match_many_shuffled_rows_exactly() -> None:
    chance = random.Random(2)
    gold = [[str(at), _text(chance, 1)] for at in range(5000)]
    pred = [[key, _misread(chance, text)] for key, text in gold]
    chance.shuffle(pred)
    kind = TableType("t", (Column("no", type="id", key=True), Column("text")))
    head = ["no", "text"]
    found = align(from_rows([head, *gold], header_rows=1), from_rows([head, *pred], header_rows=1), table_type=kind)
    assert found.how == "by no"
    assert all(gold[g - 1][0] == pred[p - 1][0] for g, p in found.data_rows)
    assert len(found.data_rows) == 5000


def test_a_model_is_asked_in_pieces_for_a_large_table() -> None:
    asked = []

    def same_end(gold: list[str], pred: list[str]) -> list[list[float]]:
        asked.append(len(gold))
        ends = [text.split()[-1] for text in pred]
        return [[float(text.split()[-1] == end) for end in ends] for text in gold]

    gold = [[f"item {at:04}"] for at in range(2500)]
    pred = [[f"thing {at:04}"] for at in reversed(range(2500))]
    found = align(from_rows(gold), from_rows(pred), row_cost=Embeddings("ends", same_end))
    assert found.rows == tuple((at, 2499 - at) for at in range(2500))
    assert max(asked) <= 2000


def test_tables_without_texts_have_no_candidates() -> None:
    for gold, pred, weights in (((), (("a",),), (1.0,)), ((("",),), (("",),), (1.0,)), (((),), ((),), ())):
        assert [len(at) for at in candidate_pairs(gold, pred, weights)] == [0, 0]
