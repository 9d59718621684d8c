from __future__ import annotations

import threading
from pathlib import Path

import pytest

from store import leases, queue
from store.db import Db, StoreError
from store.edits import SetText, TextChange
from store.gold import Gold, NewEdit, add_edits
from store.leases import Leased, LeaseRule
from store.reviews import add_verdict

EDIT = NewEdit("edit-0001", SetText((TextChange(2, 1, "O.40", "0.40"),)))


def _events(db: Db) -> list[tuple[str, str, str]]:
    with db.read() as reader:
        return [(one.event, one.person, one.before) for one in leases.events(reader)]


def test_a_table_is_given_to_one_person(db: Db, gold: Gold) -> None:
    assert leases.take(db, gold.id, person="ann", client="tab-of-ann") is None
    other = leases.take(db, gold.id, person="bob", client="tab-of-bob")
    assert other is not None
    assert other.person == "ann"


def test_of_many_who_ask_at_once_one_gets_the_table(db: Db, gold: Gold) -> None:
    stores = [Db(db.path) for _ in range(6)]
    got: list[str] = []

    def ask(number: int) -> None:
        if leases.take(stores[number], gold.id, person=f"person {number}", client=f"tab of {number}") is None:
            got.append(f"person {number}")

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for store in stores:
        store.close()
    assert len(got) == 1


def test_two_tabs_of_one_person_share_the_table_until_both_are_closed(db: Db, gold: Gold) -> None:
    for tab in ("tab-one1", "tab-two2"):
        assert leases.take(db, gold.id, person="ann", client=tab) is None
    leases.release(db, gold.id, person="ann", client="tab-one1")
    assert leases.take(db, gold.id, person="bob", client="tab-of-bob") is not None
    leases.release(db, gold.id, person="ann", client="tab-two2")
    assert leases.take(db, gold.id, person="bob", client="tab-of-bob") is None
    assert _events(db) == [("taken", "ann", ""), ("released", "ann", ""), ("taken", "bob", "")]


def test_edits_and_verdicts_of_another_person_are_refused_and_nothing_is_stored(db: Db, gold: Gold) -> None:
    leases.take(db, gold.id, person="ann", client="tab-of-ann")
    with pytest.raises(Leased, match="ann works on this table"):
        add_edits(db, gold.id, [EDIT], person="bob", after=0)
    with pytest.raises(Leased):
        add_verdict(db, gold.id, verdict="accept", person="bob", id="v", at_revision=0)
    assert add_edits(db, gold.id, [EDIT], person="ann", after=0) == 1


def test_a_second_send_of_a_stored_edit_is_passed_over_after_a_take_over(db: Db, gold: Gold) -> None:
    add_edits(db, gold.id, [EDIT], person="ann", after=0)
    leases.take(db, gold.id, person="bob", client="tab-of-bob")
    assert add_edits(db, gold.id, [EDIT], person="ann", after=0) == 1


def test_taking_over_is_logged_and_cannot_be_erased(db: Db, gold: Gold) -> None:
    leases.take(db, gold.id, person="ann", client="tab-of-ann")
    assert leases.take(db, gold.id, person="bob", client="tab-of-bob", over=True) is None
    with pytest.raises(Leased, match="bob"):
        add_edits(db, gold.id, [EDIT], person="ann", after=0)
    assert _events(db)[-1] == ("taken over", "bob", "ann")
    with pytest.raises(Exception, match="append-only"), db.write() as writer:
        writer.execute("delete from lease_event")


def test_a_table_that_nobody_gives_a_sign_of_is_free_again(db: Db, gold: Gold, monkeypatch: pytest.MonkeyPatch) -> None:
    leases.take(db, gold.id, person="ann", client="tab-of-ann")
    started = leases.time.time()
    monkeypatch.setattr(leases.time, "time", lambda: started + 170)
    assert leases.take(db, gold.id, person="bob", client="tab-of-bob") is not None
    leases.take(db, gold.id, person="ann", client="tab-of-ann")
    monkeypatch.setattr(leases.time, "time", lambda: started + 349)
    assert leases.take(db, gold.id, person="bob", client="tab-of-bob") is not None
    monkeypatch.setattr(leases.time, "time", lambda: started + 351)
    assert leases.take(db, gold.id, person="bob", client="tab-of-bob") is None
    assert _events(db) == [("taken", "ann", ""), ("expired", "ann", ""), ("taken", "bob", "")]


def test_accepting_lets_the_table_go(db: Db, gold: Gold) -> None:
    leases.take(db, gold.id, person="ann", client="tab-of-ann")
    add_verdict(db, gold.id, verdict="accept", person="ann", id="v", at_revision=0)
    assert leases.take(db, gold.id, person="bob", client="tab-of-bob") is None


def test_a_project_may_share_its_tables(db: Db, gold: Gold) -> None:
    leases.take(db, gold.id, person="ann", client="tab-of-ann")
    leases.set_rule(db, "default", LeaseRule(shared=True), person="ann")
    assert leases.take(db, gold.id, person="bob", client="tab-of-bob") is None
    assert add_edits(db, gold.id, [EDIT], person="bob", after=0) == 1
    with db.read() as reader:
        assert leases.held(reader, apart_from="bob") == {}


def test_a_length_that_is_none_is_refused(db: Db) -> None:
    with pytest.raises(StoreError, match="0 minutes"):
        leases.set_rule(db, "default", LeaseRule(minutes=0), person="ann")


def test_the_next_table_is_none_that_somebody_else_has(db: Db, gold: Gold, document: object, tmp_path: Path) -> None:
    from scoring.table import from_rows
    from store.gold import add_gold

    other, _ = add_gold(db, gold.document, from_rows([["a"], ["1"]]), name="other", base="blank", person="ann")
    third, _ = add_gold(db, gold.document, from_rows([["a"], ["1"]]), name="third", base="blank", person="ann")
    leases.take(db, other.id, person="bob", client="tab-of-bob")
    with db.read() as reader:
        assert queue.place(db, reader, gold.id, person="ann").next == third.id
        assert queue.place(db, reader, gold.id, person="bob").next == other.id
