from __future__ import annotations

import pytest

from scoring import Cell, Column, Confidence, Table, TableType
from scoring.alignment.align import align
from scoring.cells import count, outcomes
from scoring.confidence.scored_cells import Omissions, ScoredCell, checked, omissions, scored_cells

TYPE = TableType("prices", (Column("item"), Column("price", type="number")))


def table(*lines: tuple[tuple[str, float | None], ...]) -> Table:
    head = tuple(Cell(0, col, column.name, header="column") for col, column in enumerate(TYPE.columns))
    cells = tuple(
        Cell(row, col, text, confidence=(Confidence(value, "text", "word", "Azure"),))
        for row, line in enumerate(lines, 1)
        for col, (text, value) in enumerate(line)
    )
    return Table(len(lines) + 1, 2, (*head, *cells))


GOLD = table((("bolt", None), ("0.25", None)), (("nut", None), ("0.40", None)), (("washer", None), ("0.05", None)))
# The nut has another price, the washer none, and a row was invented.
PRED = table(
    (("bolt", 0.9), ("0.250", 0.8)),
    (("nut", 0.95), ("0.70", 0.3)),
    (("washer", None), ("", 0.99)),
    (("Total of the page", 0.7), ("99.00", 0.6)),
)
FOUND = outcomes(GOLD, PRED, align(GOLD, PRED, table_type=TYPE), table_type=TYPE)


def test_each_predicted_value_is_a_unit_with_its_verdict() -> None:
    assert scored_cells(FOUND, document="a.pdf", table_type=TYPE) == (
        ScoredCell(0.9, True, "a.pdf", "item"),
        ScoredCell(0.8, True, "a.pdf", "price"),
        ScoredCell(0.95, True, "a.pdf", "item"),
        ScoredCell(0.3, False, "a.pdf", "price"),
        ScoredCell(None, True, "a.pdf", "item"),
        ScoredCell(0.7, False, "a.pdf", "item"),
        ScoredCell(0.6, False, "a.pdf", "price"),
    )


def test_a_gold_value_that_was_never_predicted_is_an_omission() -> None:
    assert omissions(FOUND, document="a.pdf", table_type=TYPE) == (
        Omissions("a.pdf", "item", 0, 3),
        Omissions("a.pdf", "price", 1, 3),
    )


def test_a_missed_row_is_omitted_in_every_column() -> None:
    pred = table((("bolt", 0.9), ("0.25", 0.8)), (("nut", 0.9), ("0.40", 0.8)))
    found = outcomes(GOLD, pred, align(GOLD, pred, table_type=TYPE), table_type=TYPE)
    assert omissions(found, document="a", table_type=TYPE) == (
        Omissions("a", "item", 1, 3),
        Omissions("a", "price", 1, 3),
    )


def test_the_units_are_the_cells_that_are_counted() -> None:
    counts = count(FOUND)
    cells = scored_cells(FOUND, document="a", table_type=TYPE)
    gaps = omissions(FOUND, document="a", table_type=TYPE)
    assert (len(cells), sum(cell.right for cell in cells)) == (counts.predicted, counts.matched)
    assert sum(part.gold for part in gaps) == counts.expected


def test_the_weakest_confidence_of_a_cell_decides() -> None:
    said = (
        Confidence(0.9, "text", "word", "a"),
        Confidence(None, "structure", "cell", "b"),
        Confidence(0.4, "text", "cell", "c"),
    )
    gold, pred = Table(1, 1, (Cell(0, 0, "x"),)), Table(1, 1, (Cell(0, 0, "x", confidence=said),))
    (cell,) = scored_cells(outcomes(gold, pred, align(gold, pred)), document="a")
    assert cell == ScoredCell(0.4, True, "a", "column 1")


def test_a_column_that_gold_does_not_have_is_an_extra_column() -> None:
    gold = Table(2, 1, (Cell(0, 0, "apple"), Cell(1, 0, "pear")))
    pred = Table(2, 2, (Cell(0, 0, "apple"), Cell(1, 0, "pear"), Cell(0, 1, "17"), Cell(1, 1, "18")))
    cells = scored_cells(outcomes(gold, pred, align(gold, pred)), document="a")
    assert [(cell.column, cell.right) for cell in cells] == [
        ("column 1", True),
        ("extra column 2", False),
        ("column 1", True),
        ("extra column 2", False),
    ]


@pytest.mark.parametrize("value", [-0.1, 1.01, float("nan")])
def test_a_confidence_out_of_range_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match=r"in document 'a', column 'b', expected 0 to 1, or None"):
        ScoredCell(value, True, "a", "b")


def test_more_omissions_than_gold_cells_are_refused() -> None:
    with pytest.raises(ValueError, match="3 of 2 gold cells omitted in document 'a', column 'b'"):
        Omissions("a", "b", 3, 2)


def test_documents_by_name_are_numbered() -> None:
    _, _, document = checked([0.5, 0.6, 0.7], [1, 0, 1], ["b", "a", "b"])
    assert document.tolist() == [1, 0, 1]
