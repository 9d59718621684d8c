from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.metrics import kernels
from scoring.metrics.grits import LocatedCell, Mode, grits_con, grits_loc, grits_top
from scoring.reading.html_grid import TooLargeError
from tests.scoring import reference
from tests.scoring.conftest import ScoredPair
from tests.scoring.html_tables import SPANS, table, tables

SQUARE = table("abc", "123", "456")
GOOD_SPANS = SPANS.filter(lambda written: written.isdigit() and written != "0")
METRICS = {"content": grits_con, "topology": grits_top}


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("metric", "count"), [("grits_con", 578), ("grits_top", 578), ("kensho_con", 601), ("kensho_top", 601)]
)
def test_all_pairs_score_as_the_published_programs_score_them(
    scored_pairs: list[ScoredPair], metric: str, count: int
) -> None:
    score = grits_con if metric.endswith("con") else grits_top
    mode: Mode = "kg" if metric.startswith("kensho") else "ms-2023"
    differences = []
    for pair in (pair for pair in scored_pairs if pair.ok(metric)):
        found = score(pair.gold, pair.pred, mode=mode)
        expected = pair.reference[metric]
        values = [found.precision, found.recall, found.f1]
        if f"{metric}_ub" in pair.reference:
            expected, values = [*expected, pair.reference[f"{metric}_ub"]], [*values, found.upper.f1]
        differences.append(max(abs(one - other) for one, other in zip(values, expected, strict=True)))
    assert len(differences) == count
    assert max(differences) == 0


@pytest.mark.corpus
def test_boxes_of_ten_real_tables_score_as_microsofts_program_scores_them(corpora: Path) -> None:
    def cells(entries: list[dict[str, Any]]) -> list[LocatedCell]:
        return [
            LocatedCell(tuple(entry["row_nums"]), tuple(entry["column_nums"]), tuple(entry["bbox"]))
            for entry in entries
        ]

    pairs = json.loads((corpora / "pairs" / "grits_loc_cells.json").read_text())
    for pair in pairs:
        found = grits_loc(cells(pair["true_cells"]), cells(pair["pred_cells"]))
        expected = pair["grits_loc"]
        assert (found.precision, found.recall, found.f1) == (expected["p"], expected["r"], expected["f"]), pair["id"]
        assert found.upper.f1 == expected["ub"], pair["id"]
    assert len(pairs) == 10


@pytest.mark.parametrize(
    ("gold", "pred", "precision", "recall", "f1"),
    [
        ("<table></table>", "<table></table>", 1.0, 1.0, 1.0),
        (SQUARE, "<table></table>", 1.0, 0.0, 0.0),
        ("<table></table>", SQUARE, 0.0, 1.0, 0.0),
        (SQUARE, "no table", 1.0, 0.0, 0.0),
        (SQUARE, "", 1.0, 0.0, 0.0),
        ("", "", 1.0, 1.0, 1.0),
        (table("a"), SQUARE, 1 / 9, 1.0, 0.2),
        (table(["tide", "x"]), table(["diet", "x"]), 0.625, 0.625, 0.625),
        (table(["diet", "x"]), table(["tide", "x"]), 0.75, 0.75, 0.75),
        (table("ab", [], "cd"), table("ab", "cd"), 1.0, 2 / 3, 0.8),
        ("<table><td>a</td><td>b</td></table>", table("ab"), 1.0, 1.0, 1.0),
        ('<table><tr><td colspan="0">a</td><td rowspan="x">b</td></tr></table>', table("ab"), 1.0, 1.0, 1.0),
    ],
)
def test_content_of_tables_at_the_edge_of_the_definition_has_these_scores(
    gold: str, pred: str, precision: float, recall: float, f1: float
) -> None:
    found = grits_con(gold, pred)
    assert (found.precision, found.recall, found.f1) == pytest.approx((precision, recall, f1), abs=1e-12)


def test_long_texts_lose_their_frequent_characters_in_microsofts_mode_only() -> None:
    gold = "The quick brown fox jumps over the lazy dog. " * 6
    pred = gold.replace("fox", "cat").replace("lazy", "hazy")
    assert grits_con(table([gold, "b"]), table([pred, "b"])).f1 < 0.6
    assert grits_con(table([gold, "b"]), table([pred, "b"]), mode="kg").f1 > 0.9


def test_the_alignment_tells_which_rows_and_columns_belong_together() -> None:
    found = grits_con(table("abc", "123", "456"), table("a-bc", "4-56"))
    assert found.rows == ((0, 0), (2, 1))
    assert found.cols == ((0, 0), (1, 2), (2, 3))


@pytest.mark.parametrize("mode", ["ms-2023", "kg"])
@pytest.mark.parametrize("part", METRICS)
@settings(max_examples=100)
@given(gold=tables(GOOD_SPANS), pred=tables(GOOD_SPANS))
def test_scores_are_those_of_the_plain_definition(part: str, mode: Mode, gold: str, pred: str) -> None:
    found = METRICS[part](gold, pred, mode=mode)
    expected = reference.grits(gold, pred, part=part, mode=mode)
    assert (found.overlap.matched, found.upper.matched) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("mode", ["ms-2023", "kg"])
@pytest.mark.parametrize("part", METRICS)
@settings(max_examples=60)
@given(gold=tables(), pred=tables())
def test_a_score_is_at_most_its_upper_bound_and_one(part: str, mode: Mode, gold: str, pred: str) -> None:
    found = METRICS[part](gold, pred, mode=mode)
    assert 0 <= found.f1 <= found.upper.f1 + 1e-12 <= 1 + 2e-12
    assert METRICS[part](gold, gold, mode=mode).f1 == 1


coordinates = st.integers(0, 3).map(float)
boxes = st.tuples(coordinates, coordinates, coordinates, coordinates)


@given(one=boxes, other=boxes)
def test_boxes_that_do_not_overlap_or_are_empty_are_not_alike(one: Any, other: Any) -> None:
    found = grits_loc([LocatedCell((0,), (0,), one)], [LocatedCell((0,), (0,), other)], mode="kg").overlap.matched
    common = [set(range(int(low), int(high))) for low, high in ((one[0], one[2]), (one[1], one[3]))]
    beside = [set(range(int(low), int(high))) for low, high in ((other[0], other[2]), (other[1], other[3]))]
    pixels, others = ({(x, y) for x in each[0] for y in each[1]} for each in (common, beside))
    assert found == pytest.approx(len(pixels & others) / len(pixels | others) if pixels & others else 0)


def test_compiled_and_plain_loops_give_one_alignment(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba", reason="numba is not installed: only the plain loops are there")
    chance = np.random.default_rng(3)
    gold, pred = (table(*chance.choice(["ab", "ba", "a", "c", ""], size)) for size in ((9, 4), (8, 5)))
    compiled = grits_con(gold, pred)
    monkeypatch.setattr(kernels, "_compiler", lambda: None)
    assert grits_con(gold, pred) == compiled


def test_a_span_that_fills_the_memory_is_refused_in_words() -> None:
    for mode in ("ms-2023", "kg"):
        with pytest.raises(TooLargeError, match="look for a wrong rowspan or colspan"):
            grits_top(SQUARE, '<table><tr><td colspan="1000" rowspan="60000">a</td></tr></table>', mode=mode)
    with pytest.raises(TooLargeError, match="look for a wrong rowspan or colspan"):
        grits_con(SQUARE, '<table><tr><td rowspan="900">a</td></tr><tr><td colspan="900">a</td></tr></table>')
