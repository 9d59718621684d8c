"""Scores: the first extractions of accepted tables against gold, table by table and document by document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

from sqlite_utils import Database

from scoring.corpus import Corpus, State, TableScore, corpus, table_score
from scoring.diagnosis.causes import CauseCounts, CauseLabel, cause_of_failure
from scoring.report import SCORING_VERSION, Report, TableSums
from store import documents, extractions, gold
from store.attempts import Attempt, failure
from store.comparison import Comparison, compare
from store.db import Db, row
from store.diagnoses import Diagnosis, diagnosis
from store.documents import Document
from store.gold import Gold
from store.work_time import CorrectionTime, correction_time


@dataclass(frozen=True)
class ScoredTable:
    """One accepted gold table with the score of its first extraction and what the correction took.

    ``label`` is what it is called on screen, ``first`` the id of the extracted table, None where there is none.
    ``extractor`` and ``received_at`` are those of the extraction, "" where there is none. ``diagnosis`` is what a
    language model said of its errors, where one was asked.
    """

    gold: Gold
    label: str
    first: int | None
    report: TableSums
    causes: CauseCounts
    extractor: str
    received_at: str
    time: CorrectionTime
    edits: int
    diagnosis: Diagnosis | None
    rests_on: str = ""
    """The signature under which the score is kept."""


@dataclass(frozen=True, kw_only=True)
class ComparedTable(ScoredTable):
    """The same with its mistakes, and with the comparison that all follows from."""

    report: Report
    comparison: Comparison


@dataclass(frozen=True)
class ScoredDocument:
    """A document whose tables are all accepted, or some of them; ``tables`` holds the accepted ones.

    ``open_tables`` are those that people still have to decide on; a table that is only offered is none.
    """

    document: Document
    tables: tuple[ScoredTable, ...]
    open_tables: int
    failure: Attempt | None
    """The attempt of the extractor behind what is scored, where it was not read in full."""

    @property
    def passed(self) -> bool:
        """Whether the first extraction of every table passed; only meaningful where none is open."""
        return all(table.report.passed for table in self.tables)

    @property
    def has_verdict(self) -> bool:
        """Whether the document can pass or fail: no table is open, and there is a cell to score."""
        counts = [table.report.exact for table in self.tables]
        return not self.open_tables and any(count.expected or count.predicted for count in counts)

    @property
    def first_reason(self) -> str:
        """Why the document failed: the first reason of its first failing table; "" where it passed."""
        failing = next((table for table in self.tables if not table.report.passed), None)
        if failing is None:
            return ""
        if failing.first is None and self.failure:
            return f"the extractor failed ({self.failure.outcome}): {self.failure.reason}"
        # Isolated, so that a right-to-left name does not turn the sentence around.
        return f"\u2068{failing.label}\u2069: {failing.report.first_reason}"

    @property
    def cause_of_failure(self) -> CauseLabel | None:
        """The cause that hits most values of its tables; None where nothing but formatting is wrong."""
        return cause_of_failure(table.causes for table in self.tables)

    @cached_property
    def table_scores(self) -> tuple[TableScore, ...]:
        """What a corpus keeps of its tables."""
        return tuple(_table_score(self, table) for table in self.tables)

    @property
    def active_ms(self) -> int | None:
        """Measured correction time of all its tables; None where nobody worked on them here."""
        measured = [table.time.active_ms for table in self.tables if table.time.measured]
        return sum(measured) if measured else None


@dataclass(frozen=True)
class ComparedDocument(ScoredDocument):
    """The same with the mistakes of each table."""

    tables: tuple[ComparedTable, ...]


# All that scores and times follow from; each of these tables only grows, but for times that a person has deleted.
_SOURCES = (
    *("document", "extraction", "gold", "edit", "verdict", "activity", "time_erased", "table_type"),
    *("attempt", "diagnosis"),
)

Scored = TypeVar("Scored", bound=ScoredDocument)


def corpus_of(found: Sequence[ScoredDocument]) -> Corpus:
    """The corpus of the accepted tables, grouped by table type, project, kind of document and condition."""
    return corpus(score for entry in found for score in entry.table_scores)


def name_in_corpus(document: Document) -> str:
    """What a corpus calls a document: two of one name are kept apart."""
    return f"{document.name} {document.sha256[:8]}"


def tags_of(document: Document, table: ScoredTable) -> tuple[tuple[str, str], ...]:
    """What a scored table is grouped by: pairs of name and value; a document may have several conditions."""
    named = [("project", document.project), ("document_type", document.doc_type)]
    named += [("extractor", table.extractor), ("month", table.received_at[:7])]
    return (*((name, value) for name, value in named if value), *(("condition", each) for each in document.conditions))


def part_of(found: Sequence[ScoredDocument], name: str, value: str) -> tuple[ScoredDocument, ...]:
    """The documents with the tables that have this value under "table_type" or the name of a tag ("" = none)."""

    def has(entry: ScoredDocument, table: ScoredTable) -> bool:
        if name == "table_type":
            return table.gold.table_type == value
        values = [each for tag, each in tags_of(entry.document, table) if tag == name]
        return value in (values or [""])

    parts = [replace(entry, tables=tuple(table for table in entry.tables if has(entry, table))) for entry in found]
    return tuple(part for part in parts if part.tables)


@dataclass(frozen=True)
class CauseShare:
    """How many wrong values one cause explains, in which documents; ``share`` is that of all wrong values, 0..1."""

    label: CauseLabel
    values: int
    findings: int
    documents: tuple[Document, ...]
    share: float


def cause_shares(found: Sequence[ScoredDocument]) -> tuple[CauseShare, ...]:
    """The causes of all differences, the one that hits most values first; causes that hit none are left out."""
    values: Counter[CauseLabel] = Counter()
    findings: Counter[CauseLabel] = Counter()
    where: dict[CauseLabel, dict[int, Document]] = {}
    for entry in found:
        for table in entry.tables:
            for label, hit in table.causes.cells.items():
                if hit:
                    values[label] += hit
                    where.setdefault(label, {})[entry.document.id] = entry.document
            findings.update(table.causes.findings)
    every = values.total()
    ordered = sorted(values, key=lambda label: (-values[label], label))
    return tuple(
        CauseShare(label, values[label], findings[label], tuple(where[label].values()), values[label] / every)
        for label in ordered
    )


def _table_score(entry: ScoredDocument, scored: ScoredTable) -> TableScore:
    document, gold_table = entry.document, scored.gold
    state: State = "scored"
    if scored.first is None:
        state = "broken" if entry.failure and entry.failure.outcome == "unreadable" else "missing"
    return table_score(
        scored.report,
        document=name_in_corpus(document),
        table=f"{gold_table.position + 1} {gold_table.name}",  # two tables of one name are kept apart
        table_type=gold_table.table_type,
        tags=tags_of(document, scored),
        state=state,
        reason=entry.failure.reason if entry.failure and state != "scored" else "",
    )


def newest(reader: Database) -> Mapping[str, int]:
    """How far this reader sees: as long as it is the same, no score and no time has changed."""
    columns = ", ".join(f"coalesce((select max(rowid) from {table}), 0) as {table}" for table in _SOURCES)
    return row(reader, f"select {columns}") or {}


def fingerprint(reader: Database) -> str:
    """A text that changes with everything that scores and times follow from."""
    return f"{SCORING_VERSION}:{':'.join(map(str, newest(reader).values()))}"


def scored_document(db: Db, reader: Database, key: int, *, run: int | None = None) -> ComparedDocument:
    """The scores of one document with its mistakes; raises NotFound."""
    compared, still_open = [], 0
    tables = gold.gold_tables(reader, key)
    for entry in tables:
        if gold.status(reader, entry.id) == "accepted":
            compared.append(compared_table(reader, compare(db, reader, entry.id, run=run)))
        else:
            still_open += not gold.is_offered(reader, entry, tables)
    first = compared[0].comparison.extraction if compared else extractions.first_extraction(reader, key, run=run)
    failed = failure(reader, key, run=run, extraction=first.id if first else None)
    return ComparedDocument(documents.document(reader, key), tuple(compared), still_open, failed)


def compared_documents(
    db: Db, reader: Database, *, project: str | None = None, run: int | None = None
) -> tuple[ComparedDocument, ...]:
    """The same documents as ``scored_documents`` gives, with their mistakes: each table is compared anew."""
    chosen = documents.documents(reader, project=project)
    return failing_first(scored_document(db, reader, document.id, run=run) for document in chosen)


def failing_first(found: Iterable[Scored]) -> tuple[Scored, ...]:
    """The documents with at least one accepted table, failing ones first, then by name."""
    scored = [entry for entry in found if entry.tables]
    return tuple(sorted(scored, key=lambda entry: (entry.passed, entry.document.name)))


def compared_table(reader: Database, comparison: Comparison) -> ComparedTable:
    """The score of a table with all that it follows from."""
    extraction = comparison.extraction
    return ComparedTable(
        gold=comparison.gold,
        label=comparison.label,
        first=comparison.first.id if comparison.first else None,
        report=comparison.report,
        causes=comparison.causes.counted,
        extractor=extraction.extractor if extraction else "",
        received_at=extraction.received_at if extraction else "",
        time=correction_time(reader, comparison.gold.id),
        edits=comparison.revision,
        diagnosis=diagnosis(reader, comparison),
        comparison=comparison,
    )
