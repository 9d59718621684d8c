"""Causes of error that show in a table as a whole: another table, moved columns, the header."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from scoring.alignment.align import Alignment
from scoring.diagnosis.finding import CauseFinding, CauseLabel, CauseThresholds, Compared, quoted, row_text, values_in
from scoring.schema import header_text
from scoring.table import Table
from scoring.text import fold

# A column of one value tells nothing about where columns went.
_LEAST_TEXTS_OF_COLUMN = 2


@dataclass(frozen=True)
class MovedColumns:
    """Gold columns whose contents stand elsewhere.

    ``places`` is the predicted column that takes the part of each matched gold column; ``columns``
    are the gold columns that were found at another place. The rest of those that changed place only
    made room.
    """

    places: Mapping[int, int]
    columns: tuple[int, ...]


def missed_table(gold: Table, *, first_row: int) -> CauseFinding:
    """The finding where there is no predicted table, or one without any text; values count from ``first_row`` on."""
    rows = tuple(range(gold.n_rows))
    cells = sum(values_in(gold, row) for row in rows[first_row:])
    said = f"the table of {gold.n_rows} rows that begins with {_first_row(gold)} was not extracted"
    return CauseFinding("missed_table", said, gold_rows=rows, cells=cells)


def other_table(
    gold: Table, pred: Table, others: Sequence[Table], thresholds: CauseThresholds
) -> tuple[CauseLabel, int] | None:
    """The label and the index of the gold table that the prediction shows instead of its own.

    The other table must hold at least ``other_table`` of the predicted texts, and the own one less
    than ``own_table`` of those that not both hold, which must be half of them at least.
    "wrong_page" where the boxes of both gold tables name pages and have none in common, else
    "wrong_table"; None where the prediction shows its own table, or none well enough.
    """
    predicted = _texts(pred)
    if not predicted:
        return None
    own = _texts(gold)
    found = []
    for at, table in enumerate(others):
        other = _texts(table)
        share = (predicted & other).total() / predicted.total()
        # What both gold tables hold, such as units, does not tell which of them is meant.
        telling = predicted.total() - (predicted & own & other).total()
        own_telling = (predicted & own).total() - (predicted & own & other).total()
        enough = share >= thresholds.other_table and 2 * telling >= predicted.total()
        if enough and own_telling < thresholds.own_table * telling:
            found.append((-share, at))
    if not found:
        return None
    _, best = min(found)
    own_pages, other_pages = _pages(gold), _pages(others[best])
    elsewhere = bool(own_pages and other_pages and not own_pages & other_pages)
    return ("wrong_page" if elsewhere else "wrong_table"), best


def moved_columns(pred: Table, alignment: Alignment, thresholds: CauseThresholds) -> MovedColumns | None:
    """The columns whose contents stand at the place of others; None where there are none.

    Column contents are compared as bags of texts. Of the assignment of contents with the most texts
    in common, a column has moved where at least ``column_there`` of its texts stand at the other
    place and less than ``column_here`` at its own; all moves together must gain more than
    ``column_gain``. A column whose place is taken gets one that is left free. Tables with merged
    data cells over several columns are left as they are.
    """
    lanes = alignment.cols
    rows = range(alignment.pred_header, pred.n_rows)
    if any(cell.col_span > 1 and cell.row in rows for cell in pred.cells):
        return None
    gold_bags = [Counter(filter(None, (row[lane] for row in alignment.gold_texts))) for lane in range(len(lanes))]
    pred_bags = [Counter(filter(None, (row[lane] for row in alignment.pred_texts))) for lane in range(len(lanes))]
    here = [_common(one, other) for one, other in zip(gold_bags, pred_bags, strict=True)]
    if not any(
        share < thresholds.column_here and bag.total() >= _LEAST_TEXTS_OF_COLUMN
        for share, bag in zip(here, gold_bags, strict=True)
    ):
        return None
    # Imported here: it takes longer to load than most tables take to score.
    from scipy.optimize import linear_sum_assignment

    common = np.array([[_common(one, other) for other in pred_bags] for one in gold_bags])
    _, best = linear_sum_assignment(common, maximize=True)
    moves = {
        lane: int(to)
        for lane, to in enumerate(best)
        if to != lane
        and common[lane, to] >= thresholds.column_there
        and here[lane] < thresholds.column_here
        and gold_bags[lane].total() >= _LEAST_TEXTS_OF_COLUMN
    }
    if sum(common[lane, to] - here[lane] for lane, to in moves.items()) <= thresholds.column_gain:
        return None
    taken = set(moves.values())
    stays = set(range(len(lanes))) - taken - set(moves)
    free = iter(sorted(set(range(len(lanes))) - taken - stays))
    places = {
        lane: lane if lane in stays else moves[lane] if lane in moves else next(free) for lane in range(len(lanes))
    }
    return MovedColumns(
        {lanes[lane][0]: lanes[to][1] for lane, to in places.items()}, tuple(lanes[lane][0] for lane in moves)
    )


def put_back(pred: Table, alignment: Alignment, moved: MovedColumns) -> tuple[Table, list[int]]:
    """The prediction with its data columns where gold has them, and where each of its columns stood."""
    own = dict(alignment.cols)
    goes_to = {stood: own[col] for col, stood in moved.places.items()}
    cells = tuple(
        cell if cell.row < alignment.pred_header else replace(cell, col=goes_to.get(cell.col, cell.col))
        for cell in pred.cells
    )
    stood = list(range(pred.n_cols))
    for at, to in goes_to.items():
        stood[to] = at
    return Table(pred.n_rows, pred.n_cols, cells), stood


def column_findings(
    gold: Table, alignment: Alignment, moved: MovedColumns
) -> Iterator[tuple[CauseLabel, str, tuple[int, ...]]]:
    """Label, explanation and gold columns of each swap and of each run of columns shifted alike."""
    own = dict(alignment.cols)
    waiting = list(moved.columns)
    while waiting:
        col = waiting.pop(0)
        other = next((c for c in waiting if moved.places[c] == own[col] and moved.places[col] == own[c]), None)
        if other is not None:
            waiting.remove(other)
            names = f"{_name(gold, alignment, col)} and {_name(gold, alignment, other)}"
            yield "swapped_columns", f"the contents of {names} are swapped", (col, other)
            continue
        by = moved.places[col] - own[col]
        run = [col]
        while waiting and moved.places[waiting[0]] - own[waiting[0]] == by:
            run.append(waiting.pop(0))
        names = " and ".join(_name(gold, alignment, col) for col in run)
        said = f"{abs(by)} column{'s' * (abs(by) > 1)} too far {'right' if by > 0 else 'left'}"
        yield "shifted_column", f"the contents of {names} stand {said}", tuple(run)


def header_findings(compared: Compared) -> Iterator[CauseFinding]:
    """Header texts that differ, and header rows that only one of the tables has."""
    alignment = compared.alignment
    gold_header, pred_header = alignment.gold_header, alignment.pred_header
    for at, told in enumerate(compared.differences):
        in_gold = told.gold_row is not None and told.gold_row < gold_header
        in_pred = told.pred_row is not None and told.pred_row < pred_header
        if not (in_gold or in_pred) or told.kind in ("formatting_only", "span"):
            continue
        if told.kind == "missed_row" and told.gold_row is not None:
            said = f"the header row {row_text(compared.gold, told.gold_row)} was not extracted"
            yield compared.finding("header_mismatch", said, [at], gold_rows=[told.gold_row])
        elif told.gold_col is None and told.pred_col is None and told.pred_row is not None:
            said = f"{row_text(compared.pred, told.pred_row)} is no header row in gold"
            yield compared.finding("header_mismatch", said, [at], pred_rows=[told.pred_row])
        elif told.gold_col is not None and told.pred_col is not None:
            said = f"the header {quoted(told.gold)} was read as {quoted(told.pred)}"
            yield compared.finding("header_mismatch", said, [at])
    if compared.table_type is not None and gold_header and pred_header:
        yield from _typed_headers(compared)


def _typed_headers(compared: Compared) -> Iterator[CauseFinding]:
    # Header rows of a typed table are not scored, so that there is no difference to explain.
    alignment = compared.alignment
    for gold_col, pred_col in alignment.cols:
        gold_text = header_text(compared.gold, gold_col, alignment.gold_header)
        pred_text = header_text(compared.pred, pred_col, alignment.pred_header)
        names = {fold(name) for name in (gold_text, *compared.columns[gold_col].names)}
        if fold(pred_text) not in names:
            yield CauseFinding(
                "header_mismatch",
                f"the header {quoted(gold_text)} was read as {quoted(pred_text)}",
                gold_cells=((0, gold_col),),
                pred_cells=((0, compared.pred_cols[pred_col]),),
                cells=1,
            )


def _texts(table: Table) -> Counter[str]:
    """The texts of the data cells, or of all cells where the table has no data rows."""
    first = table.header_rows if table.header_rows < table.n_rows else 0
    return Counter(text for cell in table.cells if cell.row >= first and (text := fold(cell.text)))


def _pages(table: Table) -> set[int]:
    return {cell.box.page for cell in table.cells if cell.box is not None}


def _common(one: Counter[str], other: Counter[str]) -> float:
    most = max(one.total(), other.total())
    return (one & other).total() / most if most else 0.0


def _name(gold: Table, alignment: Alignment, col: int) -> str:
    text = header_text(gold, col, alignment.gold_header)
    return quoted(text) if text.strip() else f"column {col + 1}"


def _first_row(table: Table) -> str:
    return next((row_text(table, row) for row in range(table.n_rows) if values_in(table, row)), "an empty row")
