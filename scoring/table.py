"""The one table value: anchored cells on a grid, frozen, without overlaps."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, Self, get_args

from scoring.shown import brief

Header = Literal["", "column", "row"]
ConfidenceKind = Literal["text", "structure", "extraction", "detection", "self-report"]
ConfidenceUnit = Literal["word", "cell", "row", "field", "table", "page"]

# HTML's own limits for colspan and rowspan (WHATWG, "forming a table").
LARGEST_COL_SPAN = 1000
LARGEST_ROW_SPAN = 65534
# A reviewer cannot work on more, and a hostile span must not fill the memory.
LARGEST_GRID = 1_000_000


class TableError(ValueError):
    """A table, cell or box that cannot be: says what was found, where, and what was expected."""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on one page: fractions 0..1 of the page as displayed, origin top left, page 1-based.

    Raises TableError for a page below 1, a number that is not finite, or x1 < x0 / y1 < y0.
    Values may lie outside 0..1: a vendor's box off the page is kept and noted, not clipped.
    """

    page: int
    x0: float
    y0: float
    x1: float
    y1: float

    def __post_init__(self) -> None:
        if self.page < 1:
            raise TableError(f"box on page {self.page}, expected a page number from 1 on")
        if not all(math.isfinite(side) for side in (self.x0, self.y0, self.x1, self.y1)):
            raise TableError(f"box {self.to_json()} has a side that is not a finite number")
        if self.x1 < self.x0 or self.y1 < self.y0:
            raise TableError(f"box {self.to_json()} ends before it starts, expected x0 <= x1 and y0 <= y1")

    def to_json(self) -> list[float]:
        """``[page, x0, y0, x1, y1]``."""
        return [self.page, self.x0, self.y0, self.x1, self.y1]

    @classmethod
    def from_json(cls, value: object) -> Self:
        """The box that ``to_json`` wrote; raises TableError unless there are five numbers."""
        if (
            not isinstance(value, list | tuple)
            or len(value) != 5
            or not all(isinstance(side, int | float) for side in value)
        ):
            raise TableError(f"box {brief(value)}, expected five numbers: page, x0, y0, x1, y1")
        try:
            page, *sides = map(float, value)
        except OverflowError:
            raise TableError(f"box {brief(value)} has a number that is too large") from None
        if not math.isfinite(page):
            raise TableError(f"box {brief(value)}, expected a page number from 1 on")
        return cls(int(page), *sides)


