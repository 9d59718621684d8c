from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.schema import TableType
from scoring.table import from_rows
from store import edits
from store.activity import add_activity
from store.db import Db, NotFound, StoreError
from store.documents import add_document
from store.edits import Sheet
from store.gold import Gold, NewEdit, add_edits, add_gold, current, sheet_at
from store.guidelines import add_guidelines
from store.home import Home
from store.pages import PageSize
from store.releases import Release, ReleasedTable, make_release, release, released_sheet, released_tables, released_type
from store.table_types import add_table_type
from store.verification import verify
from tests.random_edits import edits_on, tables
from tests.released_gold import judge, put
from tests.six_documents import LINES, six_documents


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return six_documents(tmp_path_factory.mktemp("six") / "home").folder


@pytest.fixture
def home(made: Path, tmp_path: Path) -> Home:
    return Home(Path(shutil.copytree(made, tmp_path / "copy")))


@pytest.fixture
def db(home: Home) -> Iterator[Db]:
    opened = Db(home.database)
    yield opened
    opened.close()


def held(db: Db, name: str) -> tuple[Release, dict[str, tuple[ReleasedTable, Sheet]]]:
    """A release as it reads now: its tables by the name of their document."""
    with db.read() as reader:
        found = release(reader, name)
        return found, {
            table.document_name: (table, released_sheet(reader, table)) for table in released_tables(reader, found.id)
        }


def differences(db: Db, home: Home) -> list[str]:
    with db.read() as reader:
        return list(verify(reader, home))


def test_a_release_holds_all_accepted_tables_with_revision_rules_and_guidelines(db: Db) -> None:
    judge(db, 6, "reopen")
    put(db, 2, 1, 2, "1.25")
    add_guidelines(db, "Read the *page*.", table_type="lines", project="hand")
    made = make_release(db, project="hand", name="first", note="to train on", person="ann")
    found, tables = held(db, "first")
    assert (found, found.note, found.person, len(found.signature)) == (made, "to train on", "ann", 64)
    assert set(tables) == {"right.pdf", "wrong-value.pdf", "absent-value.pdf", "duplicate-row.pdf", "no-answer.pdf"}
    table, sheet = tables["wrong-value.pdf"]
    assert (table.revision, table.type_signature, table.accepted_by) == (1, LINES.signature, "ann")
    assert len(table.guidelines) == 64
    assert sheet.table.text_at(1, 2) == "1.25"


def test_a_release_stays_what_it_was_whatever_is_done_afterwards(db: Db, home: Home) -> None:
    put(db, 1, 1, 0, "nail")
    make_release(db, project="hand", name="first", person="ann")
    before = held(db, "first")

    judge(db, 1, "reopen")
    undo = edits.SetText((edits.TextChange(1, 0, "nail", "bolt"),))
    add_edits(db, 1, [NewEdit("undo-of-nail", undo, source="undo", undoes="edit-1-0")], person="ann", after=1)
    put(db, 2, 1, 2, "9.99")
    add_gold(db, 3, from_rows([["other"]]), name="lines", base="import", person="ann")
    add_gold(db, 3, from_rows([["other"]]), name="more", base="import", person="ann")
    add_guidelines(db, "Anew.", table_type="lines", project="hand")
    newer = TableType.from_json({**LINES.to_json(), "label": "Lines of goods"})
    assert add_table_type(db, newer, project="hand")

    assert held(db, "first") == before
    assert before[1]["right.pdf"][1].table.text_at(1, 0) == "nail"
    with db.read() as reader:
        assert current(db, reader, 1)[1].table.text_at(1, 0) == "bolt"
        assert released_type(reader, before[0], before[1]["right.pdf"][0]) == LINES
    assert differences(db, home) == []


def test_two_releases_of_the_same_gold_have_the_same_signature_and_other_gold_another(db: Db) -> None:
    one, same = (make_release(db, project="hand", name=name, person="ann") for name in ("one", "same"))
    put(db, 1, 1, 0, "nail")
    other = make_release(db, project="hand", name="other", person="ann")
    assert one.signature == same.signature != other.signature


def test_what_cannot_be_a_release_is_refused_in_words(db: Db) -> None:
    make_release(db, project="hand", name="first", person="ann")
    for name, project, message in (
        ("first", "hand", r"project 'hand' has a release 'first' already \(ann made it on 20"),
        ("second", "empty", "no table of project 'empty' is accepted, so that there is nothing to release"),
        ("  ", "hand", "the name of the release is blank"),
        ("a\tb", "hand", r"the release is called 'a\\tb', expected a name without spaces around it"),
        ("x" * 81, "hand", "the name of the release has 81 characters, expected at most 80"),
    ):
        with pytest.raises(StoreError, match=message):
            make_release(db, project=project, name=name, person="ann")
    with db.read() as reader, pytest.raises(NotFound, match="there is no release 'last'; expected one of: first"):
        release(reader, "last")


def test_cells_that_somebody_had_before_them_are_part_of_a_release(db: Db) -> None:
    add_activity(db, 1, [], seen=[("b1", "b0")], person="ann")
    make_release(db, project="hand", name="first", person="ann")
    add_activity(db, 1, [], seen=[("b2", "b0")], person="bob")
    assert json.loads(held(db, "first")[1]["right.pdf"][0].seen) == [["b1", "b0"]]


