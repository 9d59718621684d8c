"""Tables that img2table sees on the picture of a page: by their rules, and without rules by their white gaps."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from importlib import util
from typing import Any

from store.page_tables.grid import Grid, GridCell, Sides

BY_RULES, BY_GAPS = "img2table by rules", "img2table by white gaps"


def available() -> bool:
    """Whether img2table is installed (extra ``extract``)."""
    return util.find_spec("img2table") is not None


def drawn_grids(picture: Any, scale: float) -> list[tuple[Sides, Grid]]:
    """The region and grid of each table on a picture (rows x columns x 3 bytes) of ``scale`` pixels a point."""
    from img2table.tables.extractor import TableExtractor

    extractor = TableExtractor(img=picture)
    extractor.extract_bordered_tables()
    ruled = len(extractor.tables)
    extractor.extract_borderless_tables()
    return [
        (
            _points(table, scale),
            as_grid(
                [[_points(cell, scale) for cell in row.cells] for row in table.rows],
                BY_RULES if at < ruled else BY_GAPS,
            ),
        )
        for at, table in enumerate(extractor.tables)
    ]


def _points(box: Any, scale: float) -> Sides:
    return box.x1 / scale, box.y1 / scale, box.x2 / scale, box.y2 / scale


def as_grid(rows: Sequence[Sequence[Sides]], builder: str = BY_GAPS) -> Grid:
    """The grid of rows of sides, in which a cell that covers several positions stands at each of them."""
    positions: dict[Sides, list[tuple[int, int]]] = defaultdict(list)
    for row, line in enumerate(rows):
        for col, sides in enumerate(line):
            positions[sides].append((row, col))
    cells = []
    for sides, places in positions.items():
        lines, cols = [row for row, _ in places], [col for _, col in places]
        high, wide = max(lines) - min(lines) + 1, max(cols) - min(cols) + 1
        if high * wide == len(places):
            cells.append(GridCell(min(lines), min(cols), high, wide, sides))
        else:
            cells += [GridCell(row, col, sides=sides) for row, col in places]
    return Grid(len(rows), max(map(len, rows), default=0), tuple(cells), builder)