@dataclass(frozen=True, slots=True)
class Confidence:
    """How sure the producer was: value 0..1, or None where it said nothing usable.

    ``kind`` tells what it speaks of, ``unit`` of how much, ``source`` who said it and how it was
    joined, in words for a person ("Azure word confidence, lowest of 3"). ``raw`` is the number or
    label as received. Missing stays missing: there is no default of 1.0.
    """

    value: float | None
    kind: ConfidenceKind
    unit: ConfidenceUnit
    source: str
    raw: str = ""

    def __post_init__(self) -> None:
        if self.value is not None and not 0.0 <= self.value <= 1.0:
            raise TableError(f"confidence {self.value!r} from {self.source}, expected 0 to 1, or none")
        if self.kind not in get_args(ConfidenceKind):
            raise TableError(f"confidence kind {self.kind!r}, expected one of {get_args(ConfidenceKind)}")
        if self.unit not in get_args(ConfidenceUnit):
            raise TableError(f"confidence unit {self.unit!r}, expected one of {get_args(ConfidenceUnit)}")

    def to_json(self) -> dict[str, Any]:
        """A plain mapping; ``raw`` is left out where it is empty."""
        plain: dict[str, Any] = {
            "value": self.value,
            "kind": self.kind,
            "unit": self.unit,
            "source": self.source,
        }
        if self.raw:
            plain["raw"] = self.raw
        return plain

    @classmethod
    def from_json(cls, value: object) -> Self:
        """The confidence that ``to_json`` wrote; raises TableError where a part is missing or mistyped."""
        if not isinstance(value, Mapping):
            raise TableError(f"confidence {brief(value)}, expected an object with value, kind, unit and source")
        try:
            number, texts = value["value"], (value["kind"], value["unit"], value["source"], value.get("raw", ""))
        except KeyError as missing:
            raise TableError(f"confidence {brief(dict(value))} has no {missing.args[0]!r}") from None
        if number is not None and not isinstance(number, int | float):
            raise TableError(f"confidence value {brief(number)}, expected a number from 0 to 1, or null")
        if not all(isinstance(text, str) for text in texts):
            raise TableError(f"confidence {brief(dict(value))}, expected texts for kind, unit, source and raw")
        return cls(number, *texts)


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell by its anchor (top-left grid position, 0-based) and its span, text verbatim."""

    row: int
    col: int
    text: str = ""
    row_span: int = 1
    col_span: int = 1
    header: Header = ""
    box: Box | None = None
    confidence: tuple[Confidence, ...] = ()

    def __post_init__(self) -> None:
        if self.row < 0 or self.col < 0:
            raise TableError(f"cell at row {self.row}, column {self.col}, expected both from 0 on")
        if not 1 <= self.row_span <= LARGEST_ROW_SPAN or not 1 <= self.col_span <= LARGEST_COL_SPAN:
            raise TableError(
                f"cell at row {self.row}, column {self.col} spans {self.row_span} rows and {self.col_span} "
                f"columns, expected 1 to {LARGEST_ROW_SPAN} rows and 1 to {LARGEST_COL_SPAN} columns"
            )
        try:
            self.text.encode()
        except UnicodeEncodeError as wrong:
            raise TableError(
                f"cell at row {self.row}, column {self.col} holds text that is not Unicode: {wrong}"
            ) from None
        if self.header not in get_args(Header):
            raise TableError(f"header {self.header!r}, expected one of {get_args(Header)}")

    @property
    def rows(self) -> range:
        """The grid rows that the cell covers."""
        return range(self.row, self.row + self.row_span)

    @property
    def cols(self) -> range:
        """The grid columns that the cell covers."""
        return range(self.col, self.col + self.col_span)

    def to_json(self) -> dict[str, Any]:
        """A plain mapping; parts at their default are left out."""
        plain: dict[str, Any] = {"row": self.row, "col": self.col, "text": self.text}
        if self.row_span != 1:
            plain["row_span"] = self.row_span
        if self.col_span != 1:
            plain["col_span"] = self.col_span
        if self.header:
            plain["header"] = self.header
        if self.box is not None:
            plain["box"] = self.box.to_json()
        if self.confidence:
            plain["confidence"] = [confidence.to_json() for confidence in self.confidence]
        return plain

    @classmethod
    def from_json(cls, value: object) -> Self:
        """The cell that ``to_json`` wrote; raises TableError for a missing or mistyped part."""
        if not isinstance(value, Mapping):
            raise TableError(f"cell {brief(value)}, expected an object with row, col and text")
        row, col, text = value.get("row"), value.get("col"), value.get("text", "")
        spans = value.get("row_span", 1), value.get("col_span", 1)
        if not all(type(number) is int for number in (row, col, *spans)) or not isinstance(text, str):
            raise TableError(f"cell {brief(dict(value))}, expected whole numbers for row, col and spans, and text")
        box, confidence = value.get("box"), value.get("confidence", ())
        if not isinstance(confidence, list | tuple):
            raise TableError(f"confidence {brief(confidence)} of the cell at row {row}, column {col}, expected a list")
        return cls(
            row=row,  # type: ignore[arg-type]  # checked above
            col=col,  # type: ignore[arg-type]
            text=text,
            row_span=spans[0],
            col_span=spans[1],
            header=value.get("header", ""),
            box=None if box is None else Box.from_json(box),
            confidence=tuple(Confidence.from_json(entry) for entry in confidence),
        )


@dataclass(frozen=True)
class Table:
    """``n_rows`` x ``n_cols`` positions and the cells anchored on them, in reading order.

    Raises TableError where two cells cover one position or a cell leaves the grid. A position
    that no cell covers is a hole, which is not an empty cell. Equality compares all parts.
    """

    n_rows: int
    n_cols: int
    cells: tuple[Cell, ...] = ()

    def __post_init__(self) -> None:
        if self.n_rows < 0 or self.n_cols < 0:
            raise TableError(f"table of {self.n_rows} rows and {self.n_cols} columns, expected both from 0 on")
        # A table without rows must not have a thousand million columns either.
        if max(self.n_rows, 1) * max(self.n_cols, 1) > LARGEST_GRID:
            raise TableError(
                f"table of {self.n_rows} rows and {self.n_cols} columns, expected at most {LARGEST_GRID:,} positions"
            )
        in_order = tuple(sorted(self.cells, key=lambda cell: (cell.row, cell.col)))
        object.__setattr__(self, "cells", in_order)
        covered: dict[tuple[int, int], Cell] = {}
        for cell in in_order:
            if cell.row + cell.row_span > self.n_rows or cell.col + cell.col_span > self.n_cols:
                raise TableError(
                    f"cell {cell.text!r} at row {cell.row}, column {cell.col} spanning {cell.row_span} rows and "
                    f"{cell.col_span} columns leaves the table of {self.n_rows} rows and {self.n_cols} columns"
                )
            for row in cell.rows:
                for col in cell.cols:
                    other = covered.setdefault((row, col), cell)
                    if other is not cell:
                        raise TableError(
                            f"cells {other.text!r} (row {other.row}, column {other.col}) and {cell.text!r} "
                            f"(row {cell.row}, column {cell.col}) both cover row {row}, column {col}"
                        )

    @cached_property
    def grid(self) -> Mapping[tuple[int, int], Cell]:
        """The cell that covers each position; a hole has no entry."""
        return {(row, col): cell for cell in self.cells for row in cell.rows for col in cell.cols}

    def at(self, row: int, col: int) -> Cell | None:
        """The cell that covers a position, or None for a hole or a position off the grid."""
        return self.grid.get((row, col))

    def anchored(self, row: int, col: int) -> Cell:
        """The cell that has its anchor at a position; raises TableError where there is none."""
        cell = self.at(row, col)
        if cell is None or (cell.row, cell.col) != (row, col):
            raise TableError(f"no cell is anchored at row {row}, column {col}")
        return cell

    def text_at(self, row: int, col: int) -> str:
        """The text of the cell that covers a position; "" for a hole."""
        cell = self.at(row, col)
        return "" if cell is None else cell.text

    def with_texts(self, texts: Mapping[tuple[int, int], str]) -> Self:
        """The table with other texts in the cells anchored at these positions.

        Cells keep their places, so that nothing is checked or sorted again: it takes the time of a copy.
        Raises TableError where no cell is anchored at a position, and for a text that is not Unicode.
        """
        fresh: dict[int, Cell] = {}
        for (row, col), text in texts.items():
            cell = self.anchored(row, col)
            fresh[id(cell)] = replace(cell, text=text)
        changed = object.__new__(type(self))
        grid = dict(self.grid)
        for cell in fresh.values():
            grid.update(((row, col), cell) for row in cell.rows for col in cell.cols)
        cells = tuple(fresh.get(id(cell), cell) for cell in self.cells)
        changed.__dict__.update(n_rows=self.n_rows, n_cols=self.n_cols, cells=cells, grid=grid)
        return changed

    @cached_property
    def header_rows(self) -> int:
        """How many leading rows consist of column headers only."""
        count = 0
        for row in range(self.n_rows):
            cells = [self.grid[row, col] for col in range(self.n_cols) if (row, col) in self.grid]
            if not cells or any(cell.header != "column" for cell in cells):
                break
            count = row + 1
        return count

    def to_json(self) -> dict[str, Any]:
        """A plain mapping that ``from_json`` reads back to an equal table."""
        return {
            "n_rows": self.n_rows,
            "n_cols": self.n_cols,
            "cells": [cell.to_json() for cell in self.cells],
        }

    @classmethod
    def from_json(cls, value: object) -> Self:
        """The table that ``to_json`` wrote; raises TableError where it is not one."""
        if not isinstance(value, Mapping):
            raise TableError(f"table {brief(value)}, expected an object with n_rows, n_cols and cells")
        n_rows, n_cols, cells = value.get("n_rows"), value.get("n_cols"), value.get("cells")
        if type(n_rows) is not int or type(n_cols) is not int or not isinstance(cells, list):
            raise TableError(f"table with keys {sorted(value)}, expected n_rows, n_cols and a list of cells")
        return cls(n_rows, n_cols, tuple(Cell.from_json(cell) for cell in cells))


def from_rows(rows: Iterable[Iterable[str]], *, header_rows: int = 0) -> Table:
    """A table of single cells from rows of text; short rows end in holes.

    Raises TableError for a value that is no text.
    """
    texts = [list(row) for row in rows]
    for row, line in enumerate(texts):
        for col, text in enumerate(line):
            if not isinstance(text, str):
                raise TableError(f"{brief(text)} at row {row}, column {col}, expected a text")
    return Table(
        n_rows=len(texts),
        n_cols=max((len(row) for row in texts), default=0),
        cells=tuple(
            Cell(row, col, text, header="column" if row < header_rows else "")
            for row, line in enumerate(texts)
            for col, text in enumerate(line)
        ),
    )
