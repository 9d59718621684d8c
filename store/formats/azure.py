"""Azure AI Document Intelligence: the layout answer (v3 and v4 JSON), with words joined to cells."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

from scoring.table import Box, Cell, Confidence, Header, TableError
from store.formats import json_text
from store.formats.contract import FormatError, Read, ReadTable, some
from store.formats.json_shape import Path, camel, fraction, objects, whole
from store.formats.repair import fitted
from store.pages import PageSize

_MARKS = {":selected:": "☒", ":unselected:": "☐"}
_MARK = re.compile("|".join(_MARKS))
_HEADERS: Mapping[str, Header] = {"columnHeader": "column", "stubHead": "column", "rowHeader": "row"}
_DEEPEST_WRAPPER = 6
# Page sides of answer and document may differ by this share before the boxes are doubted.
_SAME_SHAPE = 0.02


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
    """The tables of the answer (v2.1, v3, v4): whole envelope, bare analyzeResult, or either inside wrappers.

    Words belong to a cell whose spans hold theirs. Spans are only compared with spans and the
    content is never cut by them, so the answer's stringIndexType does not matter. Where the words
    found so are not in the cell's text, those whose middle lies in the cell's box are taken.
    A cell's confidence is that of its least certain word; Azure gives none for cells and tables.
    Selection marks are written as in Azure's Markdown: ☒ and ☐.
    """
    value, notes = json_text.load(raw)
    answer, path = _answer(value)
    if "readResults" in answer:
        answer, path = _from_v2(answer, path), ()
    if any(isinstance(page, Mapping) and "page_number" in page for page in answer["pages"][:1]):
        answer = camel(answer)
    sizes, doubts = _sizes(answer, path, pages)
    words = _words(answer, path, sizes)
    tables = tuple(
        _table(table, where, number, words, sizes)
        for number, (table, where) in enumerate(objects(answer, "tables", path), start=1)
    )
    version = " ".join(str(answer[key]) for key in ("modelId", "apiVersion") if answer.get(key))
    if not tables:
        doubts.append("the answer holds no tables")
    fields = (found.get("fields") for found, _ in objects(answer, "documents", path))
    n_fields = sum(len(found) for found in fields if isinstance(found, Mapping))
    if n_fields:
        doubts.append(f"the answer also holds {n_fields} document fields, which are not read: only its tables are")
    return Read(tables, (*notes, *doubts), "Azure AI Document Intelligence", version)


@dataclass(frozen=True)
class _Word:
    """A word or a selection mark: where it stands in the content and on the page."""

    text: str
    offset: int
    end: int
    box: Box | None
    confidence: float | None
    raw: str
    is_mark: bool


@dataclass(frozen=True)
class _Words:
    """All words by their place in the content."""

    ordered: tuple[_Word, ...]
    offsets: tuple[int, ...]

    def within(self, spans: Iterable[tuple[int, int]]) -> Iterator[_Word]:
        for start, end in spans:
            for place in range(bisect_left(self.offsets, start), len(self.ordered)):
                word = self.ordered[place]
                if word.offset >= end:
                    break
                if word.end <= end:
                    yield word

    def inside(self, box: Box) -> Iterator[_Word]:
        for word in self.ordered:
            if word.box is None or word.box.page != box.page:
                continue
            x, y = (word.box.x0 + word.box.x1) / 2, (word.box.y0 + word.box.y1) / 2
            if box.x0 <= x <= box.x1 and box.y0 <= y <= box.y1:
                yield word


def _answer(value: Any) -> tuple[Mapping[str, Any], Path]:
    """The object that has the pages, nearest to the top, and the path to it."""
    level: list[tuple[Any, Path]] = [(value, ())]
    for _ in range(_DEEPEST_WRAPPER):
        below: list[tuple[Any, Path]] = []
        for entry, path in level:
            if isinstance(entry, dict):
                if isinstance(entry.get("pages"), list) and ("content" in entry or "tables" in entry):
                    return entry, path
                if "readResults" in entry:
                    return entry, path
                below += ((child, (*path, key)) for key, child in entry.items() if isinstance(child, dict | list))
            elif isinstance(entry, list):
                below += ((child, (*path, index)) for index, child in enumerate(entry) if isinstance(child, dict))
        level = below
    status = value.get("status") if isinstance(value, dict) else None
    found = f"status {status!r} and no analyzeResult" if status else "no object with pages and content"
    raise FormatError(f"/: {found}, expected a finished answer of Azure AI Document Intelligence")


def _from_v2(answer: Mapping[str, Any], path: Path) -> Mapping[str, Any]:
    """An answer of API version 2.1 in the shape of later ones; spans are made up for the words that cells name."""
    pages: list[dict[str, Any]] = []
    spans: dict[str, dict[str, int]] = {}
    for place, (page, at) in enumerate(objects(answer, "readResults", path)):
        found = [
            (f"#/readResults/{place}/lines/{row}/words/{col}", word)
            for row, (line, inside) in enumerate(objects(page, "lines", at))
            for col, (word, _) in enumerate(objects(line, "words", inside))
        ]
        marks = [
            (f"#/readResults/{place}/selectionMarks/{index}", mark)
            for index, (mark, _) in enumerate(objects(page, "selectionMarks", at))
        ]
        for name, _ in (*found, *marks):
            spans[name] = {"offset": 2 * len(spans), "length": 1}
        pages.append(
            {
                **page,
                "pageNumber": page.get("page"),
                "words": [{**word, "content": word.get("text"), "span": spans[name]} for name, word in found],
                "selectionMarks": [{**mark, "span": spans[name]} for name, mark in marks],
            }
        )
    tables = []
    for page, at in objects(answer, "pageResults", path):
        for table, inside in objects(page, "tables", at):
            cells = [
                {
                    **cell,
                    "content": cell.get("text"),
                    "kind": "columnHeader" if cell.get("isHeader") else "content",
                    "spans": _named_spans(cell.get("elements"), spans),
                    "boundingRegions": [{"pageNumber": page.get("page"), "polygon": cell.get("boundingBox")}],
                }
                for cell, _ in objects(table, "cells", inside)
            ]
            tables.append({"rowCount": table.get("rows"), "columnCount": table.get("columns"), "cells": cells})
    return {"apiVersion": answer.get("version"), "pages": pages, "tables": tables}


def _named_spans(elements: Any, spans: Mapping[str, dict[str, int]]) -> list[dict[str, int]]:
    names = elements if isinstance(elements, list) else []
    return [spans[name] for name in names if isinstance(name, str) and name in spans]


def _sizes(
    answer: Mapping[str, Any], path: Path, pages: Sequence[PageSize]
) -> tuple[dict[int, tuple[float, float]], list[str]]:
    """Width and height by page number in the answer's own unit, and notes where the document differs."""
    sizes: dict[int, tuple[float, float]] = {}
    notes: list[str] = []
    known = {page.number: page for page in pages}
    for page, where in objects(answer, "pages", path):
        number = _page(page, where)
        try:
            width, height = float(page.get("width") or 0), float(page.get("height") or 0)
        except (TypeError, ValueError):
            width = height = 0.0
        if not (0 < width < inf and 0 < height < inf):
            notes.append(f"page {number} has no size in the answer: its boxes were left out")
            continue
        sizes[number] = width, height
        shown = known.get(number)
        if pages and shown is None:
            notes.append(f"the answer has a page {number}, the document has {len(pages)} pages")
        elif shown is not None and abs(width / height * shown.height / shown.width - 1) > _SAME_SHAPE:
            notes.append(
                f"page {number} is {width:g} x {height:g} in the answer, the document shows "
                f"{shown.width:g} x {shown.height:g}: boxes may lie in wrong places"
            )
    return sizes, notes


