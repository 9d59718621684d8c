from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scoring.schema import TableType
from scoring.table import from_rows
from store import edits, gold, seeded, seeded_rows
from store.comparison import compare
from store.db import Db
from store.edits import Delete, Insert, Mark, MarkChange, Move, SetText, Several, Sheet, TextChange, touching
from store.exporting import export
from store.extractions import Run
from store.gold import NewEdit, Refused, Stale
from store.home import Home
from store.reviews import add_verdict
from store.seeded import SeededRule
from store.seeded_edits import Met, add_edits, withdraw
from store.seeded_rows import KINDS, Standing
from store.table_kinds import Kinds, open_gold
from store.table_types import add_table_type
from tests.store.test_seeded import _KILLED, _copies, _joins, _others, _traces, _undos
from tests.stored_documents import put_answer, put_document

HEAD = ["article", "quantity", "note", "price", "total"]
KIND = TableType.from_json({"name": "lines", "columns": [{"name": name} for name in HEAD]})
NUMBERS = ("one", "two", "three", "four", "five", "six")
ROWS = [
    [f"bolt {n}", f"{at}{at}7", "" if at % 2 else "old", f"-{at}.35", f"1,{at}04.50"] for at, n in enumerate(NUMBERS)
]


def _table(db: Db, home: Home, seed: int) -> int:
    add_table_type(db, KIND, project="hand")
    document = put_document(db, home, "a.pdf", ROWS, project="hand")
    put_answer(db, document, Run("reader", "1"), ("lines", from_rows([HEAD, *ROWS], header_rows=1)))
    open_gold(db, [document], {}, Kinds([KIND]), person="ann")
    seeded.set_rule(db, "hand", SeededRule(seeded.MOST, seed), person="ann")
    with db.read() as reader:
        return gold.gold_tables(reader, document.id)[0].id


def _shown(db: Db, key: int) -> tuple[int, Sheet, Standing | None]:
    """What a person sees: revision and sheet; and the error of structure in it."""
    with db.read() as reader:
        found = compare(db, reader, key)
    rows = seeded_rows.shown_row(db, found)
    sheet = seeded.with_errors(found.sheet, seeded.shown_errors(db, found))
    return found.revision, rows.shown(sheet) if rows else sheet, rows


def _planted(db: Db, home: Home, kind: str) -> tuple[int, Sheet, Standing]:
    """A table that shows an error of this kind."""
    for seed in range(200):
        key = _table(db, home, seed)
        _, sheet, rows = _shown(db, key)
        if rows is not None and rows.seed.kind == kind:
            return key, sheet, rows
        with db.write() as writer:
            for table in ("seeded_outcome", "seeded_cell"):
                writer.execute(f"drop trigger if exists {table}_no_delete")
                writer.execute(f"delete from {table}")
    raise AssertionError(f"no {kind} was drawn")


def _gold(db: Db, key: int) -> Sheet:
    with db.read() as reader:
        return gold.current(db, reader, key)[1]


def _send(db: Db, key: int, edit: edits.Edit, source: str = "typed", id: str = "edit-0001", after: int = 0) -> Met:
    return add_edits(db, key, [NewEdit(id, edit, source)], person="ann", after=after)[1]


def _outcomes(db: Db) -> list[str]:
    with db.read() as reader:
        asked = "select outcome from seeded_outcome o join seeded_cell c on c.id = o.seeded where c.col_id = '*'"
        return [entry["outcome"] for entry in reader.query(asked)]


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_shows_other_rows_and_gold_and_score_hold_the_true_ones(db: Db, home: Home, kind: str) -> None:
    key, sheet, rows = _planted(db, home, kind)
    true = _gold(db, key).table
    assert [[true.text_at(at, col) for col in range(5)] for at in range(7)] == [HEAD, *ROWS]
    assert sheet.table.n_rows == (7 if kind == "shifted row" else 6)
    if kind == "merged rows":
        assert sheet.table.text_at(5, 0) == "bolt five bolt six"
    if kind == "shifted row":
        assert rows.upper is not None
        line, shown = ([table.text_at(rows.upper, col) for col in range(5)] for table in (true, sheet.table))
        assert sum(map(str.__ne__, line, shown)) >= 3
        assert "" in shown
    with db.read() as reader:
        assert compare(db, reader, key).report.exact.f1 == 1
    assert _shown(db, key)[2] is not None  # and shows the same at the next look
    add_verdict(db, key, verdict="accept", person="ann", id="accept-1", at_revision=0)
    with db.read() as reader:
        bodies = b"".join(one.body for to in ("gold", "csv") for one in export(db, home, reader, to=to, person="ann"))
    assert b"bolt six" in bodies
    assert b"bolt five bolt six" not in bodies


