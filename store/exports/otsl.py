"""OTSL in DocTags: each table as the sequence of its cell tokens ("Optimized Table Tokenization", arXiv 2305.03393)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scoring.table import Table
from store.exports.written import ByDocument, Export, Given, name_of

# DocTags know no escapes: a text that looks like a token keeps its letters, its bracket becomes an entity.
_KINDS = "fcel|ecel|ched|rhed|srow|lcel|ucel|xcel|nl|otsl|doctag|caption|page_break"
_TOKEN = re.compile(rf"<(?=/?(?:{_KINDS}|loc_\d+)>)")


def write(documents: ByDocument, given: Given) -> Iterator[Export]:
    """A file for each document: an ``<otsl>`` for each table, a line for each row; a hole is an empty cell."""
    for tables in documents:
        text = "\n".join(written(entry.sheet.table) for entry in tables)
        yield Export(name_of(tables[0], "otsl.txt"), f"<doctag>{text}\n</doctag>\n".encode())


def written(table: Table) -> str:
    """The tokens of one table."""
    rows = ["".join(_token(table, row, col) for col in range(table.n_cols)) + "<nl>" for row in range(table.n_rows)]
    return "<otsl>" + "\n".join(rows) + "</otsl>"


def _token(table: Table, row: int, col: int) -> str:
    cell = table.at(row, col)
    if cell is None:
        return "<ecel>"
    if (row, col) != (cell.row, cell.col):
        return "<lcel>" if row == cell.row else "<ucel>" if col == cell.col else "<xcel>"
    if not cell.text.strip() and not cell.header:
        return "<ecel>"
    kind = {"column": "ched", "row": "rhed", "": "fcel"}[cell.header]
    return f"<{kind}>{_TOKEN.sub('&lt;', cell.text)}"
