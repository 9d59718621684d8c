"""The mistakes themselves, one value each, for people to look at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any, Literal

from scoring.alignment.align import Alignment
from scoring.cells import Outcome
from scoring.schema import TableType
from scoring.table import Cell, Table

DifferenceKind = Literal[
    "wrong_value",
    "formatting_only",
    "missing_value",
    "spurious_value",
    "missed_row",
    "extra_row",
    "duplicate_row",
    "span",
]
_KINDS: dict[str, DifferenceKind] = {
    "wrong": "wrong_value",
    "missing": "missing_value",
    "spurious": "spurious_value",
}


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference between gold and the prediction, in grid positions; a row as a whole has no column.

    ``gold`` and ``pred`` are the texts, "" where there is nothing; for a whole row its texts joined
    by " | ", for a span its size in words.
    """

    kind: DifferenceKind
    gold_row: int | None
    gold_col: int | None
    pred_row: int | None
    pred_col: int | None
    gold: str
    pred: str

    def to_json(self) -> dict[str, Any]:
        """A plain mapping of all parts."""
        return asdict(self)


def differences(
    gold: Table, pred: Table, alignment: Alignment, found: Iterable[Outcome], *, table_type: TableType | None = None
) -> tuple[Difference, ...]:
    """All differences in reading order of gold, then what only the prediction has.

    A missed, extra or duplicate row is one difference, not one per cell. A merged cell of another
    size is a "span" beside what its text may be. ``found`` are the outcomes of the same tables;
    with a table type header rows are left out, as there.
    """
    missed, only_pred = set(alignment.missed), {*alignment.extra, *alignment.duplicates}
    gold_first, pred_first = (alignment.gold_header, alignment.pred_header) if table_type else (0, 0)
    told = [
        difference
        for outcome in found
        if outcome.gold_row not in missed and (outcome.gold_row is not None or outcome.pred_row not in only_pred)
        for difference in _of_cell(outcome)
    ]
    told += [
        Difference("missed_row", row, None, None, None, _line(gold, row), "")
        for row in alignment.missed
        if row >= gold_first
    ]
    told += [
        Difference(
            "duplicate_row" if row in alignment.duplicates else "extra_row", None, None, row, None, "", _line(pred, row)
        )
        for row in sorted(only_pred)
        if row >= pred_first
    ]
    return tuple(sorted(told, key=_place))


def _of_cell(outcome: Outcome) -> Iterator[Difference]:
    gold, pred = outcome.gold, outcome.pred
    place = (outcome.gold_row, outcome.gold_col, outcome.pred_row, outcome.pred_col)
    gold_text, pred_text = "" if gold is None else gold.text, "" if pred is None else pred.text
    if outcome.verdict in _KINDS:
        yield Difference(_KINDS[outcome.verdict], *place, gold_text, pred_text)
    elif not outcome.verbatim:
        yield Difference("formatting_only", *place, gold_text, pred_text)
    if gold and pred and (gold.row_span, gold.col_span) != (pred.row_span, pred.col_span):
        yield Difference("span", *place, _size(gold), _size(pred))


def _size(cell: Cell) -> str:
    rows, cols = cell.row_span, cell.col_span
    return f"{rows} row{'s' * (rows != 1)}, {cols} column{'s' * (cols != 1)}"


def _line(table: Table, row: int) -> str:
    texts = [table.text_at(row, col) for col in range(table.n_cols)]
    return " | ".join(text for text in texts if text.strip())


def _place(difference: Difference) -> tuple[float, ...]:
    last = float("inf")
    places = (difference.gold_row, difference.gold_col, difference.pred_row, difference.pred_col)
    return tuple(last if place is None else place for place in places)
