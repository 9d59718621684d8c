"""The tables of a page: in regions of the layout model, those that img2table sees elsewhere, or in a given region."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from store.page_tables import drawn_grid, layout, structure, word_grid
from store.page_tables.agreement import likeness
from store.page_tables.captions import without_captions
from store.page_tables.grid import (
    Grid,
    GridCell,
    Sides,
    area,
    common_area,
    hull,
    in_reading_direction,
    sides,
    with_header_rows,
    with_words,
    within,
    without_empty_lines,
)
from store.page_tables.page import ReadPage

# A region that img2table found is another table where less than this share of it lies in one of the layout model.
_ELSEWHERE = 0.1
# Where fewer of a region's words lie in the cells of the structure model, it has not understood the table.
LEAST_COVERAGE = 0.55
# Rules that are drawn count, unless others agree with each other more than this much better, of 1 for each other.
_LITTLE = 0.1
# Nobody agrees with anybody.
_NOBODY = 0.7
# The region is looked at with this margin round it, in points.
_MARGIN = 4.0
# Two builders speak of the same table where their regions share this much of what both cover.
_SAME_REGION = 0.5


@dataclass(frozen=True)
class FoundTable:
    """A table of a page: its grid with words, what other builders found in its place, and who saw that it is one.

    ``score`` is that of the layout model, 0..1; None where img2table found the region.
    """

    grid: Grid
    others: tuple[Grid, ...]
    region: Sides
    score: float | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Engines:
    """Which engines are asked; the places of words are asked always."""

    models: bool
    drawn: bool


def found_tables(page: ReadPage, engines: Engines) -> tuple[tuple[FoundTable, ...], tuple[str, ...]]:
    """The tables of a page from top to bottom, and notes about what failed."""
    drawn, notes = _drawn(page, engines)
    regions = _regions(page) if engines.models else []
    found = [table for box, score in regions if (table := _by_model(page, box, score, drawn))]
    for box, grid in drawn:
        if all(common_area(box, other) < _ELSEWHERE * area(box) for other, _ in regions):
            found.append(_by_drawing(page, box, grid))
    kept = [finished for table in found if (finished := _finished(table, page))]
    return tuple(sorted(kept, key=lambda table: (table.region[1], table.region[0]))), notes


def table_in(page: ReadPage, box: Sides, engines: Engines) -> tuple[tuple[FoundTable, ...], tuple[str, ...]]:
    """The one table of the words in a region, whatever its size, and notes; none where no word lies in it.

    Who drew the region says that it is a table: the layout model is not asked, and nothing is taken for a caption.
    """
    inside = within(box, page.words)
    if not inside:
        return (), ()
    drawn, notes = _drawn(page, engines)
    seen = hull(sides(page.words[number]) for number in inside) or box
    return (_completed(_of_words(page, inside, seen, drawn, models=engines.models), page),), notes


def _regions(page: ReadPage) -> list[tuple[Sides, float]]:
    found = layout.table_regions(page.picture)
    if page.smooth is not None:
        # Of a grainy page the model sees some tables only with, and others only without its grain.
        found = layout.apart([*found, *layout.table_regions(page.smooth)])
    return [
        ((x0 / page.scale, y0 / page.scale, x1 / page.scale, y1 / page.scale), at) for (x0, y0, x1, y1), at in found
    ]


def _drawn(page: ReadPage, engines: Engines) -> tuple[list[tuple[Sides, Grid]], tuple[str, ...]]:
    """What img2table found, and a note where it broke down, unless nobody else is there."""
    if not engines.drawn:
        return [], ()
    try:
        return _drawn_tables(page), ()
    except Exception as wrong:  # whatever breaks inside the library: the other engine may still see it
        if not engines.models:
            raise
        return [], (f"img2table broke down ({type(wrong).__name__}: {wrong})",)


def _drawn_tables(page: ReadPage) -> list[tuple[Sides, Grid]]:
    """What img2table found, with the words in its cells; regions without words are no tables."""
    filled = [
        (box, without_empty_lines(with_words(grid, within(box, page.words), page.words)[0]))
        for box, grid in drawn_grid.drawn_grids(_smooth(page), page.scale)
    ]
    return [(box, grid) for box, grid in filled if grid.words]


def _by_model(
    page: ReadPage, box: Sides, score: float | None, drawn: Sequence[tuple[Sides, Grid]]
) -> FoundTable | None:
    """The table in a region of the layout model, without captions and notes."""
    inside, left_out = without_captions(within(_wider(box, _MARGIN / 2), page.words), page.words)
    if not inside:
        return None
    # The structure model loses the rows where it sees captions, too.
    seen = hull(sides(page.words[number]) for number in inside) if left_out else None
    notes = tuple(f"left out as a caption or note: {text}" for text in left_out)
    table = _of_words(page, inside, seen or box, drawn, models=True)
    return replace(table, region=box, score=score, notes=notes)


def _of_words(
    page: ReadPage, inside: Sequence[int], seen: Sides, drawn: Sequence[tuple[Sides, Grid]], *, models: bool
) -> FoundTable:
    """The table of these words: of the grids of all builders the one that is most like the others."""
    by_rules, by_gaps = _alike(inside, drawn)
    by_model: list[Grid] = []
    coverage = 0.0
    if models:
        grid, coverage = with_words(_structure(page, _wider(seen, _MARGIN)), inside, page.words)
        by_model = [without_empty_lines(grid)]
    grids = [*by_rules, *by_model, *by_gaps, word_grid.word_grid(inside, page.words)]
    sums = likeness(grids)
    if by_rules and (sums[0] >= max(sums) - _LITTLE or max(sums) < _NOBODY):
        best = 0
    elif coverage >= LEAST_COVERAGE:
        best = len(by_rules)
    else:
        best = max(range(len(grids)), key=sums.__getitem__)
    return FoundTable(grids[best], tuple(grids[:best] + grids[best + 1 :]), seen)


def _by_drawing(page: ReadPage, box: Sides, grid: Grid) -> FoundTable:
    return FoundTable(grid, (word_grid.word_grid(sorted(grid.words), page.words),), box)


def _alike(inside: Sequence[int], drawn: Sequence[tuple[Sides, Grid]]) -> tuple[list[Grid], list[Grid]]:
    """What img2table found by rules and by gaps at the same place: the same words, but for some."""
    there = set(inside)
    shares = [(len(there & grid.words) / len(there | grid.words), grid) for _, grid in drawn]
    alike = [grid for share, grid in shares if share > _SAME_REGION][:1]
    ruled = [grid for grid in alike if grid.builder == drawn_grid.BY_RULES]
    return ruled, [grid for grid in alike if grid not in ruled]


def _smooth(page: ReadPage) -> Any:
    return page.picture if page.smooth is None else page.smooth


def _wider(box: Sides, margin: float) -> Sides:
    return box[0] - margin, box[1] - margin, box[2] + margin, box[3] + margin


def _structure(page: ReadPage, box: Sides) -> Grid:
    high, wide = page.picture.shape[:2]
    left, top = max(0, math.floor(box[0] * page.scale)), max(0, math.floor(box[1] * page.scale))
    right, bottom = min(wide, math.ceil(box[2] * page.scale)), min(high, math.ceil(box[3] * page.scale))
    grid = structure.structure_grid(_smooth(page)[top:bottom, left:right])

    def placed(cell: GridCell) -> GridCell:
        x0, y0, x1, y1 = cell.sides or (0.0, 0.0, 0.0, 0.0)
        points = (x0 + left) / page.scale, (y0 + top) / page.scale, (x1 + left) / page.scale, (y1 + top) / page.scale
        return replace(cell, sides=points)

    return replace(grid, cells=tuple(map(placed, grid.cells)))


def _finished(table: FoundTable, page: ReadPage) -> FoundTable | None:
    """The completed table; None for what is no table."""
    completed = _completed(table, page)
    return completed if min(completed.grid.n_rows, completed.grid.n_cols) >= 2 else None


def _completed(table: FoundTable, page: ReadPage) -> FoundTable:
    """With headers, in reading direction, and its region round its cells."""
    grid = in_reading_direction(with_header_rows(table.grid, page.words), page.words)
    others = tuple(in_reading_direction(other, page.words) for other in table.others)
    cells = tuple(_round_its_words(cell, page) for cell in grid.cells)
    region = hull(cell.sides for cell in cells if cell.sides and cell.words) or table.region
    return replace(table, grid=replace(grid, cells=cells), others=others, region=region)


def _round_its_words(cell: GridCell, page: ReadPage) -> GridCell:
    """A box that a model guessed may cut off letters: that of a cell with words goes round them all."""
    if not cell.words:
        return cell
    return replace(cell, sides=hull(sides(page.words[number]) for number in cell.words))
