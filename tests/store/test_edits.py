from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.table import Box, Cell, Confidence, Table, TableError, from_rows
from store import edit_json, edits
from store.edits import (
    Conflict,
    Delete,
    EditError,
    Insert,
    Mark,
    MarkChange,
    Move,
    ReplaceCells,
    SetText,
    TextChange,
    sheet,
    touching,
)
from tests.random_edits import edits_on, tables

PLAIN = from_rows([["a", "b", "c"], ["d", "e", "f"], ["g", "h", "i"]])
MERGED = Table(
    3,
    3,
    (
        Cell(0, 0, "tall", row_span=2),
        Cell(0, 1, "wide", col_span=2, box=Box(1, 0.1, 0.2, 0.3, 0.4)),
        Cell(1, 1, "x", confidence=(Confidence(0.4, "text", "word", "acme"),)),
        Cell(2, 0, "y"),
        Cell(2, 2, "z"),
    ),
)


@settings(deadline=None)
@given(st.data())
def test_every_edit_is_undone_by_its_inverse_and_redone_by_the_inverse_of_that(data: st.DataObject) -> None:
    now = sheet(data.draw(tables()))
    for _ in range(data.draw(st.integers(1, 6))):
        edit = data.draw(edits_on(now))
        after = edits.apply(now, edit)
        undo = edits.inverse(edit, now)
        assert edits.apply(after, undo) == now
        redo = edits.inverse(undo, after)
        assert edits.apply(now, redo) == after
        now = after


@settings(deadline=None)
@given(st.data())
def test_a_table_with_other_texts_is_the_table_that_would_be_made_anew(data: st.DataObject) -> None:
    table = data.draw(tables().filter(lambda table: table.cells != ()))
    for _ in range(3):
        places = data.draw(st.sets(st.sampled_from([(cell.row, cell.col) for cell in table.cells])))
        table = table.with_texts({place: data.draw(st.text("xyz", max_size=3)) for place in places})
        anew = Table(table.n_rows, table.n_cols, tuple(replace(cell) for cell in table.cells))
        assert (table, table.grid, table.header_rows) == (anew, anew.grid, anew.header_rows)


def test_only_an_anchor_takes_another_text() -> None:
    with pytest.raises(TableError, match="no cell is anchored at row 1, column 0"):
        MERGED.with_texts({(1, 0): "low"})


@given(st.data())
def test_every_edit_survives_being_written_and_read(data: st.DataObject) -> None:
    now = sheet(data.draw(tables()))
    edit = data.draw(edits_on(now))
    assert edit_json.from_json(edit_json.to_json(edit)) == edit


def test_an_edit_that_expects_another_text_is_a_conflict_with_both_values() -> None:
    with pytest.raises(Conflict) as refused:
        edits.apply(sheet(PLAIN), SetText((TextChange(1, 1, "old", "new"),)))
    assert (refused.value.row, refused.value.col, refused.value.expected, refused.value.found) == (1, 1, "old", "e")


def test_inserting_a_row_inside_a_merged_cell_makes_it_taller() -> None:
    after = edits.apply(sheet(MERGED), Insert("row", 1, ("new",), (Cell(1, 1), Cell(1, 2))))
    assert after.table.at(2, 0) == Cell(0, 0, "tall", row_span=3)
    assert after.row_ids == ("b0", "new", "b1", "b2")


def test_deleting_the_first_row_of_a_merged_cell_keeps_its_text_in_what_is_left() -> None:
    after = edits.apply(sheet(MERGED), Delete("row", 0, ("b0",), touching(MERGED, "row", 0, 1)))
    assert after.table.at(0, 0) == Cell(0, 0, "tall")


def test_undo_restores_a_merged_cell_with_its_box() -> None:
    before = sheet(MERGED)
    delete = Delete("col", 1, ("b1", "b2"), touching(MERGED, "col", 1, 2))
    after = edits.apply(before, delete)
    assert after.table.n_cols == 1
    assert edits.apply(after, edits.inverse(delete, before)) == before


def test_a_mark_stays_with_its_cell_when_a_row_is_inserted_above() -> None:
    marked = edits.apply(sheet(PLAIN), Mark((MarkChange(1, 1, "", "confirmed"),)))
    after = edits.apply(marked, Insert("row", 0, ("new",), tuple(Cell(0, col) for col in range(3))))
    assert after.mark_at(2, 1) == "confirmed"
    assert after.mark_at(1, 1) == ""


