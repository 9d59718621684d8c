"""Thresholds that people set, on documents whose figures follow from tests/confident_documents.py."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from scoring.confidence.field_measures import Measures, Recommendation
from store.comparison import compare
from store.confidence_cells import FieldCells, ProjectCells, project_cells
from store.confidence_fields import Field, fields, recommendation, with_interval
from store.db import Db, StoreError
from store.derived import made_anew
from store.edits import SetText, TextChange
from store.gold import NewEdit, add_edits
from store.queue import Filter, entries
from store.reviews import add_verdict
from store.thresholds import ALL_FIELDS, Basis, SetThreshold, decisions, set_threshold, thresholds
from tests.confident_documents import ACCEPTED, ARABIC, ROWS, WRONG_ARABIC, WRONG_PRICES, confident_documents

CELLS = ACCEPTED * ROWS
NOTHING = Basis(0, 0, 0, "")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return confident_documents(tmp_path_factory.mktemp("confident") / "home").database


@pytest.fixture
def db(made: Path, tmp_path: Path) -> Iterator[Db]:
    shutil.copy(made, tmp_path / "proofgrid.db")
    opened = Db(tmp_path / "proofgrid.db")
    yield opened
    opened.close()


def cells(db: Db, **options: int) -> ProjectCells:
    with db.read() as reader:
        return project_cells(db, reader, project="orders", **options)


def cells_of(db: Db, field: str) -> FieldCells:
    found = cells(db).of("lines", field)
    assert found is not None
    return found


def field(db: Db, name: str) -> Field:
    found = cells(db)
    with db.read() as reader:
        return next(each for each in fields(db, reader, found, project="orders") if each.cells.field == name)


def put(db: Db, name: str, tau: float | None, **more: object) -> None:
    values = {"low": None, "basis": NOTHING, "person": "Ada", **more}
    set_threshold(db, project="orders", table_type="lines", field=name, tau=tau, **values)  # type: ignore[arg-type]


def number_of(db: Db, name: str) -> int:
    with db.read() as reader:
        found = reader.query(
            "select gold.id from gold join document d on d.id = gold.document where d.name = ?", (name,)
        )
        return int(next(iter(found))["id"])


def queue(db: Db) -> list[tuple[str, int]]:
    """The documents in their order with the number of doubts; two articles without a score are always among them."""
    with db.read() as reader:
        return [(entry.document, entry.doubts) for entry in entries(db, reader, Filter(project="orders"))]


def decided(db: Db) -> tuple[SetThreshold, ...]:
    with db.read() as reader:
        return decisions(reader, project="orders")


def doubts(db: Db, name: str) -> list[tuple[int, int, str, str]]:
    key = number_of(db, name)
    with db.read() as reader:
        found = compare(db, reader, key).doubts
    return [(doubt.row, doubt.col, doubt.level, doubt.reasons[0]) for doubt in found if doubt.level != "none"]


def test_each_field_has_the_cells_errors_and_documents_that_were_put_there(db: Db) -> None:
    found = {each.cells.field: each.measures for each in (field(db, name) for name in ("price", ARABIC, "article"))}
    told = {name: (m.cells, m.scored, m.wrong, m.documents, m.omitted) for name, m in found.items()}
    assert told == {
        "price": (CELLS, CELLS, WRONG_PRICES, ACCEPTED, 0),
        ARABIC: (CELLS, CELLS, WRONG_ARABIC, ACCEPTED, 0),
        "article": (CELLS, 0, 0, ACCEPTED, 0),
    }
    # 24 wrong and 24 right cells of .5, all others right above: each wrong one is below 336, and equal to 24.
    assert found["price"].error_detection.auroc == pytest.approx((336 + 24 / 2) / 360)
    kinds, days = cells(db).sample(cells_of(db, "price"))
    assert kinds == {"order": ACCEPTED}
    assert days is not None


def test_the_field_that_lets_most_errors_pass_stands_first_and_all_together_last(db: Db) -> None:
    found = cells(db)
    with db.read() as reader:
        listed = fields(db, reader, found, project="orders")
    assert [(each.cells.field, each.now.through.cells_accepted_wrong) for each in listed] == [
        (ARABIC, WRONG_ARABIC),
        ("price", 0),  # its errors have .5, which is below .8
        ("article", 0),
        ("quantity", 0),
        (ALL_FIELDS, WRONG_ARABIC),
    ]


def test_half_of_the_documents_recommend_the_score_above_all_errors(db: Db) -> None:
    found = cells(db)
    with db.read() as reader:
        told = recommendation(db, reader, found, cells_of(db, "price"), alpha=0.05, delta=0.1)
        again = recommendation(db, reader, found, cells_of(db, "price"), alpha=0.05, delta=0.1)
    assert told == again
    assert (told.threshold.tau, told.threshold.wrong, told.threshold.documents) == (0.7, 0, ACCEPTED // 2)
    assert told.passed is not None
    # In the other half all but the first row pass, and no document as a whole.
    assert (told.passed.cells_accepted, told.passed.cells_accepted_wrong) == (ACCEPTED // 2 * 7, 0)
    assert told.passed.documents_accepted == 0
    assert told.upper == pytest.approx(1 - 0.1 ** (1 / 168))  # exact limit of 0 of 168


def test_the_interval_of_the_auroc_is_worked_out_when_it_is_asked_for_and_kept(db: Db) -> None:
    price = field(db, "price")
    with db.read() as reader:
        assert with_interval(db, reader, price) is None
        made = with_interval(db, reader, price, at_once=False)
    with db.read() as reader:
        kept = with_interval(db, reader, price)
    assert made is not None
    assert kept is not None
    low, high = made.measures.error_detection.interval or (0.0, 0.0)
    assert low < (price.measures.error_detection.auroc or 0.0) < high
    assert kept.measures == made.measures


def test_what_is_kept_comes_back_the_same(db: Db) -> None:
    measured = field(db, "price").measures
    db.remembered.clear()
    assert field(db, "price").measures == measured
    assert Measures.from_json(measured.to_json()) == measured
    found = cells(db)
    with db.read() as reader:
        none = recommendation(db, reader, found, cells_of(db, ARABIC), alpha=0.02)
    assert none.threshold.tau is None
    assert Recommendation.from_json(none.to_json()) == none


def test_a_threshold_changes_badges_doubts_and_the_order_of_the_queue(db: Db) -> None:
    assert queue(db) == [("doubt-a.pdf", 4), ("doubt-b.pdf", 3)]
    put(db, "price", 0.7)
    assert doubts(db, "doubt-a.pdf") == []
    with db.read() as reader:
        found = compare(db, reader, number_of(db, "doubt-a.pdf"))
    badge = found.badge(found.first_table.at(1, 2))
    day = decided(db)[0].set_at[:10]
    assert badge.level == "high"
    assert badge.reason == f"cell confidence 0.72 (acme), at least 0.70, set by Ada on {day}"
    assert queue(db) == [("doubt-b.pdf", 3), ("doubt-a.pdf", 2)]
    put(db, "price", 0.97, low=0.71)
    assert [entry[:3] for entry in doubts(db, "doubt-a.pdf")] == [(1, 2, "medium"), (2, 2, "medium")]
    assert doubts(db, "doubt-a.pdf")[0][3] == f"cell confidence 0.72 (acme), below 0.97, set by Ada on {day}"
    assert queue(db) == [("doubt-a.pdf", 4), ("doubt-b.pdf", 5)]
    put(db, "price", 0.97, low=0.73)
    assert {entry[2] for entry in doubts(db, "doubt-a.pdf")} == {"low"}


def test_what_is_open_is_worked_out_anew_after_a_threshold_and_what_is_accepted_is_not(
    db: Db, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue(db)
    made: list[int] = []
    monkeypatch.setattr("store.derived.compare", lambda db, reader, key: made.append(key) or compare(db, reader, key))
    put(db, "price", 0.7)
    with db.read() as reader:
        told = list(made_anew(db, reader, project="orders", table_type="lines"))
    assert told[-1] == (ACCEPTED + 2, ACCEPTED + 2)
    assert made == [number_of(db, "doubt-a.pdf"), number_of(db, "doubt-b.pdf")]
    assert queue(db)[0] == ("doubt-b.pdf", 3)


def test_back_to_the_default_is_a_decision_too_and_all_are_kept(db: Db) -> None:
    put(db, "price", 0.7), put(db, "price", None)
    assert queue(db) == [("doubt-a.pdf", 4), ("doubt-b.pdf", 3)]
    assert [(entry.way, entry.tau) for entry in decided(db)] == [("by hand", 0.7), ("default", None)]
    with db.read() as reader:
        assert thresholds(reader, project="orders") == {}


def test_a_threshold_of_all_fields_holds_where_a_field_has_none_of_its_own(db: Db) -> None:
    put(db, ALL_FIELDS, 0.7)
    assert queue(db) == [("doubt-a.pdf", 2), ("doubt-b.pdf", 2)]
    put(db, "price", 0.9)
    assert queue(db) == [("doubt-a.pdf", 4), ("doubt-b.pdf", 2)]
    assert field(db, "quantity").tau == 0.7
    assert not field(db, "quantity").is_stale  # that of all fields is told with all fields


def test_a_threshold_is_stale_once_a_cell_that_it_was_chosen_on_is_another(db: Db) -> None:
    put(db, "price", 0.7, basis=cells_of(db, "price").basis)
    assert not field(db, "price").is_stale
    gold = number_of(db, "order-01.pdf")
    add_verdict(db, gold, verdict="reopen", person="ann", id="reopen", at_revision=0)
    assert field(db, "price").is_stale
    assert field(db, "price").measures.cells == CELLS - ROWS
    edit = SetText((TextChange(2, 2, "1.10", "5.55"),))
    add_edits(db, gold, [NewEdit("edit-1", edit)], person="ann", after=0)
    add_verdict(db, gold, verdict="accept", person="ann", id="again", at_revision=1)
    assert field(db, "price").is_stale
    assert field(db, "price").measures.wrong == WRONG_PRICES + 1


def test_cells_are_made_anew_only_for_what_changed(db: Db, monkeypatch: pytest.MonkeyPatch) -> None:
    cells(db)
    made: list[int] = []
    monkeypatch.setattr(
        "store.confidence_cells.compare", lambda db, reader, key, run: made.append(key) or compare(db, reader, key)
    )
    db.remembered.clear()
    cells(db)
    assert made == []
    gold = number_of(db, "order-01.pdf")
    add_verdict(db, gold, verdict="reopen", person="ann", id="reopen", at_revision=0)
    edit = SetText((TextChange(2, 2, "1.10", "5.55"),))
    add_edits(db, gold, [NewEdit("edit-1", edit)], person="ann", after=0)
    add_verdict(db, gold, verdict="accept", person="ann", id="again", at_revision=1)
    cells(db)
    assert made == [gold]


def test_what_changed_is_brought_in_as_if_all_were_read_anew(db: Db) -> None:
    gold = number_of(db, "order-01.pdf")
    steps = (
        lambda: add_verdict(db, gold, verdict="reopen", person="ann", id="reopen", at_revision=0),
        lambda: add_edits(
            db, gold, [NewEdit("edit-1", SetText((TextChange(2, 2, "1.10", "5.55"),)))], person="ann", after=0
        ),
        lambda: add_verdict(db, gold, verdict="accept", person="ann", id="again", at_revision=1),
    )
    told = [cells(db)]
    for step in steps:
        step()
        told.append(cells(db))
        db.remembered.clear()
        assert [each.signature for each in told[-1].fields] == [each.signature for each in cells(db).fields]
    assert len({found.fields[0].signature for found in told}) == 3  # as it was, without the open one, and edited


def test_cells_of_one_run_are_those_it_was_tried_on(db: Db) -> None:
    assert cells(db, run=1).of("lines", "price") is not None
    assert cells(db, run=2).fields == ()


@pytest.mark.parametrize(
    ("name", "tau", "low", "told"),
    [
        ("price", 1.2, None, "threshold 1.2, expected 0 to 1"),
        ("price", 0.5, 0.6, "low badge below 0.6, expected at most the threshold 0.5"),
        ("weight", 0.5, None, "no field 'weight'; expected one of: article, quantity, price"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(db: Db, name: str, tau: float, low: float | None, told: str) -> None:
    with pytest.raises(StoreError, match=told):
        put(db, name, tau, low=low)
    assert decided(db) == ()


def test_the_database_refuses_to_change_a_decision(db: Db) -> None:
    put(db, "price", 0.7)
    for statement in ("update threshold set tau = 0.1", "delete from threshold"):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"), db.write() as writer:
            writer.execute(statement)
