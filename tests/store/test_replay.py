from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.table import Cell, Table, from_rows
from store import edits
from store.db import Db
from store.documents import Document
from store.extractions import Run, add_extraction
from store.formats import ReadTable
from store.gold import NewEdit, add_edits, add_gold
from store.replay import Correction, Replayed, replay, replays
from tests.random_edits import edits_on, tables

FIRST = [["item", "price"], ["bolt", "1.2O"], ["nut", "O.40"], ["washer", "O.10"], ["screw", "9"]]
# The first is still wrong, the second right by now, the third wrong in another way; the last row is not there.
NEWER = [["item", "price"], ["bolt", "1.2O"], ["nut", "0.40"], ["washer", "6.10"]]


def text(row: int, old: str, new: str) -> edits.SetText:
    return edits.SetText((edits.TextChange(row, 1, old, new),))


CORRECTIONS: tuple[edits.Edit, ...] = (
    text(1, "1.2O", "1.20"),
    text(2, "O.40", "0.40"),
    text(3, "O.10", "0.10"),
    text(4, "9", "0.9"),
)


def table(rows: list[list[str]]) -> Table:
    return from_rows(rows, header_rows=1)


def corrected(*made: edits.Edit) -> edits.Sheet:
    return edits.states(table(FIRST), made)[-1]


def told(found: tuple[Correction, ...]) -> list[tuple[str, int | None, int | None, str]]:
    return [(each.outcome, each.row, each.col, each.reason) for each in found]


def test_a_correction_is_applied_agrees_or_is_a_conflict_and_a_conflict_changes_nothing() -> None:
    made, found = replay(table(FIRST), corrected(*CORRECTIONS), table(NEWER), None)
    assert told(found) == [
        ("applied", 1, 1, ""),
        ("agrees", 2, 1, ""),
        ("conflict", 3, 1, "the newer extraction has another text than the first"),
        ("conflict", 4, 1, "the newer extraction has no such cell"),
    ]
    assert (found[2].first, found[2].corrected, found[2].newer) == ("O.10", "0.10", "6.10")
    assert made == table([["item", "price"], ["bolt", "1.20"], ["nut", "0.40"], ["washer", "6.10"]])


def test_rows_that_people_added_or_deleted_agree_or_are_conflicts() -> None:
    added = edits.Insert("row", 5, ("new",), (Cell(5, 0, "hook"), Cell(5, 1, "7.77")))
    deleted = edits.Delete("row", 4, ("b4",), (Cell(4, 0, "screw"), Cell(4, 1, "9")))
    now = corrected(added, deleted)
    with_hook = table([*FIRST[:4], ["hook", "7.77"]])
    assert told(replay(table(FIRST), now, with_hook, None)[1]) == [("agrees", 4, None, ""), ("agrees", 4, None, "")]
    same, found = replay(table(FIRST), now, table(FIRST), None)
    assert told(found) == [
        ("conflict", 4, None, "people added this row"),
        ("conflict", 4, None, "people deleted this row, and the newer extraction has it"),
    ]
    assert same == table(FIRST)


def test_rows_that_moved_in_the_newer_extraction_take_their_corrections_along() -> None:
    newer = table([FIRST[0], *reversed(FIRST[1:])])
    made, found = replay(table(FIRST), corrected(*CORRECTIONS), newer, None)
    assert {each.outcome for each in found} == {"applied"}
    assert made == table([FIRST[0], ["screw", "0.9"], ["washer", "0.10"], ["nut", "0.40"], ["bolt", "1.20"]])


def test_where_the_newer_extraction_has_no_such_table_all_are_conflicts() -> None:
    made, found = replay(table(FIRST), corrected(*CORRECTIONS), None, None)
    assert made is None
    assert [each.outcome for each in found] == ["conflict"] * 4


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_texts_replayed_onto_the_same_extraction_give_gold_or_a_conflict_for_each_that_does_not(
    data: st.DataObject,
) -> None:
    base = data.draw(tables().filter(lambda table: table.cells != ()))
    places = data.draw(st.sets(st.sampled_from([(cell.row, cell.col) for cell in base.cells])))
    gold = base.with_texts({place: data.draw(st.text("xyz", min_size=1, max_size=3)) for place in places})
    made, found = replay(base, replace(edits.sheet(base), table=gold), base, None)
    assert {(each.row, each.col) for each in found} == places
    assert {each.outcome for each in found} <= {"applied", "conflict"}
    conflicts = {(each.row, each.col) for each in found if each.outcome == "conflict"}
    assert made == gold.with_texts({place: base.text_at(*place) for place in places & conflicts})


@settings(deadline=None, max_examples=40)
@given(st.data())
def test_any_corrections_leave_the_shape_of_the_newer_extraction_and_none_changes_nothing(
    data: st.DataObject,
) -> None:
    base, newer = data.draw(tables()), data.draw(tables())
    now = edits.sheet(base)
    for _ in range(data.draw(st.integers(0, 4))):
        now = edits.apply(now, data.draw(edits_on(now)))
    made, found = replay(base, now, newer, None)
    assert made is not None
    assert [replace(cell, text="") for cell in made.cells] == [replace(cell, text="") for cell in newer.cells]
    applied = sum(each.outcome == "applied" for each in found)
    assert sum(one != other for one, other in zip(made.cells, newer.cells, strict=True)) <= applied
    if now == edits.sheet(base):
        assert (made, found) == (newer, ())


@pytest.fixture
def key(db: Db, document: Document) -> int:
    first = _extracted(db, document, "acme", FIRST)
    gold, _ = add_gold(db, document.id, table(FIRST), name="t", base="extraction", person="a", extracted_table=first)
    made = [NewEdit(f"edit-{at:04}", edit) for at, edit in enumerate(CORRECTIONS)]
    add_edits(db, gold.id, made, person="bob", after=0)
    return gold.id


def _extracted(db: Db, document: Document, extractor: str, rows: list[list[str]]) -> int:
    stored, _ = add_extraction(
        db,
        document.id,
        extractor.encode(),
        file_name="x.json",
        run=Run(extractor),
        format_name="json",
        tables=[ReadTable("t", table(rows))],
        notes=(),
        person="ann",
    )
    return stored.tables[0].id


def replayed(db: Db, run: int) -> list[Replayed]:
    with db.read() as reader:
        return list(replays(db, reader, run=run, project="default"))


def test_corrected_tables_of_a_project_are_replayed_onto_a_later_run_only(db: Db, document: Document, key: int) -> None:
    _extracted(db, document, "better", NEWER)
    (found,) = replayed(db, 2)
    assert (found.gold.id, found.counts, len(found.conflicts)) == (key, {"applied": 1, "agrees": 1, "conflict": 2}, 2)
    assert replayed(db, 1) == []
