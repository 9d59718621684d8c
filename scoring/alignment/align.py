"""Which gold row and column each predicted row and column stands for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from scoring.alignment.column_match import match_columns
from scoring.alignment.embeddings import Embeddings
from scoring.alignment.row_match import Matched, Rows, match_all, match_by_content, match_by_key
from scoring.alignment.row_similarity import RowCost, row_similarity
from scoring.alignment.row_similarity import Texts as Texts
from scoring.schema import Column, TableType, bind
from scoring.table import Table
from scoring.text import fold, similarity, whitespace
from scoring.values.reader import PLAIN, is_null

# A pair of rows that is less similar is no match: the gold row is missed, the predicted one extra.
LEAST_SIMILARITY = 0.3
# A predicted row that has a twin, or that its key did not match, must earn its match by more.
LEAST_SIMILARITY_OF_DOUBTFUL = 0.5
# From here on leading rows without a mark are taken for the header rows of the other table.
LEAST_SIMILARITY_OF_HEADERS = 0.8
# The first characters tell rows apart; whole long texts would cost time and hardly change a match.
COMPARED_CHARACTERS = 200

Pairs = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Alignment:
    """Pairs of (gold, pred) rows and columns in grid numbers; every row stands in exactly one place.

    ``rows`` holds header rows (the first ``gold_header`` and ``pred_header`` of each table) and data
    rows. ``missed`` are gold rows without a match; ``extra`` predicted rows without one, except
    ``duplicates``, whose text equals that of a matched predicted row. ``gold_columns`` and
    ``pred_columns`` tell the schema column of each grid column. ``how`` says in words what decided.
    The texts are those that were compared: one tuple per data row, one text per pair of columns, whose
    columns of the table type are ``columns`` (plain text without one). ``row_cost`` compared them.
    """

    rows: Pairs
    cols: Pairs
    missed: tuple[int, ...]
    extra: tuple[int, ...]
    duplicates: tuple[int, ...]
    gold_header: int
    pred_header: int
    gold_rows: int
    pred_rows: int
    gold_columns: tuple[int | None, ...]
    pred_columns: tuple[int | None, ...]
    how: str
    gold_texts: Texts
    pred_texts: Texts
    columns: tuple[Column, ...]
    row_cost: RowCost

    @property
    def data_rows(self) -> Pairs:
        """The pairs of data rows."""
        return tuple(pair for pair in self.rows if pair[0] >= self.gold_header)

    @cached_property
    def similarity(self) -> NDArray[np.float64]:
        """Similarity 0..1 of every gold data row with every predicted one by the row cost; read-only, made on demand.

        Gold data rows x predicted data rows, counted from the first one after the header. See
        ``row_similarity``, also for the time that large tables take.
        """
        found = row_similarity(self.gold_texts, self.pred_texts, self.columns, cost=self.row_cost)
        found.flags.writeable = False
        return found

    @cached_property
    def matching(self) -> NDArray[np.bool_]:
        """Which entries of ``similarity`` were chosen: True at most once in each row and column; read-only."""
        chosen = np.zeros((len(self.gold_texts), len(self.pred_texts)), np.bool_)
        for gold, pred in self.data_rows:
            chosen[gold - self.gold_header, pred - self.pred_header] = True
        chosen.flags.writeable = False
        return chosen


def align(
    gold: Table, pred: Table, *, table_type: TableType | None = None, row_cost: RowCost = "levenshtein"
) -> Alignment:
    """Match the rows and columns of a predicted table to those of gold; always the same for the same tables.

    **Columns.** With a table type, columns bound to the same schema column are a pair. Of the rest,
    columns with equal header text are a pair (in order where several have it), then those left
    over: by their order where both tables have as many, else by the assignment with most texts in
    common, where columns without a common text stay alone.

    **Header rows** are matched by their index. Where only one table marks header rows, leading rows
    of the other are header rows as long as they are similar to them (.8).

    **Data rows** of a form are matched in any case. Where the table type has key columns and both
    tables have them, rows with equal keys are a pair; where several rows share a key, the most
    similar ones, at equal similarity in order. Rows that are left over (their key empty, misread or
    shared by too many) then match by content from a similarity of .5 on, except predicted rows
    that repeat a matched one. Without keys content decides alone: rows with equal texts in order,
    then the assignment with the largest sum of similarities of at least .3 (.5 for a predicted row
    that has a twin, so that a duplicate does not take the place of a missed row).

    **Similarity** of two rows is by the row cost. With "levenshtein" it is the mean over the column
    pairs, by column weight, of the squared normalised Levenshtein similarity of their normalised
    texts. It is squared because any two amounts share some digits. With "cells" it is the share of
    equal values by column weight, with ``Embeddings`` what the caller's model says of the texts.
    Cells that are empty on both sides do not count, and of long texts only the first 200 characters.
    At equal sums the assignment with the smallest differences of the row numbers wins, then the one
    with earlier rows.

    **Large tables.** Where more than 2,000 rows have no equal partner, rows are compared only with
    those that share values or parts of them (``blocking``), and ``how`` says so.

    Raises EmbeddingError where the row cost is ``Embeddings`` and a column is not of text, or the
    model answers wrongly; never else.
    """
    if isinstance(row_cost, Embeddings):
        row_cost.expect_text(table_type)
    gold_header, pred_header = header_rows(gold, pred)
    gold_columns = _bound(gold, table_type, gold_header)
    pred_columns = _bound(pred, table_type, pred_header)
    cols = match_columns(gold, pred, gold_header, pred_header, gold_columns, pred_columns)
    columns = tuple(column_of(table_type, gold_columns[g], pred_columns[p]) for g, p in cols)
    gold_texts = _texts(gold, gold_header, [g for g, _ in cols], columns)
    pred_texts = _texts(pred, pred_header, [p for _, p in cols], columns)
    data = Rows(gold_texts, pred_texts, columns, row_cost, LEAST_SIMILARITY, LEAST_SIMILARITY_OF_DOUBTFUL)
    keys = _keys(table_type, columns)
    if table_type is not None and table_type.form and gold_texts and pred_texts:
        found, how = match_all(data), "the one row of a form"
    elif not cols and (gold.n_cols or pred.n_cols):
        found, how = Matched(()), "no column in common"
    elif keys:
        found, how = match_by_key(data, keys), "by " + " and ".join(columns[at].shown for at in keys)
    else:
        found, how = match_by_content(data), "by content"
    header = [(row, row) for row in range(min(gold_header, pred_header))]
    rows = sorted([*header, *((g + gold_header, p + pred_header) for g, p in found.pairs)])
    matched = {p for _, p in found.pairs}
    seen = {pred_texts[p] for p in matched}
    duplicates = tuple(
        p + pred_header for p, texts in enumerate(pred_texts) if p not in matched and texts in seen and any(texts)
    )
    taken_gold, taken_pred = {g for g, _ in rows}, {p for _, p in rows} | set(duplicates)
    return Alignment(
        rows=tuple(rows),
        cols=tuple(cols),
        missed=tuple(row for row in range(gold.n_rows) if row not in taken_gold),
        extra=tuple(row for row in range(pred.n_rows) if row not in taken_pred),
        duplicates=duplicates,
        gold_header=gold_header,
        pred_header=pred_header,
        gold_rows=gold.n_rows,
        pred_rows=pred.n_rows,
        gold_columns=gold_columns,
        pred_columns=pred_columns,
        how=how + found.how,
        gold_texts=gold_texts,
        pred_texts=pred_texts,
        columns=columns,
        row_cost=row_cost,
    )


def column_of(table_type: TableType | None, gold_column: int | None, pred_column: int | None) -> Column:
    """The schema column of a pair of columns, gold's first; plain text where neither has one."""
    at = pred_column if gold_column is None else gold_column
    return PLAIN if table_type is None or at is None else table_type.columns[at]


