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
    def slugs(self) -> dict[tuple[str, str], str]:
        """What each field, by table type and name, is called in the names of metrics."""
        return slugs(self.corpus.fields)

    def runs(self, detail: Detail) -> int:
        """How many runs there are at a level of detail."""
        if detail == "summary":
            return 1
        tables = sum(len(entry.tables) for entry in self.found if detail == "full" or _fails(entry))
        return 1 + len(self.found) + tables

    def whole(self) -> TrackedRun:
        """The main run: all headline figures with their intervals, the report, and one line for each document."""
        figures, reasons = self._figures()
        figures |= _by_field(self.corpus.fields.items(), self.slugs)
        times = [table.time.active_ms / 1000 for entry in self.found for table in entry.tables if table.time.measured]
        figures |= {"documents": len(self.corpus.documents), "tables": len(self.corpus.tables)}
        figures |= {"active_seconds": sum(times) if times else None}
        reasons |= {"active_seconds": "no correction time was measured"}
        tags = {"level": "main", "project": self.project, "extractor": self.extractor}
        shares = cause_shares(self.found)
        wrong = [share for share in shares if share.label != "formatting_only"]
        if wrong and not all(entry.passed for entry in self.found):
            tags["cause_of_failure"] = wrong[0].label
        return TrackedRun(
            self.key, self.title, self._params(), figures, {**tags, **_sums(shares)}, self._files(), reasons
        )

    def parts(self, detail: Detail) -> Iterator[tuple[TrackedRun, tuple[TrackedRun, ...]]]:
        """Each document with its tables: of all, of those that fail, or none at all, as the level of detail says.

        Failing documents come last, as trackers show the newest run on top.
        """
        if detail == "summary":
            return
        for entry in sorted(_ordered(self.found)[::-1], key=_fails):
            tables = self.compared(entry).tables if detail == "full" or _fails(entry) else ()
            yield self._document(entry), tuple(self._table(entry, table) for table in tables)

    def document_key(self, entry: ScoredDocument) -> str:
        """The key of the run of a document."""
        return f"{self.key}/{_hash([entry.document.project, entry.document.sha256])[:16]}"

    def _params(self) -> dict[str, str]:
        schemas = sorted({schema for own in self.sources.values() for schema in own.schemas})
        signatures = result_tables.signatures(self.found)
        thresholds = {f"threshold/{name}": str(value) for name, value in CauseThresholds().to_json().items()}
        return {
            "project": self.project,
            "extractor": self.extractor,
            "schemas": ", ".join(schemas) or "none",
            "schema_hash": _hash(schemas),
            "gold_hash": self.gold_hash,
            "rules_hash": _hash(signatures),
            "scoring_version": SCORING_VERSION,
            "proofgrid_version": version("proofgrid"),
            **thresholds,
        }

    def _figures(self) -> tuple[dict[str, float | None], dict[str, str]]:
        """The headline with low and high ends of 95 % intervals, and why there is no interval where there is none."""
        corpus, whole = self.corpus, [entry for entry in self.found if entry.has_verdict]
        figures: dict[str, float | None] = dict(score_report.metrics(self.found))
        figures |= {"macro_f1_documents": corpus.macro_documents.mean, "macro_f1_fields": corpus.macro_fields.mean}
        figures |= _counted("cells", corpus.zero.micro_exact) | {"verbatim_f1": corpus.zero.micro_verbatim.f1}
        rates = {"document_pass_rate": Rate(sum(entry.passed for entry in whole), len(whole))}
        tried = Rate(sum(run.completed for run in self.completions), sum(run.documents for run in self.completions))
        if tried.of:
            rates["completion_rate"] = tried
        for name, rate in rates.items():
            low, high = rate.interval or (None, None)
            figures |= {name: rate.share, f"{name}.low": low, f"{name}.high": high}
        reasons: dict[str, str] = {}
        for ratio, interval in corpus.intervals.items():
            figures |= {f"cell_{ratio}.low": interval.low, f"cell_{ratio}.high": interval.high}
            reasons |= dict.fromkeys((f"cell_{ratio}.low", f"cell_{ratio}.high"), interval.reason)
        return figures, reasons

    def _files(self) -> dict[str, str]:
        named = [{"slug": slug, "table_type": kind, "field": name} for (kind, name), slug in self.slugs.items()]
        files = {
            "report.html": result_report.html(self.title, self.found, self.completions),
            "fields.json": json.dumps(named, ensure_ascii=False, indent=1),
            "per_field.csv": _csv(*result_tables.fields(self.corpus)),
            "per_document.csv": _csv(*result_tables.documents(self.found, linked=False)),
            "per_document.jsonl": "".join(
                json.dumps(_line(entry), ensure_ascii=False) + "\n" for entry in _ordered(self.found)
            ),
            "causes.csv": _csv(*result_tables.causes(cause_shares(self.found))),
        }
        for name in result_tables.part_names(self.corpus):
            files[f"by_{name}.csv"] = _csv(*result_tables.parts(self.corpus, name))
        return files

    def _document(self, entry: ScoredDocument) -> TrackedRun:
        document, sums = entry.document, pooled(table.report for table in entry.tables)
        # Tags, and not params: they are made with the run, params by a transaction more.
        tags = {
            "level": "document",
            "document": document.name,
            "extraction_sha256": self.sources[document.id].extraction or "none",
            "doc_id": document.sha256,
            "doc_type": document.doc_type,
            "input_condition": ", ".join(document.conditions),
            "pass": ("yes" if entry.passed else "no") if entry.has_verdict else "undecided",
            "first_reason": entry.first_reason,
            "cause_of_failure": (entry.cause_of_failure or "") if _fails(entry) else "",
        }
        figures: dict[str, float | None] = {
            "cell_f1": sums.micro_exact.f1,
            "cell_precision": sums.micro_exact.precision,
            "cell_recall": sums.micro_exact.recall,
            "graded_f1": sums.micro_graded.f1,
            "row_recall": sums.micro_rows.recall,
            **_counted("cells", sums.micro_exact),
            "tables": len(entry.tables),
            "open_tables": entry.open_tables,
            "active_seconds": None if entry.active_ms is None else entry.active_ms / 1000,
        }
        return TrackedRun(self.document_key(entry), document.name, {}, figures, _known(tags), {}, _NO_TIME)

    def _table(self, entry: ScoredDocument, table: ComparedTable) -> TrackedRun:
        report, found = table.report, table.comparison
        failed = not report.passed
        tags = {
            "level": "table",
            "document": entry.document.name,
            "gold_sha256": _gold(table)[1],
            "rules": report.signature,
            "table_type": found.gold.table_type,
            "doc_id": entry.document.sha256,
            "doc_type": entry.document.doc_type,
            "pass": "no" if failed else "yes",
            "first_reason": report.first_reason,
            "cause_of_failure": (found.causes.cause_of_failure or "") if failed else "",
            "causes": json.dumps(found.causes.counts),
            "diagnosis": table.diagnosis.cause if table.diagnosis else "",
        }
        figures: dict[str, float | None] = {
            "cell_f1": report.exact.f1,
            "cell_precision": report.exact.precision,
            "cell_recall": report.exact.recall,
            "graded_f1": report.graded.f1,
            "verbatim_f1": report.verbatim.f1,
            "row_recall": report.rows.recall,
            **_counted("cells", report.exact),
            "edits": table.edits,
            "active_seconds": table.time.active_ms / 1000 if table.time.measured else None,
        }
        kind = found.gold.table_type
        named = [((kind, name), counts) for name, counts in report.columns]
        heads = ["field", "precision", "recall", "f1", "right", "extracted", "expected"]
        lines = [
            [name, counts.precision, counts.recall, counts.f1, counts.matched, counts.predicted, counts.expected]
            for name, counts in report.columns
        ]
        return TrackedRun(
            key=f"{self.document_key(entry)}/{found.gold.position + 1} {found.gold.name}",
            name=f"{entry.document.name}: {found.label}",
            metrics={**figures, **_by_field(named, self.slugs, only_f1=True)},
            tags=_known(tags),
            files={
                "matching_matrix.json": matching_matrix.to_json(found),
                "matching_matrix.html": matching_matrix.html(found),
                "per_field.csv": _csv_of(heads, lines),
                "differences.json": json.dumps(found.causes.to_json(), ensure_ascii=False, indent=1),
            },
            undefined=_NO_TIME,
        )


_NO_TIME = {"active_seconds": "no correction time was measured"}


def detail_for(documents: int) -> Detail:
    """What "auto" stands for."""
    return "full" if documents <= FULL_UP_TO else "documents" if documents <= DOCUMENTS_UP_TO else "summary"


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
