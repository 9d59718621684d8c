"""The tables of the blind slice: which share of a project is keyed without its first extraction, and which tables."""

from __future__ import annotations

from sqlite_utils import Database

from store.schema import append_only
from store.schema_assignment import MIGRATIONS

__all__ = ["MIGRATIONS"]


@MIGRATIONS()
def m021_blind(db: Database) -> None:
    """What the rule of each project is, the newest last, and what each drawn table begins as in place of its base."""
    for statement in (
        """create table blind_rule (
            id integer primary key,
            project text not null,
            share real not null check (share between 0 and 1),
            seed integer not null,
            person text not null,
            at text not null
        )""",
        """create table blind (
            number integer primary key,
            gold integer not null unique references gold(id),
            rule integer not null references blind_rule(id),
            body text not null,
            sha256 text not null,
            page integer,
            at text not null
        )""",
    ):
        db.execute(statement)
    append_only(db, "blind_rule", "id")
    append_only(db, "blind", "number")
    db.execute(
        "create trigger blind_once before insert on blind "
        "when exists (select 1 from blind where gold = new.gold) begin "
        "select raise(abort, 'blind is append-only: replace refused'); end"
    )
