"""OTSL: tables as a sequence of cell tokens, in DocTags or in rows of FinTabNet_OTSL."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scoring.table import LARGEST_COL_SPAN, LARGEST_GRID, LARGEST_ROW_SPAN, Box, Cell, Header
from store.formats import json_shape, json_text
from store.formats.charset import decode
from store.formats.contract import NAME, FormatError, Read, ReadTable, Repair, some
from store.formats.json_shape import Path
from store.formats.repair import fitted
from store.formats.rows import numbered
from store.pages import PageSize

# "Optimized Table Tokenization for Table Structure Recognition" (arXiv 2305.03393), and the headers of DocTags.
_HEADERS: Mapping[str, Header] = {"fcel": "", "ecel": "", "ched": "column", "rhed": "row", "srow": "row"}
_MERGED = {"lcel", "ucel", "xcel"}
_KINDS = "fcel|ecel|ched|rhed|srow|lcel|ucel|xcel|nl|otsl|caption|page_break"
_TOKEN = re.compile(rf"<(/?)({_KINDS}|loc_\d{{1,4}})>")
# What follows the bracket of a token, or of a text that would be taken for one: its bracket stands as an entity.
TOKEN_END = rf"/?(?:{_KINDS}|doctag|loc_\d{{1,4}})>"
_ESCAPED = re.compile(rf"&(amp;)?((?:amp;)*)lt;(?={TOKEN_END})")
_CELLS = re.compile(r"<(?:fcel|ecel|ched|rhed|srow)>")
_CUT = re.compile(r"<[a-z/_]{0,12}(?:\d{1,4})?\Z")
_LOCATIONS = 500  # DocTags count 0 to 500 along each side of a page


def sniff(raw: bytes, name: str) -> bool:
    """Whether the text has cell and row tokens, or the JSON lists of them."""
    if json_text.looks_like(raw):
        return _rows_of(json_text.peeked(raw)) is not None
    try:
        text, _ = decode(raw)
    except FormatError:
        return False
    return ("<nl>" in text or text.lstrip().startswith("<otsl>")) and _CELLS.search(text) is not None


def read(raw: bytes, *, name: str, pages: Sequence[PageSize] = ()) -> Read:
    """All tables, with the spans that the merge tokens tell; a page break token raises the page number.

    Cell locations are counted from the bottom of the page by Docling's own export, those of the
    table from the top: the order of the rows tells. Raises FormatError where nothing is a table.
    """
    if json_text.looks_like(raw):
        return _from_json(raw)
    text, notes = decode(raw)
    if not _CELLS.search(text):
        raise FormatError("no cell token such as <fcel> in the text, expected OTSL or DocTags")
    if _CUT.search(text):
        line = text.count("\n") + 1
        raise FormatError(f"line {line}: the text ends inside a token; the file is cut off, get it again")
    tables = numbered(_table(piece, piece.name) for piece in _pieces(text))
    return Read(tables, notes, "Docling" if "<doctag>" in text else "")


@dataclass
class _Token:
    kind: str
    text: str = ""
    locations: list[int] = field(default_factory=list)


@dataclass
class _Piece:
    """The tokens of one table, and what stands around them."""

    page: int
    place: str
    tokens: list[_Token] = field(default_factory=list)
    locations: list[int] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    document: str = ""
    name: str = ""

    def call(self, words: str) -> None:
        """Take the words of a caption: a name is that of the table, anything else a note."""
        said = _plain(words)
        if NAME.fullmatch(said) and not self.name:
            self.name = said
        elif said:
            self.notes.append(f"caption: {said}")


def _plain(words: str) -> str:
    """The text without the white space round it, and signs that stand as entities because of tokens."""
    # Not strip(): spaces that do not break and the like are text.
    text = words.strip(" \t\r\n\f\v")
    return _ESCAPED.sub(lambda found: f"&{found[2]}lt;" if found[1] else "<", text) if "lt;" in text else text


def _pieces(text: str) -> Iterator[_Piece]:
    """The tables of a text; without <otsl> it is one."""
    wrapped = "<otsl>" in text
    page, line, seen = 1, 1, 0
    piece: _Piece | None = None if wrapped else _Piece(1, "line 1")
    caption = False
    found = list(_TOKEN.finditer(text))
    for place, token in enumerate(found):
        kind = token[2]
        end = found[place + 1].start() if place + 1 < len(found) else len(text)
        words = text[token.end() : end]
        if kind == "page_break":
            page += 1
        elif kind == "otsl":
            if piece is not None and piece.tokens:
                yield piece
            line, seen = line + text.count("\n", seen, token.start()), token.start()
            piece = None if token[1] else _Piece(page, f"line {line}")
        elif piece is None:
            continue
        elif kind == "caption":
            caption = not token[1]
            if caption:
                piece.call(words)
        elif kind.startswith("loc_"):
            where = piece.tokens[-1] if piece.tokens else piece
            if caption:
                piece.call(words)
            else:
                where.locations.append(int(kind[4:]))
                if isinstance(where, _Token):
                    where.text += words
        elif not token[1]:
            piece.tokens.append(_Token(kind, "" if kind == "nl" else words))
    if piece is not None and piece.tokens:
        if wrapped:
            piece.notes.append("the table is not closed: the file may be cut off")
        yield piece


def _table(piece: _Piece, name: str) -> ReadTable:
    grid: list[list[_Token]] = [[]]
    for token in piece.tokens:
        if token.kind == "nl":
            grid.append([])
        else:
            grid[-1].append(token)
    if not grid[-1]:
        grid.pop()
    n_cols = max(map(len, grid), default=0)
    if len(grid) * n_cols > LARGEST_GRID:
        raise FormatError(
            f"{piece.place}: {len(grid)} rows of up to {n_cols} columns, expected at most {LARGEST_GRID:,} positions"
        )
    notes, repairs = list(piece.notes), []
    boxes = _cell_boxes(grid, piece.page)
    covered: set[tuple[int, int]] = set()
    cells: list[Cell] = []
    for row, tokens in enumerate(grid):
        for col, token in enumerate(tokens):
            if token.kind in _MERGED:
                if (row, col) not in covered:
                    what = f"{token.kind} has no cell to be merged with: taken as an empty cell"
                    repairs.append(Repair(row, col, what))
                    cells.append(Cell(row, col, _plain(token.text)))
                continue
            width, height = _spans(grid, row, col)
            covered.update((row + down, col + across) for down in range(height) for across in range(width))
            text = _plain(token.text)
            cells.append(Cell(row, col, text, height, width, _HEADERS[token.kind], boxes.get((row, col))))
    whole, refitted = fitted(cells, n_rows=len(grid), n_cols=n_cols)
    short = [row + 1 for row, tokens in enumerate(grid) if len(tokens) < n_cols]
    if short:
        notes.append(f"{some('row', short)}: fewer tokens than the table has columns")
    around = _box(piece.locations, piece.page, bottom_up=False)
    return ReadTable(
        name,
        whole,
        tuple(notes),
        (*repairs, *refitted),
        boxes=(around,) if around else (),
        place=piece.place,
        document=piece.document,
    )


def _spans(grid: Sequence[Sequence[_Token]], row: int, col: int) -> tuple[int, int]:
    """Width and height of the cell: what is merged to the left along its row, and upwards below it."""
    width = height = 1
    tokens = grid[row]
    while width < LARGEST_COL_SPAN and col + width < len(tokens) and tokens[col + width].kind == "lcel":
        width += 1
    while height < LARGEST_ROW_SPAN and row + height < len(grid):
        below = grid[row + height][col : col + width]
        if len(below) < width or below[0].kind != "ucel" or any(token.kind != "xcel" for token in below[1:]):
            break
        height += 1
    return width, height


def _cell_boxes(grid: Sequence[Sequence[_Token]], page: int) -> dict[tuple[int, int], Box]:
    located = [
        (row, col, token.locations)
        for row, tokens in enumerate(grid)
        for col, token in enumerate(tokens)
        if len(token.locations) == 4
    ]
    if not located:
        return {}
    middle = sum(row for row, _, _ in located) / len(located)
    falling = sum((row - middle) * (sides[1] + sides[3]) for row, _, sides in located)
    boxes = ((row, col, _box(sides, page, bottom_up=falling <= 0)) for row, col, sides in located)
    return {(row, col): box for row, col, box in boxes if box is not None}


def _box(sides: Sequence[int], page: int, *, bottom_up: bool) -> Box | None:
    if len(sides) != 4:
        return None
    x0, y0, x1, y1 = (side / _LOCATIONS for side in sides)
    if bottom_up:
        y0, y1 = 1 - y1, 1 - y0
    left, right = sorted((x0, x1))
    top, bottom = sorted((y0, y1))
    return Box(page, *(round(side, 6) for side in (left, top, right, bottom)))


def _rows_of(value: Any) -> list[Any] | None:
    """The rows of a data set of OTSL in JSON; None for any other JSON."""
    rows = value if isinstance(value, list) else [value]
    first = rows[0] if rows else None
    tokens = first.get("otsl") if isinstance(first, Mapping) else None
    known = _HEADERS.keys() | _MERGED | {"nl"}
    if isinstance(tokens, list) and tokens and isinstance(tokens[0], str) and tokens[0].strip("<>") in known:
        return rows
    return None


def _from_json(raw: bytes) -> Read:
    value, notes = json_text.load(raw, lines=True)
    rows = _rows_of(value)
    if rows is None:
        raise FormatError("/: no list of tokens under otsl, expected a row of FinTabNet_OTSL or OTSL tokens")
    tables: list[ReadTable] = []
    counts: dict[str, int] = {}
    for place, row in enumerate(rows):
        path: Path = (place,) if isinstance(value, list) else ()
        if not isinstance(row, Mapping):
            raise json_shape.wrong(path, row, "an object with otsl")
        piece = _row(row, path)
        counts[piece.document] = counts.get(piece.document, 0) + 1
        tables.append(_table(piece, f"table {counts[piece.document]}"))
    return Read(tuple(tables), notes)


def _row(row: Mapping[str, Any], path: Path) -> _Piece:
    piece = _Piece(1, json_text.pointer(path), document=json_shape.text(row, "filename"))
    for place, token in enumerate(json_shape.entries(row, "otsl", path)):
        kind = token.strip("<>") if isinstance(token, str) else ""
        if kind not in _HEADERS and kind not in _MERGED and kind != "nl":
            raise json_shape.wrong((*path, "otsl", place), token, "an OTSL token such as fcel")
        piece.tokens.append(_Token(kind))
    texts = list(_cell_texts(json_shape.entries(row, "cells", path), (*path, "cells")))
    anchors = [token for token in piece.tokens if token.kind in _HEADERS]
    filled = [token for token in anchors if token.kind != "ecel"]
    slots = next((tokens for tokens in (anchors, filled) if len(tokens) == len(texts)), None)
    if not texts:
        piece.notes.append("the file holds the structure only: there is no text in the cells")
    elif slots is None:
        piece.notes.append(f"{len(texts)} texts for {len(anchors)} cells: the texts were left out")
    for token, text in zip(slots or (), texts, strict=False):
        token.text = text
    return piece


def _cell_texts(cells: Sequence[Any], path: Path) -> Iterator[str]:
    """The texts of the cells, which FinTabNet_OTSL nests in one more list."""
    for place, cell in enumerate(cells):
        if isinstance(cell, list):
            yield from _cell_texts(cell, (*path, place))
        elif isinstance(cell, Mapping):
            tokens = json_shape.entries(cell, "tokens", (*path, place))
            yield "".join(json_text.text_of(token) for token in tokens if not isinstance(token, dict | list))
        else:
            yield json_text.text_of(cell)
