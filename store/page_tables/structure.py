"""The grid of a table from its picture, by a small structure model (SLANet-plus): HTML tags, each with a place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from store.page_tables.grid import Grid, GridCell, Sides
from store.page_tables.layout import model_input, resized
from store.page_tables.models import STRUCTURE, session

BUILDER = "SLANet-plus"
# The longer side of the picture that the model takes.
_SIDE = 488
_SPAN = re.compile(r'(col|row)span="(\d+)"')


def structure_grid(picture: Any) -> Grid:
    """The grid of the one table on a picture; sides are pixels. Empty where the model sees none."""
    high, wide = picture.shape[:2]
    ratio = _SIDE / max(high, wide)
    small = model_input(resized(picture, max(1, int(wide * ratio)), max(1, int(high * ratio))))
    framed = np.zeros((1, 3, _SIDE, _SIDE), np.float32)
    framed[0, :, : small.shape[1], : small.shape[2]] = small
    model = session(STRUCTURE)
    places, tags = model.run(None, {model.get_inputs()[0].name: framed})
    names = ["", *model.get_modelmeta().custom_metadata_map["character"].splitlines(), ""]
    chosen = tags[0].argmax(axis=1)
    found: list[tuple[str, Sides]] = []
    for at, tag in enumerate(chosen):
        if at and tag == len(names) - 1:
            break
        corners = places[0, at] * max(high, wide)
        across, down = corners[0::2], corners[1::2]
        found.append((names[tag], (float(min(across)), float(min(down)), float(max(across)), float(max(down)))))
    return _grid(found)


def _grid(tags: Sequence[tuple[str, Sides]]) -> Grid:
    """The cells that tags describe, each at the first position of its row that is still free, as in HTML."""
    cells: list[GridCell] = []
    taken: set[tuple[int, int]] = set()
    row, col, in_head = -1, 0, False
    spans, place = {"row": 1, "col": 1}, (0.0, 0.0, 0.0, 0.0)
    for tag, sides in tags:
        if tag in ("<thead>", "</thead>"):
            in_head = tag == "<thead>"
        elif tag == "<tr>":
            row, col = row + 1, 0
        elif tag == "<td":
            spans, place = {"row": 1, "col": 1}, sides
        elif span := _SPAN.search(tag):
            spans[span[1]] = int(span[2])
        elif tag in (">", "<td></td>"):
            if tag == "<td></td>":
                spans, place = {"row": 1, "col": 1}, sides
            row = max(row, 0)
            while (row, col) in taken:
                col += 1
            wide = next((step for step in range(1, spans["col"]) if (row, col + step) in taken), spans["col"])
            cells.append(GridCell(row, col, spans["row"], wide, place, header=in_head))
            taken |= {(row + down, col + across) for down in range(spans["row"]) for across in range(wide)}
            col += wide
    n_rows = row + 1
    kept = tuple(_cut(cell, n_rows) for cell in cells)
    return Grid(n_rows, max((cell.col + cell.col_span for cell in kept), default=0), kept, BUILDER)


def _cut(cell: GridCell, n_rows: int) -> GridCell:
    """A span past the last row ends there."""
    high = min(cell.row_span, n_rows - cell.row)
    return GridCell(cell.row, cell.col, high, cell.col_span, cell.sides, header=cell.header)
