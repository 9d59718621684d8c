"""Extractors that benchmarks.extractors compares: each a function of a PDF and a page to CPU seconds and tables."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from importlib import util
from pathlib import Path
from typing import Any

from scoring.table import Box, Cell, Table
from store.page_tables.drawn_grid import as_grid
from store.page_tables.reading import PICTURE, read_tables
from store.pages import open_pdf

# (what is printed, function below, package that must be there)
ENGINES = (
    ("digital", "digital", ""),
    ("digital in regions", "digital_in_regions", ""),
    ("ocr", "ocr", ""),
    ("img2table borderless", "img2table_alone", "img2table"),
    ("camelot hybrid", "camelot_hybrid", "camelot"),
    ("pdfplumber lines", "pdfplumber_lines", "pdfplumber"),
)
Found = list[tuple[Table, Box]]


def installed(package: str) -> bool:
    """Whether a package is there; "" is."""
    return not package or util.find_spec(package) is not None


def digital(file: Path, page: int, parameters: Mapping[str, Any]) -> tuple[float, Found]:
    """Proofgrid's own."""
    began = time.process_time()
    read = read_tables(file, page, parameters)
    return time.process_time() - began, [(entry.table, entry.boxes[0]) for entry in read.tables]


def ocr(file: Path, page: int, parameters: Mapping[str, Any]) -> tuple[float, Found]:
    """Proofgrid's own from the picture of the page; tesseract's seconds count, too."""
    began = sum(os.times()[:4])
    read = read_tables(file, page, {**parameters, "words": PICTURE})
    return sum(os.times()[:4]) - began, [(entry.table, entry.boxes[0]) for entry in read.tables]


def digital_in_regions(file: Path, page: int, parameters: Mapping[str, Any]) -> tuple[float, Found]:
    """Proofgrid's own, told where each table lies: the box of gold and four points round it."""
    width, height = _size(file, page)
    across, down = 4 / width, 4 / height
    began = time.process_time()
    found = []
    for x0, y0, x1, y1 in parameters["regions"].get(page, ()):
        region = {"page": page, "box": [x0 - across, y0 - down, x1 + across, y1 + down]}
        found += read_tables(file, page, {**parameters, "region": region}).tables
    return time.process_time() - began, [(entry.table, entry.boxes[0]) for entry in found]


def img2table_alone(file: Path, page: int, parameters: Mapping[str, Any]) -> tuple[float, Found]:
    """img2table end to end: its own rendering and its own text."""
    from img2table.document import PDF

    began = time.process_time()
    tables = PDF(str(file), pages=[page - 1]).extract_tables(borderless_tables=True)[page - 1]
    seconds = time.process_time() - began
    width, height = _size(file, page)
    found = []
    for table in tables:
        texts = {_corners(cell.bbox): cell.value or "" for row in table.content.values() for cell in row}
        grid = as_grid([[_corners(cell.bbox) for cell in row] for row in table.content.values()])
        cells = tuple(
            Cell(cell.row, cell.col, texts[cell.sides].replace("\n", " "), cell.row_span, cell.col_span)
            for cell in grid.cells
            if cell.sides
        )
        x0, y0, x1, y1 = (side * 72 / 200 for side in _corners(table.bbox))
        box = Box(page, x0 / width, y0 / height, x1 / width, y1 / height)
        found.append((Table(grid.n_rows, grid.n_cols, cells), box))
    return seconds, found


def camelot_hybrid(file: Path, page: int, parameters: Mapping[str, Any]) -> tuple[float, Found]:
    """Camelot's hybrid parser; without spans."""
    import camelot  # type: ignore[import-not-found]

    began = time.process_time()
    tables = camelot.read_pdf(str(file), pages=str(page), flavor="hybrid")
    seconds = time.process_time() - began
    width, height = _size(file, page)
    found = []
    for table in tables:
        x0, y0, x1, y1 = table._bbox
        box = Box(page, x0 / width, 1 - y1 / height, x1 / width, 1 - y0 / height)
        found.append((_rows(table.df.values.tolist()), box))
    return seconds, found


def pdfplumber_lines(file: Path, page: int, parameters: Mapping[str, Any]) -> tuple[float, Found]:
    """pdfplumber with its default strategy, rules; without spans."""
    import pdfplumber  # type: ignore[import-not-found]

    began = time.process_time()
    with pdfplumber.open(file) as pdf:
        tables = [(table.extract(), table.bbox) for table in pdf.pages[page - 1].find_tables()]
        width, height = float(pdf.pages[page - 1].width), float(pdf.pages[page - 1].height)
    seconds = time.process_time() - began
    return seconds, [
        (_rows(rows), Box(page, x0 / width, y0 / height, x1 / width, y1 / height)) for rows, (x0, y0, x1, y1) in tables
    ]


def _rows(rows: list[list[str | None]]) -> Table:
    cells = [
        Cell(row, col, (text or "").replace("\n", " "))
        for row, line in enumerate(rows)
        for col, text in enumerate(line)
    ]
    return Table(len(rows), max(map(len, rows), default=0), tuple(cells))


def _corners(box: Any) -> tuple[float, float, float, float]:
    return box.x1, box.y1, box.x2, box.y2


def _size(file: Path, page: int) -> tuple[float, float]:
    with open_pdf(file) as pdf:
        width, height = pdf.get_page_size(page - 1)
    return float(width), float(height)
