from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring import Cell, Table, TableType, from_rows
from scoring.alignment.align import LEAST_SIMILARITY, align
from scoring.alignment.row_similarity import row_similarity
from scoring.values.reader import PLAIN
from tests.scoring import reference

TEXTS = st.sampled_from(["", "a", "ab", "abc", "xyz", "12.50", "12,50", "7"])
HEAD = ["Article", "Text", "Amount"]
LINES = [
    ["A-1", "Beaker, 250 ml", "4.35"],
    ["A-2", "Flask, 500 ml", "6.80"],
    ["A-3", "Filter paper", "9.45"],
    ["A-4", "Gloves, size M", "11.20"],
]
KEYED = TableType.from_json(
    {
        "name": "lines",
        "columns": [{"name": "article", "type": "id", "key": True}, {"name": "text"}, {"name": "amount"}],
    }
)


def table(lines: list[list[str]], head: list[str] | None = HEAD) -> Table:
    return from_rows([head, *lines] if head else lines, header_rows=1 if head else 0)


def test_equal_tables_align_row_by_row_and_column_by_column() -> None:
    found = align(table(LINES), table(LINES))
    assert found.rows == tuple((row, row) for row in range(5))
    assert found.cols == ((0, 0), (1, 1), (2, 2))
    assert (found.missed, found.extra, found.duplicates, found.gold_header) == ((), (), (), 1)


@pytest.mark.parametrize("table_type", [None, KEYED])
def test_a_missed_row_is_left_alone_and_the_others_find_their_own(table_type: TableType | None) -> None:
    found = align(table(LINES), table(LINES[:1] + LINES[2:]), table_type=table_type)
    assert found.rows == ((0, 0), (1, 1), (3, 2), (4, 3))
    assert found.missed == (2,)


@pytest.mark.parametrize("table_type", [None, KEYED])
def test_a_duplicate_is_told_from_an_extra_row(table_type: TableType | None) -> None:
    pred = [LINES[0], LINES[1], LINES[1], ["Z-9", "Carried forward", "999"], *LINES[2:]]
    found = align(table(LINES), table(pred), table_type=table_type)
    assert found.rows == ((0, 0), (1, 1), (2, 2), (3, 5), (4, 6))
    assert (found.duplicates, found.extra, found.missed) == ((3,), (4,), ())


def test_a_duplicate_does_not_take_the_place_of_a_missed_row() -> None:
    pred = [LINES[0], LINES[1], LINES[3], LINES[3]]
    found = align(table(LINES), table(pred))
    assert (found.missed, found.duplicates) == ((3,), (4,))


def test_a_misread_row_that_is_doubled_matches_once() -> None:
    misread = ["A-Z", "Flask, 5OO ml", "6.80"]
    found = align(table(LINES), table([LINES[0], misread, misread, *LINES[3:]]))
    assert found.rows == ((0, 0), (1, 1), (2, 2), (4, 4))
    assert (found.missed, found.duplicates) == ((3,), (3,))


def test_identical_rows_are_matched_in_order_and_the_last_is_the_duplicate() -> None:
    found = align(table([["x"], ["x"]], ["a"]), table([["x"], ["x"], ["x"]], ["a"]))
    assert found.rows == ((0, 0), (1, 1), (2, 2))
    assert found.duplicates == (3,)


def test_rows_in_another_order_find_their_own() -> None:
    found = align(table(LINES), table(LINES[::-1]))
    assert found.data_rows == ((1, 4), (2, 3), (3, 2), (4, 1))


def test_at_equal_similarity_the_order_decides() -> None:
    gold = table([["aa"], ["bb"], ["cc"]], ["t"])
    pred = table([["ax"], ["bx"], ["cx"]], ["t"])
    assert align(gold, pred).data_rows == ()  # one of two letters, squared, is under the limit
    gold = table([["aab"], ["aac"], ["aad"]], ["t"])
    pred = table([["aax"], ["aay"], ["aaz"]], ["t"])
    assert align(gold, pred).data_rows == ((1, 1), (2, 2), (3, 3))


