"""The tables of seeded errors: which share of cells shows one, which cells do, and what came of each."""

from __future__ import annotations

from sqlite_utils import Database

from store.schema import append_only
from store.schema_webhooks import MIGRATIONS

__all__ = ["MIGRATIONS"]


@MIGRATIONS()
def m022_seeded(db: Database) -> None:
    """A cell is named by the lasting ids of its row and column; ``shown`` is what it shows in place of ``truth``."""
    for statement in (
        """create table seeded_rule (
            id integer primary key,
            project text not null,
            share real not null check (share between 0 and 0.2),
            seed integer not null,
            person text not null,
            at text not null
        )""",
        """create table seeded_cell (
            id integer primary key,
            gold integer not null references gold(id),
            row_id text not null,
            col_id text not null,
            kind text not null,
            truth text not null,
            shown text not null,
            level text not null,
            rule integer not null references seeded_rule(id),
            at text not null,
            unique (gold, row_id, col_id)
        )""",
        """create table seeded_outcome (
            seeded integer primary key references seeded_cell(id),
            outcome text not null check (outcome in ('caught', 'missed', 'withdrawn')),
            person text not null,
            edit text,
            at text not null
        )""",
        # Edits that were stored in another form than they were sent in, so that a second send is known.
        "create table seeded_edit (edit text primary key references edit(id) deferrable initially deferred)",
    ):
        db.execute(statement)
    for table, key in (
        ("seeded_rule", "id"),
        ("seeded_cell", "id"),
        ("seeded_outcome", "seeded"),
        ("seeded_edit", "edit"),
    ):
        append_only(db, table, key)
