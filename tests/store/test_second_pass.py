from __future__ import annotations

import pytest

from scoring import Column, TableType
from scoring.table import from_rows
from store import audit, hiding, queue, releases, second_pass
from store.assignment import assign
from store.comparison import compare
from store.db import Db, NotFound, StoreError
from store.documents import Document
from store.edits import SetText, TextChange
from store.exporting import EXPORTS, export
from store.extractions import Run, add_extraction
from store.formats import ReadTable
from store.gold import Gold, NewEdit, add_edits, add_gold, gold_tables
from store.home import Home
from store.people import add_person
from store.reviews import add_verdict
from store.scored_documents import scored_documents
from store.second_pass import Pass, draw, passes

PLANTED = "PLANTED-BY-BOB"


def _draw(db: Db, *people: str, share: float = 1.0, seed: int = 7) -> tuple[Pass, ...]:
    return draw(db, project="default", share=share, people=people, seed=seed, person="olga").new


def _edit(db: Db, key: int, name: str, person: str, *, at: tuple[int, int], old: str, new: str, after: int = 0) -> None:
    add_edits(db, key, [NewEdit(name, SetText((TextChange(*at, old, new),)))], person=person, after=after)


def _accept(db: Db, key: int, person: str, revision: int) -> None:
    add_verdict(db, key, verdict="accept", person=person, id=f"{person} {key}", at_revision=revision)


def _keyed(db: Db) -> Pass:
    (made,) = _draw(db, "bob")
    _edit(db, made.keyed, "edit-of-bob", "bob", at=(0, 0), old="", new=PLANTED)
    return made


def test_the_same_seed_draws_the_same_tables_for_people_in_turn(db: Db, document: Document) -> None:
    for number in range(6):
        add_gold(db, document.id, from_rows([["a"], ["1"]]), name=f"t{number}", base="blank", person="ann")
    drawn = _draw(db, "bob", "carol", share=0.5)
    assert len(drawn) == 3
    assert {one.person for one in drawn} == {"bob", "carol"}
    other = Db(db.path)
    assert draw(other, project="default", share=0.5, people=["bob"], seed=7, person="olga").new == ()
    other.close()


def test_a_table_goes_to_nobody_who_has_worked_on_its_document(db: Db, gold: Gold) -> None:
    _edit(db, gold.id, "edit-0001", "bob", at=(2, 1), old="O.40", new="0.40")
    found = draw(db, project="default", share=1, people=["bob"], seed=7, person="olga")
    assert (found.new, found.without) == ((), 1)
    assert [one.person for one in _draw(db, "bob", "carol")] == ["carol"]


def test_a_table_goes_to_nobody_for_whom_a_table_of_its_document_is_meant(db: Db, gold: Gold) -> None:
    assign(db, [gold.id], "bob", person="olga")
    assert [one.person for one in _draw(db, "bob", "carol")] == ["carol"]


def test_a_table_goes_to_nobody_who_has_had_it_sent(db: Db, gold: Gold) -> None:
    add_person(db, "ada", role="admin", by="ada")
    for name in ("bob", "carol"):
        add_person(db, name, role="annotator", by="ada")
    with db.write() as writer:
        audit.note(writer, "bob", "read", f"table {gold.id}")
    found = draw(db, project="default", share=1, people=["bob", "carol"], seed=7, person="ada").new
    assert [one.person for one in found] == ["carol"]


def test_a_draw_that_cannot_be_made_says_why(db: Db, gold: Gold) -> None:
    with pytest.raises(StoreError, match="a share of 2"):
        _draw(db, "bob", share=2)
    with pytest.raises(StoreError, match="nobody to key"):
        _draw(db)
    with pytest.raises(NotFound, match="'other' holds no table"):
        draw(db, project="other", share=1, people=["bob"], seed=7, person="olga")


def test_a_second_keying_begins_empty_and_without_a_first_output(db: Db, gold: Gold) -> None:
    (made,) = _draw(db, "bob")
    with db.read() as reader:
        found = compare(db, reader, made.keyed)
    assert (found.extraction, found.first, found.related, found.readings) == (None, None, {}, {})
    assert all(not cell.text for cell in found.sheet.table.cells)


def test_a_second_keying_takes_no_extracted_table_by_its_place(db: Db, document: Document) -> None:
    rows = from_rows([["a"], ["PLANTED-BY-THE-MACHINE"]], header_rows=1)
    add_extraction(
        db,
        document.id,
        b"x",
        file_name="x.json",
        run=Run("acme"),
        format_name="json",
        tables=[ReadTable("table 1", rows)],
        notes=(),
        person="ann",
    )
    add_gold(db, document.id, rows, name="items", base="extraction", person="ann")
    (made,) = _draw(db, "bob")
    with db.read() as reader:
        found = compare(db, reader, made.keyed)
    assert (found.extraction, found.first, found.doubts) == (None, None, ())


