from __future__ import annotations

import pytest

from scoring.schema import TableType
from scoring.table import from_rows
from store import queue
from store.assignment import Rule, assign, assignees, is_shared_out, set_rule, tables_of
from store.db import Db, NotFound, StoreError
from store.documents import Document, add_document
from store.gold import Gold, add_gold
from store.home import Home
from store.pages import PageSize
from store.people import add_person
from store.progress import progress
from store.queue import Filter
from store.reviews import add_verdict
from store.rights import NotAllowed
from store.second_pass import draw
from store.table_types import add_table_type


@pytest.fixture
def four(db: Db, home: Home) -> list[Gold]:
    """Two documents with two tables each, of the types a and b."""
    made = []
    for number in range(2):
        document, _ = add_document(
            db,
            home,
            b"%%PDF-1.7 %d" % number,
            name=f"d{number}.pdf",
            media_type="application/pdf",
            pages=[PageSize(1, 595, 842)],
            person="ann",
            project="default",
        )
        for kind in ("a", "b"):
            table = from_rows([["x"], ["1"]], header_rows=1)
            gold, _ = add_gold(db, document.id, table, name=kind, base="blank", person="ann", table_type=kind)
            made.append(gold)
    return made


def meant(db: Db, tables: list[Gold]) -> list[str]:
    with db.read() as reader:
        found = assignees(db, reader)
    return [found.get(table.id, "") for table in tables]


def test_a_table_is_meant_for_who_was_named_last(db: Db, four: list[Gold]) -> None:
    assert assign(db, [four[0].id, four[1].id], "bob", person="olga") == 2
    assert assign(db, [four[0].id], "ann", person="olga") == 1
    assert assign(db, [four[0].id], "ann", person="olga") == 0
    assert assign(db, [four[1].id], "", person="olga") == 1
    assert meant(db, four) == ["ann", "", "", ""]


def test_by_a_rule_documents_go_to_people_in_turn_and_a_type_to_its_own(db: Db, four: list[Gold]) -> None:
    set_rule(db, Rule("default", "", ("ann", "bob")), person="olga")
    assert meant(db, four) == ["ann", "ann", "bob", "bob"]
    set_rule(db, Rule("default", "b", ("carol",)), person="olga")
    assert meant(db, four) == ["ann", "carol", "bob", "carol"]
    assign(db, [four[3].id], "dan", person="olga")
    assert meant(db, four) == ["ann", "carol", "bob", "dan"]
    set_rule(db, Rule("default", "", ()), person="olga")
    assert meant(db, four) == ["", "carol", "", "dan"]


def test_a_rule_holds_for_tables_that_come_later(db: Db, four: list[Gold]) -> None:
    set_rule(db, Rule("default", "", ("ann", "bob")), person="olga")
    assert meant(db, four)[2] == "bob"
    later, _ = add_gold(db, four[2].document, from_rows([["x"]]), name="later", base="blank", person="ann")
    assert meant(db, [later]) == ["bob"]


def test_the_queue_shows_mine_nobodys_and_those_of_others_with_their_counts(db: Db, four: list[Gold]) -> None:
    assign(db, [four[0].id], "ann", person="olga")
    assign(db, [four[1].id], "bob", person="olga")

    def listed(assigned: str) -> set[int]:
        with db.read() as reader:
            return {entry.gold for entry in queue.entries(db, reader, Filter(assigned=assigned), person="ann")}

    assert listed("mine") == {four[0].id}
    assert listed("bob") == {four[1].id}
    assert listed("nobody") == {four[2].id, four[3].id}
    assert len(listed("")) == 4
    with db.read() as reader:
        counts = queue.listing(db, reader, Filter(), person="ann").counts["assigned"]
    assert counts == {"mine": 1, "bob": 1, "nobody": 2}


def test_the_next_table_is_one_for_somebody_else_only_when_no_other_is_left(db: Db, four: list[Gold]) -> None:
    assign(db, [four[1].id], "bob", person="olga")
    with db.read() as reader:
        assert queue.place(db, reader, four[0].id, person="ann").next == four[2].id
    assign(db, [four[2].id, four[3].id], "bob", person="olga")
    with db.read() as reader:
        assert queue.place(db, reader, four[0].id, person="ann").next == four[1].id


def test_tables_are_named_by_document_and_type(db: Db, four: list[Gold]) -> None:
    with db.read() as reader:
        assert tables_of(reader, document="d1.pdf") == (four[2].id, four[3].id)
        assert tables_of(reader, project="default", table_type="a") == (four[0].id, four[2].id)
        with pytest.raises(NotFound, match=r"no table of document 'd9.pdf'"):
            tables_of(reader, document="d9.pdf")


def test_a_second_keying_is_for_who_keys_it(db: Db, gold: Gold, document: Document) -> None:
    (made,) = draw(db, project="default", share=1, people=["bob"], seed=1, person="olga").new
    with db.read() as reader:
        assert assignees(db, reader)[made.keyed] == "bob"
    with pytest.raises(StoreError, match="drawn for the person"):
        assign(db, [made.keyed], "ann", person="olga")


def test_only_what_was_shared_out_makes_the_screens_of_it_appear(db: Db, four: list[Gold]) -> None:
    def shared() -> bool:
        with db.read() as reader:
            return is_shared_out(reader)

    assert not shared()
    set_rule(db, Rule("default", "", ("ann",)), person="ann")
    assert shared()


def test_assigning_needs_the_right_to(db: Db, four: list[Gold]) -> None:
    add_person(db, "ada", role="admin", by="ada")
    add_person(db, "bob", role="reviewer", by="ada")
    with pytest.raises(StoreError, match="bbo is not among the people of this team"):
        assign(db, [four[0].id], "bbo", person="ada")
    with pytest.raises(NotAllowed):
        assign(db, [four[0].id], "bob", person="bob")
    with pytest.raises(NotAllowed):
        set_rule(db, Rule("default", "", ("bob",)), person="bob")


def test_progress_counts_what_is_done_for_who_accepted_it_and_the_rest_for_whom_it_is_meant(
    db: Db, four: list[Gold]
) -> None:
    assign(db, [one.id for one in four[:3]], "bob", person="olga")
    add_verdict(db, four[0].id, verdict="accept", person="ann", id="v0", at_revision=0)
    add_verdict(db, four[1].id, verdict="flag", person="ann", id="v1", at_revision=0, reason="torn")
    add_table_type(
        db, TableType.from_json({"name": "a", "label": "Lines of a", "columns": [{"name": "x"}]}), project="default"
    )
    with db.read() as reader:
        found = progress(db, reader, project="default")
    people = {one.name: (one.done, one.open, one.skipped, one.flagged) for one in found.people}
    assert people == {"ann": (1, 0, 0, 0), "bob": (0, 1, 0, 1), "": (0, 1, 0, 0)}
    assert {one.name: one.label for one in found.types} == {"a": "Lines of a", "b": "b"}
    assert {one.name: (one.done, one.whole) for one in found.types} == {"a": (1, 2), "b": (0, 2)}
    assert (found.everything.done, found.everything.whole) == (1, 4)
