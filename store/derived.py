"""What follows from a gold table and its document, kept in the database until one of them changes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from sqlite_utils import Database

from scoring import SCORING_VERSION
from store import gold, page_readings, queue_entry, strip_lines
from store.comments import open_threads
from store.comparison import compare
from store.db import Db, row
from store.extractions import WHOLE

Kind = Literal["queue entry", "strip lines", "page readings"]

# Each transaction waits for the disk, so that many values share one.
WRITTEN_AT_ONCE = 200
# Goes up when what is kept has other parts than before.
SHAPE = 3
# Of values that this very code derived, for whom keeps what follows from them.
VERSION = f"{SCORING_VERSION} {SHAPE}"

# A value follows from the edits, verdicts, comments and extractions of its document, from table types and thresholds.
# Nobody asks for doubts of an accepted table, so that thresholds change nothing there.
_KNOWN = f"""select g.id as gold, kept.signature,
    (select group_concat(o.id || ':' || (select count(*) from edit where edit.gold = o.id))
        from gold o where o.document = g.document and (o.second_of is null or o.id = g.id)) as edits,
    (select max(rowid) from verdict where verdict.gold = g.id) as verdict,
    (select max(rowid) from comment where comment.gold = g.id) as comment,
    (select min(id) from extraction where extraction.document = g.document and {WHOLE}) as extraction,
    (select count(*) from first_pass o where o.document = g.document) as beside,
    (select group_concat(blind.gold) from blind join gold o on o.id = blind.gold
        where o.document = g.document) as blind,
    (select max(id) from table_type where table_type.project = document.project) as types,
    case when (select verdict from verdict where verdict.gold = g.id and verdict in ('accept', 'reopen')
        order by rowid desc limit 1) = 'accept' then null else (select max(id) from threshold t
            where t.project = document.project and t.table_type = g.table_type) end as threshold
from gold g join document on document.id = g.document
left join derived kept on kept.gold = g.id and kept.kind = ?"""

# The newest row of each table that values follow from; all of them only grow.
_NEWEST = """select (select max(rowid) from edit) as edit, (select max(rowid) from verdict) as verdict,
    (select max(rowid) from comment) as comment,
    (select max(id) from extraction) as extraction, (select max(id) from gold) as gold,
    (select max(id) from table_type) as types, (select max(id) from threshold) as threshold,
    (select max(number) from blind) as blind"""

_CHANGED = """select g.document from edit join gold g on g.id = edit.gold where edit.rowid > :edit
union select g.document from verdict join gold g on g.id = verdict.gold where verdict.rowid > :verdict
union select g.document from comment join gold g on g.id = comment.gold where comment.rowid > :comment
union select document from extraction where id > :extraction
union select document from gold where id > :gold
union select d.id from table_type t join document d on d.project = t.project where t.id > :types
union select d.id from threshold t join document d on d.project = t.project join gold g on g.document = d.id
    and g.table_type = t.table_type where t.id > :threshold
union select g.document from blind b join gold g on g.id = b.gold where b.number > :blind"""


def kept(db: Db, reader: Database, kind: Kind, where: str = "1", values: Sequence[Any] = ()) -> Iterator[Any]:
    """The values of a kind, of the gold tables ``g`` for which the condition holds, in order of their number.

    A value is as last derived where nothing has changed since, else derived anew and kept.
    """
    fresh: list[tuple[int, dict[Kind, tuple[str, Any]]]] = []
    for known in list(reader.query(f"{_KNOWN} where {where} order by g.id", (kind, *values))):
        key, signed = known.pop("gold"), known.pop("signature")
        signature = json.dumps([SCORING_VERSION, SHAPE, known], sort_keys=True)
        if signature == signed:
            # One by one: all of a large project together would fill the memory.
            (body,) = reader.execute("select body from derived where gold = ? and kind = ?", (key, kind)).fetchone()
            yield json.loads(body)
            continue
        made = _derived(db, reader, key, signature)
        fresh.append((key, made))
        if len(fresh) >= WRITTEN_AT_ONCE:
            _keep(db, fresh)
            fresh = []
        yield made[kind][1]
    _keep(db, fresh)


def made_anew(db: Db, reader: Database, *, project: str, table_type: str) -> Iterator[tuple[int, int]]:
    """Derive what has changed of the tables of one type, and tell after each how many are done, of how many."""
    where, values = "document.project = ? and g.table_type = ?", (project, table_type)
    of = f"select count(*) as n from gold g join document on document.id = g.document where {where}"
    whole = int((row(reader, of, values) or {})["n"])
    for done, _ in enumerate(kept(db, reader, "queue entry", where, values), start=1):
        yield done, whole


def newest(reader: Database) -> dict[str, int]:
    """How far this reader sees: as long as it is the same, no value has changed."""
    return {name: number or 0 for name, number in (row(reader, _NEWEST) or {}).items()}


def changed_since(reader: Database, earlier: Mapping[str, int]) -> tuple[int, ...]:
    """The documents of which values may have changed since ``newest`` gave this."""
    return tuple(entry["document"] for entry in reader.query(_CHANGED, dict(earlier)))


def _derived(db: Db, reader: Database, key: int, signature: str) -> dict[Kind, tuple[str, Any]]:
    """All values of a gold table, each signed: they need the same comparison, which is what takes time."""
    found = compare(db, reader, key)
    last = row(reader, "select rowid, verdict, reason from verdict where gold = ? order by rowid desc", (key,))
    offered = gold.is_offered(reader, found.gold, gold.gold_tables(reader, found.gold.document))
    return {
        "queue entry": (signature, queue_entry.entry_of(found, last, open_threads(reader, key), offered=offered)),
        "strip lines": (signature, strip_lines.lines_of(found, reader)),
        "page readings": (page_readings.signature(found.first), page_readings.to_json(found.readings)),
    }


def _keep(db: Db, fresh: Sequence[tuple[int, dict[Kind, tuple[str, Any]]]]) -> None:
    if not fresh:
        return
    with db.write() as writer:
        writer.conn.executemany(
            "insert or replace into derived (gold, kind, signature, body) values (?, ?, ?, ?)",
            [
                (key, kind, signature, json.dumps(value, ensure_ascii=False))
                for key, values in fresh
                for kind, (signature, value) in values.items()
            ],
        )
