from __future__ import annotations

import pytest

from store.db import Db, insert
from store.turns import Turns


def put(db: Db, name: str) -> None:
    with db.write() as writer:
        insert(writer, "received", {"sha256": name, "name": name, "body": b""})


def names(db: Db) -> list[str]:
    with db.read() as reader:
        return [entry["sha256"] for entry in reader.query("select sha256 from received order by sha256")]


def test_a_part_that_fails_is_taken_back_alone(db: Db) -> None:
    with Turns(db) as turns:
        with turns.part():
            put(db, "a")
        with pytest.raises(ValueError, match="bad"), turns.part():
            put(db, "b")
            raise ValueError("bad")
        with turns.part():
            put(db, "c")
        assert names(db) == []  # still one transaction
        turns.end()
        assert names(db) == ["a", "c"]
        with turns.part():
            put(db, "d")
    assert names(db) == ["a", "c", "d"]


def test_parts_that_are_old_are_stored_before_the_next_begins(db: Db, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("store.turns.HELD_S", -1.0)
    with Turns(db) as turns:
        for name in "ab":
            with turns.part():
                put(db, name)
        assert names(db) == ["a"]


def test_an_exception_that_leaves_the_block_takes_back_what_is_open(db: Db) -> None:
    with pytest.raises(RuntimeError), Turns(db) as turns:
        with turns.part():
            put(db, "a")
        raise RuntimeError
    assert names(db) == []