def header_rows(gold: Table, pred: Table) -> tuple[int, int]:
    """The numbers of header rows of both tables: marked ones, or leading ones that are like those of the other."""
    gold_header, pred_header = gold.header_rows, pred.header_rows
    if gold_header and not pred_header:
        return gold_header, _unmarked_header(gold, gold_header, pred)
    if pred_header and not gold_header:
        return _unmarked_header(pred, pred_header, gold), pred_header
    return gold_header, pred_header


def _unmarked_header(marked: Table, header_rows: int, other: Table) -> int:
    for row in range(header_rows):
        if row >= other.n_rows or similarity(_line(marked, row), _line(other, row)) < LEAST_SIMILARITY_OF_HEADERS:
            return row
    return header_rows


def _line(table: Table, row: int) -> str:
    return "\t".join(fold(table.text_at(row, col))[:COMPARED_CHARACTERS] for col in range(table.n_cols))


def _bound(table: Table, table_type: TableType | None, header_rows: int) -> tuple[int | None, ...]:
    if table_type is None:
        return (None,) * table.n_cols
    return bind(table, table_type, header_rows=header_rows).columns


def _texts(table: Table, header_rows: int, cols: Sequence[int], columns: Sequence[Column]) -> Texts:
    grid, rows = table.grid, range(header_rows, table.n_rows)
    lanes = (
        [_compared(cell.text, column) if (cell := grid.get((row, col))) else "" for row in rows]
        for col, column in zip(cols, columns, strict=True)
    )
    return tuple(zip(*lanes, strict=True)) if cols else ((),) * max(0, table.n_rows - header_rows)


# A table is aligned again after each edit of it, and most of its texts are as they were.
@lru_cache(maxsize=65_536)
def _compared(text: str, column: Column) -> str:
    return "" if is_null(text, column) else whitespace(text)[:COMPARED_CHARACTERS]


def _keys(table_type: TableType | None, columns: Sequence[Column]) -> list[int]:
    """The column pairs that make up the key; empty unless both tables have all key columns."""
    wanted = [column for column in table_type.columns if column.key] if table_type else []
    found = [at for at, column in enumerate(columns) if column.key]
    return found if len(found) == len(wanted) else []
