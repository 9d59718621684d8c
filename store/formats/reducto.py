"""Reducto: the table blocks of a parsed document, in whichever notation their content is."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from scoring.reading.json_value import json_value
from scoring.table import Confidence
from store.formats import json_shape, json_text, markdown, rows
from store.formats.contract import FormatError, Read, ReadTable
from store.formats.json_shape import Path, entries, inner, objects, whole
from store.formats.rows import Value
from store.pages import PageSize

_SIDES = ("left", "top", "width", "height")


def sniff(raw: bytes, name: str) -> bool:
    """Whether the JSON has chunks with blocks that have a type and a bbox, or a link to such a result."""
    return _is_result(_result(json_text.peeked(raw), ())[0])


def read(raw: bytes, *, name: str, pages: Sequence[PageSize] = ()) -> Read:
    """The table blocks in their order: HTML, Markdown, lists of lists in JSON, or CSV.

    The label ("high", "low") of a block and its two numbers are kept side by side, as they do not agree.
    Boxes are fractions of the page; the page is that of the original document.
    Raises FormatError for an answer that holds a link in place of the result.
    """
    value, notes = json_text.load(raw)
    result, path = _result(value, ())
    if not isinstance(result, Mapping):
        raise json_shape.wrong(path, result, "a result of Reducto with chunks")
    if "chunks" not in result and "url" in result:
        raise FormatError(
            f"{json_text.pointer(path)}: a link to the result, expected the result itself: download what the link "
            "leads to and import that"
        )
    doubts = list(notes)
    found: list[ReadTable] = []
    for chunk, where in objects(result, "chunks", path):
        for block, at in objects(chunk, "blocks", where):
            if json_shape.text(block, "type").lower() == "table":
                tables = list(_tables(block, at))
                if not tables:
                    doubts.append(f"{json_text.pointer(at)}: a table block without a table was left out")
                found += tables
    if not found:
        doubts.append("the answer holds no tables")
    return Read(rows.numbered(found), tuple(doubts), "Reducto")


def _result(value: Any, path: Path) -> tuple[Any, Path]:
    """The result itself; the whole answer has it under ``result``."""
    if isinstance(value, dict) and isinstance(value.get("result"), dict) and "chunks" not in value:
        return value["result"], (*path, "result")
    return value, path


def _is_result(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    chunks = value.get("chunks")
    if not isinstance(chunks, list):
        return value.get("type") == "url" and "url" in value
    first = chunks[0] if chunks else None
    blocks = first.get("blocks") if isinstance(first, dict) else None
    if isinstance(blocks, list) and blocks:
        return isinstance(blocks[0], dict) and {"type", "bbox"} <= blocks[0].keys()
    return value.get("type") == "full"


def _tables(block: Mapping[str, Any], path: Path) -> Iterator[ReadTable]:
    bbox = inner(block, "bbox", path)
    page = whole(bbox, "original_page", path, default=0) or whole(bbox, "page", path, default=1, least=1)
    box = json_shape.rectangle(bbox, _SIDES, page)
    notes = [] if box or not bbox else ["its box is no rectangle and was left out"]
    joined = len(entries(block, "merged_tables", path))
    if joined:
        notes.append(f"was put together from {joined} tables")
    for table in _read_content(json_shape.text(block, "content"), path, page):
        yield replace(
            table,
            notes=(*notes, *table.notes),
            boxes=() if box is None else (box,),
            confidence=tuple(_confidence(block, path)),
            place=json_text.pointer(path),
        )


def _confidence(block: Mapping[str, Any], path: Path) -> Iterator[Confidence]:
    """The label, which has no value, and what Reducto says of parsing and extracting."""
    yield from json_shape.confidence(block.get("confidence"), "extraction", "table", "Reducto label")
    numbers = inner(block, "granular_confidence", path)
    yield from json_shape.confidence(numbers.get("parse_confidence"), "text", "table", "Reducto parse confidence")
    yield from json_shape.confidence(
        numbers.get("extract_confidence"), "extraction", "table", "Reducto extract confidence"
    )


def _read_content(content: str, path: Path, page: int) -> Sequence[ReadTable]:
    if content.lstrip()[:1] == "[" and (lines := _json_lines(content, page)):
        return [rows.grid_of(lines, place=json_text.pointer((*path, "content")))]
    if tables := markdown.tables_in(content):
        return tables
    try:
        found = [[Value(cell) for cell in line] for line in csv.reader(io.StringIO(content)) if line]
    except csv.Error:
        return []
    if max(map(len, found), default=0) < 2:
        return []
    return [rows.grid_of(found, place=json_text.pointer((*path, "content")))]


def _json_lines(content: str, page: int) -> list[list[Value]]:
    """The cells of a list of lists, each a text or an object with text and bbox; none where it is no such list."""
    try:
        found = json_value(content, parse_float=json_text.Number, parse_int=json_text.Number)
    except ValueError:
        return []
    if not all(isinstance(line, list) for line in found):
        return []
    return [[_cell(cell, page) for cell in line] for line in found]


def _cell(cell: Any, page: int) -> Value:
    if isinstance(cell, Mapping):
        text = json_shape.text(cell, "text") or json_shape.text(cell, "content") or json_shape.text(cell, "value")
        return Value(text, json_shape.rectangle(cell.get("bbox"), _SIDES, page))
    return Value(json.dumps(cell) if isinstance(cell, list) else json_text.text_of(cell))
