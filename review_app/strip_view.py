"""A strip as the JSON of docs/review_api.md."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from review_app.granting import issuing
from review_app.settings import database, settings
from store import documents, seeded, strips, timing
from store.audit import note_hourly
from store.strips import Scope, StripLine, StripTable

# An image has no size in points; it is shown as large as an A4 page.
A4_SHORT, A4_LONG = 595.0, 842.0


def strip_json(asked: Mapping[str, str], person: str) -> dict[str, Any]:
    """The strip of the scope that the parts ``project``, ``table_type``, ``column`` and ``kind`` name."""
    db = database()
    with db.read() as reader:
        projects = documents.projects(reader)
        project = asked.get("project") or settings().project or (projects[0] if projects else "")
        kind = asked.get("kind", "")
        scope = Scope(
            project,
            asked.get("table_type", ""),
            asked.get("column", ""),
            kind if kind in (*strips.KINDS, "any") else "",
        )
        found = strips.strip(db, reader, scope, person=person)
        timed = timing.is_timed(reader, person)
        parts = (found.scope.project, found.scope.table_type, found.scope.column, found.scope.kind)
        note_hourly(db, reader, person, "read", f"strip {', '.join(filter(None, parts))}")
        # Beside its true value here, the review of its table would give an error away.
        showing = seeded.cells_waiting(reader)
    return {
        "projects": list(projects),
        "scope": asdict(found.scope),
        "choices": [asdict(choice) for choice in found.choices],
        "more": found.more,
        "accepted": found.accepted,
        "timed": timed,
        "tables": tables_json(found.tables, person),
        "lines": [_line(one) for one in found.lines if (one.gold, one.line.row_id, one.line.col_id) not in showing],
    }


def tables_json(tables: Mapping[int, StripTable], person: str) -> dict[str, Any]:
    """The tables behind some lines, by their number: each with the token that opens it, and who else has it now."""
    token_for = issuing(person)
    return {
        str(key): {
            "token": token_for(key),
            "revision": table.revision,
            "name": table.name,
            "document": table.document,
            "sha256": table.sha256,
            "pages": {str(number): _size(table, *size) for number, size in table.pages.items()},
        }
        for key, table in tables.items()
    }


def _size(table: StripTable, width: float, height: float) -> list[float]:
    if not table.is_image:
        return [width, height]
    wide = A4_SHORT if width <= height else A4_LONG
    return [wide, height * wide / width]


def _line(one: StripLine) -> dict[str, Any]:
    return {"gold": one.gold, "column": one.column, "type": one.type, "pattern": one.pattern, **one.line.to_json()}
