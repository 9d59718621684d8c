"""The tables of what is kept of results, as a migration after those of store.schema."""

from __future__ import annotations

from sqlite_utils import Database

from store.schema import MIGRATIONS

__all__ = ["MIGRATIONS"]


@MIGRATIONS()
def m011_kept_results(db: Database) -> None:
    """Scores, times and comparisons of runs, each kept under a signature of what it follows from; all can be lost."""
    for statement in (
        """create table kept_score (
            gold integer not null references gold(id),
            extraction integer not null,
            signature text not null,
            body text not null,
            primary key (gold, extraction)
        )""",
        """create table kept_time (
            gold integer primary key references gold(id),
            signature text not null,
            body text not null
        )""",
        """create table kept_result (
            name text primary key,
            signature text not null,
            body text not null
        )""",
    ):
        db.execute(statement)


@MIGRATIONS()
def m013_kept_work(db: Database) -> None:
    """The work on gold tables under each cut-off that was asked for, kept like the rest."""
    db.execute(
        """create table kept_work (
            gold integer not null references gold(id),
            cutoff_ms integer not null,
            signature text not null,
            body text not null,
            primary key (gold, cutoff_ms)
        )"""
    )
