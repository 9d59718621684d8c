"""How far a cell that was read by OCR may be trusted: the least sure of its words, and whether builders agree on it."""

from __future__ import annotations

from collections.abc import Mapping

from scoring.table import Confidence, ConfidenceKind
from store.page_tables.agreement import agreements, share_right
from store.page_tables.grid import Grid, GridCell
from store.page_tables.page import ReadPage

# How many of the other builders agree on a cell, and the bin of its least sure word: (cells that were right, cells),
# counted with benchmarks.extractors on rasterised pages of ICDAR 2013. docs/extractors.md says more.
Counted = Mapping[tuple[str, int], tuple[int, int]]
TEXT: Counted = {}
STRUCTURE: Counted = {}
# The upper edges of the bins of confidence in a word.
BINS = (0.3, 0.6, 0.8, 0.9, 0.94, 0.96, 1.0)


def word_confidences(grid: Grid, others: tuple[Grid, ...], page: ReadPage) -> dict[GridCell, tuple[Confidence, ...]]:
    """Confidence in text and, where there was another builder, in structure of each cell with words."""
    votes = [agreements(grid, other) for other in others]
    found: dict[GridCell, tuple[Confidence, ...]] = {}
    for cell in grid.cells:
        if not cell.words:
            continue
        least = min(page.sure[number] for number in cell.words)
        place = next(at for at, edge in enumerate(BINS) if least <= edge)
        same, around = (_agreed([vote[cell][at] for vote in votes]) for at in (0, 1))
        who = f"{page.read_by}, its least sure word {least:.2f} (bin {place + 1} of {len(BINS)})"
        text = _trust("text", TEXT, same, place, f"{who}; {same} have the same words")
        structure = _trust("structure", STRUCTURE, around, place, f"{around} have the same words and neighbours; {who}")
        found[cell] = (text, structure) if votes else (text,)
    return found


def _agreed(votes: list[bool]) -> str:
    """How many of the other builders agree, in words."""
    if not votes:
        return "no other builders"
    return "all others" if all(votes) else "some others" if any(votes) else "no others"


def _trust(kind: ConfidenceKind, counted: Counted, agreed: str, place: int, source: str) -> Confidence:
    right, cells = counted.get((agreed, place), (0, 0))
    told = f"{source}; the share of such cells that were right on measured documents"
    return Confidence(share_right(right, cells), kind, "cell", told, f"{right} right of {cells}")
