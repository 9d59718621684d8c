"""Keys for programs: each acts as a person, with the rights that this person has at the moment of the request."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256

from sqlite_utils import Database

from store import audit
from store.db import Db, NotFound, StoreError, insert, now, row
from store.rights import expect_right, is_team, role_of

# So that a key is recognised where it should not stand: in a log, a repository, a message.
BEGINS = "proofgrid_"
LONGEST_DAYS = 3660
_LONGEST_NOTE = 200


class KeyRefused(StoreError):
    """A key that is unknown, expired or revoked, or whose person is gone."""


@dataclass(frozen=True)
class ApiKey:
    """One key; the key itself is nowhere, only its SHA-256. Times are ISO 8601 in UTC."""

    id: int
    person: str
    note: str
    made_by: str
    made_at: str
    expires_at: str
    revoked_at: str | None


def make_key(db: Db, *, person: str, by: str, note: str = "", days: int = 90) -> tuple[ApiKey, str]:
    """A new key for a person, and its text, which can be read this once.

    Raises StoreError for somebody who is not in the team, a span beyond LONGEST_DAYS or a note that is no line, and
    NotAllowed for ``by`` without the right to manage people.
    """
    if not 1 <= days <= LONGEST_DAYS:
        raise StoreError(f"{days} days, expected 1 to {LONGEST_DAYS}")
    if len(note) > _LONGEST_NOTE or not (note + person).isprintable() or not person.strip():
        raise StoreError(f"{person!r} with the note {note!r}, expected a name and at most one line")
    text = BEGINS + secrets.token_urlsafe(32)
    with db.write() as writer:
        expect_right(writer, by, "people")
        if is_team(writer) and role_of(writer, person) is None:
            raise NotFound(f"{person!r} is nobody of this team; users list tells who is")
        expires = (datetime.now(UTC) + timedelta(days=days)).isoformat(timespec="milliseconds")
        values = {"person": person, "note": note, "made_by": by, "made_at": now(), "expires_at": expires}
        key = insert(writer, "api_key", {"digest": _digest(text), **values})
        audit.note(writer, by, "made", f"key {key} of {person}", detail=note)
        return _key(writer, key), text


def api_keys(reader: Database) -> tuple[ApiKey, ...]:
    """All keys, oldest first, also those that are good no more."""
    rows = reader.query("select id, person, note, made_by, made_at, expires_at, revoked_at from api_key order by id")
    return tuple(ApiKey(**entry) for entry in rows)


def revoke_key(db: Db, key: int, *, by: str) -> ApiKey:
    """Refuse a key from now on; raises NotFound, and NotAllowed as ``make_key`` does."""
    with db.write() as writer:
        expect_right(writer, by, "people")
        found = _key(writer, key)
        if found.revoked_at is None:
            writer.execute("update api_key set revoked_at = ? where id = ?", (now(), key))
            audit.note(writer, by, "revoked", f"key {key} of {found.person}")
        return _key(writer, key)


def revoke_keys_of(writer: Database, person: str) -> None:
    """Refuse all keys of a person from now on, in the transaction that takes the person out of the team."""
    writer.execute(
        "update api_key set revoked_at = ? where person = ? collate nocase and revoked_at is null", (now(), person)
    )


def holder(reader: Database, text: str) -> str:
    """The person as whom a key acts now; raises KeyRefused."""
    found = row(reader, "select person, expires_at, revoked_at from api_key where digest = ?", (_digest(text),))
    if found is None:
        raise KeyRefused("This key is not known here; proofgrid keys make gives one.")
    if found["revoked_at"] is not None:
        raise KeyRefused(f"This key was revoked on {found['revoked_at'][:10]}.")
    if found["expires_at"] <= now():
        raise KeyRefused(f"This key expired on {found['expires_at'][:10]}; proofgrid keys make gives a new one.")
    if is_team(reader) and role_of(reader, found["person"]) is None:
        raise KeyRefused(f"{found['person']} is not in the team any more, and neither are their keys.")
    return str(found["person"])


def _key(reader: Database, key: int) -> ApiKey:
    found = next((each for each in api_keys(reader) if each.id == key), None)
    if found is None:
        raise NotFound(f"there is no key {key}; keys list tells which there are")
    return found


def _digest(text: str) -> str:
    # The key is 256 random bits: nothing is gained by a slow hash.
    return sha256(text.encode(errors="surrogatepass")).hexdigest()
