from __future__ import annotations

from store.catch_rates import CatchRate, catch_rates
from store.db import Db, insert, now


def _met(db: Db, person: str, caught: int, missed: int, *, kind: str = "digit") -> None:
    with db.write() as writer:
        gold = 1
        if not list(writer.query("select 1 from document")):
            part = {"project": "hand", "sha256": "0" * 64, "name": "a.pdf", "media_type": "application/pdf", "bytes": 1}
            insert(writer, "document", {**part, "added_at": now(), "added_by": "ann"})
            table = {"document": 1, "position": 0, "name": "t", "base": "extraction", "body": "{}", "sha256": ""}
            insert(writer, "gold", {**table, "added_at": now(), "added_by": "ann"})
            insert(writer, "seeded_rule", {"project": "hand", "share": 0.1, "seed": 1, "person": "ann", "at": now()})
        for number, outcome in enumerate(["caught"] * caught + ["missed"] * missed + ["withdrawn"]):
            cell = {"gold": gold, "row_id": f"{person}{kind}{number}", "col_id": "b0", "kind": kind, "truth": "1"}
            seed = insert(writer, "seeded_cell", {**cell, "shown": "7", "level": "high", "rule": 1, "at": now()})
            insert(writer, "seeded_outcome", {"seeded": seed, "outcome": outcome, "person": person, "at": now()})


def test_rates_are_by_kind_and_badge_and_leave_out_what_was_withdrawn(db: Db) -> None:
    _met(db, "ann", 3, 1)
    _met(db, "bob", 1, 1, kind="sign")
    with db.read() as reader:
        found = catch_rates(reader, project="hand")
    assert (found.whole.caught, found.whole.met) == (4, 6)
    assert found.kinds == [CatchRate("sign", 1, 2), CatchRate("digit", 3, 4)]
    assert found.levels == [CatchRate("high", 4, 6)]


def test_others_see_a_person_only_with_thirty_and_a_person_sees_their_own(db: Db) -> None:
    _met(db, "ann", 20, 10)
    _met(db, "bob", 20, 9)
    with db.read() as reader:
        found, own = catch_rates(reader, project="hand"), catch_rates(reader, person="bob")
    assert [one.name for one in found.people] == ["ann"]
    assert found.others == 1
    assert (own.whole.caught, own.whole.met) == (20, 29)


def test_a_rate_without_an_error_met_is_undefined(db: Db) -> None:
    with db.read() as reader:
        assert catch_rates(reader).to_json()["whole"] == {
            **{"name": "", "caught": 0, "met": 0},
            **{"rate": None, "low": None, "high": None},
        }
