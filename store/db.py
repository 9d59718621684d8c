"""The database: one file, one writer, many readers; the only place that opens SQLite."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlite_utils import Database

from store.edits import Sheet
from store.schema_quality import MIGRATIONS

# Of SQLite (https://www.sqlite.org/datatype3.html): no row, seed or count has a larger one.
LARGEST_NUMBER = 2**63 - 1


class StoreError(Exception):
    """Something that the store refuses; the message is meant for a person."""


class Unavailable(StoreError):
    """The database cannot be read or written now: a full disk, a lock, a file that went away. Try again."""


class NotFound(StoreError):
    """A document, table or run that the store does not hold, also for its number being larger than any can be."""


class Db:
    """An open database. ``with db.write() as writer`` and ``with db.read() as reader``.

    All writes of a process go through one connection, one at a time, each block one transaction
    that began with BEGIN IMMEDIATE: sqlite-utils' own ``atomic()`` begins deferred, and such a
    transaction fails at once when another process writes between its first read and its first write.
    Commits are synchronous, so what was acknowledged is on the disk.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._turn = threading.RLock()
        self._idle: list[Database] = []
        # The sheet of each gold table as last folded, with its revision: see store.gold.current.
        self.folded: dict[int, tuple[int, Sheet]] = {}
        # What other modules worked out from the database as they last saw it, by their name.
        self.remembered: dict[str, Any] = {}
        self._closed = False
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._writer = self._connection()
            self._migrate()
        except (sqlite3.DatabaseError, OSError) as wrong:
            raise StoreError(f"{path}: cannot be opened as a Proofgrid database: {wrong}") from wrong

    @contextmanager
    def write(self) -> Iterator[Database]:
        """The writer, in a transaction that is committed at the end and rolled back by an exception."""
        with self._turn:
            connection = self._writer.conn
            if connection.in_transaction:
                yield self._writer  # part of the block that is already open in this thread
                return
            with self._reachable():
                connection.execute("begin immediate")
            try:
                with self._reachable():
                    yield self._writer
                    connection.commit()
            except BaseException:
                if connection.in_transaction:
                    connection.rollback()
                self.folded.clear()  # it may hold what has just been undone
                self.remembered.clear()
                raise

    @contextmanager
    def read(self) -> Iterator[Database]:
        """A reader that sees one state of the database until the block ends."""
        try:
            reader = self._idle.pop()
        except IndexError:
            reader = self._connection()
        try:
            with self._reachable():
                reader.conn.execute("begin")
                yield reader
        finally:
            reader.conn.rollback()
            if self._closed:
                reader.conn.close()
            else:
                self._idle.append(reader)

    @contextmanager
    def _reachable(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as wrong:
            raise Unavailable(
                f"{self.path}: the database cannot be used now: {wrong}. Nothing was changed; try again"
            ) from wrong
        except OverflowError as wrong:
            if "SQLite" not in str(wrong):
                raise
            raise NotFound(
                "a number is larger than the database can hold; "
                f"expected one from {-LARGEST_NUMBER:,} to {LARGEST_NUMBER:,}"
            ) from wrong

    def close(self) -> None:
        """Close all connections; the database must not be used afterwards."""
        with self._turn:
            self._closed = True
            self._writer.conn.close()
            while self._idle:
                self._idle.pop().conn.close()

    def _connection(self) -> Database:
        connection = sqlite3.connect(self.path, timeout=10, isolation_level=None, check_same_thread=False)
        for pragma in ("journal_mode = wal", "synchronous = full", "busy_timeout = 10000", "foreign_keys = on"):
            connection.execute(f"pragma {pragma}")
        return Database(connection)

    def _migrate(self) -> None:
        applied = {migration.name for migration in MIGRATIONS.applied(self._writer)}
        unknown = applied - {migration.name for migration in MIGRATIONS.pending(Database(memory=True))}
        if unknown:
            raise StoreError(
                f"{self.path}: written by a newer version of Proofgrid ({', '.join(sorted(unknown))}); "
                "install that version or use another home folder"
            )
        while pending := [migration.name for migration in MIGRATIONS.pending(self._writer)]:
            with self.write() as writer:
                MIGRATIONS.apply(writer, stop_before=pending[1:])


def row(reader: Database, sql: str, values: Any = ()) -> dict[str, Any] | None:
    """The first row of a query by column name, or None."""
    return next(iter(reader.query(sql, values)), None)


def insert(writer: Database, table: str, values: Mapping[str, Any]) -> int:
    """Insert one row and return its rowid."""
    return int(writer.table(table).insert(dict(values)).last_rowid or 0)


def now() -> str:
    """The time in UTC, as the database keeps it: ISO 8601 with milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
