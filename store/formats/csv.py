"""CSV and its kin: one table of text, with the delimiter and the character set found out."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import PurePath

from scoring.table import LARGEST_GRID, Table, from_rows
from store.formats.charset import decode
from store.formats.contract import FormatError, Read, ReadTable, some
from store.pages import PageSize

SUFFIXES = (".csv", ".tsv", ".tab", ".psv", ".txt")
# Where two fit equally well, decimal commas are likelier than semicolons inside every row.
_DELIMITERS = ("\t", ";", "|", ",")
_NUMBER = re.compile(r"[-+(]?\s*[\d.,' ]*\d\s*[%)]?")
# A spreadsheet takes a text that begins so for a formula.
_RUNNING = ("=", "+", "-", "@", "\t", "\r")
_SAMPLE_ROWS = 200
# In a text that may be prose so many lines have as many cells as most.
_LINED_UP = 0.8
# A file with more quotes that are never closed has other rules for quotes, or none.
_MOST_UNCLOSED = 20
UNNAMED = "table 1"
# File names have no spaces where Proofgrid writes them.
_EXPORTED = re.compile(r"\Atable_(\d+)\Z")


def sniff(raw: bytes, name: str) -> bool:
    """Whether the file is named as CSV is and holds text, which is a table of one column at least.

    Prose is named ``.txt`` too: there the lines have to line up in columns.
    """
    if PurePath(name).suffix.lower() not in SUFFIXES or not raw.strip():
        return False
    try:
        text, _ = decode(raw)
    except FormatError:
        return False
    if "\0" in text or text.startswith("%PDF-"):
        return False
    return PurePath(name).suffix.lower() != ".txt" or _lines_up(text)


def read(raw: bytes, *, name: str, pages: Sequence[PageSize] = ()) -> Read:
    """The one table of the file, all cells as text; a first row without numbers is its header.

    The table is named by what stands between the document's name and the suffix:
    ``march.line_items.csv`` holds ``line_items``. Short rows end in holes, long ones widen the
    table, blank lines are left out; a note tells of each. Line ends inside cells become newlines. The
    apostrophe with which ``write`` protects a text is taken off.
    """
    text, notes = decode(raw)
    if not text.strip():
        raise FormatError("the file is empty, expected rows of text")
    if "\0" in text:
        raise FormatError(f"line {text[: text.index(chr(0))].count(chr(10)) + 1}: a zero byte, expected text")
    delimiter, text, found = _delimiter(text)
    rows, repairs = _rows(text, delimiter)
    while rows and not rows[-1]:
        rows.pop()
    blank = sum(not row for row in rows)
    rows = [row for row in rows if row]
    widths = Counter(map(len, rows))
    usual = widths.most_common(1)[0][0]
    if len(rows) * max(widths) > LARGEST_GRID:
        raise FormatError(
            f"{len(rows)} rows of up to {max(widths)} columns, expected at most {LARGEST_GRID:,} positions"
        )
    table_notes = [*found, *repairs]
    if blank:
        table_notes.append(f"{blank} blank lines were left out")
    ragged = [number for number, row in enumerate(rows, start=1) if len(row) != usual]
    if ragged:
        table_notes.append(f"{some('row', ragged)}: not {usual} cells as in most rows")
    header_rows = 1 if len(rows) > 1 and not any(_NUMBER.fullmatch(cell.strip()) for cell in rows[0]) else 0
    if header_rows:
        table_notes.append("the first row was taken as the header")
    safe = [number for number, row in enumerate(rows, start=1) if any(map(_is_protected, row))]
    if safe:
        rows = [[cell[1:] if _is_protected(cell) else cell for cell in row] for row in rows]
        table_notes.append(
            f"{some('row', safe)}: the apostrophe before a text that a spreadsheet would run was taken off"
        )
    table = from_rows(rows, header_rows=header_rows)
    return Read((ReadTable(table_name(name) or UNNAMED, table, tuple(table_notes)),), notes)


def write(table: Table) -> bytes:
    """The table as CSV in UTF-8, a spanning cell by its text at its anchor and empty places beside it.

    A text that a spreadsheet would run as a formula gets an apostrophe in front; numbers do not. So does one
    that has such apostrophes already, so that ``read`` gives it back.
    """
    held = io.StringIO(newline="")
    writer = csv.writer(held)
    anchors = {(cell.row, cell.col): cell.text for cell in table.cells}
    for row in range(table.n_rows):
        writer.writerow([_harmless(anchors.get((row, col), "")) for col in range(table.n_cols)])
    return held.getvalue().encode()


def _harmless(text: str) -> str:
    return f"'{text}" if _would_run(text.lstrip("'")) else text


def _is_protected(text: str) -> bool:
    return text[:1] == "'" and _would_run(text.lstrip("'"))


def _would_run(text: str) -> bool:
    return text[:1] in _RUNNING and len(text) > 1 and not _NUMBER.fullmatch(text.strip())


def table_name(name: str) -> str:
    """The name of the table that stands in the middle of a file's name, "" where nothing does."""
    middle = PurePath(name).name.split(".")[1:-1]
    named = [part for part in middle if part not in ("gold", "extraction")]
    return _EXPORTED.sub(r"table \1", ".".join(named))


