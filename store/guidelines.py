"""Guidelines: what the people who review one kind of table should know, in Markdown, and who has read it."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

from sqlite_utils import Database

from store.db import Db, NotFound, insert, now, row
from store.rights import expect_right


@dataclass(frozen=True)
class Guidelines:
    """One version of the guidelines for a table type; ``sha256`` is that of the text."""

    id: int
    sha256: str
    text: str


def add_guidelines(db: Db, text: str, *, table_type: str, project: str) -> bool:
    """Keep a text as the newest guidelines of a table type, "" to take them back; False where it is that already.

    They are kept beside the table type, not in it: words for people must not change a score.
    """
    digest = sha256(text.encode()).hexdigest()
    with db.write() as writer:
        newest = _newest(writer, project, table_type)
        if (newest.sha256 if newest else sha256(b"").hexdigest()) == digest:
            return False
        # An older version that comes back becomes the newest by a row of its own, and is shown again.
        values = {"project": project, "table_type": table_type, "sha256": digest, "text": text, "added_at": now()}
        insert(writer, "guidelines", values)
        return True


def guidelines(reader: Database, table_type: str, *, project: str) -> Guidelines | None:
    """The newest guidelines of a table type; None where there are none, or they were taken back."""
    newest = _newest(reader, project, table_type)
    return newest if newest and newest.text.strip() else None


def text_of(reader: Database, sha256: str) -> str | None:
    """The text of guidelines by its hash, in whichever version; None where there never was one."""
    found = row(reader, "select text from guidelines where sha256 = ?", (sha256,))
    return None if found is None else str(found["text"])


def add_reading(db: Db, key: int, *, person: str) -> None:
    """Remember that a person has had these guidelines before them; raises NotFound."""
    with db.write() as writer:
        expect_right(writer, person, "review")
        if row(writer, "select 1 from guidelines where id = ?", (key,)) is None:
            raise NotFound(f"guidelines {key}: there are none with this number in the database")
        writer.execute("insert or ignore into guidelines_read values (?, ?, ?)", (key, person, now()))


def was_read(reader: Database, key: int, *, person: str) -> bool:
    """Whether a person has had these guidelines before them."""
    return row(reader, "select 1 from guidelines_read where guidelines = ? and person = ?", (key, person)) is not None


def _newest(reader: Database, project: str, table_type: str) -> Guidelines | None:
    found = row(
        reader,
        "select id, sha256, text from guidelines where project = ? and table_type = ? order by id desc",
        (project, table_type),
    )
    return Guidelines(**found) if found else None
