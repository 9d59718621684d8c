"""Rows and columns from nothing but the places of words: lines, and the white gaps that run down through them."""

from __future__ import annotations

import re
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from store.page_tables.grid import Grid, GridCell, hull, sides
from store.page_text import Word

BUILDER = "the places of the words"
# Words of one line have their middles nearer than this share of the lower word's height.
_SAME_LINE = 0.5
# The height of a letter is the height that this share of the words does not exceed.
_OF_HEIGHTS = 0.8
# In heights of a letter: a gap this wide parts two pieces of a line, and one this wide, through the lines, two columns.
_PIECE_GAP = 0.9
_COLUMN_GAP = 0.35
# So many of the lines may cross a gap between columns: titles and headings over several of them.
_CROSSING = 0.12
# A line that follows so close, in heights of a letter, may go on with what stands above it.
_FOLLOWS = 0.75
_DIGITS = re.compile(r"\d")


@dataclass(frozen=True)
class Piece:
    """Words of one line that stand together."""

    x0: float
    x1: float
    words: tuple[int, ...]


@dataclass(frozen=True)
class Line:
    """One line of words: its pieces from left to right."""

    pieces: tuple[Piece, ...]
    y0: float
    y1: float

    @property
    def x0(self) -> float:
        """Its left end."""
        return self.pieces[0].x0

    @property
    def x1(self) -> float:
        """Its right end."""
        return self.pieces[-1].x1

    @property
    def words(self) -> tuple[int, ...]:
        """The numbers of its words from left to right."""
        return tuple(number for piece in self.pieces for number in piece.words)


def word_grid(numbers: Sequence[int], words: Sequence[Word]) -> Grid:
    """The grid of the words with these numbers: a row for each line or wrapped text, a column between white gaps."""
    if not numbers:
        return Grid(0, 0, (), BUILDER)
    letter = _letter(numbers, words)
    lines = lines_of(numbers, words)
    edges = column_edges(lines)
    rows = _rows([_placed(line, edges) for line in lines], lines, words, letter)
    cells = []
    for row, placed in enumerate(rows):
        for (first, last), held in placed.items():
            box = hull(sides(words[number]) for number in held)
            cells.append(GridCell(row, first, 1, last - first + 1, box, tuple(sorted(held))))
        covered = {col for first, last in placed for col in range(first, last + 1)}
        cells += [GridCell(row, col) for col in range(len(edges) + 1) if col not in covered]
    return Grid(len(rows), len(edges) + 1, tuple(cells), BUILDER)


def _letter(numbers: Sequence[int], words: Sequence[Word]) -> float:
    heights = sorted(words[number].y1 - words[number].y0 for number in numbers)
    return heights[int(len(heights) * _OF_HEIGHTS)] or 1.0


def lines_of(numbers: Sequence[int], words: Sequence[Word]) -> list[Line]:
    """The words by lines from top to bottom, each in pieces that stand apart."""
    if not numbers:
        return []
    letter = _letter(numbers, words)
    grouped: list[list[int]] = []
    for number in sorted(numbers, key=lambda number: words[number].y0 + words[number].y1):
        word = words[number]
        if grouped and _same_line(word, words[grouped[-1][-1]]):
            grouped[-1].append(number)
        else:
            grouped.append([number])
    lines = []
    for group in grouped:
        pieces: list[list[int]] = []
        for number in sorted(group, key=lambda number: words[number].x0):
            if pieces and words[number].x0 - max(words[last].x1 for last in pieces[-1]) < _PIECE_GAP * letter:
                pieces[-1].append(number)
            else:
                pieces.append([number])
        lines.append(
            Line(
                tuple(
                    Piece(words[held[0]].x0, max(words[number].x1 for number in held), tuple(held)) for held in pieces
                ),
                min(words[number].y0 for number in group),
                max(words[number].y1 for number in group),
            )
        )
    return lines


def _same_line(word: Word, last: Word) -> bool:
    lower = min(word.y1 - word.y0, last.y1 - last.y0)
    return abs((word.y0 + word.y1) - (last.y0 + last.y1)) / 2 < _SAME_LINE * lower


def column_edges(lines: Sequence[Line]) -> list[float]:
    """Where one column ends and the next begins: the middles of gaps that few lines cross."""
    # A line of a single piece tells nothing about columns, unless there are no others.
    telling = [line for line in lines if len(line.pieces) > 1] or list(lines)
    letter = statistics.median(line.y1 - line.y0 for line in lines) if lines else 1.0
    events = sorted(
        [(piece.x0, 1) for line in telling for piece in line.pieces]
        + [(piece.x1, -1) for line in telling for piece in line.pieces],
        key=lambda event: (event[0], -event[1]),
    )
    allowed = int(_CROSSING * len(telling))
    edges: list[float] = []
    depth, began = 0, None
    for x, step in events:
        before, depth = depth, depth + step
        if before > allowed >= depth:
            began = x
        elif before <= allowed < depth and began is not None:
            if x - began > _COLUMN_GAP * letter:
                edges.append((began + x) / 2)
            began = None
    return edges


_Placed = dict[tuple[int, int], list[int]]


def _placed(line: Line, edges: Sequence[float]) -> _Placed:
    """The words of a line by the first and last column that each piece covers."""
    placed: _Placed = {}
    for piece in line.pieces:
        first = sum(edge < piece.x0 for edge in edges)
        last = max(first, sum(edge < piece.x1 for edge in edges))
        meeting = [(one, other) for one, other in placed if one <= last and first <= other]
        held = list(piece.words)
        for key in meeting:
            first, last = min(first, key[0]), max(last, key[1])
            held = [*placed.pop(key), *held]
        placed[first, last] = held
    return placed


def _rows(placed: Sequence[_Placed], lines: Sequence[Line], words: Sequence[Word], letter: float) -> list[_Placed]:
    """Lines as rows; a line that only goes on with texts of the row above is put to it."""
    rows: list[_Placed] = []
    for at, entry in enumerate(placed):
        if rows and _goes_on(entry, rows[-1], words) and lines[at].y0 - lines[at - 1].y1 < _FOLLOWS * letter:
            for key, held in entry.items():
                rows[-1][key] = [*rows[-1][key], *held]
        else:
            rows.append(dict(entry))
    return rows


def _goes_on(entry: _Placed, above: _Placed, words: Sequence[Word]) -> bool:
    texts = (words[number].text for held in entry.values() for number in held)
    return (
        set(entry) < set(above)
        and not any(first == 0 for first, _ in entry)
        and not any(_DIGITS.search(text) for text in texts)
    )
