"""The tables of assignment: which tables are meant for whom, by hand and by rule."""

from __future__ import annotations

from sqlite_utils import Database

from store.schema import append_only
from store.schema_second_pass import MIGRATIONS

__all__ = ["MIGRATIONS"]


@MIGRATIONS()
def m019_assignment(db: Database) -> None:
    """Of both the newest row counts; nobody is an empty text, and no people at all end a rule."""
    for statement in (
        """create table assignment (
            id integer primary key,
            gold integer not null references gold(id),
            person text not null,
            assigned_by text not null,
            at text not null
        )""",
        "create index assignment_by_gold on assignment (gold)",
        """create table assignment_rule (
            id integer primary key,
            project text not null,
            table_type text not null,
            people text not null,
            set_by text not null,
            at text not null
        )""",
    ):
        db.execute(statement)
    for table in ("assignment", "assignment_rule"):
        append_only(db, table, "id")
