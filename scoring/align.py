"""Which gold row and column each predicted row and column stands for."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

from scoring.schema import Column, TableType, bind, header_text
from scoring.table import Table
from scoring.text import fold, similarity, whitespace
from scoring.values import PLAIN, Value, is_null, read

# A pair of rows that is less similar is no match: the gold row is missed, the predicted one extra.
LEAST_SIMILARITY = 0.3
# A predicted row that has a twin, or that its key did not match, must earn its match by more.
LEAST_SIMILARITY_OF_DOUBTFUL = 0.5
# From here on leading rows without a mark are taken for the header rows of the other table.
LEAST_SIMILARITY_OF_HEADERS = 0.8
# The first characters tell rows apart; whole long texts would cost time and hardly change a match.
COMPARED_CHARACTERS = 200
# Larger problems are cut into slices of that many rows, so that time grows with the table, not its square.
LARGEST_ASSIGNMENT = 2000

Pairs = tuple[tuple[int, int], ...]
Texts = tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Alignment:
    """Pairs of (gold, pred) rows and columns in grid numbers; every row stands in exactly one place.

    ``rows`` holds header rows (the first ``gold_header`` and ``pred_header`` of each table) and data
    rows. ``missed`` are gold rows without a match; ``extra`` predicted rows without one, except
    ``duplicates``, whose text equals that of a matched predicted row. ``gold_columns`` and
    ``pred_columns`` tell the schema column of each grid column. ``how`` says in words what decided.
    The texts are those that were compared: one tuple per data row, one text per pair of columns.
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
    weights: tuple[float, ...]

    @property
    def data_rows(self) -> Pairs:
        """The pairs of data rows."""
        return tuple(pair for pair in self.rows if pair[0] >= self.gold_header)

    @cached_property
    def similarity(self) -> NDArray[np.float64]:
        """Similarity 0..1 of every gold data row with every predicted one; read-only, made on demand."""
        found = row_similarity(self.gold_texts, self.pred_texts, self.weights)
        found.flags.writeable = False
        return found


def align(gold: Table, pred: Table, *, table_type: TableType | None = None) -> Alignment:
    """Match the rows and columns of a predicted table to those of gold; never raises, always the same.

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

    **Similarity** of two rows is the mean over the column pairs, by column weight, of the squared
    normalised Levenshtein similarity of their normalised texts, of which the first 200 characters
    count. It is squared because any two amounts share some digits. Cells that are empty on both
    sides do not count. At equal sums the assignment with the smallest differences of the row
    numbers wins, then the one with earlier rows. More than 2,000 rows without an equal partner are
    matched slice by slice.
    """
    gold_header, pred_header = _header_rows(gold, pred)
    gold_columns = _bound(gold, table_type, gold_header)
    pred_columns = _bound(pred, table_type, pred_header)
    cols = _columns(gold, pred, gold_header, pred_header, gold_columns, pred_columns)
    columns = [column_of(table_type, gold_columns[g], pred_columns[p]) for g, p in cols]
    gold_texts = _texts(gold, gold_header, [g for g, _ in cols], columns)
    pred_texts = _texts(pred, pred_header, [p for _, p in cols], columns)
    weights = tuple(column.weight for column in columns)
    keys = _keys(table_type, columns)
    if table_type is not None and table_type.form and gold_texts and pred_texts:
        every = row_similarity(gold_texts, pred_texts, weights)
        pairs, how = _assignment(every, np.zeros(every.shape[1])), "the one row of a form"
    elif not cols and (gold.n_cols or pred.n_cols):
        pairs, how = [], "no column in common"
    elif keys:
        pairs = _by_key(gold_texts, pred_texts, weights, keys, columns)
        how = "by " + " and ".join(columns[at].shown for at in keys)
    else:
        pairs, how = _by_content(gold_texts, pred_texts, weights), "by content"
    header = [(row, row) for row in range(min(gold_header, pred_header))]
    rows = sorted([*header, *((g + gold_header, p + pred_header) for g, p in pairs)])
    matched = {p for _, p in pairs}
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
        how=how,
        gold_texts=gold_texts,
        pred_texts=pred_texts,
        weights=weights,
    )


def column_of(table_type: TableType | None, gold_column: int | None, pred_column: int | None) -> Column:
    """The schema column of a pair of columns, gold's first; plain text where neither has one."""
    at = pred_column if gold_column is None else gold_column
    return PLAIN if table_type is None or at is None else table_type.columns[at]


