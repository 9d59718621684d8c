"""Values that take long to work out, kept in a table of the database under a signature of all that they follow from."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from sqlite_utils import Database

from store.db import Db

# So many are read with one query.
READ_AT_ONCE = 2_000

Key = tuple[int, ...]
Value = TypeVar("Value")
Told = Callable[[int, int], None]
"""Is told how many of how many values are worked out anew; it may raise to stop the work, of which nothing is lost."""


@dataclass(frozen=True)
class Shelf(Generic[Value]):
    """A table that keeps values by ``keys``, the first of which is "gold", with ``signature`` and ``body`` (JSON)."""

    table: str
    keys: tuple[str, ...]
    to_json: Callable[[Value], Any]
    of_json: Callable[[Any], Value]

    def values(
        self,
        db: Db,
        reader: Database,
        signed: Mapping[Key, str],
        make: Callable[[Sequence[Key]], Mapping[Key, Value]],
        *,
        at_once: int,
        told: Told | None = None,
    ) -> dict[Key, Value]:
        """The value of each key: from the memory or the database where its signature holds, else made and kept.

        ``make`` is given ``at_once`` keys, which are written together, as each transaction waits for the disk.
        """
        known: dict[Key, tuple[str, Value]] = db.remembered.setdefault(self.table, {})
        found = {key: known[key] for key, signature in signed.items() if known.get(key, ("",))[0] == signature}
        unread = [key for key in signed if key not in found]
        for start in range(0, len(unread), READ_AT_ONCE):
            found.update(self._read(reader, signed, unread[start : start + READ_AT_ONCE]))
        missing = [key for key in unread if key not in found]
        for start in range(0, len(missing), at_once):
            if told:
                told(start, len(missing))
            made = {key: (signed[key], value) for key, value in make(missing[start : start + at_once]).items()}
            self._write(db, made)
            found.update(made)
        known.update(found)
        return {key: value for key, (_, value) in found.items()}

    def _read(self, reader: Database, signed: Mapping[Key, str], wanted: Iterable[Key]) -> dict[Key, tuple[str, Value]]:
        golds = json.dumps(sorted({key[0] for key in wanted}))
        rows = reader.execute(
            f"select {', '.join(self.keys)}, signature, body from {self.table} "
            f"where gold in (select value from json_each(?))",
            (golds,),
        )
        held = [(tuple(key), signature, body) for *key, signature, body in rows if signed.get(tuple(key)) == signature]
        # At once, as each call costs more than its text.
        bodies = json.loads(f"[{','.join(body for _, _, body in held)}]")
        return {key: (signature, self.of_json(body)) for (key, signature, _), body in zip(held, bodies, strict=True)}

    def _write(self, db: Db, made: Mapping[Key, tuple[str, Value]]) -> None:
        columns = (*self.keys, "signature", "body")
        with db.write() as writer:
            writer.conn.executemany(
                f"insert or replace into {self.table} ({', '.join(columns)}) values ({', '.join('?' * len(columns))})",
                [
                    (*key, signature, json.dumps(self.to_json(value), ensure_ascii=False))
                    for key, (signature, value) in made.items()
                ],
            )
