"""Spreadsheets (.xlsx): every sheet with its tables, merged cells, and texts as they are shown."""

from __future__ import annotations

import io
import re
import warnings
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from scoring.table import LARGEST_COL_SPAN, LARGEST_GRID, LARGEST_ROW_SPAN, Cell, Table
from store.formats.contract import NAME, FormatError, Read, ReadTable, Repair, some
from store.formats.number_format import general, shown
from store.formats.repair import fitted
from store.pages import PageSize

# openpyxl takes a quarter of a second to load: it is imported by those who read a workbook.
if TYPE_CHECKING:
    from openpyxl.workbook.workbook import Workbook
    from openpyxl.worksheet.worksheet import Worksheet

_ZIP, _OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
_OLD_SUFFIXES = {".xls", ".xlsx", ".xlsm"}
# A sheet of a million cells takes about 40 MB of XML; a bomb is small and unfolds to much more.
_LARGEST_XML = 150_000_000
_CHUNK = 1 << 20
# openpyxl makes a cell for every position of these.
_EXPANDED = re.compile(rb"<(?:\w+:)?(?:mergeCell|hyperlink)\s[^>]{0,2000}?ref=[\"']([^\"']{1,40})[\"']")
_CELL = re.compile(rb"<(?:\w+:)?c[\s>]")
_FORMULA = re.compile(rb"<(?:\w+:)?f[\s>/]")
# A sign that XML cannot hold, as workbooks write it (ST_Xstring, ECMA-376 part 1); halves of a pair stay as they are.
_ESCAPED = re.compile(r"_x((?![dD][89a-fA-F])[0-9a-fA-F]{4})_")

Rect = tuple[int, int, int, int]  # first row, first column, last row, last column, from 1 on


def sniff(raw: bytes, name: str) -> bool:
    """Whether the bytes are a zip with a workbook, or an old or encrypted Excel file by its name."""
    if raw.startswith(_OLE):
        return PurePath(name).suffix.lower() in _OLD_SUFFIXES
    return raw.startswith(_ZIP) and (b"xl/workbook.xml" in raw or b"xl/worksheets/" in raw)


def read(raw: bytes, *, name: str, pages: Sequence[PageSize] = ()) -> Read:
    """One table for each sheet; where a sheet declares Excel tables, one for each of them and one for the rest.

    A table is the smallest rectangle that holds all that is written in the sheet. Texts are as the
    number format shows them. A sheet whose name is a name in small letters names its table. Leading
    rows without numbers are taken as the header. Raises FormatError for an encrypted or old file, a
    damaged one, and one that unfolds to more than a workbook of a million cells.
    """
    if raw.startswith(_OLE):
        raise FormatError("an old (.xls) or encrypted Excel file, expected .xlsx without a password: save it as that")
    has_formulas = _expect_harmless(raw)
    # One workbook at a time: openpyxl's cells are large.
    formulas = _formulas(_workbook(raw, values=False)) if has_formulas else {}
    book = _workbook(raw, values=True)
    tables: list[ReadTable] = []
    notes: list[str] = []
    for sheet in book.worksheets:
        found = list(_tables(sheet, formulas.get(sheet.title, {}), len(tables), {table.name for table in tables}))
        if not found:
            notes.append(f"sheet {sheet.title!r} is empty")
        tables += found
    return Read(tuple(tables), tuple(notes))


def _expect_harmless(raw: bytes) -> bool:
    """Raise FormatError for what would fill memory or time when it is opened; whether there are formulas."""
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as parts:
            entries = [entry for entry in parts.infolist() if entry.filename.endswith((".xml", ".rels"))]
            unfolded = sum(entry.file_size for entry in entries)
            if unfolded > _LARGEST_XML:
                raise FormatError(
                    f"the workbook unfolds to {unfolded:,} bytes of XML, expected at most {_LARGEST_XML:,}: "
                    "save the sheets that matter as a file of their own"
                )
            return any([_expect_small(parts, entry) for entry in entries])
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, ValueError) as wrong:
        if isinstance(wrong, FormatError):
            raise
        raise FormatError(f"the zip of the workbook is damaged ({wrong}): get the file again") from None