def row_similarity(gold: Texts, pred: Texts, weights: Sequence[float]) -> NDArray[np.float64]:
    """Similarity 0..1 of every gold row with every predicted row; see ``align`` for the formula."""
    total = np.zeros((len(gold), len(pred)))
    weight = np.zeros((len(gold), len(pred)))
    for col, share in enumerate(weights):
        gold_text, gold_at = _unique([row[col] for row in gold])
        pred_text, pred_at = _unique([row[col] for row in pred])
        found = cdist(gold_text, pred_text, scorer=Levenshtein.normalized_similarity, dtype=np.float32)
        counts = ~np.logical_and.outer([not text for text in gold_text], [not text for text in pred_text])
        total += share * (found * found * counts)[np.ix_(gold_at, pred_at)]
        weight += share * counts[np.ix_(gold_at, pred_at)]
    result: NDArray[np.float64] = np.divide(total, weight, out=np.ones_like(total), where=weight > 0)
    # Rounding makes sums of equal parts equal, whatever their order.
    return np.round(result, 6)


def _header_rows(gold: Table, pred: Table) -> tuple[int, int]:
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


def _columns(
    gold: Table,
    pred: Table,
    gold_header: int,
    pred_header: int,
    gold_columns: tuple[int | None, ...],
    pred_columns: tuple[int | None, ...],
) -> list[tuple[int, int]]:
    at = {column: col for col, column in enumerate(pred_columns) if column is not None}
    pairs = [(col, at[column]) for col, column in enumerate(gold_columns) if column is not None and column in at]
    by_text: dict[str, list[int]] = defaultdict(list)
    for col in _rest(pred.n_cols, [p for _, p in pairs]):
        by_text[fold(header_text(pred, col, pred_header))].append(col)
    for col in _rest(gold.n_cols, [g for g, _ in pairs]):
        text = fold(header_text(gold, col, gold_header))
        if text and by_text[text]:
            pairs.append((col, by_text[text].pop(0)))
    gold_rest = _rest(gold.n_cols, [g for g, _ in pairs])
    pred_rest = _rest(pred.n_cols, [p for _, p in pairs])
    if len(gold_rest) == len(pred_rest):
        pairs += zip(gold_rest, pred_rest, strict=True)
    elif gold_rest and pred_rest:
        pred_contents = _contents(pred, pred_header, pred_rest)
        common = np.array(
            [[_common(texts, other) for other in pred_contents] for texts in _contents(gold, gold_header, gold_rest)]
        )
        least = np.full(len(pred_rest), 1e-6)
        pairs += [(gold_rest[g], pred_rest[p]) for g, p in _assignment(common, least)]
    return sorted(pairs)


def _rest(count: int, taken: Iterable[int]) -> list[int]:
    gone = set(taken)
    return [at for at in range(count) if at not in gone]


def _contents(table: Table, header_rows: int, cols: Sequence[int]) -> list[Counter[str]]:
    rows = range(header_rows, table.n_rows)
    return [Counter(text for row in rows if (text := whitespace(table.text_at(row, col)))) for col in cols]


def _common(gold: Counter[str], pred: Counter[str]) -> float:
    most = max(gold.total(), pred.total())
    return (gold & pred).total() / most if most else 0.0


def _texts(table: Table, header_rows: int, cols: Sequence[int], columns: Sequence[Column]) -> Texts:
    def text(row: int, col: int, column: Column) -> str:
        found = table.text_at(row, col)
        return "" if is_null(found, column) else whitespace(found)[:COMPARED_CHARACTERS]

    return tuple(
        tuple(text(row, col, column) for col, column in zip(cols, columns, strict=True))
        for row in range(header_rows, table.n_rows)
    )


def _keys(table_type: TableType | None, columns: Sequence[Column]) -> list[int]:
    """The column pairs that make up the key; empty unless both tables have all key columns."""
    wanted = [column for column in table_type.columns if column.key] if table_type else []
    found = [at for at, column in enumerate(columns) if column.key]
    return found if len(found) == len(wanted) else []


def _by_key(
    gold: Texts, pred: Texts, weights: Sequence[float], keys: Sequence[int], columns: Sequence[Column]
) -> list[tuple[int, int]]:
    gold_by_key, pred_by_key = _grouped(gold, keys, columns), _grouped(pred, keys, columns)
    pairs: list[tuple[int, int]] = []
    for key, gold_at in gold_by_key.items():
        pred_at = pred_by_key.get(key, [])
        if len(gold_at) == len(pred_at) == 1:
            pairs.append((gold_at[0], pred_at[0]))
        elif pred_at:
            pairs += _matched(gold, pred, weights, gold_at, pred_at, least=0.0)
    gold_rest = _rest(len(gold), [g for g, _ in pairs])
    seen = {pred[p] for _, p in pairs}
    pred_rest = [p for p in _rest(len(pred), [p for _, p in pairs]) if pred[p] not in seen]
    return pairs + _matched(gold, pred, weights, gold_rest, pred_rest, least=LEAST_SIMILARITY_OF_DOUBTFUL)


