"""What the page reads in the boxes of a first extraction, worked out once and kept with what else is derived."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sqlite_utils import Database

from scoring.table import Table
from store import pages
from store.box_check import words_in
from store.box_readings import Places, box_readings
from store.db import Db, row
from store.documents import Document
from store.extractions import ExtractedTable
from store.home import home_of
from store.page_text import Word
from store.pages import DocumentError

# Goes up when the same table and page give other readings than before.
SHAPE = 1
# Few tables have readings, and these are short.
MOST_REMEMBERED = 20_000


def signature(first: ExtractedTable | None) -> str:
    """What readings follow from: neither a document nor an extraction ever changes."""
    return json.dumps([SHAPE, first and first.id])


def page_readings(db: Db, reader: Database, gold: int, document: Document, first: ExtractedTable | None) -> Places:
    """The readings of the first extraction of a gold table, see ``box_readings``; kept ones where there are any."""
    if first is None or all(cell.box is None for cell in first.table.cells):
        return {}
    remembered = _remembered(db)
    if first.id in remembered:
        return remembered[first.id]
    kept = row(reader, "select signature, body from derived where gold = ? and kind = 'page readings'", (gold,))
    if kept is not None and kept["signature"] == signature(first):
        found: Places = {(at[0], at[1]): text for *at, text in json.loads(kept["body"])}
    else:
        found = worked_out(home_of(db.path).readable_file(document.sha256), first.table)
    _remember(remembered, first, found)
    return found


def work_out(db: Db, file: Path | None, tables: Sequence[ExtractedTable]) -> None:
    """Work out the readings of tables that have just been stored, while the words of their document are at hand."""
    for table in tables:
        if file is not None and any(cell.box for cell in table.table.cells):
            _remember(_remembered(db), table, worked_out(file, table.table))


def _remembered(db: Db) -> dict[int, Places]:
    found: dict[int, Places] = db.remembered.setdefault("page readings", {})
    return found


def _remember(remembered: dict[int, Places], table: ExtractedTable, readings: Places) -> None:
    remembered[table.id] = readings
    while len(remembered) > MOST_REMEMBERED:
        remembered.pop(next(iter(remembered)), None)


def to_json(readings: Places) -> list[list[Any]]:
    """``[[row, col, text], ...]``, as they are kept."""
    return [[row, col, text] for (row, col), text in sorted(readings.items())]


def worked_out(file: Path, table: Table) -> Places:
    """The readings of a table of a document's file; none of pages that cannot be read."""

    def printed(page: int, groups: Sequence[Sequence[Word]]) -> Sequence[bool]:
        try:
            return pages.printed(file, page, groups)
        except DocumentError:
            return [False] * len(groups)

    return box_readings(table, words_in(file), printed)
