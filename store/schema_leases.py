"""The tables of leases: who works on which gold table now, and who had it, took it over or let it go."""

from __future__ import annotations

from sqlite_utils import Database

from store.schema import append_only
from store.schema_people import MIGRATIONS

__all__ = ["MIGRATIONS"]


@MIGRATIONS()
def m015_leases(db: Database) -> None:
    """One row per open tab of the person who has a table; what happened to leases; whether a project shares tables."""
    for statement in (
        """create table lease (
            gold integer not null references gold(id),
            client text not null,
            person text not null,
            since text not null,
            beat_ms integer not null,
            primary key (gold, client)
        ) without rowid""",
        """create table lease_event (
            id integer primary key,
            gold integer not null references gold(id),
            event text not null check (event in ('taken', 'taken over', 'released', 'expired')),
            person text not null,
            before text not null default '',
            at text not null
        )""",
        "create index lease_event_by_gold on lease_event (gold)",
        """create table lease_rule (
            id integer primary key,
            project text not null,
            shared integer not null check (shared in (0, 1)),
            minutes real not null check (minutes > 0),
            person text not null,
            at text not null
        )""",
    ):
        db.execute(statement)
    for table in ("lease_event", "lease_rule"):
        append_only(db, table, "id")
