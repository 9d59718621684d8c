"""What two readers make of the text of a cell: that of tesseract, and that of the second reader where it is there."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

from store.page_tables.grid import Grid, GridCell, cell_text, hull, sides
from store.page_tables.page import ReadPage
from store.page_tables.second_reader import readings
from store.page_tables.word_grid import lines_of

# Round a line the second reader sees so much more than its words, as a share of their height.
_MARGIN = 0.12
# The text of the second reader is taken where tesseract is less sure than this, and it itself surer than that.
_UNSURE, _SURE = 0.8, 0.9
# Readers write one sign in several ways.
_ALIKE = str.maketrans({"–": "-", "—": "-", "−": "-", "‘": "'", "’": "'", "“": '"', "”": '"', "„": '"', "·": "."})


@dataclass(frozen=True)
class Opinion:
    """The text of a cell, its least sure word by tesseract (0..1), and what the other reader has; None if not asked.

    ``by_second``: the text is that of the second reader, because tesseract was not sure.
    """

    text: str
    least: float
    other: str | None = None
    by_second: bool = False

    @property
    def readers(self) -> str:
        """Whether readers agree: ``same``, ``differ``, ``second`` where its text was taken; ``one`` is alone."""
        if self.other is None:
            return "one"
        if self.by_second:
            return "second"
        return "same" if _plain(self.other) == _plain(self.text) else "differ"


def opinions(grid: Grid, page: ReadPage, *, second: bool) -> Mapping[GridCell, Opinion]:
    """The opinion of each cell with words; the second reader is asked where it is wanted and knows the script."""
    return {cell: _opinion(cell, page, second=second) for cell in grid.cells if cell.words}


def _opinion(cell: GridCell, page: ReadPage, *, second: bool) -> Opinion:
    text = cell_text(cell, page.words)
    least = min(page.sure[number] for number in cell.words)
    if not second:
        return Opinion(text, least)
    pictures = []
    for line in lines_of(cell.words, page.words):
        x0, y0, x1, y1 = hull(sides(page.words[number]) for number in line.words) or (0.0, 0.0, 0.0, 0.0)
        margin = _MARGIN * (y1 - y0)
        edges = x0 - margin, y0 - margin, x1 + margin, y1 + margin
        left, top, right, bottom = (max(0, round(edge * page.scale)) for edge in edges)
        pictures.append(page.picture[top:bottom, left:right])
    read = readings(pictures)
    other = " ".join(said for said, _ in read)
    if least < _UNSURE and other and min(sure for _, sure in read) > _SURE and _plain(other) != _plain(text):
        return Opinion(other, least, text, by_second=True)
    return Opinion(text, least, other)


def _plain(text: str) -> str:
    return re.sub(r"\s+", "", unicodedata.normalize("NFKC", text).translate(_ALIKE))
