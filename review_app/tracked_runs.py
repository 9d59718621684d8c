"""Results as a tree of runs for an experiment tracker: the whole, its documents and their tables, as plain values."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from importlib.metadata import version
from typing import Any, Literal

from review_app import matching_matrix, result_report, result_tables, score_report
from review_app.field_slugs import slugs
from review_app.html_table import Shown
from scoring.corpus import Corpus
from scoring.counts import Counts
from scoring.diagnosis.causes import CauseThresholds
from scoring.report import SCORING_VERSION
from scoring.sums import Rate, pooled
from store.attempts import Completion
from store.extractions import dump
from store.scores import ComparedDocument, ComparedTable, ScoredDocument, cause_shares, corpus_of, tags_of

Detail = Literal["full", "documents", "summary"]
DETAILS: tuple[Detail, ...] = ("summary", "documents", "full")
# Up to so many documents "auto" gives each table a run of its own, or each document: a run takes about 10 ms.
FULL_UP_TO, DOCUMENTS_UP_TO = 200, 5_000
# So many runs take a quarter of an hour, and no person looks through them.
MOST_RUNS = 100_000
NOTHING_TO_COUNT = "0/0: there is nothing to count"


@dataclass(frozen=True)
class TrackedRun:
    """One run: ``key`` names it for ever, metrics that are None are undefined for the reason in ``undefined``.

    ``files`` are texts by the names under which they are attached.
    """

    key: str
    name: str
    params: Mapping[str, str] = field(default_factory=dict)
    metrics: Mapping[str, float | None] = field(default_factory=dict)
    tags: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    undefined: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Sources:
    """What the scores of one document follow from, as hashes, and the table types that it has."""

    document: str
    extraction: str
    tables: tuple[tuple[str, ...], ...]
    schemas: frozenset[str]


@dataclass(frozen=True)
class Results:
    """The stored results of a project, or of one run over it, as they are to be tracked.

    ``compared`` gives one of the documents with its mistakes: all of them at once would fill the memory. ``told`` hears
    of each one that was looked through for what the scores follow from.
    """

    title: str
    project: str
    extractor: str
    found: tuple[ScoredDocument, ...]
    compared: Callable[[ScoredDocument], ComparedDocument]
    completions: tuple[Completion, ...] = ()
    told: Callable[[int], None] = lambda _: None

    @cached_property
    def corpus(self) -> Corpus:
        """The corpus of all tables."""
        return corpus_of(self.found)

    @cached_property
    def sources(self) -> dict[int, Sources]:
        """The sources of each document, by its number."""
        found = {}
        for entry in _ordered(self.found):
            found[entry.document.id] = _sources(self.compared(entry))
            self.told(1)
        return found

    @cached_property
    def key(self) -> str:
        """A hash of all that the scores follow from: gold, extractions, rules and the version of scoring.

        The same results have the same key wherever they are worked out, and other results have another one.
        """
        known = [(entry, self.sources[entry.document.id]) for entry in _ordered(self.found)]
        parts = [[entry.document.project, own.document, entry.open_tables, own.tables] for entry, own in known]
        return _hash([self.project, self.extractor, *parts])

    @cached_property
    def gold_hash(self) -> str:
        """A hash of the accepted gold tables and of the documents that they are of."""
        return _hash([[own.document, *(table[:2] for table in own.tables)] for own in self.sources.values()])

    @cached_property
    def _by_field(
    fields: Iterable[tuple[tuple[str, str], Counts]], names: Mapping[tuple[str, str], str], *, only_f1: bool = False
) -> dict[str, float | None]:
    found: dict[str, float | None] = {}
    for key, counts in fields:
        found[f"field/{names[key]}/f1"] = counts.f1
        if not only_f1:
            found[f"field/{names[key]}/precision"] = counts.precision
            found[f"field/{names[key]}/recall"] = counts.recall
    return found


def _counted(name: str, counts: Counts) -> dict[str, float | None]:
    return {
        f"{name}.matched": counts.matched,
        f"{name}.extracted": counts.predicted,
        f"{name}.expected": counts.expected,
    }


def _sums(shares: Sequence[Any]) -> dict[str, str]:
    return {"causes": json.dumps({share.label: share.values for share in shares})} if shares else {}


def _fails(entry: ScoredDocument) -> bool:
    return any(not table.report.passed for table in entry.tables)


def _ordered(found: Sequence[ScoredDocument]) -> list[ScoredDocument]:
    return sorted(found, key=lambda entry: (entry.document.project, entry.document.name, entry.document.sha256))


def _sources(entry: ComparedDocument) -> Sources:
    tables, received, schemas = [], "", set()
    for table in entry.tables:
        found = table.comparison
        received = found.extraction.received_sha256 if found.extraction else ""
        first = _sha(dump(found.first.table)) if found.first else ""
        tables.append((*_gold(table), received, first, table.report.signature))
        if found.table_type:
            schemas.add(f"{found.table_type.name}@{found.table_type.signature}")
    return Sources(entry.document.sha256, received, tuple(tables), frozenset(schemas))


def _gold(table: ComparedTable) -> tuple[str, str]:
    gold = table.comparison.gold
    return f"{gold.position + 1} {gold.name}", _sha(dump(table.comparison.sheet.table))


def _line(entry: ScoredDocument) -> dict[str, Any]:
    return {
        "document": entry.document.name,
        "sha256": entry.document.sha256,
        "tags": [list(tag) for tag in tags_of(entry.document, entry.tables[0])],
        "passed": entry.passed if entry.has_verdict else None,
        "first_reason": entry.first_reason,
        "cause_of_failure": entry.cause_of_failure,
        "active_ms": entry.active_ms,
        "tables": [
            {
                "name": table.gold.name,
                "table_type": table.gold.table_type,
                "passed": table.report.passed,
                "exact": table.report.exact.to_json(),
                "rows": table.report.rows.to_json(),
                "causes": dict(table.causes.cells),
            }
            for table in entry.tables
        ],
    }


def _known(tags: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in tags.items() if value}


def _csv(heads: Sequence[Shown], rows: Sequence[Sequence[Shown]]) -> str:
    return _csv_of([head.text for head in heads], [[cell.text for cell in row] for row in rows])


def _csv_of(heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    held = io.StringIO()
    writer = csv.writer(held, lineterminator="\n")
    writer.writerow(heads)
    writer.writerows(rows)
    return held.getvalue()


def _hash(value: Any) -> str:
    return _sha(json.dumps(value, ensure_ascii=False))[:32]


def _sha(text: str) -> str:
    return sha256(text.encode()).hexdigest()
