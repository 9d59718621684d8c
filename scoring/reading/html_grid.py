"""HTML tables of any quality as cells on a grid, by the placement rule of each published metric."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from lxml import etree

# More than any real table; a column span of a million must not fill the memory.
LARGEST_GRID = 100_000
# A hundred thousand cells are read in about a second.
LARGEST_HTML = 1_000_000
_ROW, _CELL = "tr", ("td", "th")
_PROLOG = re.compile(r"^\s*<\?xml[^>]*\?>", re.IGNORECASE)
_SURROGATES = re.compile("[\ud800-\udfff]")
# https://html.spec.whatwg.org/multipage/tables.html#attributes-common-to-td-and-th-elements
_LEADING_NUMBER = re.compile(r"[\t\n\f\r ]*\+?([0-9]{1,9})")
_LARGEST_COLSPAN, _LARGEST_ROWSPAN = 1000, 65534
# lxml publishes no type for an element.
Element = Any


class TooLargeError(ValueError):
    """A table or a pair of tables is too large to be scored in reasonable time and memory."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A cell on the grid: its first position, its spans and the runs of text inside it."""

    row: int
    col: int
    row_span: int
    col_span: int
    texts: tuple[str, ...]


@dataclass(frozen=True)
class Grid:
    """``n_rows`` x ``n_cols`` positions, each with the index of the cell that covers it; -1 is a hole."""

    n_rows: int
    n_cols: int
    cells: tuple[Placed, ...]

    @cached_property
    def covering(self) -> tuple[tuple[int, ...], ...]:
        """The index of the covering cell, row by row; where cells overlap, the later one wins."""
        positions = [[-1] * self.n_cols for _ in range(self.n_rows)]
        for index, cell in enumerate(self.cells):
            for row in range(cell.row, cell.row + cell.row_span):
                positions[row][cell.col : cell.col + cell.col_span] = [index] * cell.col_span
        return tuple(map(tuple, positions))


@lru_cache(maxsize=4)
def parse(html: str) -> Element:
    """The root of an HTML document, read leniently by libxml2 as the published metrics do; comments are lost.

    The text is put inside html and body unless it has both, which is how the reference scores were made. The
    last few results are kept, since one table is read for several metrics. Raises TooLargeError.
    """
    if len(html) > LARGEST_HTML:
        raise TooLargeError(f"the HTML has {len(html):,} characters, expected at most {LARGEST_HTML:,}")
    html = _SURROGATES.sub("\ufffd", _PROLOG.sub("", html))
    lower = html.lower()
    if "<html" not in lower or "<body" not in lower:
        html = f"<html><body>{html}</body></html>"
    parser = etree.HTMLParser(remove_comments=True, remove_pis=True)
    root = etree.fromstring(html, parser=parser)
    return etree.Element("html") if root is None else root  # None where all was a comment


def first_table(root: Element) -> Element | None:
    """The first table anywhere in the document, or None."""
    return next(root.iter("table"), None)


def all_rows(html: str) -> list[list[Placed]]:
    """The cells of every table row in document order, whichever table it is in.

    Cells outside a row are lost. Rows and columns count what is there; the spans are as written, 1 where they
    are no whole number. This is how T-LAG and the error rates read a document.
    """
    return [
        [
            Placed(row, col, whole_number(cell.get("rowspan")), whole_number(cell.get("colspan")), _texts(cell))
            for col, cell in enumerate(line.iterchildren(*_CELL))
        ]
        for row, line in enumerate(parse(html).iter(_ROW))
    ]


def _texts(cell: Element) -> tuple[str, ...]:
    if len(cell):
        return tuple(cell.itertext())
    text = cell.text
    return (text,) if text else ()


def whole_number(written: str | None) -> int:
    """A span as Python reads whole numbers, white space and ``>`` around it forgiven; 1 where there is none."""
    try:
        return int((written or "").strip().rstrip(">").strip())
    except ValueError:
        return 1


