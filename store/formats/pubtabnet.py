"""PubTabNet and FinTabNet: tables as structure tokens and cell tokens, and predictions as HTML by file name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from html import escape
from itertools import islice
from typing import Any

from scoring.table import Box, Table
from store.formats import frames, json_shape, json_text
from store.formats.contract import Read, ReadTable
from store.formats.html_pieces import Piece, numbered
from store.formats.json_shape import Path
from store.pages import PageSize

_LOOKED_AT = 20
_FILE = re.compile(r"\.(png|jpe?g|pdf|tiff?|bmp|webp|gif)$", re.IGNORECASE)
_TABLE = re.compile(r"<t(able|head|body|r|d)\b", re.IGNORECASE)
# The formatting that cells hold as tokens; any other token is text, also a lone "<".
_TAG = re.compile(r"</?(b|i|u|s|em|strong|sup|sub|strike|underline|overline|small|span)>")
_STRUCTURE = re.compile(r"</?(table|thead|tbody|tfoot|tr|td|th)>?|>| (row|col)span=\"?\d{1,6}\"?|<!--.*-->")


def sniff(raw: bytes, name: str) -> bool:
    """Whether the JSON has tables as structure tokens, or HTML by the names of images or PDF files."""
    value = json_text.peeked(raw)
    if isinstance(value, list):
        return any(_is_row(entry) for entry in islice(value, _LOOKED_AT))
    return _is_row(value) or _is_prediction(value)


def read(raw: bytes, *, name: str, pages: Sequence[PageSize] = ()) -> Read:
    """A table for each line or entry; its file name tells the document, where there are several.

    Formatting inside cells (bold, superscript) is dropped, their text is kept. Boxes are round the
    text: pixels of the image in PubTabNet, points from the bottom in FinTabNet. They are kept for a
    single table whose document is known.
    """
    value, notes = json_text.load(raw, lines=True)
    if _is_prediction(value):
        tables, doubts = numbered(_predictions(value))
        if len({table.document for table in tables}) < 2:
            tables = tuple(replace(table, document="") for table in tables)
        return Read(tables, (*notes, *doubts), "")
    rows = value if isinstance(value, list) else [value]
    pieces: list[Piece] = []
    boxes: dict[str, list[Box | None]] = {}
    files = {json_shape.text(row, "filename") for row in rows if isinstance(row, Mapping)}
    for row, path in json_shape.listed(rows, ()):
        where = path if isinstance(value, list) else ()
        piece = _piece(row, where, several=len(files) > 1)
        pieces.append(piece)
        if len(rows) == 1 and pages:
            boxes[piece.place] = _boxes(row, (*where, "html"), (pages[0].width, pages[0].height))
    tables, doubts = numbered(pieces)
    placed = tuple(_boxed(table, boxes.get(table.place, [])) for table in tables)
    return Read(placed, (*notes, *doubts), "")


def _is_row(entry: Any) -> bool:
    html = entry.get("html") if isinstance(entry, Mapping) else None
    structure = html.get("structure") if isinstance(html, Mapping) else None
    return isinstance(structure, Mapping) and isinstance(structure.get("tokens"), list)


def _is_prediction(value: Any) -> bool:
    return (
        isinstance(value, Mapping)
        and bool(value)
        and all(
            _FILE.search(key) and _TABLE.search(_html_of(entry)) for key, entry in islice(value.items(), _LOOKED_AT)
        )
    )


def _html_of(entry: Any) -> str:
    return entry if isinstance(entry, str) else json_shape.text(entry, "html") if isinstance(entry, Mapping) else ""


def _predictions(value: Mapping[str, Any]) -> Iterator[Piece]:
    for key, entry in value.items():
        yield Piece(_html_of(entry), json_text.pointer((key,)), document=key)


def _piece(row: Mapping[str, Any], path: Path, *, several: bool) -> Piece:
    html, where = json_shape.inner(row, "html", path), (*path, "html")
    tokens = json_shape.entries(json_shape.inner(html, "structure", where), "tokens", (*where, "structure"))
    cells = [
        "".join(_written(token) for token in json_shape.entries(cell, "tokens", at))
        for cell, at in json_shape.objects(html, "cells", where)
    ]
    parts: list[str] = []
    n_cells = 0
    for place, token in enumerate(tokens):
        if not isinstance(token, str) or not _STRUCTURE.fullmatch(token):
            raise json_shape.wrong((*where, "structure", "tokens", place), token, "a token of a table such as <td>")
        if token == "</td>":
            parts.append(cells[n_cells] if n_cells < len(cells) else "")
            n_cells += 1
        parts.append(token)
    notes = []
    if n_cells != len(cells):
        notes.append(f"{len(cells)} texts for {n_cells} cells: they were filled in order")
    markup = "".join(parts)
    if not markup.startswith("<table"):
        markup = f"<table>{markup}</table>"
    document = json_shape.text(row, "filename") if several else ""
    return Piece(markup, json_text.pointer(path), tuple(notes), document=document)


def _written(token: Any) -> str:
    text = json_text.text_of(token) if not isinstance(token, dict | list) else ""
    return text if _TAG.fullmatch(text) else escape(text)


def _boxes(row: Mapping[str, Any], where: Path, size: frames.Size) -> list[Box | None]:
    # FinTabNet names each table and gives its box; its boxes are those of a PDF page.
    bottom_up = "table_id" in row
    html = json_shape.inner(row, "html", where[:-1])
    return [
        frames.framed(1, cell.get("bbox"), size, bottom_up=bottom_up)
        for cell, _ in json_shape.objects(html, "cells", where)
    ]


def _boxed(table: ReadTable, boxes: Sequence[Box | None]) -> ReadTable:
    """The table with the boxes of its cells, which stand in the order of the tokens."""
    if len(boxes) != len(table.table.cells):
        return table
    cells = tuple(replace(cell, box=box) for cell, box in zip(table.table.cells, boxes, strict=True))
    return replace(table, table=Table(table.table.n_rows, table.table.n_cols, cells))
