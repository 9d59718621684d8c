"""Markdown tables as values: pipe tables as GitHub reads them and grid tables as Pandoc writes them."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scoring.reading.html_grid import LARGEST_GRID, TooLargeError
from scoring.table import Cell, Table

_DELIMITERS = re.compile(r"(?=.*\|)\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?")
_BORDER = re.compile(r"\s*\+(?:[-=:]+\+)+\s*")
_PIECE = re.compile(r"\\.|`+|\$+|\||[^\\`$|]+|\\", re.DOTALL)
_BREAK = re.compile(r"\s*<br\s*/?>\s*", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_RULES = frozenset("-=:")


@dataclass(frozen=True)
class MarkdownTable:
    """A table of a text, the line on which it begins (from 1 on), and for how many columns it is laid out.

    A row that has more cells than that keeps them: the table is wider then.
    """

    line: int
    width: int
    table: Table


def markdown_tables(text: str) -> tuple[Table, ...]:
    """The pipe tables and grid tables of a text in their order, as ``find_markdown_tables`` reads them."""
    return tuple(found.table for found in find_markdown_tables(text))


def find_markdown_tables(text: str) -> tuple[MarkdownTable, ...]:
    """The pipe tables and grid tables of a text in their order; what stands between them is passed over.

    A pipe table has a row of dashes, or two rows or more that begin and end with a pipe. The rows before the dashes
    are column headers, unless they are empty. Rows keep their number of cells: a short one ends in holes. ``\\|`` is
    a pipe, as is one in a code span or in mathematics where the number of columns agrees; ``<br>`` is a newline and
    entities are characters. In a grid table (https://pandoc.org/MANUAL.html#extension-grid_tables) cells have spans,
    lines of a cell are joined by spaces and "=" ends the head.

    Raises TooLargeError for more than 100,000 positions.
    """
    lines = text.splitlines()
    tables: list[MarkdownTable] = []
    start = 0
    while start < len(lines):
        if "|" not in lines[start] and "+" not in lines[start]:
            start += 1
            continue
        end = start
        if _BORDER.fullmatch(lines[start]):
            while end < len(lines) and lines[end].lstrip()[:1] in ("+", "|"):
                end += 1
            grid = _grid_table(lines[start:end])
            found = None if grid is None else MarkdownTable(start + 1, grid.n_cols, grid)
        else:
            while end < len(lines) and "|" in lines[end] and not _BORDER.fullmatch(lines[end]):
                end += 1
            found = _pipe_table(lines[start:end], start + 1)
        if found is not None and found.table.cells:
            tables.append(found)
        start = max(end, start + 1)
    return tuple(tables)


def _pipe_table(lines: Sequence[str], line: int) -> MarkdownTable | None:
    rules = [bool(_DELIMITERS.fullmatch(line.strip())) for line in lines]
    if any(rules):
        first = rules.index(True)
        width = sum(1 for _ in _split(lines[first]))
        # Above the header may stand a line of prose that holds a pipe.
        above = next((i for i in range(first - 1, 0, -1) if not lines[i - 1].lstrip().startswith("|")), 0)
        head = [_cells(line, width) for line in lines[above:first]] if first else []
    elif len(lines) > 1 and all(line.strip()[:1] == line.strip()[-1:] == "|" for line in lines):
        first, above, width, head = -1, 0, sum(1 for _ in _split(lines[0])), []
    else:
        return None
    head = [row for row in head if any(row)]
    body = [_cells(line, width) for line, rule in zip(lines[first + 1 :], rules[first + 1 :], strict=True) if not rule]
    rows = [*head, *body]
    n_cols = max(map(len, rows), default=0)
    _expect_small(len(rows), n_cols)
    cells = (
        Cell(row, col, text, header="column" if row < len(head) else "")
        for row, texts in enumerate(rows)
        for col, text in enumerate(texts)
    )
    return MarkdownTable(line + above, width, Table(len(rows), n_cols, tuple(cells)))


def _cells(line: str, width: int) -> list[str]:
    """The texts of a row: pipes in code and mathematics are text, unless only without that the width is right."""
    cells = list(_split(line, keeping="`$"))
    if len(cells) != width:
        bare = list(_split(line))
        if len(bare) == width:
            cells = bare
    return [_text(cell) for cell in cells]


def _split(line: str, *, keeping: str = "") -> Iterator[str]:
    pieces = _PIECE.findall(line.strip())
    if pieces and pieces[0] == "|":
        del pieces[0]
    if pieces and pieces[-1] == "|":
        del pieces[-1]
    closed_by = _closers(pieces, keeping) if keeping else {}
    cell: list[str] = []
    place = 0
    while place < len(pieces):
        end = closed_by.get(place, place)
        if pieces[place] == "|":
            yield "".join(cell)
            cell = []
        else:
            cell += ["|" if piece == "\\|" else piece for piece in pieces[place : end + 1]]
        place = end + 1
    yield "".join(cell)


def _closers(pieces: Sequence[str], marks: str) -> dict[int, int]:
    """Where the code span or mathematics ends that begins at a place."""
    following: dict[str, int] = {}
    closers: dict[int, int] = {}
    for place in range(len(pieces) - 1, -1, -1):
        mark = pieces[place]
        if mark[0] not in marks:
            continue
        before, after = "".join(pieces[place - 1 : place])[-1:], "".join(pieces[place + 1 : place + 2])[:1]
        if mark in following and (mark[0] == "`" or not after.isspace()):
            closers[place] = following[mark]
        # As in Pandoc: no space before the closing dollar and no digit after it, so that amounts are none.
        if mark[0] == "`" or not (before.isspace() or after.isdigit()):
            following[mark] = place
    return closers


def _text(cell: str) -> str:
    if "<" in cell:
        cell = _BREAK.sub("\n", cell)
    if "&" in cell:
        cell = _ENTITY.sub(lambda found: html.unescape(found[0]), cell)
    return cell.strip()


def _grid_table(lines: Sequence[str]) -> Table | None:
    """A grid table; every "+" of a border is a corner, and a side that is not drawn joins two positions."""
    indent = min(len(line) - len(line.lstrip()) for line in lines)
    lines = [line[indent:].rstrip() for line in lines]
    edges = sorted({place for line in lines if _is_border(line) for place, mark in enumerate(line) if mark == "+"})
    borders = [number for number, line in enumerate(lines) if _is_border(line)]
    n_rows, n_cols = len(borders) - 1, len(edges) - 1
    last = borders[-1]
    if last < len(lines) - 1:  # cut off: what there is counts
        borders.append(len(lines))
        n_rows += 1
    if n_rows < 1 or n_cols < 1:
        return None
    _expect_small(n_rows, n_cols)
    width = edges[-1] + 1
    lines = [line.ljust(width) for line in lines]
    head_ends = next((row for row, number in enumerate(borders[:-1]) if row and "=" in lines[number]), 0)
    taken: set[tuple[int, int]] = set()
    cells: list[Cell] = []
    for row in range(n_rows):
        for col in range(n_cols):
            if (row, col) in taken:
                continue
            right = _right_end(lines, borders, edges, row, col)
            right = next((across for across in range(col + 1, right) if (row, across) in taken), right)
            below = row + 1
            while below < n_rows and not _drawn(lines[borders[below]][edges[col] + 1 : edges[right]]):
                below += 1
            taken.update((down, across) for down in range(row, below) for across in range(col, right))
            inside = (line[edges[col] + 1 : edges[right]].strip() for line in lines[borders[row] + 1 : borders[below]])
            blocks = "\n".join(inside).split("\n\n")
            text = "\n".join(" ".join(block.split()) for block in blocks if block.strip())
            cells.append(Cell(row, col, _text(text), below - row, right - col, "column" if row < head_ends else ""))
    return Table(n_rows, n_cols, tuple(cells))


def _is_border(line: str) -> bool:
    return ("+-" in line and "-+" in line) or ("+=" in line and "=+" in line)


def _drawn(side: str) -> bool:
    return bool(side) and side[0] in _RULES and side[-1] in _RULES


def _right_end(lines: Sequence[str], borders: Sequence[int], edges: Sequence[int], row: int, col: int) -> int:
    inside = range(borders[row] + 1, borders[row + 1])
    for right in range(col + 1, len(edges)):
        if all(lines[number][edges[right]] in "|+" for number in inside):
            return right
    return len(edges) - 1


def _expect_small(n_rows: int, n_cols: int) -> None:
    if n_rows * n_cols > LARGEST_GRID:
        raise TooLargeError(
            f"a table has {n_rows:,} rows and {n_cols:,} columns, expected at most {LARGEST_GRID:,} positions"
        )
