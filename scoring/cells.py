"""What became of every cell: right, wrong, missing or spurious, one to one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from scoring.alignment.align import Alignment, column_of
from scoring.counts import Counts
from scoring.schema import Column, TableType
from scoring.table import Cell, Table
from scoring.text import similarity
from scoring.values.reader import Value, read, same

Verdict = Literal["right", "wrong", "missing", "spurious", "empty"]
Credit = Literal["exact", "graded", "verbatim"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one aligned position, or of one cell in a row or column without a match.

    ``verdict``: "right" (equal after normalisation), "wrong" (both have a value), "missing" (gold
    alone has one), "spurious" (the prediction alone has one), "empty" (neither). ``verbatim`` tells
    whether the raw texts are equal; ``similarity`` is 0..1 of the normalised texts, 1 where right.
    ``column`` is the index of the schema column. ``gold`` and ``pred`` are the anchored cells, None
    for a hole, for a position that a merged cell covers, and where a row or column has no match.
    """

    verdict: Verdict
    gold_row: int | None
    gold_col: int | None
    pred_row: int | None
    pred_col: int | None
    gold: Cell | None
    pred: Cell | None
    verbatim: bool
    similarity: float
    column: int | None = None


def outcomes(
    gold: Table, pred: Table, alignment: Alignment, *, table_type: TableType | None = None
) -> tuple[Outcome, ...]:
    """The outcome of every position of two aligned tables that has a cell, gold rows first.

    A merged cell counts once, where it is anchored; the other positions that it covers, and holes,
    count as empty. With a table type the header rows are not scored, since they name the columns;
    without one they are cells like others. Each predicted cell is used once: a duplicate row
    cannot claim a gold value again. Absent values in rows or columns without a match are left out.
    """
    lanes = _lanes(gold, pred, alignment, table_type)
    gold_cells: dict[tuple[int | None, int | None], Cell] = {(cell.row, cell.col): cell for cell in gold.cells}
    pred_cells: dict[tuple[int | None, int | None], Cell] = {(cell.row, cell.col): cell for cell in pred.cells}
    found = []
    for gold_row, pred_row in _row_places(alignment, scored_headers=table_type is None):
        for lane in lanes:
            gold_cell = gold_cells.get((gold_row, lane.gold_col))
            pred_cell = pred_cells.get((pred_row, lane.pred_col))
            if gold_cell is None and pred_cell is None:
                continue
            paired = None not in (gold_row, pred_row, lane.gold_col, lane.pred_col)
            outcome = lane.outcome(gold_row, pred_row, gold_cell, pred_cell)
            if paired or outcome.verdict != "empty":
                found.append(outcome)
    return tuple(found)


def count(found: Iterable[Outcome], credit: Credit = "exact") -> Counts:
    """The counts of outcomes; a wrong value is one false positive and one false negative.

    ``credit`` for a matched pair: "exact" 1 where equal after normalisation, "verbatim" 1 where the
    raw texts are equal too, "graded" the similarity of the texts, so that a wrong value earns part.
    """
    matched: float = 0
    predicted = expected = 0
    for outcome in found:
        predicted += outcome.verdict in ("right", "wrong", "spurious")
        expected += outcome.verdict in ("right", "wrong", "missing")
        if outcome.verdict == "right":
            matched += outcome.verbatim if credit == "verbatim" else 1
        elif outcome.verdict == "wrong" and credit == "graded":
            matched += outcome.similarity
    return Counts(matched, predicted, expected)


@dataclass(frozen=True)
class _Lane:
    """A pair of columns, or one without a partner, and the values read in it so far."""

    gold_col: int | None
    pred_col: int | None
    at: int | None
    column: Column
    known: dict[str, Value] = field(default_factory=dict)

    def value(self, cell: Cell | None) -> Value:
        text = "" if cell is None else cell.text
        if text not in self.known:
            self.known[text] = read(text, self.column)
        return self.known[text]

    def outcome(
        self, gold_row: int | None, pred_row: int | None, gold_cell: Cell | None, pred_cell: Cell | None
    ) -> Outcome:
        gold, pred = self.value(gold_cell), self.value(pred_cell)
        verbatim = ("" if gold_cell is None else gold_cell.text) == ("" if pred_cell is None else pred_cell.text)
        likeness = 1.0
        verdict: Verdict
        if gold.kind == "null" or pred.kind == "null":
            verdict = "missing" if gold.kind != "null" else "spurious" if pred.kind != "null" else "empty"
            likeness = 1.0 if verdict == "empty" else 0.0
        elif verbatim or same(gold, pred, self.column):
            verdict = "right"
        else:
            verdict, likeness = "wrong", similarity(gold.text, pred.text)
        # A row or column without a partner has no position in the other table.
        return Outcome(
            verdict,
            gold_row if self.gold_col is not None else None,
            self.gold_col if gold_row is not None else None,
            pred_row if self.pred_col is not None else None,
            self.pred_col if pred_row is not None else None,
            gold_cell,
            pred_cell,
            verbatim,
            likeness,
            self.at,
        )


def _lanes(gold: Table, pred: Table, alignment: Alignment, table_type: TableType | None) -> list[_Lane]:
    match = dict(alignment.cols)
    taken = set(match.values())
    pairs: list[tuple[int | None, int | None]] = [(col, match.get(col)) for col in range(gold.n_cols)]
    pairs += [(None, col) for col in range(pred.n_cols) if col not in taken]
    lanes = []
    for gold_col, pred_col in pairs:
        gold_at = None if gold_col is None else alignment.gold_columns[gold_col]
        pred_at = None if pred_col is None else alignment.pred_columns[pred_col]
        at = pred_at if gold_at is None else gold_at
        lanes.append(_Lane(gold_col, pred_col, at, column_of(table_type, gold_at, pred_at)))
    return lanes


def _row_places(alignment: Alignment, *, scored_headers: bool) -> Iterator[tuple[int | None, int | None]]:
    match = dict(alignment.rows)
    taken = set(match.values())
    for row in range(0 if scored_headers else alignment.gold_header, alignment.gold_rows):
        yield row, match.get(row)
    for row in range(0 if scored_headers else alignment.pred_header, alignment.pred_rows):
        if row not in taken:
            yield None, row
