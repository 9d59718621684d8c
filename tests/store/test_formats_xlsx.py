from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook
from openpyxl.worksheet.table import Table as ExcelTable
from openpyxl.worksheet.worksheet import Worksheet

from store.formats import FormatError, Read, recognise, xlsx
from store.formats.number_format import shown


def made(fill: Callable[[Worksheet], Any], title: str = "line_items") -> bytes:
    book, held = Workbook(), io.BytesIO()
    sheet = book.worksheets[0]
    sheet.title = title
    fill(sheet)
    book.save(held)
    return held.getvalue()


def read(raw: bytes) -> Read:
    assert recognise(raw, "book.xlsx") == "xlsx"
    return xlsx.read(raw, name="book.xlsx")


def filled(*rows: list[Any]) -> Callable[[Worksheet], Any]:
    return lambda sheet: [sheet.append(row) for row in rows]


def test_a_sheet_is_a_table_of_what_is_written_in_it() -> None:
    def fill(sheet: Worksheet) -> None:
        sheet["B3"], sheet["C3"], sheet["B4"], sheet["C4"] = "item", "price", "bolt", 1.2

    (found,) = read(made(fill)).tables
    assert (found.name, found.place) == ("line_items", "line_items!B3:C4")
    assert [cell.text for cell in found.table.cells] == ["item", "price", "bolt", "1.2"]
    assert found.table.header_rows == 1
    assert all(cell.confidence == () and cell.box is None for cell in found.table.cells)


def test_merged_cells_are_spans_and_rows_under_them_belong_to_the_header() -> None:
    def fill(sheet: Worksheet) -> None:
        filled(["item", "price", None], [None, "net", "gross"], ["bolt", 1, 2])(sheet)
        sheet.merge_cells("A1:A2")
        sheet.merge_cells("B1:C1")

    (found,) = read(made(fill)).tables
    assert [(cell.text, cell.row_span, cell.col_span) for cell in found.table.cells[:2]] == [
        ("item", 2, 1),
        ("price", 1, 2),
    ]
    assert found.table.header_rows == 2
    assert len(found.table.cells) == 7


def test_the_header_reaches_as_far_down_as_its_tallest_cell() -> None:
    def fill(sheet: Worksheet) -> None:
        filled(["item", "price"], [None, "in EUR"], ["bolt", 1])(sheet)
        sheet.merge_cells("A1:A2")

    (found,) = read(made(fill)).tables
    assert found.table.header_rows == 2


@pytest.mark.parametrize(
    ("value", "code", "text"),
    [
        (0.05, "0%", "5%"),
        (0.0525, "0.00%", "5.25%"),
        (42, "00000", "00042"),
        (7, "000,000", "000,007"),
        (1234.5, "#,##0.00", "1,234.50"),
        (-1234.5, "#,##0.00;(#,##0.00)", "(1,234.50)"),
        (0, '#,##0;-#,##0;"-"', "-"),
        (-5, "0.0", "-5.0"),
        (2.5, "0", "3"),
        (1234567, "#,##0,", "1,235"),
        (12, r"[$€-407]\ #,##0.00", "€ 12.00"),
        (12, '_-* #,##0.00\\ "€"_-', "12.00 €"),
        (99.995, "0.00E+00", "1.00E+02"),
        (5, '0 "kg"', "5 kg"),
        (0.1 + 0.2, "General", "0.3"),
        (12345678901234, "General", "12345678901234"),
        (1e-300, "General", "1E-300"),
        (True, "General", "TRUE"),
        ("007", "0.00", "007"),
        (date(2024, 1, 5), "mm-dd-yy", "2024-01-05"),
        (datetime(2024, 1, 5, 13, 4, 59, 999999), "d mmm yyyy h:mm AM/PM", "5 Jan 2024 1:05 PM"),
        (datetime(2024, 1, 5), "[$-407]d. mmmm yyyy", "5. Januar 2024"),
        (datetime(2024, 3, 5, 9, 7), "dd/mm/yy hh:mm", "05/03/24 09:07"),
        (timedelta(hours=30, minutes=5), "[h]:mm:ss", "30:05:00"),
        (time(9, 5), "h:mm", "9:05"),
        (time(0, 1, 2, 560000), "mm:ss.0", "01:02.6"),
        (0.5, "# ?/?", None),
        (123456789, "000-00-0000", None),
        (5, "[<10]0;0.0", None),
        (float("nan"), "0", None),
    ],
)
def test_a_value_is_shown_as_its_number_format_says(value: object, code: str, text: str | None) -> None:
    assert shown(value, code) == text


def test_a_number_format_that_is_not_understood_is_told_at_the_cell() -> None:
    def fill(sheet: Worksheet) -> None:
        filled(["part"], [0.5])(sheet)
        sheet["A2"].number_format = "# ?/?"

    (found,) = read(made(fill)).tables
    assert found.table.text_at(1, 0) == "0.5"
    assert [str(repair) for repair in found.repairs] == [
        "row 2, column 1: the number format '# ?/?' is not understood: the value is shown without it"
    ]


