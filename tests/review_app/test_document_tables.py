from __future__ import annotations

from pathlib import Path

import pytest

from review_app import document_tables
from scoring import Report
from store import edits, gold, reviews
from store.comparison import Comparison, as_judged, compare
from store.db import Db
from store.edits import SetText, TextChange
from store.gold import NewEdit
from store.home import Home
from store.ingest import ingest
from store.thresholds import Basis, set_threshold
from tests.confident_documents import confident_documents

SAMPLES = Path(__file__).parents[2] / "sample_docs"


@pytest.fixture
def orders(tmp_path: Path) -> Db:
    return Db(confident_documents(tmp_path / "orders").database)


@pytest.fixture(scope="module")
def printer(tmp_path_factory: pytest.TempPathFactory) -> Db:
    """The invoice of a printer, with its two tables."""
    home = Home(tmp_path_factory.mktemp("printer") / "home")
    db = Db(home.database)
    ingest(db, home, [SAMPLES / "invoice-printer"], person="ann", project="samples")
    return db


def compared(db: Db, key: int) -> Comparison:
    with db.read() as reader:
        return compare(db, reader, key)


def texts(table: document_tables.Rows) -> list[list[str]]:
    return [[cell.text for cell in row] for row in table[1]]


def test_a_difference_is_told_with_its_cause_and_badge_and_leads_to_its_cell(orders: Db) -> None:
    found = compared(orders, 1)
    rows = document_tables.differences(found, found)[1]
    assert texts(([], rows)) == [
        ["1", "price", "0.00", "7777", "wrong value", "unknown", "▲\u00a0Low"],
        ["1", "السعر", "0.00", "8888", "wrong value", "unknown", "●\u00a0High"],
    ]
    sheet = found.sheet
    assert rows[0][0].link == f"review?table=1&cell={sheet.row_ids[1]}:{sheet.col_ids[2]}"


def test_the_differences_are_those_of_the_score_each_with_a_cause(printer: Db) -> None:
    for key in (1, 2):
        found = compared(printer, key)
        report: Report = found.report
        assert found.causes.differences == report.differences
        rows = texts(document_tables.differences(found, found))
        assert len(rows) == len(report.differences) > 0
        assert all(row[5] for row in rows)


def test_a_badge_is_that_of_the_time_of_acceptance_and_what_it_is_now_is_told_beside_it(orders: Db) -> None:
    basis = Basis(run=0, cells=384, documents=48, data="x")
    set_threshold(orders, project="orders", table_type="lines", field="price", tau=0.4, basis=basis, person="ada")
    with orders.read() as reader:
        now = compare(orders, reader, 1)
        then = as_judged(reader, now)
    cell = document_tables.differences(now, then)[1][0][6]
    assert (cell.text, cell.more) == ("▲\u00a0Low", ("now ●\u00a0High",))
    reviews.add_verdict(orders, 1, verdict="reopen", person="ada", id="reopen", at_revision=0)
    reviews.add_verdict(orders, 1, verdict="accept", person="ada", id="again", at_revision=0)
    with orders.read() as reader:
        then = as_judged(reader, compare(orders, reader, 1))
    cell = document_tables.differences(now, then)[1][0][6]
    assert (cell.text, cell.more) == ("●\u00a0High", ())


def test_checks_that_fail_are_told_apart_for_the_first_extraction_and_for_gold(printer: Db) -> None:
    found = compared(printer, 2)
    rows = texts(document_tables.checks(found))
    assert {row[0] for row in rows} == {"First extraction"}
    assert any("111.60" in row[3] for row in rows)


def test_the_story_of_a_table_tells_edits_undos_and_verdicts_in_order(orders: Db) -> None:
    key = 49  # the first open one
    correction = SetText((TextChange(1, 2, "1.10", "1.11"),))
    back = edits.inverse(correction, compared(orders, key).sheet)
    made = [
        NewEdit("one", correction, made_at="2026-01-02T10:00:00.000+00:00", active_ms=2000),
        NewEdit("two", back, undoes="one", made_at="2026-01-02T10:00:09.000+00:00"),
    ]
    gold.add_edits(orders, key, made, person="ann", after=0)
    reviews.add_verdict(orders, key, verdict="flag", person="bob", id="flag", at_revision=2, reason="page is torn")
    with orders.read() as reader:
        rows = texts(document_tables.story(gold.history(reader, key), reviews.verdicts(reader, key)))
    assert rows[0] == ["2026-01-02 10:00:00", "ann", "changed text: '1.10' to '1.11'", "typed", "2 s"]
    assert rows[1][2] == "undo: changed text: '1.11' to '1.10'"
    assert rows[2][1:4] == ["bob", "flagged it: page is torn", ""]


def test_a_time_is_told_beside_those_of_tables_like_it() -> None:
    others = [60_000, 100_000, 120_000, 140_000, 300_000]
    middle = "5 other tables of its type took 2 min 00 s in the middle, half of them 1 min 40 s to 2 min 20 s."
    assert document_tables.beside_others(110_000, others) == f"As usual: {middle}"
    assert document_tables.beside_others(99_000, others) == f"Quicker than most: {middle}"
    assert document_tables.beside_others(141_000, others) == f"Slower than most: {middle}"
    assert document_tables.beside_others(110_000, others[:4]) == ""