def _words(answer: Mapping[str, Any], path: Path, sizes: Mapping[int, tuple[float, float]]) -> _Words:
    found: list[_Word] = []
    for page, at in objects(answer, "pages", path):
        number = _page(page, at)
        for key in ("words", "selectionMarks"):
            for entry, where in objects(page, key, at):
                for offset, end in _spans(entry, where)[:1] or [(-1, -1)]:
                    text = f":{entry.get('state')}:" if key == "selectionMarks" else str(entry.get("content") or "")
                    box = _box(number, entry.get("polygon") or entry.get("boundingBox"), sizes, where)
                    raw = json_text.text_of(entry.get("confidence"))
                    found.append(_Word(text, offset, end, box, fraction(raw), raw, key == "selectionMarks"))
    found.sort(key=lambda word: word.offset)
    return _Words(tuple(found), tuple(word.offset for word in found))


def _table(
    table: Mapping[str, Any],
    path: Path,
    number: int,
    words: _Words,
    sizes: Mapping[int, tuple[float, float]],
) -> ReadTable:
    notes: list[str] = []
    cells: list[Cell] = []
    marks = 0
    for entry, where in objects(table, "cells", path):
        text = str(entry.get("content") or "")
        boxes = _boxes(entry, where, sizes)
        row, col = whole(entry, "rowIndex", where), whole(entry, "columnIndex", where)
        if len({box.page for box in boxes}) > 1:
            notes.append(f"the cell at row {row + 1}, column {col + 1} lies on several pages: the first box was kept")
        found = list(words.within(_spans(entry, where)))
        if boxes and text and not _fit(found, text):
            found = list(words.inside(boxes[0]))
        marks += len(_MARK.findall(text))
        try:
            cell = Cell(
                row=row,
                col=col,
                text=_MARK.sub(lambda mark: _MARKS[mark.group()], text),
                row_span=whole(entry, "rowSpan", where, default=1) or 1,
                col_span=whole(entry, "columnSpan", where, default=1) or 1,
                header=_HEADERS.get(str(entry.get("kind") or ""), ""),
                box=boxes[0] if boxes else None,
                confidence=_confidence(found),
            )
        except TableError as wrong:
            raise FormatError(f"{json_text.pointer(where)}: {wrong}") from None
        cells.append(cell)
    n_rows, n_cols = (whole(table, key, path, default=0) for key in ("rowCount", "columnCount"))
    grid, repairs = fitted(cells, n_rows=n_rows, n_cols=n_cols)
    if marks:
        notes.append(f"{marks} selection marks are shown as ☒ and ☐")
    notes += _pages_note(table, path)
    return ReadTable(
        f"table {number}",
        grid,
        tuple(notes),
        repairs,
        boxes=tuple(_boxes(table, path, sizes)),
        place=json_text.pointer(path),
    )


