"""Chunkr: the table segments of its chunks, with their boxes and what its OCR says of their words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from scoring.table import Box, Confidence
from store.formats import json_shape, json_text, markdown, rows
from store.formats.contract import Read, ReadTable
from store.formats.json_shape import Path, inner, objects, whole
from store.pages import PageSize

_SIDES = ("left", "top", "width", "height")
_FINISHED = ("", "Succeeded")
_TEXTS = ("html", "content", "markdown")


def sniff(raw: bytes, name: str) -> bool:
    """Whether the JSON has chunks of segments, or is a task of Chunkr that has none yet."""
    value = json_text.peeked(raw)
    if isinstance(value, dict) and {"task_id", "status", "configuration"} <= value.keys():
        return True
    chunks = _chunks(value)[0]
    first = chunks[0] if isinstance(chunks, list) and chunks else None
    segments = first.get("segments") if isinstance(first, dict) else None
    return (
        isinstance(segments, list) and bool(segments) and isinstance(segments[0], dict) and "segment_id" in segments[0]
    )


def read(raw: bytes, *, name: str, pages: Sequence[PageSize] = ()) -> Read:
    """The table segments in their order, from their HTML, else their Markdown.

    Boxes are fractions of the page that the segment tells the size of. The confidence of a segment
    speaks of what it was taken for; the least certain word of its OCR stands beside it. Segments of
    spreadsheets always have confidence 1, which is not kept.
    Raises FormatError for a task that has not succeeded.
    """
    value, notes = json_text.load(raw)
    if isinstance(value, Mapping) and (state := json_shape.text(value, "status")) not in _FINISHED:
        raise json_shape.wrong(("status",), state, "a task that Succeeded: get its answer again")
    chunks, path = _chunks(value)
    if chunks is None:
        raise json_shape.wrong(path, value, "a task of Chunkr with chunks")
    doubts = list(notes)
    found: list[ReadTable] = []
    for chunk, at in objects({"chunks": chunks}, "chunks", path):
        # The path to a bare list of chunks has no key.
        where = (at[-1],) if isinstance(value, list) else at
        for segment, inside in objects(chunk, "segments", where):
            if (json_shape.text(segment, "segment_type") or json_shape.text(segment, "type")).lower() == "table":
                tables = list(_tables(segment, inside))
                if not tables:
                    doubts.append(f"{json_text.pointer(inside)}: a table segment without a table was left out")
                found += tables
    if not found:
        doubts.append("the answer holds no tables")
    return Read(rows.numbered(found), tuple(doubts), "Chunkr")


def _chunks(value: Any) -> tuple[Any, Path]:
    """The list of chunks: of a task, of its output alone, or the list itself."""
    if isinstance(value, list):
        return value, ()
    if isinstance(value, dict) and isinstance(value.get("output"), dict):
        return value["output"].get("chunks"), ("output",)
    return (value.get("chunks"), ()) if isinstance(value, dict) else (None, ())


def _tables(segment: Mapping[str, Any], path: Path) -> Iterator[ReadTable]:
    page = whole(segment, "page_number", path, default=1, least=1)
    box = _box(segment, path, page)
    place = json_text.pointer(path) + (f", page {page}" if box is None else "")
    is_sheet = bool(segment.get("ss_cells") or segment.get("ss_range"))
    said = [
        *json_shape.confidence(segment.get("confidence"), "detection", "table", "Chunkr segment confidence"),
        *json_shape.lowest(_words(segment, path)),
    ]
    texts = (json_shape.text(segment, key) for key in _TEXTS)
    for table in next((tables for text in texts if (tables := markdown.tables_in(text))), ()):
        yield replace(
            table,
            boxes=() if box is None else (box,),
            confidence=() if is_sheet else tuple(said),
            place=place,
        )


def _words(segment: Mapping[str, Any], path: Path) -> Iterator[Confidence]:
    for word, _ in objects(segment, "ocr", path):
        yield from json_shape.confidence(word.get("confidence"), "text", "word", "Chunkr OCR confidence")


def _box(segment: Mapping[str, Any], path: Path, page: int) -> Box | None:
    """The box of a segment; older answers have its sides at the segment itself."""
    width, height = (json_shape.number(segment.get(f"page_{side}")) for side in ("width", "height"))
    if not width or not height or width < 0 or height < 0:
        return None
    bbox = inner(segment, "bbox", path)
    if "x1" in bbox:
        corners = [json_shape.number(bbox.get(key)) for key in ("x1", "y1", "x2", "y2")]
        x0, y0, x1, y1 = corners
        if x0 is None or y0 is None or x1 is None or y1 is None or x1 < x0 or y1 < y0:
            return None
        return json_shape.around(page, [(x0 / width, y0 / height), (x1 / width, y1 / height)])
    return json_shape.rectangle(bbox or segment, _SIDES, page, size=(width, height))
