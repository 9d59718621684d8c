"""Verification: re-hash everything received and read, and replay every edit log."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from sqlite_utils import Database

from scoring.table import Table, TableError
from store import gold
from store.edits import EditError
from store.home import Home
from store.locked import is_locked

# What was written by hand may be anything: a list for a mapping, a number for a text.
UNREADABLE = (EditError, TableError, ValueError, TypeError, AttributeError, KeyError)


def verify(reader: Database, home: Home) -> Iterator[str]:
    """What differs from what was stored, one sentence each; nothing where all is well.

    Documents, files as received, tables read from them, gold bases and edit logs are looked at.
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
    yield from _edit_logs(reader)


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
