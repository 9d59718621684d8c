from __future__ import annotations

import pytest

from scoring.table import Table, from_rows
from store import adjudication, hiding, reviews
from store.adjudication import ABSENT, Case, Item, case, cases_for, decide, finish
from store.db import Db, NotFound, StoreError
from store.edits import Insert, SetText, TextChange
from store.gold import Gold, NewEdit, add_edits, add_gold, base_table, current, history, revision, status
from store.people import add_person
from store.reviews import add_verdict
from store.rights import NotAllowed
from store.second_pass import Pass, draw, passes
from store.work_time import correction_time

# The fixture's table, as bob keys it: another price, no washer, a screw that ann has not.
BY_BOB = [["item", "price"], ["bolt", "1.20"], ["nut", "0.40"], ["screw", "0.77"]]


def _types(table: Table, rows: list[list[str]]) -> tuple[NewEdit, ...]:
    """The edits by which somebody keys rows into an empty table of two by two."""
    changes = tuple(TextChange(row, col, "", rows[row][col]) for row in range(2) for col in range(2))
    made = [NewEdit("keyed-0000", SetText(changes))]
    for at in range(2, len(rows)):
        line = from_rows([*[["", ""]] * at, rows[at]]).cells[-2:]
        made.append(NewEdit(f"keyed-{at:04}", Insert("row", at, (f"k{at}",), line)))
    return tuple(made)


@pytest.fixture
def keyed(db: Db, gold: Gold) -> Pass:
    (made,) = draw(db, project="default", share=1, people=["bob"], seed=3, person="olga").new
    with db.read() as reader:
        new = _types(base_table(reader, made.keyed), BY_BOB)
    number = add_edits(db, made.keyed, new, person="bob", after=0)
    add_verdict(db, made.keyed, verdict="accept", person="bob", id="by bob", at_revision=number)
    add_verdict(db, gold.id, verdict="accept", person="ann", id="by ann", at_revision=0)
    with db.read() as reader:
        return passes(reader)[0]


def _case(db: Db, one: Pass, person: str = "carol") -> Case:
    with db.read() as reader:
        return case(db, reader, one.id, person=person)


def _choose(db: Db, one: Pass, item: Item, text: str, *, person: str = "carol", active_ms: int = 0) -> None:
    at = next(at for at, answer in enumerate(item.answers) if answer.text == text)
    decide(db, one.id, item.id, answer=at, own="", person=person, id=f"d {item.id} {text}", active_ms=active_ms)


def _rows(db: Db, key: int) -> list[list[str]]:
    with db.read() as reader:
        table = current(db, reader, key)[1].table
    return [[table.text_at(row, col) for col in range(table.n_cols)] for row in range(table.n_rows)]


def test_only_what_differs_is_asked_with_names_nowhere(db: Db, keyed: Pass) -> None:
    found = _case(db, keyed)
    assert [item.where for item in found.items] == ["Row 2, price", "Is there such a row?", "Is there such a row?"]
    assert {answer.text for answer in found.items[0].answers} == {"O.40", "0.40"}
    assert {answer.text for answer in found.items[1].answers} == {"washer | 0.10", ABSENT}


def test_the_order_of_answers_is_drawn_and_stays(db: Db, gold: Gold, keyed: Pass) -> None:
    orders = {
        tuple(
            answer.sources
            for answer in adjudication._item(found.comparison, found.a, found.b, item.difference, seed).answers
        )
        for found in (_case(db, keyed),)
        for item in found.items[:1]
        for seed in map(str, range(20))
    }
    assert len(orders) == 2
    assert [item.answers for item in _case(db, keyed).items] == [item.answers for item in _case(db, keyed).items]


def test_what_is_decided_becomes_edits_of_the_third_person(db: Db, gold: Gold, keyed: Pass) -> None:
    cell, washer, screw = _case(db, keyed).items
    _choose(db, keyed, cell, "0.40")
    _choose(db, keyed, washer, ABSENT)
    _choose(db, keyed, screw, "screw | 0.77")
    finish(db, keyed.id, person="carol")
    assert _rows(db, gold.id) == BY_BOB
    with db.read() as reader:
        log = history(reader, gold.id)
        assert {(edit.source, edit.person) for edit in log} == {("adjudication", "carol")}
        assert status(reader, gold.id) == "accepted"
        assert passes(reader)[0].state == "decided"
        assert [item.id for item in case(db, reader, keyed.id, person="carol").items] == [cell.id, washer.id, screw.id]


def test_a_first_answer_that_was_right_throughout_stays_as_it_is(db: Db, gold: Gold, keyed: Pass) -> None:
    cell, washer, screw = _case(db, keyed).items
    _choose(db, keyed, cell, "O.40")
    _choose(db, keyed, washer, "washer | 0.10")
    _choose(db, keyed, screw, ABSENT)
    assert finish(db, keyed.id, person="carol") == 0
    with db.read() as reader:
        assert (revision(reader, gold.id), status(reader, gold.id)) == (0, "accepted")


