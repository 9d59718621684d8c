"""Tables written as HTML, Markdown or LaTeX inside any text, as values and as HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from html import escape
from typing import Any, Literal

from scoring.reading.html_grid import LARGEST_HTML, TooLargeError
from scoring.reading.html_tables import html_tables
from scoring.reading.json_value import json_value
from scoring.reading.latex_grid import latex_tables
from scoring.reading.markdown_grid import markdown_tables
from scoring.reading.notation import plain
from scoring.table import Table

# Markdown and LaTeX of this length are read in about a second; HTML has a limit of its own.
LARGEST_TEXT = 200_000
Kind = Literal["html", "markdown", "latex", "text"]

_TAG = re.compile(r"<(?:table|tr|td|th)[\s/>]", re.IGNORECASE)
_TABULAR = re.compile(r"\\begin\s*\{(?:tabular[*xy]?|longtable|supertabular\*?|xltabular|tabu|tblr)\}")
_ARRAY = re.compile(r"\\begin\s*\{array\}")
# Without one of these a text without tags has no table.
_MARKS = re.compile(r"\||\+[-=]|\\begin")
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[ \t]*[\w+-]*[ \t]*$", re.MULTILINE)
_SURROGATES = re.compile("[\ud800-\udfff]")


def read_tables(text: str) -> tuple[Table, ...]:
    """All tables of a text in their order, with header marks; () where there is none.

    The text may be a whole answer of a model: lines of code fences are taken away, prose around tables is passed over,
    of a JSON answer all its strings are read. The text of a cell keeps its notation ("$x^{2}$", "**bold**"), which
    ``notation.math`` reads, with newlines where the cell has lines. See ``html_tables``, ``markdown_tables`` and
    ``latex_tables`` for spans and headers. Raises TooLargeError for more than 200,000 characters (a
    million of HTML) or 100,000 positions, and nothing else whatever the text.
    """
    text = _unwrapped(text)
    kind = _kind(text)
    if kind == "html":
        return html_tables(text)
    if kind == "markdown":
        return markdown_tables(text)
    return latex_tables(text) if kind == "latex" else ()


def kind_of(text: str) -> Kind:
    """What the tables of a text are written in; "text" where there are none.

    HTML where a table, row or cell tag stands anywhere, else LaTeX where a ``tabular`` or its like begins, else
    Markdown where a table is found, else LaTeX for an ``array``. Raises TooLargeError as ``read_tables``.
    """
    return _kind(_unwrapped(text))


@lru_cache(maxsize=4)
def as_html(text: str) -> str:
    """A text with Markdown or LaTeX tables as HTML with th, td and spans; any other text unchanged.

    The texts of cells are without notation: "$\\times$" is "×" and "**bold**" is "bold". Header cells of columns and
    rows are th. The last few results are kept, since one table is read for several metrics. Raises TooLargeError as
    ``read_tables``.
    """
    if _TAG.search(text) or not _MARKS.search(text):
        return text
    tables = read_tables(text)
    return "\n".join(map(_html, tables)) if tables else text


def _unwrapped(text: str) -> str:
    if len(text) > LARGEST_HTML:
        raise TooLargeError(f"the text has {len(text):,} characters, expected at most {LARGEST_HTML:,}")
    if len(text) > LARGEST_TEXT and _MARKS.search(text) and not _TAG.search(text):
        raise TooLargeError(f"the text has {len(text):,} characters, expected at most {LARGEST_TEXT:,} without HTML")
    text = _FENCE.sub("", _SURROGATES.sub("\ufffd", text))
    start = text.lstrip()[:1]
    if start and start in '{["':
        try:  # an answer in JSON
            return "\n\n".join(_strings(json_value(text)))
        except ValueError:
            return text
    return text


def _strings(value: Any) -> Iterator[str]:
    left = [value]
    while left:
        part = left.pop()
        if isinstance(part, str):
            yield _FENCE.sub("", _SURROGATES.sub("\ufffd", part))
        elif isinstance(part, dict):
            left.extend(reversed(part.values()))
        elif isinstance(part, list):
            left.extend(reversed(part))


def _kind(text: str) -> Kind:
    if _TAG.search(text):
        return "html"
    if _TABULAR.search(text):
        return "latex"
    if markdown_tables(text):
        return "markdown"
    return "latex" if _ARRAY.search(text) else "text"


def _html(table: Table) -> str:
    ends = [0] * table.n_rows
    for row, col in table.grid:
        ends[row] = max(ends[row], col + 1)
    rows = (f"<tr>{''.join(_cells(table, row, end))}</tr>" for row, end in enumerate(ends))
    return f"<table>{''.join(rows)}</table>"


def _cells(table: Table, row: int, end: int) -> Iterator[str]:
    for col in range(end):
        cell = table.at(row, col)
        if cell is None:
            yield "<td></td>"  # HTML has holes only at the end of a row
        elif (cell.row, cell.col) == (row, col):
            tag = "th" if cell.header else "td"
            spans = f' rowspan="{cell.row_span}"' if cell.row_span > 1 else ""
            spans += f' colspan="{cell.col_span}"' if cell.col_span > 1 else ""
            lines = "<br>".join(escape(plain(line), quote=False) for line in cell.text.split("\n"))
            yield f"<{tag}{spans}>{lines}</{tag}>"
