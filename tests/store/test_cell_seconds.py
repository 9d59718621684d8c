"""Times per cell, by stretches whose lengths are written down here."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from store.activity import Activity, add_activity
from store.cell_seconds import CellSeconds, cell_seconds
from store.db import Db
from store.edits import Mark, MarkChange, SetText, TextChange
from store.gold import NewEdit, add_edits
from tests.confident_documents import confident_documents


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return confident_documents(tmp_path_factory.mktemp("timed") / "home").database


@pytest.fixture
def db(made: Path, tmp_path: Path) -> Db:
    shutil.copy(made, tmp_path / "proofgrid.db")
    return Db(tmp_path / "proofgrid.db")


def measured(db: Db) -> CellSeconds:
    with db.read() as reader:
        return cell_seconds(db, reader, project="orders")


def work_on(db: Db, document: str, seconds: dict[tuple[int, int], float], *, of: str) -> None:
    """Confirm cells of an open document, or change the first of them, and only look at those for which 0 is done."""
    with db.read() as reader:
        key = next(
            iter(
                reader.query(
                    "select gold.id from gold join document d on d.id = gold.document where d.name = ?", (document,)
                )
            )
        )["id"]
    if of == "confirmed":
        edit: Mark | SetText = Mark(tuple(MarkChange(row, col, "", "confirmed") for row, col in seconds))
    else:
        (place, _), *_ = seconds.items()
        edit = SetText((TextChange(*place, "1.10", "9.99"),))
    if of != "looked at":
        add_edits(db, key, [NewEdit(f"{document}-{of}", edit)], person="ann", after=0 if of == "confirmed" else 1)
    cells = tuple((f"b{row}", f"b{col}", round(1000 * spent)) for (row, col), spent in seconds.items())
    total = sum(ms for *_, ms in cells)
    minute = {"confirmed": 0, "corrected": 10, "looked at": 20}[of]
    add_activity(
        db,
        key,
        [
            Activity(
                id=f"{document}-{of}",
                client="tab",
                phase="correction",
                started_at=f"2020-01-01T09:{minute:02}:00+00:00",
                active_ms=total,
                cells=cells,
            )
        ],
        person="ann",
    )


def test_the_median_is_of_cells_that_were_confirmed_or_corrected(db: Db) -> None:
    spent = {(1, 1): 1.0, (1, 2): 2.0, (2, 1): 3.0, (2, 2): 4.0, (2, 3): 5.0}
    work_on(db, "doubt-a.pdf", spent, of="confirmed")
    work_on(db, "doubt-a.pdf", {(1, 2): 7.0}, of="corrected")
    work_on(db, "doubt-a.pdf", {(1, 0): 60.0}, of="looked at")
    found = measured(db)
    # The first price took 2 + 7 seconds.
    assert (found.everything.n, found.everything.median_ms) == (5, 4000.0)
    times, whose = found.of("lines", "price")  # two of its own are too few
    assert (times.median_ms, whose) == (4000.0, "this table type")
    assert found.groups["lines", "price"].n == 2


def test_where_nobody_worked_there_is_no_time(db: Db) -> None:
    times, whose = measured(db).of("lines", "price")
    assert (times.n, times.median_ms, whose) == (0, None, "this project")
