from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from scoring import Cell, Table, TableType, from_rows
from scoring.diagnosis.causes import CAUSE_LABELS, Causes, CauseThresholds, cause_of_failure, causes
from tests.scoring import damage
from tests.scoring.damage import DAMAGES, Damaged, order, order_type, table, three_at_once

TYPES: tuple[TableType | None, ...] = (order_type(), order_type(key=True), None)
TABLES_PER_DAMAGE = 150


def of(damaged: Damaged, table_type: TableType | None = None) -> Causes:
    return causes(
        damaged.gold, damaged.pred, table_type=table_type, source_text=damaged.source, other_gold=damaged.others
    )


def places(found: Causes) -> tuple[object, ...]:
    return tuple((f.label, f.gold_cells, f.gold_rows, f.pred_cells, f.pred_rows) for f in found.findings)


def explains_each_difference_once(found: Causes) -> bool:
    told = sorted(at for finding in found.findings for at in finding.differences)
    return told == list(range(len(found.differences)))


@pytest.mark.parametrize("name", DAMAGES)
def test_each_damage_is_found_exactly_and_only_where_it_was_done(name: str) -> None:
    # Without a type, only white space is another way to write the same value.
    types = TYPES[:2] if name == "formatting_only" else TYPES
    for seed in range(TABLES_PER_DAMAGE):
        damaged = DAMAGES[name](random.Random(f"{name} {seed}"))
        found = of(damaged, types[seed % len(types)])
        assert places(found) == damaged.expected, (seed, found.findings[:3])
        assert explains_each_difference_once(found), seed


def test_every_label_is_injected() -> None:
    injected = {label for make in DAMAGES.values() for label, *_ in make(random.Random(1)).expected}
    assert injected == set(CAUSE_LABELS)


def test_a_right_table_has_no_cause() -> None:
    for seed in range(30):
        gold = table(order(random.Random(seed)))
        found = causes(gold, gold, table_type=TYPES[seed % 3])
        assert (found.findings, found.cause_of_failure, found.counts) == ((), None, {})
    assert causes(Table(0, 0), Table(0, 0)).findings == causes(Table(0, 0), None).findings == ()


@pytest.mark.parametrize(("apart", "least_right", "least_recall"), [(True, 0.98, 0.97), (False, 0.7, 0.75)])
def test_three_damages_at_once_are_told_apart(apart: bool, least_right: float, least_recall: float) -> None:
    """``python -m benchmarks.causes`` prints the figures; damages of one row hide one another in part."""
    right, injected, recalled = 0, Counter[str](), Counter[str]()
    for seed in range(300):
        damaged = three_at_once(random.Random(seed), apart=apart)
        found = of(damaged, TYPES[seed % 3])
        assert explains_each_difference_once(found)
        told = places(found)
        injected.update(label for label, *_ in damaged.expected)
        recalled.update(place[0] for place in damaged.expected if place in told)
        right += set(told) == set(damaged.expected)
    assert right / 300 >= least_right
    assert min(recalled[label] / injected[label] for label in injected) >= least_recall


