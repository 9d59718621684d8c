"""Extractors that benchmarks.extractors compares: each a function of a PDF and a page to CPU seconds and tables."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from importlib import util
from pathlib import Path
from typing import Any

from scoring.table import Box, Cell, Table
from store.formats import pdfplumber as dump
from store.page_tables.drawn_grid import as_grid
from store.page_tables.reading import PICTURE, read_tables
from store.pages import PageSize, open_pdf

# (what is printed, function below, package that must be there)
ENGINES = (
    ("digital", "digital", ""),
    ("digital in regions", "digital_in_regions", ""),
    ("ocr", "ocr", ""),
    ("ocr by one reader", "ocr_by_one_reader", ""),
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


def ocr_by_one_reader(file: Path, page: int, parameters: Mapping[str, Any]) -> tuple[float, Found]:
    """The same without the second reader."""
    return ocr(file, page, {**parameters, "second_reader": False})


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
    """Camelot's hybrid parser; a cell without an edge goes on into its neighbour."""
    import camelot  # type: ignore[import-not-found]

    began = time.process_time()
    tables = camelot.read_pdf(str(file), pages=str(page), flavor="hybrid")
    seconds = time.process_time() - began
    width, height = _size(file, page)
    found = []
    for table in tables:
        x0, y0, x1, y1 = table._bbox
        box = Box(page, x0 / width, 1 - y1 / height, x1 / width, 1 - y0 / height)
        found.append((_by_edges(table.cells), box))
    return seconds, found


def pdfplumber_lines(file: Path, page: int, parameters: Mapping[str, Any]) -> tuple[float, Found]:
    """pdfplumber with its default strategy, rules; spans by the boxes of cells, as Proofgrid reads its dumps."""
    import pdfplumber  # type: ignore[import-not-found]

    began = time.process_time()
    with pdfplumber.open(file) as pdf:
        tables = [
            {"text": table.extract(), "bbox": table.bbox, "rows": [row.cells for row in table.rows], "page": page}
            for table in pdf.pages[page - 1].find_tables()
        ]
        width, height = float(pdf.pages[page - 1].width), float(pdf.pages[page - 1].height)
    seconds = time.process_time() - began
    if not tables:
        return seconds, []
    read = dump.read(json.dumps(tables).encode(), name=file.name, pages=[PageSize(page, width, height)])
    found = []
    for table, one in zip(tables, read.tables, strict=True):
        x0, y0, x1, y1 = table["bbox"]
        found.append((one.table, Box(page, x0 / width, y0 / height, x1 / width, y1 / height)))
    return seconds, found


def _by_edges(lines: list[list[Any]]) -> Table:
    """The table of Camelot's cells; those that no edge parts are one, with the texts of all."""
    n_rows, n_cols = len(lines), max(map(len, lines), default=0)
    taken: set[tuple[int, int]] = set()
    cells = []
    for row in range(n_rows):
        for col in range(n_cols):
            if (row, col) in taken:
                continue
            wide = tall = 1
            while col + wide < n_cols and (row, col + wide) not in taken and not lines[row][col + wide - 1].right:
                wide += 1
            while row + tall < n_rows and not any(lines[row + tall - 1][at].bottom for at in range(col, col + wide)):
                tall += 1
            covered = [(row + down, col + across) for down in range(tall) for across in range(wide)]
            taken.update(covered)
            texts = (" ".join(lines[at][to].text.split()) for at, to in covered)
            cells.append(Cell(row, col, " ".join(text for text in texts if text), tall, wide))
    return Table(n_rows, n_cols, tuple(cells))


def _corners(box: Any) -> tuple[float, float, float, float]:
    return box.x1, box.y1, box.x2, box.y2


def _size(file: Path, page: int) -> tuple[float, float]:
    with open_pdf(file) as pdf:
        width, height = pdf.get_page_size(page - 1)
    return float(width), float(height)
