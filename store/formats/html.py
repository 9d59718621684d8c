"""HTML tables, alone or inside a page: spans, headers, nested tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import PurePath

from selectolax.lexbor import LexborHTMLParser, LexborNode

from scoring.table import LARGEST_COL_SPAN, LARGEST_GRID, Cell, Header, Table
from store.formats.charset import decode
from store.formats.contract import NAME, FormatError, Read, ReadTable, Repair, some
from store.formats.dataframe import without_numbers
from store.formats.repair import fitted
from store.pages import PageSize

_TABLE = re.compile(r"<(table|tr|td|th)[\s>]", re.IGNORECASE)
_DECLARED = re.compile(rb"""<meta[^>]+charset=["']?([\w-]+)""", re.IGNORECASE)
_SPAN = re.compile(r"\s*\+?(\d+)")
_SPACE = re.compile(r"[ \t\n\r\f]+")
_LINE_END = re.compile(r"\r\n|[\r\n]")
_SPACE_RUN = re.compile(r" {2,}")
_SECTIONS = {"thead": 0, "tbody": 1, "tfoot": 2}
_SKIPPED = {"script", "style", "template", "noscript", "table"}
# These stand on lines of their own when a browser shows them.
_BLOCKS = {"p", "div", "li", "ul", "ol", "dl", "dt", "dd", "pre", "blockquote", "section", "article"}
_BLOCKS |= {"h1", "h2", "h3", "h4", "h5", "h6", "hr", "address", "figure", "figcaption", "center"}


def sniff(raw: bytes, name: str) -> bool:
    """Whether a table, row or cell tag stands anywhere in the text; a file named as CSV must begin with a tag."""
    try:
        text, _ = decode(raw)
    except FormatError:
        return False
    if PurePath(name).suffix.lower() in {".csv", ".tsv"} and not text.lstrip().startswith("<"):
        return False
    return _TABLE.search(text) is not None and not text.startswith("%PDF-")


def read(raw: bytes, *, name: str, pages: Sequence[PageSize] = ()) -> Read:
    """All tables of the text in the order of their tags; a nested one is a table of its own.

    Cells are laid out as browsers do (WHATWG, "forming a table"). White space is collapsed,
    ``<br>`` and blocks become newlines. A caption that is a name (``line_items``) names its table.
    HTML carries no confidence and no boxes.
    """
    declared = _DECLARED.search(raw[:4096])
    text, notes = decode(raw, declared=declared.group(1).decode() if declared else "")
    if not _TABLE.search(text):
        raise FormatError("no <table> in the text, expected at least one")
    tables, doubts = _tables(text)
    return Read(tables, (*notes, *doubts))


def tables_in(text: str, *, first: int = 1) -> tuple[ReadTable, ...]:
    """The tables of a piece of HTML that stands inside another format, read as ``read`` does; none without a tag.

    They are numbered from ``first`` on. What was wrong with the piece as a whole is a note of its first table.
    """
    if not _TABLE.search(text):
        return ()
    tables, doubts = _tables(text, first=first)
    return tuple(
        replace(table, notes=(*doubts, *table.notes) if not at else table.notes) for at, table in enumerate(tables)
    )


def _tables(text: str, *, first: int = 1) -> tuple[tuple[ReadTable, ...], tuple[str, ...]]:
    """The tables of a text that has some, and what was wrong with the text."""
    notes: tuple[str, ...] = ()
    if not re.search(r"<table[\s>]", text, re.IGNORECASE):
        text = f"<table>{text}</table>"
        notes = ("the rows stand outside a <table>: one was put round them",)
    opened, closed = (len(re.findall(tag, text, re.IGNORECASE)) for tag in (r"<table[\s>]", r"</table\s*>"))
    if closed < opened:
        notes = (*notes, f"{opened - closed} of {opened} tables are not closed: the file may be cut off")
    nodes = LexborHTMLParser(text).css("table")
    numbers = {node.mem_id: number for number, node in enumerate(nodes, start=first)}
    tables: list[ReadTable] = []
    names: set[str] = set()
    for number, node in enumerate(nodes, start=first):
        found = _table(node, numbers)
        if found.name in names:
            found = replace(found, name=f"table {number}", notes=(*found.notes, f"caption: {found.name}, once more"))
        names.add(found.name)
        tables.append(found)
    return tuple(tables), notes


