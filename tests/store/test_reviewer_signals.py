from __future__ import annotations

from scoring.schema import TableType
from scoring.table import from_rows
from store import gold, reviewer_signals
from store.db import Db
from store.edits import SetText, TextChange
from store.extractions import Run
from store.gold import NewEdit, add_edits
from store.home import Home
from store.reviews import add_verdict
from store.table_kinds import Kinds, open_gold
from store.table_types import add_table_type
from tests.stored_documents import put_answer, put_document

HEAD = ["article", "price"]
KIND = TableType.from_json({"name": "lines", "columns": [{"name": name} for name in HEAD]})


def _reviews(db: Db, home: Home, person: str, number: int, *, edited: int) -> None:
    add_table_type(db, KIND, project="hand")
    for at in range(number):
        document = put_document(db, home, f"{person}-{at}.pdf", [[person, str(at)]], project="hand")
        put_answer(
            db, document, Run("reader", "1"), ("lines", from_rows([HEAD, [f"bolt {at}", "1.20"]], header_rows=1))
        )
        open_gold(db, [document], {}, Kinds([KIND]), person="olga")
        with db.read() as reader:
            (table,) = gold.gold_tables(reader, document.id)
        revision = 0
        if at < edited:
            change = SetText((TextChange(1, 1, "1.20", "1.30"),))
            revision = add_edits(db, table.id, [NewEdit(f"edit-{person}-{at}", change)], person=person, after=0)
        add_verdict(db, table.id, verdict="accept", person=person, id=f"v-{person}-{at}", at_revision=revision)


def test_only_people_with_thirty_reviews_are_told_and_who_stands_out_is_named_with_the_reason(
    db: Db, home: Home
) -> None:
    _reviews(db, home, "ann", 30, edited=15)
    _reviews(db, home, "bob", 30, edited=3)
    _reviews(db, home, "cem", 29, edited=29)
    with db.read() as reader:
        whole, people = reviewer_signals.signals(db, reader, project="hand")
    assert whole is not None
    assert (whole.reviews, round(whole.edited, 3), whole.median_ms) == (89, 0.528, None)
    assert [(one.person, one.edited, one.look) for one in people] == [
        ("ann", 0.5, ""),
        ("bob", 0.1, "changes far fewer tables than all do"),
    ]


def test_a_person_is_shown_their_own_alone(db: Db, home: Home) -> None:
    _reviews(db, home, "ann", 30, edited=15)
    _reviews(db, home, "bob", 30, edited=3)
    with db.read() as reader:
        _, people = reviewer_signals.signals(db, reader, person="bob")
    assert [one.person for one in people] == ["bob"]


def test_without_reviews_there_is_nothing(db: Db) -> None:
    with db.read() as reader:
        assert reviewer_signals.signals(db, reader) == (None, ())
