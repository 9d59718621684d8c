"""What differs between two releases, on six documents whose counts are told in tests/six_documents.py."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from scoring.counts import Counts
from scoring.schema import TableType
from scoring.table import Cell, from_rows
from store import edits
from store.db import Db, StoreError
from store.extractions import Run, add_extraction
from store.formats import ReadTable
from store.gold import NewEdit, add_edits
from store.guidelines import add_guidelines
from store.release_diff import ReleaseDiff, diff
from store.releases import make_release, release
from store.table_types import add_table_type
from tests.released_gold import judge, put
from tests.six_documents import HEAD, LINES, ROWS, six_documents


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return six_documents(tmp_path_factory.mktemp("six") / "home").folder


@pytest.fixture
def db(made: Path, tmp_path: Path) -> Iterator[Db]:
    opened = Db(Path(shutil.copytree(made, tmp_path / "copy")) / "proofgrid.db")
    yield opened
    opened.close()


def differing(db: Db, old: str = "old", new: str = "new") -> ReleaseDiff:
    with db.read() as reader:
        return diff(db, reader, release(reader, old), release(reader, new))


def make(db: Db, name: str) -> None:
    make_release(db, project="hand", name=name, person="ann")


def test_tables_and_cells_that_differ_are_told_with_both_values(db: Db) -> None:
    judge(db, 6, "reopen")
    make(db, "old")
    judge(db, 6, "accept")
    judge(db, 5, "reopen")
    put(db, 1, 1, 0, "nail")
    judge(db, 2, "reopen")
    new = [
        edits.Mark((edits.MarkChange(1, 2, "", "confirmed"),)),
        edits.Insert("row", 1, ("new",), tuple(Cell(1, col, str(col)) for col in range(3))),
        edits.Move("row", 2, ("b1",), 3),
    ]
    add_edits(db, 2, [NewEdit(f"edit-new-{at}", edit) for at, edit in enumerate(new)], person="bob", after=0)
    judge(db, 2, "accept")
    make(db, "new")

    found = differing(db)
    told = {table.table.document_name: table for table in found.tables}
    assert {name: table.what for name, table in told.items()} == {
        "empty.pdf": "added",
        "no-answer.pdf": "removed",
        "right.pdf": "changed",
        "wrong-value.pdf": "changed",
    }
    assert found.in_common == 4
    ((cell),) = told["right.pdf"].cells
    assert (cell.row, cell.col, cell.what, cell.old, cell.new) == (1, 0, "text", "bolt", "nail")
    assert not told["right.pdf"].reordered
    assert told["wrong-value.pdf"].reordered
    assert [(cell.row, cell.col, cell.what, cell.old, cell.new) for cell in told["wrong-value.pdf"].cells] == [
        (1, 0, "added", None, "0"),
        (1, 1, "added", None, "1"),
        (1, 2, "added", None, "2"),
        (3, 2, "mark", "", "confirmed"),
    ]
    back = {table.table.document_name: table.what for table in differing(db, "new", "old").tables}
    assert (back["empty.pdf"], back["no-answer.pdf"]) == ("removed", "added")


def test_the_score_moves_by_gold_for_each_run_and_by_the_extractor_between_them(db: Db) -> None:
    make(db, "old")
    put(db, 1, 1, 0, "nail")
    make(db, "new")
    add_extraction(
        db,
        1,
        b"read by another",
        file_name="answer.json",
        run=Run("other", "2"),
        format_name="proofgrid",
        tables=[ReadTable("lines", from_rows([HEAD, ["nail", "2", "1.20"], ROWS[1]], header_rows=1))],
        notes=(),
        person="ann",
    )
    found = differing(db)
    one, two, three = found.runs
    assert [(run.run, run.extractor, run.tables) for run in found.runs] == [
        (1, "reader 1", 6),
        (2, "reader 1, repeat 2", 2),
        (3, "other 2", 1),
    ]
    # Right, extracted and expected cells of all six documents; then "bolt" is not right any more.
    assert one.scored.old == Counts(22, 27, 29)
    assert one.scored.new_gold == one.scored.new == Counts(21, 27, 29)
    assert one.scored.by_gold == pytest.approx(42 / 56 - 44 / 56)
    assert (two.scored.old, two.scored.new) == (Counts(11, 12, 12), Counts(10, 12, 12))
    assert (three.scored.old, three.scored.new) == (Counts(5, 6, 6), Counts(6, 6, 6))
    assert {run.scored.by_rules for run in found.runs} == {0.0}

    first, second = found.steps
    # The repeat reads the same two documents the same way.
    assert (first.a.run, first.b.run, first.a.tables) == (1, 2, 2)
    assert (first.total, first.by_extractor) == (pytest.approx(-2 / 24), 0.0)
    # On the one document of both: 6 of 6 right, 5 of 6 by new gold, and all 6 by the other extractor.
    assert (second.a.run, second.b.run, second.a.tables) == (2, 3, 1)
    assert second.a.scored.by_gold == pytest.approx(-1 / 6)
    assert second.by_extractor == pytest.approx(1 / 6)
    assert second.total == pytest.approx(0.0)


def test_what_another_table_type_moves_is_told_apart_from_what_gold_moves(db: Db) -> None:
    make(db, "old")
    put(db, 1, 1, 0, "nail")
    columns = [{"name": "article"}, {"name": "quantity"}, {"name": "price", "type": "number", "tolerance": "10"}]
    add_table_type(db, TableType.from_json({**LINES.to_json(), "columns": columns}), project="hand")
    add_guidelines(db, "Prices may be off by ten.", table_type="lines", project="hand")
    make(db, "new")
    found = differing(db)
    assert all(table.new_rules and table.new_guidelines for table in found.tables)
    assert len(found.tables) == 6
    # 7.20 for 1.20 is right from now on: one cell more in either run.
    assert [(run.scored.old.matched, run.scored.new_gold.matched, run.scored.new.matched) for run in found.runs] == [
        (22, 21, 22),
        (11, 10, 11),
    ]
    (step,) = found.steps
    assert step.total == pytest.approx(0.0)
    assert step.a.scored.by_rules == pytest.approx(2 / 24)


def test_a_release_does_not_differ_from_itself_and_has_the_score_of_each_run(db: Db) -> None:
    make(db, "old")
    put(db, 1, 1, 0, "nail")
    found = differing(db, "old", "old")
    assert found.tables == ()
    assert [(run.scored.old, run.scored.by_gold) for run in found.runs] == [
        (Counts(22, 27, 29), 0.0),
        (Counts(11, 12, 12), 0.0),
    ]


def test_releases_of_two_projects_have_nothing_in_common(db: Db) -> None:
    make(db, "old")
    with db.write() as writer:
        writer.conn.execute("insert into release values (9, 'other', 'new', '', '', 'ann', '')")
    with pytest.raises(StoreError, match="release old is of project 'hand', release new of 'other'"):
        differing(db)
