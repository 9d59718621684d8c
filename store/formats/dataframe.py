"""Tables that pandas wrote as HTML: without the row and column numbers that it adds."""

from __future__ import annotations

from dataclasses import replace

from scoring.table import Table
from store.formats.leading_rows import with_header

_NUMBERS = "the row and column numbers of pandas were taken off"
_ROWS = "the row numbers of pandas were taken off"
_LINE_ENDS = r"line ends that pandas wrote as \n are line ends again"


def without_numbers(table: Table) -> tuple[Table, tuple[str, ...]]:
    """The table as it was before pandas, and notes; the same table where its first column does not count the rows.

    Where the header row only counts the columns, as in what Camelot exports, it goes too.
    """
    head = 1 if table.header_rows == 1 else 0
    counted = [table.text_at(row, 0) for row in range(head, table.n_rows)]
    if not head or table.n_cols < 2 or table.text_at(0, 0) or counted != [str(row) for row in range(len(counted))]:
        return table, ()
    if any(cell.row_span > 1 or cell.col_span > 1 for cell in table.cells):
        return table, ()
    numbered = [table.text_at(0, col) for col in range(1, table.n_cols)] == [str(c) for c in range(table.n_cols - 1)]
    off = 1 if numbered else 0
    cells = []
    for cell in table.cells:
        if cell.col and cell.row >= off:
            header = cell.header if cell.row < head else ""
            cells.append(
                replace(cell, row=cell.row - off, col=cell.col - 1, text=cell.text.replace(r"\n", "\n"), header=header)
            )
    notes = [_NUMBERS if numbered else _ROWS]
    if any(r"\n" in cell.text for cell in table.cells):
        notes.append(_LINE_ENDS)
    plain = Table(table.n_rows - off, table.n_cols - 1, tuple(cells))
    if numbered:
        plain, told = with_header(plain)
        notes += told
    return plain, tuple(notes)
