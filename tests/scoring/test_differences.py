from __future__ import annotations

from scoring import Cell, Difference, Rules, Table, TableType, from_rows, score

TYPE = TableType.from_json({"name": "t", "columns": [{"name": "a"}, {"name": "b", "type": "number"}]})


def lines(*rows: list[str]) -> Table:
    return from_rows([["a", "b"], *rows], header_rows=1)


def test_each_kind_of_mistake_is_told_once_and_in_reading_order() -> None:
    gold = lines(["one", "1"], ["two words", "2"], ["three", ""], ["four", "4"], ["five", "5"])
    pred = lines(["one", "1.0"], ["two words", "7"], ["three", "3"], ["five", ""], ["five", ""], ["bogus row", "99"])
    told = score(gold, pred, rules=Rules(TYPE)).differences
    assert told == (
        Difference("formatting_only", 1, 1, 1, 1, "1", "1.0"),
        Difference("wrong_value", 2, 1, 2, 1, "2", "7"),
        Difference("spurious_value", 3, 1, 3, 1, "", "3"),
        Difference("missed_row", 4, None, None, None, "four | 4", ""),
        Difference("missing_value", 5, 1, 5, 1, "5", ""),
        Difference("duplicate_row", None, None, 4, None, "", "five"),
        Difference("extra_row", None, None, 6, None, "", "bogus row | 99"),
    )


def test_equal_tables_have_no_differences() -> None:
    assert score(lines(["one", "1"]), lines(["one", "1"])).differences == ()


def test_another_size_of_a_merged_cell_is_a_span_difference_in_words() -> None:
    gold = Table(2, 2, (Cell(0, 0, "x", row_span=2), Cell(0, 1, "a"), Cell(1, 1, "b")))
    pred = Table(2, 2, (Cell(0, 0, "x"), Cell(1, 0, ""), Cell(0, 1, "a"), Cell(1, 1, "b")))
    told = score(gold, pred).differences
    assert told == (Difference("span", 0, 0, 0, 0, "2 rows, 1 column", "1 row, 1 column"),)


def test_a_row_without_values_is_told_although_it_counts_nothing() -> None:
    report = score(lines(["one", "1"], ["", ""]), lines(["one", "1"]), rules=Rules(TYPE))
    assert [difference.kind for difference in report.differences] == ["missed_row"]
    assert report.exact.recall == 1.0
    assert report.rows.recall == 0.5


def test_a_difference_is_written_as_a_plain_mapping() -> None:
    assert Difference("wrong_value", 1, 2, 1, 2, "5", "S").to_json() == {
        "kind": "wrong_value",
        "gold_row": 1,
        "gold_col": 2,
        "pred_row": 1,
        "pred_col": 2,
        "gold": "5",
        "pred": "S",
    }
