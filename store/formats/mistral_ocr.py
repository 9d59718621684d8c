"""Mistral OCR: the tables in the Markdown of its pages and those that it gives apart, with boxes and confidence."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any

from scoring.table import Box, Cell, Confidence, Table
from store.formats import json_shape, json_text, markdown, rows
from store.formats.contract import Read, ReadTable
from store.formats.json_shape import Path, inner, objects, whole
from store.pages import PageSize

_CORNERS = (("top_left_x", "top_left_y"), ("bottom_right_x", "bottom_right_y"))
_SPACE = re.compile(r"\s*")
# Where a word begins in the Markdown, its text, and what is said of it.
_Word = tuple[int, str, Confidence]
_WHAT = {"average": "average of the page", "minimum": "lowest of the page"}


def sniff(raw: bytes, name: str) -> bool:
    """Whether the JSON has pages with an index and their Markdown."""
    value = json_text.peeked(raw)
    pages = value.get("pages") if isinstance(value, dict) else None
    first = pages[0] if isinstance(pages, list) and pages else None
    return isinstance(first, dict) and {"index", "markdown"} <= first.keys()


def read(raw: bytes, *, name: str, pages: Sequence[PageSize] = ()) -> Read:
    """The tables of each page: those that stand in its Markdown, then those under ``tables``.

    Confidence is that of the page, and of the words of a table where the answer tells them: made of
    probabilities of tokens, it speaks of how fluent the text is. Boxes come from the blocks of newer answers.
    """
    value, notes = json_text.load(raw)
    if not isinstance(value, Mapping):
        raise json_shape.wrong((), value, "an answer of Mistral OCR with pages")
    doubts = list(notes)
    found: list[ReadTable] = []
    for at, (page, path) in enumerate(objects(value, "pages", ())):
        found += _page(page, path, whole(page, "index", path, default=at) + 1, doubts)
    if not found:
        doubts.append("the answer holds no tables")
    if json_shape.text(value, "document_annotation"):
        doubts.append("the answer also holds an annotation of the document, which is not read")
    return Read(rows.numbered(found), tuple(doubts), "Mistral OCR", json_shape.text(value, "model"))


def _page(page: Mapping[str, Any], path: Path, number: int, doubts: list[str]) -> Iterator[ReadTable]:
    blocks = [
        (block, _box(block, page, path, number))
        for block, _ in objects(page, "blocks", path)
        if block.get("type") == "table"
    ]
    said = tuple(_page_confidence(inner(page, "confidence_scores", path)))
    text = json_shape.text(page, "markdown")
    in_text = markdown.tables_in(text)
    free = [box for block, box in blocks if not json_shape.text(block, "table_id")]
    words = _words(inner(page, "confidence_scores", path), (*path, "confidence_scores")) if in_text else []
    ends = list(accumulate(map(len, text.splitlines(keepends=True)), initial=0))
    for at, table in enumerate(in_text):
        box = free[at] if len(free) == len(in_text) else None
        line = table.place.split(", ")[0]
        start = bisect_left(words, ends[int(line.removeprefix("line ")) - 1], key=lambda word: word[0])
        whole_table = replace(table, table=_with_words(table.table, words, start))
        yield _with(whole_table, box, said, f"{json_text.pointer((*path, 'markdown'))}, {line}", number)
    boxes = {json_shape.text(block, "table_id"): box for block, box in blocks}
    for entry, where in objects(page, "tables", path):
        name = json_shape.text(entry, "id")
        own = _words(entry, where)
        tables = markdown.tables_in(json_shape.text(entry, "content"))
        if not tables:
            doubts.append(f"{json_text.pointer(where)}: {name or 'a table'} has no rows")
        for table in tables:
            all_said = (*json_shape.lowest(word for _, _, word in own), *said)
            whole_table = replace(table, table=_with_words(table.table, own, 0)) if len(tables) == 1 else table
            yield _with(whole_table, boxes.get(name), all_said, json_text.pointer(where), number)


def _with(table: ReadTable, box: Box | None, said: tuple[Confidence, ...], place: str, page: int) -> ReadTable:
    place += "" if box is not None else f", page {page}"
    return replace(table, boxes=() if box is None else (box,), confidence=said, place=place)


def _words(scores: Mapping[str, Any], path: Path) -> list[_Word]:
    """The words that are told of, in the order of the text."""
    found = [
        (whole(word, "start_index", where, default=0), json_shape.text(word, "text").strip(), said)
        for word, where in objects(scores, "word_confidence_scores", path)
        for said in json_shape.confidence(word.get("confidence"), "text", "word", "Mistral word confidence")
    ]
    return sorted((word for word in found if word[1]), key=lambda word: word[0])


def _with_words(table: Table, words: Sequence[_Word], start: int) -> Table:
    """The table with the least certain word of each cell; as it was where the words that follow are not its texts."""
    cells: list[Cell] = []
    at = start
    for cell in table.cells:
        found: list[Confidence] = []
        done = _letter(cell.text, 0)
        while at < len(words) and cell.text.startswith(words[at][1], done):
            done = _letter(cell.text, done + len(words[at][1]))
            found.append(words[at][2])
            at += 1
        if done < len(cell.text):
            return table
        cells.append(replace(cell, confidence=json_shape.lowest(found)))
    return replace(table, cells=tuple(cells))


def _letter(text: str, start: int) -> int:
    """Where the text goes on after white space."""
    space = _SPACE.match(text, start)
    return start if space is None else space.end()


def _box(block: Mapping[str, Any], page: Mapping[str, Any], path: Path, number: int) -> Box | None:
    """The box of a block, which is in pixels of the page's image."""
    size = inner(page, "dimensions", path)
    width, height = (json_shape.number(size.get(side)) for side in ("width", "height"))
    corners = [(json_shape.number(block.get(x)), json_shape.number(block.get(y))) for x, y in _CORNERS]
    if not width or not height or width < 0 or height < 0:
        return None
    (x0, y0), (x1, y1) = corners
    if x0 is None or y0 is None or x1 is None or y1 is None or x1 < x0 or y1 < y0:
        return None
    return json_shape.around(number, [(x0 / width, y0 / height), (x1 / width, y1 / height)])


def _page_confidence(scores: Mapping[str, Any]) -> Iterator[Confidence]:
    for kind, what in _WHAT.items():
        received = scores.get(f"{kind}_page_confidence_score")
        yield from json_shape.confidence(received, "text", "page", f"Mistral word confidence, {what}")
