"""Gold tables of the corpora, and how far predicted tables of a page match them."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path

import numpy as np
from scipy.optimize import linear_sum_assignment

from scoring import score
from scoring.metrics.grits import grits_texts, grits_top
from scoring.metrics.overlap import Overlap
from scoring.table import Box, Cell, Table

# A predicted table is a gold table where their boxes share this much of what both cover.
SAME_TABLE = 0.5
NOTHING = Table(0, 0)


@dataclass(frozen=True)
class GoldTable:
    """A table of a page of a document."""

    document: str
    page: int
    table: Table
    box: Box


def read_gold(folder: Path) -> dict[Path, tuple[list[GoldTable], int]]:
    """The gold tables and the number of pages of each PDF of a folder that has a ``.gold.json`` beside it."""
    found = {}
    for file in sorted(folder.glob("*.gold.json")):
        value = json.loads(file.read_text(encoding="utf-8"))
        pdf = file.with_name(file.name.replace(".gold.json", ".pdf"))
        tables = []
        for entry in value["tables"]:
            cells = tuple(
                Cell(one["r0"], one["c0"], one["text"], one["r1"] - one["r0"] + 1, one["c1"] - one["c0"] + 1)
                for one in entry["cells"]
            )
            page = entry.get("page") or entry["cells"][0]["page"]
            size = value["pages"][page - 1]
            corners = list(zip(*(one["bbox"] for one in entry["cells"]), strict=True))
            x0, y0, x1, y1 = min(corners[0]), min(corners[1]), max(corners[2]), max(corners[3])
            box = Box(page, x0 / size["w"], y0 / size["h"], x1 / size["w"], y1 / size["h"])
            n_rows, n_cols = max(c.row + c.row_span for c in cells), max(c.col + c.col_span for c in cells)
            tables.append(GoldTable(pdf.stem, page, tidy(Table(n_rows, n_cols, cells)), box))
        found[pdf] = tables, len(value["pages"])
    return found


def tidy(table: Table) -> Table:
    """Texts by NFKC with white space collapsed, and no empty rows or columns."""
    cells = [replace(cell, text=" ".join(unicodedata.normalize("NFKC", cell.text).split())) for cell in table.cells]
    rows = _kept(cell.rows for cell in cells if cell.text)
    cols = _kept(cell.cols for cell in cells if cell.text)
    kept = []
    for cell in cells:
        own_rows, own_cols = (
            [rows[row] for row in cell.rows if row in rows],
            [cols[col] for col in cell.cols if col in cols],
        )
        if own_rows and own_cols:
            kept.append(
                Cell(own_rows[0], own_cols[0], cell.text, len(own_rows), len(own_cols), confidence=cell.confidence)
            )
    return Table(len(rows), len(cols), tuple(kept))


def _kept(lines: Iterable[range]) -> dict[int, int]:
    return {line: at for at, line in enumerate(sorted({line for covered in lines for line in covered}))}


def paired(gold: Sequence[GoldTable], boxes: Sequence[Box]) -> dict[int, int]:
    """Gold tables of a page to predicted ones, by their numbers, so that the boxes overlap as much as possible."""
    if not gold or not boxes:
        return {}
    shares = np.array([[_share(one.box, other) for other in boxes] for one in gold])
    return {int(g): int(p) for g, p in zip(*linear_sum_assignment(-shares), strict=True) if shares[g, p] >= SAME_TABLE}


def _share(one: Box, other: Box) -> float:
    across = min(one.x1, other.x1) - max(one.x0, other.x0)
    down = min(one.y1, other.y1) - max(one.y0, other.y0)
    if across <= 0 or down <= 0:
        return 0.0
    areas = [(box.x1 - box.x0) * (box.y1 - box.y0) for box in (one, other)]
    return across * down / (sum(areas) - across * down)


def texts(table: Table) -> list[list[str]]:
    """The text at each position; that of a merged cell at all of its positions, as GriTS has it."""
    return [[table.text_at(row, col) for col in range(table.n_cols)] for row in range(table.n_rows)]


@dataclass(frozen=True)
class Similarity:
    """One gold table and what was found of it; ``found`` is false where nothing was."""

    content: Overlap
    topology: Overlap
    same_size: bool
    rows_found: float
    rows: int
    found: bool


def compare(gold: Table, pred: Table | None) -> Similarity:
    """How alike two tidy tables are; GriTS in mode ms-2023, rows as Proofgrid's own score counts them."""
    if pred is None:
        size = gold.n_rows * gold.n_cols
        return Similarity(Overlap(0, 0, size, 1.0), Overlap(0, 0, size, 1.0), False, 0, gold.n_rows, False)
    rows = score(gold, pred).rows
    return Similarity(
        grits_texts(texts(gold), texts(pred), mode="ms-2023").overlap,
        grits_top(html(gold), html(pred)).overlap,
        (gold.n_rows, gold.n_cols) == (pred.n_rows, pred.n_cols),
        rows.matched,
        rows.expected,
        True,
    )


def html(table: Table) -> str:
    """The table as HTML, holes as empty cells."""
    lines = []
    for row in range(table.n_rows):
        tags = []
        for col in range(table.n_cols):
            cell = table.at(row, col)
            if cell is None:
                tags.append("<td></td>")
            elif (cell.row, cell.col) == (row, col):
                tags.append(f'<td rowspan="{cell.row_span}" colspan="{cell.col_span}">{escape(cell.text)}</td>')
        lines.append(f"<tr>{''.join(tags)}</tr>")
    return f"<table>{''.join(lines)}</table>"
