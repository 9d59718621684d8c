from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from review_app import review_view
from scoring.confidence.badges import Doubt
from store import documents, gold
from store.comparison import Comparison, compare
from store.db import Db
from store.doubt_kinds import reasons_of
from store.edits import SetText, TextChange
from store.gold import NewEdit, add_edits
from store.home import Home
from store.ingested import Ingested
from store.queue import Filter, entries
from store.strips import Scope, strip

SAMPLES = Path(__file__).parents[2] / "sample_docs"
INVOICE = SAMPLES / "invoice-laboratory"


@pytest.fixture
def items(db: Db, run: Callable[..., Ingested]) -> int:
    """The number of the line items of the sample invoice, in which a price lost its point with confidence 0.981."""
    run(INVOICE)
    with db.read() as reader:
        (document,) = documents.documents(reader, project="default")
        return next(one.id for one in gold.gold_tables(reader, document.id) if one.name == "line_items")


def compared(db: Db, key: int) -> Comparison:
    with db.read() as reader:
        return compare(db, reader, key)


def said(found: Comparison) -> Iterator[tuple[str, Doubt]]:
    for doubt in found.doubts:
        if any(reason.startswith("the page reads") for reason in doubt.reasons):
            yield found.sheet.table.text_at(doubt.row, doubt.col), doubt


def test_a_cell_is_a_doubt_where_the_page_reads_otherwise_however_sure_the_extractor_is(db: Db, items: int) -> None:
    told = dict(said(compared(db, items)))
    assert set(told) == {"945", "BF-O2O58", "573.00"}
    assert told["945"].level == "low"
    assert "the page reads “9.45”" in told["945"].reasons


def test_the_reason_stands_in_the_queue_the_strip_and_the_badge(db: Db, items: int) -> None:
    with db.read() as reader:
        (entry,) = entries(db, reader, Filter(reason="page"))
        lines = strip(db, reader, Scope("default", kind="page")).lines
    assert entry.gold == items
    assert {line.line.text for line in lines} == {"945", "BF-O2O58", "573.00"}
    first = review_view.first_extraction(compared(db, items))
    assert first is not None
    badge = next(badge for badge in first["badges"] if (badge["row"], badge["col"]) == (3, 4))
    assert badge["level"] == "low"
    assert badge["reason"].startswith("the page reads “9.45”; ")


def test_a_score_that_is_high_is_no_reason_beside_what_the_page_reads(db: Db, items: int) -> None:
    found = compared(db, items)
    kinds = {text: [kind for kind, _ in reasons_of(found, doubt)] for text, doubt in said(found)}
    assert kinds["945"] == ["page", "check"]  # its score is .98
    assert "confidence" in kinds["573.00"]  # that of this one .71


def test_a_corrected_cell_is_no_longer_held_against_the_page(db: Db, items: int) -> None:
    edit = NewEdit("edit-0001", SetText((TextChange(3, 4, "945", "9.45"),)))
    add_edits(db, items, [edit], person="ann", after=0)
    assert "9.45" not in dict(said(compared(db, items)))


def test_what_the_page_reads_is_kept_and_the_page_is_not_read_again(home: Home, db: Db, items: int) -> None:
    with db.read() as reader:
        document = documents.document(reader, gold.gold(reader, items).document)
    home.document_file(document.sha256).unlink()
    again = Db(home.database)
    assert {text for text, _ in said(compared(again, items))} == {"945", "BF-O2O58", "573.00"}
    again.close()


def test_every_reading_on_the_samples_is_a_mistake_that_was_made_on_purpose(
    db: Db, run: Callable[..., Ingested]
) -> None:
    run(SAMPLES)
    found = set()
    with db.read() as reader:
        for document in documents.documents(reader, project="default"):
            for table in gold.gold_tables(reader, document.id):
                found |= {(at, text) for at, text in compare(db, reader, table.id).readings.items()}
    assert {text for _, text in found} == {
        *("9.45", "BF-02058", "578.00", "2,418.63", "CHEQUE 000318", "200.00", "30 Sep"),
        *("(12.6)", "103.9", "16.0", "673.5", "771.8", "112.0"),
    }
