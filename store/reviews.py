"""Reviews: the verdicts of people about gold tables."""

from __future__ import annotations

from typing import Any, Literal, get_args

from sqlite_utils import Database

from store.audit import note
from store.comments import Discussed, open_threads
from store.db import Db, StoreError, insert, now, row
from store.documents import document
from store.gold import Gold, Stale, gold, revision, status
from store.leases import expect_free, release
from store.rights import expect_right
from store.webhooks import tell

Verdict = Literal["accept", "reopen", "skip", "flag"]


def add_verdict(
    db: Db, key: int, *, verdict: Verdict, person: str, id: str, at_revision: int, reason: str = ""
) -> Literal["open", "accepted"]:
    """Record a verdict and return the status of the table; the same id is recorded once.

    Raises Leased where another person has the table, Stale where the person judged another revision than the current
    one, and Discussed where an accepted table would have comments that nobody resolved. Whoever is done lets it go.
    """
    if verdict not in get_args(Verdict):
        raise StoreError(f"verdict {verdict!r}, expected one of {', '.join(get_args(Verdict))}")
    with db.write() as writer:
        expect_right(writer, person, "review" if verdict in ("skip", "flag") else "accept")
        entry = gold(writer, key)
        if row(writer, "select 1 from verdict where id = ?", (id,)) is None:
            if verdict == "reopen" and entry.second_of is not None:
                raise StoreError("A second keying that was handed in stays as it is: the others may be seen by now.")
            expect_free(writer, key, person=person)
            number = revision(writer, key)
            if verdict == "accept" and number != at_revision:
                raise Stale(number, at_revision, [])
            if verdict == "accept" and (waiting := open_threads(writer, key)):
                raise Discussed(waiting)
            insert(
                writer,
                "verdict",
                {
                    "id": id,
                    "gold": key,
                    "revision": number,
                    "verdict": verdict,
                    "reason": reason,
                    "person": person,
                    "at": now(),
                },
            )
            if verdict != "reopen":
                release(db, key, person=person)
            note(writer, person, verdict, f"table {key}", detail=reason)
            _tell(writer, entry, verdict, number, person)
        return status(writer, key)


def _tell(writer: Database, table: Gold, verdict: Verdict, number: int, person: str) -> None:
    if verdict in ("accept", "reopen") and table.second_of is None:
        of = document(writer, table.document)
        told = {"table": table.id, "name": table.name, "revision": number, "person": person}
        tell(writer, verdict, of.project, {**told, "document": {"id": of.id, "name": of.name, "sha256": of.sha256}})


def verdicts(reader: Database, key: int) -> tuple[dict[str, Any], ...]:
    """The verdicts about a gold table in order: verdict, revision, reason, person, at."""
    rows = reader.query(
        "select verdict, revision, reason, person, at from verdict where gold = ? order by rowid", (key,)
    )
    return tuple(rows)
