"""Where each value of gold is found in the prediction: in its place, in a cell with others, in a wrong column."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from scoring.fidelity.grid_alignment import Alignment
from scoring.fidelity.header_paths import Headers
from scoring.fidelity.sheets import Sheet
from scoring.fidelity.text_recovery import found_in_order, likeness, taken_apart

How = Literal["placed", "fused", "misplaced", "wrong", "lost"]
Position = tuple[int, int]

# Below this the text in the place of a value is another value.
_SAME_VALUE = 0.5
# A line of a cell is taken for a value only where nothing speaks against it.
_SURELY = 0.9
# Values of several rows in one cell, a line each, in order.
_LINE_BY_LINE = 0.95


@dataclass(frozen=True, slots=True)
class Found:
    """A value of gold, the positions it covers there, and where and how it is found; ``kept`` is its share, 0..1."""

    text: str
    extent: tuple[Position, ...]
    how: How
    kept: float
    place: Position | None

    @property
    def row(self) -> int:
        """The first row in gold."""
        return self.extent[0][0]

    @property
    def col(self) -> int:
        """The first column in gold."""
        return self.extent[0][1]


def values_of(sheet: Sheet, headers: Headers) -> list[tuple[Position, ...]]:
    """The positions of each value, in reading order: what stands below the header, right of the labels."""
    extents: dict[int, list[Position]] = {}
    for row in range(headers.header_rows, sheet.n_rows):
        if not headers.is_section[row]:
            for col in range(headers.label_cols, sheet.n_cols):
                if sheet.said(row, col):
                    extents.setdefault(sheet.owners[row][col], []).append((row, col))
    return [tuple(extent) for extent in extents.values()]


def find_values(gold: Sheet, headers: Headers, pred: Sheet, alignment: Alignment) -> list[Found]:
    """Where each value of gold is found. A cell of the prediction gives one value, or several that share it.

    Values that share a cell are told apart by its lines, if there is a line for each, and keep nearly all. Run
    together they keep one share of the cell each, the more there are the less: of two values a reader guesses which
    is which, of six not. Figures joined without a space are lost.
    """
    extents = values_of(gold, headers)
    found: dict[int, Found] = {}
    used: set[int] = set()
    for index, extent in enumerate(extents):
        text = gold.texts[extent[0][0]][extent[0][1]]
        places = [(alignment.rows[row], alignment.cols[col]) for row, col in extent]
        kept, place = max(
            ((likeness(text, pred.texts[row][col]), (row, col)) for row, col in places if row >= 0 and col >= 0),
            key=lambda each: each[0],
            default=(0.0, None),
        )
        if kept >= _SAME_VALUE and place is not None:
            found[index] = Found(text, extent, "placed", kept, place)
            used.add(pred.owners[place[0]][place[1]])
    for index, shared in _shared(gold, extents, found, pred, alignment).items():
        found[index] = shared
        assert shared.place is not None
        used.add(pred.owners[shared.place[0]][shared.place[1]])
    rows = {alignment.rows[extents[index][0][0]] for index in range(len(extents)) if index not in found} - {-1}
    free = {row: _free(pred, row, used) for row in sorted(rows)}
    for index, extent in enumerate(extents):
        if index not in found:
            found[index] = _elsewhere(gold, extent, pred, alignment, free)
    return [found[index] for index in range(len(extents))]


def _shared(
    gold: Sheet,
    extents: Sequence[tuple[Position, ...]],
    found: dict[int, Found],
    pred: Sheet,
    alignment: Alignment,
) -> dict[int, Found]:
    """The values that stand in a cell together with others, in or next to their place."""
    near_rows, near_cols = _near(alignment.rows), _near(alignment.cols)
    for row, near in enumerate(near_rows):
        if alignment.rows[row] < 0 and len(near) > 1:
            agree = {at_row: _agreement(gold, row, pred, at_row, alignment.cols) for at_row in near}
            near.sort(key=agree.__getitem__, reverse=True)
    sharing: defaultdict[Position, list[int]] = defaultdict(list)
    cells: dict[int, Position] = {}
    for index, extent in enumerate(extents):
        if index in found:
            continue
        row, col = extent[0]
        text = gold.texts[row][col]
        for at_row in near_rows[row]:
            for at_col in near_cols[col]:
                whole, cell = pred.texts[at_row][at_col], pred.owners[at_row][at_col]
                if len(taken_apart(whole).tokens) > len(taken_apart(text).tokens) and found_in_order([text], whole)[0]:
                    sharing[cells.setdefault(cell, (at_row, at_col))].append(index)
                    break
            else:
                continue
            break
    # The value that a shared cell was aligned with shares it too.
    for index, one in found.items():
        if one.place is not None and one.place in sharing:
            sharing[one.place].append(index)
    shared = {}
    for place, indices in sharing.items():
        indices.sort()
        texts = [gold.texts[extents[index][0][0]][extents[index][0][1]] for index in indices]
        lines = pred.lines[pred.owners[place[0]][place[1]]] or (pred.texts[place[0]][place[1]],)
        kept = _shares(texts, lines)
        for index, text, part in zip(indices, texts, kept, strict=True):
            if part:
                shared[index] = Found(text, extents[index], "fused", part, place)
    return shared


def _shares(texts: Sequence[str], lines: Sequence[str]) -> list[float]:
    """What each of some values keeps that stand in the lines of one cell, one after the other."""
    kept, at = [0.0] * len(texts), 0
    for line in lines:
        there = 0
        while at + there < len(texts) and all(found_in_order(texts[at : at + there + 1], line)):
            there += 1
        alone = there == 1 < len(lines) and likeness(texts[at], line) >= _SURELY
        kept[at : at + there] = [_LINE_BY_LINE if alone else 1 / max(there, 2)] * there
        at += there
    return kept


def _agreement(gold: Sheet, row: int, pred: Sheet, at_row: int, cols: Sequence[int]) -> int:
    """How many cells of a row of gold stand in the cells of a row of the prediction, maybe with others."""
    pairs = ((gold.texts[row][col], pred.texts[at_row][at_col]) for col, at_col in enumerate(cols) if at_col >= 0)
    return sum(found_in_order([text], whole)[0] for text, whole in pairs)


def _near(matched: Sequence[int]) -> list[list[int]]:
    """For each line of gold the aligned line and those aligned with the nearest lines on either side."""
    above, last = [], -1
    for other in matched:
        last = other if other >= 0 else last
        above.append(last)
    below, last = [], -1
    for other in reversed(matched):
        below.append(last)
        last = other if other >= 0 else last
    before = [-1, *above][: len(matched)]
    near = zip(matched, before, reversed(below), strict=True)
    return [[other for other in dict.fromkeys(lines) if other >= 0] for lines in near]


def _free(pred: Sheet, row: int, used: set[int]) -> dict[str, list[int]]:
    """The columns of a row with cells that give no value yet, by the key of their text."""
    free: dict[str, list[int]] = {}
    for col in range(pred.n_cols):
        if pred.said(row, col) and pred.owners[row][col] not in used:
            free.setdefault(taken_apart(pred.texts[row][col]).key, []).append(col)
    return free


def _elsewhere(
    gold: Sheet,
    extent: tuple[Position, ...],
    pred: Sheet,
    alignment: Alignment,
    free: Mapping[int, dict[str, list[int]]],
) -> Found:
    """A value that is not in its place: in another column of its row, else wrong or lost."""
    row, col = extent[0]
    text = gold.texts[row][col]
    at_row, at_col = alignment.rows[row], alignment.cols[col]
    if at_row < 0:
        return Found(text, extent, "lost", 0.0, None)
    others = free[at_row].get(taken_apart(text).key)
    if others:
        other = others.pop(0)
        return Found(text, extent, "misplaced", likeness(text, pred.texts[at_row][other]), (at_row, other))
    if at_col >= 0 and pred.said(at_row, at_col):
        return Found(text, extent, "wrong", 0.0, (at_row, at_col))
    return Found(text, extent, "lost", 0.0, None)