@pytest.mark.parametrize("kind", ["shifted row", "merged rows"])
def test_who_types_into_such_a_row_has_caught_it_and_sees_the_true_rows(db: Db, home: Home, kind: str) -> None:
    key, sheet, rows = _planted(db, home, kind)
    (at, col), cell = next(iter(rows.cells.items()))
    met = _send(db, key, SetText((TextChange(at, col, cell.text, "as the page has it"),)))
    assert [outcome for _, outcome, _ in met.outcomes.values()] == ["caught"]
    assert _gold(db, key).table == edits.sheet(from_rows([HEAD, *ROWS], header_rows=1)).table
    revision, sheet, standing = _shown(db, key)
    assert (revision, sheet.table.n_rows, standing) == (1, 7, None)


@pytest.mark.parametrize("kind", ["dropped row", "merged rows"])
def test_who_inserts_the_row_that_is_missing_has_caught_it(db: Db, home: Home, kind: str) -> None:
    key, sheet, _ = _planted(db, home, kind)
    end = sheet.table.n_rows
    cells = tuple(edits.Cell(end, col) for col in range(5))
    _send(db, key, Insert("row", end, ("n-1",), cells), "key")
    assert _outcomes(db) == ["caught"]
    assert _gold(db, key).row_ids == tuple(f"b{at}" for at in range(7))


def test_who_deletes_such_a_row_or_splits_it_into_two_has_caught_it(db: Db, home: Home) -> None:
    key, sheet, rows = _planted(db, home, "merged rows")
    at = rows.upper
    assert at is not None
    row = Insert("row", at + 1, ("n-1",), tuple(edits.Cell(at + 1, col) for col in range(5)))
    parted = SetText((TextChange(at, 0, sheet.table.text_at(at, 0), "bolt five"),))
    _send(db, key, Several((row, parted)), "key")
    assert _outcomes(db) == ["caught"]
    other, sheet, rows = _planted(db, home, "shifted row")
    assert rows.upper is not None
    ids = (sheet.row_ids[rows.upper],)
    _send(db, other, Delete("row", rows.upper, ids, touching(sheet.table, "row", rows.upper, 1)), "key", "edit-0002", 1)
    assert _outcomes(db) == ["caught"]
    assert _gold(db, other).table.n_rows == 7


def test_a_confirmed_row_and_an_accepted_table_have_missed_it(db: Db, home: Home) -> None:
    key, _, rows = _planted(db, home, "merged rows")
    assert rows.upper is not None
    others = MarkChange(1, 0, "", "confirmed")
    _send(db, key, Mark((others, *(MarkChange(rows.upper, col, "", "confirmed") for col in range(5)))), "key")
    assert _outcomes(db) == ["missed"]
    true = _gold(db, key)
    assert (true.mark_at(1, 0), true.mark_at(rows.upper, 0)) == ("confirmed", "")


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_accepted_with_one_is_a_miss(db: Db, home: Home, kind: str) -> None:
    key, _, rows = _planted(db, home, kind)
    add_verdict(db, key, verdict="accept", person="ann", id="accept-1", at_revision=0)
    assert seeded_rows.accepted_with(db, key, _gold(db, key), person="ann") == (rows.seed,)
    assert _outcomes(db) == ["missed"]
    assert _shown(db, key)[2] is None


def test_an_edit_of_another_row_changes_that_row_and_leaves_the_error_standing(db: Db, home: Home) -> None:
    key, sheet, _ = _planted(db, home, "dropped row")
    text = sheet.table.text_at(2, 0)
    _send(db, key, SetText((TextChange(2, 0, text, "nut"),)))
    assert _gold(db, key).table.text_at(2, 0) == "nut"
    assert _outcomes(db) == []
    assert _shown(db, key)[1].table.n_rows == 6


def test_what_may_take_its_texts_elsewhere_is_refused_and_can_be_made_then(db: Db, home: Home) -> None:
    key, sheet, rows = _planted(db, home, "merged rows")
    joined = next(cell.text for cell in rows.cells.values() if cell.text)
    paste = NewEdit("edit-0001", SetText((TextChange(1, 0, sheet.table.text_at(1, 0), joined),)), "paste")
    move = NewEdit("edit-0002", Move("col", 0, (sheet.col_ids[0],), 1), "key")
    for one in (paste, move):
        with pytest.raises(Stale):
            add_edits(db, key, [one], person="ann", after=0)
    assert withdraw(db, key, [move], person="ann") == [rows.seed]
    assert add_edits(db, key, [move], person="ann", after=0)[0] == 1


