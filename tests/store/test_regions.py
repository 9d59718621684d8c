from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import util
from pathlib import Path

import pytest

from store import extractions, gold, queue, regions
from store.comparison import compare
from store.db import Db, NotFound
from store.documents import Document, documents
from store.extractions import Extraction
from store.extractors import page_by_page
from store.home import Home
from store.ingested import Ingested
from store.page_tables import tesseract
from store.regions import Unreadable
from store.run_series import all_series
from store.scores import scored_document

SAMPLES = Path(__file__).parents[2] / "sample_docs"
INVOICE = SAMPLES / "invoice-laboratory"
# The lines of the invoice, and its head, as fractions of the page.
LINES, HEAD = [0.05, 0.3, 0.95, 0.75], [0.05, 0.02, 0.95, 0.3]
pytestmark = pytest.mark.skipif(util.find_spec("img2table") is None, reason="img2table is not installed")


@pytest.fixture(autouse=True, scope="module")
def _no_worker_is_left() -> Iterator[None]:
    yield
    page_by_page.end_workers()


@pytest.fixture
def stored(run: Callable[..., Ingested], db: Db) -> Callable[..., Document]:
    """A document that was imported, alone or with what lies beside it."""

    def stored(*files: Path) -> Document:
        run(*files)
        with db.read() as reader:
            return documents(reader)[0]

    return stored


@pytest.fixture
def drawn(db: Db, home: Home) -> Callable[..., Extraction]:
    def drawn(document: Document, box: list[float] = LINES) -> Extraction:
        return regions.keep(db, regions.read(db, home, document.id, 1, box), person="ann")

    return drawn


def pdf_of(folder: Path) -> Path:
    (file,) = folder.glob("*.pdf")
    return file


def test_a_region_is_kept_as_a_run_of_its_own_and_the_first_extraction_stays(
    db: Db, stored: Callable[..., Document], drawn: Callable[..., Extraction]
) -> None:
    document = stored(INVOICE)
    with db.read() as reader:
        before = extractions.first_extraction(reader, document.id)
        listed = extractions.runs(reader, project="default"), all_series(reader)
    found = drawn(document)
    assert found.extractor.startswith("by region, auto")
    assert [entry.table.n_rows > 3 for entry in found.tables] == [True]
    with db.read() as reader:
        (parameters,) = (entry["parameters"] for entry in reader.query("select * from run where id = ?", (found.run,)))
        assert f'"region": {{"box": {LINES}, "page": 1}}' in parameters
        assert extractions.first_extraction(reader, document.id) == before != None  # noqa: E711
        assert (extractions.runs(reader, project="default"), all_series(reader)) == listed


def test_the_same_region_read_again_is_stored_once(
    stored: Callable[..., Document], drawn: Callable[..., Extraction]
) -> None:
    document = stored(pdf_of(INVOICE))
    assert drawn(document).id == drawn(document).id


def test_what_was_read_from_a_region_before_any_extraction_is_never_scored(
    db: Db, run: Callable[..., Ingested], stored: Callable[..., Document], drawn: Callable[..., Extraction]
) -> None:
    document = stored(pdf_of(INVOICE))
    found = drawn(document)
    made = regions.add_table(db, found.tables[0].id, person="ann")
    with db.read() as reader:
        assert compare(db, reader, made.id).first is None
        assert scored_document(db, reader, document.id).open_tables == 1
        queue.entries(db, reader, queue.Filter())
    run(INVOICE)
    with db.read() as reader:
        first = extractions.first_extraction(reader, document.id)
        assert first is not None
        assert first.id > found.id
        whys = {entry.gold: entry for entry in queue.entries(db, reader, queue.Filter())}
    assert len(whys) > 1


def test_a_table_that_was_missed_becomes_gold_and_counts_as_missed(
    db: Db, stored: Callable[..., Document], drawn: Callable[..., Extraction]
) -> None:
    document = stored(INVOICE)
    found = drawn(document, HEAD)
    with db.read() as reader:
        before = gold.gold_tables(reader, document.id)
    one = regions.add_table(db, found.tables[0].id, person="ann")
    other = regions.add_table(db, found.tables[0].id, person="ann")
    assert (one.name, other.name) == ("Drawn on page 1", "Drawn on page 1, 2")
    with db.read() as reader:
        assert gold.gold_tables(reader, document.id) == (*before, one, other)
        assert gold.base_table(reader, one.id) == found.tables[0].table
        comparison = compare(db, reader, one.id)
        assert comparison.first is None
        assert comparison.report.rows.matched == 0


def test_a_drawn_table_has_the_type_that_its_header_names(
    db: Db, stored: Callable[..., Document], drawn: Callable[..., Extraction]
) -> None:
    document = stored(pdf_of(INVOICE), INVOICE / "table_types.json")
    made = regions.add_table(db, drawn(document).tables[0].id, person="ann")
    assert (made.name, made.table_type) == ("line_items", "line_items")


def test_a_drawn_table_beside_imported_gold_is_work_to_do(
    db: Db, stored: Callable[..., Document], drawn: Callable[..., Extraction]
) -> None:
    document = stored(INVOICE)
    made = regions.add_table(db, drawn(document, HEAD).tables[0].id, person="ann")
    with db.read() as reader:
        beside = gold.gold_tables(reader, document.id)
        imported = [gold.Gold(0, document.id, 0, "other", "", "import", "ann")]
        assert not gold.is_offered(reader, made, imported)
        assert gold.is_offered(reader, beside[0], imported)


def test_where_no_text_is_the_reason_is_told_and_nothing_stored(
    db: Db, home: Home, stored: Callable[..., Document]
) -> None:
    document = stored(pdf_of(INVOICE))
    with pytest.raises(Unreadable, match="page 1: there is no text in the region"):
        regions.read(db, home, document.id, 1, [0.0, 0.97, 0.02, 1.0])
    with db.read() as reader:
        assert list(reader.query("select * from extraction")) == []


@pytest.mark.skipif(bool(tesseract.missing()), reason="tesseract is not installed")
def test_a_region_of_a_scan_is_read_by_ocr(stored: Callable[..., Document], drawn: Callable[..., Extraction]) -> None:
    found = drawn(stored(pdf_of(SAMPLES / "water-analysis-scan")), [0.0, 0.3, 1.0, 0.9])
    assert any("Nitrate" in cell.text for entry in found.tables for cell in entry.table.cells)


def test_a_page_that_is_not_there_and_a_table_that_was_not_drawn_are_refused(
    db: Db, home: Home, stored: Callable[..., Document]
) -> None:
    document = stored(INVOICE)
    with pytest.raises(NotFound, match="page 9 of a document of 1 pages"):
        regions.read(db, home, document.id, 9, LINES)
    with db.read() as reader:
        first = extractions.first_extraction(reader, document.id)
    assert first is not None
    with pytest.raises(NotFound, match="no region was read under this number"):
        regions.add_table(db, first.tables[0].id, person="ann")
