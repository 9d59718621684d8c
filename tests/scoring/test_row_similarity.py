from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import Column, Rules, TableType, from_rows, score
from scoring.alignment.align import align
from scoring.alignment.embeddings import EmbeddingError, Embeddings
from scoring.alignment.row_similarity import RowCost, cost_name, equal_values, pair_similarity, row_similarity
from scoring.values.reader import PLAIN, read, same
from tests.scoring import reference_rows

COLUMNS = (
    Column("name", weight=2.0),
    Column("amount", type="currency", tolerance=Decimal("0.5"), locale="en_GB"),
    Column("share", type="percent"),
    Column("date", type="date", date_patterns=("%d %b %Y", "%Y-%m-%d")),
    Column("code", type="id", normalise="exact"),
    Column("about", type="number", relative_tolerance=Decimal("0.1"), dash_is_zero=True),
    Column("rounded", type="number", precision="printed", weight=0.5),
)
WORDS = ["", "-", "a", "ab", "A-1", "2024-01-02", "2 Jan 2024", "£1", "€1", "£1.50", "5 %"]
NUMBERS = ["-1", "0", "1", "1.0", "1.1", "1.4", "1.49", "1.5", "2", "5", "9" * 30, "9" * 29 + "8"]
TEXTS = st.sampled_from(WORDS + NUMBERS)
ROWS = st.lists(st.tuples(*[TEXTS] * len(COLUMNS)), max_size=5)


def by_first_letter(gold: list[str], pred: list[str]) -> list[list[float]]:
    """A stand-in for a model: texts with one first letter are alike."""
    return [[float(one == other or one[:1] == other[:1]) for other in pred] for one in gold]


LETTERS = Embeddings("first letter", by_first_letter)


@given(ROWS, ROWS)
def test_the_cost_of_cells_agrees_with_asking_for_each_pair_of_values(
    gold: list[tuple[str, ...]], pred: list[tuple[str, ...]]
) -> None:
    one, other = reference_rows.blanked(gold, COLUMNS), reference_rows.blanked(pred, COLUMNS)
    fast = row_similarity(one, other, COLUMNS, cost="cells")
    assert np.allclose(fast, np.reshape(reference_rows.every(one, other, COLUMNS), fast.shape), atol=1e-6)


@pytest.mark.parametrize("column", COLUMNS, ids=lambda column: column.name)
def test_every_two_values_are_equal_where_they_are_the_same(column: Column) -> None:
    values = [read(text, column) for text in WORDS + NUMBERS]
    slow = [[same(gold, pred, column) for pred in values] for gold in values]
    assert equal_values(values, values, column).tolist() == slow


@pytest.mark.parametrize("cost", ["levenshtein", "cells", LETTERS])
@given(gold=ROWS, pred=ROWS)
def test_single_pairs_have_the_values_of_the_matrix(
    cost: RowCost, gold: list[tuple[str, ...]], pred: list[tuple[str, ...]]
) -> None:
    one, other = reference_rows.blanked(gold, COLUMNS), reference_rows.blanked(pred, COLUMNS)
    every = row_similarity(one, other, COLUMNS, cost=cost)
    gold_at, pred_at = (at.ravel() for at in np.indices(every.shape))
    pairs = pair_similarity(one, other, gold_at, pred_at, COLUMNS, cost=cost)
    assert np.array_equal(pairs.reshape(every.shape), every)


def test_differing_cells_cost_their_weight_however_much_they_differ() -> None:
    heavy = (Column("name", weight=3.0), Column("note"))
    found = row_similarity((("ab", "x"),), (("aX", "x"), ("ab", "yyyy"), ("", "")), heavy, cost="cells")
    assert found.tolist() == [[0.25, 0.75, 0.0]]


def test_the_cost_decides_which_row_is_matched_and_is_kept_with_the_alignment() -> None:
    gold = from_rows([["1200.00", "12.00"]])
    pred = from_rows([["1200.00", "99"], ["1200.01", "12.01"]])
    assert align(gold, pred).data_rows == ((0, 1),)
    found = align(gold, pred, row_cost="cells")
    assert found.data_rows == ((0, 0),)
    assert found.similarity.tolist() == [[0.5, 0.0]]
    assert found.matching.tolist() == [[True, False]]


