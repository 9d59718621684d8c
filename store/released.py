"""The tables of a release as comparisons: as if they were compared again when the release was made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from sqlite_utils import Database

from store.comparison import Comparison, compare
from store.db import Db
from store.releases import Release, ReleasedTable, released_sheet, released_tables, released_type


def released(db: Db, reader: Database, made: Release, *, run: int | None = None) -> Iterator[Sequence[Comparison]]:
    """The tables of a release, document by document, each beside the first extraction or what a run returned.

    Sheets, table types and the tables beside are those of the release. Which table of another run than the first
    belongs to which is told by gold as it is now, as everywhere.
    """
    tables = sorted(released_tables(reader, made.id), key=lambda table: (table.document_name, table.document))
    for _, beside in groupby(tables, key=lambda table: table.document):
        yield _of_document(db, reader, made, list(beside), run)


def _of_document(
    db: Db, reader: Database, made: Release, tables: Sequence[ReleasedTable], run: int | None
) -> list[Comparison]:
    held = [(table, released_sheet(reader, table), released_type(reader, made, table)) for table in tables]
    return [
        replace(
            compare(db, reader, table.gold, run=run),
            revision=table.revision,
            sheet=sheet,
            status="accepted",
            table_type=kind,
            related={
                other.table_type: (found.table, of)
                for other, found, of in held
                if of is not None and other.gold != table.gold
            },
        )
        for table, sheet, kind in held
    ]
