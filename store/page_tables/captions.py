"""Captions and notes that lie in the region of a table, told from its rows: lines of a single text."""

from __future__ import annotations

from collections.abc import Sequence

from store.page_tables.word_grid import Line, column_edges, lines_of
from store.page_text import Word

# A first line of one text that is wider than this share of the region is no row.
_WIDE = 0.6


def without_captions(inside: Sequence[int], words: Sequence[Word]) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """The words of a region without a caption above and notes below, and their texts.

    A caption is a paragraph: lines of one text, of which one is wide. A note is a last line of one text that begins at
    the left and runs into a second column. All words where too little would be left.
    """
    lines = lines_of(inside, words)
    wide = _WIDE * (max((line.x1 for line in lines), default=0) - min((line.x0 for line in lines), default=0))
    first, last = _end_of_caption(lines, wide), len(lines)
    edge = min(column_edges(lines[first:last]), default=float("inf"))
    while last > first and len(lines[last - 1].pieces) == 1 and lines[last - 1].x0 < edge < lines[last - 1].x1:
        last -= 1
    if last - first < 2:
        return tuple(inside), ()
    left_out = tuple(" ".join(words[number].text for number in line.words) for line in (*lines[:first], *lines[last:]))
    return tuple(sorted(number for line in lines[first:last] for number in line.words)), left_out


def _end_of_caption(lines: Sequence[Line], wide: float) -> int:
    """The number of lines up to the end of the paragraph: it goes on with lines that begin where its wide one does."""
    end = 0
    for at, line in enumerate(lines):
        if len(line.pieces) > 1:
            break
        follows = end and abs(line.x0 - lines[end - 1].x0) < line.y1 - line.y0
        if line.x1 - line.x0 > wide or follows:
            end = at + 1
    return end
