"""Cells as a vendor wrote them to a whole table: what overlaps or leaves the grid is repaired, and told at its cell."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from scoring.table import LARGEST_GRID, Cell, Table, TableError
from store.formats.contract import FormatError, Repair


def fitted(cells: Iterable[Cell], *, n_rows: int, n_cols: int) -> tuple[Table, tuple[Repair, ...]]:
    """The table of these cells and each repair; cells that come first keep their place.

    A cell that would cover another is made smaller; one whose anchor is covered already is left
    out, its text kept in the repair. Cells beyond the grid make it larger. Raises FormatError where
    the grid is larger than a table can be.
    """
    repairs: list[Repair] = []
    placed: list[Cell] = []
    taken: dict[tuple[int, int], Cell] = {}
    rows, cols = n_rows, n_cols
    for cell in cells:
        rows, cols = max(rows, cell.row + 1), max(cols, cell.col + 1)
        if rows * cols > LARGEST_GRID:
            raise FormatError(f"a table of {rows} rows and {cols} columns, expected at most {LARGEST_GRID:,} positions")
        holder = taken.get((cell.row, cell.col))
        if holder is not None:
            repairs.append(
                Repair(cell.row, cell.col, f"{_quoted(cell)} was left out: {_named(holder)} covers its place")
            )
            continue
        if cell.row_span == cell.col_span == 1:  # most cells, and nothing can be wrong with them
            taken[cell.row, cell.col] = cell
            placed.append(cell)
            continue
        whole = replace(
            cell,
            row_span=max(1, min(cell.row_span, max(rows, n_rows) - cell.row)),
            col_span=max(1, min(cell.col_span, max(cols, n_cols) - cell.col)),
        )
        if (whole.row_span, whole.col_span) != (cell.row_span, cell.col_span):
            repairs.append(Repair(cell.row, cell.col, "reached past the last row or column and was cut at the edge"))
        small, other = _without_overlap(whole, taken)
        if other is not None:
            repairs.append(Repair(cell.row, cell.col, f"also covered {_named(other)} and was made smaller"))
        for row in small.rows:
            for col in small.cols:
                taken[row, col] = small
        placed.append(small)
    if (rows, cols) != (n_rows, n_cols):
        out = next(cell for cell in placed if cell.row >= n_rows or cell.col >= n_cols)
        what = f"stands outside the {n_rows} x {n_cols} given: the table is {rows} x {cols}"
        repairs.append(Repair(out.row, out.col, what))
    try:
        return Table(rows, cols, tuple(placed)), tuple(repairs)
    except TableError as wrong:
        raise FormatError(str(wrong)) from None


def _without_overlap(cell: Cell, taken: dict[tuple[int, int], Cell]) -> tuple[Cell, Cell | None]:
    """The cell cut down to free positions, and a cell that it would have covered."""
    other = next((taken[row, col] for row in cell.rows for col in cell.cols if (row, col) in taken), None)
    if other is None:
        return cell, None
    width = next((n for n, col in enumerate(cell.cols) if (cell.row, col) in taken), cell.col_span)
    free = range(cell.col, cell.col + width)
    height = next((n for n, row in enumerate(cell.rows) if any((row, col) in taken for col in free)), cell.row_span)
    return replace(cell, row_span=height, col_span=width), other


def _quoted(cell: Cell) -> str:
    return repr(cell.text if len(cell.text) <= 40 else cell.text[:39] + "…")


def _named(cell: Cell) -> str:
    return f"the cell {_quoted(cell)} at row {cell.row + 1}, column {cell.col + 1}"
