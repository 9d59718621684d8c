"""How far a cell that was read by OCR may be trusted: its least sure word, its readers, and whether builders agree."""

from __future__ import annotations

from collections.abc import Mapping

from scoring.table import Confidence, ConfidenceKind
from store.page_tables.agreement import agreements, share_right
from store.page_tables.grid import Grid, GridCell
from store.page_tables.opinions import Opinion
from store.page_tables.page import ReadPage
from store.page_tables.second_reader import NAME

# How many other builders agree on a cell, the bin of its least sure word, and whether two readers agree: (cells that
# were right, cells), counted with benchmarks.extractors on pages of ICDAR 2013 made into scans; see docs/extractors.md.
Counted = Mapping[tuple[str, int, str], tuple[int, int]]
TEXT: Counted = {}
STRUCTURE: Counted = {}
# The upper edges of the bins of confidence in a word.
BINS = (0.5, 0.8, 0.9, 0.95, 1.0)


def word_confidences(
    grid: Grid, others: tuple[Grid, ...], page: ReadPage, told: Mapping[GridCell, Opinion]
) -> dict[GridCell, tuple[Confidence, ...]]:
    """Confidence in text and, where there was another builder, in structure of each cell with words."""
    votes = [agreements(grid, other) for other in others]
    found: dict[GridCell, tuple[Confidence, ...]] = {}
    for cell, opinion in told.items():
        place = next(at for at, edge in enumerate(BINS) if opinion.least <= edge)
        same, around = (_agreed([vote[cell][at] for vote in votes]) for at in (0, 1))
        who = f"{_said(opinion, page)}, least sure word {opinion.least:.2f} (bin {place + 1} of {len(BINS)})"
        text = _trust("text", TEXT, (same, place, opinion.readers), f"{who}; {same} have the same words")
        structure = _trust(
            "structure", STRUCTURE, (around, place, opinion.readers), f"{around} have the same neighbours; {who}"
        )
        found[cell] = (text, structure) if votes else (text,)
    return found


def _said(opinion: Opinion, page: ReadPage) -> str:
    """Who read what, in words."""
    match opinion.readers:
        case "same":
            return f"two readers have the same: {page.read_by} and {NAME}"
        case "second":
            return f"two readers differ: text of {NAME}; {page.read_by} has {opinion.other!r}"
        case "differ":
            return f"two readers differ: text of {page.read_by}; {NAME} has {opinion.other!r}"
    return f"one reader: {page.read_by}"


def _agreed(votes: list[bool]) -> str:
    """How many of the other builders agree, in words."""
    if not votes:
        return "no other builders"
    return "all others" if all(votes) else "some others" if any(votes) else "no others"


def _trust(kind: ConfidenceKind, counted: Counted, key: tuple[str, int, str], source: str) -> Confidence:
    right, cells = counted.get(key, (0, 0))
    told = f"{source}; the share of such cells that were right on measured documents"
    return Confidence(share_right(right, cells), kind, "cell", told, f"{right} right of {cells}")
