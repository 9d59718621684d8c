from __future__ import annotations

import sqlite3

import pytest

from scoring.schema import TableType
from scoring.table import from_rows
from store import blind, gold, queue, strips
from store.blind import BlindRule
from store.comparison import compare
from store.db import Db, StoreError
from store.documents import Document
from store.edits import SetText, TextChange
from store.exporting import EXPORTS, export
from store.extractions import Run
from store.gold import Gold, NewEdit, add_edits
from store.hiding import Withheld, expect_open
from store.home import Home
from store.reviews import add_verdict
from store.scored_documents import scored_documents
from store.strips import Scope
from store.table_kinds import Kinds, open_gold
from store.table_types import add_table_type
from store.verification import verify
from tests.stored_documents import put_answer, put_document

HEAD = ["article", "price"]
KIND = TableType.from_json({"name": "lines", "label": "Lines", "columns": [{"name": name} for name in HEAD]})
READ = from_rows([HEAD, ["PLANTED-NAME", "PLANTED-PRICE"]], header_rows=1)


def _import(db: Db, home: Home, name: str) -> tuple[Document, Gold]:
    add_table_type(db, KIND, project="hand")
    document = put_document(db, home, name, [["bolt", "1.20"]], project="hand")
    put_answer(db, document, Run("reader", "1"), ("lines", READ))
    open_gold(db, [document], {}, Kinds([KIND]), person="ann")
    with db.read() as reader:
        return document, gold.gold_tables(reader, document.id)[0]


@pytest.fixture
def drawn(db: Db, home: Home) -> Gold:
    _, made = _import(db, home, "a.pdf")
    assert blind.set_rule(db, "hand", BlindRule(1, 7), person="ann") == (made.id,)
    with db.read() as reader:
        return gold.gold(reader, made.id)


def _key(db: Db, key: int, texts: tuple[str, str]) -> None:
    changes = tuple(TextChange(1, col, "", text) for col, text in enumerate(texts))
    add_edits(db, key, [NewEdit("edit-0001", SetText(changes))], person="ann", after=0)


def _accept(db: Db, key: int, revision: int) -> None:
    add_verdict(db, key, verdict="accept", person="ann", id=f"accept-{key}", at_revision=revision)


def test_nothing_is_drawn_until_a_share_is_set(db: Db, home: Home) -> None:
    _, made = _import(db, home, "a.pdf")
    assert (made.base, made.hides_first) == ("extraction", False)


def test_a_drawn_table_begins_with_its_header_and_an_empty_row(db: Db, drawn: Gold) -> None:
    assert (drawn.base, drawn.hides_first) == ("blank", True)
    with db.read() as reader:
        found = compare(db, reader, drawn.id)
    table = found.sheet.table
    assert found.label == "Lines (table 1)"
    assert [[table.text_at(row, col) for col in (0, 1)] for row in (0, 1)] == [HEAD, ["", ""]]


def test_a_table_is_drawn_as_it_is_imported(db: Db, home: Home) -> None:
    _import(db, home, "a.pdf")
    blind.set_rule(db, "hand", BlindRule(1, 7), person="ann")
    _, second = _import(db, home, "b.pdf")
    assert second.hides_first


def test_a_table_that_was_open_as_it_was_drawn_shows_its_new_beginning(db: Db, home: Home) -> None:
    _, made = _import(db, home, "a.pdf")
    server = Db(db.path)
    with server.read() as reader:
        assert compare(server, reader, made.id).sheet.table == READ
        list(queue.entries(server, reader, queue.Filter()))
    blind.set_rule(db, "hand", BlindRule(1, 7), person="ann")
    with server.read() as reader:
        assert compare(server, reader, made.id).sheet.table.text_at(1, 0) == ""
        (entry,) = queue.entries(server, reader, queue.Filter())
    assert entry.reasons == ("blind", "no doubt")
    server.close()


def test_begun_tables_are_not_drawn(db: Db, home: Home) -> None:
    _, made = _import(db, home, "a.pdf")
    change = SetText((TextChange(1, 0, "PLANTED-NAME", "bolt"),))
    add_edits(db, made.id, [NewEdit("edit-0001", change)], person="ann", after=0)
    assert blind.set_rule(db, "hand", BlindRule(1, 7), person="ann") == ()


def test_the_first_extraction_is_nowhere_until_acceptance_and_scored_after_it(db: Db, home: Home, drawn: Gold) -> None:
    _key(db, drawn.id, ("bolt", "PLANTED-PRICE"))
    with db.read() as reader:
        found = compare(db, reader, drawn.id)
        assert (found.first, found.extraction, dict(found.readings), found.doubts) == (None, None, {}, ())
        told = [*queue.entries(db, reader, queue.Filter()), strips.strip(db, reader, Scope("hand"))]
        assert "PLANTED-NAME" not in repr(told)
        for to in EXPORTS:
            written = export(db, home, reader, to=to, person="ann", accepted_only=False)
            assert not [one.name for one in written if b"PLANTED-NAME" in one.body]
        with pytest.raises(Withheld):
            expect_open(reader, drawn.document, "ann")
    _accept(db, drawn.id, 1)
    with db.read() as reader:
        assert compare(db, reader, drawn.id).first_table == READ
        (scored,) = scored_documents(db, reader, project="hand")
        assert scored.tables[0].report.exact.matched == 1
        assert scored.tables[0].gold.base == "blank"
        expect_open(reader, drawn.document, "ann")


def test_a_reopened_table_goes_on_showing_what_was_seen(db: Db, drawn: Gold) -> None:
    _key(db, drawn.id, ("bolt", "1.20"))
    _accept(db, drawn.id, 1)
    add_verdict(db, drawn.id, verdict="reopen", person="ann", id="reopen-1", at_revision=1)
    with db.read() as reader:
        assert compare(db, reader, drawn.id).first_table == READ


def test_a_larger_share_holds_the_tables_of_a_smaller_one() -> None:
    lots = [blind.lot(3, f"{number:064}", 0) for number in range(4000)]
    assert 150 < sum(each < 0.05 for each in lots) < 250
    assert {at for at, each in enumerate(lots) if each < 0.05} <= {at for at, each in enumerate(lots) if each < 0.1}


@pytest.mark.parametrize("share", [-0.1, 1.5, float("nan")])
def test_a_share_that_is_none_is_refused(db: Db, share: float) -> None:
    with pytest.raises(StoreError, match="expected a number from 0"):
        blind.set_rule(db, "hand", BlindRule(share, 1), person="ann")


def test_a_draw_is_for_ever_and_verified(db: Db, home: Home, drawn: Gold) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="append-only"), db.write() as writer:
        writer.execute("delete from blind")
    with db.read() as reader:
        assert list(verify(reader, home)) == []
