"""Six documents of which every figure can be worked out by hand."""

from __future__ import annotations

from pathlib import Path

from scoring.schema import TableType
from scoring.table import from_rows
from store.attempts import add_attempt
from store.db import Db
from store.documents import Document
from store.extractions import Run
from store.home import Home
from store.reviews import add_verdict
from store.table_types import add_table_type
from tests.stored_documents import put_answer, put_document, put_gold

HEAD = ["article", "quantity", "price"]
LINES = TableType.from_json({"name": "lines", "label": "Line items", "columns": [{"name": name} for name in HEAD]})
ROWS = [["bolt", "2", "1.20"], ["washer", "30", "0.10"]]

Rows = list[list[str]]

# Name, kind, gold, what was extracted (None = the extractor gave no answer).
DOCUMENTS: tuple[tuple[str, str, Rows, Rows | None], ...] = (
    ("right.pdf", "invoice", ROWS, ROWS),  # 6 right, 6 extracted, 6 expected
    ("wrong-value.pdf", "invoice", ROWS, [["bolt", "2", "7.20"], ROWS[1]]),  # 5, 6, 6
    ("absent-value.pdf", "invoice", [["bolt", "", "1.20"], ROWS[1]], ROWS),  # 5, 6, 5
    ("duplicate-row.pdf", "order", ROWS, [*ROWS, ROWS[1]]),  # 6, 9, 6
    ("no-answer.pdf", "order", ROWS, None),  # 0, 0, 6
    ("empty.pdf", "order", [], []),  # 0, 0, 0: neither passes nor fails
)


def six_documents(folder: Path) -> Home:
    """A home with the documents in project "hand", read by "reader 1"; its second repeat has only the first two."""
    folder.mkdir(parents=True)
    home = Home(folder)
    db = Db(home.database)
    add_table_type(db, LINES, project="hand")
    for number, (name, kind, rows, extracted) in enumerate(DOCUMENTS):
        document = put_document(db, home, name, rows, project="hand", doc_type=kind)
        gold = put_gold(db, document, from_rows([HEAD, *rows], header_rows=1))
        add_verdict(db, gold.id, verdict="accept", person="ann", id=f"accept-{number}", at_revision=0)
        for repeat in (1, 2)[: 2 if number < 2 else 1]:
            _try(db, document, Run("reader", "1", repeat=repeat), extracted)
    db.close()
    return home


def _try(db: Db, document: Document, run: Run, rows: Rows | None) -> None:
    key, raw = None, b"" if rows is None else repr((run, rows)).encode()
    if rows is not None:
        key = put_answer(db, document, run, ("lines", from_rows([HEAD, *rows], header_rows=1)), raw=raw).id
    add_attempt(
        db,
        document.id,
        run,
        outcome="no answer" if rows is None else "read",
        reason="cut off after 3 bytes" if rows is None else "",
        seconds=0.5,
        raw=raw,
        file_name="answer.json",
        extraction=key,
        person="ann",
    )
