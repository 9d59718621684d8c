"""A page of a file to its tables: what the worker process runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scoring.table import Box, Cell, Confidence, Table
from store.formats.contract import ReadTable
from store.page_tables.agreement import confidences
from store.page_tables.found import Engines, FoundTable, found_tables, table_in
from store.page_tables.grid import cell_text
from store.page_tables.page import ReadPage, read_page, scan_without_text
from store.pages import open_pdf


@dataclass(frozen=True)
class PageTables:
    """The tables of a page without names, notes about the page, and whether it is a picture without text."""

    page: int
    tables: tuple[ReadTable, ...]
    notes: tuple[str, ...] = ()
    scan: bool = False


def read_tables(file: Path, page: int, parameters: Mapping[str, Any]) -> PageTables:
    """The tables of one page; ``parameters`` say whether ``models`` and ``img2table`` are used.

    With a ``region`` among them the one table whose words lie in it, however small.
    """
    with open_pdf(file) as pdf:
        read = read_page(pdf, page)
    if not read.words:
        return PageTables(page, (), read.notes, scan=scan_without_text(read))
    engines = Engines(parameters["models"], parameters["img2table"])
    if region := parameters.get("region"):
        found, notes = table_in(read, read.sides(Box(page, *region["box"])), engines)
    else:
        found, notes = found_tables(read, engines)
    return PageTables(page, tuple(as_read(table, read) for table in found), (*read.notes, *notes))


def as_read(found: FoundTable, page: ReadPage) -> ReadTable:
    """The table with texts, boxes on the page as displayed, and confidence."""
    trust = confidences(found.grid, found.others)
    cells = tuple(
        Cell(
            cell.row,
            cell.col,
            cell_text(cell, page.words),
            cell.row_span,
            cell.col_span,
            "column" if cell.header else "",
            page.box(cell.sides) if cell.sides else None,
            trust.get(cell, ()),
        )
        for cell in found.grid.cells
    )
    seen: tuple[Confidence, ...] = ()
    if found.score is not None:
        seen = (
            Confidence(min(found.score, 0.99), "detection", "table", "score of the layout model", f"{found.score:.3f}"),
        )
    return ReadTable(
        "",
        Table(found.grid.n_rows, found.grid.n_cols, cells),
        notes=(f"rows and columns by {found.grid.builder}", *found.notes),
        boxes=(page.box(found.region),),
        confidence=seen,
    )
