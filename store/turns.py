"""Many small writes that share transactions: each undone alone where it fails, and others get their turn in between."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from types import TracebackType
from typing import Self

from store.db import Db

# So long others wait for a transaction of small parts, and so large is a part (bytes) that gets one of its own.
HELD_S = 0.2
SMALL = 1_000_000


class Turns:
    """``with Turns(db) as turns: ... with turns.part(): ...``: what ended without an exception is stored at the end.

    Each transaction waits for the disk, which takes longer than a small part; so parts share one until it is
    HELD_S old. An exception inside a part takes back that part alone; one that leaves the block takes back the
    parts of the transaction that is open.
    """

    def __init__(self, db: Db) -> None:
        self._db = db
        self._open = ExitStack()
        self._began = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, wrong: BaseException | None, at: TracebackType | None) -> None:
        self._open.__exit__(kind, wrong, at)

    @contextmanager
    def part(self) -> Iterator[None]:
        """One part: whole or not at all."""
        if self._began and time.monotonic() - self._began > HELD_S:
            self.end()
        if not self._began:
            self._open.enter_context(self._db.write())
            self._began = time.monotonic()
        with self._db.write() as writer:
            writer.conn.execute("savepoint part")
            try:
                yield
            except BaseException:
                writer.conn.execute("rollback to part")
                self._db.folded.clear()  # they may hold what has just been undone
                self._db.remembered.clear()
                raise
            finally:
                writer.conn.execute("release part")

    def end(self) -> None:
        """Store what is done so far and let others write: before something that takes long and writes later."""
        self._open.close()
        self._began = 0.0