def test_whoever_keys_a_table_again_sees_none_of_its_document_until_it_is_handed_in(db: Db, gold: Gold) -> None:
    (made,) = _draw(db, "bob")
    with db.read() as reader:
        assert [entry.gold for entry in queue.entries(db, reader, queue.Filter(), person="bob")] == [made.keyed]
        assert [entry.gold for entry in queue.entries(db, reader, queue.Filter(), person="ann")] == [gold.id]
        with pytest.raises(hiding.Withheld, match="Hand it in first"):
            hiding.expect_shown(reader, gold.id, "bob")
        with pytest.raises(hiding.Withheld, match="second keying of somebody else"):
            hiding.expect_shown(reader, made.keyed, "ann")
        with pytest.raises(hiding.Withheld, match="no extractor"):
            hiding.expect_open(reader, gold.document, "bob")
        assert hiding.keys_blind(reader, "bob") == 1
    _accept(db, made.keyed, "bob", 0)
    with db.read() as reader:
        hiding.expect_shown(reader, gold.id, "bob")
        assert hiding.keys_blind(reader, "bob") == 0


def test_a_second_keying_that_was_handed_in_is_not_opened_again(db: Db, gold: Gold) -> None:
    (made,) = _draw(db, "bob")
    _accept(db, made.keyed, "bob", 0)
    with pytest.raises(StoreError, match="stays as it is"):
        add_verdict(db, made.keyed, verdict="reopen", person="bob", id="again", at_revision=0)


@pytest.mark.parametrize("to", sorted(EXPORTS))
def test_a_second_keying_stands_in_no_export(db: Db, home: Home, gold: Gold, to: str) -> None:
    made = _keyed(db)
    _accept(db, made.keyed, "bob", 1)
    _accept(db, gold.id, "ann", 0)
    with db.read() as reader:
        files = list(export(db, home, reader, to=to, project="default", person="olga", accepted_only=False))
    assert files or to == "label-studio"  # which holds extracted tables alone
    assert all(PLANTED.encode() not in file.body for file in files)


def test_a_second_keying_stands_in_no_score_release_or_count(db: Db, gold: Gold) -> None:
    made = _keyed(db)
    _accept(db, made.keyed, "bob", 1)
    _accept(db, gold.id, "ann", 0)
    with db.read() as reader:
        (document,) = scored_documents(db, reader, project="default")
        assert [table.gold.id for table in document.tables] == [gold.id]
        assert [table.id for table in gold_tables(reader, gold.document)] == [gold.id]
    release = releases.make_release(db, project="default", name="r1", note="", person="ann")
    with db.read() as reader:
        assert [table.gold for table in releases.released_tables(reader, release.id)] == [gold.id]


def test_a_second_keying_is_handed_over_to_somebody_who_does_not_know_the_document(db: Db, gold: Gold) -> None:
    made = _keyed(db)
    second_pass.hand_over(db, made.id, "carol", person="olga")
    with db.read() as reader:
        assert passes(reader)[0].person == "carol"
        assert [entry.gold for entry in queue.entries(db, reader, queue.Filter(), person="carol")] == [made.keyed]
        hiding.expect_shown(reader, gold.id, "bob")
        with pytest.raises(hiding.Withheld):
            hiding.expect_shown(reader, gold.id, "carol")
        with pytest.raises(hiding.Withheld):
            hiding.expect_shown(reader, made.keyed, "bob")
    with pytest.raises(StoreError, match="bob cannot key it"):
        second_pass.hand_over(db, made.id, "bob", person="olga")
    _accept(db, made.keyed, "carol", 1)
    with pytest.raises(StoreError, match="handed in already"):
        second_pass.hand_over(db, made.id, "dan", person="olga")


def test_the_state_tells_who_is_waited_for(db: Db, gold: Gold) -> None:
    (made,) = _draw(db, "bob")

    def state() -> str:
        with db.read() as reader:
            return passes(reader)[0].state

    assert state() == "to key"
    _accept(db, made.keyed, "bob", 0)
    assert state() == "waits for the first"
    _accept(db, gold.id, "ann", 0)
    assert state() == "keyed"


def test_a_second_keying_begins_with_the_columns_of_its_type() -> None:
    kind = TableType("parts", columns=(Column("item", label="Item"), Column("price", type="number")))
    table = second_pass.blank(kind)
    assert [cell.text for cell in table.cells] == ["Item", "price", "", ""]
    assert table.header_rows == 1
    assert (second_pass.blank(None).n_rows, second_pass.blank(None).header_rows) == (2, 0)
