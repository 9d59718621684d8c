"""A grid that a builder found on a page, and the words in its cells; sides are points of the page as read."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from store.page_text import Word

Sides = tuple[float, float, float, float]

# A word that lies in no cell goes to the nearest one, if it is not further away than this many times its height.
_REACH = 1.5
# Words of a script without spaces are joined without one.
_UNSPACED = re.compile(r"[\u2e80-\u30ff\u31f0-\u9fff\uf900-\ufaff\uff00-\uffef]")
_NUMBER = re.compile(r"[^\w]*\d[\d.,'\s]*[^\w]*\w{0,3}")


@dataclass(frozen=True, slots=True)
class GridCell:
    """One cell: its place and span on the grid, its sides where known, and the numbers of its words."""

    row: int
    col: int
    row_span: int = 1
    col_span: int = 1
    sides: Sides | None = None
    words: tuple[int, ...] = ()
    header: bool = False

    @property
    def rows(self) -> range:
        """The rows that it covers."""
        return range(self.row, self.row + self.row_span)

    @property
    def cols(self) -> range:
        """The columns that it covers."""
        return range(self.col, self.col + self.col_span)


@dataclass(frozen=True)
class Grid:
    """Rows, columns and cells that do not overlap; ``builder`` says in words who found them."""

    n_rows: int
    n_cols: int
    cells: tuple[GridCell, ...]
    builder: str

    @property
    def words(self) -> frozenset[int]:
        """The numbers of all words in cells."""
        return frozenset(word for cell in self.cells for word in cell.words)


def hull(boxes: Iterable[Sides]) -> Sides | None:
    """The smallest rectangle round all of them; None for none."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True) if (boxes := list(boxes)) else ((), (), (), ())
    return (min(lefts), min(tops), max(rights), max(bottoms)) if lefts else None


def sides(word: Word) -> Sides:
    """The four sides of a word."""
    return word.x0, word.y0, word.x1, word.y1


def common_area(one: Sides, other: Sides) -> float:
    """The area that two rectangles share."""
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    return across * down if across > 0 and down > 0 else 0.0


def area(box: Sides) -> float:
    """Width times height, never quite 0, so that it can be divided by."""
    return max(box[2] - box[0], 1e-6) * max(box[3] - box[1], 1e-6)


def within(box: Sides, words: Sequence[Word]) -> tuple[int, ...]:
    """The numbers of the words whose middle lies in the box."""
    return tuple(
        number
        for number, word in enumerate(words)
        if box[0] <= (word.x0 + word.x1) / 2 <= box[2] and box[1] <= (word.y0 + word.y1) / 2 <= box[3]
    )


def with_words(grid: Grid, numbers: Iterable[int], words: Sequence[Word]) -> tuple[Grid, float]:
    """The grid with each word in the cell that holds most of it, and the share of words whose middle lies in a cell.

    A word in no cell goes to the nearest one that is not too far; others stay out. Cells must have sides.
    """
    held: dict[int, list[int]] = {}
    inside = total = 0
    boxes = [cell.sides for cell in grid.cells]
    for number in numbers:
        total += 1
        word = words[number]
        box = sides(word)
        shares = [common_area(box, other) if other else 0.0 for other in boxes]
        best = max(range(len(shares)), key=shares.__getitem__, default=-1)
        if best >= 0 and shares[best] > 0:
            inside += shares[best] >= 0.5 * area(box)
        else:
            gaps = [_gap(box, other) if other else float("inf") for other in boxes]
            best = min(range(len(gaps)), key=gaps.__getitem__, default=-1)
            if best < 0 or gaps[best] > _REACH * (box[3] - box[1]):
                continue
        held.setdefault(best, []).append(number)
    cells = tuple(replace(cell, words=tuple(sorted(held.get(at, ())))) for at, cell in enumerate(grid.cells))
    return replace(grid, cells=cells), inside / total if total else 0.0


