"""The tables of second passes: gold tables keyed again by somebody else, and what was decided where the two differ."""

from __future__ import annotations

from sqlite_utils import Database

from store.schema import append_only
from store.schema_leases import MIGRATIONS

__all__ = ["MIGRATIONS"]


@MIGRATIONS()
def m018_second_pass(db: Database) -> None:
    """A second keying is a row of ``gold`` that is no gold: ``first_pass`` is what there is of gold without them."""
    for statement in (
        "alter table gold add column second_of integer references gold(id)",
        "create view first_pass as select * from gold where second_of is null",
        """create table second_pass (
            id integer primary key,
            gold integer not null unique references gold(id),
            keyed integer not null unique references gold(id),
            person text not null,
            seed integer not null,
            drawn_by text not null,
            drawn_at text not null
        )""",
        """create table decision (
            id text primary key,
            pass integer not null references second_pass(id),
            item text not null,
            chosen text not null check (chosen in ('first', 'a', 'b', 'own')),
            value text not null,
            shown text not null,
            person text not null,
            active_ms integer not null check (active_ms >= 0),
            at text not null
        )""",
        "create index decision_by_pass on decision (pass)",
        """create table adjudicated (
            pass integer primary key references second_pass(id),
            revision integer not null,
            person text not null,
            at text not null
        )""",
    ):
        db.execute(statement)
    for table, key in (("second_pass", "id"), ("decision", "id"), ("adjudicated", "pass")):
        append_only(db, table, key)
