from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scoring.schema import TableType
from scoring.table import from_rows
from store import edits, gold, seeded
from store.comparison import compare
from store.db import Db, StoreError
from store.edits import Delete, Insert, Mark, MarkChange, ReplaceCells, SetText, Sheet, TextChange, touching
from store.exporting import export
from store.extractions import Run
from store.gold import NewEdit, Refused
from store.home import Home
from store.reviews import add_verdict
from store.seeded import Seed, SeededRule
from store.seeded_edits import Met, add_edits, withdraw
from store.table_kinds import Kinds, open_gold
from store.table_types import add_table_type
from tests.random_edits import edits_on
from tests.stored_documents import put_answer, put_document

HEAD = ["article", "quantity", "price", "total", "tax"]
KIND = TableType.from_json({"name": "lines", "columns": [{"name": name} for name in HEAD]})
ROWS = [[f"bolt {row}", f"{row}{row}1", f"-{row}.{row}5", f"1,{row}04.50", f"({row}.2{row})"] for row in range(1, 7)]


def _table(db: Db, home: Home, *, share: float = seeded.MOST, seed: int = 1) -> int:
    add_table_type(db, KIND, project="hand")
    document = put_document(db, home, "a.pdf", ROWS, project="hand")
    put_answer(db, document, Run("reader", "1"), ("lines", from_rows([HEAD, *ROWS], header_rows=1)))
    open_gold(db, [document], {}, Kinds([KIND]), person="ann")
    seeded.set_rule(db, "hand", SeededRule(share, seed), person="ann")
    with db.read() as reader:
        return gold.gold_tables(reader, document.id)[0].id


def _shown(db: Db, key: int) -> tuple[int, Sheet, Mapping[tuple[int, int], Seed]]:
    """What a person sees: revision, sheet, and the errors in it."""
    with db.read() as reader:
        found = compare(db, reader, key)
        errors = seeded.shown_errors(db, found)
    return found.revision, seeded.with_errors(found.sheet, errors), errors


def _seeds(db: Db, key: int) -> tuple[Seed, ...]:
    with db.read() as reader:
        return seeded.seeds_of(reader, key)


def _texts(db: Db, key: int) -> set[str]:
    with db.read() as reader:
        return {cell.text for cell in gold.current(db, reader, key)[1].table.cells}


def _send(db: Db, key: int, edit: edits.Edit, source: str = "typed", id: str = "edit-0001", after: int = 0) -> Met:
    return add_edits(db, key, [NewEdit(id, edit, source)], person="ann", after=after)[1]


@pytest.fixture
def key(db: Db, home: Home) -> int:
    return _table(db, home)


def test_nothing_shows_an_error_until_a_share_is_set(db: Db, home: Home) -> None:
    key = _table(db, home, share=0)
    assert _shown(db, key)[2] == {}


def test_some_cells_show_an_error_that_gold_does_not_hold(db: Db, key: int) -> None:
    _, sheet, errors = _shown(db, key)
    assert 2 <= len(errors) <= 12
    for (row, col), seed in errors.items():
        assert sheet.table.text_at(row, col) == seed.shown != ROWS[row - 1][col] == seed.truth
    assert _texts(db, key) == {*HEAD, *(text for line in ROWS for text in line)}
    assert _shown(db, key)[2] == errors


def test_a_typed_change_catches_and_the_true_value_comes_back(db: Db, key: int) -> None:
    place, seed = next(iter(_shown(db, key)[2].items()))
    met = _send(db, key, SetText((TextChange(*place, seed.shown, "what the page says"),)))
    assert [outcome for _, outcome, _ in met.outcomes.values()] == ["caught"]
    revision, sheet, errors = _shown(db, key)
    assert (revision, sheet.table.text_at(*place)) == (1, seed.truth)
    assert place not in errors


def test_a_confirmation_misses_and_marks_nothing(db: Db, key: int) -> None:
    place, _ = next(iter(_shown(db, key)[2].items()))
    met = _send(db, key, Mark((MarkChange(*place, "", "confirmed"),)))
    assert [outcome for _, outcome, _ in met.outcomes.values()] == ["missed"]
    assert _shown(db, key)[1].mark_at(*place) == ""


def test_the_other_cells_of_a_paste_are_changed(db: Db, key: int) -> None:
    errors = _shown(db, key)[2]
    place, seed = next(iter(errors.items()))
    other = next((row, col) for row in range(1, 7) for col in range(5) if (row, col) not in errors)
    text = ROWS[other[0] - 1][other[1]]
    _send(db, key, SetText((TextChange(*place, seed.shown, "x"), TextChange(*other, text, "y"))), "paste")
    sheet = _shown(db, key)[1]
    assert (sheet.table.text_at(*place), sheet.table.text_at(*other)) == (seed.truth, "y")
    assert [one.outcome for one in _seeds(db, key) if one.outcome] == ["withdrawn"]


