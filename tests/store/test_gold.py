from __future__ import annotations

import random
import subprocess
import sys

import pytest

from scoring.alignment.align import align
from scoring.arithmetic.checks import check
from scoring.confidence.badges import doubts
from scoring.schema import Column, Sum, TableType
from scoring.table import Cell, Table, from_rows
from scoring.values.reader import read
from store import gold as golds
from store.comparison import compare
from store.db import Db, NotFound
from store.documents import Document
from store.edits import Insert, SetText, TextChange
from store.extractions import Run, add_extraction
from store.formats.contract import ReadTable
from store.gold import Frozen, Gold, NewEdit, Stale, Unfit, add_edits, add_gold, current, history
from store.home import Home
from store.reviews import add_verdict
from store.table_types import add_table_type


def typed(number: int, row: int, col: int, old: str, new: str) -> NewEdit:
    return NewEdit(f"edit-{number:04}", SetText((TextChange(row, col, old, new),)), active_ms=1200)


def text_at(db: Db, gold: Gold, row: int, col: int) -> str:
    with db.read() as reader:
        return current(db, reader, gold.id)[1].table.text_at(row, col)


def test_edits_are_folded_over_the_base(db: Db, gold: Gold, table: Table) -> None:
    assert (
        add_edits(db, gold.id, [typed(1, 2, 1, "O.40", "0.40"), typed(2, 1, 1, "1.20", "1.25")], person="ann", after=0)
        == 2
    )
    with db.read() as reader:
        assert golds.base_table(reader, gold.id) == table
        assert [state.table.text_at(2, 1) for state in golds.states(reader, gold.id)] == ["O.40", "0.40", "0.40"]
        assert [(stored.revision, stored.person) for stored in history(reader, gold.id)] == [(1, "ann"), (2, "ann")]


def test_a_repeated_send_stores_once(db: Db, gold: Gold) -> None:
    edit = typed(1, 2, 1, "O.40", "0.40")
    assert add_edits(db, gold.id, [edit], person="ann", after=0) == 1
    assert add_edits(db, gold.id, [edit], person="ann", after=0) == 1
    assert add_edits(db, gold.id, [edit, typed(2, 2, 1, "0.40", "0.41")], person="ann", after=0) == 2
    assert text_at(db, gold, 2, 1) == "0.41"


def test_an_id_sent_again_with_other_contents_is_refused(db: Db, gold: Gold) -> None:
    add_edits(db, gold.id, [typed(1, 2, 1, "O.40", "0.40")], person="ann", after=0)
    with pytest.raises(Unfit, match="already with other contents"):
        add_edits(db, gold.id, [typed(1, 2, 1, "0.40", "0.50")], person="ann", after=1)


def test_a_stale_edit_is_refused_with_both_values(db: Db, gold: Gold) -> None:
    add_edits(db, gold.id, [typed(1, 2, 1, "O.40", "0.40")], person="ann", after=0)
    with pytest.raises(Stale) as refused:
        add_edits(db, gold.id, [typed(2, 2, 1, "O.40", "0.44")], person="bob", after=0)
    assert refused.value.revision == 1
    [(edit, conflict)] = refused.value.conflicts
    assert (edit, conflict.expected, conflict.found) == ("edit-0002", "O.40", "0.40")
    assert text_at(db, gold, 2, 1) == "0.40"


def test_a_stale_edit_of_another_cell_is_not_merged_silently(db: Db, gold: Gold) -> None:
    add_edits(db, gold.id, [typed(1, 2, 1, "O.40", "0.40")], person="ann", after=0)
    with pytest.raises(Stale):
        add_edits(db, gold.id, [typed(2, 1, 1, "1.20", "1.30")], person="bob", after=0)


def test_a_batch_with_one_edit_that_does_not_fit_stores_nothing(db: Db, gold: Gold) -> None:
    off_the_table = NewEdit("edit-0002", SetText((TextChange(9, 9, "", "x"),)))
    with pytest.raises(Unfit, match="row 9") as refused:
        add_edits(db, gold.id, [typed(1, 2, 1, "O.40", "0.40"), off_the_table], person="ann", after=0)
    assert refused.value.edit == "edit-0002"
    assert text_at(db, gold, 2, 1) == "O.40"


def test_an_accepted_table_takes_no_edits_until_it_is_reopened(db: Db, gold: Gold) -> None:
    add_verdict(db, gold.id, verdict="accept", person="ann", id="verdict-1", at_revision=0)
    with pytest.raises(Frozen):
        add_edits(db, gold.id, [typed(1, 2, 1, "O.40", "0.40")], person="ann", after=0)
    add_verdict(db, gold.id, verdict="reopen", person="ann", id="verdict-2", at_revision=0)
    assert add_edits(db, gold.id, [typed(1, 2, 1, "O.40", "0.40")], person="ann", after=0) == 1


def test_what_is_folded_survives_a_rolled_back_transaction(db: Db, gold: Gold) -> None:
    with pytest.raises(RuntimeError), db.write():
        add_edits(db, gold.id, [typed(1, 2, 1, "O.40", "lost")], person="ann", after=0)
        raise RuntimeError
    add_edits(db, gold.id, [typed(2, 2, 1, "O.40", "kept")], person="ann", after=0)
    assert text_at(db, gold, 2, 1) == "kept"