def write(tables: Sequence[tuple[str, Table]], *, title: str) -> bytes:
    """A page of the named tables that ``read`` reads back to equal tables, but for boxes and confidence."""
    parts = [f'<!doctype html>\n<html>\n<head><meta charset="utf-8"><title>{escape(title)}</title></head>\n<body>']
    for name, table in tables:
        parts.append(written(table, name))
    return "\n".join([*parts, "</body>\n</html>\n"]).encode()


def written(table: Table, name: str = "") -> str:
    """One table, with its name as the caption if it has one."""
    caption = f"\n<caption>{escape(name)}</caption>" if name else ""
    ends = [0] * table.n_rows
    width = 0
    for cell in table.cells:
        width = max(width, cell.col + cell.col_span)
        for row in cell.rows:
            ends[row] = max(ends[row], cell.col + 1)
    if ends and width < table.n_cols:
        # No row reaches the last columns, which hold nothing: an empty cell of the first one keeps the size.
        ends[0] = table.n_cols
    rows = [f"<tr>{''.join(_written(table, row, end))}</tr>" for row, end in enumerate(ends)]
    return "\n".join([f"<table>{caption}", *rows, "</table>"])


def _written(table: Table, row: int, end: int) -> Iterator[str]:
    """The cells of a row that begin before a column."""
    for col in range(end):
        cell = table.at(row, col)
        if cell is None:
            yield "<td></td>"  # HTML has holes only at the end of a row
        elif (cell.row, cell.col) == (row, col):
            tag = "th" if cell.header else "td"
            scope = {"column": ' scope="col"', "row": ' scope="row"'}.get(cell.header, "")
            spans = "".join(
                f' {name}="{span}"'
                for name, span in (("rowspan", cell.row_span), ("colspan", cell.col_span))
                if span > 1
            )
            yield f"<{tag}{scope}{spans}>{'<br>'.join(map(escape, _LINE_END.split(cell.text)))}</{tag}>"


@dataclass(frozen=True)
class _Row:
    node: LexborNode
    section: int
    last_of_section: int  # the grid row in which the section ends


def _table(table: LexborNode, numbers: dict[int, int]) -> ReadTable:
    rows = _rows(table)
    notes: list[str] = []
    repairs: list[Repair] = []
    cells: list[Cell] = []
    grown: dict[tuple[int, int], None] = {}  # positions that a cell of an earlier row reaches
    n_cols = 0
    leading = True  # only rows of column headers so far
    for row, entry in enumerate(rows):
        col = 0
        tags = list(_children(entry.node, ("td", "th")))
        leading = leading and _is_header_row(tags, entry.section)
        for node in tags:
            while (row, col) in grown:
                col += 1
            col_span, wrong = _span(node, "colspan", LARGEST_COL_SPAN)
            row_span, wrong_too = _span(node, "rowspan", entry.last_of_section - row + 1)
            repairs += (Repair(row, col, what) for what in (wrong, wrong_too) if what)
            header: Header = "column" if leading else _header(node, entry.section)
            inner = [numbers[found.mem_id] for found in _nested(node)]
            if inner:
                repairs.append(Repair(row, col, f"holds a table of its own: see {some('table', inner)}"))
            cells.append(Cell(row, col, _text(node), row_span, col_span, header))
            n_cols = max(n_cols, col + col_span)
            if len(rows) * n_cols > LARGEST_GRID:
                raise FormatError(
                    f"table {numbers[table.mem_id]}, row {row + 1}, column {col + 1}: {len(rows)} rows and "
                    f"{n_cols} columns, expected at most {LARGEST_GRID:,} positions"
                )
            for below in range(row + 1, row + row_span):
                for across in range(col, col + col_span):
                    grown[below, across] = None
            col += col_span
    whole, refitted = fitted(cells, n_rows=len(rows), n_cols=n_cols)
    if "dataframe" in (table.attributes.get("class") or "").split():
        whole, told = without_numbers(whole)
        n_cols = whole.n_cols
        notes += told
    holes = [row + 1 for row in range(whole.n_rows) if any(whole.at(row, col) is None for col in range(n_cols))]
    if holes:
        notes.append(f"{some('row', holes)}: fewer cells than the table has columns")
    caption = next(_children(table, ("caption",)), None)
    name, words = f"table {numbers[table.mem_id]}", _text(caption) if caption is not None else ""
    if NAME.fullmatch(words):
        name = words
    elif words:
        notes.append(f"caption: {words}")
    return ReadTable(name, whole, tuple(notes), (*repairs, *refitted))


