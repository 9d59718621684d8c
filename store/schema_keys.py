"""The table of keys for programs, as a migration after those before it."""

from __future__ import annotations

from sqlite_utils import Database

from store.schema_blind import MIGRATIONS

__all__ = ["MIGRATIONS"]


@MIGRATIONS()
def m022_api_keys(db: Database) -> None:
    """Keys by which programs act as a person; of each only the SHA-256 is kept."""
    db.execute(
        """create table api_key (
            id integer primary key,
            digest text not null unique,
            person text not null,
            note text not null,
            made_by text not null,
            made_at text not null,
            expires_at text not null,
            revoked_at text
        )"""
    )
