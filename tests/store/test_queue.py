from __future__ import annotations

from collections.abc import Callable

import pytest

from scoring.table import Cell, Confidence, Table
from store.db import Db
from store.documents import add_document
from store.edits import SetText, TextChange
from store.extractions import Run, add_extraction
from store.formats import ReadTable
from store.gold import NewEdit, add_edits, add_gold
from store.home import Home
from store.pages import PageSize
from store.queue import Entry, Filter, entries, listing, place
from store.reviews import add_verdict

Add = Callable[..., int]


def table_of(*confidences: float) -> Table:
    cells = [Cell(0, 0, "price", header="column")]
    cells += [
        Cell(row, 0, f"{row}.00", confidence=(Confidence(value, "text", "word", "acme"),))
        for row, value in enumerate(confidences, start=1)
    ]
    return Table(len(cells), 1, tuple(cells))


@pytest.fixture
def add(db: Db, home: Home) -> Add:
    """Adds one document with one open table and its extraction; gives the number of the gold table."""

    def made(name: str, *confidences: float, table: str = "prices", project: str = "default") -> int:
        document, _ = add_document(
            db,
            home,
            b"%PDF-1.7 " + name.encode(),
            name=name,
            media_type="application/pdf",
            pages=[PageSize(1, 595, 842)],
            person="ann",
            project=project,
        )
        read = table_of(*confidences)
        run = Run("acme", "1")
        add_extraction(
            db,
            document.id,
            name.encode(),
            file_name="first.json",
            run=run,
            format_name="json-records",
            tables=[ReadTable(table, read)],
            notes=[],
            person="ann",
        )
        return add_gold(db, document.id, read, name=table, base="extraction", person="ann")[0].id

    return made


def names(db: Db, **parts: str) -> list[str]:
    return [entry.document for entry in found(db, **parts)]


def found(db: Db, **parts: str) -> tuple[Entry, ...]:
    with db.read() as reader:
        return entries(db, reader, Filter.of(parts))


def judge(db: Db, key: int, verdict: str, number: int) -> None:
    add_verdict(db, key, verdict=verdict, person="ann", id=f"verdict-{number}", at_revision=0)  # type: ignore[arg-type]


def test_the_riskiest_document_stands_first_and_says_why(db: Db, add: Add) -> None:
    add("calm.pdf", 0.99), add("wild.pdf", 0.3)
    first, second = found(db)
    assert (first.document, first.level, first.reasons) == ("wild.pdf", "low", ("confidence",))
    assert first.why == "Row 1, price: word confidence 0.30 (acme)"
    assert (second.doubts, second.reasons) == (0, ("no doubt",))


def test_a_skipped_table_waits_behind_all_open_ones_and_skipped_ones_take_turns(db: Db, add: Add) -> None:
    one, two, three = add("one.pdf", 0.3), add("two.pdf", 0.5), add("three.pdf", 0.9)
    for number, key in enumerate((one, two, three)):
        judge(db, key, "skip", number)
        assert names(db)[-1] == found(db, status="skipped")[-1].document
    with db.read() as reader:
        assert place(db, reader, three).next == one
    judge(db, one, "skip", 4)
    with db.read() as reader:
        assert place(db, reader, one).next == two


def test_an_edit_a_verdict_and_a_new_document_show_at_once(db: Db, add: Add) -> None:
    one = add("one.pdf", 0.3)
    assert [entry.status for entry in found(db)] == ["open"]
    add_edits(db, one, [NewEdit("edit-0001", SetText((TextChange(1, 0, "1.00", "7.00"),)))], person="ann", after=0)
    assert [entry.status for entry in found(db)] == ["started"]
    add("two.pdf", 0.9)
    add_verdict(db, one, verdict="accept", person="ann", id="verdict-1", at_revision=1)
    assert [(entry.document, entry.status) for entry in found(db, status="all")] == [
        ("two.pdf", "open"),
        ("one.pdf", "accepted"),
    ]


def test_what_was_taken_back_does_not_stay_in_the_queue(db: Db, add: Add) -> None:
    add("one.pdf", 0.3)

    class TakenBackError(Exception):
        pass

    with pytest.raises(TakenBackError), db.write() as writer:
        add("two.pdf", 0.4)
        assert len(entries(db, writer, Filter())) == 2
        raise TakenBackError
    assert names(db) == ["one.pdf"]
    add("three.pdf", 0.4)  # takes the number that the other had
    assert names(db) == ["one.pdf", "three.pdf"]


def test_each_part_of_a_filter_narrows_the_list(db: Db, add: Add) -> None:
    add("north.pdf", 0.3), add("south.pdf", 0.7, table="fees"), add("east.pdf", 0.99, project="other")
    assert names(db, words="NORTH price") == ["north.pdf"]
    assert names(db, words="0.70 (acme)") == ["south.pdf"]
    assert names(db, project="other") == ["east.pdf"]
    assert names(db, level="medium") == ["south.pdf"]
    assert names(db, reason="no doubt") == ["east.pdf"]
    assert names(db, status="flagged") == []
    assert names(db, order="document") == ["east.pdf", "north.pdf", "south.pdf"]
    assert names(db, order="age") == ["north.pdf", "south.pdf", "east.pdf"]


def test_an_address_with_unknown_parts_is_read_as_the_default() -> None:
    assert Filter.of({"status": "boom", "order": "?", "table": "7", "words": ""}) == Filter()


def test_a_count_tells_what_choosing_would_give(db: Db, add: Add) -> None:
    add("north.pdf", 0.3), add("south.pdf", 0.7)
    judge(db, add("east.pdf", 0.3), "accept", 1)
    with db.read() as reader:
        counts = listing(db, reader, Filter(level="low")).counts
    assert counts["status"] == {"open": 1}  # an accepted table has no doubts
    assert counts["level"] == {"low": 1, "medium": 1}


def test_the_next_table_is_the_next_of_the_chosen_list(db: Db, add: Add) -> None:
    north, south, east = add("north.pdf", 0.7), add("south.pdf", 0.3), add("east.pdf", 0.75)
    chosen = Filter(level="medium", order="document")
    with db.read() as reader:
        assert place(db, reader, east, chosen).next == north
        assert place(db, reader, north, chosen).next == east
        assert place(db, reader, east, chosen).of == 2
    judge(db, east, "accept", 1)
    with db.read() as reader:  # the list is done: the work goes on, and that is told
        after = place(db, reader, north, chosen)
    assert (after.next, after.beyond) == (south, True)
