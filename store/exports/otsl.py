"""OTSL in DocTags: each table as the sequence of its cell tokens ("Optimized Table Tokenization", arXiv 2305.03393)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scoring.table import Table
from store.exports.carried import checked
from store.exports.written import ByDocument, Export, Given, name_of
from store.formats import otsl
from store.formats.otsl import TOKEN_END

# DocTags know no escapes: a text that looks like a token keeps its letters, its bracket becomes an entity.
_TOKEN = re.compile(rf"(?:<|&(?:amp;)*lt;)(?={TOKEN_END})")


def write(documents: ByDocument, given: Given) -> Iterator[Export]:
    """A file for each document: an ``<otsl>`` for each table, a line for each row; a hole is an empty cell."""
    for tables in documents:
        named = [(entry.gold.name, entry.sheet.table) for entry in tables]
        text = "\n".join(written(table, name) for name, table in named)
        yield checked(name_of(tables[0], "otsl.txt"), f"<doctag>{text}\n</doctag>\n".encode(), named, otsl)


def written(table: Table, name: str = "") -> str:
    """The tokens of one table, with its name as the caption if it has one."""
    rows = ["".join(_token(table, row, col) for col in range(table.n_cols)) + "<nl>" for row in range(table.n_rows)]
    caption = f"<caption>{_escaped(name)}</caption>" if name else ""
    return f"<otsl>{caption}" + "\n".join(rows) + "</otsl>"


def _token(table: Table, row: int, col: int) -> str:
    cell = table.at(row, col)
    if cell is None:
        return "<ecel>"
    if (row, col) != (cell.row, cell.col):
        return "<lcel>" if row == cell.row else "<ucel>" if col == cell.col else "<xcel>"
    if not cell.text and not cell.header:
        return "<ecel>"
    kind = {"column": "ched", "row": "rhed", "": "fcel"}[cell.header]
    return f"<{kind}>{_escaped(cell.text)}"


def _escaped(text: str) -> str:
    return _TOKEN.sub(lambda found: "&lt;" if found[0] == "<" else f"&amp;{found[0][1:]}", text)
