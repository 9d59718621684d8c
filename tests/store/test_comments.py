from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from scoring.table import Table
from store import queue
from store.comments import Discussed, NewComment, UnfitComment, add_comments, new_comment, open_threads, threads
from store.db import Db
from store.documents import Document
from store.edits import Delete, SetText, TextChange, touching
from store.exporting import export
from store.gold import Gold, NewEdit, add_edits, add_gold, status
from store.guidelines import add_guidelines, add_reading, guidelines, was_read
from store.home import Home
from store.reviews import add_verdict

ASKED = NewComment("comment-1", "comment", "Is this 0 or O?", "comment-1", "b2", "b1")


def said(key: str, kind: str, text: str = "") -> NewComment:
    return new_comment({"id": key, "kind": kind, "text": text, "thread": ASKED.id})


@pytest.fixture
def add(db: Db, gold: Gold) -> Callable[[Sequence[NewComment]], tuple[str, ...]]:
    return lambda new: add_comments(db, gold.id, new, person="ann")


def test_a_comment_sent_twice_is_stored_once(db: Db, gold: Gold) -> None:
    for _ in range(2):
        add_comments(db, gold.id, [ASKED], person="ann")
    with db.read() as reader:
        (thread,) = threads(reader, gold.id)
    assert [(one.text, one.person) for one in thread.comments] == [("Is this 0 or O?", "ann")]
    assert (thread.row_id, thread.col_id, thread.is_open) == ("b2", "b1", True)


def test_the_same_id_with_other_words_is_refused(db: Db, gold: Gold) -> None:
    add_comments(db, gold.id, [ASKED], person="ann")
    with pytest.raises(UnfitComment, match="other contents"):
        add_comments(db, gold.id, [replace(ASKED, text="Never mind")], person="ann")
    with pytest.raises(UnfitComment, match="other contents"):
        add_comments(db, gold.id, [ASKED], person="bob")


def test_a_thread_is_resolved_opened_again_and_resolved_with_words(db: Db, gold: Gold) -> None:
    turns = [said("answer-11", "comment", "0, see page"), said("resolve-1", "resolve"), said("reopen-11", "reopen")]
    states = []
    for new in (ASKED, *turns, said("resolve-2", "resolve", "checked with the lab")):
        add_comments(db, gold.id, [new], person="ann")
        with db.read() as reader:
            states.append(open_threads(reader, gold.id))
    assert states == [1, 1, 0, 1, 0]


def test_an_open_comment_blocks_acceptance_until_it_is_resolved(db: Db, gold: Gold) -> None:
    add_comments(db, gold.id, [ASKED], person="bob")
    with pytest.raises(Discussed, match=r"1 open comment: answer and resolve it"):
        add_verdict(db, gold.id, verdict="accept", person="ann", id="verdict-1", at_revision=0)
    with db.read() as reader:
        assert status(reader, gold.id) == "open"
    add_verdict(db, gold.id, verdict="skip", person="ann", id="verdict-2", at_revision=0)
    add_comments(db, gold.id, [said("resolve-1", "resolve")], person="ann")
    assert add_verdict(db, gold.id, verdict="accept", person="ann", id="verdict-1", at_revision=0) == "accepted"


def test_an_accept_sent_again_after_someone_commented_is_still_one_accept(db: Db, gold: Gold) -> None:
    add_verdict(db, gold.id, verdict="accept", person="ann", id="verdict-1", at_revision=0)
    add_comments(db, gold.id, [ASKED], person="bob")
    assert add_verdict(db, gold.id, verdict="accept", person="ann", id="verdict-1", at_revision=0) == "accepted"


def test_the_thread_of_a_deleted_row_is_kept(db: Db, gold: Gold, table: Table) -> None:
    add_comments(db, gold.id, [ASKED], person="ann")
    gone = Delete("row", 2, ("b2",), touching(table, "row", 2, 1))
    add_edits(db, gold.id, [NewEdit("delete-row", gone)], person="ann", after=0)
    with db.read() as reader:
        assert [thread.row_id for thread in threads(reader, gold.id)] == ["b2"]


