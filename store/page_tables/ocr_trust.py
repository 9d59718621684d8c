"""How far a cell that was read by OCR may be trusted: its least sure word, its readers, and whether builders agree."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from scoring.table import Confidence, ConfidenceKind
from store.page_tables.agreement import FEWEST, agreements, share_right
from store.page_tables.grid import Grid, GridCell
from store.page_tables.opinions import Opinion
from store.page_tables.page import ReadPage
from store.page_tables.second_reader import NAME

# Whether another builder agrees on a cell, the bin of its least sure word, and whether two readers agree: (cells that
# were right, cells); where the second reader was taken, ``one`` counts as wrong. Counted with benchmarks.extractors
# on pages of ICDAR 2013 made into scans; see docs/extractors.md.
TEXT: Mapping[tuple[str, int, str], tuple[int, int]] = {
    ("no others", 0, "one"): (15, 37),
    ("no others", 1, "one"): (36, 50),
    ("no others", 2, "one"): (6, 17),
    ("no others", 3, "one"): (3, 23),
    ("no others", 4, "one"): (14, 49),
    ("others", 0, "one"): (69, 151),
    ("others", 1, "one"): (211, 289),
    ("others", 2, "one"): (337, 363),
    ("others", 3, "one"): (739, 767),
    ("others", 4, "one"): (2434, 2485),
    ("no others", 0, "same"): (0, 2),
    ("no others", 1, "same"): (1, 2),
    ("no others", 2, "same"): (1, 9),
    ("no others", 3, "same"): (2, 18),
    ("no others", 4, "same"): (12, 42),
    ("others", 0, "same"): (14, 16),
    ("others", 1, "same"): (83, 88),
    ("others", 2, "same"): (212, 222),
    ("others", 3, "same"): (580, 596),
    ("others", 4, "same"): (2195, 2228),
    ("no others", 0, "differ"): (0, 3),
    ("no others", 2, "differ"): (0, 2),
    ("no others", 3, "differ"): (0, 2),
    ("no others", 4, "differ"): (0, 1),
    ("others", 0, "differ"): (10, 14),
    ("others", 1, "differ"): (19, 26),
    ("others", 2, "differ"): (51, 61),
    ("others", 3, "differ"): (42, 50),
    ("others", 4, "differ"): (42, 51),
    ("no others", 0, "second"): (4, 7),
    ("no others", 1, "second"): (8, 9),
    ("others", 0, "second"): (29, 34),
    ("others", 1, "second"): (50, 57),
}
# Neighbours say next to nothing about the readers, so that these count only builders and three bins.
STRUCTURE: Mapping[tuple[str, int], tuple[int, int]] = {
    ("all others", 0): (180, 256),
    ("all others", 1): (241, 271),
    ("all others", 2): (2569, 2714),
    ("some others", 0): (109, 147),
    ("some others", 1): (68, 74),
    ("some others", 2): (279, 313),
    ("no others", 0): (15, 121),
    ("no others", 1): (2, 37),
    ("no others", 2): (53, 303),
}
# The upper edges of the bins of confidence in a word.
BINS = (0.5, 0.8, 0.9, 0.95, 1.0)
_COARSE_BINS = (0.8, 0.9, 1.0)


def word_confidences(
    grid: Grid, others: tuple[Grid, ...], page: ReadPage, told: Mapping[GridCell, Opinion]
) -> dict[GridCell, tuple[Confidence, ...]]:
    """Confidence in text and, where there was another builder, in structure of each cell with words."""
    votes = [agreements(grid, other) for other in others]
    found: dict[GridCell, tuple[Confidence, ...]] = {}
    for cell, opinion in told.items():
        place, coarse = _bin(opinion.least, BINS), _bin(opinion.least, _COARSE_BINS)
        same, around = (_agreed([vote[cell][at] for vote in votes]) for at in (0, 1))
        who = f"{_said(opinion, page)}, least sure word {opinion.least:.2f} (bin {place + 1} of {len(BINS)})"
        text = _trust("text", _texts_like(same, place, opinion.readers), f"{who}; {same} have the same words")
        structure = _trust("structure", STRUCTURE.get((around, coarse)), f"{around} have the same neighbours; {who}")
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


def _texts_like(agreed: str, place: int, readers: str) -> tuple[int, int]:
    """The counts of such cells; where they are few, those of all bins, and then those of any two readers."""
    if agreed == "no other builders":
        return 0, 0
    builders = "no others" if agreed == "no others" else "others"
    exact = TEXT.get((builders, place, readers), (0, 0))
    of_readers = _summed(builders, lambda who: who == readers)
    of_any = _summed(builders, lambda who: who != "one")
    return next((counts for counts in (exact, of_readers, of_any) if counts[1] >= FEWEST), (0, 0))


def _summed(builders: str, fits: Callable[[str], bool]) -> tuple[int, int]:
    alike = [counts for (agreed, _, who), counts in TEXT.items() if agreed == builders and fits(who)]
    return sum(right for right, _ in alike), sum(cells for _, cells in alike)


def _bin(least: float, edges: tuple[float, ...]) -> int:
    return next(at for at, edge in enumerate(edges) if least <= edge)


def _trust(kind: ConfidenceKind, counted: tuple[int, int] | None, source: str) -> Confidence:
    right, cells = counted or (0, 0)
    told = f"{source}; the share of such cells that were right on measured documents"
    return Confidence(share_right(right, cells), kind, "cell", told, f"{right} right of {cells}")