def test_a_text_of_ones_own_counts_and_the_last_decision_holds(db: Db, gold: Gold, keyed: Pass) -> None:
    cell, washer, screw = _case(db, keyed).items
    _choose(db, keyed, cell, "O.40")
    decide(db, keyed.id, cell.id, answer=None, own="0.41", person="carol", id="own-1", active_ms=900)
    _choose(db, keyed, washer, "washer | 0.10")
    _choose(db, keyed, screw, ABSENT)
    finish(db, keyed.id, person="carol")
    assert _rows(db, gold.id)[2] == ["nut", "0.41"]
    with pytest.raises(StoreError, match="decided already"):
        _choose(db, keyed, cell, "O.40", person="carol")


def test_what_is_left_open_is_told_and_nothing_is_changed(db: Db, gold: Gold, keyed: Pass) -> None:
    _choose(db, keyed, _case(db, keyed).items[0], "0.40")
    with pytest.raises(StoreError, match="2 of 3 differences are not decided yet"):
        finish(db, keyed.id, person="carol")
    with db.read() as reader:
        assert revision(reader, gold.id) == 0


@pytest.mark.parametrize("person", ["ann", "bob"])
def test_neither_of_the_two_decides(db: Db, keyed: Pass, person: str) -> None:
    with pytest.raises(StoreError, match="You keyed this table yourself"):
        _case(db, keyed, person)
    with db.read() as reader:
        assert cases_for(reader, person) == ()
        assert [one.id for one in cases_for(reader, "carol")] == [keyed.id]


def test_nobody_decides_who_keys_another_table_of_the_document_blind(db: Db, gold: Gold, keyed: Pass) -> None:
    add_gold(db, gold.document, from_rows([["x"], ["1"]]), name="beside", base="blank", person="ann")
    assert [one.person for one in draw(db, project="default", share=1, people=["carol"], seed=3, person="olga").new]
    with pytest.raises(hiding.Withheld):
        _case(db, keyed)
    with db.read() as reader:
        assert cases_for(reader, "carol") == ()


def test_deciding_needs_the_right_to(db: Db, keyed: Pass) -> None:
    add_person(db, "ada", role="admin", by="ada")
    add_person(db, "carol", role="annotator", by="ada")
    with pytest.raises(NotAllowed, match="decide between two answers"):
        _case(db, keyed)


def test_what_is_not_asked_cannot_be_decided(db: Db, keyed: Pass) -> None:
    with pytest.raises(NotFound, match="do not differ there"):
        decide(db, keyed.id, "cell x y", answer=0, own="", person="carol", id="d", active_ms=0)
    with pytest.raises(StoreError, match="expected 0 to 1"):
        decide(db, keyed.id, _case(db, keyed).items[0].id, answer=9, own="", person="carol", id="d", active_ms=0)
    with pytest.raises(StoreError, match="chosen, not typed"):
        decide(db, keyed.id, _case(db, keyed).items[1].id, answer=None, own="x", person="carol", id="d", active_ms=0)


def test_a_table_that_is_not_keyed_twice_is_not_decided(db: Db, gold: Gold) -> None:
    (made,) = draw(db, project="default", share=1, people=["bob"], seed=3, person="olga").new
    with pytest.raises(StoreError, match="not keyed twice yet"):
        _case(db, made)


def test_time_spent_on_deciding_is_adjudication(db: Db, gold: Gold, keyed: Pass) -> None:
    _choose(db, keyed, _case(db, keyed).items[0], "0.40", active_ms=1500)
    with db.read() as reader:
        assert correction_time(reader, gold.id).by_phase == {"adjudication": 1500}


def test_both_see_what_was_decided_against_what_they_keyed(
    db: Db, keyed: Pass, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A clock that never stands still: what finishes the decision is written over several milliseconds.
    ticks = iter(range(1000))
    clock = lambda: f"2999-12-01T03:00:00.{next(ticks):03}+00:00"  # noqa: E731
    for module in (adjudication, reviews):
        monkeypatch.setattr(module, "now", clock)
    cell, washer, screw = _case(db, keyed).items
    for item, text in ((cell, "0.40"), (washer, "washer | 0.10"), (screw, ABSENT)):
        _choose(db, keyed, item, text)
    with db.read() as reader:
        assert adjudication.feedback(db, reader, "bob") == ()
    finish(db, keyed.id, person="carol")
    with db.read() as reader:
        told = {name: adjudication.feedback(db, reader, name) for name in ("ann", "bob", "carol")}
    assert [(one.own, one.decided) for one in told["ann"]] == [
        ("O.40", "0.40"),
        ("washer | 0.10", "washer | 0.10"),
        (ABSENT, ABSENT),
    ]
    assert [(one.own, one.decided) for one in told["bob"]] == [
        ("0.40", "0.40"),
        (ABSENT, "washer | 0.10"),
        ("screw | 0.77", ABSENT),
    ]
    assert told["carol"] == ()


def test_agreement_is_that_of_before_the_decision(db: Db, keyed: Pass) -> None:
    def shared() -> tuple[int, int]:
        with db.read() as reader:
            cells = adjudication.agreement_of(db, reader, project="default").everything.cells
        return cells.shared, cells.equal

    assert shared() == (4, 3)
    cell, washer, screw = _case(db, keyed).items
    for item, text in ((cell, "0.40"), (washer, ABSENT), (screw, ABSENT)):
        _choose(db, keyed, item, text)
    finish(db, keyed.id, person="carol")
    assert shared() == (4, 3)
