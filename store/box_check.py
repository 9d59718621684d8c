"""Whether the boxes of a reading lie on the words of its document: boxes off the page, and frames that fit better."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from statistics import median
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from scoring.table import Box, Cell
from store.formats import ReadTable
from store.formats.contract import some
from store.page_text import Word
from store.pages import DocumentError, PageSize, words

Points = NDArray[np.float64]
_T = TypeVar("_T")

# A box may pass the edge of the page by so much (of its side): vendors round.
_SLACK = 0.005
# So many pages and cells are looked at: a frame is that of the whole file.
_MOST_PAGES, _MOST_CELLS, _MOST_PAIRS = 3, 120, 60
_FEWEST_CELLS = 6
# Told is a frame by which so many more of the texts lie in their boxes, where by the given one few do.
_FEW, _BETTER, _MOST = 0.5, 0.3, 0.6


@dataclass(frozen=True)
class _Frame:
    """How a box is read: ``across = x[0] * side + x[1]``, and so on down; ``swapped`` takes the sides crosswise."""

    name: str
    x: tuple[float, float] = (1.0, 0.0)
    y: tuple[float, float] = (1.0, 0.0)
    swapped: bool = False
    pages: int = 0

    def placed(self, box: Box) -> tuple[float, float, float, float]:
        """The box as fractions of the page by this frame."""
        sides = (box.y0, box.x0, box.y1, box.x1) if self.swapped else (box.x0, box.y0, box.x1, box.y1)
        across = sorted(self.x[0] * side + self.x[1] for side in sides[::2])
        down = sorted(self.y[0] * side + self.y[1] for side in sides[1::2])
        return across[0], down[0], across[1], down[1]


_GIVEN = _Frame("as given")
_KNOWN = (
    _Frame("with the origin at the bottom left of the page", y=(-1.0, 1.0)),
    _Frame("with the origin at the bottom right of the page", (-1.0, 1.0), (-1.0, 1.0)),
    _Frame("with across and down exchanged", swapped=True),
    _Frame("on the page turned by a quarter to the right", (-1.0, 1.0), swapped=True),
    _Frame("on the page turned by a quarter to the left", y=(-1.0, 1.0), swapped=True),
    _Frame("with pages counted from 0", pages=1),
    _Frame("with pages counted one too high", pages=-1),
)


def checked(
    tables: Sequence[ReadTable], words_of: Callable[[int], Sequence[Word]], pages: Sequence[PageSize]
) -> tuple[tuple[ReadTable, ...], tuple[str, ...]]:
    """The tables, with a note at each that has boxes off the page, and a note where another frame fits better.

    ``words_of`` gives the words of a page, none where it has no text. Nothing is moved: a reader that takes
    a frame wrongly, or a file made from another document, is for a person to decide on.
    """
    noted = tuple(_with_boxes_outside(table, pages) for table in tables)
    cells = [cell for table in tables for cell in table.table.cells if cell.box and cell.text.strip()]
    better = _better(cells, words_of) if len(cells) >= _FEWEST_CELLS else ""
    return noted, (better,) if better else ()


def words_in(file: Path | None) -> Callable[[int], Sequence[Word]]:
    """The words of a page of a document's file by its number; none where the page cannot be read."""

    def words_of(page: int) -> Sequence[Word]:
        with suppress(DocumentError):
            return _read_once(file, page) if file else ()
        return ()

    return words_of


# What looks at the boxes of a document does so at about the same time, and to read a page takes longer than to look.
@lru_cache(maxsize=64)
def _read_once(file: Path, page: int) -> Sequence[Word]:
    return words(file, page)


def _with_boxes_outside(table: ReadTable, pages: Sequence[PageSize]) -> ReadTable:
    numbers = {page.number for page in pages}
    outside = [
        f"row {cell.row + 1}, column {cell.col + 1}"
        for cell in table.table.cells
        if cell.box and numbers and (cell.box.page not in numbers or _is_off(cell.box))
    ]
    if not outside:
        return table
    lie = "the boxes of {} lie" if len(outside) > 1 else "the box of {} lies"
    told = lie.format(some("cell", [f"({place})" for place in outside], most=3))
    return replace(table, notes=(*table.notes, f"{told} outside the page ({len(pages)} in the document)"))


def _is_off(box: Box) -> bool:
    return min(box.x0, box.y0) < -_SLACK or max(box.x1, box.y1) > 1 + _SLACK