def _delimiter(text: str) -> tuple[str, str, tuple[str, ...]]:
    """The delimiter, the text without Excel's ``sep=`` line, and a note where that line named it."""
    if told := re.match(r"\Asep=(.)\r?\n", text):
        return told.group(1), text[told.end() :], (f"the first line names the delimiter {told.group(1)!r}",)
    best, best_fit = ",", 0.0
    for delimiter in _DELIMITERS:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
        try:
            rows = [row for row, _ in zip(reader, range(_SAMPLE_ROWS), strict=False) if row]
        except csv.Error:
            continue
        widths = Counter(map(len, rows))
        width, count = max(widths.items(), key=lambda entry: (entry[1], entry[0]))
        # A delimiter that tears quotes apart is likelier to stand inside them.
        torn = any(cell.count('"') % 2 for row in rows for cell in row)
        fit = count / len(rows) / (2 if torn else 1)
        if width > 1 and fit > best_fit:
            best, best_fit = delimiter, fit
    return best, text, ()


def _lines_up(text: str) -> bool:
    """Whether most lines of a text have the same number of cells, and more than one."""
    delimiter, text, named = _delimiter(text)
    # A space follows the commas of a sentence, and rarely those between cells.
    if named or text.count(f"{delimiter} ") * 2 > text.count(delimiter):
        return bool(named)
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        widths = Counter(len(row) for row, _ in zip(lines, range(_SAMPLE_ROWS), strict=False) if row)
    except csv.Error:
        return False
    width, count = widths.most_common(1)[0]
    return width > 1 and count > 1 and count >= widths.total() * _LINED_UP


def _rows(text: str, delimiter: str) -> tuple[list[list[str]], tuple[str, ...]]:
    """The rows, and notes where quotes do not follow the rules: only the lines that break them are read otherwise."""
    rows: list[list[str]] = []
    notes: list[str] = []
    line, unclosed = _strict_rows(io.StringIO(text, newline=""), delimiter, rows)
    if not line:
        return rows, ()
    # As the reader counts lines: other signs that end one stand inside cells.
    rest, done = list(io.StringIO(text, newline="")), 0
    while line and unclosed and len(notes) < _MOST_UNCLOSED:
        done += line
        last = "" if done < len(rest) else ", in the last line: the file may be cut off"
        notes.append(
            f"line {done}: a quote is opened and never closed{last}: the quotes of this line were kept as text"
        )
        rows += _loose_rows(rest[done - 1 : done], delimiter, done, quotes_are_text=True)
        line, unclosed = _strict_rows(rest[done:], delimiter, rows)
    if line:
        quotes = "all quotes from there on were kept as text" if unclosed else "it was kept in the cell"
        what = "a quote is opened and never closed" if unclosed else "text follows a closing quote"
        notes.append(f"line {done + line}: {what}: {quotes}")
        rows += _loose_rows(rest[done + line - 1 :], delimiter, done + line, quotes_are_text=unclosed)
    return rows, tuple(notes)


def _strict_rows(lines: Iterable[str], delimiter: str, rows: list[list[str]]) -> tuple[int, bool]:
    """Add the rows up to the first that breaks the rules; its line, 0 if none does, and if a quote of it never ends."""
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    line = 1
    try:
        for row in reader:
            rows.append(_plain(row))
            line = reader.line_num + 1
    except csv.Error as wrong:
        return line, "unexpected end" in str(wrong) or "field larger" in str(wrong)
    return 0, False


def _loose_rows(lines: Sequence[str], delimiter: str, first: int, *, quotes_are_text: bool) -> list[list[str]]:
    reader = csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_NONE if quotes_are_text else csv.QUOTE_MINIMAL)
    try:
        return [_plain(row) for row in reader]
    except csv.Error as wrong:
        raise FormatError(f"line {first - 1 + reader.line_num}: {wrong}") from None


def _plain(row: list[str]) -> list[str]:
    return [cell.replace("\r\n", "\n").replace("\r", "\n") for cell in row]
