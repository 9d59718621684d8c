"""What the page reads in the boxes of an extracted table's cells, where that is not what was extracted."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from scoring.table import Box, Cell, Table
from scoring.text import PROFILES, similarity
from store.page_text import Word

Places = Mapping[tuple[int, int], str]

# A word lies in a box with so much of its area, and beside it with less than so little; between, the box cuts it.
_INSIDE, _BESIDE = 0.6, 0.15
# Words that share so much of the smaller one are written over each other.
_COVERED = 0.3
# Boxes and text layer are believed where so many of the cells of a page that can be compared have the words in their
# box. Boxes of whole rows, a moved frame and a garbled layer are far below; an extractor that misreads is far above.
_MOST_AGREE = 0.7
# Unless both have digits, the one has to be like the other: another alphabet is a garbled layer.
_ALIKE = 0.5
# A reason is read at a glance; a longer text is a page in a cell.
_LONGEST = 200
# So many cells are held against the words of their page at a time, as this takes cells x words numbers.
_AT_ONCE = 200
_LIGATURES = re.compile("ff[il]?|f[il]")
_BROKEN_LINE = re.compile(r"(?<=[^\W\d_])-\s+(?=[^\W\d_])")
_MINUS_BEHIND = re.compile(r"^([\d.,]+)-(?!\d)")
_UNREADABLE = frozenset({"Cc", "Cn", "Co", "Cs"})


@dataclass(frozen=True, slots=True)
class _Held:
    """A cell held against the words that lie in its box and make ``reading``."""

    cell: Cell
    words: Sequence[Word]
    reading: str
    agrees: bool


def box_readings(
    table: Table,
    words_of: Callable[[int], Sequence[Word]],
    seen: Callable[[int, Sequence[Sequence[Word]]], Sequence[bool]],
) -> Places:
    """The text that the page has in the box of a cell, by the cell's position, where it is another one.

    ``words_of`` gives the words of a page, ``seen`` whether all words of a group can be seen on it. Nothing is told of
    a page on which the boxes or the words cannot be relied on, nor of a cell whose box cuts a word or shares one.
    White space, the order of words, and forms of one character make no other text.
    """
    by_page: dict[int, list[Cell]] = defaultdict(list)
    for cell in table.cells:
        if cell.box is not None:
            by_page[cell.box.page].append(cell)
    told: dict[tuple[int, int], str] = {}
    for page, cells in sorted(by_page.items()):
        compared = list(_held(cells, words_of(page)))
        with_text = [held.agrees for held in compared if held.cell.text.strip()]
        other = [held for held in compared if not held.agrees]
        if not other or sum(with_text) < _MOST_AGREE * len(with_text):
            continue
        doubtful = [held for held in other if _may_be_told(held)]
        for held, visible in zip(doubtful, seen(page, [held.words for held in doubtful]), strict=True):
            if visible:
                told[held.cell.row, held.cell.col] = held.reading
    return told


def _held(cells: Sequence[Cell], words: Sequence[Word]) -> Iterator[_Held]:
    """The cells in whose box there are words, where it neither cuts a word nor shares one with another box."""
    if not words:
        return
    sides = np.array([(word.x0, word.y0, word.x1, word.y1) for word in words])
    owners = np.zeros(len(words), dtype=np.int64)
    cut: set[int] = set()
    found: dict[int, list[int]] = defaultdict(list)
    for start in range(0, len(cells), _AT_ONCE):
        shares = _share(cells[start : start + _AT_ONCE], sides)
        touched, inside = shares > _BESIDE, shares >= _INSIDE
        owners += touched.sum(axis=0)
        cut.update(start + int(at) for at in np.flatnonzero((touched & ~inside).any(axis=1)))
        for at, word in np.argwhere(inside).tolist():
            found[start + at].append(word)
    for at, group in found.items():
        if at not in cut and (owners[group] == 1).all():
            own = [words[word] for word in group]
            reading = " ".join(word.text for word in own)
            yield _Held(cells[at], own, reading, cells[at].text == reading or _same(cells[at].text, reading))


def _share(cells: Sequence[Cell], words: NDArray[np.float64]) -> NDArray[np.float64]:
    """By cell and word, which share of the word's area lies in the cell's box."""
    boxes = np.array([_sides(cell.box) for cell in cells])[:, :, None]
    across = np.minimum(boxes[:, 2], words[:, 2]) - np.maximum(boxes[:, 0], words[:, 0])
    down = np.minimum(boxes[:, 3], words[:, 3]) - np.maximum(boxes[:, 1], words[:, 1])
    area = np.maximum((words[:, 2] - words[:, 0]) * (words[:, 3] - words[:, 1]), 1e-12)
    shares: NDArray[np.float64] = np.maximum(across, 0.0) * np.maximum(down, 0.0) / area
    return shares


def _sides(box: Box | None) -> tuple[float, float, float, float]:
    assert box is not None
    return box.x0, box.y0, box.x1, box.y1


def _overlap(one: Word, other: Word) -> bool:
    """Whether two words lie on each other: much of one is covered by the other."""
    across = min(one.x1, other.x1) - max(one.x0, other.x0)
    down = min(one.y1, other.y1) - max(one.y0, other.y0)
    smaller = min((word.x1 - word.x0) * (word.y1 - word.y0) for word in (one, other))
    return across > 0 and down > 0 and across * down > _COVERED * smaller


def _may_be_told(held: _Held) -> bool:
    text, reading = held.cell.text, held.reading
    if len(reading) > _LONGEST or any(_overlap(*pair) for pair in combinations(held.words, 2)):
        return False
    if any(letter == "\ufffd" or unicodedata.category(letter) in _UNREADABLE for letter in reading):
        return False
    if not text.strip():
        return True
    numbers = all(any(letter.isdecimal() for letter in of) for of in (text, reading))
    return numbers or similarity(_plain(text), _plain(reading)) >= _ALIKE


def _same(text: str, reading: str) -> bool:
    one, other = _plain(text), _plain(reading)
    if "".join(one.split()) == "".join(other.split()) or sorted(one.split()) == sorted(other.split()):
        return True
    one, other = _bare(text), _bare(reading)
    if sorted(one) == sorted(other) and _letters(one) == _letters(other) and _letters(one).isalpha():
        return True  # a mark that stands before or behind
    return one == other or _without_currency(one) == other or one == _without_currency(other)


def _plain(text: str) -> str:
    # Capitals are no evidence: fonts of small ones are often encoded the wrong way round.
    return PROFILES["unicode"](text).casefold()


def _bare(text: str) -> str:
    """Without notation, white space, hyphens at the end of a line, and ligatures, which fonts forget to name.

    A minus stands before its number: in right-to-left text it may be behind.
    """
    bare = PROFILES["math"](_BROKEN_LINE.sub("", text)).casefold()
    bare = "".join(letter for letter in bare if letter not in "^_{} ")
    return _LIGATURES.sub("", _MINUS_BEHIND.sub(r"-\1", bare))


def _letters(text: str) -> str:
    return "".join(letter for letter in text if letter.isalnum())


def _without_currency(text: str) -> str:
    return "".join(letter for letter in text if unicodedata.category(letter) != "Sc")