def running_spans(html: str) -> tuple[dict[tuple[int, int], int], list[str]]:
    """The index of the cell at each position that is covered, and the text of each cell, as T-LAG places them.

    All rows of all tables count. A row span 0 reaches to the last row; a span past it adds rows. A span from above
    pushes cells to the right. A row that ends left of such a span is not counted against it, so that the span
    pushes cells one row longer. Where cells overlap, the later one wins. Raises TooLargeError.
    """
    lines = all_rows(html)
    covering: dict[tuple[int, int], int] = {}
    texts: list[str] = []
    running: dict[int, tuple[int, int]] = {}  # column: rows still to come, cell
    placed = 0
    for row, line in enumerate(lines):
        col = 0
        for cell in line:
            col = _pass_running(running, covering, row, col)
            height = cell.row_span if cell.row_span else len(lines) - row
            width = cell.col_span if cell.col_span else 1
            placed += max(height, 0) * max(width, 0)
            if placed > LARGEST_GRID:
                raise _too_large(placed, row)
            if width > 0:
                for below in range(row, row + height):
                    for right in range(col, col + width):
                        covering[below, right] = len(texts)
            if height > 1:
                running.update((right, (height - 1, len(texts))) for right in range(col, col + width))
            texts.append("".join(cell.texts))
            col += width
        _pass_running(running, covering, row, col)
    return covering, texts


def _pass_running(running: dict[int, tuple[int, int]], covering: dict[tuple[int, int], int], row: int, col: int) -> int:
    while col in running:
        left, index = running.pop(col)
        covering[row, col] = index
        if left > 1:
            running[col] = (left - 1, index)
        col += 1
    return col


def _too_large(positions: int, row: int) -> TooLargeError:
    return TooLargeError(
        f"the table covers {positions:,} positions at its row {row + 1}, expected at most {LARGEST_GRID:,}; "
        "look for a wrong rowspan or colspan"
    )


@lru_cache(maxsize=4)
def tree_walk(html: str, *, browser_spans: bool) -> Grid | None:
    """The first table, or None, its cells placed in the order of the tree; a grid without cells has no size.

    Each ``tr`` begins a row, in nested tables too, and a cell takes the lowest free column of its row, anywhere in
    the table. Cells may overlap to the right; a row span past the last row adds rows.

    With ``browser_spans`` a span is the leading number, at most what HTML allows, and cells outside a row get one of
    their own, as Kensho's GriTS reads them. Without, a span is a whole number as in Microsoft's, which fails on all
    others: here they count as 1. Raises TooLargeError.
    """
    table = first_table(parse(html))
    if table is None:
        return None
    taken: defaultdict[int, set[int]] = defaultdict(set)
    cells: list[Placed] = []
    row, free, positions, rowless = -1, 0, 0, None
    for node in table.iter(_ROW, *_CELL):
        if node.tag == _ROW:
            row, free, rowless = row + 1, 0, None
            continue
        parent = node.getparent()
        if parent.tag != _ROW and (row < 0 or (browser_spans and parent is not rowless)):
            row, free, rowless = row + 1, 0, parent
        if browser_spans:
            width = _leading_number(node.get("colspan"), _LARGEST_COLSPAN)
            height = _leading_number(node.get("rowspan"), _LARGEST_ROWSPAN)
        else:
            width = max(whole_number(node.get("colspan")), 1)
            height = max(whole_number(node.get("rowspan")), 1)
        positions += width * height
        if positions > LARGEST_GRID:
            raise _too_large(positions, row)
        while free in taken[row]:
            free += 1
        for below in range(row, row + height):
            taken[below].update(range(free, free + width))
        cells.append(Placed(row, free, height, width, _texts(node)))
    n_rows = max((cell.row + cell.row_span for cell in cells), default=0)
    n_cols = max((cell.col + cell.col_span for cell in cells), default=0)
    if n_rows * n_cols > LARGEST_GRID:
        raise _too_large(n_rows * n_cols, n_rows - 1)
    return Grid(n_rows, n_cols, tuple(cells))


def _leading_number(written: str | None, most: int) -> int:
    found = _LEADING_NUMBER.match(written or "")
    return min(int(found[1]), most) or 1 if found else 1
