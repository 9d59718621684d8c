"""Comments: threads at a cell or a whole table, and reasons given for an edit afterwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from sqlite_utils import Database

from store.db import Db, insert, now, row
from store.gold import Refused, gold, is_time
from store.rights import expect_right

Kind = Literal["comment", "resolve", "reopen", "reason"]
LONGEST_TEXT = 10_000


class UnfitComment(Refused):
    """A comment that cannot be read, or that answers what is not there."""

    def __init__(self, comment: str, message: str) -> None:
        super().__init__(message)
        self.comment = comment


class Discussed(Refused):
    """A table that cannot be accepted while people still discuss it."""

    def __init__(self, open_threads: int) -> None:
        super().__init__(
            "1 open comment: answer and resolve it, then accept the table."
            if open_threads == 1
            else f"{open_threads} open comments: answer and resolve them, then accept the table."
        )


@dataclass(frozen=True)
class NewComment:
    """Something said, as a client sends it; ``id`` is the client's, so that a second send stores nothing twice.

    ``thread`` is the id of the comment that began the thread. A thread begins at a cell, which is named by
    its row id and column id, at an edit for a reason, or at neither, which means the whole table.
    """

    id: str
    kind: Kind
    text: str = ""
    thread: str = ""
    row_id: str | None = None
    col_id: str | None = None
    edit: str | None = None
    made_at: str = ""


@dataclass(frozen=True)
class Comment:
    """Something said in a thread: a comment, or that the thread is resolved or open again."""

    id: str
    kind: Kind
    text: str
    person: str
    made_at: str


@dataclass(frozen=True)
class Thread:
    """What was said at one cell, one edit or the whole table, in the order in which it was stored."""

    id: str
    row_id: str | None
    col_id: str | None
    edit: str | None
    comments: tuple[Comment, ...]

    @property
    def is_open(self) -> bool:
        """Whether it waits for an answer: begun by a comment, and not resolved since it was opened last."""
        turns = [comment.kind for comment in self.comments if comment.kind in ("resolve", "reopen")]
        return self.comments[0].kind == "comment" and (not turns or turns[-1] == "reopen")

    def to_json(self) -> dict[str, Any]:
        """The thread as routes and exports write it."""
        return {
            "id": self.id,
            "row": self.row_id,
            "col": self.col_id,
            "edit": self.edit,
            "open": self.is_open,
            "comments": [
                {"id": said.id, "kind": said.kind, "text": said.text, "person": said.person, "at": said.made_at}
                for said in self.comments
            ],
        }


def add_comments(db: Db, key: int, new: Sequence[NewComment], *, person: str) -> tuple[str, ...]:
    """Keep comments in one transaction and return their ids; those that are stored already are passed over.

    Raises UnfitComment, and stores nothing then. An accepted table may be discussed as well.
    """
    with db.write() as writer:
        expect_right(writer, person, "review")
        gold(writer, key)
        for said in new:
            if _is_stored(writer, key, said, person):
                continue
            begins = said.thread == said.id
            if begins:
                _expect_start(writer, key, said)
            elif not row(writer, "select 1 from comment where id = ? and thread = id and gold = ?", (said.thread, key)):
                raise UnfitComment(said.id, f"comment {said.id} answers {said.thread!r}, which is no thread here")
            stored_at = now()
            insert(
                writer,
                "comment",
                {
                    "id": said.id,
                    "gold": key,
                    "thread": said.thread,
                    "kind": said.kind,
                    "row_id": said.row_id if begins else None,
                    "col_id": said.col_id if begins else None,
                    "edit": said.edit if begins else None,
                    "text": said.text,
                    "person": person,
                    "made_at": said.made_at or stored_at,
                    "stored_at": stored_at,
                },
            )
    return tuple(said.id for said in new)


def threads(reader: Database, key: int) -> tuple[Thread, ...]:
    """The threads of a gold table in the order in which they were begun."""
    said: dict[str, list[dict[str, Any]]] = {}
    for entry in reader.query("select * from comment where gold = ? order by rowid", (key,)):
        said.setdefault(entry["thread"], []).append(entry)
    return tuple(
        Thread(
            name,
            first["row_id"],
            first["col_id"],
            first["edit"],
            tuple(Comment(e["id"], e["kind"], e["text"], e["person"], e["made_at"]) for e in (first, *rest)),
        )
        for name, (first, *rest) in said.items()
    )


def open_threads(reader: Database, key: int) -> int:
    """How many threads of a gold table wait for an answer."""
    return sum(thread.is_open for thread in threads(reader, key))


def new_comment(value: Mapping[str, Any]) -> NewComment:
    """The comment that a client sent; raises UnfitComment where a part is missing or of another type."""
    key, kind, text, made_at = value.get("id"), value.get("kind", "comment"), value.get("text", ""), value.get("at", "")
    if not isinstance(key, str) or not 8 <= len(key) <= 64:
        raise UnfitComment(str(key), f"comment id {key!r}, expected a text of 8 to 64 characters made by the client")
    if kind not in get_args(Kind):
        raise UnfitComment(key, f"kind {kind!r}, expected one of {', '.join(get_args(Kind))}")
    if not isinstance(text, str) or len(text) > LONGEST_TEXT or (not text.strip() and kind in ("comment", "reason")):
        raise UnfitComment(key, f"text of {kind} {key}, expected 1 to {LONGEST_TEXT:,} characters")
    if not isinstance(made_at, str) or (made_at and not is_time(made_at)):
        raise UnfitComment(key, f"at {made_at!r}, expected a time such as 2026-11-30T09:15:00Z, or nothing")
    row_id, col_id, edit = (value.get(name) for name in ("row", "col", "edit"))
    if any(
        name is not None and not (isinstance(name, str) and 1 <= len(name) <= 64) for name in (row_id, col_id, edit)
    ):
        raise UnfitComment(key, "row, col and edit: expected ids, or nothing")
    if (row_id is None) != (col_id is None):
        raise UnfitComment(key, f"row {row_id!r} and col {col_id!r}, expected both or neither")
    thread = value.get("thread") or key
    if not isinstance(thread, str):
        raise UnfitComment(key, f"thread {thread!r}, expected the id of the comment that began it, or nothing")
    return NewComment(key, kind, text, thread, row_id, col_id, edit, made_at)


def _expect_start(writer: Database, key: int, said: NewComment) -> None:
    if said.kind in ("resolve", "reopen"):
        raise UnfitComment(said.id, f"{said.kind} {said.id} names no thread")
    if (said.kind == "reason") != (said.edit is not None):
        raise UnfitComment(said.id, f"{said.kind} {said.id}: a reason names an edit, a comment names none")
    if said.edit and row(writer, "select 1 from edit where id = ? and gold = ?", (said.edit, key)) is None:
        raise UnfitComment(said.id, f"reason {said.id} is for {said.edit!r}, which is no edit of this table")


def _is_stored(writer: Database, key: int, said: NewComment, person: str) -> bool:
    found = row(writer, "select gold, thread, kind, text, person from comment where id = ?", (said.id,))
    if found is None:
        return False
    if found != {"gold": key, "thread": said.thread, "kind": said.kind, "text": said.text, "person": person}:
        raise UnfitComment(said.id, f"comment {said.id} is stored already with other contents; send it under a new id")
    return True
