from __future__ import annotations

import multiprocessing
import sqlite3
import threading
from pathlib import Path

import pytest
from sqlite_utils import Database

from scoring.table import Box, Confidence, Table
from store.db import Db, NotFound, StoreError, Unavailable, insert, row
from store.documents import Document
from store.edits import SetText, TextChange
from store.extractions import Run, add_extraction, dump, extraction
from store.formats import ReadTable
from store.formats.contract import Repair
from store.gold import Gold, NewEdit, add_edits
from store.home import Home
from store.schema import APPEND_ONLY, MIGRATIONS

FIRST_EDIT = NewEdit("edit-0001", SetText((TextChange(2, 1, "O.40", "0.40"),)))


def test_a_failed_write_leaves_nothing_behind(db: Db) -> None:
    with pytest.raises(RuntimeError), db.write() as writer:
        insert(writer, "received", {"sha256": "a", "name": "a", "body": b"a"})
        raise RuntimeError
    with db.read() as reader:
        assert row(reader, "select * from received") is None


def test_a_reader_keeps_its_view_while_others_write(db: Db) -> None:
    with db.read() as reader:
        assert row(reader, "select count(*) as n from received") == {"n": 0}
        with db.write() as writer:
            insert(writer, "received", {"sha256": "a", "name": "a", "body": b"a"})
        assert row(reader, "select count(*) as n from received") == {"n": 0}
    with db.read() as reader:
        assert row(reader, "select count(*) as n from received") == {"n": 1}


@pytest.mark.parametrize(
    "statement", ["update {} set rowid = rowid", "delete from {}", "insert or replace into {} select * from {}"]
)
@pytest.mark.parametrize("name", ["received", "extraction", "extracted_table", "gold", "edit"])
def test_the_database_itself_refuses_to_change_what_is_append_only(
    db: Db, document: Document, gold: Gold, table: Table, name: str, statement: str
) -> None:
    add_extraction(
        db,
        document.id,
        b"{}",
        file_name="x.json",
        run=Run("acme"),
        format_name="json",
        tables=[ReadTable("t", table)],
        notes=(),
        person="ann",
    )
    add_edits(db, gold.id, [FIRST_EDIT], person="ann", after=0)
    connection = sqlite3.connect(db.path)
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        connection.execute(statement.format(name, name))
    connection.close()


def test_replacing_one_revision_under_another_id_is_refused(db: Db, gold: Gold) -> None:
    add_edits(db, gold.id, [FIRST_EDIT], person="ann", after=0)
    connection = sqlite3.connect(db.path)
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        connection.execute(
            "insert or replace into edit "
            "select 'other', gold, revision, '{}', null, source, person, made_at, stored_at, 0 from edit"
        )
    connection.close()


@pytest.mark.parametrize("steps", range(len(MIGRATIONS.pending(Database(memory=True))) + 1))
def test_every_earlier_schema_migrates_to_the_newest(tmp_path: Path, steps: int) -> None:
    names = [migration.name for migration in MIGRATIONS.pending(Database(memory=True))]
    old = Database(tmp_path / "old.db")
    MIGRATIONS.apply(old, stop_before=names[steps:])
    assert [migration.name for migration in MIGRATIONS.applied(old)] == names[:steps]
    old.close()
    migrated = Db(tmp_path / "old.db")
    with migrated.read() as reader:
        assert [migration.name for migration in MIGRATIONS.applied(reader)] == names
        assert set(APPEND_ONLY) <= set(reader.table_names())
    migrated.close()


def test_a_database_of_a_newer_version_is_refused_with_its_path(home: Home) -> None:
    Db(home.database).close()
    newer = Database(home.database)
    insert(newer, "_sqlite_migrations", {"migration_set": "proofgrid", "name": "m999_future", "applied_at": ""})
    newer.close()
    with pytest.raises(StoreError, match="newer version") as refused:
        Db(home.database)
    assert str(home.database) in str(refused.value)


