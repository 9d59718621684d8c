"""Results of whole projects that take seconds to work out, kept in the database with what they rest on."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Generic, TypeVar

from sqlite_utils import Database

from store.db import Db, now, row
from store.scores import ScoredDocument

# Goes up when a result follows from scores in another way than before.
VERSION = 1

Value = TypeVar("Value")


@dataclass(frozen=True)
class KeptResult(Generic[Value]):
    """A result as last worked out, at ``made_at``.

    ``seen`` is the ``fingerprint`` of a state of the database in which it held, ``scores`` the hash of the scores that
    it follows from (``scores_of``): it holds while either is the same.
    """

    seen: str
    scores: str
    made_at: str
    value: Value


def kept_result(db: Db, reader: Database, name: str, of_json: Callable[[Any], Value]) -> KeptResult[Value] | None:
    """The result of this name; None where there is none. What ``of_json`` made of it once stays in the memory."""
    known: dict[str, KeptResult[Value]] = db.remembered.setdefault("kept results", {})
    found = row(reader, "select signature from kept_result where name = ?", (_named(name),))
    if found is None:
        return None
    seen, scores, made_at = json.loads(found["signature"])
    last = known.get(name)
    if last is not None and (last.scores, last.made_at) == (scores, made_at):
        return replace(last, seen=seen)
    (body,) = reader.execute("select body from kept_result where name = ?", (_named(name),)).fetchone()
    result = KeptResult(seen, scores, made_at, of_json(json.loads(body)))
    known[name] = result
    return result


def still_holds(db: Db, name: str, last: KeptResult[Any], seen: str) -> None:
    """Keep that a result holds in a later state of the database, too."""
    with db.write() as writer:
        signature = json.dumps([seen, last.scores, last.made_at])
        writer.execute("update kept_result set signature = ? where name = ?", (signature, _named(name)))


def keep_result(db: Db, name: str, seen: str, scores: str, body: Mapping[str, Any]) -> None:
    """Keep a result that was worked out just now in place of the last one of its name."""
    with db.write() as writer:
        writer.execute(
            "insert or replace into kept_result (name, signature, body) values (?, ?, ?)",
            (_named(name), json.dumps([seen, scores, now()]), json.dumps(body, ensure_ascii=False)),
        )


def scores_of(lists: Iterable[Iterable[ScoredDocument]], *more: object) -> str:
    """A hash of scored documents, of what each score follows from and what each document is grouped by; and of more."""
    found = sha256(repr(more).encode())
    for documents in lists:
        found.update(b"[")
        for entry in sorted(documents, key=lambda entry: entry.document.id):
            failed = entry.failure and (entry.failure.outcome, entry.failure.reason)
            tables = [(table.gold.id, table.rests_on) for table in entry.tables]
            about = (entry.document.id, entry.document.name, entry.document.doc_type, entry.document.conditions)
            found.update(repr((about, entry.open_tables, failed, tables)).encode())
    return found.hexdigest()


def _named(name: str) -> str:
    return f"{VERSION}: {name}"
