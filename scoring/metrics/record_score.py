"""Rows as records: cells found by the name of their column, whatever the order of rows and columns."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from rapidfuzz.fuzz import ratio

from scoring.alignment.assignment import Floats, best_pairs
from scoring.alignment.row_match import rest
from scoring.metrics.overlap import Overlap
from scoring.reading.html_grid import TooLargeError
from scoring.reading.notation import math
from scoring.table import Table
from scoring.text_pairs import MOST_CHARACTER_PAIRS, expect_few, expect_short

# Names of columns that are less similar mean different columns.
LEAST_SIMILARITY_OF_NAMES = 0.9
# Of two rows that differ somewhere so many pairs are assigned in about two seconds.
_MOST_PAIRS = 4_000_000
_ABSENT = frozenset(("", "-", "nan", "none", "n/a"))
_THOUSANDS = re.compile(r"(?<=[0-9]),(?=[0-9]{3}(?![0-9]))")


@dataclass(frozen=True, slots=True)
class RecordScore:
    """How alike the records of two tables are.

    ``similarity`` is the sum over the matched records, ``gold`` and ``pred`` are the numbers of records.
    ``columns`` are the pairs of (gold, predicted) columns with one name, ``records`` the matched rows, in grid numbers.
    """

    similarity: float
    gold: int
    pred: int
    columns: tuple[tuple[int, int], ...]
    records: tuple[tuple[int, int], ...]

    @property
    def score(self) -> float:
        """similarity / the larger number of records, 0..1; 1 where neither table has a record."""
        most = max(self.gold, self.pred)
        return self.similarity / most if most else 1.0

    @property
    def overlap(self) -> Overlap:
        """The same as precision and recall, which add up; ``score`` is the lower one of the two."""
        return Overlap(self.similarity, self.pred, self.gold, of_nothing=1.0)


def record_score(gold: Table, pred: Table) -> RecordScore:
    """A score like TableRecordMatch of ParseBench (Apache-2.0), written from its description.

    **Names.** Leading rows that hold one text only (a title over all columns, or in the first one with the rest empty)
    are passed over; the last marked header row only if it is merged into one cell. Then come the header rows: those
    that are marked, else the first row with those that its merged cells reach into. The texts above a column are its
    name, joined by a space; where several columns have one name they are numbered ("_0", "_1"), and a column without
    one is "col_" and its number from 0 on.

    **Columns** are matched by the names without case: the assignment with the largest sum of ``fuzz.ratio`` (indel
    similarity), each at least .9.

    **Records** are the other rows that have a text; a merged cell belongs to all of its rows and columns. Two
    records are as alike as the number of matched columns with equal texts (both empty is equal), out of the union of
    all columns. The assignment of records with the largest sum counts.

    **Texts** are compared without notation (``notation.math``: LaTeX, HTML, Markdown, kinds of dashes and spaces,
    leader dots, a space after a currency sign) and without thousands commas; "-", "n/a", "nan" and "none" are empty.

    Raises TooLargeError where more than 2,000 rows of both tables have no equal one.
    """
    one, other = _Records.of(gold), _Records.of(pred)
    columns = _columns(one.names, other.names)
    union = gold.n_cols + pred.n_cols - len(columns)
    lines = [
        [tuple(row[pair[side]] for pair in columns) for row in records.texts]
        for side, records in enumerate((one, other))
    ]
    pairs = _equal(*lines) if columns else []
    gold_rest = rest(len(lines[0]), (g for g, _ in pairs))
    pred_rest = rest(len(lines[1]), (p for _, p in pairs))
    equal = len(pairs) * len(columns)
    if columns and gold_rest and pred_rest:
        common = _common([lines[0][at] for at in gold_rest], [lines[1][at] for at in pred_rest])
        more = best_pairs(common, np.ones(len(pred_rest)))
        equal += sum(int(common[pair]) for pair in more)
        pairs += [(gold_rest[g], pred_rest[p]) for g, p in more]
    return RecordScore(
        equal / union if union else 0.0,
        len(one.rows),
        len(other.rows),
        tuple(columns),
        tuple(sorted((one.rows[g], other.rows[p]) for g, p in pairs)),
    )


def record_text(text: str) -> str:
    """A text as records are compared by; see ``record_score``."""
    text = _THOUSANDS.sub("", math(text))
    return "" if text.casefold() in _ABSENT else text


@dataclass(frozen=True, slots=True)
class _Records:
    """The names of the columns, the rows that are records, and their texts."""

    names: tuple[str, ...]
    rows: tuple[int, ...]
    texts: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, table: Table) -> _Records:
        known: dict[str, str] = {}

        def text(row: int, col: int) -> str:
            found = table.text_at(row, col)
            if found not in known:
                known[found] = record_text(found)
            return known[found]

        grid = [tuple(text(row, col) for col in range(table.n_cols)) for row in range(table.n_rows)]
        titles = _titles(table, grid)
        header = titles + max(table.header_rows - titles, _first_header(table, titles))
        rows = tuple(row for row in range(header, table.n_rows) if any(grid[row]))
        return cls(_names(table, titles, header), rows, tuple(grid[row] for row in rows))


def _titles(table: Table, grid: Sequence[tuple[str, ...]]) -> int:
    """How many leading rows are titles, of which the last row of the table is none."""
    if table.n_cols < 2:
        return 0
    for row, texts in enumerate(grid[:-1]):
        cell = table.at(row, 0)
        merged = cell is not None and cell.col_span == table.n_cols
        alone = row != table.header_rows - 1 and (len(set(texts)) == 1 or not any(texts[1:]))
        if any(texts) and not (texts[0] and (merged or alone)):
            return row
    return max(len(grid) - 1, 0)


def _first_header(table: Table, row: int) -> int:
    cells = [table.at(row, col) for col in range(table.n_cols)]
    return max((cell.row + cell.row_span - row for cell in cells if cell is not None), default=0)


def _names(table: Table, titles: int, header: int) -> tuple[str, ...]:
    names = []
    for col in range(table.n_cols):
        cells = [table.at(row, col) for row in range(titles, header)]
        distinct = {(cell.row, cell.col): record_text(cell.text) for cell in cells if cell is not None}
        names.append(" ".join(filter(None, distinct.values())).lower())
    count, used = Counter(names), defaultdict[str, int](int)
    numbered = []
    for col, name in enumerate(names):
        if not name:
            numbered.append(f"col_{col}")
        elif count[name] == 1:
            numbered.append(name)
        else:
            numbered.append(f"{name}_{used[name]}")
            used[name] += 1
    return tuple(numbered)


def _columns(gold: Sequence[str], pred: Sequence[str]) -> list[tuple[int, int]]:
    expect_few(gold, pred)
    expect_short(gold, pred, most=MOST_CHARACTER_PAIRS)
    alike = np.array([[ratio(one, other) / 100 for other in pred] for one in gold]).reshape(len(gold), len(pred))
    return best_pairs(np.round(alike, 6), np.full(len(pred), LEAST_SIMILARITY_OF_NAMES))


def _equal(gold: Sequence[tuple[str, ...]], pred: Sequence[tuple[str, ...]]) -> list[tuple[int, int]]:
    """Pairs of equal rows in order. No assignment is better without them: the share of different cells is a metric."""
    waiting: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for at in reversed(range(len(pred))):
        waiting[pred[at]].append(at)
    return [(at, waiting[row].pop()) for at, row in enumerate(gold) if waiting.get(row)]


def _common(gold: Sequence[tuple[str, ...]], pred: Sequence[tuple[str, ...]]) -> Floats:
    """The number of equal texts of every gold row and every predicted row."""
    if len(gold) * len(pred) > _MOST_PAIRS:
        raise TooLargeError(
            f"{len(gold):,} gold records and {len(pred):,} predicted ones have no equal one, expected a product of at "
            f"most {_MOST_PAIRS:,}; score the parts of the table on their own"
        )
    common = np.zeros((len(gold), len(pred)))
    for of_gold, of_pred in zip(zip(*gold, strict=True), zip(*pred, strict=True), strict=True):
        numbers: dict[str, int] = {}
        ids = [np.array([numbers.setdefault(text, len(numbers)) for text in lane]) for lane in (of_gold, of_pred)]
        common += np.equal.outer(*ids)
    return common