def test_typed_values_are_equal_in_the_cost_of_cells() -> None:
    kind = TableType("t", (Column("day", type="date", date_patterns=("%d.%m.%Y",)), Column("sum", type="number")))
    gold = from_rows([["day", "sum"], ["02.01.2024", "1,200"]], header_rows=1)
    pred = from_rows([["day", "sum"], ["2.1.2024", "1200.00"]], header_rows=1)
    assert align(gold, pred, table_type=kind, row_cost="cells").similarity.tolist() == [[1.0]]
    assert align(gold, pred, table_type=kind).similarity[0, 0] < 1


def test_the_model_of_the_caller_decides_what_is_alike() -> None:
    gold = from_rows([["flask"], ["beaker"], ["stirrer"]])
    pred = from_rows([["bowl"], ["funnel"], ["goggles"]])
    assert align(gold, pred).data_rows == ()
    assert align(gold, pred, row_cost=LETTERS).data_rows == ((0, 1), (1, 0))


@pytest.mark.parametrize("kind", ["number", "integer", "date", "id", "currency", "percent"])
def test_a_model_is_refused_for_values_that_are_no_text(kind: str) -> None:
    table_type = TableType.from_json({"name": "t", "columns": [{"name": "item"}, {"name": "worth", "type": kind}]})
    table = from_rows([["item", "worth"], ["flask", "1"]], header_rows=1)
    with pytest.raises(EmbeddingError, match=rf"cannot compare worth \({kind}\).*columns=\('item',\)"):
        align(table, table, table_type=table_type, row_cost=LETTERS)
    only_text = Embeddings("first letter", by_first_letter, columns=("item",))
    assert align(table, table, table_type=table_type, row_cost=only_text).data_rows == ((1, 1),)


def test_a_model_is_refused_for_columns_that_are_not_there() -> None:
    table = from_rows([["flask"]])
    named = Embeddings("first letter", by_first_letter, columns=("thing",))
    with pytest.raises(EmbeddingError, match="no table type"):
        align(table, table, row_cost=named)
    with pytest.raises(EmbeddingError, match="'thing', expected one of item"):
        align(table, table, table_type=TableType("t", (Column("item"),)), row_cost=named)


@pytest.mark.parametrize(
    ("answer", "told"),
    [([[1.0]], "shape"), ([["a", "b"]], "expected numbers"), ([[1.0, float("nan")]], "not a finite number")],
)
def test_a_model_that_answers_wrongly_is_named(answer: object, told: str) -> None:
    wrong = Embeddings("odd one", lambda gold, pred: answer)
    with pytest.raises(EmbeddingError, match=f"'odd one' answered.*{told}"):
        row_similarity((("a",),), (("b",), ("c",)), (PLAIN,), cost=wrong)


def test_similarities_outside_zero_and_one_are_cut_off() -> None:
    loud = Embeddings("loud", lambda gold, pred: [[-0.5, 1.5]])
    assert row_similarity((("a",),), (("b",), ("c",)), (PLAIN,), cost=loud).tolist() == [[0.0, 1.0]]


def test_each_cost_has_a_name_for_the_signature() -> None:
    named = Embeddings("minilm", by_first_letter, columns=("item", "note"))
    assert [cost_name(cost) for cost in ("levenshtein", "cells", LETTERS, named)] == [  # type: ignore[list-item]
        "levenshtein",
        "cells",
        "embeddings:first letter",
        "embeddings:minilm(item+note)",
    ]


def test_a_score_names_its_row_cost_unless_it_is_the_usual_one() -> None:
    gold, pred = from_rows([["1200.00", "12.00"]]), from_rows([["1200.00", "99"], ["1200.01", "12.01"]])
    usual, cells = score(gold, pred), score(gold, pred, rules=Rules(row_cost="cells"))
    assert (usual.exact.matched, cells.exact.matched) == (0, 1)
    assert "cost" not in usual.signature
    assert cells.signature == usual.signature.replace("|version", "|cost:cells|version")
    assert "|cost:embeddings:first letter|" in Rules(row_cost=LETTERS).signature
