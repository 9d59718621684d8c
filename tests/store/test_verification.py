from __future__ import annotations

import sqlite3

import pytest

from scoring.table import Table
from store.db import Db
from store.documents import Document
from store.edits import SetText, TextChange
from store.extractions import Run, add_extraction
from store.formats import ReadTable
from store.gold import Gold, NewEdit, add_edits
from store.home import Home
from store.verification import verify


@pytest.fixture
def filled(db: Db, document: Document, gold: Gold, table: Table) -> Db:
    add_extraction(
        db,
        document.id,
        b"raw",
        file_name="x.json",
        run=Run("acme"),
        format_name="json",
        tables=[ReadTable("t", table)],
        notes=(),
        person="ann",
    )
    add_edits(db, gold.id, [NewEdit("edit-0001", SetText((TextChange(2, 1, "O.40", "0.40"),)))], person="ann", after=0)
    return db


def found(db: Db, home: Home) -> list[str]:
    with db.read() as reader:
        return list(verify(reader, home))


def test_a_sound_database_has_nothing_to_report(filled: Db, home: Home) -> None:
    assert found(filled, home) == []


@pytest.mark.parametrize(
    ("trigger", "change", "message"),
    [
        ("received_no_update", "update received set body = x'00'", "received file x.json: sha256"),
        (
            "extracted_table_no_update",
            "update extracted_table set body = replace(body, 'bolt', 'nail')",
            r"extracted table 1 \(t\)",
        ),
        ("gold_no_update", "update gold set body = '{}'", "gold table 1"),
        ("edit_no_update", "update edit set body = replace(body, 'O.40', 'O.41')", "does not replay"),
        ("edit_no_update", "update edit set revision = 2", r"revisions \[2\], expected 1 to 1"),
        ("edit_no_update", "update edit set body = 'nonsense'", "does not replay"),
    ],
)
def test_what_was_tampered_with_is_named(filled: Db, home: Home, trigger: str, change: str, message: str) -> None:
    connection = sqlite3.connect(filled.path)
    connection.execute(f"drop trigger {trigger}")
    connection.execute(change)
    connection.commit()
    connection.close()
    filled.folded.clear()
    reports = found(filled, home)
    assert reports
    with pytest.raises(AssertionError, match=message):
        raise AssertionError("\n".join(reports))


def test_a_document_file_that_is_gone_or_changed_is_named(filled: Db, home: Home, document: Document) -> None:
    path = home.document_file(document.sha256)
    path.write_bytes(b"other")
    assert "parts.pdf" in found(filled, home)[0]
    path.unlink()
    assert "missing" in found(filled, home)[0]
