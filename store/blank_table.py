"""What a table begins as that is keyed from the page alone."""

from __future__ import annotations

from scoring.schema import TableType
from scoring.table import Table, from_rows


def blank(kind: TableType | None) -> Table:
    """The columns of the table type and one empty row; without a type two by two empty cells."""
    if kind is None:
        return from_rows([["", ""], ["", ""]], header_rows=0)
    return from_rows([[column.shown for column in kind.columns], [""] * len(kind.columns)], header_rows=1)