@pytest.mark.parametrize(
    "change", ["update release set name = 'x'", "delete from release", "delete from release_table"]
)
def test_the_database_itself_refuses_to_change_a_release(db: Db, change: str) -> None:
    make_release(db, project="hand", name="first", person="ann")
    with pytest.raises(sqlite3.IntegrityError, match="is append-only"), db.write() as writer:
        writer.conn.execute(change)


@pytest.mark.parametrize("columns", ["release, gold", "id, release, gold"])
def test_no_table_is_added_to_a_release_that_is_made(db: Db, columns: str) -> None:
    judge(db, 6, "reopen")
    make_release(db, project="hand", name="first", person="ann")
    values = {"release, gold": "1, 6", "id, release, gold": "99, 1, 1"}[columns]
    with pytest.raises(sqlite3.IntegrityError, match="takes no more tables"), db.write() as writer:
        writer.conn.execute(
            f"insert or replace into release_table ({columns}, revision, sha256, type_signature, guidelines, seen, "
            f"accepted_by, accepted_at) values ({values}, 0, '', '', '', '[]', '', '')"
        )


def test_a_release_of_the_same_name_does_not_take_the_place_of_another(db: Db) -> None:
    make_release(db, project="hand", name="first", person="ann")
    with pytest.raises(sqlite3.IntegrityError, match="replace refused"), db.write() as writer:
        writer.conn.execute("insert or replace into release values (2, 'hand', 'first', '', '', '', '')")


@pytest.mark.parametrize(
    ("trigger", "change", "message"),
    [
        ("edit_no_update", "update edit set body = replace(body, 'nail', 'mail')", "sha256 is .* when it was released"),
        ("edit_no_delete", "delete from edit", "cannot be made from the edit log any more"),
        ("release_table_no_delete", "delete from release_table where gold = 3", "its tables have the signature"),
        ("table_type_no_update", "update table_type set signature = 'x'", "the table type with the signature"),
        ("guidelines_no_update", "update guidelines set text = 'x'", "the guidelines with the hash"),
    ],
)
def test_what_was_tampered_with_is_found_by_verify(db: Db, home: Home, trigger: str, change: str, message: str) -> None:
    put(db, 1, 1, 0, "nail")
    add_guidelines(db, "Read the *page*.", table_type="lines", project="hand")
    make_release(db, project="hand", name="first", person="ann")
    assert differences(db, home) == []
    with db.write() as writer:
        writer.conn.execute(f"drop trigger {trigger}")
        writer.conn.execute(change)
    with pytest.raises(AssertionError, match=f"release first of project hand: .*{message}"):
        raise AssertionError("\n".join(differences(db, home)))


KILLED = """
import os, signal, sys
from pathlib import Path
from store import releases
from store.db import Db, insert
left = int(sys.argv[2])
def counted(writer, table, values):
    global left
    key = insert(writer, table, values)
    left -= 1
    if not left:
        os.kill(os.getpid(), signal.SIGKILL)
    return key
releases.insert = counted
releases.make_release(Db(Path(sys.argv[1])), project="hand", name="first", person="ann")
"""


@pytest.mark.parametrize("statements", [1, 6, 7])
def test_a_crash_between_the_statements_leaves_no_release(db: Db, home: Home, statements: int) -> None:
    done = subprocess.run([sys.executable, "-c", KILLED, str(home.database), str(statements)])
    assert done.returncode == -9
    with db.read() as reader:
        assert [reader[table].count for table in ("release", "release_table")] == [0, 0]
    assert make_release(db, project="hand", name="first", person="ann").id == 1


@settings(deadline=None, max_examples=12)
@given(st.data())
def test_the_sheet_of_a_release_is_the_log_folded_up_to_its_revision(data: st.DataObject) -> None:
    with TemporaryDirectory() as folder:
        home = Home(Path(folder))
        db = Db(home.database)
        base = data.draw(tables())
        gold = _gold(db, home, base)
        sheets, taken = [edits.sheet(base)], []
        for number in range(data.draw(st.integers(1, 6))):
            if data.draw(st.booleans()):
                judge(db, gold.id, "accept")
                made = make_release(db, project="p", name=f"r{number}", person="ann")
                taken.append((made.name, len(sheets) - 1))
                judge(db, gold.id, "reopen")
            edit = data.draw(edits_on(sheets[-1]))
            add_edits(db, gold.id, [NewEdit(f"edit-{number:04}", edit)], person="ann", after=len(sheets) - 1)
            sheets.append(edits.apply(sheets[-1], edit))
        for name, revision in taken:
            ((table, sheet),) = held(db, name)[1].values()
            assert (table.revision, sheet) == (revision, sheets[revision])
        with db.read() as reader:
            assert [sheet_at(reader, gold.id, number) for number in range(len(sheets))] == sheets
            assert [each for each in verify(reader, home) if "release" in each] == []
        db.close()


def _gold(db: Db, home: Home, base: edits.Table) -> Gold:
    document, _ = add_document(
        db,
        home,
        b"%PDF",
        name="a.pdf",
        media_type="application/pdf",
        pages=[PageSize(1, 9, 9)],
        person="a",
        project="p",
    )
    return add_gold(db, document.id, base, name="t", base="import", person="ann")[0]
