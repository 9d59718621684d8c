"""The people of a team: who is in it, by which e-mail they sign in, and in which role."""

from __future__ import annotations

import sqlite3
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlite_utils import Database

from store import api_keys, audit, timing
from store.db import Db, NotFound, StoreError, now, row
from store.rights import AT_TERMINAL, ROLES, Role, expect_right, is_team, terminal_name

LONGEST_NAME = 200


@dataclass(frozen=True)
class Person:
    """Somebody of the team. ``name`` signs the edits; ``sign_in`` is the e-mail or subject, None once forgotten.

    ``epoch`` grows with each sign-out, change of role and removal: what was handed out before it is refused.
    """

    name: str
    sign_in: str | None
    role: Role
    added_by: str
    added_at: str
    removed_at: str | None
    epoch: int


def people(reader: Database, *, removed_too: bool = False) -> tuple[Person, ...]:
    """The people of the team by name."""
    rows = reader.query("select * from person where ? or removed_at is null order by name", (removed_too,))
    return tuple(Person(**entry) for entry in rows)


def person(reader: Database, name: str) -> Person:
    """Somebody of the team, removed or not, by name or by what they sign in with; raises NotFound."""
    found = row(reader, "select * from person where name = ? or sign_in = ?", (name, name))
    if found is None:
        known = ", ".join(each.name for each in people(reader)) or "nobody yet"
        raise NotFound(f"{name!r} is nobody of this team; expected one of: {known}")
    return Person(**found)


def epoch_of(reader: Database, name: str) -> int | None:
    """What a token of this person must carry now; None for who is not in the team, 0 where there is no team."""
    found = row(reader, "select epoch from person where name = ? and removed_at is null", (name,))
    if found is not None:
        return int(found["epoch"])
    return None if is_team(reader) else 0


def signing_in(reader: Database, claims: Mapping[str, Any], *, trust_email: bool = False) -> Person | None:
    """The person of the team whom an OpenID provider names, or None.

    An e-mail counts where the provider says that it is verified, or where this provider is trusted in that; a
    ``sign_in`` without an @ is the provider's subject.
    """
    email, subject = str(claims.get("email") or ""), str(claims.get("sub") or "")
    asked = []
    if "@" in email and (trust_email or claims.get("email_verified") in (True, "true")):
        asked.append(email)
    if subject and "@" not in subject:
        asked.append(subject)
    for sign_in in asked:
        found = row(reader, "select * from person where sign_in = ? and removed_at is null", (sign_in,))
        if found is not None:
            return Person(**found)
    return None


def add_person(db: Db, sign_in: str, *, role: Role, by: str, name: str | None = None) -> Person:
    """Take somebody into the team, or take them back; the first one must be an admin.

    Edits are signed with the name (where it is None, what they sign in with) for ever, so a pseudonym is chosen here or
    never. Raises StoreError for an empty name, and for one that could be taken for that of somebody else.
    """
    sign_in = sign_in.strip()
    name = sign_in if name is None else name.strip()
    if not sign_in or not name or len(name) > LONGEST_NAME or not (name + sign_in).isprintable():
        raise StoreError(f"{sign_in!r} named {name!r}, expected an e-mail (or subject) and a name in one line")
    if _alike(name).endswith(AT_TERMINAL):
        raise StoreError(f"{name!r}: names that end in {AT_TERMINAL.strip()} are of those who own the files")
    _expect_role(role)
    with db.write() as writer:
        expect_right(writer, by, "people")
        if not is_team(writer) and role != "admin":
            raise StoreError("the first person must be an admin: from then on everybody needs a role; use --role admin")
        _expect_unlike(writer, name, sign_in)
        by = terminal_name(by) if not is_team(writer) else by
        known = row(writer, "select * from person where name = ?", (name,))
        if known is not None and known["removed_at"] is None:
            raise StoreError(f"{name} is in the team already, as {known['role']}; see users role")
        try:
            if known is None:
                values = {"name": name, "sign_in": sign_in, "role": role, "added_by": by, "added_at": now()}
                writer.table("person").insert(values)
            else:
                writer.execute(
                    "update person set sign_in = ?, role = ?, added_by = ?, added_at = ?, removed_at = null, "
                    "epoch = epoch + 1 where name = ?",
                    (sign_in, role, by, now(), name),
                )
        except sqlite3.IntegrityError as wrong:
            raise StoreError(f"{sign_in} signs in as somebody else already; see users list --removed") from wrong
        audit.note(writer, by, "added", f"person {name}", detail=role)
        return person(writer, name)


