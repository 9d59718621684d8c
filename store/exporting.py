"""Gold as files, each in a form that its own reader or the tool it is meant for reads back."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlite_utils import Database

from scoring.effort.work_intervals import CUTOFF_MS
from store import releases
from store.audit import note
from store.cell_changes import changed_texts
from store.comments import threads
from store.comparison import Comparison, compare
from store.db import Db
from store.documents import documents
from store.exports import dataset, label_studio, markdown, otsl, pubtabnet, pulsebench, release_files, xlsx
from store.exports.carried import checked
from store.exports.written import ByDocument, Export, Given, name_of, with_ids
from store.formats import csv, html, proofgrid_json
from store.gold import StoredEdit, gold_tables, history, states
from store.home import Home
from store.released import released
from store.rights import expect_right
from store.work_time import correction_time


def export(
    db: Db,
    home: Home,
    reader: Database,
    *,
    to: str,
    person: str,
    project: str | None = None,
    accepted_only: bool = True,
    release: str | None = None,
) -> Iterator[Export]:
    """The gold of a project in one of EXPORTS; accepted tables only, unless told otherwise.

    Of a release its tables as it holds them, with what it is and the passport of each. Raises NotFound where there
    is none of that name, and NotAllowed.
    """
    expect_right(reader, person, "export")
    with db.write() as writer:
        note(writer, person, "exported", f"release {release}" if release else f"project {project or 'all'}", detail=to)
    made = releases.release(reader, release, project=project) if release is not None else None

    def chosen() -> Iterator[Sequence[Comparison]]:
        for document in documents(reader, project=project):
            compared = [compare(db, reader, entry.id) for entry in gold_tables(reader, document.id)]
            if found := [entry for entry in compared if entry.status == "accepted" or not accepted_only]:
                yield found

    names: set[str] = set()
    tables = released(db, reader, made) if made else chosen()
    for file in EXPORTS[to](tables, Given(reader, home, made)):
        again = ("replaces a file of this name, of another project: export each with --project",)
        yield replace(file, notes=(*file.notes, *again)) if file.name in names else file
        names.add(file.name)
    if made:
        yield from release_files.write(released(db, reader, made), reader, made)


def _gold_json(by_document: ByDocument, _: Given) -> Iterator[Export]:
    for tables in by_document:
        named = [(entry.gold.name, entry.gold.table_type, entry.sheet.table) for entry in tables]
        yield Export(name_of(tables[0], "gold.json"), proofgrid_json.write_gold(named))


def _html(by_document: ByDocument, _: Given) -> Iterator[Export]:
    for tables in by_document:
        named = [(entry.gold.name, entry.sheet.table) for entry in tables]
        body = html.write(named, title=tables[0].document.name)
        yield checked(name_of(tables[0], "html"), body, named, html)


def _csv(by_document: ByDocument, _: Given) -> Iterator[Export]:
    for tables in by_document:
        for id, entry in with_ids(tables):
            table = entry.sheet.table
            yield checked(f"{id}.csv", csv.write(table), [(entry.gold.name, table)], csv)


def _json_lines(by_document: ByDocument, given: Given) -> Iterator[Export]:
    for tables in by_document:
        lines = [json.dumps(_line(given, entry), ensure_ascii=False) for entry in tables]
        yield Export(name_of(tables[0], "jsonl"), ("\n".join(lines) + "\n").encode())


def _line(given: Given, entry: Comparison) -> dict[str, object]:
    """One table with where it came from: its document, its base, and who edited it last, and what was said.

    What was said and how long it took are not frozen, and so no part of a release.
    """
    reader = given.reader
    log = [edit for edit in history(reader, entry.gold.id) if edit.revision <= entry.revision]
    said = {
        "comments": [thread.to_json() for thread in threads(reader, entry.gold.id)],
        "correction_time": _time(reader, entry.gold.id),
    }
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
        **({} if given.release else said),
        "table": entry.sheet.to_json(),
        "edited_cells": _edited_cells(reader, entry, log),
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


def _edited_cells(reader: Database, entry: Comparison, log: Sequence[StoredEdit]) -> list[dict[str, Any]]:
    """Each cell that a person changed: where it stands now, by which edit, who and when, and what it was before."""
    sheets = states(reader, entry.gold.id)[: len(log) + 1] if log else [entry.sheet]
    found, now = changed_texts(sheets, log), entry.sheet
    places = ((cell.row, cell.col, now.row_ids[cell.row], now.col_ids[cell.col]) for cell in now.table.cells)
    return [
        {"row": row, "col": col, **found[row_id, col_id].to_json()}
        for row, col, row_id, col_id in places
        if (row_id, col_id) in found
    ]


EXPORTS: Mapping[str, Callable[[ByDocument, Given], Iterator[Export]]] = {
    "gold": _gold_json,
    "html": _html,
    "markdown": markdown.write,
    "csv": _csv,
    "xlsx": xlsx.write,
    "jsonl": _json_lines,
    "dataset": dataset.write,
    "pubtabnet": pubtabnet.write,
    "pulsebench": pulsebench.write,
    "label-studio": label_studio.write,
    "otsl": otsl.write,
}
