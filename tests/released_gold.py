"""What people do with gold between two releases."""

from __future__ import annotations

from store import edits
from store.db import Db
from store.gold import NewEdit, add_edits, current
from store.reviews import Verdict, add_verdict


def judge(db: Db, gold: int, verdict: Verdict) -> None:
    with db.read() as reader:
        number, _ = current(db, reader, gold)
    with db.write() as writer:
        count = writer["verdict"].count
    add_verdict(db, gold, verdict=verdict, person="ann", id=f"verdict-{count}", at_revision=number)


def put(db: Db, gold: int, row: int, col: int, text: str) -> None:
    """Reopen, set one text, accept."""
    judge(db, gold, "reopen")
    with db.read() as reader:
        number, sheet = current(db, reader, gold)
    change = edits.SetText((edits.TextChange(row, col, sheet.table.text_at(row, col), text),))
    add_edits(db, gold, [NewEdit(f"edit-{gold}-{number}", change)], person="bob", after=number)
    judge(db, gold, "accept")