@pytest.mark.parametrize("kind", ["shifted row", "merged rows"])
def test_what_was_filled_from_such_a_row_does_not_come_back_once_it_is_met(db: Db, home: Home, kind: str) -> None:
    key, sheet, rows = _planted(db, home, kind)
    assert rows.upper is not None
    at = 2 if rows.upper == 1 else 1
    before = _gold(db, key)

    def filled(now: Sheet) -> SetText:
        """The texts of the row as it was shown, in another one: what is applied again after the refusal."""
        return SetText(
            tuple(TextChange(at, col, now.table.text_at(at, col), cell.text) for (_, col), cell in rows.cells.items())
        )

    with pytest.raises(gold.Stale):
        _send(db, key, filled(sheet), "key")
    assert withdraw(db, key, [NewEdit("edit-0001", filled(sheet), "key")], person="ann")
    for source in ("key", "paste"):
        with pytest.raises(gold.Stale, match="only a planted error has shown"):
            _send(db, key, filled(before), source, id=f"again-{source}")
    assert _gold(db, key) == before
    # A copy of the row as it is, and what a person reads themselves, is theirs.
    true = tuple(
        TextChange(at, col, before.table.text_at(at, col), before.table.text_at(rows.upper, col)) for col in range(5)
    )
    _send(db, key, SetText(true), "key", id="true-0001")
    assert _gold(db, key).table.text_at(at, 0) == before.table.text_at(rows.upper, 0)


def test_an_edit_made_where_the_true_rows_were_shown_is_stored(db: Db, home: Home) -> None:
    key, _, _ = _planted(db, home, "dropped row")
    _send(db, key, SetText((TextChange(6, 0, "bolt six", "bolt 6"),)))
    assert _gold(db, key).table.text_at(6, 0) == "bolt 6"
    assert _outcomes(db) == ["withdrawn"]


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data(), st.integers(0, 10_000))
def test_whatever_is_done_to_a_table_its_rows_stay_as_they_are_in_gold(data: st.DataObject, seed: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder))
        db = Db(home.database)
        key = _table(db, home, seed)
        revision, sheet, _ = _shown(db, key)
        sent: list[NewEdit] = []
        for number in range(data.draw(st.integers(1, 6))):
            batch = []
            for part in range(data.draw(st.integers(1, 2))):
                kinds = (_copies(sheet), _others(sheet), _joins(sheet), _undos(sheet, sent))
                edit, source = data.draw(st.one_of(*kinds))
                before, sheet = sheet, edits.apply(sheet, edit)
                batch.append(NewEdit(f"edit-{number}-{part}", edit, source))
                sent.append(NewEdit("undo", edits.inverse(edit, before), "undo"))
            was = _gold(db, key)
            with db.read() as reader:
                standing = seeded_rows.standing(reader, key, was)
            try:
                revision, met = add_edits(db, key, batch, person="ann", after=revision)
                anew = bool(met.outcomes or met.altered) and data.draw(st.integers(0, 2)) > 0
            except Refused:
                withdraw(db, key, batch, person="ann")
                anew = True
            if standing is not None:
                _expect_true(standing, was, _gold(db, key))
            if anew:
                revision, sheet, _ = _shown(db, key)
            with db.read() as reader:
                texts = [cell.text for cell in _gold(db, key).table.cells]
                assert not _traces(seeded.seeds_of(reader, key), texts)
        add_verdict(db, key, verdict="accept", person="ann", id="accept-1", at_revision=_shown(db, key)[0])
        with db.read() as reader:
            assert list(export(db, home, reader, to="gold", person="ann"))
        db.close()


def _expect_true(standing: Standing, was: Sheet, now: Sheet) -> None:
    """The rows of an error hold their true texts, and no other cell has got a text that only the error showed there."""
    for id, line in standing.seed.truth.items():
        at = now.row_ids.index(id)
        for name, text in line.items():
            assert now.table.text_at(at, now.col_ids.index(name)) == text
    shown = {cell.text for cell in standing.cells.values() if cell.text}
    before, after = (Counter(cell.text for cell in one.table.cells if cell.text in shown) for one in (was, now))
    assert after <= before


def test_a_server_killed_in_the_middle_has_stored_both_the_edit_and_its_outcome_or_neither(db: Db, home: Home) -> None:
    key, _, rows = _planted(db, home, "shifted row")
    place, cell = next(iter(rows.cells.items()))
    words = [str(db.path), str(key), *map(str, place), cell.text]
    done = subprocess.run([sys.executable, "-c", _KILLED, *words], env=dict(os.environ), check=False)
    assert done.returncode == -signal.SIGKILL
    assert (_shown(db, key)[0], _outcomes(db)) == (0, [])
    _send(db, key, SetText((TextChange(*place, cell.text, "x"),)))
    assert _outcomes(db) == ["caught"]
