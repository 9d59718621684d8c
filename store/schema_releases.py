"""The tables of gold releases."""

from __future__ import annotations

from sqlite_utils import Database

from store.schema import append_only
from store.schema_confidence import MIGRATIONS

__all__ = ["MIGRATIONS"]


@MIGRATIONS()
def m013_releases(db: Database) -> None:
    """Named sets of gold revisions. The tables of a release are stored before it, and none can be added after it."""
    for statement in (
        """create table release (
            id integer primary key,
            project text not null,
            name text not null,
            note text not null,
            signature text not null,
            person text not null,
            made_at text not null,
            unique (project, name)
        )""",
        """create table release_table (
            id integer primary key,
            release integer not null references release(id) deferrable initially deferred,
            gold integer not null references gold(id),
            revision integer not null,
            sha256 text not null,
            type_signature text not null,
            guidelines text not null,
            seen text not null,
            accepted_by text not null,
            accepted_at text not null,
            unique (release, gold)
        )""",
        """create trigger release_once before insert on release
            when exists (select 1 from release where project = new.project and name = new.name) begin
            select raise(abort, 'release is append-only: replace refused'); end""",
        """create trigger release_table_closed before insert on release_table
            when exists (select 1 from release where id = new.release)
            or exists (select 1 from release_table where release = new.release and gold = new.gold) begin
            select raise(abort, 'release_table is append-only: a release that is made takes no more tables'); end""",
    ):
        db.execute(statement)
    for table in ("release", "release_table"):
        append_only(db, table, "id")