def _rows(table: LexborNode) -> list[_Row]:
    """The direct rows: head, then bodies, then foot, as a browser shows them."""
    sections: list[tuple[int, list[LexborNode]]] = []
    for child in _children(table, ("thead", "tbody", "tfoot", "tr")):
        if child.tag == "tr":  # the parser wraps rows in a tbody, but a script could not
            sections.append((_SECTIONS["tbody"], [child]))
        else:
            sections.append((_SECTIONS[str(child.tag)], list(_children(child, ("tr",)))))
    rows: list[_Row] = []
    for section, nodes in sorted(sections, key=lambda entry: entry[0]):
        last = len(rows) + len(nodes) - 1
        rows += (_Row(node, section, last) for node in nodes)
    return rows


def _span(node: LexborNode, attribute: str, most: int) -> tuple[int, str]:
    """The span, and what was wrong with it as it is written."""
    written = node.attributes.get(attribute)
    if written is None:
        return 1, ""
    number = _SPAN.match(written)
    if attribute == "rowspan" and number and int(number.group(1)) == 0:
        return most, ""  # HTML: to the end of the section
    if not number or int(number.group(1)) == 0:
        return 1, f"has {attribute}={written!r}: taken as 1"
    span = int(number.group(1)) if len(number.group(1)) < 10 else LARGEST_GRID
    if span > most:
        reason = "past the last row of its section" if attribute == "rowspan" else "further than HTML allows"
        return most, f"has {attribute}={written!r}, {reason}: cut to {most}"
    return span, "" if number.group(0) == written.rstrip() else f"has {attribute}={written!r}: taken as {span}"


def _is_header_row(tags: Sequence[LexborNode], section: int) -> bool:
    """In the head, or all cells are header cells but for empty ones before the last."""
    if section == _SECTIONS["thead"]:
        return True
    return (
        bool(tags)
        and tags[-1].tag == "th"
        and all(
            (node.tag == "th" and node.attributes.get("scope") not in ("row", "rowgroup")) or not _text(node)
            for node in tags
        )
    )


def _header(node: LexborNode, section: int) -> Header:
    if section == _SECTIONS["thead"]:
        return "column"
    if node.tag != "th":
        return ""
    return "column" if node.attributes.get("scope") in ("col", "colgroup") else "row"


def _children(node: LexborNode, tags: Sequence[str]) -> Iterator[LexborNode]:
    child = node.child
    while child is not None:
        if child.tag in tags:
            yield child
        child = child.next


def _nested(cell: LexborNode) -> Iterator[LexborNode]:
    """The tables inside a cell, not those inside them."""
    stack = [cell.child]
    while stack:
        node = stack.pop()
        if node is None:
            continue
        stack.append(node.next)
        if node.tag == "table":
            yield node
        else:
            stack.append(node.child)


def _text(cell: LexborNode) -> str:
    only = cell.child
    if only is not None and only.is_text_node and only.next is None:
        return _SPACE.sub(" ", only.text_content or "").strip(" ")
    parts: list[str] = []
    # A stack of nodes and of line ends to write when a block closes: pages may nest deeper than Python may recurse.
    stack: list[LexborNode | str | None] = [cell.child]
    while stack:
        node = stack.pop()
        if node is None:
            continue
        if isinstance(node, str):
            parts.append(node)
            continue
        stack.append(node.next)
        if node.is_text_node:
            parts.append(_SPACE.sub(" ", node.text_content or ""))
        elif node.tag == "br":
            parts.append("\n")
        elif node.tag not in _SKIPPED:
            if node.tag in _BLOCKS:
                # "\x00" is a line end only between two texts, unlike a <br>.
                parts.append("\0")
                stack.append("\0")
            stack.append(node.child)
    text = re.sub(r" *([\n\0]) *", r"\1", _SPACE_RUN.sub(" ", "".join(parts)))
    return re.sub(r"\0+", "\n", text.strip(" \0\n"))
