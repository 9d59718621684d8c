"""Causes of error in single cells: absent, put elsewhere, misread or made-up values."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from decimal import Decimal
from functools import cached_property
from typing import Any

from scoring.confusions import confused
from scoring.diagnosis.finding import CauseFinding, CauseLabel, Compared, quoted
from scoring.differences import Difference
from scoring.schema import Column, header_text
from scoring.text import PROFILES, similarity
from scoring.values.reader import PLAIN, read

# Powers of ten by which a number is taken for the same digits with the mark elsewhere.
LARGEST_MAGNITUDE = 6
# A table without a type declares no numbers; its texts are read as English ones.
_UNTYPED_NUMBER = Column("", type="currency")


def cell_findings(compared: Compared, waiting: Iterable[int]) -> Iterator[CauseFinding]:
    """The findings of the differences that neither the table nor its rows explain; each gets one.

    First what takes several differences together: merged cells of another size with the cells that
    they cover, a column that was lost or is too much, a value that stands in another column of its row.
    Then each cell by itself; the first rule that fits decides.
    """
    cells = _Cells(compared)
    open_at = sorted(waiting)
    for group in (_spans, _lost_columns, _moved_values):
        found = list(group(cells, open_at))
        yield from found
        explained = {at for finding in found for at in finding.differences}
        open_at = [at for at in open_at if at not in explained]
    for at in open_at:
        label, explanation = _label(cells, compared.differences[at])
        yield compared.finding(label, explanation, [at])


class _Cells:
    """Two compared tables and where the values of gold stand."""

    def __init__(self, compared: Compared) -> None:
        self.compared = compared

    def column(self, told: Difference) -> Column:
        return PLAIN if told.gold_col is None else self.compared.columns[told.gold_col]

    def has_value(self, row: int, col: int) -> bool:
        cell = self.compared.gold.at(row, col)
        anchored = cell is not None and (cell.row, cell.col) == (row, col)
        return cell is not None and anchored and self.compared.value(cell.text, col).kind != "null"

    @cached_property
    def rows_of_value(self) -> Mapping[tuple[int, str, Any], list[int]]:
        """The gold rows in which each value of each column stands."""
        rows: dict[tuple[int, str, Any], list[int]] = defaultdict(list)
        for cell in self.compared.gold.cells:
            if cell.row >= self.compared.alignment.gold_header:
                value = self.compared.value(cell.text, cell.col)
                rows[cell.col, value.kind, value.value].append(cell.row)
        return rows


def _spans(cells: _Cells, open_at: Collection[int]) -> Iterator[CauseFinding]:
    compared = cells.compared
    under: dict[tuple[str, int, int], list[int]] = defaultdict(list)
    for at in open_at:
        told = compared.differences[at]
        if told.kind in ("missing_value", "spurious_value"):
            for side, cell in (
                ("gold", compared.gold.grid.get((told.gold_row, told.gold_col))),  # type: ignore[arg-type]  # None is no key
                ("pred", compared.pred.grid.get((told.pred_row, told.pred_col))),  # type: ignore[arg-type]
            ):
                if cell is not None:
                    under[side, cell.row, cell.col].append(at)
    taken: set[int] = set()
    for at in open_at:
        told = compared.differences[at]
        if told.kind != "span":
            continue
        gold = compared.gold.grid[told.gold_row, told.gold_col]  # type: ignore[index]  # a span has both places
        pred = compared.pred.grid[told.pred_row, told.pred_col]  # type: ignore[index]
        both = {*under["gold", gold.row, gold.col], *under["pred", pred.row, pred.col]}
        covered = sorted(both - taken)
        taken |= both
        said = f"the cell {quoted(gold.text)} covers {told.gold} in gold and {told.pred} in the prediction"
        yield compared.finding("wrong_span", said, [at, *covered])


def _lost_columns(cells: _Cells, open_at: Collection[int]) -> Iterator[CauseFinding]:
    """Columns of which no value was extracted, and columns that gold does not have."""
    compared, alignment = cells.compared, cells.compared.alignment
    paired_pred = {p for _, p in alignment.cols}
    missing: dict[int, list[int]] = defaultdict(list)
    added: dict[int, list[int]] = defaultdict(list)
    for at in open_at:
        told = compared.differences[at]
        if told.kind == "missing_value" and told.gold_col is not None:
            missing[told.gold_col].append(at)
        elif told.kind == "spurious_value" and told.pred_col is not None and told.pred_col not in paired_pred:
            added[told.pred_col].append(at)
    rows = [row for row, _ in alignment.data_rows]
    for col, found in sorted(missing.items()):
        if len(found) > 1 and len(found) >= sum(1 for row in rows if cells.has_value(row, col)):
            name = header_text(compared.gold, col, alignment.gold_header).strip()
            said = f"nothing of the column {quoted(name) if name else col + 1} was extracted"
            yield compared.finding("missing_value", said, found)
    for col, found in sorted(added.items()):
        name = header_text(compared.pred, col, alignment.pred_header).strip()
        said = f"gold has no column like {quoted(name) if name else col + 1} of the prediction"
        yield compared.finding("spurious_value", said, found)


def _moved_values(cells: _Cells, open_at: Collection[int]) -> Iterator[CauseFinding]:
    """A value that is missing at its place and stands in a column of the row where gold has none."""
    differences = cells.compared.differences
    spurious: dict[int | None, list[int]] = defaultdict(list)
    for at in open_at:
        if differences[at].kind == "spurious_value":
            spurious[differences[at].gold_row].append(at)
    for at in open_at:
        told = differences[at]
        if told.kind != "missing_value" or told.gold_row is None or told.gold_col is None:
            continue
        for other in spurious[told.gold_row]:
            if cells.compared.same(told.gold, differences[other].pred, told.gold_col):
                said = f"{quoted(told.gold)} stands in another column of its row, where gold has nothing"
                yield cells.compared.finding("wrong_column_same_row", said, [at, other])
                spurious[told.gold_row].remove(other)
                break


def _label(cells: _Cells, told: Difference) -> tuple[CauseLabel, str]:
    gold, pred = quoted(told.gold), quoted(told.pred)
    if told.kind == "missing_value":
        return "missing_value", f"{gold} was not extracted"
    if told.kind == "spurious_value":
        return "spurious_value", f"gold has nothing where the prediction has {pred}"
    if told.kind == "formatting_only":
        return "formatting_only", f"{pred} is another way to write {gold}"
    column = cells.column(told)
    return (
        _of_number(told, column)
        or _of_letters(told, column)
        or _of_place(cells, told)
        or _of_likeness(cells, told, column)
    )


def _of_number(told: Difference, column: Column) -> tuple[CauseLabel, str] | None:
    numeric = _UNTYPED_NUMBER if column is PLAIN else column
    gold, pred = read(told.gold, numeric).number, read(told.pred, numeric).number
    if gold is None or pred is None or not gold or not pred:
        return None
    if gold == -pred:
        return "sign_error", f"{quoted(told.gold)} was read with the wrong sign as {quoted(told.pred)}"
    for power in range(-LARGEST_MAGNITUDE, LARGEST_MAGNITUDE + 1):
        if power and pred == gold.scaleb(power):
            times = f"{Decimal(10) ** abs(power):f} times too {'large' if power > 0 else 'small'}"
            return "magnitude", f"{quoted(told.gold)} was read {times} as {quoted(told.pred)}"
    return None


def _of_letters(told: Difference, column: Column) -> tuple[CauseLabel, str] | None:
    gold, pred = (PROFILES[column.normalise](text) for text in (told.gold, told.pred))
    if gold.startswith(pred) or gold.endswith(pred):
        end = "end" if gold.startswith(pred) else "beginning"
        return "truncated", f"{quoted(told.pred)} lacks the {end} of {quoted(told.gold)}"
    if pred.startswith(gold) or pred.endswith(gold):
        return "overrun", f"{quoted(told.pred)} is {quoted(told.gold)} and more"
    if pieces := confused(gold, pred):
        said = ", ".join(f"{read_as} for {printed}" for printed, read_as in dict.fromkeys(pieces))
        return "ocr_confusion", f"{quoted(told.gold)} was read as {quoted(told.pred)}: {said}"
    return None


def _of_place(cells: _Cells, told: Difference) -> tuple[CauseLabel, str] | None:
    compared = cells.compared
    row, col = told.gold_row, told.gold_col
    if row is None or col is None:
        return None
    for other in range(compared.gold.n_cols):
        cell = compared.gold.at(row, other)
        if other != col and cell is not None and cell.col != col and compared.same(cell.text, told.pred, other):
            name = header_text(compared.gold, other, compared.alignment.gold_header).strip()
            where = f"the column {quoted(name) if name else other + 1}"
            return "wrong_column_same_row", f"{quoted(told.pred)} stands in {where} of the row, not {quoted(told.gold)}"
    value = compared.value(told.pred, col)
    if rows := [at for at in cells.rows_of_value.get((col, value.kind, value.value), ()) if at != row]:
        closest = min(rows, key=lambda at: (abs(at - row), at))
        said = f"{quoted(told.pred)} stands in this column of row {closest + 1}, not {quoted(told.gold)}"
        return "wrong_row_same_column", said
    return None


def _of_likeness(cells: _Cells, told: Difference, column: Column) -> tuple[CauseLabel, str]:
    normal, source = PROFILES[column.normalise], cells.compared.source
    gold, pred = quoted(told.gold), quoted(told.pred)
    if similarity(normal(told.gold), normal(told.pred)) >= cells.compared.thresholds.ocr_edit:
        return "ocr_edit", f"{gold} was misread as {pred}"
    if source is None:
        return "unsupported_unknown", f"{pred} instead of {gold}, and no text of the document tells where it is from"
    if source.has(told.pred, column):
        return "wrong_value", f"{pred} occurs in the document, but the value here is {gold}"
    return "hallucinated", f"{pred} instead of {gold} does not occur in the document"