def _expect_small(parts: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bool:
    n_cells, area, has_formulas, tail = 0, 0, False, b""
    in_sheet = "worksheets/" in entry.filename
    with parts.open(entry) as part:
        while chunk := part.read(_CHUNK):
            if b"<!DOCTYPE" in chunk or b"<!ENTITY" in chunk:
                raise FormatError(f"{entry.filename}: a document type declaration, which no workbook has")
            if not in_sheet:
                continue
            # A tag cut by the end of the chunk is looked at with the next one.
            held, tail = _whole_tags(tail + chunk)
            n_cells += len(_CELL.findall(held))
            has_formulas = has_formulas or _FORMULA.search(held) is not None
            for found in _EXPANDED.findall(held):
                area += _area(found.decode("latin-1"))
            if max(n_cells, area) > LARGEST_GRID:
                what = "cells" if n_cells > area else "positions in merged cells"
                raise FormatError(f"{entry.filename}: more than {LARGEST_GRID:,} {what}, which nobody can review")
    return has_formulas


def _whole_tags(text: bytes) -> tuple[bytes, bytes]:
    cut = text.rfind(b"<")
    return (text, b"") if cut < 0 or len(text) - cut > 4000 else (text[:cut], text[cut:])


def _area(ref: str) -> int:
    rect = _rect(ref)
    return 0 if rect is None else (rect[2] - rect[0] + 1) * (rect[3] - rect[1] + 1)


def _rect(ref: str) -> Rect | None:
    from openpyxl.utils.cell import range_boundaries

    try:
        left, top, right, bottom = range_boundaries(ref)
    except (ValueError, TypeError):
        return None
    if left is None or top is None or right is None or bottom is None:
        return None
    return top, left, bottom, right


def _workbook(raw: bytes, *, values: bool) -> Workbook:
    from openpyxl import load_workbook

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about charts and pictures, which are not read
        try:
            return load_workbook(io.BytesIO(raw), data_only=values, keep_links=False)
        except Exception as wrong:  # noqa: BLE001  # openpyxl lets through whatever its many classes of XML raise
            raise FormatError(
                f"the workbook cannot be opened ({type(wrong).__name__}: {str(wrong)[:200]}): "
                "open it in a spreadsheet program and save it again"
            ) from None


def _formulas(book: Workbook) -> dict[str, dict[tuple[int, int], str]]:
    """The formulas by sheet and position."""
    return {
        sheet.title: {
            place: str(getattr(cell.value, "text", cell.value))
            for place, cell in _written(sheet)
            if cell.data_type == "f"
        }
        for sheet in book.worksheets
    }


def _written(sheet: Worksheet) -> Iterator[tuple[tuple[int, int], Any]]:
    # Not iter_rows(): it makes a cell for each position of the used range, which may be a million empty rows.
    cells: Mapping[tuple[int, int], Any] = sheet._cells
    return iter(cells.items())


@dataclass(frozen=True)
class _Sheet:
    """What is written in a sheet: texts, which of them are numbers, and the merged rectangles by their anchor."""

    title: str
    texts: Mapping[tuple[int, int], str]
    numbers: frozenset[tuple[int, int]]
    merged: Mapping[tuple[int, int], Rect]
    doubts: Mapping[tuple[int, int], str]
    notes: tuple[str, ...]


def _tables(
    sheet: Worksheet, formulas: Mapping[tuple[int, int], str], n_before: int, names: set[str]
) -> Iterator[ReadTable]:
    content = _content(sheet, formulas)
    sheet._cells.clear()  # a million of them take half a gigabyte
    declared: list[tuple[str, Rect, int]] = []
    for table in sheet.tables.values():
        rect = _rect(str(table.ref))
        if rect is not None:
            declared.append((str(table.displayName), rect, 1 if table.headerRowCount is None else table.headerRowCount))
    rest = {place for place in content.texts if not any(_inside(place, rect) for _, rect, _ in declared)}
    wanted: list[tuple[str, Rect, int | None, str]] = [
        (name, _grown(rect, content), rows, f"Excel table {name}") for name, rect, rows in declared
    ]
    if rest:
        note = f"what stands outside the Excel tables of sheet {sheet.title!r}" if declared else ""
        wanted.append((sheet.title, _around(rest, content), None, note))
    for place, (name, rect, header_rows, note) in enumerate(wanted, start=1):
        fits = NAME.fullmatch(name) is not None and name not in names
        named = name if fits else f"table {n_before + place}"
        names.add(named)
        kept = content if header_rows is not None or not declared else _only(content, rest)
        yield _table(kept, rect, named, header_rows, [note] if note and (name != named or name == sheet.title) else [])


def _content(sheet: Worksheet, formulas: Mapping[tuple[int, int], str]) -> _Sheet:
    texts: dict[tuple[int, int], str] = {}
    numbers: set[tuple[int, int]] = set()
    doubts: dict[tuple[int, int], str] = {}
    for place, cell in _written(sheet):
        value = cell.value
        if value is None:
            if place in formulas:
                texts[place] = ""
                doubts[place] = (
                    f"the formula {formulas[place][:60]} has no stored result: the cell is empty; "
                    "save the file in a spreadsheet program first"
                )
            continue
        text = shown(value, cell.number_format)
        if text is None:
            text = general(value)
            doubts[place] = f"the number format {cell.number_format!r} is not understood: the value is shown without it"
        texts[place] = _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text) if "_x" in text else text
        if not isinstance(value, str):
            numbers.add(place)
    merged = {}
    for entry in sheet.merged_cells.ranges:
        merged[entry.min_row, entry.min_col] = (entry.min_row, entry.min_col, entry.max_row, entry.max_col)
    notes = []
    if not NAME.fullmatch(sheet.title):
        notes.append(f"sheet {sheet.title!r}")
    if sheet.sheet_state != "visible":
        notes.append("the sheet is hidden")
    hidden_rows = [row for row, shape in sheet.row_dimensions.items() if shape.hidden]
    hidden_cols = [letters for letters, shape in sheet.column_dimensions.items() if shape.hidden]
    if hidden_rows:
        notes.append(f"{some('row', hidden_rows)} of the sheet hidden, read all the same")
    if hidden_cols:
        notes.append(f"{some('column', hidden_cols)} of the sheet hidden, read all the same")
    return _Sheet(sheet.title, texts, frozenset(numbers), merged, doubts, tuple(notes))


