"""What is printed (the truth) and what an extractor made of it: the same cells after a list of named slips."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from sample_docs.generator.paper import Placed, around
from scoring.table import Box, Cell, Header, Table

Grid = dict[tuple[int, int], "ReadCell"]


@dataclass(frozen=True)
class TrueCell:
    """A cell as printed; ``area`` is the space between the rules around it, where that is wanted."""

    row: int
    col: int
    placed: Placed | None = None
    text: str = ""
    row_span: int = 1
    col_span: int = 1
    header: Header = ""
    area: Box | None = None

    @property
    def printed(self) -> str:
        """The text verbatim; a cell without a place (a key, an empty cell) has its own text."""
        return self.text if self.placed is None else self.placed.text


@dataclass(frozen=True)
class TrueTable:
    """A table as printed, with the name and the table type under which the project knows it."""

    name: str
    table_type: str | None
    cells: tuple[TrueCell, ...]

    @property
    def n_rows(self) -> int:
        """How many grid rows, header rows included."""
        return max(cell.row + cell.row_span for cell in self.cells)

    @property
    def n_cols(self) -> int:
        """How many grid columns."""
        return max(cell.col + cell.col_span for cell in self.cells)

    def to_table(self) -> Table:
        """The gold table; raises TableError where cells overlap."""
        return Table(
            self.n_rows,
            self.n_cols,
            tuple(
                Cell(
                    cell.row,
                    cell.col,
                    cell.printed,
                    cell.row_span,
                    cell.col_span,
                    cell.header,
                    None if cell.placed is None else cell.placed.box,
                )
                for cell in self.cells
            ),
        )


def records(name: str, table_type: str, columns: Sequence[str], rows: Iterable[Sequence[Placed | None]]) -> TrueTable:
    """A table whose header row holds the keys that the extractor was asked for; None is an empty cell."""
    header = [TrueCell(0, col, text=key, header="column") for col, key in enumerate(columns)]
    body = [TrueCell(row, col, placed) for row, line in enumerate(rows, 1) for col, placed in enumerate(line)]
    return TrueTable(name, table_type, (*header, *body))


def form(name: str, table_type: str, fields: Mapping[str, Placed | None]) -> TrueTable:
    """Scalar fields as a table of one header row and one data row."""
    return records(name, table_type, list(fields), [list(fields.values())])


@dataclass(frozen=True)
class ReadWord:
    """A word as read; ``box`` is still the place where it is printed."""

    text: str
    box: Box
    confidence: float


@dataclass(frozen=True)
class ReadCell:
    """A cell as the extractor returned it; a confidence or box of None was not given."""

    row: int
    col: int
    text: str
    box: Box | None
    confidence: float | None
    words: tuple[ReadWord, ...] = ()
    row_span: int = 1
    col_span: int = 1
    header: Header = ""
    area: Box | None = None


@dataclass(frozen=True)
class ReadTable:
    """A table as the extractor returned it."""

    name: str
    n_rows: int
    n_cols: int
    cells: tuple[ReadCell, ...]

    @property
    def rows(self) -> list[list[ReadCell | None]]:
        """The grid; a span stands at its anchor alone and is None elsewhere."""
        grid = {(cell.row, cell.col): cell for cell in self.cells}
        return [[grid.get((row, col)) for col in range(self.n_cols)] for row in range(self.n_rows)]


@dataclass(frozen=True)
class Slip:
    """One imperfection of a first extraction; ``row`` and ``col`` are grid positions in the true table.

    - ``misread``: the cell says ``read`` instead of ``printed``; an empty ``read`` is a dropped value
    - ``unsure``: the text is right, but the confidence is ``confidence`` (None: not given)
    - ``merged``: the cell also holds the text of its right neighbour, which is empty
    - ``slid``: the text stands in the column ``to``, and its own cell is empty
    - ``missed``: the row is not there
    - ``doubled``: the row is there twice
    - ``invented``: after this row comes one that is no row of the table; ``cells`` are its texts
    - ``span``: the cell spans ``spans`` rows and columns instead of its own; what it no longer covers is empty
    """

    kind: Literal["misread", "unsure", "merged", "slid", "missed", "doubled", "invented", "span"]
    row: int
    col: int = 0
    printed: str = ""
    read: str = ""
    confidence: float | None = None
    why: str = ""
    cells: tuple[str, ...] = ()
    spans: tuple[int, int] = (1, 1)
    to: int = 0


@dataclass(frozen=True)
class Sample:
    """One sample document with everything that is written into its folder."""

    slug: str
    title: str
    about: str
    made: str
    document: str
    pdf: bytes
    first_name: str
    first: bytes
    table_types: list[dict[str, Any]]
    truth: tuple[TrueTable, ...]
    slips: Mapping[str, tuple[Slip, ...]]
    finished: bool
    notes: tuple[str, ...] = field(default=())


def read(
    true: TrueTable,
    slips: Sequence[Slip],
    *,
    seed: int,
    usual: tuple[float, float] = (0.93, 0.998),
    step: float = 0.001,
) -> ReadTable:
    """The table with its slips; confidences are drawn from ``usual`` in steps unless a slip names one.

    Raises ValueError where a slip expects another text than the printed one.
    """
    chance = random.Random(seed)
    grid: Grid = {(cell.row, cell.col): _as_printed(cell, chance, usual, step) for cell in true.cells}
    for slip in slips:
        _apply(grid, slip)
    order = _row_order(true.n_rows, slips)
    cells: list[ReadCell] = []
    for new_row, (old_row, invented) in enumerate(order):
        if invented is not None:
            cells.extend(ReadCell(new_row, col, text, None, None) for col, text in enumerate(invented.cells))
            continue
        for (row, _), cell in grid.items():
            if row == old_row:
                kept = sum(1 for other, extra in order if extra is None and other in range(row, row + cell.row_span))
                cells.append(replace(cell, row=new_row, row_span=kept if cell.row_span > 1 else 1))
    cells.sort(key=lambda cell: (cell.row, cell.col))
    return ReadTable(true.name, len(order), true.n_cols, tuple(cells))


def _as_printed(cell: TrueCell, chance: random.Random, usual: tuple[float, float], step: float) -> ReadCell:
    placed = cell.placed
    words = (
        ()
        if placed is None
        else tuple(
            ReadWord(word.text, word.box, round(round(chance.uniform(*usual) / step) * step, 3))
            for word in placed.words
        )
    )
    return ReadCell(
        cell.row,
        cell.col,
        cell.printed,
        None if placed is None else placed.box,
        min((word.confidence for word in words), default=None),
        words,
        cell.row_span,
        cell.col_span,
        cell.header,
        cell.area,
    )


def _apply(grid: Grid, slip: Slip) -> None:
    if slip.kind in ("missed", "doubled", "invented"):
        return
    place = slip.row, slip.col
    cell = grid[place]
    if slip.printed and slip.printed != cell.text:
        raise ValueError(f"slip at row {slip.row}, column {slip.col} expects {slip.printed!r}, found {cell.text!r}")
    if slip.kind == "unsure":
        grid[place] = _with_confidence(cell, slip.confidence)
    elif slip.kind == "misread":
        confidence = cell.confidence if slip.confidence is None else slip.confidence
        grid[place] = _with_text(_with_confidence(cell, confidence), slip.read)
    elif slip.kind == "merged":
        right = grid[slip.row, slip.col + 1]
        words = cell.words + right.words
        grid[place] = replace(
            cell,
            text=f"{cell.text} {right.text}",
            words=words,
            box=around(word.box for word in words),
            confidence=min(word.confidence for word in words) if slip.confidence is None else slip.confidence,
        )
        grid[slip.row, slip.col + 1] = _with_text(right, "")
    elif slip.kind == "slid":
        grid[slip.row, slip.to] = replace(_with_confidence(cell, slip.confidence), col=slip.to)
        grid[place] = _with_text(cell, "")
    else:
        for row in range(slip.row, slip.row + cell.row_span):
            for col in range(slip.col, slip.col + cell.col_span):
                grid.setdefault((row, col), ReadCell(row, col, "", None, None, header=cell.header))
        grid[place] = replace(cell, row_span=slip.spans[0], col_span=slip.spans[1])
        for row in range(slip.row, slip.row + slip.spans[0]):
            for col in range(slip.col, slip.col + slip.spans[1]):
                if (row, col) != place:
                    grid.pop((row, col), None)


def _with_confidence(cell: ReadCell, confidence: float | None) -> ReadCell:
    """The cell with this confidence, which its least sure word has too."""
    if confidence is None or not cell.words:
        return replace(cell, confidence=confidence)
    words = list(cell.words)
    least = min(range(len(words)), key=lambda number: words[number].confidence)
    words[least] = replace(words[least], confidence=confidence)
    return replace(cell, words=tuple(words), confidence=min(word.confidence for word in words))


def _with_text(cell: ReadCell, text: str) -> ReadCell:
    """The cell with another text; its words follow where their number is the same, else all of it is one word."""
    if not text:
        return replace(cell, text="", words=(), box=None, confidence=None)
    parts = text.split()
    if len(parts) == len(cell.words):
        words = tuple(replace(word, text=part) for word, part in zip(cell.words, parts, strict=True))
    elif cell.words:
        least = min(word.confidence for word in cell.words)
        words = (ReadWord(text, around(word.box for word in cell.words), least),)
    else:
        words = ()
    return replace(cell, text=text, words=words)


def _row_order(n_rows: int, slips: Sequence[Slip]) -> list[tuple[int, Slip | None]]:
    missed = {slip.row for slip in slips if slip.kind == "missed"}
    doubled = {slip.row for slip in slips if slip.kind == "doubled"}
    order: list[tuple[int, Slip | None]] = []
    for row in range(n_rows):
        if row not in missed:
            order.extend([(row, None)] * (2 if row in doubled else 1))
        order.extend((row, slip) for slip in slips if slip.kind == "invented" and slip.row == row)
    return order
