from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.table import Cell, Table, from_rows
from store.formats import FormatError, ReadTable, csv, recognise


def read(text: str | bytes, name: str = "rows.csv") -> ReadTable:
    raw = text.encode() if isinstance(text, str) else text
    return csv.read(raw, name=name).tables[0]


def rows(found: ReadTable) -> list[list[str | None]]:
    return [
        [cell.text if (cell := found.table.at(row, col)) else None for col in range(found.table.n_cols)]
        for row in range(found.table.n_rows)
    ]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found_out(delimiter: str) -> None:
    text = "\n".join(delimiter.join(row) for row in (["item", "qty"], ["bolt", "2"], ["nut", "3"]))
    assert rows(read(text)) == [["item", "qty"], ["bolt", "2"], ["nut", "3"]]


def test_decimal_commas_do_not_pass_for_a_delimiter() -> None:
    assert rows(read("1,50;2,50\n3,50;4,50\n"))[0] == ["1,50", "2,50"]


def test_all_text_stays_as_it_is() -> None:
    found = read('id,price,rate\n00123,"1,234.50",N/A\n007, 5 ,\n')
    assert rows(found)[1:] == [["00123", "1,234.50", "N/A"], ["007", " 5 ", ""]]


def test_a_cell_may_hold_line_ends_and_quotes() -> None:
    assert rows(read('a,b\r\n"one\r\ntwo","say ""hi"""\r\n'))[1] == ["one\ntwo", 'say "hi"']


def test_short_rows_end_in_holes_and_long_rows_widen_the_table() -> None:
    found = read("a,b,c\n1,2\n1,2,3,4\n1,2,3\n")
    assert rows(found)[1] == ["1", "2", None, None]
    assert found.table.n_cols == 4
    assert "rows 2 and 3: not 3 cells as in most rows" in found.notes


@pytest.mark.parametrize(
    "text", ["+1-539-402-0259", "-1,204.50 €", "- item", "---", "=1+2", "'=1", "''-a", "'a'", "-5", "-"]
)
def test_a_text_that_was_protected_from_running_comes_back_as_it_was(text: str) -> None:
    written = csv.write(from_rows([["item", "note"], ["bolt", text]], header_rows=1))
    found = read(written)
    assert rows(found)[1] == ["bolt", text]
    was_protected = text not in ("'a'", "-5", "-")
    assert (f"'{text}" in written.decode()) == was_protected
    note = "row 2: the apostrophe before a text that a spreadsheet would run was taken off"
    assert (note in found.notes) == was_protected


def test_blank_lines_are_left_out_with_a_note() -> None:
    found = read("a,b\n\n1,2\n\n")
    assert rows(found) == [["a", "b"], ["1", "2"]]
    assert "1 blank lines were left out" in found.notes


def test_a_first_row_of_numbers_is_no_header() -> None:
    assert read("2023,2024\n1,2\n").table.header_rows == 0
    assert read("item,2024 total\n1,2\n").table.header_rows == 1


def test_a_quote_that_is_never_closed_does_not_swallow_the_file() -> None:
    found = read('size,price\n5" pipe,2\n"6 inch,3\n7,4\n')
    assert rows(found)[2:] == [['"6 inch', "3"], ["7", "4"]]
    assert any(note.startswith("line 3: a quote is opened and never closed") for note in found.notes)


def test_text_after_a_closing_quote_is_kept() -> None:
    found = read('a,b\n"one" two,3\n')
    assert rows(found)[1] == ["one two", "3"]
    assert any(note.startswith("line 2:") for note in found.notes)