def test_what_is_copied_from_such_a_cell_is_its_true_value(db: Db, key: int) -> None:
    errors = _shown(db, key)[2]
    seed = next(iter(errors.values()))
    other = next((row, col) for row in range(1, 7) for col in range(5) if (row, col) not in errors)
    _send(db, key, SetText((TextChange(*other, ROWS[other[0] - 1][other[1]], seed.shown),)), "fill")
    assert _shown(db, key)[1].table.text_at(*other) == seed.truth


def test_a_second_send_of_the_same_edit_is_stored_once_and_counts_once(db: Db, key: int) -> None:
    place, seed = next(iter(_shown(db, key)[2].items()))
    edit = SetText((TextChange(*place, seed.shown, "x"),))
    _send(db, key, edit)
    _send(db, key, edit)
    assert _shown(db, key)[0] == 1
    assert [one.outcome for one in _seeds(db, key) if one.outcome] == ["caught"]


def test_a_merge_over_an_error_holds_the_true_value_and_is_undone_to_it(db: Db, key: int) -> None:
    _, sheet, errors = _shown(db, key)
    (row, col), seed = next((place, seed) for place, seed in errors.items() if place[1])
    old = tuple(cell for cell in sheet.table.cells if cell.row == row and cell.col in (col - 1, col))
    merged = replace(old[0], text=f"{old[0].text} {seed.shown}", col_span=2)
    _send(db, key, ReplaceCells(old, (merged,)), "key")
    _, sheet, _ = _shown(db, key)
    assert sheet.table.text_at(row, col).split(" ")[-1] == seed.truth.split(" ")[-1]
    assert _seeds(db, key)[[one.id for one in _seeds(db, key)].index(seed.id)].outcome == "withdrawn"
    # Taken back from a table as it was shown before: the true value stands there again.
    with db.read() as reader:
        now = gold.current(db, reader, key)[1].table.at(row, col - 1)
    assert now is not None
    _send(db, key, ReplaceCells((now,), old), "undo", id="edit-0002", after=1)
    assert seed.truth in _texts(db, key)
    assert not _traces([seed], _texts(db, key))


def test_a_row_with_an_error_is_deleted_in_one_step(db: Db, key: int) -> None:
    _, sheet, errors = _shown(db, key)
    (row, _), seed = next(iter(errors.items()))
    _send(db, key, Delete("row", row, (sheet.row_ids[row],), touching(sheet.table, "row", row, 1)), "key")
    assert _shown(db, key)[1].table.n_rows == len(ROWS)
    back = Insert("row", row, (sheet.row_ids[row],), touching(sheet.table, "row", row, 1))
    _send(db, key, back, "undo", id="edit-0002", after=1)
    assert seed.truth in _texts(db, key)
    assert not _traces([seed], _texts(db, key))


def test_an_undo_of_a_catch_brings_no_error_back(db: Db, key: int) -> None:
    place, seed = next(iter(_shown(db, key)[2].items()))
    _send(db, key, SetText((TextChange(*place, seed.shown, seed.truth),)))
    undo = NewEdit("edit-0002", SetText((TextChange(*place, seed.truth, seed.shown),)), "undo", undoes="edit-0001")
    add_edits(db, key, [undo], person="ann", after=1)
    assert seed.shown not in _texts(db, key)


def test_a_table_accepted_with_an_error_is_a_miss_and_gold_is_true(db: Db, home: Home, key: int) -> None:
    errors = _shown(db, key)[2]
    add_verdict(db, key, verdict="accept", person="ann", id="accept-1", at_revision=0)
    with db.read() as reader:
        missed = seeded.accepted_with(db, key, gold.current(db, reader, key)[1], person="ann")
        assert {seed.place for seed in missed} == {seed.place for seed in errors.values()}
        bodies = b"".join(one.body for one in export(db, home, reader, to="jsonl", person="ann"))
    assert not [seed for seed in missed if f'"{seed.shown}"'.encode() in bodies]
    assert _shown(db, key)[2] == {}


def test_share_zero_takes_back_what_nobody_met(db: Db, key: int) -> None:
    assert _shown(db, key)[2]
    seeded.set_rule(db, "hand", SeededRule(0, 1), person="ann")
    assert _shown(db, key)[2] == {}
    assert {one.outcome for one in _seeds(db, key)} == {"withdrawn"}


