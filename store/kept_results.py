"""Results of whole projects that take seconds to work out, kept in the database with what they rest on."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from sqlite_utils import Database

from store.db import Db, now, row
from store.scores import ScoredDocument

# Goes up when a result follows from scores in another way than before.
VERSION = 1


@dataclass(frozen=True)
class KeptResult:
    """A result as last worked out, at ``made_at``.

    ``seen`` is the ``fingerprint`` of a state of the database in which it held, ``scores`` the hash of the scores that
    it follows from (``scores_of``): it holds while either is the same.
    """

    seen: str
    scores: str
    made_at: str
    body: Mapping[str, Any]


def kept_result(reader: Database, name: str) -> KeptResult | None:
    """The result of this name; None where there is none."""
    found = row(reader, "select signature, body from kept_result where name = ?", (_named(name),))
    if found is None:
        return None
    seen, scores, made_at = json.loads(found["signature"])
    return KeptResult(seen, scores, made_at, json.loads(found["body"]))


def keep_result(db: Db, name: str, made: KeptResult) -> None:
    """Keep a result in place of the last one of its name."""
    signature = json.dumps([made.seen, made.scores, made.made_at])
    with db.write() as writer:
        writer.execute(
            "insert or replace into kept_result (name, signature, body) values (?, ?, ?)",
            (_named(name), signature, json.dumps(made.body, ensure_ascii=False)),
        )


def new_result(seen: str, scores: str, body: Mapping[str, Any]) -> KeptResult:
    """A result that was worked out just now."""
    return KeptResult(seen, scores, now(), body)


def scores_of(lists: Iterable[Iterable[ScoredDocument]], *more: object) -> str:
    """A hash of scored documents, of what each score follows from and what each document is grouped by; and of more."""
    found = sha256(repr(more).encode())
    for documents in lists:
        found.update(b"[")
        for entry in sorted(documents, key=lambda entry: entry.document.id):
            failed = entry.failure and (entry.failure.outcome, entry.failure.reason)
            tables = [(table.gold.id, table.rests_on) for table in entry.tables]
            found.update(repr((entry.document, entry.open_tables, failed, tables)).encode())
    return found.hexdigest()


def _named(name: str) -> str:
    return f"{VERSION}: {name}"