def test_a_reason_belongs_to_an_edit_and_blocks_nothing(db: Db, gold: Gold) -> None:
    add_edits(db, gold.id, [NewEdit("edit-0001", SetText((TextChange(2, 1, "O.40", "0.40"),)))], person="ann", after=0)
    why = new_comment({"id": "reason-01", "kind": "reason", "text": "The page says 0", "edit": "edit-0001"})
    add_comments(db, gold.id, [why], person="ann")
    with db.read() as reader:
        (thread,) = threads(reader, gold.id)
        assert open_threads(reader, gold.id) == 0
    assert thread.edit == "edit-0001"
    with pytest.raises(UnfitComment, match="no edit of this table"):
        add_comments(db, gold.id, [replace(why, id="reason-02", thread="reason-02", edit="edit-9999")], person="ann")


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ({"id": "short"}, "8 to 64"),
        ({"kind": "shout"}, "expected one of"),
        ({"text": "  "}, "1 to 10,000"),
        ({"text": "x" * 10_001}, "1 to 10,000"),
        ({"row": "b1"}, "both or neither"),
        ({"row": 1, "col": "b1"}, "ids, or nothing"),
        ({"at": "today"}, "expected a time"),
        ({"thread": 7}, "expected the id"),
    ],
)
def test_a_comment_that_cannot_be_read_is_refused_in_words(part: dict[str, object], words: str) -> None:
    with pytest.raises(UnfitComment, match=words):
        new_comment({"id": "comment-1", "text": "Why?", **part})


@pytest.mark.parametrize("kind", ["comment", "resolve"])
def test_nothing_answers_a_thread_that_is_not_there(add: Callable[..., object], kind: str) -> None:
    with pytest.raises(UnfitComment, match="no thread here"):
        add([said("answer-11", kind, "yes")])
    with pytest.raises(UnfitComment, match="names no thread"):
        add([new_comment({"id": "resolve-1", "kind": "resolve"})])


def test_a_comment_of_another_table_is_no_thread_here(db: Db, document: Document, gold: Gold, table: Table) -> None:
    other, _ = add_gold(db, document.id, table, name="other", base="blank", person="ann")
    add_comments(db, other.id, [ASKED], person="ann")
    with pytest.raises(UnfitComment, match="no thread here"):
        add_comments(db, gold.id, [said("answer-11", "comment", "yes")], person="ann")


@pytest.mark.parametrize("table_name", ["comment", "guidelines"])
@pytest.mark.parametrize("statement", ["update {} set text = ''", "delete from {}"])
def test_the_database_refuses_to_change_what_was_said(db: Db, gold: Gold, table_name: str, statement: str) -> None:
    add_comments(db, gold.id, [ASKED], person="ann")
    add_guidelines(db, "Read the *page*.", table_type="parts", project="default")
    connection = sqlite3.connect(db.path)
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        connection.execute(statement.format(table_name))
    connection.close()


def test_the_queue_counts_open_comments_at_once(db: Db, gold: Gold) -> None:
    def counts() -> list[int]:
        with db.read() as reader:
            return [entry.comments for entry in queue.entries(db, reader, queue.Filter())]

    assert counts() == [0]
    add_comments(db, gold.id, [ASKED], person="ann")
    assert counts() == [1]
    add_comments(db, gold.id, [said("resolve-1", "resolve")], person="ann")
    assert counts() == [0]


def test_the_export_with_provenance_carries_the_comments(db: Db, home: Home, gold: Gold) -> None:
    add_comments(db, gold.id, [ASKED, said("resolve-1", "resolve", "it is 0")], person="ann")
    with db.read() as reader:
        (file,) = export(db, home, reader, person="ann", to="jsonl", accepted_only=False)
    (thread,) = json.loads(file.body)["comments"]
    assert (thread["row"], thread["col"], thread["open"]) == ("b2", "b1", False)
    assert [(one["kind"], one["text"]) for one in thread["comments"]] == [
        ("comment", "Is this 0 or O?"),
        ("resolve", "it is 0"),
    ]


def test_guidelines_are_new_to_each_person_until_read_and_again_when_their_words_change(db: Db) -> None:
    def unread(person: str) -> bool:
        with db.read() as reader:
            found = guidelines(reader, "parts", project="p")
            assert found is not None
            return not was_read(reader, found.id, person=person)

    def read(person: str) -> None:
        with db.read() as reader:
            found = guidelines(reader, "parts", project="p")
        assert found is not None
        add_reading(db, found.id, person=person)

    assert add_guidelines(db, "First", table_type="parts", project="p")
    assert not add_guidelines(db, "First", table_type="parts", project="p")
    read("ann")
    assert (unread("ann"), unread("bob")) == (False, True)
    assert add_guidelines(db, "Second", table_type="parts", project="p")
    assert unread("ann")


def test_empty_guidelines_take_the_older_ones_back(db: Db) -> None:
    assert not add_guidelines(db, "", table_type="parts", project="p")
    add_guidelines(db, "First", table_type="parts", project="p")
    add_guidelines(db, "", table_type="parts", project="p")
    with db.read() as reader:
        assert guidelines(reader, "parts", project="p") is None