def test_a_file_that_is_no_database_is_refused_with_its_path(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("not a database, but long enough to be read as one" * 50)
    with pytest.raises(StoreError, match=r"notes\.txt: cannot be opened"):
        Db(tmp_path / "notes.txt")


def test_a_number_that_no_row_can_have_is_told_in_words(db: Db) -> None:
    with pytest.raises(NotFound, match="larger than the database can hold"), db.read() as reader:
        reader.execute("select * from gold where id = ?", (2**63,))
    with pytest.raises(NotFound, match="larger than the database can hold"), db.write() as writer:
        writer.execute("update gold set name = 'x' where id = ?", (-(2**63) - 1,))
    with db.write() as writer:
        writer.execute("update gold set name = 'x' where id = ?", (2**63 - 1,))


def test_a_full_disk_is_told_in_words_and_nothing_is_half_stored(db: Db, gold: Gold) -> None:
    with db.write() as writer:
        pages = row(writer, "pragma page_count")
    db._writer.conn.execute(f"pragma max_page_count = {pages['page_count'] if pages else 0}")
    with pytest.raises(Unavailable, match="full"), db.write() as writer:
        insert(writer, "received", {"sha256": "big", "name": "big", "body": b"x" * 1_000_000})
    db._writer.conn.execute("pragma max_page_count = 1073741823")
    with db.read() as reader:
        assert row(reader, "select * from received") is None
    assert add_edits(db, gold.id, [FIRST_EDIT], person="ann", after=0) == 1


def _insert_some(path: Path, first: int, count: int) -> None:
    db = Db(path)
    for number in range(first, first + count):
        with db.write() as writer:
            row(writer, "select count(*) as n from received")
            insert(writer, "received", {"sha256": str(number), "name": "", "body": b""})
    db.close()


def test_threads_and_processes_write_at_once_without_losing_anything(home: Home) -> None:
    db = Db(home.database)
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=_insert_some, args=(home.database, 1000 * n, 20)) for n in (1, 2)]

    def insert_here(first: int) -> None:
        for number in range(first, first + 20):
            with db.write() as writer:
                insert(writer, "received", {"sha256": str(number), "name": "", "body": b""})

    threads = [threading.Thread(target=insert_here, args=(1000 * n,)) for n in (3, 4, 5)]
    for worker in (*processes, *threads):
        worker.start()
    for worker in (*processes, *threads):
        worker.join()
    with db.read() as reader:
        assert row(reader, "select count(*) as n from received") == {"n": 100}
    db.close()


def test_tables_that_were_stored_before_repairs_had_a_place_are_still_read(tmp_path: Path, table: Table) -> None:
    names = [migration.name for migration in MIGRATIONS.pending(Database(memory=True))]
    old = Database(tmp_path / "old.db")
    MIGRATIONS.apply(old, stop_before=["m008_what_readers_say"])
    for statement in (
        "insert into document values (1, 'default', 'd', 'a.pdf', 'application/pdf', 1, '', '[]', '', '')",
        "insert into run (id, project, extractor, started_at) values (1, 'default', 'acme', '')",
        "insert into received values ('r', 'a.json', x'7b7d')",
        "insert into extraction values (1, 1, 1, 'r', 'json', '[]', '', 'ann')",
    ):
        old.execute(statement)
    insert(
        old,
        "extracted_table",
        {"extraction": 1, "position": 0, "name": "t", "notes": '["cut"]', "sha256": "old"} | {"body": dump(table)},
    )
    old.conn.commit()
    old.close()
    migrated = Db(tmp_path / "old.db")
    with migrated.read() as reader:
        assert len(MIGRATIONS.applied(reader)) == len(names)
        (read,) = extraction(reader, 1).tables
    assert (read.table, read.notes, read.repairs, read.boxes, read.remarks) == (table, ("cut",), (), (), ("cut",))
    migrated.close()


def test_what_a_reader_says_of_a_table_is_kept(db: Db, document: Document, table: Table) -> None:
    said = ReadTable(
        "t",
        table,
        ("a note",),
        (Repair(1, 0, "cut"), Repair(1, 0, "moved")),
        (Box(1, 0.1, 0.2, 0.9, 0.8),),
        (Confidence(0.934, "structure", "table", "Textract TABLE", "93.4"),),
        "/tables/0",
    )
    stored, _ = add_extraction(
        db,
        document.id,
        b"{}",
        file_name="x.json",
        run=Run("acme"),
        format_name="json",
        tables=[said],
        notes=(),
        person="ann",
    )
    (read,) = stored.tables
    assert (read.repairs, read.boxes, read.confidence, read.place) == (
        said.repairs,
        said.boxes,
        said.confidence,
        "/tables/0",
    )
    assert read.repaired == {(1, 0): ("cut", "moved")}
    assert read.remarks[0] == "structure confidence of the table: 0.934 (Textract TABLE, given as 93.4)"