@pytest.mark.parametrize("charset", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_unicode_is_read_with_and_without_a_byte_order_mark(charset: str) -> None:
    text = "Größe;Preis\nØ 8;1,20 €\nØ 9;1,30 €\n"
    assert rows(read(text.encode(charset))) == [["Größe", "Preis"], ["Ø 8", "1,20 €"], ["Ø 9", "1,30 €"]]


def test_western_text_that_is_not_utf8_is_windows_1252_with_a_note() -> None:
    found = csv.read("Prüfstück;Maß\nA;5 €\n".encode("windows-1252"), name="a.csv")
    assert found.tables[0].table.text_at(1, 1) == "5 €"
    assert found.notes == ("not UTF-8 (line 1): read as windows-1252, which is a guess",)


def test_cyrillic_that_is_not_utf8_is_guessed_with_a_note() -> None:
    text = "Наименование;Количество;Цена\nБолт стальной;два;Сто рублей\nГайка медная;три;Двести рублей\n"
    found = csv.read(text.encode("windows-1251"), name="a.csv")
    assert found.tables[0].table.text_at(1, 0) == "Болт стальной"
    assert "guess" in found.notes[0]


def test_the_middle_of_the_file_name_names_the_table() -> None:
    assert read("a,b\n1,2\n", "march.line_items.csv").name == "line_items"
    assert read("a,b\n1,2\n", "march.gold.csv").name == "table 1"
    assert read("a,b\n1,2\n", "march.csv").name == "table 1"


def test_excel_names_its_delimiter_in_the_first_line() -> None:
    assert rows(read("sep=;\na;b,c\nd;e\n")) == [["a", "b,c"], ["d", "e"]]


@pytest.mark.parametrize(
    ("raw", "message"),
    [(b"", "empty"), (b" \n\n", "empty"), (b"a,b\n1,\x002\n", "line 2: a zero byte")],
)
def test_what_is_no_text_is_refused_with_its_line(raw: bytes, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        csv.read(raw, name="a.csv")


def test_spans_and_formulas_are_written_harmlessly() -> None:
    table = Table(2, 2, (Cell(0, 0, "wide", col_span=2), Cell(1, 0, "=cmd|x"), Cell(1, 1, "-1,234.50")))
    assert csv.write(table) == b'wide,\r\n\'=cmd|x,"-1,234.50"\r\n'


@given(st.lists(st.lists(st.text("ab1,\"'\n äß", min_size=1), min_size=2, max_size=3), min_size=2, max_size=4))
def test_what_is_written_is_read_again(texts: list[list[str]]) -> None:
    width = max(map(len, texts))
    table = from_rows([row + ["x"] * (width - len(row)) for row in texts])
    found = read(csv.write(table))
    assert [cell.text for cell in found.table.cells] == [cell.text for cell in table.cells]


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("csv-comma.csv", (6, 12)),
        ("csv-semicolon.csv", (6, 12)),
        ("csv-tab.csv", (6, 12)),
        ("csv-pipe.csv", (6, 12)),
        ("csv-comma-in-cell.csv", (5, 4)),
        ("csv-single-column.csv", (7, 1)),
        ("csv-too-many-columns.csv", (5, 5)),
        ("csv-too-few-columns.csv", (5, 4)),
        ("csv-inconsistent-header.csv", (5, 4)),
    ],
)
def test_sample_files_have_their_size(corpus_file: Callable[[str], Path], name: str, size: tuple[int, int]) -> None:
    raw = corpus_file(f"formats/csv-xlsx/{name}").read_bytes()
    assert recognise(raw, name) == "csv"
    table = read(raw, name).table
    assert (table.n_rows, table.n_cols) == size


def test_a_file_cut_off_inside_a_quote_keeps_all_rows_but_the_last_as_they_are() -> None:
    good = [["item", "qty", "note"], *([f"bolt {n}", "1.20", f"big, grey, {n}"] for n in range(100))]
    whole = csv.write(from_rows(good)).decode()
    found = read(whole + 'last,1,"cut o')
    assert rows(found) == [*good, ["last", "1", '"cut o']]
    assert any(note.startswith("line 102: ") and "may be cut off" in note for note in found.notes)


def test_a_quote_that_is_never_closed_leaves_the_lines_after_it_as_they_are() -> None:
    found = read('a,b\n"1, x",2\n"3,4\n5,6 ""\n7,8\n')
    assert rows(found)[1:] == [["1, x", "2"], ['"3', "4"], ["5", '6 ""'], ["7", "8"]]


@pytest.mark.parametrize(
    "prose",
    [
        "First, second, third.\nOne, two, three.\nRed, green, blue.\n",
        "Invoice 17\nTotal, in words: ten\nThank you\n",
        "One line only, with a comma",
        "nothing\nat\nall\n",
    ],
)
def test_prose_named_as_text_is_no_table(prose: str) -> None:
    assert not csv.sniff(prose.encode(), "ocr.txt")
    with pytest.raises(FormatError, match="do not line up in columns"):
        recognise(prose.encode(), "ocr.txt")


@pytest.mark.parametrize("text", ["item\tqty\nbolt\t2\n", "item,qty\nbolt,2\nnut,1\n", "a;b\n1,5;2,5\n"])
def test_columns_in_a_text_file_are_a_table(text: str) -> None:
    assert recognise(text.encode(), "ocr.txt") == "csv"
