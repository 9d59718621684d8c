"""The tables of webhooks: who is told of what, and what was sent."""

from __future__ import annotations

from sqlite_utils import Database

from store.schema_keys import MIGRATIONS

__all__ = ["MIGRATIONS"]


@MIGRATIONS()
def m023_webhooks(db: Database) -> None:
    """Addresses that are told of events, and a delivery for each event and address until it arrived or was given up."""
    for statement in (
        """create table webhook (
            id integer primary key,
            project text,
            url text not null,
            events text not null,
            signing_key text not null,
            made_by text not null,
            made_at text not null,
            removed_at text
        )""",
        """create table webhook_delivery (
            id text primary key,
            webhook integer not null references webhook(id),
            body text not null,
            made_at text not null,
            attempts integer not null default 0,
            next_at text,
            delivered_at text,
            last_error text not null default ''
        )""",
        "create index webhook_delivery_due on webhook_delivery (next_at) where next_at is not null",
    ):
        db.execute(statement)