def _grouped(texts: Texts, keys: Sequence[int], columns: Sequence[Column]) -> dict[tuple[Any, ...], list[int]]:
    groups: dict[tuple[Any, ...], list[int]] = defaultdict(list)
    for at, row in enumerate(texts):
        values: list[Value] = [read(row[key], columns[key]) for key in keys]
        if all(value.kind != "null" for value in values):
            groups[tuple((value.kind, value.value) for value in values)].append(at)
    return groups


def _by_content(gold: Texts, pred: Texts, weights: Sequence[float]) -> list[tuple[int, int]]:
    waiting: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for at in reversed(range(len(pred))):
        waiting[pred[at]].append(at)
    pairs = []
    for at, row in enumerate(gold):
        if waiting.get(row):
            pairs.append((at, waiting[row].pop()))
    gold_rest = _rest(len(gold), [g for g, _ in pairs])
    pred_rest = _rest(len(pred), [p for _, p in pairs])
    return pairs + _matched(gold, pred, weights, gold_rest, pred_rest, least=LEAST_SIMILARITY)


def _matched(
    gold: Texts,
    pred: Texts,
    weights: Sequence[float],
    gold_at: Sequence[int],
    pred_at: Sequence[int],
    *,
    least: float,
) -> list[tuple[int, int]]:
    """The best pairs between some gold and some predicted rows, in slices where there are very many."""
    twins = Counter(pred)
    slices = -(-max(len(gold_at), len(pred_at)) // LARGEST_ASSIGNMENT)
    pairs = []
    for piece in range(slices):
        gold_piece, pred_piece = _slice(gold_at, piece, slices), _slice(pred_at, piece, slices)
        if not gold_piece or not pred_piece:
            continue
        found = row_similarity(tuple(gold[at] for at in gold_piece), tuple(pred[at] for at in pred_piece), weights)
        needed = [
            max(least, LEAST_SIMILARITY_OF_DOUBTFUL) if least and twins[pred[at]] > 1 else least for at in pred_piece
        ]
        moved = np.subtract.outer(np.array(gold_piece, float), np.array(pred_piece, float))
        pairs += [(gold_piece[g], pred_piece[p]) for g, p in _assignment(found, np.array(needed), moved)]
    return pairs


def _slice(rows: Sequence[int], piece: int, slices: int) -> Sequence[int]:
    return rows[len(rows) * piece // slices : len(rows) * (piece + 1) // slices]


def _assignment(
    similarity: NDArray[np.float64], least: NDArray[np.float64], moved: NDArray[np.float64] | None = None
) -> list[tuple[int, int]]:
    """The pairs with the largest sum of similarities, each of at least ``least`` of its column.

    At equal sums the pairs with the smallest ``moved`` (how far apart the rows stand), then the earlier ones.
    """
    if not similarity.size:
        return []
    # Imported here: it takes longer to load than most tables take to score.
    from scipy.optimize import linear_sum_assignment

    n_gold, n_pred = similarity.shape
    if moved is None:
        moved = np.subtract.outer(np.arange(n_gold, dtype=float), np.arange(n_pred, dtype=float))
    allowed = similarity >= least
    # Similarities are whole millionths; all bonuses together stay below one of them. The squares
    # prefer two small moves to one large one, which keeps the order.
    bonus = 2e-7 / max(n_gold, n_pred)
    nearness = 1 - (moved / max(1.0, float(np.abs(moved).max()))) ** 2
    earliness = 1 - np.add.outer(np.arange(n_gold), np.arange(n_pred)) / (n_gold + n_pred)
    worth = np.where(allowed, similarity + bonus * (1 + nearness + 1e-4 * earliness), 0.0)
    gold_at, pred_at = linear_sum_assignment(worth, maximize=True)
    return [(int(g), int(p)) for g, p in zip(gold_at, pred_at, strict=True) if allowed[g, p]]


def _unique(texts: Sequence[str]) -> tuple[list[str], list[int]]:
    index: dict[str, int] = {}
    at = [index.setdefault(text, len(index)) for text in texts]
    return list(index), at
