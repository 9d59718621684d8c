"""Gold as files: JSON that imports again, HTML with spans, CSV, and JSON lines with provenance."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from sqlite_utils import Database

from scoring.effort.work_intervals import CUTOFF_MS
from store.comments import threads
from store.comparison import Comparison, compare
from store.db import Db
from store.documents import documents, file_name
from store.formats import csv, html, proofgrid_json
from store.gold import gold_tables, history
from store.work_time import correction_time


@dataclass(frozen=True)
class Export:
    """One file to write: a name that is safe as a file name, and its contents."""

    name: str
    body: bytes


def export(
    db: Db, reader: Database, *, to: str, project: str | None = None, accepted_only: bool = True
) -> Iterator[Export]:
    """The gold of a project in one of EXPORTS; accepted tables only, unless told otherwise."""
    for document in documents(reader, project=project):
        compared = [compare(db, reader, entry.id) for entry in gold_tables(reader, document.id)]
        chosen = [entry for entry in compared if entry.status == "accepted" or not accepted_only]
        if chosen:
            yield from EXPORTS[to](reader, chosen)


def _gold_json(_: Database, tables: list[Comparison]) -> Iterator[Export]:
    named = [(entry.gold.name, entry.gold.table_type, entry.sheet.table) for entry in tables]
    yield Export(_name(tables[0], "gold.json"), proofgrid_json.write_gold(named))


def _html(_: Database, tables: list[Comparison]) -> Iterator[Export]:
    named = [(entry.gold.name, entry.sheet.table) for entry in tables]
    yield Export(_name(tables[0], "html"), html.write(named, title=tables[0].document.name))


def _csv(_: Database, tables: list[Comparison]) -> Iterator[Export]:
    for entry in tables:
        yield Export(_name(entry, f"{file_name(entry.gold.name)}.csv"), csv.write(entry.sheet.table))


def _json_lines(reader: Database, tables: list[Comparison]) -> Iterator[Export]:
    lines = [json.dumps(_line(reader, entry), ensure_ascii=False) for entry in tables]
    yield Export(_name(tables[0], "jsonl"), ("\n".join(lines) + "\n").encode())


def _line(reader: Database, entry: Comparison) -> dict[str, object]:
    """One table with where it came from: its document, its base, and who edited it last, and what was said."""
    log = history(reader, entry.gold.id)
    return {
        "proofgrid": "gold-line/1",
        "document": entry.document.name,
        "document_sha256": entry.document.sha256,
        "project": entry.document.project,
        "name": entry.gold.name,
        "table_type": entry.gold.table_type,
        "base": entry.gold.base,
        "status": entry.status,
        "revision": entry.revision,
        "people": sorted({edit.person for edit in log} or {entry.gold.added_by}),
        "edited_at": log[-1].made_at if log else None,
        "comments": [thread.to_json() for thread in threads(reader, entry.gold.id)],
        "correction_time": _time(reader, entry.gold.id),
        "table": entry.sheet.to_json(),
    }


def _time(reader: Database, key: int) -> dict[str, object] | None:
    """The measured time of all people; None where nobody worked on the table here."""
    time = correction_time(reader, key)
    if not time.measured:
        return None
    parts = {
        "active_ms": time.active_ms,
        "idle_ms": time.idle_ms,
        "cutoff_ms": CUTOFF_MS,
        "people": len(time.by_person),
    }
    return {**parts, "active_ms_by_phase": dict(time.by_phase)}


EXPORTS: dict[str, Callable[[Database, list[Comparison]], Iterator[Export]]] = {
    "gold": _gold_json,
    "html": _html,
    "csv": _csv,
    "jsonl": _json_lines,
}


def _name(entry: Comparison, ending: str) -> str:
    return f"{entry.document.export_stem}.{ending}"
