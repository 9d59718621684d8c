"""The scores of first extractions against a release, the same whatever people corrected since."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby

from sqlite_utils import Database

from store import documents, extractions
from store.attempts import failure
from store.comparison import compare
from store.db import Db
from store.releases import Release, ReleasedTable, released_sheet, released_tables, released_type
from store.scores import ComparedDocument, ComparedTable, compared_table, failing_first


def released_documents(
    db: Db, reader: Database, made: Release, *, run: int | None = None
) -> tuple[ComparedDocument, ...]:
    """The documents of a release, scored against the tables and by the table types that it holds, failing ones first.

    No table is open: what a release does not hold is no part of it. Which table of an extraction belongs to which gold
    table is told by gold as it is now.
    """
    tables = released_tables(reader, made.id)
    return failing_first(
        _scored(db, reader, made, document, tuple(own), run)
        for document, own in groupby(tables, key=lambda table: table.document)
    )


def _scored(
    db: Db, reader: Database, made: Release, document: int, tables: tuple[ReleasedTable, ...], run: int | None
) -> ComparedDocument:
    compared = tuple(_compared(db, reader, made, table, run) for table in tables)
    first = extractions.first_extraction(reader, document, run=run)
    failed = failure(reader, document, run=run, extraction=first.id if first else None)
    return ComparedDocument(documents.document(reader, document), compared, 0, failed)


def _compared(db: Db, reader: Database, made: Release, table: ReleasedTable, run: int | None) -> ComparedTable:
    now = compare(db, reader, table.gold, run=run)
    then = replace(
        now,
        sheet=released_sheet(reader, table),
        revision=table.revision,
        status="accepted",
        table_type=released_type(reader, made, table),
    )
    return compared_table(reader, then)
