"""The audit log of a team: who read or changed what, and what was refused; none where there are no people."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlite_utils import Database

from store.db import Db, StoreError, insert, now, row
from store.rights import expect_right, is_team

LONGEST_DETAIL = 300
# A hundred years: no log is older.
LONGEST_DAYS = 36_525


@dataclass(frozen=True)
class Noted:
    """One line of the log; ``at`` in UTC."""

    at: str
    person: str
    action: str
    subject: str
    detail: str
    refused: bool

    @property
    def line(self) -> str:
        """The line as the terminal shows it."""
        words = f"{self.at[:19]} {self.person}: {self.action} {self.subject}".rstrip()
        return words + (f" ({self.detail})" if self.detail else "") + (" REFUSED" if self.refused else "")


def note(
    writer: Database, person: str, action: str, subject: str = "", *, detail: str = "", refused: bool = False
) -> None:
    """Add a line, in the transaction of what it tells of."""
    if is_team(writer):
        _add(writer, person, action, subject, detail, refused, None)


def note_hourly(
    db: Db, reader: Database, person: str, action: str, subject: str = "", *, detail: str = "", refused: bool = False
) -> None:
    """Add a line for something that comes often: one for each person, action and subject within an hour."""
    once = f"{now()[:13]} {person}\n{action}\n{subject}"
    noted: set[str] = db.remembered.setdefault("noted this hour", set())
    if once in noted:
        return
    if not is_team(reader):
        return
    with db.write() as writer:
        if row(writer, "select 1 from audit where once = ?", (once,)) is None:
            _add(writer, person, action, subject, detail, refused, once)
    if noted and next(iter(noted))[:13] != once[:13]:
        noted.clear()
    noted.add(once)


def noted(reader: Database, *, reader_name: str, person: str | None = None, since: str = "") -> tuple[Noted, ...]:
    """The log, oldest first: of one person or of all, from a day or moment (ISO 8601, UTC) on.

    Raises NotAllowed for a reader that may not read it.
    """
    expect_right(reader, reader_name, "audit")
    rows = reader.query(
        "select at, person, action, subject, detail, refused from audit "
        "where (? is null or person = ? collate nocase) and at >= ? order by id",
        (person, person, since),
    )
    return tuple(Noted(**{**entry, "refused": bool(entry["refused"])}) for entry in rows)


def delete_older(db: Db, days: int, *, by: str) -> int:
    """Delete what is older than so many days, and return how many lines that were; the deletion is a line itself.

    Raises StoreError for a number of days that is none, and NotAllowed.
    """
    if not 1 <= days <= LONGEST_DAYS:
        raise StoreError(f"{days} days, expected 1 to {LONGEST_DAYS}")
    before = (datetime.now(UTC) - timedelta(days=days)).isoformat(timespec="milliseconds")
    with db.write() as writer:
        expect_right(writer, by, "audit")
        insert(writer, "audit_cut", {"before": before, "person": by, "at": now()})
        gone = writer.execute("delete from audit where at < ?", (before,)).rowcount
        note(writer, by, "deleted", "audit log", detail=f"{gone} lines before {before[:10]}")
    return int(gone)


def _add(
    writer: Database, person: str, action: str, subject: str, detail: str, refused: bool, once: str | None
) -> None:
    told = {"person": person, "action": action, "subject": subject, "detail": detail[:LONGEST_DETAIL]}
    insert(writer, "audit", {"at": now(), **told, "refused": int(refused), "once": once})