def test_a_value_in_the_neighbour_column_does_not_lose_the_row() -> None:
    gold = [
        ["05 Sep", "TRANSFER M. Okonjo", "", "42.00", "1,171.28"],
        ["23 Sep", "DEBIT Library", "3.00", "", "691.01"],
    ]
    pred = [["05 Sep", "TRANSFER M. Okonjo", "42.00", "", "1,171.28"], ["Date", "Details", "Out", "In", "Balance"]]
    assert align(table(gold, None), table(pred, None)).rows == ((0, 0),)


def test_keys_decide_against_the_rest_of_the_row() -> None:
    pred = [["A-2", *LINES[0][1:]], ["A-1", *LINES[1][1:]]]
    found = align(table(LINES[:2]), table(pred), table_type=KEYED)
    assert found.data_rows == ((1, 2), (2, 1))
    assert found.how == "by article"


def test_a_misread_key_falls_back_to_the_content() -> None:
    found = align(table(LINES), table([*LINES[:2], ["A-B", *LINES[2][1:]], LINES[3]]), table_type=KEYED)
    assert found.data_rows == ((1, 1), (2, 2), (3, 3), (4, 4))


def test_a_key_misread_as_another_key_falls_back_to_the_content() -> None:
    found = align(table(LINES), table([*LINES[:2], ["A-1", *LINES[2][1:]], LINES[3]]), table_type=KEYED)
    assert found.data_rows == ((1, 1), (2, 2), (3, 3), (4, 4))


def test_rows_that_share_a_key_match_by_similarity_and_then_in_order() -> None:
    gold = [["A-1", "blue", "1"], ["A-1", "red", "2"], ["A-1", "red", "2"]]
    pred = [["A-1", "red", "2"], ["A-1", "blue", "1"], ["A-1", "red", "2"]]
    assert align(table(gold), table(pred), table_type=KEYED).data_rows == ((1, 2), (2, 1), (3, 3))


def test_missing_keys_fall_back_to_the_content() -> None:
    blank = [["", *line[1:]] for line in LINES]
    assert align(table(LINES), table(blank), table_type=KEYED).data_rows == ((1, 1), (2, 2), (3, 3), (4, 4))


def test_the_row_of_a_form_is_matched_in_any_case() -> None:
    form = TableType.from_json({"name": "f", "form": True, "columns": [{"name": "a"}, {"name": "b"}]})
    gold, pred = table([["1", "2"]], ["a", "b"]), table([["x", "y"]], ["a", "b"])
    assert align(gold, pred, table_type=form).data_rows == ((1, 1),)
    assert align(gold, pred).data_rows == ()


def test_columns_are_matched_by_their_header_text() -> None:
    pred = [[line[2], line[0], line[1]] for line in LINES]
    found = align(table(LINES), table(pred, ["AMOUNT", "article", "Text"]))
    assert found.cols == ((0, 1), (1, 2), (2, 0))
    assert found.missed == ()


def test_a_column_without_a_partner_stands_alone() -> None:
    found = align(table(LINES, None), table([[line[0], line[2]] for line in LINES], None))
    assert found.cols == ((0, 0), (2, 1))
    assert found.missed == ()


def test_columns_of_unequal_tables_are_matched_by_their_content() -> None:
    pred = [["noise", line[2], line[1], line[0]] for line in LINES]
    assert align(table(LINES, None), table(pred, None)).cols == ((0, 3), (1, 2), (2, 1))


def test_a_header_that_is_not_marked_is_found_by_its_text() -> None:
    found = align(table(LINES), from_rows([HEAD, *LINES]))
    assert (found.gold_header, found.pred_header) == (1, 1)
    assert found.rows[0] == (0, 0)
    assert align(from_rows([HEAD, *LINES]), table(LINES)).gold_header == 1


