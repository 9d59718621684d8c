"""Which leading rows are the header where a file does not say: those of words that name each column."""

from __future__ import annotations

import re
from dataclasses import replace

from scoring.table import Table

_NUMBER = re.compile(r"[-+(]?\s*[\d.,' ]*\d\s*[%)]?")


def with_header(table: Table) -> tuple[Table, tuple[str, ...]]:
    """The table with its leading rows marked as column headers, and a note that tells how many.

    They end with the first row in which no cell spans columns and no cell above reaches further
    down. A number before that, an empty row, or nothing after it: there is no header.
    """
    count = _count(table)
    if not count:
        return table, ()
    cells = tuple(replace(cell, header="column") if cell.row < count else cell for cell in table.cells)
    first = "the first row was" if count == 1 else f"the first {count} rows were"
    return Table(table.n_rows, table.n_cols, cells), (f"{first} taken as the header",)


def _count(table: Table) -> int:
    reach = 0
    row = 0
    wide = filled = False
    for cell in table.cells:  # in reading order
        if cell.row != row:
            if not filled:
                return 0
            if not wide and row >= reach:
                return row + 1 if row + 1 < table.n_rows else 0
            row, wide, filled = cell.row, False, False
        if _NUMBER.fullmatch(cell.text.strip()):
            return 0
        reach = max(reach, cell.row + cell.row_span - 1)
        # An empty cell over several columns is what is left of a name that stands elsewhere.
        wide = wide or cell.col_span > 1
        filled = filled or bool(cell.text.strip())
    return 0