def test_undoing_a_delete_brings_the_marks_back() -> None:
    marked = edits.apply(sheet(PLAIN), Mark((MarkChange(1, 1, "", "unreadable"),)))
    delete = Delete("row", 1, ("b1",), touching(PLAIN, "row", 1, 1))
    after = edits.apply(edits.apply(marked, delete), edits.inverse(delete, marked))
    assert after.mark_at(1, 1) == "unreadable"


def test_a_delete_that_names_other_rows_than_stand_there_is_refused() -> None:
    with pytest.raises(EditError, match="found"):
        edits.apply(sheet(PLAIN), Delete("row", 1, ("b2",), ()))


def test_a_delete_that_does_not_know_all_cells_it_takes_is_a_conflict() -> None:
    with pytest.raises(Conflict):
        edits.apply(sheet(PLAIN), Delete("row", 1, ("b1",), touching(PLAIN, "row", 1, 1)[:2]))


def test_cells_that_would_overlap_are_refused() -> None:
    with pytest.raises(EditError, match="both cover"):
        edits.apply(sheet(PLAIN), ReplaceCells((PLAIN.cells[0],), (replace(PLAIN.cells[0], col_span=2),)))


def test_a_hole_is_filled_without_expecting_a_cell() -> None:
    after = edits.apply(sheet(MERGED), ReplaceCells((), (Cell(2, 1, "filled"),)))
    assert after.table.text_at(2, 1) == "filled"


def test_the_message_of_a_log_that_does_not_replay_names_the_revision() -> None:
    fine = SetText((TextChange(0, 0, "a", "A"),))
    with pytest.raises(EditError, match="revision 2: row 0, column 0 holds 'A', the edit expected 'a'"):
        edits.states(PLAIN, [fine, fine])


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"kind": "rename"},
        {"kind": "set_text"},
        {"kind": "set_text", "changes": [{"row": "1", "col": 0, "old": "", "new": ""}]},
        {"kind": "set_text", "changes": [{"row": 1, "col": 0, "old": None, "new": ""}]},
        {"kind": "set_text", "changes": 7},
        {"kind": "insert", "axis": "diagonal", "at": 0, "ids": [], "cells": []},
        {"kind": "delete", "axis": "row", "at": True, "ids": ["a"], "cells": []},
        {"kind": "replace_cells", "old": [{"row": -1, "col": 0}], "new": []},
        {"kind": "replace_cells", "old": ["x"], "new": []},
        {"kind": "move", "axis": "row", "at": 0, "ids": ["b0"], "to": "1"},
        {"kind": "several", "edits": [{"kind": "several", "edits": []}]},
        {"kind": "several", "edits": ["move"]},
    ],
)
def test_an_edit_that_cannot_be_read_is_an_edit_error_and_nothing_else(value: dict[str, object]) -> None:
    with pytest.raises(EditError):
        edit_json.from_json(value)


def test_two_changes_of_one_cell_in_one_edit_are_undone_in_turn() -> None:
    before = sheet(PLAIN)
    twice = SetText((TextChange(0, 0, "a", "b"), TextChange(0, 0, "b", "c")))
    assert edits.apply(edits.apply(before, twice), edits.inverse(twice, before)) == before


def test_a_delete_that_names_cells_elsewhere_too_is_refused() -> None:
    with pytest.raises(EditError, match="9 cells are named, 3 touch"):
        edits.apply(sheet(PLAIN), Delete("row", 0, ("b0",), PLAIN.cells))


def test_a_moved_row_takes_its_marks_along_and_tears_no_merged_cell() -> None:
    marked = edits.apply(sheet(MERGED), Mark((MarkChange(2, 0, "", "confirmed"),)))
    after = edits.apply(marked, Move("row", 2, ("b2",), 0))
    assert (after.mark_at(0, 0), after.mark_at(2, 0)) == ("confirmed", "")
    assert after.table.at(2, 0) == Cell(1, 0, "tall", row_span=2)
    with pytest.raises(EditError, match="would be torn"):
        edits.apply(marked, Move("row", 2, ("b2",), 1))
