"""What extractors of Google Document AI found: fields in one row, entities with properties as rows of their type."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from store.formats import json_shape, json_text, rows
from store.formats.contract import ReadTable
from store.formats.google_places import Places
from store.formats.json_shape import Path, inner, objects, whole
from store.formats.rows import Row, Value


def tables(document: Mapping[str, Any], path: Path, places: Places) -> Iterator[ReadTable]:
    """The table ``fields``, then one for each type of entity that has properties (``line_item``)."""
    form = Row()
    groups: dict[str, list[Row]] = {}
    for entity, where in objects(document, "entities", path):
        kind = json_shape.text(entity, "type") or "entity"
        row = Row()
        _put(row, entity, where, kind, "", places)
        if row:
            groups.setdefault(kind, []).append(row)
        else:
            form.put(kind, _value(entity, where, places))
    place = json_text.pointer((*path, "entities"))
    if form:
        yield rows.table_of(rows.FORM, [form], place=place)
    for kind, found in groups.items():
        yield rows.table_of(kind, found, place=place)


def _put(row: Row, entity: Mapping[str, Any], path: Path, kind: str, prefix: str, places: Places) -> None:
    """Add the properties of an entity; those of properties stand under both names, joined by a dot."""
    for part, where in objects(entity, "properties", path):
        inside = json_shape.text(part, "type") or "entity"
        name = prefix + inside.removeprefix(f"{kind}/")
        if part.get("properties"):
            _put(row, part, where, inside, f"{name}.", places)
        else:
            row.put(name, _value(part, where, places))


def _value(entity: Mapping[str, Any], path: Path, places: Places) -> Value:
    said, _, repair = places.said_at(inner(entity, "textAnchor", path), (*path, "textAnchor"))
    text = json_shape.text(entity, "mentionText") or said
    normalised = json_shape.text(inner(entity, "normalizedValue", path), "text")
    if text:
        repair = ""
    elif normalised:
        text, repair = normalised, "has no text on the page: this is its normalised value"
    box = None
    for reference, where in objects(inner(entity, "pageAnchor", path), "pageRefs", (*path, "pageAnchor")):
        box = places.box(reference, places.page(whole(reference, "page", where, default=0)), where)
        break
    said_of = json_shape.confidence(entity.get("confidence"), "extraction", "field", "Google entity confidence")
    return Value(text, box, said_of, repair)
