"""How far a cell may be trusted: whether builders that know nothing of each other have the same words in it."""

from __future__ import annotations

from collections.abc import Mapping

from scoring.table import Confidence, ConfidenceKind
from store.page_tables.grid import Grid, GridCell

NOTHING: frozenset[int] = frozenset()

# Of cells with words: how many were right, by builder, by how many others were asked, and by how many agreed.
# docs/extractors.md says on which documents that was counted, and how.
TEXT_RATES: Mapping[tuple[str, int, int], float] = {}
STRUCTURE_RATES: Mapping[tuple[str, int, int], float] = {}


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


def confidences(grid: Grid, others: tuple[Grid, ...]) -> dict[GridCell, tuple[Confidence, ...]]:
    """Confidence in text and in structure of each cell with words; none where no other builder was there to agree."""
    votes = [agreements(grid, other) for other in others]
    if not votes:
        return {}

    def trust(
        kind: ConfidenceKind, rates: Mapping[tuple[str, int, int], float], agreeing: int, what: str
    ) -> Confidence:
        value = rates.get((grid.builder, len(votes), agreeing))
        return Confidence(value, kind, "cell", _source(grid, others, agreeing, what))

    return {
        cell: (
            trust("text", TEXT_RATES, sum(vote[cell][0] for vote in votes), "the same words"),
            trust("structure", STRUCTURE_RATES, sum(vote[cell][1] for vote in votes), "the same words and neighbours"),
        )
        for cell in grid.cells
        if cell.words
    }


def _source(grid: Grid, others: tuple[Grid, ...], agreeing: int, what: str) -> str:
    asked = " and ".join(other.builder for other in others)
    return f"{agreeing} of {len(others)} ({asked}) have {what} as {grid.builder}; the share right on measured documents"


def _positions(grid: Grid) -> dict[tuple[int, int], frozenset[int]]:
    return {(row, col): frozenset(cell.words) for cell in grid.cells for row in cell.rows for col in cell.cols}


def _neighbours(
    cell: GridCell, words: Mapping[tuple[int, int], frozenset[int]]
) -> tuple[frozenset[int], frozenset[int]]:
    right, below = (cell.row, cell.col + cell.col_span), (cell.row + cell.row_span, cell.col)
    return words.get(right, NOTHING), words.get(below, NOTHING)
