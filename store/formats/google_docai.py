"""Google Document AI: the tables of pages and of a document's layout, and what extractors found as fields and rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scoring.table import LARGEST_COL_SPAN, LARGEST_GRID, Box, Cell, Confidence, Header
from store.formats import google_entities, json_shape, json_text, rows
from store.formats.contract import FormatError, Read, ReadTable, Repair
from store.formats.google_places import Places
from store.formats.json_shape import Path, entries, inner, objects, whole
from store.formats.repair import fitted
from store.pages import PageSize


def sniff(raw: bytes, name: str) -> bool:
    """Whether the JSON is a Document: pages with a layout, entities of a text, or blocks of a document's layout."""
    value = json_text.peeked(raw)
    documents = value if isinstance(value, list) else [value]
    return bool(documents) and all(_is_document(_unwrapped(entry, ())[0]) for entry in documents)


def read(raw: bytes, *, name: str, pages: Sequence[PageSize] = ()) -> Read:
    """The tables of a Document, of several, or of the shards of one; then its entities.

    Entities with properties become a table of their type, a row each; all others are the columns of
    ``fields``. Only the confidence of what has no properties is kept: that of a parent is always 1.
    Absent numbers are 0, as protocol buffers leave them out. Texts are kept as printed but for the
    line end after each. A table's cells are laid out as HTML does; Google names no columns.
    """
    value, notes = json_text.load(raw, lines=True)
    parts = [(part, (at,)) for at, part in enumerate(value)] if isinstance(value, list) else [(value, ())]
    doubts = list(notes)
    found: list[ReadTable] = []
    for part, at in parts:
        document, path = _unwrapped(part, at)
        if not isinstance(document, Mapping):
            raise json_shape.wrong(path, document, "a Document of Google Document AI")
        if _is_snake(document):
            document = json_shape.camel(document)
        doubts += _doubts(document, path)
        places = Places.of(document, path)
        found += _page_tables(document, path, places)
        found += _layout_tables(inner(document, "documentLayout", path), (*path, "documentLayout"))
        found += google_entities.tables(document, path, places)
    found = [table for table in found if table.table.cells]
    if not found:
        doubts.append("the document holds no tables and no entities")
    return Read(rows.numbered(found), tuple(doubts), "Google Document AI")


def _unwrapped(value: Any, path: Path) -> tuple[Any, Path]:
    """The document itself; an answer of the service has it under ``document``."""
    if isinstance(value, dict) and isinstance(value.get("document"), dict):
        return value["document"], (*path, "document")
    return value, path


