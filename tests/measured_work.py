"""A home with measured work of which every figure can be worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from scoring.schema import TableType
from scoring.table import Box, Table, from_rows
from store import activity
from store.activity import Activity, Pause, add_activity
from store.db import Db
from store.edits import Mark, MarkChange, SetText, TextChange
from store.extractions import Run
from store.gold import Base, NewEdit, add_edits
from store.home import Home
from store.reviews import add_verdict
from store.table_types import add_table_type
from tests.stored_documents import put_answer, put_document, put_gold

HEAD = ["item", "price"]
LINES = TableType.from_json({"name": "lines", "label": "Line items", "columns": [{"name": name} for name in HEAD]})
# Person, base, seconds of active time.
WORK: tuple[tuple[str, Base, int], ...] = (
    ("ann", "extraction", 30),
    ("ann", "extraction", 40),
    ("ann", "extraction", 50),
    ("bob", "extraction", 60),
    ("bob", "extraction", 70),
    ("bob", "extraction", 110),  # of which one pause of 80
    ("cat", "blank", 100),
    ("cat", "blank", 120),
    ("cat", "blank", 150),
    ("cat", "blank", 200),
    ("cat", "blank", 400),
    ("ann", "extraction", 20),  # still open
)
NINE = datetime(2030, 3, 4, 9, 0, tzinfo=UTC)


def measured_work(folder: Path) -> Home:
    """A home whose project "bills" has the tables of WORK, all but the last one accepted.

    In the n-th extracted table the wrong price, on page 2, had the focus for n seconds and was corrected; the right
    one, on page 1, had it for 2 seconds and was confirmed.
    """
    folder.mkdir(parents=True)
    home = Home(folder)
    db = Db(home.database)
    add_table_type(db, LINES, project="bills")
    with pytest.MonkeyPatch.context() as clock:
        clock.setattr(activity, "now", lambda: (NINE + timedelta(days=1)).isoformat(timespec="milliseconds"))
        for number, (person, base, seconds) in enumerate(WORK, start=1):
            _table(db, home, number, person, base, seconds)
    db.close()
    return home


def _table(db: Db, home: Home, number: int, person: str, base: Base, seconds: int) -> None:
    document = put_document(db, home, f"bill-{number:02}.pdf", (), project="bills", pages=2)
    wrong = _placed(from_rows([HEAD, ["bolt", "1.20"], ["nut", "O.40"]], header_rows=1))
    right = _placed(from_rows([HEAD, ["bolt", "1.20"], ["nut", "0.40"]], header_rows=1))
    put_answer(db, document, Run("reader", "1"), ("lines", wrong), raw=str(number).encode())
    start = wrong if base == "extraction" else right
    gold = put_gold(db, document, start, base=base, person=person)
    cells: tuple[tuple[str, str, int], ...] = ()
    revision = 0
    if base == "extraction":
        edits = [
            NewEdit(f"fix-{number:04}", SetText((TextChange(2, 1, "O.40", "0.40"),))),
            NewEdit(f"sure-{number:04}", Mark((MarkChange(1, 1, "", "confirmed"),))),
        ]
        add_edits(db, gold.id, edits, person=person, after=0)
        cells, revision = (("b2", "b1", 1_000 * number), ("b1", "b1", 2_000)), 2
    pauses = (Pause(10_000, 80_000),) if seconds == 110 else ()
    began = (NINE + timedelta(hours=number)).isoformat()
    done = Activity(f"s{number}", "tab", "correction", began, 1_000 * seconds, pauses=pauses, away={}, cells=cells)
    add_activity(db, gold.id, [done], person=person)
    if number < len(WORK):
        add_verdict(db, gold.id, verdict="accept", person=person, id=f"v{number}", at_revision=revision)


def _placed(table: Table) -> Table:
    """The first two rows on page 1, the last one on page 2."""
    return replace(
        table,
        cells=tuple(replace(cell, box=Box(1 + (cell.row == 2), 0.1, 0.1, 0.2, 0.2)) for cell in table.cells),
    )
