"""What the API for programs answers, as JSON Schema."""

from __future__ import annotations

from typing import Any

TEXT = {"type": "string"}
NUMBER = {"type": "integer"}
SHARE = {"type": ["number", "null"]}
TIME = {"type": "string", "description": "ISO 8601 in UTC"}
TABLE = {
    "type": "object",
    "description": "rows, columns and cells by their anchor; positions are 0-based",
    "required": ["n_rows", "n_cols", "cells"],
    "properties": {"n_rows": NUMBER, "n_cols": NUMBER, "cells": {"type": "array", "items": {"type": "object"}}},
}


def record(**parts: Any) -> dict[str, Any]:
    """An object that has all of these parts."""
    return {"type": "object", "required": list(parts), "properties": parts}


def listed(item: Any) -> dict[str, Any]:
    """A list of such items."""
    return {"type": "array", "items": item}


ERROR = record(error=TEXT, message=TEXT)
_DOCUMENT = {
    "id": NUMBER,
    "project": TEXT,
    "sha256": TEXT,
    "name": TEXT,
    "media_type": TEXT,
    "doc_type": TEXT,
    "conditions": listed(TEXT),
    "added_at": TIME,
    "added_by": TEXT,
}
DOCUMENTS = record(total=NUMBER, documents=listed(record(**_DOCUMENT)))
WHOLE_DOCUMENT = record(
    **_DOCUMENT,
    pages=listed(record(number=NUMBER, width={"type": "number"}, height={"type": "number"})),
    extractions=listed(NUMBER),
    gold=listed(record(gold=NUMBER, name=TEXT, status={"enum": ["open", "accepted"]})),
)
EXTRACTION = record(
    id=NUMBER,
    document=NUMBER,
    run=NUMBER,
    extractor=TEXT,
    format=TEXT,
    received_sha256=TEXT,
    received_at=TIME,
    notes=listed(TEXT),
    tables=listed(record(id=NUMBER, name=TEXT, remarks=listed(TEXT), table=TABLE)),
)
GOLD = record(
    gold=NUMBER,
    document=NUMBER,
    name=TEXT,
    table_type=TEXT,
    base={"enum": ["extraction", "import", "blank"]},
    status={"enum": ["open", "accepted"]},
    revision=NUMBER,
    sheet=TABLE,
)
SCORES = record(
    metrics={"type": "object", "additionalProperties": SHARE},
    runs=listed({"type": "object"}),
    repeats=listed({"type": "object"}),
    corpus={"type": ["object", "null"]},
    documents=listed({"type": "object"}),
)
RELEASES = record(
    releases=listed(
        record(id=NUMBER, project=TEXT, name=TEXT, note=TEXT, signature=TEXT, person=TEXT, made_at=TIME, tables=NUMBER)
    )
)
IMPORTED = record(
    files=listed(
        record(
            name=TEXT,
            outcome={"enum": ["new", "known", "refused"]},
            what=TEXT,
            took_for=TEXT,
            message=TEXT,
            notes=listed(TEXT),
        )
    )
)
