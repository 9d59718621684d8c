"""Regions that a person draws on a page: read by an extractor as a run of its own, and taken into gold as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlite_utils import Database

from store import documents, extractions, formats, gold, table_types
from store.db import Db, NotFound, StoreError, row
from store.documents import Document
from store.extracting import answered
from store.extractions import BY_REGION, ExtractedTable, Extraction, Run
from store.extractors import Answer, Job, NoAnswer, extractor
from store.formats import FormatError
from store.gold import Gold
from store.home import Home
from store.rights import expect_right
from store.table_kinds import Kinds

# By its text layer where a page has one that can be used, else by OCR where that is installed.
_EXTRACTOR = "auto"


class Unreadable(StoreError):
    """A region of which nothing could be read: says why."""


@dataclass(frozen=True)
class Reading:
    """What an extractor answered for a region, not stored yet."""

    document: Document
    job: Job
    run: Run
    answer: Answer


def read(db: Db, home: Home, document: int, page: int, box: Sequence[float]) -> Reading:
    """The answer for the region ``box`` (``x0, y0, x1, y1``, fractions of the page as displayed); nothing is stored.

    Raises Unreadable where there is no table to read, ExtractorError where the extractor cannot be used, and NotFound.
    """
    with db.read() as reader:
        found = documents.document(reader, document)
        sizes = documents.pages(reader, document)
    if page not in {size.number for size in sizes}:
        raise NotFound(f"page {page} of a document of {len(sizes)} pages")
    module = extractor(_EXTRACTOR)
    parameters = module.settled({"region": {"page": page, "box": list(box)}}, ())
    who = module.identity(parameters)
    job = Job(home.readable_file(found.sha256), found.name, found.media_type, sizes, parameters)
    try:
        answer = answered(module, job)
    except NoAnswer as none:
        raise Unreadable(none.reason) from None
    return Reading(found, job, Run(f"{BY_REGION}{who.name}", who.version, parameters), answer)


def keep(db: Db, reading: Reading, *, person: str) -> Extraction:
    """Store an answer as an extraction of its own run, which is never the one that is scored.

    The same answer for the same region is stored once. Raises Unreadable where no table is in it.
    """
    with db.read() as reader:
        expect_right(reader, person, "review")
    document, name = reading.document, f"{reading.document.stem} by region{reading.answer.suffix}"
    try:
        told = reading.answer.format or formats.recognise(reading.answer.raw, name)
        got = formats.read(told, reading.answer.raw, name=name, pages=reading.job.pages)
    except FormatError as wrong:
        raise Unreadable(f"the answer for the region cannot be read: {wrong}") from None
    if not got.tables:
        raise Unreadable("no table was found in the region")
    added, _ = extractions.add_extraction(
        db,
        document.id,
        reading.answer.raw,
        file_name=name,
        run=reading.run,
        format_name=told,
        tables=got.tables,
        notes=got.notes,
        person=person,
    )
    return added


def add_table(db: Db, table: int, *, person: str) -> Gold:
    """A new gold table of the document, which begins as the table of a region: one that the first extraction missed.

    It has the table type that its header names, and the name of that type where no other table has it. Raises
    NotFound where this number is of no table that was read from a region.
    """
    with db.write() as writer:
        expect_right(writer, person, "review")
        document, page, found = _of_region(writer, table)
        types = table_types.table_types(writer, project=document.project)
        ((_, kind),) = Kinds(types).of([formats.ReadTable(found.name, found.table)])
        taken = {entry.name for entry in gold.gold_tables(writer, document.id)}
        added, _ = gold.add_gold(
            db,
            document.id,
            found.table,
            name=_free([*([kind.name] if kind else []), f"Drawn on page {page}"], taken),
            base="extraction",
            person=person,
            table_type=kind.name if kind else "",
            extracted_table=table,
        )
    return added


def _of_region(reader: Database, table: int) -> tuple[Document, int, ExtractedTable]:
    known: dict[str, Any] | None = row(
        reader,
        "select t.extraction, e.document, json_extract(r.parameters, '$.region.page') as page from extracted_table t "
        "join extraction e on e.id = t.extraction join run r on r.id = e.run "
        "where t.id = ? and substr(r.extractor, 1, ?) = ?",
        (table, len(BY_REGION), BY_REGION),
    )
    if known is None:
        raise NotFound(f"table {table}: no region was read under this number")
    tables = extractions.extraction(reader, known["extraction"]).tables
    found = next(entry for entry in tables if entry.id == table)
    return documents.document(reader, known["document"]), known["page"], found


def _free(names: Sequence[str], taken: set[str]) -> str:
    for name in names:
        if name not in taken:
            return name
    number = 2
    while (name := f"{names[-1]}, {number}") in taken:
        number += 1
    return name
