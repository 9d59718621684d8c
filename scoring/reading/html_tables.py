"""The top tables of an HTML text as values, laid out as browsers do, whatever its quality."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from lxml import etree

from scoring.reading.html_grid import LARGEST_GRID, Element, TooLargeError, parse
from scoring.table import LARGEST_COL_SPAN, Cell, Header, Table

_TABLE_TAG = re.compile(r"<table[\s/>]", re.IGNORECASE)
_SPACE = re.compile(r"[ \t\r\n\f]+")
_SPACES = re.compile(r" {2,}")
_BREAKS = re.compile(r" *[\n\0][ \0]*")
_SPAN = re.compile(r"[ \t\n\f\r]*\+?([0-9]{1,9})")
_HIDDEN = re.compile(r"display\s*:\s*none", re.IGNORECASE)
_SECTIONS = ("thead", "tbody", "tfoot")
_BLOCKS = frozenset(
    ("p", "div", "li", "ul", "ol", "dl", "dt", "dd", "pre", "blockquote", "section", "hr", "tr", "table")
)
_BLOCKS |= {"h1", "h2", "h3", "h4", "h5", "h6", "center", "figure", "figcaption", "caption"}
_LEVELS = {"sup": ("^{", "}"), "sub": ("_{", "}")}
_UNSEEN = frozenset(("script", "style", "template", "noscript", "annotation", "annotation-xml"))


def html_tables(text: str) -> tuple[Table, ...]:
    """The tables that have cells, in the order of the text; a nested one is text of the cell that holds it.

    Cells are placed by the rule of https://html.spec.whatwg.org/multipage/tables.html ("forming a table"): spans push
    later cells to the right and end with their section, ``rowspan=0`` reaches to that end, a column span is at most
    1000 and where it would run into a cell from above it is cut. Head comes first, foot last. Cells outside a row
    have one of their own; rows and cells that are ``hidden`` or have ``display:none`` are left out.

    White space is collapsed, ``<br>`` and blocks are newlines, ``<sup>2</sup>`` is "^{2}" and ``<sub>2</sub>``
    "_{2}"; other markup is dropped. Cells are "column" headers in ``thead``, in leading rows that are all ``th`` (but
    for empty cells before the last), and where their scope says so; other ``th`` are "row" headers.

    Raises TooLargeError for more than a million characters or 100,000 positions; nothing else.
    """
    root = parse(text if _TABLE_TAG.search(text) else f"<table>{text}</table>")
    tables = (_table(_rows(node)) for node in root.iter("table") if next(node.iterancestors("table"), None) is None)
    return tuple(table for table in tables if table.cells)


@dataclass(slots=True)
class _Row:
    section: Literal["thead", "tbody", "tfoot"]
    group: Element  # rows of one section share it
    cells: list[Element] = field(default_factory=list)


def _rows(table: Element) -> list[_Row]:
    rows: list[_Row] = []
    count = 0
    walk = etree.iterwalk(table, events=("start",))
    stray: Element | None = None
    for _, node in walk:
        if node is table:
            continue
        if node.tag == "table" or _is_hidden(node):
            walk.skip_subtree()
        elif node.tag == "tr":
            rows.append(_row(node, table))
            stray = None
        elif node.tag in ("td", "th"):
            parent = node.getparent()
            if parent.tag != "tr" and parent is not stray:
                rows.append(_row(node, table))
                stray = parent
            rows[-1].cells.append(node)
            count += 1
            if count > LARGEST_GRID:
                raise TooLargeError(f"a table has more than {LARGEST_GRID:,} cells, expected at most that many")
            walk.skip_subtree()
    return sorted(rows, key=lambda row: _SECTIONS.index(row.section))


def _row(node: Element, table: Element) -> _Row:
    for above in node.iterancestors(*_SECTIONS, "table"):
        if above.tag != "table":
            return _Row(above.tag, above)
        break
    return _Row("tbody", table)


def _table(rows: Sequence[_Row]) -> Table:
    cells: list[Cell] = []
    taken: set[tuple[int, int]] = set()
    n_cols = 0
    leading = True  # only rows of column headers so far
    end = 0
    for index, row in enumerate(rows):
        if index >= end:
            end = next((i for i in range(index, len(rows)) if rows[i].group is not row.group), len(rows))
        texts = [_text(node) for node in row.cells]
        leading = leading and _is_header_row(row, texts)
        col = 0
        for node, text in zip(row.cells, texts, strict=True):
            while (index, col) in taken:
                col += 1
            width = min(_span(node.get("colspan")) or 1, LARGEST_COL_SPAN)
            width = next((across for across in range(1, width) if (index, col + across) in taken), width)
            height = min(_span(node.get("rowspan")) or len(rows), end - index)
            n_cols = max(n_cols, col + width)
            if len(rows) * n_cols > LARGEST_GRID:
                raise TooLargeError(
                    f"a table has {len(rows):,} rows and {n_cols:,} columns at its row {index + 1}, expected at most "
                    f"{LARGEST_GRID:,} positions; look for a wrong colspan"
                )
            taken.update(
                (below, across) for below in range(index, index + height) for across in range(col, col + width)
            )
            cells.append(Cell(index, col, text, height, width, "column" if leading else _header(node, row.section)))
            col += width
    return Table(len(rows), n_cols, tuple(cells))


def _span(written: str | None) -> int:
    found = _SPAN.match(written or "")
    return int(found[1]) if found else 1


def _is_header_row(row: _Row, texts: Sequence[str]) -> bool:
    if row.section == "thead":
        return True
    return bool(row.cells) and row.cells[-1].tag == "th" and all(
        (node.tag == "th" and node.get("scope") not in ("row", "rowgroup")) or not text
        for node, text in zip(row.cells, texts, strict=True)
    )  # fmt: skip


def _header(node: Element, section: str) -> Header:
    if section == "thead":
        return "column"
    if node.tag != "th":
        return ""
    return "column" if node.get("scope") in ("col", "colgroup") else "row"


def _is_hidden(node: Element) -> bool:
    return node.get("hidden") is not None or _HIDDEN.search(node.get("style", "")) is not None


def _text(cell: Element) -> str:
    if not len(cell):
        return _SPACE.sub(" ", cell.text or "").strip(" ")
    joined = _SPACES.sub(" ", "".join(_pieces(cell)))
    # "\0" is a line end only between two texts, unlike a <br>.
    return re.sub(r"\0+", "\n", _BREAKS.sub(lambda found: "\n" if "\n" in found[0] else "\0", joined).strip(" \0\n"))


def _pieces(cell: Element) -> Iterator[str]:
    if cell.text:
        yield _SPACE.sub(" ", cell.text)
    walk = etree.iterwalk(cell, events=("start", "end"))
    for event, node in walk:
        if node is cell:
            continue
        tag = node.tag
        shown = tag not in _UNSEEN and not _is_hidden(node)
        if event == "start":
            if not shown:
                walk.skip_subtree()
                continue
            if tag == "br":
                yield "\n"
            elif tag in _BLOCKS:
                yield "\0"
            elif tag in ("td", "th"):
                yield " "
            elif tag in _LEVELS:
                yield _LEVELS[tag][0]
            if node.text:
                yield _SPACE.sub(" ", node.text)
            continue
        if shown and tag in _LEVELS:
            yield _LEVELS[tag][1]
        elif shown and tag in _BLOCKS:
            yield "\0"
        if node.tail:
            yield _SPACE.sub(" ", node.tail)
