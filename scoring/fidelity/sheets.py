"""A table as a reader sees it: canonical texts on a full grid, spans spread, empty rows and columns left out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from scoring.reading import notation
from scoring.reading.html_grid import TooLargeError
from scoring.table import Cell, Header, Table

# Two sheets of so many positions are compared in less than two seconds.
LARGEST_SHEET = 4000
NO_VALUE = "-"
_LINES = re.compile(r"\n|<br\s*/?>|\\\\(?![A-Za-z])", re.IGNORECASE)


@dataclass(frozen=True)
class Sheet:
    """Texts by row and column: "" where nothing stands, ``NO_VALUE`` where it is said that there is no value.

    ``owners`` has the index of the cell that covers each position (-1: a hole), ``marks`` how it is marked, ``lines``
    the lines of each cell that say something; ``rows`` and ``cols`` are the positions in the table it was made from.
    """

    texts: tuple[tuple[str, ...], ...]
    owners: tuple[tuple[int, ...], ...]
    marks: tuple[tuple[Header, ...], ...]
    lines: tuple[tuple[str, ...], ...]
    rows: tuple[int, ...]
    cols: tuple[int, ...]

    @cached_property
    def across(self) -> Sheet:
        """The sheet with rows and columns changed."""
        texts, owners, marks = (
            tuple(zip(*lines, strict=True)) or ((),) * self.n_cols for lines in (self.texts, self.owners, self.marks)
        )
        return Sheet(texts, owners, marks, self.lines, self.cols, self.rows)

    @property
    def n_rows(self) -> int:
        """How many rows."""
        return len(self.rows)

    @property
    def n_cols(self) -> int:
        """How many columns."""
        return len(self.cols)

    def said(self, row: int, col: int) -> bool:
        """Whether a value or a word stands at a position."""
        return self.texts[row][col] not in ("", NO_VALUE)

    def only_text(self, row: int) -> str:
        """The text of a row in which one cell speaks and all others are empty; else ""."""
        owners = {owner: text for owner, text in zip(self.owners[row], self.texts[row], strict=True) if text}
        texts = set(owners.values())
        return texts.pop() if len(texts) == 1 and NO_VALUE not in texts else ""


def sheet(tables: Sequence[Table]) -> Sheet:
    """The tables one below the other, each row and column kept in which something stands.

    A column is left out too where each text in it is that of a cell which reaches into another column as well.
    Raises TooLargeError beyond ``LARGEST_SHEET`` positions.
    """
    n_rows, n_cols = sum(table.n_rows for table in tables), max((table.n_cols for table in tables), default=0)
    cells = [cell for table in tables for cell in table.cells]
    texts = [_canonical(cell.text) for cell in cells]
    owners = [[-1] * n_cols for _ in range(n_rows)]
    offset, index = 0, 0
    for table in tables:
        for cell in table.cells:
            for row in cell.rows:
                owners[offset + row][cell.col : cell.col + cell.col_span] = [index] * cell.col_span
            index += 1
        offset += table.n_rows
    rows = [row for row in range(n_rows) if any(owner >= 0 and texts[owner] for owner in owners[row])]
    cols = [col for col in range(n_cols) if any(_own(owners[row][col], col, cells, texts) for row in rows)]
    if rows and not cols:  # each cell reaches over several columns
        cols = sorted({cell.col for cell, text in zip(cells, texts, strict=True) if text})
    if len(rows) * len(cols) > LARGEST_SHEET:
        raise TooLargeError(
            f"the table has {len(rows):,} rows and {len(cols):,} columns with text, expected at most "
            f"{LARGEST_SHEET:,} positions; score the parts of the table on their own"
        )
    kept = [[owners[row][col] for col in cols] for row in rows]
    return Sheet(
        texts=tuple(tuple(texts[owner] if owner >= 0 else "" for owner in line) for line in kept),
        owners=tuple(map(tuple, kept)),
        marks=tuple(tuple(cells[owner].header if owner >= 0 else "" for owner in line) for line in kept),
        lines=tuple(_lines(cell.text) for cell in cells),
        rows=tuple(rows),
        cols=tuple(cols),
    )


def _own(owner: int, col: int, cells: Sequence[Cell], texts: Sequence[str]) -> bool:
    """Whether a column has a text that no other column has: the first column of a span stands for it."""
    return owner >= 0 and bool(texts[owner]) and cells[owner].col_span == 1


@lru_cache(maxsize=20_000)
def _canonical(text: str) -> str:
    if not text.strip():
        return ""
    return NO_VALUE if notation.is_blank(text) else notation.math(text)


def _lines(text: str) -> tuple[str, ...]:
    parts = (_canonical(part) for part in _LINES.split(text)) if _LINES.search(text) else ()
    return tuple(part for part in parts if part not in ("", NO_VALUE))