def test_a_share_that_is_too_large_is_refused(db: Db) -> None:
    with pytest.raises(StoreError, match="expected a number from 0"):
        seeded.set_rule(db, "hand", SeededRule(0.5, 1), person="ann")


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data(), st.integers(0, 10_000))
def test_whatever_is_done_to_a_table_no_seeded_value_reaches_gold(data: st.DataObject, seed: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder))
        db = Db(home.database)
        key = _table(db, home, seed=seed)
        revision, sheet, _ = _shown(db, key)
        sent: list[NewEdit] = []
        for number in range(data.draw(st.integers(1, 8))):
            batch = []
            for part in range(data.draw(st.integers(1, 2))):
                kinds = (_copies(sheet), _others(sheet), _joins(sheet), _undos(sheet, sent))
                edit, source = data.draw(st.one_of(*kinds))
                before, sheet = sheet, edits.apply(sheet, edit)
                batch.append(NewEdit(f"edit-{number}-{part}", edit, source))
                sent.append(NewEdit("undo", edits.inverse(edit, before), "undo"))
            try:
                after, met = add_edits(db, key, batch, person="ann", after=revision)
                revision += len(batch)
                assert after == revision
                anew = bool(met.outcomes or met.altered) and data.draw(st.integers(0, 2)) > 0
            except Refused:
                withdraw(db, key, batch, person="ann")
                anew = True
            if anew:  # else more is sent from a table as it was shown before
                revision, sheet, _ = _shown(db, key)
            assert not _traces(_seeds(db, key), _texts(db, key))
        add_verdict(db, key, verdict="accept", person="ann", id="accept-1", at_revision=_shown(db, key)[0])
        with db.read() as reader:
            bodies = b"".join(one.body for one in export(db, home, reader, to="gold", person="ann"))
        assert not [one.shown for one in _seeds(db, key) if f'"{one.shown}"'.encode() in bodies]
        db.close()


def _traces(seeds: Sequence[Seed], texts: Iterable[str]) -> list[str]:
    """The texts in which a seeded value stands, as a whole or as one of its words."""
    whole = [re.compile(rf"(?<!\S){re.escape(one.shown)}(?!\S)") for one in seeds]
    return [text for text in texts if any(one.search(text) for one in whole)]


@st.composite
def _joins(draw: st.DrawFn, sheet: Sheet) -> tuple[edits.Edit, str]:
    """Two neighbours merged, joined without a merge, or one text split into both, as the review sends it."""
    pairs = [
        (cell, sheet.table.at(cell.row, cell.col + cell.col_span))
        for cell in sheet.table.cells
        if cell.row_span == 1 and cell.col + cell.col_span < sheet.table.n_cols
    ]
    fit = [(one, other) for one, other in pairs if other and other.row == one.row and other.row_span == 1]
    if not fit:
        return draw(_others(sheet))
    one, other = draw(st.sampled_from(fit))
    text = " ".join(filter(None, (one.text, other.text)))
    kind = draw(st.sampled_from(["merge", "join", "split"]))
    if kind == "merge":
        return ReplaceCells((one, other), (replace(one, text=text, col_span=one.col_span + other.col_span),)), "key"
    news = (text, "") if kind == "join" else (one.text[:1], one.text[1:])
    changes = [TextChange(cell.row, cell.col, cell.text, new) for cell, new in zip((one, other), news, strict=True)]
    return SetText(tuple(changes)), "key"


def _others(sheet: Sheet) -> st.SearchStrategy[tuple[edits.Edit, str]]:
    return st.tuples(edits_on(sheet), st.sampled_from(["typed", "key", "paste", "replace"]))


@st.composite
def _copies(draw: st.DrawFn, sheet: Sheet) -> tuple[edits.Edit, str]:
    """A value of the table as shown, put into another cell of it."""
    if not sheet.table.cells:
        return draw(_others(sheet))
    one, other = (draw(st.sampled_from(sheet.table.cells)) for _ in range(2))
    change = SetText((TextChange(other.row, other.col, other.text, one.text),))
    return change, draw(st.sampled_from(["paste", "fill", "replace", "kin", "first", "revert"]))


@st.composite
def _undos(draw: st.DrawFn, sheet: Sheet, sent: list[NewEdit]) -> tuple[edits.Edit, str]:
    """An earlier edit taken back, where the table as shown still lets it."""
    for one in reversed(sent):
        try:
            edits.apply(sheet, one.edit)
        except edits.EditError:
            continue
        return one.edit, "undo"
    return draw(_others(sheet))


_KILLED = """
import os, signal, sys
from pathlib import Path
from store.db import Db
from store.edits import SetText, TextChange
from store.gold import NewEdit
from store import gold, seeded_edits
db = Db(Path(sys.argv[1]))
real = gold.add_edits
def dies(*args, **more):
    real(*args, **more)
    os.kill(os.getpid(), signal.SIGKILL)
gold.add_edits = dies
row, col = int(sys.argv[3]), int(sys.argv[4])
edit = NewEdit("edit-0001", SetText((TextChange(row, col, sys.argv[5], "x"),)))
seeded_edits.add_edits(db, int(sys.argv[2]), [edit], person="ann", after=0)
"""


def test_a_server_killed_in_the_middle_has_stored_both_the_edit_and_its_outcome_or_neither(db: Db, key: int) -> None:
    place, seed = next(iter(_shown(db, key)[2].items()))
    words = [str(db.path), str(key), *map(str, place), seed.shown]
    done = subprocess.run([sys.executable, "-c", _KILLED, *words], env=dict(os.environ), check=False)
    assert done.returncode == -signal.SIGKILL
    assert _shown(db, key)[0] == 0
    assert not [one for one in _seeds(db, key) if one.outcome]
    _send(db, key, SetText((TextChange(*place, seed.shown, "x"),)))
    assert seed.shown not in _texts(db, key)
    assert [one.outcome for one in _seeds(db, key) if one.outcome] == ["caught"]
