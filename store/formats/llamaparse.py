"""LlamaParse: the tables among the items of its pages (v1 and v2), from their HTML, their rows or their Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scoring.table import Box, Confidence
from store.formats import html, json_shape, json_text, markdown, rows
from store.formats.contract import Read, ReadTable, some
from store.formats.json_shape import Path, entries, inner, objects, whole
from store.formats.rows import Value
from store.pages import PageSize

_SIDES = ("x", "y", "w", "h")
_HTML = ("<table", "<tr")


def sniff(raw: bytes, name: str) -> bool:
    """Whether the JSON has pages with items (v2 also under ``items``), or pages with ``md`` beside ``text``."""
    value = json_text.peeked(raw)
    answers = value if isinstance(value, list) else [value]
    return bool(answers) and all(_is_answer(answer) for answer in answers)


def read(raw: bytes, *, name: str, pages: Sequence[PageSize] = ()) -> Read:
    """The tables of all pages in their order: their HTML, which has the spans, else their rows, else their Markdown.

    Of a page without items the tables of its Markdown are read. The first row is the header where only
    rows are given. The CSV of a table is never read. Boxes are fractions of the page that the file
    tells, else of the document's. Confidence of a page (v2) is that of each of its tables.
    """
    value, notes = json_text.load(raw, lines=True)
    answers = [(part, (at,)) for at, part in enumerate(value)] if isinstance(value, list) else [(value, ())]
    doubts = list(notes)
    found: list[ReadTable] = []
    for answer, path in answers:
        if not isinstance(answer, Mapping):
            raise json_shape.wrong(path, answer, "an answer of LlamaParse with pages")
        said = _page_confidence(answer, path)
        for page, where in _pages(answer, path):
            found += _page(page, where, pages, said, doubts)
    if not found:
        doubts.append("the answer holds no tables")
    return Read(rows.numbered(found), tuple(doubts), "LlamaParse")


def _is_answer(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    items = value.get("items")
    pages = items.get("pages") if isinstance(items, dict) else value.get("pages")
    first = pages[0] if isinstance(pages, list) and pages else None
    if not isinstance(first, dict):
        return False
    is_page = bool(first.keys() & {"page", "page_number"})
    return is_page and (isinstance(first.get("items"), list) or {"md", "text"} <= first.keys() or "success" in first)


def _pages(answer: Mapping[str, Any], path: Path) -> Iterator[tuple[Mapping[str, Any], Path]]:
    if isinstance(answer.get("items"), Mapping):
        return objects(inner(answer, "items", path), "pages", (*path, "items"))
    return objects(answer, "pages", path)


def _page_confidence(answer: Mapping[str, Any], path: Path) -> Mapping[int, tuple[Confidence, ...]]:
    """What version 2 tells about each page as a whole: the judgement of a model."""
    metadata, where = inner(answer, "metadata", path), (*path, "metadata")
    return {
        whole(page, "page_number", at, default=1): json_shape.confidence(
            page.get("confidence"), "extraction", "page", "LlamaParse page confidence"
        )
        for page, at in objects(metadata, "pages", where)
    }


@dataclass(frozen=True)
class _Sheet:
    """The page that is read: its number, and its size in the unit of the boxes if that is known."""

    number: int
    size: tuple[float, float] | None


def _page(
    page: Mapping[str, Any],
    path: Path,
    pages: Sequence[PageSize],
    said: Mapping[int, tuple[Confidence, ...]],
    doubts: list[str],
) -> Iterator[ReadTable]:
    key = "page_number" if "page_number" in page else "page"
    number = whole(page, key, path, default=1, least=1)
    if problem := json_shape.text(page, "error") or ("no reason given" if page.get("success") is False else ""):
        doubts.append(f"LlamaParse could not read page {number}: {problem}")
    sides = [
        json_shape.number(page.get(f"page_{side}" if f"page_{side}" in page else side)) for side in ("width", "height")
    ]
    known = next((size for size in pages if size.number == number), None)
    size = (known.width, known.height) if known else None
    if sides[0] and sides[1] and min(sides[0], sides[1]) > 0:
        size = sides[0], sides[1]
    sheet = _Sheet(number, size)
    if entries(page, "items", path):
        tables = list(_item_tables(page, path, sheet, doubts))
    else:
        text = "md" if "md" in page else "markdown"
        tables = [
            replace(table, place=f"{json_text.pointer((*path, text))}, {table.place.split(', ')[0]}")
            for table in markdown.tables_in(json_shape.text(page, text))
        ]
    for table in tables:
        place = table.place + ("" if table.boxes else f", page {number}")
        yield replace(table, place=place, confidence=(*table.confidence, *said.get(number, ())))


def _item_tables(page: Mapping[str, Any], path: Path, sheet: _Sheet, doubts: list[str]) -> Iterator[ReadTable]:
    for item, where in objects(page, "items", path):
        if item.get("type") != "table":
            continue
        if item.get("merged_into_page") is not None:
            into = json_shape.text(item, "merged_into_page")
            doubts.append(f"{json_text.pointer(where)} is empty: its rows were joined to the table on page {into}")
            continue
        boxes, confidence, problem = _places(item, where, sheet)
        notes = [*([problem] if problem else []), *_item_notes(item, where)]
        for table in _tables(item, where):
            yield replace(
                table,
                notes=(*notes, *table.notes),
                boxes=boxes,
                confidence=confidence,
                place=json_text.pointer(where),
            )


def _tables(item: Mapping[str, Any], path: Path) -> Sequence[ReadTable]:
    for key in ("html", "md"):
        text = json_shape.text(item, key)
        if any(tag in text.lower() for tag in _HTML) and (tables := html.tables_in(text)):
            return tables
    if lines := _lines(item, path):
        return [rows.grid_of(lines, place=json_text.pointer((*path, "rows")))]
    return markdown.tables_in(json_shape.text(item, "md"))


def _lines(item: Mapping[str, Any], path: Path) -> list[list[Value]]:
    lines = []
    for at, line in enumerate(entries(item, "rows", path)):
        if not isinstance(line, list):
            raise json_shape.wrong((*path, "rows", at), line, "a list of cells")
        for col, cell in enumerate(line):
            if isinstance(cell, dict | list):
                raise json_shape.wrong((*path, "rows", at, col), cell, "a text, a number or null")
        lines.append([Value(json_text.text_of(cell)) for cell in line])
    return lines


def _places(item: Mapping[str, Any], path: Path, sheet: _Sheet) -> tuple[tuple[Box, ...], tuple[Confidence, ...], str]:
    """The boxes of a table, what is said of them, and what is wrong with them."""
    given = item.get("bBox") or item.get("bbox") or []
    received = [given] if isinstance(given, Mapping) else given if isinstance(given, list) else []
    if received and sheet.size is None:
        return (), (), f"its box on page {sheet.number} was left out: the size of the page is not known"
    boxes: list[Box] = []
    said: list[Confidence] = []
    for entry in received:
        box = json_shape.rectangle(entry, _SIDES, sheet.number, size=sheet.size or (1.0, 1.0))
        boxes += [] if box is None else [box]
        if isinstance(entry, Mapping):
            said += json_shape.confidence(entry.get("confidence"), "detection", "table", "LlamaParse box confidence")
    lost = len(received) - len(boxes)
    return (
        tuple(boxes),
        json_shape.lowest(said),
        f"{lost} of its boxes are incomplete and were left out" if lost else "",
    )


def _item_notes(item: Mapping[str, Any], path: Path) -> Iterator[str]:
    if item.get("isPerfectTable") is False:
        yield "LlamaParse says that its rows do not all have the same number of cells"
    if numbers := [number for number in entries(item, "merged_from_pages", path) if isinstance(number, str | int)]:
        yield f"was put together from {some('page', numbers)}"
    for concern, where in objects(item, "parse_concerns", path):
        if kind := json_shape.text(concern, "type"):
            details = json_shape.text(concern, "details") or json_shape.text(concern, "message")
            yield f"LlamaParse is in doubt: {kind.replace('_', ' ')}" + (f" ({details})" if details else "")
        elif where:
            yield "LlamaParse is in doubt about this table"
