from __future__ import annotations

import pytest

from scoring import Badge, Cell, Confidence, Doubt, Table, TableType, Thresholds, badge, check, doubts
from scoring.alignment.align import align

TYPE = TableType.from_json(
    {
        "name": "t",
        "columns": [
            {"name": "n", "type": "integer"},
            {"name": "price", "type": "number"},
            {"name": "amount", "label": "Amount", "type": "number"},
        ],
        "checks": [
            {"kind": "product", "factors": ["n", "price"], "product": "amount"},
            {"kind": "sum", "column": "amount", "equals": {"last_row": True}},
        ],
    }
)


def word(value: float | None, source: str = "Azure word confidence, lowest of 3") -> Confidence:
    return Confidence(value, "text", "word", source)


def table(*lines: list[tuple[str, float | None]]) -> Table:
    head = tuple(Cell(0, col, column.name, header="column") for col, column in enumerate(TYPE.columns))
    cells = tuple(
        Cell(row, col, text, confidence=() if value is None else (word(value, "Azure"),))
        for row, line in enumerate(lines, 1)
        for col, (text, value) in enumerate(line)
    )
    return Table(len(lines) + 1, 3, (*head, *cells))


def found(gold: Table, pred: Table | None = None) -> tuple[Doubt, ...]:
    first = gold if pred is None else pred
    alignment = align(gold, first, table_type=TYPE)
    return doubts(gold, first, alignment, table_type=TYPE, findings=check(gold, TYPE))


@pytest.mark.parametrize(
    ("value", "level"), [(1.0, "high"), (0.9, "high"), (0.8999, "medium"), (0.6, "medium"), (0.59, "low"), (0.0, "low")]
)
def test_the_level_follows_the_thresholds(value: float, level: str) -> None:
    assert badge(Cell(0, 0, "x", confidence=(word(value),))).level == level


def test_the_reason_names_unit_value_and_source() -> None:
    given = badge(Cell(0, 0, "x", confidence=(word(0.43),)))
    assert given == Badge("low", "word confidence 0.43 (Azure word confidence, lowest of 3)")


def test_the_weakest_of_several_confidences_decides() -> None:
    structure = Confidence(0.95, "structure", "cell", "Azure")
    said = Confidence(0.3, "self-report", "field", "a model")
    assert badge(Cell(0, 0, "x", confidence=(word(0.99), structure, said))) == Badge(
        "low", "field self-reported confidence 0.30 (a model)"
    )


def test_no_confidence_is_no_score_and_never_high() -> None:
    none = Badge("none", "No score: the extractor reported no confidence")
    assert badge(Cell(0, 0, "x")) == none
    assert badge(Cell(0, 0, "x", confidence=(word(None),))) == none
    assert badge(None) == none


def test_a_confidence_is_shown_rounded_down() -> None:
    assert "0.89 " in badge(Cell(0, 0, "x", confidence=(word(0.899),))).reason
    assert "0.29 " in badge(Cell(0, 0, "x", confidence=(word(0.29),))).reason


def test_thresholds_out_of_order_are_refused() -> None:
    with pytest.raises(ValueError, match=r"low 0\.95, doubt 0\.8, high 0\.9"):
        Thresholds(low=0.95)


def test_a_cell_of_low_confidence_is_a_doubt_and_the_riskiest_comes_first() -> None:
    told = found(table([("2", 0.7), ("3", 0.3), ("6", 0.99)]))
    assert [(doubt.row, doubt.col, doubt.level) for doubt in told] == [(1, 1, "low"), (1, 0, "medium")]
    assert told[0].reasons == ("word confidence 0.30 (Azure)",)
    assert told[0].risk == pytest.approx(0.7)


def test_a_failed_product_makes_a_doubt_of_each_operand() -> None:
    told = found(table([("2", 0.99), ("3", 0.95), ("7", 0.97)]))
    assert {(doubt.row, doubt.col) for doubt in told} == {(1, 0), (1, 1), (1, 2)}
    assert told[0].col == 1
    assert told[0].risk == pytest.approx(1 - 0.95 * 0.7)
    assert told[0].reasons == ("2 × 3 = 6, Amount says 7", "word confidence 0.95 (Azure)")


def test_a_failed_sum_is_put_to_the_riskiest_cell_of_the_column() -> None:
    none = ("", None)
    rows = [[none, none, ("1", 0.98)], [none, none, ("2", 0.94)], [none, none, ("9", 0.99)]]
    told = found(table(*rows))
    assert [(doubt.row, doubt.col) for doubt in told] == [(2, 2)]
    assert told[0].reasons[0] == "column Amount adds up to 3, the last row says 9"


def test_a_failed_sum_weighs_on_the_cells_that_are_doubtful_anyway() -> None:
    none = ("", None)
    rows = [[none, none, ("1", 0.5)], [none, none, ("2", 0.94)], [none, none, ("9", 0.99)]]
    (told,) = found(table(*rows))
    assert (told.row, told.risk) == (1, pytest.approx(1 - 0.5 * 0.7))


def test_a_missing_score_is_a_doubt_only_beside_cells_that_have_one() -> None:
    (told,) = found(table([("2", 0.99), ("3", None), ("6", 0.99)]))
    assert (told.col, told.level, told.risk) == (1, "none", 0.5)
    assert found(table([("2", None), ("3", None), ("6", None)])) == ()


def test_a_row_that_was_not_extracted_is_a_doubt_at_its_first_text() -> None:
    first = table([("2", 0.99), ("3", 0.99), ("6", 0.99)])
    gold = table([("2", 0.99), ("3", 0.99), ("6", 0.99)], [("", None), ("500", None), ("", None)])
    (told,) = [doubt for doubt in found(gold, first) if doubt.row == 2]
    assert (told.col, told.reasons) == (1, ("this row was not extracted",))
    assert found(gold, Table(0, 0)) == ()


