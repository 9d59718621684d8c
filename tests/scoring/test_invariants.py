from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoring
from scoring import Cell, Report, Rules, Table, TableType, check, doubts, from_rows, score
from scoring.alignment.align import align

TEXTS = st.sampled_from(["", " ", "-", "a", "abc", "1,5", "1.5", "(3)", "£2", "2024-01-02", "٣", "x\ny", "\u00ad"])
TYPE = TableType.from_json(
    {
        "name": "t",
        "columns": [
            {"name": "a", "type": "id", "key": True, "required": True},
            {"name": "b", "type": "number"},
            {"name": "c", "type": "currency", "locale": "en_GB"},
        ],
        "checks": [
            {"kind": "product", "factors": ["a", "b"], "product": "c"},
            {"kind": "sum", "column": "c", "equals": {"last_row": True}},
            {"kind": "sum", "column": "c", "equals": {"table": "t", "column": "b"}},
            {"kind": "sum_fields", "terms": [["a", 1], ["b", -1]], "equals": "c"},
        ],
    }
)
FORM = TableType.from_json({**TYPE.to_json(), "name": "form", "form": True})
RULES = [Rules(), Rules(TYPE), Rules(FORM)]


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Any small table: holes, merged cells, header rows, columns with and without known names."""
    n_rows, n_cols = draw(st.integers(0, 4)), draw(st.integers(0, 4))
    header = draw(st.integers(0, n_rows))
    free = {(row, col) for row in range(n_rows) for col in range(n_cols)}
    cells = []
    for row in range(n_rows):
        for col in range(n_cols):
            if (row, col) not in free or draw(st.integers(0, 7)) == 0:
                continue
            height, width = draw(st.integers(1, min(2, n_rows - row))), draw(st.integers(1, min(2, n_cols - col)))
            covered = {(row + down, col + right) for down in range(height) for right in range(width)}
            if not covered <= free:
                height, width, covered = 1, 1, {(row, col)}
            free -= covered
            text = draw(st.sampled_from(["a", "b", "c", "B", "d"]) if row < header else TEXTS)
            cells.append(Cell(row, col, text, height, width, "column" if row < header else ""))
    return Table(n_rows, n_cols, tuple(cells))


def ratios(report: Report) -> list[float | None]:
    counted = (report.rows, report.exact, report.graded, report.verbatim, report.required)
    return [report.row_accuracy, *(ratio for c in counted for ratio in (c.precision, c.recall, c.f1))]


@pytest.mark.parametrize("rules", RULES)
@settings(max_examples=80)
@given(gold=tables(), pred=tables())
def test_a_score_of_any_two_tables_is_within_its_bounds(rules: Rules, gold: Table, pred: Table) -> None:
    report = score(gold, pred, rules=rules)
    assert all(ratio is None or -1e-9 <= ratio <= 1 + 1e-9 for ratio in ratios(report))
    assert report.verbatim.matched <= report.exact.matched <= report.graded.matched + 1e-9
    assert report.passed == (not report.first_reason)
    assert sum(counts.expected for _, counts in report.columns) == report.exact.expected
    assert sum(counts.predicted for _, counts in report.columns) == report.exact.predicted


@pytest.mark.parametrize("rules", RULES)
@settings(max_examples=80)
@given(table=tables())
def test_a_table_against_itself_is_perfect(rules: Rules, table: Table) -> None:
    report = score(table, table, rules=rules)
    if not rules.table_type or not rules.table_type.form:
        assert (report.passed, report.differences) == (True, ())
        assert all(ratio in (None, 1.0) for ratio in ratios(report))


@settings(max_examples=80)
@given(gold=tables(), pred=tables())
def test_gold_and_prediction_in_each_others_place_swap_precision_and_recall(gold: Table, pred: Table) -> None:
    one, other = score(gold, pred), score(pred, gold)
    assert (one.exact.predicted, one.exact.expected) == (other.exact.expected, other.exact.predicted)


@settings(max_examples=80)
@given(gold=tables(), pred=tables())
def test_the_same_tables_give_the_same_score(gold: Table, pred: Table) -> None:
    assert score(gold, pred, rules=Rules(TYPE)) == score(gold, pred, rules=Rules(TYPE))


@settings(max_examples=80)
@given(gold=tables(), pred=tables())
def test_checks_and_doubts_of_any_tables_end_without_an_error(gold: Table, pred: Table) -> None:
    findings = check(gold, TYPE, related={"t": (pred, TYPE)})
    told = doubts(gold, pred, align(gold, pred, table_type=TYPE), table_type=TYPE, findings=findings)
    assert all(0 < doubt.risk <= 1 and doubt.reasons for doubt in told)
    assert [doubt.risk for doubt in told] == sorted((doubt.risk for doubt in told), reverse=True)
    assert len({(doubt.row, doubt.col) for doubt in told}) == len(told)


@given(st.lists(st.tuples(st.integers(0, 99), st.integers(100, 999)), unique=True, max_size=8), st.randoms())
def test_the_order_of_predicted_rows_does_not_count(values: list[tuple[int, int]], chance: random.Random) -> None:
    lines = [[f"item {left}", str(right)] for left, right in values]
    shuffled = lines[:]
    chance.shuffle(shuffled)
    assert score(from_rows(lines), from_rows(shuffled)).exact.false_negatives == 0


@given(st.lists(st.tuples(TEXTS, TEXTS, TEXTS), min_size=1, max_size=5))
def test_a_form_with_more_than_one_row_never_fails_to_score(lines: list[tuple[str, str, str]]) -> None:
    table = from_rows([["a", "b", "c"], *lines], header_rows=1)
    assert score(table, table, rules=Rules(FORM)).rows.matched >= 1


def test_the_public_names_are_sorted_and_there() -> None:
    assert (
        sorted(scoring.__all__, key=lambda name: (not name.isupper(), not name[0].isupper(), name)) == scoring.__all__
    )
    assert all(hasattr(scoring, name) for name in scoring.__all__)