def _is_document(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    layout = value.get("documentLayout", value.get("document_layout"))
    if isinstance(layout, dict):
        return "blocks" in layout
    pages, found = value.get("pages"), value.get("entities")
    if isinstance(pages, list) and pages and isinstance(pages[0], dict):
        layout = pages[0].get("layout")
        return isinstance(layout, dict) and bool(
            layout.keys() & {"textAnchor", "text_anchor", "boundingPoly", "bounding_poly"}
        )
    if isinstance(found, list) and found and isinstance(found[0], dict):
        return bool(found[0].keys() & {"mentionText", "mention_text"})
    return "shardInfo" in value or "shard_info" in value


def _is_snake(document: Mapping[str, Any]) -> bool:
    if document.keys() & {"document_layout", "shard_info", "mime_type"}:
        return True
    parts = [*entries(document, "pages", ())[:1], *entries(document, "entities", ())[:1]]
    return any(
        isinstance(part, dict) and part.keys() & {"page_number", "mention_text", "text_anchor"} for part in parts
    )


def _doubts(document: Mapping[str, Any], path: Path) -> Iterator[str]:
    shard = inner(document, "shardInfo", path)
    count, at = whole(shard, "shardCount", path, default=1), whole(shard, "shardIndex", path, default=0)
    if count > 1:
        yield f"this is part {at + 1} of {count} of the document"
    problem = json_shape.text(inner(document, "error", path), "message")
    if problem:
        yield f"Document AI tells of an error: {problem}"
    fields = sum(len(entries(page, "formFields", where)) for page, where in objects(document, "pages", path))
    if fields:
        yield f"the document also holds {fields} form fields, which are not read"


@dataclass(frozen=True)
class _Part:
    """A cell before it has its place."""

    text: str
    row_span: int
    col_span: int
    header: Header
    box: Box | None = None
    confidence: tuple[Confidence, ...] = ()
    repair: str = ""


def _page_tables(document: Mapping[str, Any], path: Path, places: Places) -> Iterator[ReadTable]:
    for at, (page, where) in enumerate(objects(document, "pages", path)):
        number = places.page(at)
        for table, inside in objects(page, "tables", where):
            layout = inner(table, "layout", inside)
            box = places.box(layout, number, (*inside, "layout"))
            read_table = _laid_out(list(_page_rows(table, inside, number, places)), inside)
            yield replace(
                read_table,
                boxes=() if box is None else (box,),
                confidence=json_shape.confidence(
                    layout.get("confidence"), "detection", "table", "Google table confidence"
                ),
            )


def _page_rows(table: Mapping[str, Any], path: Path, page: int, places: Places) -> Iterator[list[_Part]]:
    for row, header, where in _rows(table, path):
        line = []
        for cell, at in objects(row, "cells", where):
            layout, inside = inner(cell, "layout", at), (*at, "layout")
            text, words, repair = places.said_at(inner(layout, "textAnchor", inside), (*inside, "textAnchor"))
            box = places.box(layout, page, inside)
            if box is None and layout.get("boundingPoly") and not repair:
                repair = "its box is no polygon on a page of known size and was left out"
            said = json_shape.confidence(layout.get("confidence"), "structure", "cell", "Google cell confidence")
            line.append(_Part(text, *_spans(cell, at), header, box, (*said, *words), repair))
        yield line


def _rows(table: Mapping[str, Any], path: Path) -> Iterator[tuple[Mapping[str, Any], Header, Path]]:
    kinds: tuple[tuple[str, Header], ...] = (("headerRows", "column"), ("bodyRows", ""))
    for key, header in kinds:
        for row, where in objects(table, key, path):
            yield row, header, where


def _spans(cell: Mapping[str, Any], path: Path) -> tuple[int, int]:
    return whole(cell, "rowSpan", path, default=1) or 1, whole(cell, "colSpan", path, default=1) or 1


def _layout_tables(layout: Mapping[str, Any], path: Path) -> Iterator[ReadTable]:
    """The table blocks at any depth, in reading order; a cell's text is that of its blocks."""
    for block, where in _blocks(layout, path):
        if block.get("tableBlock"):
            table, inside = inner(block, "tableBlock", where), (*where, "tableBlock")
            lines = [
                [
                    _Part("\n".join(_texts(cell, at)), *_spans(cell, at), header)
                    for cell, at in objects(row, "cells", below)
                ]
                for row, header, below in _rows(table, inside)
            ]
            found = _laid_out(lines, inside)
            span = inner(block, "pageSpan", where)
            first, last = (whole(span, key, where, default=0) for key in ("pageStart", "pageEnd"))
            caption = json_shape.text(table, "caption")
            yield replace(
                found,
                notes=(
                    *([f"caption: {caption}"] if caption else []),
                    *([f"the table lies on pages {first} to {last}"] if first and last > first else []),
                    *found.notes,
                ),
                place=found.place + (f", page {first}" if first else ""),
            )


def _blocks(
    entry: Mapping[str, Any], path: Path, *, of_tables: bool = True
) -> Iterator[tuple[Mapping[str, Any], Path]]:
    """The blocks of an entry, each before those inside it; with or without those in the cells of its tables."""
    for block, where in objects(entry, "blocks", path):
        yield block, where
        yield from _blocks(inner(block, "textBlock", where), (*where, "textBlock"), of_tables=of_tables)
        for item, at in objects(inner(block, "listBlock", where), "listEntries", (*where, "listBlock")):
            yield from _blocks(item, at, of_tables=of_tables)
        if not of_tables:
            continue
        for row, _, at in _rows(inner(block, "tableBlock", where), (*where, "tableBlock")):
            for cell, below in objects(row, "cells", at):
                yield from _blocks(cell, below)


def _texts(cell: Mapping[str, Any], path: Path) -> Iterator[str]:
    for block, where in _blocks(cell, path, of_tables=False):
        if text := json_shape.text(inner(block, "textBlock", where), "text"):
            yield text


def _laid_out(lines: Sequence[Sequence[_Part]], path: Path) -> ReadTable:
    """The table of lines of cells, each at the next free position of its row (WHATWG, "forming a table")."""
    cells: list[Cell] = []
    repairs: list[Repair] = []
    grown: set[tuple[int, int]] = set()  # positions that a cell of an earlier row reaches
    n_cols = 0
    for row, line in enumerate(lines):
        col = 0
        for part in line:
            while (row, col) in grown:
                col += 1
            height, width = min(part.row_span, len(lines) - row), min(part.col_span, LARGEST_COL_SPAN)
            if (height, width) != (part.row_span, part.col_span):
                repairs.append(Repair(row, col, f"spans {part.row_span} rows and {part.col_span} columns: was cut"))
            if part.repair:
                repairs.append(Repair(row, col, part.repair))
            cells.append(Cell(row, col, part.text, height, width, part.header, part.box, part.confidence))
            n_cols = max(n_cols, col + width)
            if len(lines) * n_cols > LARGEST_GRID:
                raise FormatError(
                    f"{json_text.pointer(path)}: {len(lines)} rows and {n_cols} columns, "
                    f"expected at most {LARGEST_GRID:,} positions"
                )
            grown.update(
                (below, across) for below in range(row + 1, row + height) for across in range(col, col + width)
            )
            col += width
    table, refitted = fitted(cells, n_rows=len(lines), n_cols=n_cols)
    return ReadTable("", table, (), (*repairs, *refitted), place=json_text.pointer(path))
