"""Fidelity: could a reader who sees only the extracted table recover every value with its row and column headers?"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from scoring.fidelity.associations import Association, Associations, Fault
from scoring.fidelity.found_values import Found, How, Position, find_values
from scoring.fidelity.grid_alignment import align
from scoring.fidelity.header_paths import headers_of, with_spans_restored
from scoring.fidelity.sheets import LARGEST_SHEET, Sheet, sheet
from scoring.fidelity.split_lines import put_together
from scoring.fidelity.text_recovery import shared_tokens
from scoring.reading.table_text import read_tables
from scoring.table import Table, from_rows

_APART = re.compile(r"\t+| {2,}")
_MOST_APART = 200

Kind = Literal[
    "lost_value",
    "wrong_value",
    "altered_value",
    "fused",
    "misplaced",
    "lost_row_header",
    "wrong_row_header",
    "ambiguous_row_header",
    "lost_column_header",
    "wrong_column_header",
    "ambiguous_column_header",
    "invented",
]

_OF_VALUE: Mapping[How, Kind] = MappingProxyType(
    {
        "placed": "altered_value",
        "fused": "fused",
        "misplaced": "misplaced",
        "wrong": "wrong_value",
        "lost": "lost_value",
    }
)
_OF_ROW: Mapping[Fault, Kind] = MappingProxyType(
    {"lost": "lost_row_header", "wrong": "wrong_row_header", "ambiguous": "ambiguous_row_header"}
)
_OF_COLUMN: Mapping[Fault, Kind] = MappingProxyType(
    {"lost": "lost_column_header", "wrong": "wrong_column_header", "ambiguous": "ambiguous_column_header"}
)

# A value whose row or column is not told can be looked up by its neighbours at best.
_WITHOUT_HEADER = 0.3
# A lost value is worse than an invented one as F2 has it: recall counts four times.
_BETA_SQUARED = 4.0
# Who meets a wrong value doubts those beside it too: a loss weighs as much as so many kept values.
_DOUBT = 3.0
# Text that only repeats headers and labels, or stands alone in its row (a caption, a note), misleads hardly anyone.
_REPEATED = 0.1


@dataclass(frozen=True, slots=True)
class Loss:
    """What is lost at a place: positions are (row, column) in the tables read, several tables one below the other.

    ``weight`` is a share of the values of gold, for "invented" a share of those found and invented. All weights but
    those of "invented" add up to 1 - recall, the others to 1 - precision.
    """

    kind: Kind
    gold: Position | None
    pred: Position | None
    gold_text: str
    pred_text: str
    weight: float


@dataclass(frozen=True, slots=True)
class Fidelity:
    """``score``, ``recall`` and ``precision``, 0..1, and what was lost, the heaviest first.

    Where nothing was predicted, nothing was invented: precision is 1, recall and score 0. Where gold
    has nothing and the prediction something, recall is 1, precision and score 0.
    """

    recall: float
    precision: float
    losses: tuple[Loss, ...]

    @property
    def score(self) -> float:
        """``kept / (kept + 3 (1 - kept))`` of kept, the F2 of recall and precision."""
        below = _BETA_SQUARED * self.precision + self.recall
        kept = (1 + _BETA_SQUARED) * self.precision * self.recall / below if below else 0.0
        return kept / (kept + _DOUBT * (1 - kept))


def fidelity(gold: str, pred: str) -> Fidelity:
    """The fidelity of a prediction to gold, each an HTML, Markdown or LaTeX text. Raises TooLargeError.

    Several tables of one text are read one below the other; of a prediction also the one alone that has most in
    common with gold, and the better reading counts. A prediction without a table is read line by line: as CSV where
    each line has equally many commas, semicolons or bars, two or more; else cells apart by tabs or by two spaces and
    more.
    """
    expected = sheet(read_tables(gold))
    predicted = read_tables(pred) or ((_lines(pred),) if expected.n_rows else ())
    readings = [sheet(predicted)]
    if len(predicted) > 1:
        readings.append(sheet([_likest(expected, predicted)]))
    return max((_compared(expected, reading) for reading in readings), key=lambda one: one.score)


def fidelity_of_tables(gold: Table, pred: Table) -> Fidelity:
    """The fidelity of one table to another. Raises TooLargeError."""
    return _compared(sheet([gold]), sheet([pred]))


def _lines(text: str) -> Table:
    lines = text.encode("utf-8", "replace").decode().splitlines()
    return _separated(lines) or from_rows(_APART.split(line.strip())[:_MOST_APART] for line in lines[:LARGEST_SHEET])


def _separated(lines: Sequence[str]) -> Table | None:
    """Lines of CSV by the separator that cuts all of them in equally many cells, three or more; None for other text."""
    written = [line for line in lines if line.strip()][:LARGEST_SHEET]
    for separator in ";|,":
        if len(written) < 2 or separator not in written[0]:
            continue
        try:
            rows = list(csv.reader(written, delimiter=separator, skipinitialspace=True, strict=True))
        except csv.Error:
            continue
        if len(rows) == len(written) and len({len(row) for row in rows}) == 1 and 3 <= len(rows[0]) <= _MOST_APART:
            return from_rows(rows)
    return None


def _likest(gold: Sheet, tables: Sequence[Table]) -> Table:
    whole = " ".join(text for line in gold.texts for text in line)
    texts = [" ".join(cell.text for cell in table.cells) for table in tables]
    return tables[int(shared_tokens([whole], texts)[0].argmax())]


def _compared(gold: Sheet, pred: Sheet) -> Fidelity:
    if gold.texts == pred.texts:
        return Fidelity(1.0, 1.0, ())
    if not pred.n_rows:
        return Fidelity(0.0, 1.0, (Loss("lost_value", None, None, "", "", 1.0),))
    if not gold.n_rows:
        return Fidelity(1.0, 0.0, (Loss("invented", None, None, "", "", 1.0),))
    gold = with_spans_restored(gold)
    headers = headers_of(gold)
    pred, alignment = put_together(gold, headers.header_rows, pred, align(gold, pred))
    found = find_values(gold, headers, pred, alignment)
    associations = Associations(gold, headers, pred, alignment)
    losses = [loss for value in found for loss in _losses(value, len(found), associations)]
    if not found:
        losses = _unread(gold, pred)
    invented = _invented(found, associations)
    recall = 1.0 - math.fsum(loss.weight for loss in losses)
    precision = 1.0 - math.fsum(loss.weight for loss in invented)
    merged = sorted(_merged([*losses, *invented]), key=lambda loss: -loss.weight)
    return Fidelity(max(recall, 0.0), max(precision, 0.0), tuple(merged))


def _unread(gold: Sheet, pred: Sheet) -> list[Loss]:
    """The texts of a gold table of headings alone that the prediction has nowhere."""
    places = {text: (row, col) for row, line in enumerate(gold.texts) for col, text in enumerate(line) if text}
    there = {text for line in pred.texts for text in line}
    return [
        Loss("lost_value", (gold.rows[row], gold.cols[col]), None, text, "", 1 / len(places))
        for text, (row, col) in places.items()
        if text not in there
    ]


def _losses(value: Found, count: int, associations: Associations) -> Iterable[Loss]:
    """What one of ``count`` values has lost: itself, the way from its row, the way from its column."""
    gold, pred, place = associations.gold, associations.pred, value.place
    at_gold = (gold.rows[value.row], gold.cols[value.col])
    at_pred = None if place is None else (pred.rows[place[0]], pred.cols[place[1]])
    text = "" if place is None else pred.texts[place[0]][place[1]]
    if value.kept < 1.0:
        yield Loss(_OF_VALUE[value.how], at_gold, at_pred, value.text, text, (1.0 - value.kept) / count)
    if place is None or not value.kept:
        return
    shared = value.how == "fused"
    row = associations.row_at(value.row, place[0], shared=shared)
    by_row = _WITHOUT_HEADER + (1 - _WITHOUT_HEADER) * row.kept
    if row.kept < 1.0:
        at = (gold.rows[value.row], gold.cols[0])
        yield Loss(_OF_ROW[row.fault], at, None, *_words(row), value.kept * (1 - by_row) / count)
    if value.how == "misplaced":
        yield Loss("misplaced", at_gold, at_pred, value.text, text, value.kept * by_row * (1 - _WITHOUT_HEADER) / count)
        return
    column = associations.column_at(value.col, place[1], shared=shared)
    by_column = _WITHOUT_HEADER + (1 - _WITHOUT_HEADER) * column.kept
    if column.kept < 1.0:
        at = (gold.rows[0], gold.cols[value.col])
        weight = value.kept * by_row * (1 - by_column) / count
        yield Loss(_OF_COLUMN[column.fault], at, None, *_words(column), weight)


def _words(association: Association) -> tuple[str, str]:
    return " > ".join(association.gold), " > ".join(association.pred)


def _merged(losses: Iterable[Loss]) -> list[Loss]:
    """Losses of one header, which come from each of its values, as one."""
    weights: dict[tuple[object, ...], tuple[Loss, float]] = {}
    for loss in losses:
        key = (loss.kind, loss.gold, loss.pred, loss.gold_text, loss.pred_text)
        weights[key] = (loss, weights.get(key, (loss, 0.0))[1] + loss.weight)
    return [
        Loss(loss.kind, loss.gold, loss.pred, loss.gold_text, loss.pred_text, weight)
        for loss, weight in weights.values()
    ]


def _invented(found: Sequence[Found], associations: Associations) -> list[Loss]:
    """The cells of the prediction that stand for nothing in gold."""
    gold, headers, pred, alignment = (
        associations.gold,
        associations.headers,
        associations.pred,
        associations.alignment,
    )
    row_of = {row: line for line, row in enumerate(alignment.rows) if row >= 0}
    col_of = {col: line for line, col in enumerate(alignment.cols) if col >= 0}
    used = {pred.owners[value.place[0]][value.place[1]] for value in found if value.place is not None}
    weights: dict[int, tuple[float, Position]] = {}
    for row in range(associations.first_body_row, pred.n_rows):
        line = row_of.get(row, -1)
        if 0 <= line < headers.header_rows or (line >= 0 and headers.is_section[line]):
            continue
        for col in range(pred.n_cols):
            owner = pred.owners[row][col]
            if owner in used or owner in weights or not pred.said(row, col):
                continue
            at = col_of.get(col, -1)
            if line >= 0 and at >= 0 and (at < headers.label_cols or gold.said(line, at)):
                continue
            weights[owner] = (_invention_weight(associations, row, col, line), (row, col))
    total = sum(value.place is not None for value in found) + math.fsum(weight for weight, _ in weights.values())
    return [
        Loss("invented", None, (pred.rows[row], pred.cols[col]), "", pred.texts[row][col], weight / total)
        for weight, (row, col) in weights.values()
    ]


def _invention_weight(associations: Associations, row: int, col: int, line: int) -> float:
    text = associations.pred.texts[row][col]
    if (line < 0 and associations.pred.only_text(row)) or col in associations.label_cols:
        return _REPEATED
    return _REPEATED if associations.repeats(text) else 1.0