def test_another_process_sees_the_edits_and_this_one_sees_its(db: Db, gold: Gold, home: Home) -> None:
    add_edits(db, gold.id, [typed(1, 2, 1, "O.40", "0.40")], person="ann", after=0)
    other = Db(home.database)
    add_edits(other, gold.id, [typed(2, 2, 1, "0.40", "0.45")], person="bob", after=1)
    other.close()
    assert text_at(db, gold, 2, 1) == "0.45"


def test_a_second_gold_table_of_that_name_leaves_the_first_as_it_is(db: Db, gold: Gold, document: Document) -> None:
    again, new = golds.add_gold(
        db, document.id, Table(1, 1, (Cell(0, 0, "other"),)), name="parts", base="import", person="bob"
    )
    assert (again, new) == (gold, False)


def test_a_gold_table_that_is_not_there_is_named(db: Db) -> None:
    with pytest.raises(NotFound, match="gold table 77"):
        add_edits(db, 77, [typed(1, 0, 0, "", "x")], person="ann", after=0)


@pytest.mark.parametrize(
    "part",
    [
        {"id": 3},
        {"id": "short"},
        {"undoes": 1},
        {"source": "magic"},
        {"active_ms": -1},
        {"active_ms": 0.5},
        {"edit": None},
        {"edit": {"kind": "unknown"}},
        {"at": 12},
        {"at": "yesterday"},
        {"edit": {"kind": "set_text", "changes": []}},
    ],
)
def test_an_edit_that_a_client_garbled_is_unfit(part: dict[str, object]) -> None:
    whole = {
        "id": "edit-0001",
        "edit": {"kind": "set_text", "changes": [{"row": 0, "col": 0, "old": "", "new": "x"}]},
        "source": "typed",
        "at": "",
        "active_ms": 1,
    }
    assert golds.new_edit(whole).id == "edit-0001"
    with pytest.raises(Unfit):
        golds.new_edit({**whole, **part})


KILLED = """
import os, signal, sys
from pathlib import Path
from store.db import Db
from store.edits import SetText, TextChange
from store.gold import NewEdit, add_edits

db = Db(Path(sys.argv[1]))
text = "O.40"
for number in range(1000):
    edit = NewEdit(f"edit-{number:04}", SetText((TextChange(2, 1, text, str(number)),)))
    add_edits(db, int(sys.argv[2]), [edit], person="ann", after=number)
    text = str(number)
    print(number, flush=True)
    if number == 40:
        os.kill(os.getpid(), signal.SIGKILL)
"""


def test_every_acknowledged_edit_is_there_after_the_process_is_killed(db: Db, gold: Gold, home: Home) -> None:
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(home.database), str(gold.id)], capture_output=True, text=True, check=False
    )
    acknowledged = [int(line) for line in done.stdout.split()]
    assert acknowledged == list(range(41)), done.stderr
    assert text_at(db, gold, 2, 1) == "40"
    with db.read() as reader:
        assert golds.revision(reader, gold.id) == 41


def test_a_blank_base_can_be_keyed_from_nothing(db: Db, document: Document) -> None:
    blank, _ = golds.add_gold(db, document.id, Table(0, 2), name="keyed", base="blank", person="ann")
    row = Insert("row", 0, ("r-1",), (Cell(0, 0, "x"), Cell(0, 1, "y")))
    add_edits(db, blank.id, [NewEdit("edit-0001", row)], person="ann", after=0)
    assert text_at(db, blank, 0, 1) == "y"


def test_a_table_without_a_name_is_called_by_its_number(db: Db, document: Document, gold: Gold) -> None:
    nameless, _ = golds.add_gold(db, document.id, Table(1, 1), name=" ", base="blank", person="ann")
    with db.read() as reader:
        assert [compare(db, reader, one.id).label for one in (gold, nameless)] == ["parts", "Table 2"]


def test_what_follows_from_a_table_after_many_edits_is_what_a_fresh_look_finds(db: Db, document: Document) -> None:
    kind = TableType(
        "parts",
        (Column("item", key=True, required=True), Column("price", type="number", required=True)),
        checks=(Sum("price"),),
    )
    add_table_type(db, kind, project=document.project)
    received = from_rows([["item", "price"], ["bolt", "1.20"], ["nut", "0.40"], ["bolt", "1.20"]], header_rows=1)
    add_extraction(
        db,
        document.id,
        b"{}",
        file_name="parts.json",
        run=Run("acme"),
        format_name="invented",
        tables=[ReadTable("parts again", received)],
        notes=(),
        person="ann",
    )
    typed, _ = add_gold(db, document.id, received, name="parts again", base="import", person="ann", table_type="parts")
    chance = random.Random(11)
    for number in range(60):
        with db.read() as reader:
            revision, sheet = current(db, reader, typed.id)
        row, col = chance.randrange(1, sheet.table.n_rows), chance.randrange(2)
        change = TextChange(row, col, sheet.table.text_at(row, col), chance.choice(["bolt", "nut", "1.20", "x", ""]))
        edit = NewEdit(f"edit-{number:06}", SetText((change,)))
        add_edits(db, typed.id, [edit], person="ann", after=revision)
        with db.read() as reader:
            kept = compare(db, reader, typed.id)
        read.cache_clear()
        anew = Table.from_json(kept.sheet.table.to_json())
        alignment = align(anew, received, table_type=kind)
        findings = check(anew, kind)
        assert (kept.alignment, kept.findings) == (alignment, findings)
        assert kept.doubts == doubts(anew, received, alignment, table_type=kind, findings=findings)