def set_role(db: Db, name: str, *, role: Role, by: str) -> Person:
    """Give somebody another role, at once; raises StoreError for the last admin."""
    _expect_role(role)
    with db.write() as writer:
        expect_right(writer, by, "people")
        found = _present(writer, name)
        if role != "admin":
            _expect_other_admin(writer, found)
        writer.execute("update person set role = ?, epoch = epoch + 1 where name = ?", (role, found.name))
        audit.note(writer, by, "changed role of", f"person {found.name}", detail=f"{found.role} to {role}")
        return person(writer, found.name)


def remove_person(db: Db, name: str, *, by: str) -> Person:
    """Take somebody out of the team, at once; what they did stays. Raises StoreError for the last admin."""
    with db.write() as writer:
        expect_right(writer, by, "people")
        found = _present(writer, name)
        _expect_other_admin(writer, found)
        _remove(writer, found, by)
        return person(writer, found.name)


def sign_out(db: Db, name: str) -> None:
    """End what was handed out to this person so far, in every browser."""
    with db.write() as writer:
        writer.execute("update person set epoch = epoch + 1 where name = ? and removed_at is null", (name,))
        audit.note(writer, name, "signed out")


def forget(db: Db, name: str, *, by: str) -> int:
    """Remove somebody, delete what they sign in with and all their times; returns how many stretches of time.

    Edits, verdicts, comments and the audit log stay under the name: gold without authors could not be checked.
    """
    with db.write() as writer:
        expect_right(writer, by, "people")
        found = person(writer, name)
        if found.removed_at is None:
            _expect_other_admin(writer, found)
            _remove(writer, found, by)
        writer.execute("update person set sign_in = null where name = ?", (found.name,))
        gone = timing.erase_times(db, found.name)
        audit.note(writer, by, "forgot", f"person {found.name}", detail=f"{gone} stretches of time deleted")
    return gone


def _alike(name: str) -> str:
    """The same for names that people may take for each other: without case, and with one form of each character."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def _expect_unlike(reader: Database, name: str, sign_in: str) -> None:
    for each in people(reader, removed_too=True):
        if each.name == name:
            continue
        if _alike(each.name) == _alike(name):
            raise StoreError(
                f"{name!r} differs from {each.name!r} of this team only in case or in the form of its characters; "
                "edits are signed with it, so write it the same way, or choose another"
            )
        confused = _alike(each.sign_in or "") == _alike(name) or _alike(each.name) == _alike(sign_in)
        if confused and each.removed_at is None:
            raise StoreError(
                f"{name!r}, who signs in as {sign_in!r}, could be taken for {each.name!r}, who signs in as "
                f"{each.sign_in!r}; choose another name"
            )


def _remove(writer: Database, found: Person, by: str) -> None:
    writer.execute("update person set removed_at = ?, epoch = epoch + 1 where name = ?", (now(), found.name))
    api_keys.revoke_keys_of(writer, found.name)
    audit.note(writer, by, "removed", f"person {found.name}", detail=found.role)


def _present(reader: Database, name: str) -> Person:
    found = person(reader, name)
    if found.removed_at is not None:
        raise NotFound(f"{found.name} was removed on {found.removed_at[:10]}; users add takes them back")
    return found


def _expect_other_admin(reader: Database, found: Person) -> None:
    others = [each for each in people(reader) if each.role == "admin" and each.name != found.name]
    if found.role == "admin" and not others:
        raise StoreError(f"{found.name} is the last admin: make somebody else an admin first")


def _expect_role(role: str) -> None:
    if role not in ROLES:
        raise StoreError(f"role {role!r}, expected one of {', '.join(ROLES)}")
