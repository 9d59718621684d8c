"""Azure AI Document Intelligence: tables with words joined to their cells, and the fields of models."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from scoring.table import Cell, Confidence, Header
from store.formats import azure_fields, json_shape, json_text, markdown
from store.formats.azure_answer import answer_in
from store.formats.azure_fields import MARK, MARKS
from store.formats.azure_places import (
    Sizes,
    Word,
    Words,
    boxes_of,
    has_wild_box,
    page_of,
    page_sizes,
    spans_of,
    words_of,
)
from store.formats.contract import Read, ReadTable, Repair, some
from store.formats.json_shape import Path, objects, whole
from store.formats.repair import fitted
from store.pages import PageSize

_HEADERS: Mapping[str, Header] = {"columnHeader": "column", "stubHead": "column", "rowHeader": "row"}
# The whole of an answer that is not there yet: a status, and perhaps when it was asked for.
_UNFINISHED = re.compile(rb'^\s*\{\s*"status"\s*:\s*"(?:notStarted|running)"[^\[{]*\}\s*$')


def sniff(raw: bytes, name: str) -> bool:
    """Whether the JSON has the words of an analyze result, or says that one is still being made."""
    if not json_text.looks_like(raw):
        return False
    plain = raw.replace(b"\0", b"")
    return (
        _UNFINISHED.search(plain) is not None
        or any(
            word in plain for word in (b'"analyzeResult"', b'"analyze_result"', b'"stringIndexType"', b'"readResults"')
        )
        or (any(word in plain for word in (b'"boundingRegions"', b'"bounding_regions"')) and b'"tables"' in plain)
    )


def read(raw: bytes, *, name: str, pages: Sequence[PageSize] = ()) -> Read:
    """The tables of the answer (v2.1, v3, v4), then its fields: whole envelope, bare analyzeResult, or in wrappers.

    Words belong to a cell whose spans hold theirs. Spans are only compared with spans and the
    content is never cut by them, so the answer's stringIndexType does not matter. Where the words
    found so are not in the cell's text, those whose middle lies in the cell's box are taken.
    A cell's confidence is that of its least certain word; Azure gives none for cells and tables.
    Selection marks are written as in Azure's Markdown: ☒ and ☐. The fields of prebuilt and custom
    models are the one row of ``fields``, lists of objects such as Items tables of their name.
    """
    value, notes = json_text.load(raw)
    answer, path = answer_in(value)
    sizes, doubts = page_sizes(answer, path, pages)
    words = words_of(answer, path, sizes)
    tables = [
        _table(table, where, number, words, sizes)
        for number, (table, where) in enumerate(objects(answer, "tables", path), start=1)
    ]
    if not tables:
        tables = [
            replace(table, place=f"{json_text.pointer((*path, 'content'))}, {table.place}")
            for table in markdown.tables_in(json_shape.text(answer, "content"))
        ]
        if tables:
            doubts.append("the answer has tables in its Markdown only: without boxes and confidence")
    fields = list(azure_fields.tables(answer, path, sizes))
    if not tables and not fields:
        doubts.append("the answer holds no tables")
    version = " ".join(str(answer[key]) for key in ("modelId", "apiVersion") if answer.get(key))
    return Read((*tables, *fields), (*notes, *doubts), "Azure AI Document Intelligence", version)


def _table(
    table: Mapping[str, Any],
    path: Path,
    number: int,
    words: Words,
    sizes: Sizes,
) -> ReadTable:
    notes: list[str] = []
    cells: list[Cell] = []
    wild: list[Repair] = []
    marks = 0
    for entry, where in objects(table, "cells", path):
        text = str(entry.get("content") or "")
        boxes = boxes_of(entry, where, sizes)
        row, col = whole(entry, "rowIndex", where), whole(entry, "columnIndex", where)
        if len({box.page for box in boxes}) > 1:
            notes.append(f"the cell at row {row + 1}, column {col + 1} lies on several pages: the first box was kept")
        if has_wild_box(entry, where, sizes):
            wild.append(Repair(row, col, "its box is no polygon and was left out"))
        found = words.of_cell(text, spans_of(entry, where), boxes[0] if boxes else None)
        marks += len(MARK.findall(text))
        cells.append(
            json_shape.cell(
                where,
                row=row,
                col=col,
                text=MARK.sub(lambda mark: MARKS[mark.group()], text),
                row_span=whole(entry, "rowSpan", where, default=1) or 1,
                col_span=whole(entry, "columnSpan", where, default=1) or 1,
                header=_HEADERS.get(str(entry.get("kind") or ""), ""),
                box=boxes[0] if boxes else None,
                confidence=_confidence(found),
            )
        )
    n_rows, n_cols = (whole(table, key, path, default=0) for key in ("rowCount", "columnCount"))
    grid, refitted = fitted(cells, n_rows=n_rows, n_cols=n_cols)
    repairs = (*wild, *refitted)
    if has_wild_box(table, path, sizes):
        notes.append("the table's own box is no polygon and was left out")
    if marks:
        notes.append(f"{marks} selection marks are shown as ☒ and ☐")
    notes += _pages_note(table, path)
    return ReadTable(
        f"table {number}",
        grid,
        tuple(notes),
        repairs,
        boxes=tuple(boxes_of(table, path, sizes)),
        place=json_shape.text(table, "place") or json_text.pointer(path),
    )


def _pages_note(table: Mapping[str, Any], path: Path) -> list[str]:
    regions = objects(table, "boundingRegions", path)
    numbers = sorted({page_of(region, where) for region, where in regions})
    caption = table.get("caption")
    notes = [f"the table lies on {some('page', numbers)}"] if len(numbers) > 1 else []
    return [*notes, f"caption: {caption.get('content')}"] if isinstance(caption, Mapping) else notes


def _confidence(words: Sequence[Word]) -> tuple[Confidence, ...]:
    entries = []
    for is_mark, what in ((False, "word"), (True, "selection mark")):
        scored = [word for word in words if word.is_mark == is_mark and word.confidence is not None]
        if not scored:
            continue
        lowest = min(scored, key=lambda word: word.confidence or 0.0)
        source = f"Azure {what} confidence" + (f", lowest of {len(scored)}" if len(scored) > 1 else "")
        kind: Any = "detection" if is_mark else "text"
        entries.append(Confidence(lowest.confidence, kind, "word", source, lowest.raw))
    return tuple(entries)
