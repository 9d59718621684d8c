"""The fields of a model of Azure AI Document Intelligence: one row of them, and their lists as tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from scoring.table import Box
from store.formats import json_shape, json_text, rows
from store.formats.azure_places import Sizes, box_of, boxes_of, page_of
from store.formats.contract import ReadTable
from store.formats.json_shape import Path, camel, inner, objects
from store.formats.rows import Row, Value

MARKS = {":selected:": "☒", ":unselected:": "☐"}
MARK = re.compile("|".join(MARKS))
# The REST interface says valueArray, the JavaScript library values and properties, an older Python library value.
_LISTS = ("valueArray", "values", "value")
_OBJECTS = ("valueObject", "properties", "value")


def tables(answer: Mapping[str, Any], path: Path, sizes: Sizes) -> Iterator[ReadTable]:
    """For each document that the model found: the table ``fields``, then one for each list of objects.

    The text of a field is its content as printed; its typed value where it has none. Names that come
    again, with further documents in the file, get a number.
    """
    found: list[ReadTable] = []
    for document, where in objects(answer, "documents", path):
        form = Row()
        lists: list[ReadTable] = []
        for name, field, at in _fields(inner(document, "fields", where), (*where, "fields")):
            lines = _lines(field, at)
            if lines:
                lists.append(_table(name, lines, at, sizes))
            else:
                _put(form, name, field, at, sizes)
        if form:
            found.append(
                rows.table_of(
                    rows.FORM, [form], place=json_shape.text(document, "place") or json_text.pointer((*where, "fields"))
                )
            )
        found += lists
    yield from rows.numbered(found)


def _fields(named: Mapping[str, Any], path: Path) -> Iterator[tuple[str, Mapping[str, Any], Path]]:
    """Each field with its name, its own keys spelt as the REST interface does; null is a field without a value."""
    for name, field in named.items():
        if field is not None and not isinstance(field, Mapping):
            raise json_shape.wrong((*path, name), field, "a field: an object, or null")
        yield name, _spelt(field or {}), (*path, name)


def _spelt(field: Mapping[str, Any]) -> Mapping[str, Any]:
    if not any("_" in key for key in field):
        return field
    values: dict[str, Any] = camel(dict.fromkeys(field))
    spelt = dict(zip(values, field.values(), strict=False))
    return {key: camel(part) if key == "boundingRegions" else part for key, part in spelt.items()}


def _lines(field: Mapping[str, Any], path: Path) -> list[tuple[Mapping[str, Any], Path]]:
    """The entries of a list of objects; none for any other field."""
    entries = [
        (_spelt(entry), (*path, key, at))
        for key in _LISTS
        if isinstance(field.get(key), list)
        for at, entry in enumerate(field[key])
        if isinstance(entry, Mapping)
    ]
    return entries if any(_parts(entry) for entry, _ in entries) else []


def _parts(field: Mapping[str, Any]) -> Mapping[str, Any]:
    """The fields of an object; none for any other field. The value of an address is an object too, but of texts."""
    for key in _OBJECTS:
        found = field.get(key)
        if isinstance(found, Mapping) and any(isinstance(part, Mapping) for part in found.values()):
            return found
    return {}


def _table(name: str, lines: list[tuple[Mapping[str, Any], Path]], path: Path, sizes: Sizes) -> ReadTable:
    found: list[Row] = []
    boxes: dict[int, Box] = {}
    for line, where in lines:
        row = Row()
        said = json_shape.confidence(line.get("confidence"), "extraction", "row", "Azure row confidence")
        if _parts(line):
            for key, part, at in _fields(_parts(line), where):
                _put(row, key, part, at, sizes)
        else:
            _put(row, "value", line, where, sizes)
        for key, value in row.items():
            if not value.confidence and value.text:
                row[key] = replace(value, confidence=said)
        for box in _boxes(line, where, sizes):
            boxes[box.page] = _joined(boxes.get(box.page, box), box)
        found.append(row)
    return rows.table_of(name, found, place=json_text.pointer(path), boxes=tuple(boxes.values()))


def _joined(one: Box, other: Box) -> Box:
    return Box(one.page, min(one.x0, other.x0), min(one.y0, other.y0), max(one.x1, other.x1), max(one.y1, other.y1))


def _put(row: Row, name: str, field: Mapping[str, Any], path: Path, sizes: Sizes) -> None:
    """Add a field to a row; the fields of an object under both names, joined by a dot."""
    parts = _parts(field)
    if parts and not _lines(field, path):
        for key, part, at in _fields(parts, path):
            _put(row, f"{name}.{key}", part, at, sizes)
        return
    boxes = _boxes(field, path, sizes)
    repair = "lies in several places: the first box was kept" if len(boxes) > 1 else ""
    said = json_shape.confidence(field.get("confidence"), "extraction", "field", "Azure field confidence")
    row.put(name, Value(_text(field), boxes[0] if boxes else None, said, repair))


def _boxes(field: Mapping[str, Any], path: Path, sizes: Sizes) -> list[Box]:
    """The boxes of a field; version 2.1 writes page and boundingBox at the field itself."""
    if isinstance(field.get("boundingBox"), list):
        page = page_of({"pageNumber": field.get("page")}, path)
        box = box_of(page, field["boundingBox"], sizes)
        return [] if box is None else [box]
    return boxes_of(field, path, sizes)


def _text(field: Mapping[str, Any]) -> str:
    kind = json_shape.text(field, "type") or json_shape.text(field, "kind") or json_shape.text(field, "valueType")
    content = field.get("content", field.get("text"))
    if isinstance(content, str):
        if kind == "selectionMark":
            return MARKS.get(f":{content.strip(':')}:", content)
        return MARK.sub(lambda mark: MARKS[mark.group()], content)
    for key, value in field.items():
        if key.startswith("value") and key != "valueType":
            if isinstance(value, list):
                return "\n".join(
                    _text(entry) if isinstance(entry, Mapping) else json_text.text_of(entry) for entry in value
                )
            if not isinstance(value, Mapping):
                text = json_text.text_of(value)
                return MARKS.get(f":{text}:", text) if kind == "selectionMark" else text
            if "amount" in value:
                return json_shape.text(value, "amount")
    return ""
