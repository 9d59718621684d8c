"""Markdown: pipe tables where they can hold the table, HTML where there are spans, several headers or holes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scoring.table import Table
from store.comparison import Comparison
from store.exports.carried import checked
from store.exports.written import ByDocument, Export, Given, name_of
from store.formats import html, markdown

# Beside bars: what would begin a tag, an entity, an escape, or code, in which bars count otherwise.
_ESCAPED = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "\\": "&#92;", "|": "&#124;", "`": "&#96;", "\n": "<br>"}
_ESCAPED |= {"\r": "&#13;", "\x0c": "&#12;", "\u2028": "&#8232;", "\u2029": "&#8233;"}
# Other signs that end a line for some readers; entities may not stand for them.
_ESCAPED |= dict.fromkeys("\x0b\x1c\x1d\x1e\x85", "<br>")


def write(documents: ByDocument, given: Given) -> Iterator[Export]:
    """A file for each document: the name of each table as a heading, and the table under it."""
    for tables in documents:
        named = [(entry.gold.name, entry.sheet.table) for entry in tables]
        yield checked(name_of(tables[0], "md"), _text(tables).encode(), named, markdown)


def _text(tables: Sequence[Comparison]) -> str:
    parts = [f"# {tables[0].document.name}"]
    for entry in tables:
        table = entry.sheet.table
        parts.append(f"## {entry.gold.name}")
        parts.append(_piped(table) if _is_plain(table) else html.written(table, entry.gold.name))
    return "\n\n".join(parts) + "\n"


def _is_plain(table: Table) -> bool:
    """Whether a pipe table says all of it: one header row, and a cell of its own at each place."""
    return (
        table.n_cols > 1
        and table.header_rows == 1
        and len(table.cells) == table.n_rows * table.n_cols
        and not any(cell.header for cell in table.cells if cell.row)
    )


def _piped(table: Table) -> str:
    rows = [[_escaped(table.text_at(row, col)) for col in range(table.n_cols)] for row in range(table.n_rows)]
    rows.insert(1, ["---"] * table.n_cols)
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _escaped(text: str) -> str:
    return "".join(_ESCAPED.get(sign, sign) for sign in text)