def _only(content: _Sheet, places: set[tuple[int, int]]) -> _Sheet:
    return _Sheet(
        content.title,
        {place: text for place, text in content.texts.items() if place in places},
        content.numbers & places,
        {place: rect for place, rect in content.merged.items() if place in places},
        content.doubts,
        content.notes,
    )


def _inside(place: tuple[int, int], rect: Rect) -> bool:
    return rect[0] <= place[0] <= rect[2] and rect[1] <= place[1] <= rect[3]


def _around(places: set[tuple[int, int]], content: _Sheet) -> Rect:
    rows, cols = [row for row, _ in places], [col for _, col in places]
    inner = min(rows), min(cols), max(rows), max(cols)
    reached = [content.merged[place] for place in places if place in content.merged]
    return (*inner[:2], max(inner[2], *(rect[2] for rect in reached), 0), max(inner[3], *(r[3] for r in reached), 0))


def _grown(rect: Rect, content: _Sheet) -> Rect:
    """The rectangle of a declared table without the empty rows that it was stretched to."""
    rows = [row for row, col in content.texts if _inside((row, col), rect)]
    return rect[0], rect[1], max(rows, default=rect[0]), rect[3]


def _letters(col: int) -> str:
    from openpyxl.utils.cell import get_column_letter

    return get_column_letter(col)


def _table(content: _Sheet, rect: Rect, name: str, header_rows: int | None, notes: list[str]) -> ReadTable:
    top, left, bottom, right = rect
    n_rows, n_cols = bottom - top + 1, right - left + 1
    where = f"{content.title}!{_letters(left)}{top}:{_letters(right)}{bottom}"
    if n_rows * n_cols > LARGEST_GRID:
        raise FormatError(f"{where}: {n_rows} rows and {n_cols} columns, expected at most {LARGEST_GRID:,} positions")
    covered = {
        (row, col)
        for anchor, (first, begin, last, end) in content.merged.items()
        if _inside(anchor, rect)
        for row in range(first, min(last, bottom) + 1)
        for col in range(begin, min(end, right) + 1)
        if (row, col) != anchor
    }
    if header_rows is None:
        header_rows = _header_rows(content, rect)
        if header_rows:
            first = "the first row was" if header_rows == 1 else f"the first {header_rows} rows were"
            notes.append(f"{first} taken as the header")
    cells = []
    for row in range(top, bottom + 1):
        for col in range(left, right + 1):
            if (row, col) in covered:
                continue
            last, end = content.merged.get((row, col), (row, col, row, col))[2:]
            cells.append(
                Cell(
                    row - top,
                    col - left,
                    content.texts.get((row, col), ""),
                    min(last - row + 1, LARGEST_ROW_SPAN),
                    min(end - col + 1, LARGEST_COL_SPAN),
                    "column" if row - top < header_rows else "",
                )
            )
    whole, repairs = fitted(cells, n_rows=n_rows, n_cols=n_cols)
    doubts = [
        Repair(row - top, col - left, what) for (row, col), what in content.doubts.items() if _inside((row, col), rect)
    ]
    notes += [*content.notes, *_gaps(whole, top, left)]
    return ReadTable(name, whole, tuple(notes), (*doubts, *repairs), place=where)


def _header_rows(content: _Sheet, rect: Rect) -> int:
    """How many leading rows are a header: down to the first one in which each column has its own text.

    0 where a number or an empty place comes before that, or nothing after it.
    """
    top, left, bottom, right = rect
    reach = top
    for row in range(top, bottom):
        anchors = [col for col in range(left, right + 1) if content.texts.get((row, col))]
        rects = [content.merged.get((row, col), (row, col, row, col)) for col in anchors]
        if not anchors or any((row, col) in content.numbers for col in anchors):
            return 0
        reach = max(reach, *(last for _, _, last, _ in rects))
        if row >= reach and all(begin == end for _, begin, _, end in rects):
            return row - top + 1
    return 0


def _gaps(table: Table, top: int, left: int) -> Iterator[str]:
    """A note where empty rows or columns part the table into blocks."""
    written = [cell for cell in table.cells if cell.text]
    rows = {row for cell in written for row in cell.rows}
    cols = {col for cell in written for col in cell.cols}
    empty_rows = [top + row for row in range(table.n_rows) if row not in rows]
    empty_cols = [_letters(left + col) for col in range(table.n_cols) if col not in cols]
    gaps = [some(noun, places) for noun, places in (("row", empty_rows), ("column", empty_cols)) if places]
    if gaps:
        yield f"{' and '.join(gaps)} of the sheet empty: it may hold several tables, which were read as one"
