"""The tables of quality samples: accepted cells drawn at random, of how many, and what people found of each."""

from __future__ import annotations

from sqlite_utils import Database

from store.schema import append_only
from store.schema_seeded import MIGRATIONS

__all__ = ["MIGRATIONS"]


@MIGRATIONS()
def m024_quality(db: Database) -> None:
    """A cell is kept as it was accepted when it was drawn; of its checks the newest counts, "" takes one back."""
    for statement in (
        """create table quality_sample (
            id integer primary key,
            project text not null,
            seed integer not null,
            size integer not null,
            drawn_by text not null,
            drawn_at text not null
        )""",
        """create table quality_stratum (
            id integer primary key,
            sample integer not null references quality_sample(id),
            level text not null,
            population integer not null check (population >= 0),
            drawn integer not null check (drawn between 0 and population),
            unique (sample, level)
        )""",
        """create table quality_cell (
            id integer primary key,
            sample integer not null references quality_sample(id),
            gold integer not null references gold(id),
            revision integer not null,
            row_id text not null,
            col_id text not null,
            level text not null,
            text text not null,
            place text not null,
            unique (sample, gold, row_id, col_id)
        )""",
        "create index quality_cell_by_gold on quality_cell (gold)",
        """create table quality_check (
            id text primary key,
            cell integer not null references quality_cell(id),
            verdict text not null check (verdict in ('right', 'wrong', 'cannot tell', '')),
            seen text,
            reason text not null,
            person text not null,
            at text not null
        )""",
        "create index quality_check_by_cell on quality_check (cell)",
    ):
        db.execute(statement)
    for table in ("quality_sample", "quality_stratum", "quality_cell", "quality_check"):
        append_only(db, table, "id")