def _gap(box: Sides, other: Sides) -> float:
    """How far apart two rectangles are; rows are told apart by less than columns, so that down counts twice."""
    across = max(0.0, box[0] - other[2], other[0] - box[2])
    down = max(0.0, box[1] - other[3], other[1] - box[3])
    return across + 2 * down


def without_empty_lines(grid: Grid) -> Grid:
    """The grid without rows and columns that hold no word of their own; spans over them get shorter."""
    cells = list(grid.cells)
    n_rows, n_cols = grid.n_rows, grid.n_cols
    for row in reversed(range(grid.n_rows)):
        if not any(cell.words and row in cell.rows and cell.row_span == 1 for cell in cells):
            spanning = [cell for cell in cells if cell.words and row in cell.rows]
            if any(_only_home(cell.rows, row, cells, by_row=True) for cell in spanning):
                continue
            cells, n_rows = [kept for cell in cells if (kept := _row_cut(cell, row))], n_rows - 1
    for col in reversed(range(grid.n_cols)):
        if not any(cell.words and col in cell.cols and cell.col_span == 1 for cell in cells):
            spanning = [cell for cell in cells if cell.words and col in cell.cols]
            if any(_only_home(cell.cols, col, cells, by_row=False) for cell in spanning):
                continue
            cells, n_cols = [kept for cell in cells if (kept := _col_cut(cell, col))], n_cols - 1
    return replace(grid, n_rows=n_rows, n_cols=n_cols, cells=tuple(cells))


def _only_home(lines: range, line: int, cells: Sequence[GridCell], *, by_row: bool) -> bool:
    """Whether a cell over several lines would have none left if the lines without words of their own go."""
    own = {
        other
        for cell in cells
        if cell.words and (cell.row_span if by_row else cell.col_span) == 1
        for other in (cell.rows if by_row else cell.cols)
    }
    # Of lines that all lack words of their own the first one stays.
    return not any(other in own for other in lines) and line == lines[0]


def _row_cut(cell: GridCell, row: int) -> GridCell | None:
    if row in cell.rows:
        return replace(cell, row_span=cell.row_span - 1) if cell.row_span > 1 else None
    return replace(cell, row=cell.row - 1) if cell.row > row else cell


def _col_cut(cell: GridCell, col: int) -> GridCell | None:
    if col in cell.cols:
        return replace(cell, col_span=cell.col_span - 1) if cell.col_span > 1 else None
    return replace(cell, col=cell.col - 1) if cell.col > col else cell


def in_reading_direction(grid: Grid, words: Sequence[Word]) -> Grid:
    """The grid with its first column at the right where most letters are of a script that runs leftward."""
    ways = Counter(
        unicodedata.bidirectional(letter) for cell in grid.cells for word in cell.words for letter in words[word].text
    )
    if ways["R"] + ways["AL"] <= ways["L"]:
        return grid
    cells = tuple(replace(cell, col=grid.n_cols - cell.col - cell.col_span) for cell in grid.cells)
    return replace(grid, cells=cells)


def cell_text(cell: GridCell, words: Sequence[Word]) -> str:
    """The words of a cell in reading order, joined by a space, or by nothing in scripts that have none."""
    text = ""
    for number in cell.words:
        word = words[number].text
        joined = not text or (_UNSPACED.match(text[-1]) and _UNSPACED.match(word))
        text += word if joined else f" {word}"
    return text


def with_header_rows(grid: Grid, words: Sequence[Word]) -> Grid:
    """The grid with its leading rows above the first one with a number marked as header, if most rows have one.

    A grid whose builder has marked headers is left as it is; so is one whose first row has a number.
    """
    if any(cell.header for cell in grid.cells):
        return grid
    numeric = {
        row
        for cell in grid.cells
        if cell.col > 0 and cell.row_span == 1 and _NUMBER.fullmatch(cell_text(cell, words))
        for row in cell.rows
    }
    first = min(numeric, default=0)
    if not first or first > grid.n_rows / 2 or 2 * len(numeric) < grid.n_rows - first:
        return grid
    return replace(grid, cells=tuple(replace(cell, header=cell.row < first) for cell in grid.cells))
