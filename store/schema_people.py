"""The people of a team and the log of what they did."""

from __future__ import annotations

from sqlite_utils import Database

from store.schema import append_only
from store.schema_releases import MIGRATIONS

__all__ = ["MIGRATIONS"]


@MIGRATIONS()
def m014_people(db: Database) -> None:
    """Who may sign in and do what; an append-only log, of which only what is older than a named day can be deleted.

    A name stays what it is, as edits are signed with it; ``sign_in`` is forgotten where a person asks for it.
    """
    for statement in (
        """create table person (
            name text primary key collate nocase,
            sign_in text unique collate nocase,
            role text not null check (role in ('annotator', 'reviewer', 'owner', 'admin')),
            added_by text not null,
            added_at text not null,
            removed_at text,
            epoch integer not null default 1
        )""",
        """create trigger person_no_delete before delete on person begin
            select raise(abort, 'a person is removed by removed_at: delete refused'); end""",
        """create trigger person_keeps_name before update on person
            when new.name is not old.name or new.epoch < old.epoch begin
            select raise(abort, 'the name of a person stays, and the epoch only grows'); end""",
        """create table audit (
            id integer primary key,
            at text not null,
            person text not null,
            action text not null,
            subject text not null,
            detail text not null,
            refused integer not null check (refused in (0, 1)),
            once text unique
        )""",
        "create index audit_by_person on audit (person)",
        "create table audit_cut (id integer primary key, before text not null, person text not null, at text not null)",
    ):
        db.execute(statement)
    for table in ("audit", "audit_cut"):
        append_only(db, table, "id")
    for statement in (
        """create trigger audit_once before insert on audit
            when new.once is not null and exists (select 1 from audit where once = new.once) begin
            select raise(abort, 'audit is append-only: replace refused'); end""",
        "drop trigger audit_no_delete",
        """create trigger audit_no_delete before delete on audit
            when old.at >= coalesce((select max(before) from audit_cut), '') begin
            select raise(abort, 'audit is append-only: delete refused'); end""",
    ):
        db.execute(statement)
