"""Markdown: pipe, grid and HTML tables in the order of the text, with the pages that its comments tell."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from pathlib import PurePath

from scoring.reading.html_grid import TooLargeError
from scoring.reading.markdown_grid import MarkdownTable, find_markdown_tables
from store.formats import html
from store.formats.charset import decode
from store.formats.contract import NAME, FormatError, Read, ReadTable, Repair, some
from store.pages import PageSize

_SUFFIXES = {".md", ".markdown"}
# Files of these suffixes may hold anything between bars.
_DELIMITED = {".csv", ".tsv", ".tab", ".psv"}
_PAGE_BREAK = re.compile(r"<!--\s{0,99}page[ _-]?break\s{0,99}-->", re.IGNORECASE)
_HEADING = re.compile(r" {0,3}#{1,6} +([^#]+?) *#* *")
_NUMBERED = re.compile(r"(?:table \d+)?")
_TAG = re.compile(r"<(/?)table(?=[\s>/])", re.IGNORECASE)


def sniff(raw: bytes, name: str) -> bool:
    """Whether there is a row of dashes and bars under a row with bars, or a comment that breaks the page.

    Of a file that is named as Markdown a table in HTML is enough.
    """
    suffix = PurePath(name).suffix.lower()
    if suffix in _DELIMITED:
        return False
    try:
        text, _ = decode(raw)
    except FormatError:
        return False
    if suffix in _SUFFIXES and (_TAG.search(text) or _has_table(text)):
        return True
    if _PAGE_BREAK.search(text):
        return _TAG.search(text) is not None or "|" in text
    return text.lstrip()[:1] not in ("<", "{", "[", "%") and _has_rule(text)


def _has_rule(text: str) -> bool:
    """Whether a line of dashes and bars alone follows one with bars."""
    lines = text.splitlines()
    return any("|" in above and _is_rule(line) for above, line in pairwise(lines))


def _is_rule(line: str) -> bool:
    marks = set(line)
    return marks >= {"-", "|"} and marks <= set("-|: \t")


def _has_table(text: str) -> bool:
    try:
        return bool(find_markdown_tables(text))
    except TooLargeError:
        return True


def read(raw: bytes, *, name: str, pages: Sequence[PageSize] = ()) -> Read:
    """All tables of the text in their order: pipe tables as GitHub reads them, grid tables of Pandoc, and HTML.

    ``<br>`` in a cell is a newline, entities are characters, marks such as ``**`` stay. A row with
    more cells than the head keeps them. Page 1 begins with the text and each comment
    ``<!-- PageBreak -->`` begins the next one; where there is such a comment the place of a table tells
    its page. Markdown carries no confidence and no boxes.
    """
    text, notes = decode(raw)
    tables = tables_in(text)
    if not tables:
        raise FormatError("no table in the Markdown, expected one with a row of dashes under its head, or <table>")
    return Read(tables, notes)


def tables_in(text: str) -> tuple[ReadTable, ...]:
    """The tables of a Markdown text, as ``read`` reads them; none where there are none.

    Raises FormatError for a table that is too large.
    """
    plain, spans = _without_html(text)
    lines = plain.splitlines()
    placed: list[tuple[int, ReadTable]] = []
    try:
        placed += (
            (found.line, _read_table(found, _heading(lines, found.line))) for found in find_markdown_tables(plain)
        )
    except TooLargeError as wrong:
        raise FormatError(str(wrong)) from None
    ends = list(accumulate(map(len, text.splitlines(keepends=True))))
    for start, end in spans:
        placed += ((bisect_right(ends, start) + 1, table) for table in html.tables_in(text[start:end]))
    placed.sort(key=lambda entry: entry[0])
    breaks = [bisect_right(ends, found.start()) + 1 for found in _PAGE_BREAK.finditer(text)]
    return tuple(_named(placed, breaks))


def _named(placed: Sequence[tuple[int, ReadTable]], breaks: Sequence[int]) -> Iterator[ReadTable]:
    names: set[str] = set()
    for number, (line, table) in enumerate(placed, start=1):
        name = f"table {number}" if _NUMBERED.fullmatch(table.name) or table.name in names else table.name
        names.add(name)
        page = f", page {bisect_left(breaks, line) + 1}" if breaks else ""
        yield replace(table, name=name, place=f"line {line}{page}")


def _without_html(text: str) -> tuple[str, list[tuple[int, int]]]:
    """The text with empty lines in place of its HTML tables, and where these stand."""
    spans: list[tuple[int, int]] = []
    depth = start = 0
    for tag in _TAG.finditer(text):
        if not tag[1]:
            start = tag.start() if not depth else start
            depth += 1
        elif depth:
            depth -= 1
            if not depth:
                end = text.find(">", tag.end())
                spans.append((start, len(text) if end < 0 else end + 1))
    if depth:
        spans.append((start, len(text)))
    parts: list[str] = []
    last = 0
    for begin, end in spans:
        parts += (text[last:begin], "\n" * (len(text[begin:end].splitlines()) - 1))
        last = end
    return "".join([*parts, text[last:]]), spans


def _heading(lines: Sequence[str], line: int) -> str:
    """The heading right above a table, without or with one empty line between, where it is a name; else ""."""
    above = [text for text in lines[max(0, line - 3) : line - 1] if text.strip()]
    heading = _HEADING.fullmatch(above[-1]) if above else None
    return heading[1] if heading and NAME.fullmatch(heading[1]) else ""


def _read_table(found: MarkdownTable, name: str) -> ReadTable:
    lengths = [0] * found.table.n_rows
    for cell in found.table.cells:
        lengths[cell.row] += cell.col_span
    repairs = tuple(
        Repair(row, found.width, f"the row has {length} cells and the head {found.width}: the others were kept")
        for row, length in enumerate(lengths)
        if length > found.width
    )
    short = [row + 1 for row, length in enumerate(lengths) if length < found.width]
    is_grid = any(cell.row_span > 1 for cell in found.table.cells)
    notes = () if is_grid or not short else (f"{some('row', short)}: fewer cells than the table has columns",)
    return ReadTable(name, found.table, notes, repairs)
