"""ICDAR 2013 table competition: structure files (-str.xml), with tables of several regions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from xml.etree.ElementTree import Element

from scoring.table import LARGEST_COL_SPAN, LARGEST_ROW_SPAN, Box, Cell, TableError
from store.formats import frames, xml_shape
from store.formats.contract import FormatError, Read, ReadTable, some
from store.formats.leading_rows import with_header
from store.formats.repair import fitted
from store.pages import PageSize


def sniff(raw: bytes, name: str) -> bool:
    """Whether the text is XML of a document with tables of regions."""
    return xml_shape.begins_with(raw, "document", "table", "region")


def read(raw: bytes, *, name: str, pages: Sequence[PageSize] = ()) -> Read:
    """The tables of the file. Ends of rows and columns are inclusive; an absent one is the start.

    Regions of one table are put together by their increments. Rows and columns that are counted from
    1 are counted from 0. Blank cells stand in no file: their places are holes. Boxes are points from
    the bottom left round the text, and need the page's size.

    Raises FormatError for a file of regions (-reg.xml), which has no cells.
    """
    root = xml_shape.root_of(raw)
    if root.find(".//cell") is None:
        raise FormatError(
            "regions without cells, as in a -reg.xml: give the file of the same name that ends in -str.xml"
        )
    sizes = frames.sizes_of(pages)
    tables = tuple(_table(table, number, sizes) for number, table in enumerate(root.iter("table"), start=1))
    return Read(tables)


@dataclass
class _Found:
    """What a table's regions hold."""

    cells: list[Cell]
    boxes: list[Box]
    pages: list[int]
    slips: int = 0
    unplaced: int = 0


def _table(table: Element, number: int, sizes: Mapping[int, frames.Size]) -> ReadTable:
    found = _Found([], [], [])
    for place, region in enumerate(table.iter("region"), start=1):
        _region(region, f"table {number}, region {place}", found, sizes)
    notes = []
    first_row = min((cell.row for cell in found.cells), default=0)
    first_col = min((cell.col for cell in found.cells), default=0)
    if first_row == 1 or first_col == 1:
        what = {(1, 1): "rows and columns", (1, 0): "rows", (0, 1): "columns"}[min(first_row, 1), min(first_col, 1)]
        notes.append(f"{what} are counted from 1 in the file")
    cells = [
        replace(cell, row=cell.row - (first_row == 1), col=cell.col - (first_col == 1))
        for cell in sorted(found.cells, key=lambda cell: (cell.row, cell.col))
    ]
    if len(set(found.pages)) > 1:
        notes.append(f"the table lies on {some('page', sorted(set(found.pages)))}")
    if found.slips:
        notes.append(f"{found.slips} cells have col-end or row-end for end-col or end-row: read all the same")
    if found.unplaced:
        notes.append(frames.NO_SIZE)
    n_rows = max((cell.row + cell.row_span for cell in cells), default=0)
    n_cols = max((cell.col + cell.col_span for cell in cells), default=0)
    whole, repairs = fitted(cells, n_rows=n_rows, n_cols=n_cols)
    whole, header = with_header(whole)
    return ReadTable(
        f"table {number}",
        whole,
        (*notes, *header),
        repairs,
        boxes=tuple(found.boxes),
        place=f"table {table.get('id') or number}",
    )


def _region(region: Element, where: str, found: _Found, sizes: Mapping[int, frames.Size]) -> None:
    page = xml_shape.whole(region.attrib, ("page",), where, default=1)
    if page < 1:
        raise FormatError(f"{where}: page={page}, expected a page number from 1 on")
    down = xml_shape.whole(region.attrib, ("row-increment",), where, default=0)
    across = xml_shape.whole(region.attrib, ("col-increment",), where, default=0)
    boxes = []
    for place, entry in enumerate(region.iter("cell"), start=1):
        cell = _cell(entry, f"{where}, cell {place}", down, across)
        found.slips += "col-end" in entry.attrib or "row-end" in entry.attrib
        around = entry.find("bounding-box")
        if around is not None:
            bounds = xml_shape.sides(around.attrib, ("x1", "y1", "x2", "y2"))
            box = frames.framed(page, bounds, sizes.get(page), bottom_up=True)
            found.unplaced += page not in sizes
            if box:
                boxes.append(box)
                cell = replace(cell, box=box)
        found.cells.append(cell)
    found.pages.append(page)
    if boxes:
        left, top = min(box.x0 for box in boxes), min(box.y0 for box in boxes)
        found.boxes.append(Box(page, left, top, max(box.x1 for box in boxes), max(box.y1 for box in boxes)))


def _cell(entry: Element, where: str, down: int, across: int) -> Cell:
    row = xml_shape.whole(entry.attrib, ("start-row",), where)
    col = xml_shape.whole(entry.attrib, ("start-col",), where)
    last = xml_shape.whole(entry.attrib, ("end-row", "row-end"), where, default=row)
    end = xml_shape.whole(entry.attrib, ("end-col", "col-end"), where, default=col)
    content = entry.find("content")
    try:
        return Cell(
            row + down,
            col + across,
            ("".join(content.itertext()) if content is not None else "").strip(),
            min(max(1, last - row + 1), LARGEST_ROW_SPAN),
            min(max(1, end - col + 1), LARGEST_COL_SPAN),
        )
    except TableError as wrong:
        raise FormatError(f"{where}: {wrong}") from None
