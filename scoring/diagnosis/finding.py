"""What a cause of error is: its label, its evidence, and the pair of tables that it is looked for in."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, Literal, get_args

from scoring.alignment.align import Alignment, column_of
from scoring.differences import Difference
from scoring.schema import TableType
from scoring.shown import cut, escaped
from scoring.table import Table
from scoring.text import fold
from scoring.values.columns import NUMBERS, Column
from scoring.values.reader import PLAIN, Value, read, same

CauseLabel = Literal[
    "missed_table",
    "wrong_page",
    "wrong_table",
    "header_mismatch",
    "header_as_row",
    "swapped_columns",
    "shifted_column",
    "row_shift",
    "merged_rows",
    "split_row",
    "duplicated_row",
    "hallucinated_row",
    "extra_row",
    "missed_row",
    "wrong_span",
    "missing_value",
    "spurious_value",
    "formatting_only",
    "sign_error",
    "magnitude",
    "truncated",
    "overrun",
    "ocr_confusion",
    "wrong_column_same_row",
    "wrong_row_same_column",
    "ocr_edit",
    "hallucinated",
    "wrong_value",
    "unsupported_unknown",
]
CAUSE_LABELS: tuple[CauseLabel, ...] = get_args(CauseLabel)

Places = tuple[tuple[int, int], ...]
# A longer text is cut in an explanation.
_SHOWN_CHARACTERS = 60


@dataclass(frozen=True, slots=True)
class CauseThresholds:
    """From where on a rule holds; shares and similarities are 0..1.

    ``other_table`` and ``own_table``: share of predicted cells that another gold table explains at
    least, and its own at most. ``header_row``: similarity of a row to the header. ``column_there``,
    ``column_here``: share of a column's texts found at another place at least, at its own place
    less; ``column_gain``: what moving all such columns must gain together, more than. ``row_bag``:
    share of a row's cells that stand elsewhere in the row. ``joined``: similarity of rows put
    together with one row, more than, and by ``joined_gain`` more than the one row alone.
    ``joined_rows``: how many rows are put together at most. ``supported``: share of a row's cells
    in the source text from which it is not made up. ``ocr_edit``: similarity of a misread text.
    """

    other_table: float = 0.8
    own_table: float = 0.2
    header_row: float = 0.8
    column_there: float = 0.6
    column_here: float = 0.4
    column_gain: float = 0.8
    row_bag: float = 0.6
    joined: float = 0.85
    joined_gain: float = 0.05
    joined_rows: int = 4
    supported: float = 0.5
    ocr_edit: float = 0.7

    def to_json(self) -> dict[str, Any]:
        """A plain mapping of all parts."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class CauseFinding:
    """One cause: its label, where it shows in gold and in the prediction, and a sentence that says so.

    Cells are (row, col) in grid numbers. ``gold_rows`` and ``pred_rows`` are rows that are hit as a
    whole; their cells are not listed. ``cells`` counts the values hit: the larger of those that gold
    has there and those that the prediction has. ``differences`` are indexes into
    ``Causes.differences``: what this cause explains.
    """

    label: CauseLabel
    explanation: str
    gold_cells: Places = ()
    gold_rows: tuple[int, ...] = ()
    pred_cells: Places = ()
    pred_rows: tuple[int, ...] = ()
    cells: int = 0
    differences: tuple[int, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """A plain mapping of all parts; places are lists of two numbers."""
        plain = asdict(self)
        for part in ("gold_cells", "pred_cells"):
            plain[part] = [list(place) for place in plain[part]]
        for part in ("gold_rows", "pred_rows", "differences"):
            plain[part] = list(plain[part])
        return plain


@dataclass(frozen=True)
class Source:
    """The text of the document, asked whether a cell's text stands in it."""

    text: str

    @cached_property
    def _folded(self) -> str:
        return fold(self.text)

    @cached_property
    def _numbers(self) -> dict[str, set[Any]]:
        return {}

    def has(self, text: str, column: Column = PLAIN) -> bool:
        """Whether the text occurs as whole words, or, in a number column, its number in any writing."""
        wanted = fold(text)
        at = self._folded.find(wanted)
        while at >= 0:
            end = at + len(wanted)
            before, after = self._folded[max(0, at - 1) : at], self._folded[end : end + 1]
            if not (before.isalnum() and wanted[:1].isalnum()) and not (after.isalnum() and wanted[-1:].isalnum()):
                return True
            at = self._folded.find(wanted, at + 1)
        if column.type not in NUMBERS or (number := read(text, column).number) is None:
            return False
        if column.name not in self._numbers:
            self._numbers[column.name] = {read(word, column).number for word in self._folded.split()}
        return number in self._numbers[column.name]


@dataclass(frozen=True)
class Compared:
    """Two aligned tables and their differences, with the look-ups that the rules need.

    ``pred_cols`` tells where each column of ``pred`` stood before moved columns were put back.
    """

    gold: Table
    pred: Table
    alignment: Alignment
    differences: tuple[Difference, ...]
    table_type: TableType | None
    thresholds: CauseThresholds
    source: Source | None
    pred_cols: Sequence[int]

    @cached_property
    def columns(self) -> dict[int, Column]:
        """The schema column of each gold column."""
        partner, alignment = dict(self.alignment.cols), self.alignment
        return {
            col: column_of(self.table_type, at, alignment.pred_columns[partner[col]] if col in partner else None)
            for col, at in enumerate(alignment.gold_columns)
        }

    @cached_property
    def _values(self) -> dict[tuple[int, str], Value]:
        return {}

    def value(self, text: str, col: int) -> Value:
        """The value of a text in a gold column; each is read once."""
        if (col, text) not in self._values:
            self._values[col, text] = read(text, self.columns[col])
        return self._values[col, text]

    def same(self, gold: str, pred: str, col: int) -> bool:
        """Whether two texts are one value, not an absent one, in a gold column."""
        column = self.columns[col]
        # Most texts are told apart without being read.
        if gold != pred and column.type == "text" and gold.isascii() and pred.isascii():
            return bool(gold.strip()) and column.normalise == "whitespace" and gold.split() == pred.split()
        if gold != pred and column.type in NUMBERS and not any(map(str.isdigit, pred)):
            return False
        value = self.value(gold, col)
        return value.kind != "null" and (gold == pred or same(value, self.value(pred, col), column))

    @cached_property
    def by_gold_row(self) -> dict[int, list[int]]:
        """The differences that touch each gold row."""
        return _grouped((at, told.gold_row) for at, told in enumerate(self.differences))

    @cached_property
    def by_pred_row(self) -> dict[int, list[int]]:
        """The differences that touch each predicted row."""
        return _grouped((at, told.pred_row) for at, told in enumerate(self.differences))

    def of_rows(self, gold_rows: Iterable[int], pred_rows: Iterable[int]) -> tuple[int, ...]:
        """The differences that touch any of these rows."""
        found = {at for row in gold_rows for at in self.by_gold_row.get(row, ())}
        found |= {at for row in pred_rows for at in self.by_pred_row.get(row, ())}
        return tuple(sorted(found))

    def finding(
        self,
        label: CauseLabel,
        explanation: str,
        told: Sequence[int],
        *,
        gold_rows: Sequence[int] = (),
        pred_rows: Sequence[int] = (),
    ) -> CauseFinding:
        """The finding that explains these differences; cells outside of the rows named are listed."""
        gold_cells, pred_cells = set(), set()
        gold_hit = pred_hit = 0
        for at in told:
            d = self.differences[at]
            if d.gold_row is not None and d.gold_col is not None:
                gold_cells.add((d.gold_row, d.gold_col))
                gold_hit += d.kind != "spurious_value"
            elif d.gold_row is not None:
                gold_hit += values_in(self.gold, d.gold_row)
            if d.pred_row is not None and d.pred_col is not None:
                pred_cells.add((d.pred_row, self.pred_cols[d.pred_col]))
                pred_hit += d.kind != "missing_value"
            elif d.pred_row is not None:
                pred_hit += values_in(self.pred, d.pred_row)
        return CauseFinding(
            label,
            explanation,
            tuple(sorted(place for place in gold_cells if place[0] not in gold_rows)),
            tuple(sorted(gold_rows)),
            tuple(sorted(place for place in pred_cells if place[0] not in pred_rows)),
            tuple(sorted(pred_rows)),
            max(gold_hit, pred_hit),
            tuple(sorted(told)),
        )


def values_in(table: Table, row: int) -> int:
    """How many positions of a row show a text."""
    return sum(1 for col in range(table.n_cols) if table.text_at(row, col).strip())


def row_text(table: Table, row: int) -> str:
    """The texts of a row in quotes, joined by " | " and cut where long."""
    texts = [table.text_at(row, col) for col in range(table.n_cols)]
    return quoted(" | ".join(text for text in texts if text.strip()))


def quoted(text: str) -> str:
    """A text in quotes on one line, its control characters escaped, cut where it is long."""
    return f"'{cut(escaped(' '.join(text.split())), _SHOWN_CHARACTERS)}'"


def _grouped(pairs: Iterable[tuple[int, int | None]]) -> dict[int, list[int]]:
    groups: dict[int, list[int]] = defaultdict(list)
    for at, row in pairs:
        if row is not None:
            groups[row].append(at)
    return groups