def test_a_formula_without_a_stored_result_is_an_empty_cell_that_says_so() -> None:
    (found,) = read(made(filled(["item", "total"], ["bolt", "=1+1"]))).tables
    assert found.table.text_at(1, 1) == ""
    (repair,) = found.repairs
    assert (repair.row, repair.col) == (1, 1)
    assert "the formula =1+1 has no stored result" in repair.what


def test_declared_excel_tables_are_tables_of_their_own_and_the_rest_is_one_more() -> None:
    def fill(sheet: Worksheet) -> None:
        filled(["item", "price"], ["bolt", 1], [], ["name", "city"], ["Ann", "Rome"], [], ["a remark"])(sheet)
        sheet.add_table(ExcelTable(displayName="parts", ref="A1:B2"))
        sheet.add_table(ExcelTable(displayName="people", ref="A4:B5"))

    tables = read(made(fill)).tables
    assert [(table.name, table.place) for table in tables] == [
        ("parts", "line_items!A1:B2"),
        ("people", "line_items!A4:B5"),
        ("line_items", "line_items!A7:A7"),
    ]
    assert tables[1].table.header_rows == 1


def test_empty_rows_and_columns_inside_are_told() -> None:
    (found,) = read(made(filled(["a", None, "b"], [], ["1", None, "2"]))).tables
    assert (found.table.n_rows, found.table.n_cols) == (3, 3)
    assert any(note.startswith("row 2 and column B of the sheet empty") for note in found.notes)


def test_hidden_and_empty_sheets_are_told() -> None:
    book, held = Workbook(), io.BytesIO()
    book.worksheets[0].append(["a"])
    book.worksheets[0].column_dimensions["A"].hidden = True
    book.create_sheet("Empty")
    other = book.create_sheet("Kept back")
    other.append(["b"])
    other.sheet_state = "hidden"
    book.save(held)
    found = read(held.getvalue())
    assert found.notes == ("sheet 'Empty' is empty",)
    assert [table.name for table in found.tables] == ["table 1", "table 2"]
    assert found.tables[0].notes == ("sheet 'Sheet'", "column A of the sheet hidden, read all the same")
    assert found.tables[1].notes == ("sheet 'Kept back'", "the sheet is hidden")


def changed(raw: bytes, part: str, change: Callable[[bytes], bytes]) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(raw)) as old, zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, change(old.read(name)) if name == part else old.read(name))
    return held.getvalue()


SHEET = "xl/worksheets/sheet1.xml"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda xml: xml + b" " * 160_000_000, "unfolds to 160,"),
        (
            lambda xml: xml.replace(
                b"</sheetData>", b'</sheetData><mergeCells><mergeCell ref="A1:XFD9999"/></mergeCells>'
            ),
            "more than 1,000,000 positions in merged cells",
        ),
        (lambda xml: xml.replace(b"<c ", b"<c />" * 1_000_001 + b"<c ", 1), "more than 1,000,000 cells"),
        (lambda xml: b'<!DOCTYPE x [<!ENTITY a "b">]>' + xml, "a document type declaration"),
        (lambda xml: xml[:300], "cannot be opened"),
        (lambda xml: xml.replace(b'r="A2"', b'r="XFD1048576"'), "expected at most 1,000,000 positions"),
    ],
)
def test_what_would_fill_the_memory_or_is_damaged_is_refused(change: Callable[[bytes], bytes], message: str) -> None:
    raw = changed(made(filled(["a"], ["b"])), SHEET, change)
    with pytest.raises(FormatError, match=message):
        read(raw)


def test_old_encrypted_and_cut_off_workbooks_are_refused_in_words() -> None:
    with pytest.raises(FormatError, match=r"old \(\.xls\) or encrypted"):
        read(b"\xd0\xcf\x11\xe0" + b"\0" * 600)
    with pytest.raises(FormatError, match="the zip of the workbook is damaged"):
        read(made(filled(["a"]))[:-300])


@pytest.mark.corpus
def test_the_inflated_sample_is_cut_to_what_is_written(corpus_file: Callable[[str], Path]) -> None:
    found = read(corpus_file("formats/csv-xlsx/xlsx_04_inflated.xlsx").read_bytes())
    assert [(table.table.n_rows, table.table.n_cols) for table in found.tables] == [(7, 3), (18, 9), (13, 7), (2, 1)]


@pytest.mark.corpus
def test_the_merged_sample_keeps_its_spans(corpus_file: Callable[[str], Path]) -> None:
    third = read(corpus_file("formats/csv-xlsx/xlsx_01.xlsx").read_bytes()).tables[2].table
    assert sum(cell.row_span * cell.col_span > 1 for cell in third.cells) == 8
    assert (third.cells[0].row_span, third.cells[1].col_span) == (2, 2)