def _better(cells: Sequence[Cell], words_of: Callable[[int], Sequence[Word]]) -> str:
    """Which frame fits the words of the pages better than the given one, in words; "" for none."""
    by_page: dict[int, list[Cell]] = defaultdict(list)
    for cell in cells:
        if cell.box:
            by_page[cell.box.page].append(cell)
    chosen = [page for page, _ in sorted(by_page.items(), key=lambda item: -len(item[1]))[:_MOST_PAGES]]
    sample = [cell for page in chosen for cell in _spread(by_page[page], _MOST_CELLS // len(chosen))]
    kept: dict[int, _Page] = {}

    def page_of(number: int) -> _Page:
        if number not in kept:
            kept[number] = _Page.of(words_of(number) if number > 0 else ())
        return kept[number]

    if not any(page_of(page + step).texts for page in chosen for step in (0, -1, 1)):
        return ""
    given = _share(_GIVEN, sample, page_of)
    if given >= _FEW:
        return ""
    found = [(_share(frame, sample, page_of), frame) for frame in (*_KNOWN, *_fitted(sample, page_of))]
    share, best = max(found, key=lambda entry: entry[0])
    if share < _MOST or share < given + _BETTER:
        return ""
    return (
        f"the boxes fit the page badly: {given:.0%} of the words of the cells lie in them. Read {best.name}, "
        f"{share:.0%} would. Nothing was changed; look whether the extractor counts so, or saw another document"
    )


@dataclass(frozen=True)
class _Page:
    """The words of a page as places by text, and where their middles are."""

    texts: dict[str, list[int]]
    middles: Points

    @classmethod
    def of(cls, words: Sequence[Word]) -> _Page:
        texts: dict[str, list[int]] = defaultdict(list)
        for index, word in enumerate(words):
            texts[word.text.casefold()].append(index)
        middles = [((word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2) for word in words]
        return cls(dict(texts), np.array(middles, dtype=np.float64).reshape(-1, 2))


def _share(frame: _Frame, cells: Sequence[Cell], page_of: Callable[[int], _Page]) -> float:
    """The share of the words of the cells that stand on the page inside the box of their cell."""
    found = total = 0
    for cell in cells:
        if cell.box is None:
            continue
        page = page_of(cell.box.page + frame.pages)
        x0, y0, x1, y1 = frame.placed(cell.box)
        for word in cell.text.casefold().split():
            total += 1
            at = page.middles[page.texts.get(word, [])]
            inside = (at[:, 0] >= x0 - _SLACK) & (at[:, 0] <= x1 + _SLACK)
            found += bool((inside & (at[:, 1] >= y0 - _SLACK) & (at[:, 1] <= y1 + _SLACK)).any())
    return found / total if total else 0.0


def _fitted(cells: Sequence[Cell], page_of: Callable[[int], _Page]) -> Iterator[_Frame]:
    """The shift and scale that carry the boxes to the words, by texts that stand once among the cells and once on
    the page; the median slope of all pairs of them (Theil and Sen) is not led astray by a third of wrong ones.
    """
    counts = Counter((cell.box.page, cell.text.casefold().strip()) for cell in cells if cell.box)
    pairs = []
    for cell in cells:
        if cell.box is None:
            continue
        text, page = cell.text.casefold().strip(), page_of(cell.box.page)
        if counts[cell.box.page, text] == 1 and len(page.texts.get(text, ())) == 1:
            middle = (cell.box.x0 + cell.box.x1) / 2, (cell.box.y0 + cell.box.y1) / 2
            pairs.append((middle, tuple(page.middles[page.texts[text][0]])))
    pairs = _spread(pairs, _MOST_PAIRS)
    for swapped in (False, True):
        x = _line([(box[1 if swapped else 0], at[0]) for box, at in pairs])
        y = _line([(box[0 if swapped else 1], at[1]) for box, at in pairs])
        if x and y:
            yield _Frame(_in_words(x, y, swapped), x, y, swapped)


def _line(pairs: Sequence[tuple[float, float]]) -> tuple[float, float] | None:
    boxes = [box for box, _ in pairs] or [0.0]
    # Two boxes side by side tell little of the scale.
    apart = 0.02 * (max(boxes) - min(boxes))
    slopes = [(b[1] - a[1]) / (b[0] - a[0]) for a, b in combinations(pairs, 2) if abs(b[0] - a[0]) > apart]
    if len(slopes) < 3:
        return None
    slope = median(slopes)
    return slope, median(at - slope * box for box, at in pairs)


def _in_words(x: tuple[float, float], y: tuple[float, float], swapped: bool) -> str:
    crosswise = "with across and down exchanged, " if swapped else ""
    if max(abs(x[0] - 1), abs(y[0] - 1)) < 0.02:
        return f"{crosswise}moved by {x[1]:+.1%} of the page across and {y[1]:+.1%} down"
    return (
        f"{crosswise}scaled by {x[0]:.3g} across and {y[0]:.3g} down, then moved by {x[1]:+.1%} of the page across and "
        f"{y[1]:+.1%} down"
    )


def _spread(entries: list[_T], most: int) -> list[_T]:
    """At most so many of the entries, from all parts of the list."""
    step = max(1, -(-len(entries) // max(most, 1)))
    return entries[::step]