def test_a_corrected_cell_no_longer_rests_on_the_confidence_of_the_first_text() -> None:
    first = table([("2", 0.99), ("8", 0.3), ("6", 0.99)])
    gold = table([("2", None), ("3", None), ("6", None)])
    assert found(gold, first) == ()


def test_another_way_to_write_the_same_value_still_rests_on_it() -> None:
    first = table([("2", 0.99), ("3.0", 0.3), ("6", 0.99)])
    gold = table([("2", None), ("3", None), ("6", None)])
    assert [doubt.col for doubt in found(gold, first)] == [1]


def test_doubts_stand_at_gold_positions_although_the_first_rows_moved() -> None:
    first = table([("2", 0.99), ("3", 0.3), ("6", 0.99)])
    gold = table([("7", None), ("70", None), ("490", None)], [("2", None), ("3", None), ("6", None)])
    assert (2, 1) in {(doubt.row, doubt.col) for doubt in found(gold, first)}


def test_header_cells_are_no_doubts() -> None:
    head = Table(1, 1, (Cell(0, 0, "n", header="column", confidence=(word(0.1),)),))
    assert doubts(head, head, align(head, head)) == ()


def test_a_repaired_cell_is_a_doubt_until_a_person_has_changed_it_and_header_cells_too() -> None:
    first = table([("2", None), ("3", None), ("6", None)])
    alignment = align(first, first, table_type=TYPE)
    changes = {(1, 1): ("cut at the edge",), (0, 2): ("made smaller",), (9, 9): ("gone",)}
    told = doubts(first, first, alignment, table_type=TYPE, repaired=changes)
    assert {(doubt.row, doubt.col, doubt.reasons) for doubt in told} == {
        (1, 1, ("reading repaired: cut at the edge",)),
        (0, 2, ("reading repaired: made smaller",)),
    }
    mended = table([("2", None), ("4", None), ("6", None)])
    assert [(doubt.row, doubt.col) for doubt in doubts(mended, first, alignment, repaired=changes)] == [(0, 2)]


def test_a_cell_that_the_page_has_otherwise_is_a_doubt_until_a_person_has_changed_it() -> None:
    first = table([("2", 0.99), ("8", 0.99), ("16", 0.99)])
    alignment = align(first, first, table_type=TYPE)
    (told,) = doubts(first, first, alignment, table_type=TYPE, page_reads={(1, 1): "3", (9, 9): "gone"})
    assert (told.row, told.col, told.level, told.reasons[0]) == (1, 1, "low", "the page reads “3”")
    mended = table([("2", None), ("9", None), ("16", None)])
    assert doubts(mended, first, alignment, table_type=TYPE, page_reads={(1, 1): "3"}) == ()


def chosen(tau: float, low: float = 0.0) -> Thresholds:
    return Thresholds(high=tau, low=low, doubt=tau, chosen="set by Ada on 2026-11-30")


def column(*values: float | None) -> Table:
    cells = [Cell(0, 0, "price", header="column")]
    for row, value in enumerate(values, start=1):
        said = () if value is None else (Confidence(value, "text", "cell", "acme"),)
        cells.append(Cell(row, 0, str(row), confidence=said))
    return Table(len(cells), 1, tuple(cells))


@pytest.mark.parametrize(
    ("value", "level", "words"),
    [
        (0.43, "medium", "cell confidence 0.43 (acme), below 0.62, set by Ada on 2026-11-30"),
        (0.19, "low", "cell confidence 0.19 (acme), below 0.62, set by Ada on 2026-11-30"),
        (0.62, "high", "cell confidence 0.62 (acme), at least 0.62, set by Ada on 2026-11-30"),
        (0.6199, "medium", "cell confidence 0.61 (acme), below 0.62, set by Ada on 2026-11-30"),
    ],
)
def test_a_badge_names_the_threshold_that_a_person_chose(value: float, level: str, words: str) -> None:
    cell = column(value).at(1, 0)
    assert badge(cell, thresholds=chosen(0.62, 0.2)) == Badge(level, words)  # type: ignore[arg-type]


def test_a_badge_shows_as_many_digits_as_tell_the_score_from_the_threshold() -> None:
    cell = column(0.62372).at(1, 0)
    assert badge(cell, thresholds=chosen(0.623745)).reason.startswith("cell confidence 0.62372 (acme), below 0.62374,")


def test_a_chosen_threshold_alone_decides_what_confidence_says_of_a_cell() -> None:
    table = column(0.3, 0.5, 0.7, 0.96)
    same = align(table, table)
    assert {doubt.row for doubt in doubts(table, table, same)} == {1, 2, 3}
    assert {doubt.row for doubt in doubts(table, table, same, by_column={0: chosen(0.5)})} == {1}
    told = {doubt.row: doubt.level for doubt in doubts(table, table, same, by_column={0: chosen(0.97, 0.4)})}
    assert told == {1: "low", 2: "medium", 3: "medium", 4: "medium"}


def test_other_evidence_counts_beside_an_accepted_confidence_as_it_always_did() -> None:
    table = column(0.3, 0.95, None)
    same, easy = align(table, table), {0: chosen(0.1)}
    repaired = {(1, 0): ("cut",)}
    told = {
        doubt.row: (doubt.level, doubt.risk) for doubt in doubts(table, table, same, by_column=easy, repaired=repaired)
    }
    assert told == {1: ("low", 0.5), 3: ("none", 0.5)}
