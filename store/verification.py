"""Verification: re-hash everything received and read, and replay every edit log."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from sqlite_utils import Database

from scoring.table import Table, TableError
from store import gold, releases
from store.db import NotFound
from store.edits import EditError
from store.guidelines import text_of
from store.home import Home
from store.locked import is_locked
from store.releases import Release

# What was written by hand may be anything: a list for a mapping, a number for a text.
UNREADABLE = (EditError, TableError, ValueError, TypeError, AttributeError, KeyError)


def verify(reader: Database, home: Home) -> Iterator[str]:
    """What differs from what was stored, one sentence each; nothing where all is well.

    Documents, files as received, tables read from them, gold bases, edit logs and releases are looked at.
    """
    for check in reader.query("pragma integrity_check"):
        if check["integrity_check"] != "ok":
            yield f"database: {check['integrity_check']}"
    yield from _documents(reader, home)
    for entry in reader.query("select sha256, name, body from received"):
        found = _digest(entry["body"])
        if found != entry["sha256"]:
            yield f"received file {entry['name']}: sha256 is {found}, was {entry['sha256']} when it was received"
    for table, where in (("extracted_table", "extracted table"), ("gold", "gold table")):
        for entry in reader.query(f"select id, name, body, sha256 from {table}"):
            yield from _body(entry, f"{where} {entry['id']} ({entry['name']})")
    for entry in reader.query(
        "select b.gold as id, g.name, b.body, b.sha256 from blind b join gold g on g.id = b.gold"
    ):
        yield from _body(entry, f"beginning of blind table {entry['id']} ({entry['name']})")
    yield from _edit_logs(reader)
    for made in releases.releases(reader):
        yield from _release(reader, made)


def _documents(reader: Database, home: Home) -> Iterator[str]:
    for entry in reader.query("select distinct sha256, name from document"):
        path = home.document_file(entry["sha256"])
        if not path.exists():
            yield f"document {entry['name']}: its file {path} is missing"
        elif (found := sha256(raw := path.read_bytes()).hexdigest()) != entry["sha256"]:
            yield f"document {entry['name']}: {path} has sha256 {found}, was {entry['sha256']} when it was imported"
        elif is_locked(raw) and not (copy := home.unlocked_file(entry["sha256"])).exists():
            yield f"document {entry['name']}: its copy without encryption {copy} is missing; import it again"


def _body(entry: dict[str, Any], where: str) -> Iterator[str]:
    found = _digest(entry["body"])
    if found != entry["sha256"]:
        yield f"{where}: sha256 is {found}, was {entry['sha256']} when it was stored"
    try:
        Table.from_json(json.loads(entry["body"]))
    except UNREADABLE as wrong:
        yield f"{where}: cannot be read any more: {wrong}"


def _digest(body: object) -> str:
    # A SQLite shell may have left a text where bytes were.
    return sha256(body if isinstance(body, bytes) else str(body).encode()).hexdigest()


def _edit_logs(reader: Database) -> Iterator[str]:
    for entry in reader.query("select id, name from gold"):
        where = f"gold table {entry['id']} ({entry['name']})"
        numbers = [n["revision"] for n in reader.query("select revision from edit where gold = ?", (entry["id"],))]
        if sorted(numbers) != list(range(1, len(numbers) + 1)):
            yield f"{where}: the edit log has the revisions {sorted(numbers)}, expected 1 to {len(numbers)}"
            continue
        try:
            gold.states(reader, entry["id"])
        except UNREADABLE as wrong:
            yield f"{where}: the edit log does not replay: {wrong}"


def _release(reader: Database, made: Release) -> Iterator[str]:
    where = f"release {made.name} of project {made.project}"
    tables = releases.released_tables(reader, made.id)
    if (found := releases.signature(tables)) != made.signature:
        yield f"{where}: its tables have the signature {found}, was {made.signature} when it was made"
    for table in tables:
        place = f"{where}: table {table.name} of {table.document_name} at revision {table.revision}"
        try:
            found = releases.sheet_sha256(releases.released_sheet(reader, table))
            if found != table.sha256:
                yield f"{place}: sha256 is {found}, was {table.sha256} when it was released"
            kind = releases.released_type(reader, made, table)
            if (kind.signature if kind else "") != table.type_signature:
                yield f"{place}: the table type with the signature {table.type_signature} is gone or changed"
        except (NotFound, *UNREADABLE) as wrong:
            yield f"{place}: cannot be made from the edit log any more: {wrong}"
        words = text_of(reader, table.guidelines) if table.guidelines else ""
        if words is None or (table.guidelines and releases.digest(words) != table.guidelines):
            yield f"{place}: the guidelines with the hash {table.guidelines} are gone or changed"
