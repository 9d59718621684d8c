"""Which headers a value stands under: header rows, label columns, section rows, and the path to each row and column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from scoring.fidelity.sheets import Sheet
from scoring.fidelity.text_recovery import taken_apart

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Headers:
    """The header structure of a sheet: what stands above, before and between its values.

    ``sections`` has for each row the text of the section row it is under, "" for none; ``is_section`` marks these.
    """

    header_rows: int
    label_cols: int
    sections: tuple[str, ...]
    is_section: tuple[bool, ...]


def headers_of(sheet: Sheet) -> Headers:
    """The header rows, label columns and section rows of gold.

    Header rows are the leading rows marked so. Without marks they are the leading rows up to the first that is mostly
    figures, at least one, and a row stays in the header as long as a cell spans from above. Label columns are the
    first and those after it that are mostly words while figures follow, or are marked or hold spans. A section row
    has one text and nothing else.
    """
    header_rows = _header_rows(sheet)
    label_cols = _label_cols(sheet, header_rows)
    is_section = [row >= header_rows and sheet.n_cols > 1 and bool(sheet.only_text(row)) for row in range(sheet.n_rows)]
    values = any(
        sheet.said(row, col)
        for row in range(header_rows, sheet.n_rows)
        if not is_section[row]
        for col in range(label_cols, sheet.n_cols)
    )
    if not values:  # a form to fill in, a list: all that can be got wrong is its texts
        return Headers(0, 0, ("",) * sheet.n_rows, (False,) * sheet.n_rows)
    sections, current = [], ""
    for row in range(sheet.n_rows):
        current = sheet.only_text(row) if is_section[row] else current
        sections.append(current)
    return Headers(header_rows, label_cols, tuple(sections), tuple(is_section))


def with_spans_restored(sheet: Sheet) -> Sheet:
    """The sheet with the spans that its notation could not write, as in Markdown.

    If no header cell spans columns, a position above the last header row that is empty or repeats the text to the
    left is read as part of the cell to the left.
    """
    header_rows = headers_of(sheet).header_rows
    texts, owners = [list(line) for line in sheet.texts], [list(line) for line in sheet.owners]
    above = range(header_rows - 1)
    if any(one == next_one >= 0 for row in above for one, next_one in pairwise(owners[row])):
        return sheet
    for row in above:
        for col in range(1, sheet.n_cols):
            if texts[row][col] in ("", texts[row][col - 1]):
                texts[row][col], owners[row][col] = texts[row][col - 1], owners[row][col - 1]
    return replace(sheet, texts=tuple(map(tuple, texts)), owners=tuple(map(tuple, owners)))


def _header_rows(sheet: Sheet) -> int:
    marked = 0
    while marked < sheet.n_rows and _mostly_marked(sheet, marked):
        marked += 1
    if 0 < marked < sheet.n_rows:
        return marked + _continued(sheet, marked)
    if not _figures(sheet):
        return min(1, max(sheet.n_rows - 1, 0)) if sheet.n_cols > 1 else 0
    rows = 0
    while rows < sheet.n_rows - 1 and not _mostly_figures(sheet, rows) and rows < 5:
        rows += 1
    # Words up to the last row: figures are few, and only the first row is certain.
    if rows == min(5, sheet.n_rows - 1) and not _mostly_figures(sheet, rows):
        rows = 1
    # Without marks a section row right above the values is the first section, not a header.
    while rows > 1 and sheet.n_cols > 2 and sheet.only_text(rows - 1) and not sheet.only_text(0):
        rows -= 1
    while 0 < rows < sheet.n_rows - 1 and _spanned(sheet, rows):
        rows += 1
    return rows


def _spanned(sheet: Sheet, row: int) -> bool:
    """Whether a cell reaches into a row from above."""
    return any(owner == above >= 0 for owner, above in zip(sheet.owners[row], sheet.owners[row - 1], strict=True))


def _mostly_marked(sheet: Sheet, row: int) -> bool:
    marks = [mark for mark, text in zip(sheet.marks[row], sheet.texts[row], strict=True) if text]
    return bool(marks) and 2 * sum(mark == "column" for mark in marks) > len(marks)


def _continued(sheet: Sheet, marked: int) -> int:
    """How many rows below the marked ones go on with the header: with no label of their own and no figures."""
    more = 0
    while marked + more < sheet.n_rows - 1:
        row = marked + more
        words = [text for text in sheet.texts[row][1:] if text]
        follows = sheet.texts[row][0] in ("", sheet.texts[row - 1][0])
        if not follows or len(set(words)) < 2 or any(taken_apart(text).is_figure for text in words):
            break
        more += 1
    return more


def _figures(sheet: Sheet) -> bool:
    return any(taken_apart(text).is_figure for line in sheet.texts for text in line[1:])


def _mostly_figures(sheet: Sheet, row: int) -> bool:
    texts = [text for text in sheet.texts[row][1:] if text] or [text for text in sheet.texts[row] if text]
    return 2 * sum(taken_apart(text).is_figure or text == "-" for text in texts) >= len(texts)


def _label_cols(sheet: Sheet, header_rows: int) -> int:
    if sheet.n_cols < 2:
        return 0
    body = range(header_rows, sheet.n_rows)
    numeric = [_column_of_figures(sheet, col, body) for col in range(sheet.n_cols)]
    labels = 1
    while labels < sheet.n_cols - 1:
        marked = sum(sheet.marks[row][labels] == "row" for row in body) * 2 > len(body)
        spanned = sum(sheet.owners[row][labels] == sheet.owners[row - 1][labels] >= 0 for row in body[1:]) * 2 > len(
            body
        )
        if not marked and not spanned and (numeric[labels] or not any(numeric[labels + 1 :])):
            break
        labels += 1
    return labels


def _column_of_figures(sheet: Sheet, col: int, rows: Sequence[int]) -> bool:
    texts = [sheet.texts[row][col] for row in rows if sheet.said(row, col)]
    return bool(texts) and 2 * sum(taken_apart(text).is_figure for text in texts) >= len(texts)


def column_path(sheet: Sheet, headers: Headers, col: int) -> Path:
    """The texts above a column, from the top, each cell once."""
    path: dict[int, str] = {}
    for row in range(headers.header_rows):
        if sheet.said(row, col):
            path.setdefault(sheet.owners[row][col], sheet.texts[row][col])
    return tuple(dict.fromkeys(path.values()))


def row_path(sheet: Sheet, headers: Headers, row: int) -> Path:
    """The section and the labels of a row; a label left empty before the first one is that of the row above."""
    labels, told = [headers.sections[row]], False
    for col in range(headers.label_cols):
        if sheet.said(row, col):
            labels.append(sheet.texts[row][col])
            told = True
        elif not told:
            labels.append(_label_above(sheet, headers, row, col))
    return tuple(dict.fromkeys(filter(None, labels)))


def _label_above(sheet: Sheet, headers: Headers, row: int, col: int) -> str:
    for above in range(row - 1, headers.header_rows - 1, -1):
        if headers.is_section[above]:
            break
        if sheet.said(above, col):
            return sheet.texts[above][col]
    return ""
