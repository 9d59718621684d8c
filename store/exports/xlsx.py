"""Excel workbooks: a sheet for each table, spans as merged cells, every cell a text as it is."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence

from openpyxl import Workbook
from openpyxl.styles import Alignment, Font
from openpyxl.worksheet.worksheet import Worksheet

from scoring.table import Table
from store.comparison import Comparison
from store.exports.carried import checked
from store.exports.written import ByDocument, Export, Given, name_of
from store.formats import xlsx

# What XML cannot hold, and what ends a line in it otherwise.
_NOT_IN_XML = r"\x00-\x08\x0b-\x1f\ufffe\uffff"
_NOT_IN_A_NAME = re.compile(rf"[\[\]:*?/\\'{_NOT_IN_XML}]")
_ESCAPED = re.compile(rf"[{_NOT_IN_XML}]|_(?=x[0-9A-Fa-f]{{4}}_)")
_LONGEST_NAME = 31


def write(documents: ByDocument, given: Given) -> Iterator[Export]:
    """A workbook for each document. No text is run as a formula or becomes a number or a date."""
    for tables in documents:
        named = [(entry.gold.name, entry.sheet.table) for entry in tables]
        yield checked(name_of(tables[0], "xlsx"), _workbook(tables), named, xlsx)


def _workbook(tables: Sequence[Comparison]) -> bytes:
    book = Workbook()
    book.remove(book.worksheets[0])
    names: list[str] = []
    for entry in tables:
        names.append(_sheet_name(entry.gold.name, names))
        _fill(book.create_sheet(names[-1]), entry.sheet.table)
    made = io.BytesIO()
    book.save(made)
    return made.getvalue()


def _fill(sheet: Worksheet, table: Table) -> None:
    for cell in table.cells:
        if cell.text:
            place = sheet.cell(cell.row + 1, cell.col + 1)
            place.value = _ESCAPED.sub(_escape, cell.text)
            # A text that begins with "=" would be a formula; marked as a text it stays one when it is edited, too.
            place.data_type = "s"
            place.number_format = "@"
            place.quotePrefix = True
            place.alignment = Alignment(wrap_text="\n" in cell.text, vertical="top")
            if cell.header:
                place.font = Font(bold=True)
        if cell.row_span > 1 or cell.col_span > 1:
            sheet.merge_cells(
                start_row=cell.row + 1,
                start_column=cell.col + 1,
                end_row=cell.row + cell.row_span,
                end_column=cell.col + cell.col_span,
            )
    if table.header_rows:
        sheet.freeze_panes = f"A{table.header_rows + 1}"


def _escape(found: re.Match[str]) -> str:
    """A sign as Excel escapes it in a text (ST_Xstring, ECMA-376 part 1, 22.9.2.19)."""
    return f"_x{ord(found[0]):04X}_"


def _sheet_name(name: str, taken: Sequence[str]) -> str:
    """A name that Excel takes, and that no other sheet has in any case."""
    whole = _NOT_IN_A_NAME.sub("_", name).strip() or "table"
    short, number = whole[:_LONGEST_NAME], 1
    while short.casefold() in (other.casefold() for other in taken):
        number += 1
        short = f"{whole[: _LONGEST_NAME - 5]} ({number})"
    return short
