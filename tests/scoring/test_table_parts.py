from __future__ import annotations

from typing import Any

import pytest

from scoring.diagnosis.finding import quoted
from scoring.shown import brief
from scoring.table import Table, TableError, from_rows


def cell(**parts: Any) -> dict[str, Any]:
    return {"n_rows": 1, "n_cols": 1, "cells": [{"row": 0, "col": 0, **parts}]}


def confidence(**parts: Any) -> dict[str, Any]:
    return cell(confidence=[{"value": 0.5, "kind": "text", "unit": "cell", "source": "x", **parts}])


@pytest.mark.parametrize(("n_rows", "n_cols"), [(0, 10**9), (10**9, 0), (1001, 1000)])
def test_a_table_with_more_lines_than_a_person_can_work_on_is_refused(n_rows: int, n_cols: int) -> None:
    with pytest.raises(TableError, match=r"expected at most 1,000,000 positions"):
        Table(n_rows, n_cols)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (7, "table 7, expected an object"),
        ({"n_rows": 1, "n_cols": 1, "cells": [3]}, "cell 3, expected an object"),
        (cell(text=4), "expected whole numbers for row, col and spans, and text"),
        (cell(box=5), "box 5, expected five numbers"),
        (cell(box={"page": 1}), "expected five numbers"),
        (cell(box=[1, 0, 0, 10**400, 1]), "too large"),
        (cell(confidence=5), "confidence 5 of the cell at row 0, column 0, expected a list"),
        (cell(confidence=[5]), "confidence 5, expected an object"),
        (cell(confidence=[{"value": 1}]), "has no 'kind'"),
        (confidence(value="high"), "confidence value 'high', expected a number from 0 to 1, or null"),
        (confidence(value=float("nan")), "expected 0 to 1, or none"),
        (confidence(source=3), "expected texts"),
    ],
)
def test_a_wrong_part_of_a_table_is_told_in_our_own_words(wrong: Any, message: str) -> None:
    with pytest.raises(TableError) as told:
        Table.from_json(wrong)
    assert message in str(told.value)


def test_rows_that_hold_no_texts_are_refused_by_place() -> None:
    with pytest.raises(TableError, match="2 at row 0, column 1, expected a text"):
        from_rows([["1", 2]])  # type: ignore[list-item]


def test_a_quoted_text_is_short_and_shows_control_characters() -> None:
    assert quoted("a\x1b[31m  b") == r"'a\x1b[31m b'"
    assert len(quoted("long " * 100)) == 62
    assert brief("long " * 100).endswith("...")