def test_a_missing_header_takes_no_data_row_with_it() -> None:
    found = align(table(LINES), table(LINES, None))
    assert (found.pred_header, found.missed) == (0, (0,))
    assert found.data_rows == ((1, 0), (2, 1), (3, 2), (4, 3))


def test_a_row_label_over_several_rows_helps_each_of_them() -> None:
    label = (Cell(0, 0, "Paper", row_span=2), Cell(0, 1, "a"), Cell(1, 1, "b"))
    found = align(Table(2, 2, label), from_rows([["Paper", "a"], ["Paper", "b"]]))
    assert found.rows == ((0, 0), (1, 1))


@pytest.mark.parametrize(
    ("gold", "pred"), [((0, 0), (0, 0)), ((0, 0), (3, 2)), ((3, 2), (0, 0)), ((2, 0), (2, 2)), ((0, 2), (2, 0))]
)
def test_tables_without_cells_align_without_an_error(gold: tuple[int, int], pred: tuple[int, int]) -> None:
    found = align(Table(*gold), Table(*pred))
    assert len(found.rows) + len(found.missed) == gold[0]


def test_the_similarity_is_read_only_and_between_zero_and_one() -> None:
    found = align(table(LINES), table(LINES[:2]))
    assert found.similarity.shape == (4, 2)
    assert found.similarity[0, 0] == 1.0
    assert found.similarity.min() >= 0
    with pytest.raises(ValueError, match="read-only"):
        found.similarity[0, 0] = 0.5


@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=4), st.lists(st.tuples(TEXTS, TEXTS), max_size=4))
def test_row_similarity_agrees_with_the_textbook(gold: list[tuple[str, str]], pred: list[tuple[str, str]]) -> None:
    fast = row_similarity(tuple(gold), tuple(pred), (PLAIN, PLAIN))
    slow = [[reference.row_similarity(row, other) for other in pred] for row in gold]
    assert np.allclose(fast, np.reshape(slow, fast.shape), atol=1e-5)


@given(
    st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=4, unique=True),
    st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=4, unique=True),
)
def test_the_alignment_is_the_best_of_all(gold: list[tuple[str, str]], pred: list[tuple[str, str]]) -> None:
    # Equal rows are matched first, so the search is over the rest.
    rest = [row for row in gold if row not in pred], [row for row in pred if row not in gold]
    found = align(from_rows(gold), from_rows(pred))
    values = [found.similarity[pair] for pair in found.rows if found.gold_texts[pair[0]] != found.pred_texts[pair[1]]]
    assert sum(values) == pytest.approx(reference.best_total(*rest, LEAST_SIMILARITY), abs=1e-4)


@settings(max_examples=60)
@given(st.lists(st.lists(TEXTS, max_size=3), max_size=5), st.lists(st.lists(TEXTS, max_size=3), max_size=5))
def test_every_row_stands_in_exactly_one_place(gold: list[list[str]], pred: list[list[str]]) -> None:
    found = align(from_rows(gold), from_rows(pred))
    assert sorted([*(g for g, _ in found.rows), *found.missed]) == list(range(len(gold)))
    assert sorted([*(p for _, p in found.rows), *found.extra, *found.duplicates]) == list(range(len(pred)))
    assert len({g for g, _ in found.cols}) == len({p for _, p in found.cols}) == len(found.cols)


def test_two_thousand_rows_that_differ_everywhere_are_aligned() -> None:
    chance = random.Random(5)
    gold = [[f"{chance.random():.6f}" for _ in range(3)] for _ in range(2000)]
    pred = [[f"{text}0" for text in line] for line in gold]
    del pred[700]
    found = align(from_rows(gold), from_rows(pred))
    assert (found.missed, found.extra) == ((700,), ())
    assert all(g == p or g == p + 1 for g, p in found.rows)
