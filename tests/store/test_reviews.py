from __future__ import annotations

import pytest

from store.db import Db
from store.edits import SetText, TextChange
from store.gold import Gold, NewEdit, Stale, add_edits, status
from store.reviews import add_verdict, verdicts


def test_accepting_another_revision_than_the_current_one_is_refused(db: Db, gold: Gold) -> None:
    add_edits(db, gold.id, [NewEdit("edit-0001", SetText((TextChange(2, 1, "O.40", "0.40"),)))], person="ann", after=0)
    with pytest.raises(Stale):
        add_verdict(db, gold.id, verdict="accept", person="bob", id="verdict-1", at_revision=0)


def test_a_verdict_sent_twice_is_recorded_once(db: Db, gold: Gold) -> None:
    for _ in range(2):
        add_verdict(db, gold.id, verdict="accept", person="ann", id="verdict-1", at_revision=0)
    with db.read() as reader:
        assert len(verdicts(reader, gold.id)) == 1
        assert status(reader, gold.id) == "accepted"


def test_skipping_leaves_a_table_open(db: Db, gold: Gold) -> None:
    assert add_verdict(db, gold.id, verdict="skip", person="ann", id="verdict-1", at_revision=0) == "open"
