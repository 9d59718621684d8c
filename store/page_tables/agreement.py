"""How far a cell may be trusted: whether builders that know nothing of each other have the same words in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scoring.table import Confidence, ConfidenceKind
from store.page_tables import drawn_grid, structure, word_grid
from store.page_tables.grid import Grid, GridCell

NOTHING: frozenset[int] = frozenset()

# Whose grid, how many others were asked, how many agreed: (cells that were right, cells), counted with
# benchmarks.extractors on 30 documents of ICDAR 2013. docs/extractors.md says more.
Counted = Mapping[tuple[str, int, int], tuple[int, int]]
_MODEL, _RULES, _GAPS = structure.BUILDER, drawn_grid.BY_RULES, drawn_grid.BY_GAPS
TEXT: Counted = {
    (_MODEL, 2, 2): (4931, 4949),
    (_MODEL, 2, 1): (549, 589),
    (_MODEL, 2, 0): (35, 140),
    (_MODEL, 1, 1): (50, 50),
    (_MODEL, 1, 0): (3, 3),
    (_RULES, 2, 2): (571, 571),
    (_RULES, 2, 1): (56, 56),
    (_RULES, 2, 0): (20, 20),
    (_RULES, 1, 1): (864, 866),
    (_RULES, 1, 0): (87, 147),
    (_GAPS, 2, 2): (107, 116),
    (_GAPS, 2, 1): (46, 81),
    (_GAPS, 1, 1): (5074, 5242),
    (_GAPS, 1, 0): (192, 267),
    (word_grid.BUILDER, 2, 2): (130, 130),
    (word_grid.BUILDER, 2, 1): (43, 45),
    (word_grid.BUILDER, 2, 0): (2, 3),
}
STRUCTURE: Counted = {
    (_MODEL, 2, 2): (4522, 4536),
    (_MODEL, 2, 1): (751, 796),
    (_MODEL, 2, 0): (84, 346),
    (_MODEL, 1, 1): (47, 47),
    (_MODEL, 1, 0): (6, 6),
    (_RULES, 2, 2): (463, 463),
    (_RULES, 2, 1): (142, 142),
    (_RULES, 2, 0): (42, 42),
    (_RULES, 1, 1): (674, 677),
    (_RULES, 1, 0): (259, 336),
    (_GAPS, 2, 2): (58, 62),
    (_GAPS, 2, 1): (85, 128),
    (_GAPS, 2, 0): (5, 7),
    (_GAPS, 1, 1): (4799, 4991),
    (_GAPS, 1, 0): (372, 518),
    (word_grid.BUILDER, 2, 2): (75, 75),
    (word_grid.BUILDER, 2, 1): (95, 97),
    (word_grid.BUILDER, 2, 0): (0, 6),
}
# Fewer cells tell no rate.
FEWEST = 10


def agreements(grid: Grid, other: Grid) -> dict[GridCell, tuple[bool, bool]]:
    """For each cell with words: whether the other grid has a cell of just these words, and with the same neighbours.

    Neighbours are those at the right and below.
    """
    there = {frozenset(cell.words): cell for cell in other.cells if cell.words}
    ours, theirs = _positions(grid), _positions(other)
    found = {}
    for cell in grid.cells:
        if cell.words:
            same = there.get(frozenset(cell.words))
            around = same is not None and _neighbours(cell, ours) == _neighbours(same, theirs)
            found[cell] = same is not None, around
    return found


def likeness(grids: Sequence[Grid]) -> list[float]:
    """How much each grid is like the others, the sum of 0..1 for each other one."""
    sums = [0.0] * len(grids)
    for one, grid in enumerate(grids):
        for other in range(one):
            alike = _likeness(grid, grids[other])
            sums[one] += alike
            sums[other] += alike
    return sums


def _likeness(grid: Grid, other: Grid) -> float:
    """The share of words that lie in cells of the same words, and that of words in cells with the same neighbours."""
    found = agreements(grid, other)
    every = len(grid.words | other.words)
    alike = sum(len(cell.words) * (text + around) for cell, (text, around) in found.items())
    return alike / (2 * every) if every else 0.0


def confidences(grid: Grid, others: tuple[Grid, ...]) -> dict[GridCell, tuple[Confidence, ...]]:
    """Confidence in text and in structure of each cell with words; none where no other builder was there to agree."""
    votes = [agreements(grid, other) for other in others]
    if not votes:
        return {}

    def trust(kind: ConfidenceKind, counted: Counted, agreeing: int, what: str) -> Confidence:
        right, cells = counted.get((grid.builder, len(votes), agreeing), (0, 0))
        return Confidence(
            share_right(right, cells), kind, "cell", _source(grid, others, agreeing, what), f"{right} right of {cells}"
        )

    return {
        cell: (
            trust("text", TEXT, sum(vote[cell][0] for vote in votes), "the same words"),
            trust("structure", STRUCTURE, sum(vote[cell][1] for vote in votes), "the same words and neighbours"),
        )
        for cell in grid.cells
        if cell.words
    }


def share_right(right: int, cells: int) -> float | None:
    """The share of cells that were right, a little nearer to the middle than counted (Laplace); None for too few.

    Nothing is certain because it never failed yet.
    """
    return (right + 1) / (cells + 2) if cells >= FEWEST else None


def _source(grid: Grid, others: tuple[Grid, ...], agreeing: int, what: str) -> str:
    asked = " and ".join(other.builder for other in others)
    share = "the share of such cells that were right on measured documents"
    return f"{agreeing} of {len(others)} ({asked}) have {what} as {grid.builder}; {share}"


def _positions(grid: Grid) -> dict[tuple[int, int], frozenset[int]]:
    return {(row, col): frozenset(cell.words) for cell in grid.cells for row in cell.rows for col in cell.cols}


def _neighbours(
    cell: GridCell, words: Mapping[tuple[int, int], frozenset[int]]
) -> tuple[frozenset[int], frozenset[int]]:
    right, below = (cell.row, cell.col + cell.col_span), (cell.row + cell.row_span, cell.col)
    return words.get(right, NOTHING), words.get(below, NOTHING)
