from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from scoring.table import Table, from_rows
from store.db import Db, NotFound
from store.documents import Document, add_document
from store.extractions import Run, add_extraction, first_extraction, runs
from store.formats.contract import ReadTable
from store.gold import add_gold
from store.home import Home
from store.leaderboard import leaderboard
from store.pages import PageSize
from store.paired_runs import flipped_cells, pair_runs
from store.reviews import add_verdict
from store.run_series import all_series, series_of
from store.scores import scored_document
from store.table_pairing import by_contents

PARTS = [["item", "price"], ["bolt", "1.20"], ["nut", "0.40"]]
WRONG = [["item", "price"], ["bolt", "1.20"], ["nut", "0.48"]]
TOTALS = [["sum", "vat"], ["81.00", "9.00"]]

Returned = Callable[..., None]


def lines(rows: Sequence[Sequence[str]]) -> Table:
    return from_rows(rows, header_rows=1)


@pytest.fixture
def two(db: Db, home: Home) -> tuple[Document, ...]:
    """Two documents whose gold, parts and totals, is accepted; nothing was extracted yet."""
    found = []
    for name in ("a.pdf", "b.pdf"):
        raw, kind, pages = f"%PDF-1.7 {name}".encode(), "application/pdf", [PageSize(1, 595, 842)]
        document, _ = add_document(
            db, home, raw, name=name, media_type=kind, pages=pages, person="ann", project="default"
        )
        for table, rows in (("parts", PARTS), ("totals", TOTALS)):
            gold, _ = add_gold(db, document.id, lines(rows), name=table, base="blank", person="ann")
            add_verdict(db, gold.id, verdict="accept", person="ann", id=f"{name}-{table}", at_revision=0)
        found.append(document)
    return tuple(found)


@pytest.fixture
def returned(db: Db) -> Returned:
    """Store what a run of an extractor gave for a document, under the names of the tables."""

    def returned(document: Document, extractor: str, *, repeat: int = 1, **tables: Sequence[Sequence[str]]) -> None:
        read = [ReadTable(name.replace("_", " "), lines(rows)) for name, rows in tables.items()]
        raw = f"{extractor} {repeat} {tables}".encode()
        add_extraction(
            db,
            document.id,
            raw,
            file_name="answer.json",
            run=Run(extractor, repeat=repeat),
            format_name="proofgrid",
            tables=read,
            notes=(),
            person="ann",
        )

    return returned


def test_tables_of_another_run_are_told_by_their_contents(
    db: Db, two: tuple[Document, ...], returned: Returned
) -> None:
    returned(two[0], "first", parts=PARTS, totals=TOTALS)
    # The second numbers what it found, in another order and with a table that nobody asked for.
    returned(two[0], "second", table_1=[["page", "1"]], table_2=TOTALS, table_3=WRONG)
    with db.read() as reader:
        (_, second) = all_series(reader)
        scored = scored_document(db, reader, two[0].id, run=second.runs[0])
    assert [table.report.exact.matched for table in scored.tables] == [5, 4]


def test_tables_without_a_text_in_common_are_no_pair() -> None:
    assert by_contents([lines(PARTS), lines(TOTALS)], [lines([["x", "y"]]), lines(WRONG)]) == {0: 1}
    assert by_contents([], [lines(PARTS)]) == by_contents([lines(PARTS)], []) == {}


def test_a_table_of_the_first_extraction_stays_where_its_name_and_place_put_it(
    db: Db, two: tuple[Document, ...], returned: Returned
) -> None:
    returned(two[0], "first", table_1=TOTALS, table_2=PARTS)
    with db.read() as reader:
        assert first_extraction(reader, two[0].id) is not None
        scored = scored_document(db, reader, two[0].id)
    assert [table.comparison.first and table.comparison.first.name for table in scored.tables] == ["table 1", "table 2"]


def test_repeats_of_one_extractor_are_a_series_and_other_parameters_are_another(
    db: Db, two: tuple[Document, ...], returned: Returned
) -> None:
    for repeat in (1, 2):
        returned(two[0], "one", repeat=repeat, parts=PARTS)
    returned(two[0], "other", parts=PARTS)
    with db.read() as reader:
        one, other = all_series(reader)
        assert (one.name, other.name) == ("one, 2 repeats", "other")
        assert series_of(reader, one.runs[1]) == one
        assert one.only(one.runs[1]).name == "one, repeat 2"
        with pytest.raises(NotFound, match=r"there is no run 77; expected one of: 1 \(one\), 2 \(one\), 3 \(other\)"):
            series_of(reader, 77)


def test_a_run_is_compared_over_the_documents_that_both_were_asked_for(
    db: Db, two: tuple[Document, ...], returned: Returned
) -> None:
    returned(two[0], "one", parts=PARTS, totals=TOTALS)
    returned(two[1], "one", parts=PARTS, totals=TOTALS)
    returned(two[0], "other", parts=WRONG, totals=TOTALS)
    with db.read() as reader:
        found = pair_runs(db, reader, *all_series(reader))
        (cell,) = flipped_cells(db, reader, two[0].id, 1, 2)
    assert [(pair.name.split()[0], pair.flip) for pair in found.corpora.documents] == [("a.pdf", "worse")]
    assert [found.documents[name].name for name in found.corpora.only_a] == ["b.pdf"]
    # 10 cells with the header rows, which are cells like others without a table type.
    assert found.corpora.headline["f1"].difference == pytest.approx(9 / 10 - 1)
    assert (cell.table, cell.row, cell.col, cell.text, cell.a, cell.b, cell.right) == (
        "parts",
        2,
        1,
        "0.40",
        "0.40",
        "0.48",
        "a",
    )


def test_runs_stand_on_the_documents_that_they_have_in_common_best_first(
    db: Db, two: tuple[Document, ...], returned: Returned
) -> None:
    for document in two:
        returned(document, "worse", parts=WRONG, totals=TOTALS)
    returned(two[0], "better", parts=PARTS, totals=TOTALS)
    with db.read() as reader:
        board = leaderboard(db, reader, project="default")
    assert board.documents == 1
    assert [(one.series.extractor, one.documents, one.exact.matched, one.passed.count) for one in board.standings] == [
        ("better", 1, 10, 1),
        ("worse", 2, 9, 0),
    ]


def test_runs_without_a_document_in_common_stand_on_their_own(
    db: Db, two: tuple[Document, ...], returned: Returned
) -> None:
    returned(two[0], "one", parts=PARTS)
    returned(two[1], "other", parts=WRONG)
    with db.read() as reader:
        board = leaderboard(db, reader, project="default")
    assert board.documents == 0
    assert [(one.series.extractor, one.exact.matched) for one in board.standings] == [("one", 6), ("other", 5)]


def test_runs_that_differ_in_their_parameters_only_are_told_apart_by_those(db: Db, two: tuple[Document, ...]) -> None:
    ways = ({"model": "small", "dpi": 300}, {"model": "large", "dpi": 300}, {"dpi": 300})
    for number, parameters in enumerate(ways):
        for repeat in (1, 2) if number == 0 else (1,):
            run = Run("llm", "1", parameters=parameters, repeat=repeat)
            raw = f"{number} {repeat}".encode()
            add_extraction(
                db, two[0].id, raw, file_name="a.json", run=run, format_name="x", tables=[], notes=(), person="ann"
            )
    with db.read() as reader:
        names = [name for _, name in runs(reader, project="default")]
    assert names == ["llm 1, model small", "llm 1, model small, repeat 2", "llm 1, model large", "llm 1, no model"]