def test_damage_of_any_kind_on_top_of_damage_never_fails_and_explains_each_difference_once() -> None:
    for seed in range(60):
        chance = random.Random(seed)
        gold = order(chance, chance.randrange(1, 9))
        pred = [list(row) for row in gold]
        for _ in range(chance.randrange(1, 8)):
            row, other = chance.randrange(len(pred)), chance.randrange(len(pred))
            match chance.randrange(7):
                case 0:
                    pred[row] = chance.sample(pred[row], len(pred[row]))
                case 1:
                    pred[row], pred[other] = pred[other], pred[row]
                case 2:
                    pred.append([" ".join(both) for both in zip(pred[row], pred[other], strict=True)])
                case 3:
                    pred = [[*line[1:], line[0]] for line in pred]
                case 4:
                    pred[row] = [text[: len(text) // 2] for text in pred[row]]
                case 5 if len(pred) > 1:
                    del pred[row]
                case _:
                    pred[row][chance.randrange(7)] = chance.choice(("", "?", "7", pred[other][3]))
        for table_type in TYPES:
            for predicted in (table(pred), from_rows(pred), from_rows([row[:5] for row in pred], header_rows=1)):
                found = causes(table(gold), predicted, table_type=table_type)
                assert explains_each_difference_once(found), (seed, found)


def test_a_moved_column_with_a_misread_cell_is_a_swap_and_a_misreading() -> None:
    rows = order(random.Random(5), 8)
    pred = [list(row) for row in rows]
    pred[2][4] = pred[2][4] + " EUR net"
    for row in pred:
        row[3], row[4] = row[4], row[3]
    found = causes(table(rows), table(pred), table_type=order_type())
    assert [(f.label, f.cells) for f in found.findings] == [("swapped_columns", 15), ("overrun", 1)]
    overrun = found.findings[1]
    # Evidence is in the positions of the prediction as it was given.
    assert (overrun.gold_cells, overrun.pred_cells) == (((3, 4),), ((3, 3),))
    assert explains_each_difference_once(found)


def test_a_row_of_which_only_the_key_stands_at_its_place_is_shifted() -> None:
    rows = order(random.Random(9), 8)
    pred = [list(row) for row in rows]
    pred[4] = [rows[4][0], *rows[4][2:], ""]
    found = causes(table(rows), table(pred), table_type=order_type(key=True))
    assert places(found) == (("row_shift", (), (5,), (), (5,)),)
    assert "stand 1 column too far left" in found.findings[0].explanation
    assert explains_each_difference_once(found)


def test_swapped_columns_of_a_short_table_that_mismatch_the_rows_are_still_one_swap() -> None:
    gold = from_rows([["Id", "Name"], ["A-17", "hinge"], ["B-22", "clamp"], ["C-31", "cable"]], header_rows=1)
    pred = from_rows([["Id", "Name"], ["hinge", "A-17"], ["clamp", "B-22"], ["cable", "C-31"]], header_rows=1)
    found = causes(gold, pred)
    assert [f.label for f in found.findings] == ["swapped_columns"]
    assert found.findings[0].cells == 6
    assert explains_each_difference_once(found)


def test_a_column_that_only_one_table_has_is_one_finding() -> None:
    rows = order(random.Random(3), 6)
    short = from_rows([row[:3] + row[4:] for row in [damage.HEAD, *rows]], header_rows=1)
    found = causes(table(rows), short, table_type=order_type())
    assert [(f.label, f.cells, f.explanation) for f in found.findings] == [
        ("missing_value", 6, "nothing of the column 'Quantity' was extracted")
    ]
    found = causes(short, table(rows), table_type=order_type())
    assert [(f.label, f.cells, f.explanation) for f in found.findings] == [
        ("spurious_value", 6, "gold has no column like 'Quantity' of the prediction")
    ]


def test_explanations_are_plain_sentences_with_the_texts() -> None:
    gold = from_rows([["Article", "Amount"], ["Ibuprofen 400 mg", "1,234.50"], ["Corn oil", "17.00"]], header_rows=1)
    pred = from_rows([["Article", "Amount"], ["lbuprofen 400 mg", "123,450.00"], ["Com oil", "(17.00)"]], header_rows=1)
    assert [f.explanation for f in causes(gold, pred).findings] == [
        "'Ibuprofen 400 mg' was read as 'lbuprofen 400 mg': l for I",
        "'1,234.50' was read 100 times too large as '123,450.00'",
        "'Corn oil' was read as 'Com oil': m for rn",
        "'17.00' was read with the wrong sign as '(17.00)'",
    ]


def test_values_are_compared_as_the_table_type_reads_them() -> None:
    german = TableType.from_json(
        {
            "name": "t",
            "columns": [
                {"name": "what"},
                {"name": "sum", "type": "currency", "locale": "de_DE"},
            ],
        }
    )
    gold = from_rows([["what", "sum"], ["a", "1.234,50 €"], ["b", "9,00"]], header_rows=1)
    pred = from_rows([["what", "sum"], ["a", "1234,5"], ["b", "0,09"]], header_rows=1)
    found = causes(gold, pred, table_type=german)
    assert [f.label for f in found.findings] == ["formatting_only", "magnitude"]
    assert found.cause_of_failure == "magnitude"


def test_formatting_alone_is_no_cause_of_failure() -> None:
    found = causes(from_rows([["a", "b"]]), from_rows([["a ", "b"]]))
    assert (found.counts, found.cause_of_failure) == ({"formatting_only": 1}, None)


def test_the_cause_of_failure_weighs_labels_by_the_values_they_hit() -> None:
    rows = order(random.Random(2), 8)
    pred = [list(row) for row in rows[1:]]
    pred[0][0] += "x"
    pred[1][0] += "x"
    one = causes(table(rows), table(pred))
    assert (one.counts, one.cells) == ({"missed_row": 1, "overrun": 2}, {"missed_row": 6, "overrun": 2})
    assert one.cause_of_failure == "missed_row"
    other = causes(table(rows), table([[f"{text}x" if text else "" for text in row] for row in rows]))
    assert cause_of_failure([one.counted, other.counted]) == "overrun"
    assert cause_of_failure([]) is None


def test_a_number_in_the_source_counts_in_any_writing_of_its_column() -> None:
    gold, pred = table([["A", "b", "kg", "3", "17.00", "", ""]]), table([["A", "b", "kg", "3", "2950.5", "", ""]])
    for text, label in (("total 2,950.50", "wrong_value"), ("total 12,950.50", "hallucinated")):
        (finding,) = causes(gold, pred, table_type=order_type(), source_text=text).findings
        assert finding.label == label


def test_a_table_without_any_text_is_a_missed_one_with_its_differences() -> None:
    gold = table(order(random.Random(4), 3))
    found = causes(gold, Table(2, 2, (Cell(0, 0, " "),)))
    assert [f.label for f in found.findings] == ["missed_table"]
    assert found.findings[0].cells == 7 + 3 * 6 + 1
    assert explains_each_difference_once(found)


def test_header_rows_that_only_one_table_has_are_a_header_mismatch() -> None:
    rows = order(random.Random(6), 5)
    found = causes(table(rows), from_rows(rows))
    assert [(f.label, f.gold_rows) for f in found.findings] == [("header_mismatch", (0,))]
    found = causes(from_rows(rows), table(rows))
    assert [(f.label, f.pred_rows) for f in found.findings] == [("header_mismatch", (0,))]


def test_thresholds_are_part_of_the_result_and_are_obeyed() -> None:
    gold, pred = from_rows([["steel bolt"], ["x"]]), from_rows([["steel bald"], ["x"]])
    assert causes(gold, pred).findings[0].label == "ocr_edit"
    strict = causes(gold, pred, thresholds=CauseThresholds(ocr_edit=0.95))
    assert strict.findings[0].label == "unsupported_unknown"
    assert strict.to_json()["thresholds"]["ocr_edit"] == 0.95


def test_the_json_is_plain_and_whole() -> None:
    damaged = DAMAGES["merged_rows"](random.Random(1))
    plain = of(damaged).to_json()
    (finding,) = plain["findings"]
    assert plain["cause_of_failure"] == finding["label"] == "merged_rows"
    assert finding["gold_rows"] == list(damaged.expected[0][2])
    assert set(finding) == {field for field in replace(of(damaged).findings[0]).__slots__}


def test_equal_input_gives_equal_findings_in_the_order_of_the_rules() -> None:
    damaged = three_at_once(random.Random(8), apart=False)
    assert of(damaged) == of(damaged)