def _pages_note(table: Mapping[str, Any], path: Path) -> list[str]:
    regions = objects(table, "boundingRegions", path)
    numbers = sorted({_page(region, where) for region, where in regions})
    caption = table.get("caption")
    notes = [f"the table lies on {some('page', numbers)}"] if len(numbers) > 1 else []
    return [*notes, f"caption: {caption.get('content')}"] if isinstance(caption, Mapping) else notes


def _fit(words: Sequence[_Word], text: str) -> bool:
    """Whether the words found by their spans are those of the cell."""
    return bool(words) and all(word.text in text or word.is_mark for word in words)


def _confidence(words: Sequence[_Word]) -> tuple[Confidence, ...]:
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


def _spans(entry: Mapping[str, Any], where: Path) -> list[tuple[int, int]]:
    spans = list(objects(entry, "spans", where))
    if not spans and isinstance(entry.get("span"), Mapping):
        spans = [(entry["span"], (*where, "span"))]
    starts = [(whole(span, "offset", at, default=0), whole(span, "length", at, default=0)) for span, at in spans]
    return [(start, start + length) for start, length in starts]


def _boxes(entry: Mapping[str, Any], where: Path, sizes: Mapping[int, tuple[float, float]]) -> list[Box]:
    found = (
        _box(_page(region, at), region.get("polygon") or region.get("boundingBox"), sizes, at)
        for region, at in objects(entry, "boundingRegions", where)
    )
    return [box for box in found if box is not None]


def _box(page: int, polygon: Any, sizes: Mapping[int, tuple[float, float]], where: Path) -> Box | None:
    """The upright rectangle round a polygon, as fractions of its page; None where either is not given."""
    if not polygon or page not in sizes:
        return None
    width, height = sizes[page]
    try:
        if isinstance(polygon[0], Mapping):
            points = [(float(point["x"]), float(point["y"])) for point in polygon]
        else:
            sides = [float(side) for side in polygon]
            points = list(zip(sides[0::2], sides[1::2], strict=True))
        across, down = [x / width for x, _ in points], [y / height for _, y in points]
        return Box(page, *(round(side, 6) for side in (min(across), min(down), max(across), max(down))))
    except (TypeError, ValueError, KeyError, TableError):
        raise FormatError(
            f"{json_text.pointer(where)}: polygon {str(polygon)[:80]}, expected pairs of finite numbers"
        ) from None


def _page(entry: Mapping[str, Any], where: Path) -> int:
    return whole(entry, "pageNumber", where, default=1, least=1)
