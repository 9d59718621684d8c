from __future__ import annotations

import json

import pytest

from scoring import SCORING_VERSION, Cell, Counts, Report, Rules, Table, TableType, from_rows, pooled, score

COLUMNS = [{"name": "article", "required": True}, {"name": "amount", "type": "number"}]
TYPE = TableType.from_json({"name": "lines", "columns": COLUMNS})
LAX = TableType.from_json(
    {
        "name": "lines",
        "columns": COLUMNS,
        "acceptance": {"row_recall": 0.5, "cell_f1": 0.5, "required_correct": True},
    }
)


def lines(*rows: list[str]) -> Table:
    return from_rows([["article", "amount"], *rows], header_rows=1)


GOLD = lines(["beaker", "1.50"], ["flask", "2"], ["paper", "3"])


def scored(pred: Table | None, table_type: TableType | None = TYPE, gold: Table = GOLD) -> Report:
    return score(gold, pred, rules=Rules(table_type))


def test_a_perfect_table_passes_with_one_everywhere() -> None:
    report = scored(GOLD)
    assert (report.passed, report.first_reason, report.differences) == (True, "", ())
    assert (report.rows, report.exact, report.row_accuracy) == (Counts(3, 3, 3), Counts(6, 6, 6), 1.0)
    assert report.graded == report.verbatim == report.exact


def test_formatting_lowers_the_verbatim_counts_alone() -> None:
    report = scored(lines(["beaker", "1.5"], ["flask", "2"], ["paper", "3"]))
    assert report.passed
    assert (report.exact.matched, report.verbatim.matched) == (6, 5)
    assert [difference.kind for difference in report.differences] == ["formatting_only"]


def test_row_recall_stands_beside_duplicates_and_extras() -> None:
    report = scored(lines(["beaker", "1.50"], ["beaker", "1.50"], ["flask", "2"], ["subtotal of all", "777"]))
    assert report.rows == Counts(2, 4, 3)
    assert (report.duplicates, report.extras) == (1, 1)
    assert report.row_accuracy == pytest.approx(0.75)
    assert report.first_reason.startswith("1 of 3 rows missed, row recall 66.7 % is under 100.0 %")
    assert report.first_reason.endswith("first missed row: 'paper | 3'")


def test_a_wrong_required_value_is_the_reason_before_the_cell_f1() -> None:
    report = scored(lines(["beoker", "1.50"], ["flask", "2"], ["paper", "3"]), LAX)
    assert not report.passed
    assert report.first_reason == "1 required value not right, first wrong value: 'beoker' against 'beaker'"
    assert report.required == Counts(2, 3, 3)


def test_a_low_cell_f1_is_a_reason_with_an_example() -> None:
    report = scored(lines(["beaker", "1.55"], ["flask", "2"], ["paper", "3"]))
    assert report.first_reason == "cell F1 83.3 % is under 100.0 %, first wrong value: '1.55' against '1.50'"


def test_the_acceptance_rule_of_the_table_type_decides() -> None:
    pred = lines(["beaker", "1.55"], ["flask", "2"], ["paper", "3"])
    assert not scored(pred, TYPE).passed
    assert scored(pred, LAX).passed


def test_nothing_extracted_is_not_the_same_as_nothing_to_extract() -> None:
    report = scored(None)
    assert (report.passed, report.first_reason) == (False, "nothing was extracted")
    assert (report.exact.precision, report.exact.recall, report.exact.f1) == (None, 0.0, 0.0)
    nothing = scored(None, gold=lines())
    assert (nothing.passed, nothing.exact.f1, nothing.row_accuracy) == (True, None, None)


def test_predicting_what_is_not_there_fails() -> None:
    report = scored(lines(["ghost", "1"]), gold=lines())
    assert (report.passed, report.exact.recall, report.exact.precision) == (False, None, 0.0)
    assert report.first_reason == "cell F1 0.0 % is under 100.0 %, first extra row: 'ghost | 1'"


def test_columns_are_counted_by_the_name_of_the_schema() -> None:
    report = scored(lines(["beaker", "1.55"], ["flask", "2"], ["paper", "3"]))
    assert report.per_column == {"article": Counts(3, 3, 3), "amount": Counts(2, 3, 3)}


def test_columns_of_a_grid_are_counted_by_position() -> None:
    report = score(from_rows([["a", "b"]]), from_rows([["a", "x"]]))
    assert report.per_column == {"column 1": Counts(1, 1, 1), "column 2": Counts(0, 1, 1)}


def test_a_column_that_the_schema_does_not_name_is_counted_apart() -> None:
    pred = from_rows([["article", "amount", "note"], ["beaker", "1.50", "?"]], header_rows=1)
    report = scored(pred, gold=lines(["beaker", "1.50"]))
    assert report.per_column == {
        "article": Counts(1, 1, 1),
        "amount": Counts(1, 1, 1),
        "extra column 3": Counts(0, 1, 0),
    }


def test_the_signature_names_rules_normalisation_and_version() -> None:
    signature = scored(GOLD).signature
    assert f"lines@{TYPE.signature}" in signature
    assert f"version:{SCORING_VERSION}" in signature
    assert scored(GOLD, LAX).signature != signature
    assert "rules:grid|norm:whitespace" in scored(GOLD, None).signature


def test_a_report_is_written_as_json_with_null_for_undefined() -> None:
    plain = json.loads(json.dumps(scored(None).to_json(), allow_nan=False))
    assert plain["cells"]["exact"]["precision"] is None
    assert plain["rows"] == {
        "matched": 0,
        "predicted": 0,
        "expected": 3,
        "precision": None,
        "recall": 0.0,
        "f1": 0.0,
        "accuracy": 0.0,
        "duplicates": 0,
        "extras": 0,
    }
    assert len(plain["differences"]) == 3


def test_pooling_sums_counts_for_micro_and_averages_ratios_for_macro() -> None:
    good, bad = scored(GOLD), scored(lines(["x", "9"]), gold=lines(["beaker", "1.50"]))
    nothing = scored(None, gold=lines())
    total = pooled([good, bad, nothing])
    assert (total.tables, total.passed, total.empty) == (3, 2, 1)
    assert total.micro_exact == good.exact + bad.exact
    assert (total.macro_f1.mean, total.macro_f1.units) == (0.5, 2)
    assert dict(total.columns)["article"] == Counts(3, 4, 4)
    assert total.signatures == (good.signature,)
    assert json.loads(json.dumps(total.to_json()))["macro"]["f1"] == {"mean": 0.5, "units": 2}


def test_pooling_nothing_is_undefined() -> None:
    total = pooled([])
    assert (total.tables, total.micro_exact.f1, total.macro_f1.mean, total.macro_f1.units) == (0, None, None, 0)


def test_a_grid_with_the_right_texts_and_a_wrong_span_does_not_pass() -> None:
    gold = Table(2, 2, (Cell(0, 0, "closed", col_span=2), Cell(1, 0, "a"), Cell(1, 1, "b")))
    pred = Table(2, 2, (Cell(0, 0, "closed"), Cell(0, 1, ""), Cell(1, 0, "a"), Cell(1, 1, "b")))
    report = score(gold, pred, rules=Rules())
    assert report.exact.f1 == 1
    assert not report.passed
    assert report.first_reason.startswith("1 cell of another span")


def test_a_long_text_is_cut_in_a_reason_and_control_characters_are_escaped() -> None:
    reason = scored(lines(["bea\x1bker " + "x" * 5000, "1.50"], ["flask", "2"], ["paper", "3"])).first_reason
    assert r"bea\x1bker" in reason
    assert "x…' against" in reason
    assert len(reason) < 250
