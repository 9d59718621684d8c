"""The tables for thresholds of confidence, as a migration after that of store.schema_kept."""

from __future__ import annotations

from sqlite_utils import Database

from store.schema import append_only
from store.schema_kept import MIGRATIONS

__all__ = ["MIGRATIONS"]


@MIGRATIONS()
def m012_thresholds(db: Database) -> None:
    """The thresholds of confidence that people set, and what is kept of the cells that they are chosen on."""
    db.execute(
        """create table threshold (
            id integer primary key,
            project text not null,
            table_type text not null,
            field text not null,
            tau real check (tau between 0 and 1),
            low real check (low between 0 and tau),
            way text not null check (way in ('recommended', 'by hand', 'default')),
            alpha real,
            delta real,
            run integer not null,
            cells integer not null,
            documents integer not null,
            data text not null,
            person text not null,
            set_at text not null
        )"""
    )
    db.execute("create index threshold_by_field on threshold (project, table_type, field)")
    append_only(db, "threshold", "id")
    db.execute(
        """create table confidence_cells (
            gold integer not null references gold(id),
            run integer not null,
            signature text not null,
            columns text not null,
            cells blob not null,
            omissions blob not null,
            primary key (gold, run)
        )"""
    )
    db.execute("create table confidence_summary (signature text primary key, body text not null)")
