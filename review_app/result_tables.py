"""What results consist of, as figures and tables that the screen and the report show alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median, quantiles
from types import MappingProxyType
from urllib.parse import quote, urlencode

from review_app.html_table import Shown
from review_app.wording import count, duration, in_words
from scoring import NOT_AVAILABLE, percent
from scoring.corpus import Corpus
from scoring.statistics.intervals import Interval
from scoring.sums import Rate, total
from store.attempts import Completion, Failure
from store.scores import CauseShare, ScoredDocument, corpus_of

# Below this many documents a rate says little; it is shown, and called what it is.
FEW_DOCUMENTS = 30
PART_NAMES = {
    "table_type": "Table type",
    "document_type": "Document type",
    "condition": "Condition",
    "extractor": "Extractor",
    "month": "Month received",
}

Rows = tuple[list[Shown], list[list[Shown]]]
"""The heads of a table and its rows."""


@dataclass(frozen=True)
class Figure:
    """One headline number: what it is, how sure it is and over how many, and how it is meant."""

    label: str
    value: str
    sure: str
    meaning: str


def headline(
    found: Sequence[ScoredDocument], completions: Sequence[Completion] = (), *, corpus: Corpus | None = None
) -> Iterator[Figure]:
    """The figures by which an extractor is judged, each with its interval where one can be given.

    ``corpus`` is that of the documents, where it is known.
    """
    whole = [entry for entry in found if entry.has_verdict]
    tables = [table for entry in found for table in entry.tables]
    corpus = corpus or corpus_of(found)
    exact, graded, rows = corpus.exact, total(table.report.graded for table in tables), corpus.rows
    passed = Rate(sum(entry.passed for entry in whole), len(whole))
    yield Figure(
        "Documents passed",
        f"{passed.count} of {passed.of}",
        _between(passed.interval),
        "Fully accepted documents whose first extraction meets the acceptance rule of every table. Interval: Wilson.",
    )
    yield Figure(
        "Cell F1, exact (micro)",
        percent(exact.f1),
        _interval(corpus.f1_interval) or f"{count(len(corpus.documents), 'document')}, no interval",
        f"Precision {percent(exact.precision)}, recall {percent(exact.recall)}. {exact.matched:g} of {exact.expected} "
        f"gold cells were extracted right; {exact.predicted} cells were extracted. Interval by document.",
    )
    yield Figure(
        "Cell F1, graded (micro)",
        percent(graded.f1),
        "",
        "Each cell counts by the similarity of its text to gold (normalised Levenshtein). Near misses weigh less.",
    )
    yield Figure(
        "Row recall (micro)",
        percent(rows.recall),
        f"{rows.matched:g} of {rows.expected} rows",
        "Gold rows that were found, whatever stands in them.",
    )
    tried = Rate(sum(run.completed for run in completions), sum(run.documents for run in completions))
    if tried.of:
        yield Figure(
            "Completed at first attempt",
            f"{tried.count} of {tried.of}",
            _between(tried.interval),
            "Documents that extractors run here read in full at the first attempt. Imported answers have no attempts.",
        )
    times = [table.time.active_ms for table in tables if table.time.measured]
    yield Figure(
        "Correction time, median",
        duration(median(times)) if times else NOT_AVAILABLE,
        _middle_half(times),
        "Active time per table, measured while people worked. Imported gold has no time.",
    )


def caution(found: Sequence[ScoredDocument]) -> str:
    """A sentence where there are too few documents for a firm rate; "" where there are enough."""
    whole = [entry for entry in found if entry.has_verdict]
    if len(whole) >= FEW_DOCUMENTS:
        return ""
    passed = Rate(sum(entry.passed for entry in whole), len(whole))
    between = f", so the share that passes may lie anywhere from {_between(passed.interval)}" if passed.of else ""
    return f"Too few documents for a firm rate: {count(len(whole), 'document')} fully accepted{between}."


def document_link(key: int, beside: Mapping[str, str]) -> str:
    """The address of a document with what else it has to know, such as the run."""
    return f"document?{urlencode({'document': key, **beside})}"


def documents(
    found: Sequence[ScoredDocument], *, linked: bool = True, beside: Mapping[str, str] = MappingProxyType({})
) -> Rows:
    """One row per document with its verdict and first reason; links carry what is ``beside`` the document."""
    heads = [Shown("Document", look="strong"), Shown("Verdict"), Shown("First reason"), Shown("Mostly")]
    heads += _numbers("Cells right", "Cell F1", "Row recall", "Correction time", "Edits")
    rows = [
        [
            Shown(entry.document.name, link=document_link(entry.document.id, beside) if linked else ""),
            verdict(entry),
            Shown(entry.first_reason, direction="ltr"),
            Shown(in_words(entry.cause_of_failure or "")),
            Shown(f"{exact.matched:g} of {exact.expected}"),
            Shown(percent(exact.f1)),
            Shown(percent(total(table.report.rows for table in entry.tables).recall)),
            Shown(duration(entry.active_ms)),
            Shown(str(sum(table.edits for table in entry.tables))),
        ]
        for entry in found
        for exact in (total(table.report.exact for table in entry.tables),)
    ]
    return heads, rows


def parts(corpus: Corpus, name: str, *, address: str = "") -> Rows:
    """One row for each value of "table_type" or a tag, worst F1 first; a row links to ``address`` and its value."""
    heads = [Shown(PART_NAMES.get(name, name), look="strong")]
    heads += _numbers("Documents", "Passed", "Cell F1 (micro)", "95 % interval", "Row recall", "Cells right")
    found = corpus.by(name)
    scores = {value: part.exact.f1 for value, part in found.items()}
    ordered = sorted(found, key=lambda value: (scores[value] is None, scores[value] or 0.0, value))
    rows = [
        [
            Shown(value or "(none)", link=f"{address}{quote(value)}" if address else ""),
            Shown(f"{len(part.documents):,}"),
            Shown(f"{part.pass_rate.count} of {part.pass_rate.of}"),
            Shown(percent(exact.f1)),
            Shown(_interval(part.f1_interval) or NOT_AVAILABLE),
            Shown(percent(part.rows.recall)),
            Shown(f"{exact.matched:g} of {exact.expected}"),
        ]
        for value in ordered
        for part in (found[value],)
        for exact in (part.exact,)
    ]
    return heads, rows


def part_names(corpus: Corpus) -> list[str]:
    """By what the corpus can be divided into more than one part."""
    return [name for name in PART_NAMES if len(corpus.by(name)) > 1]


def fields(corpus: Corpus) -> Rows:
    """One row for each field, worst F1 first."""
    heads = [Shown("Table type"), Shown("Field", look="strong")]
    heads += _numbers("Precision", "Recall", "F1", "Right", "Extracted", "Expected")
    ordered = sorted(corpus.fields.items(), key=lambda item: (item[1].f1 is None, item[1].f1 or 0.0, item[0]))
    rows = [
        [
            Shown(kind or "(none)"),
            Shown(name),
            *(Shown(percent(ratio)) for ratio in (counts.precision, counts.recall, counts.f1)),
            *(Shown(f"{number:g}") for number in (counts.matched, counts.predicted, counts.expected)),
        ]
        for (kind, name), counts in ordered
    ]
    return heads, rows


def causes(shares: Sequence[CauseShare]) -> Rows:
    """One row for each cause, the one that hits most values first."""
    heads = [Shown("Cause", look="strong"), *_numbers("Values hit", "Share", "Together", "Findings", "Documents")]
    rows, sum_so_far = [], 0.0
    for share in shares:
        sum_so_far += share.share
        rows.append(
            [
                Shown(in_words(share.label)),
                Shown(f"{share.values:,}"),
                Shown(percent(share.share)),
                Shown(percent(min(1.0, sum_so_far))),
                Shown(f"{share.findings:,}"),
                Shown(f"{len(share.documents):,}"),
            ]
        )
    return heads, rows


def failures(found: Sequence[tuple[Completion, Failure]], *, linked: bool = True) -> Rows:
    """One row for each document that a run of an extractor did not read in full at its first attempt."""
    heads = [Shown("Document", look="strong"), *map(Shown, ("Run", "First attempt", "Reason"))]
    heads += [*_numbers("Attempts"), Shown("Last attempt")]
    rows = [
        [
            Shown(failure.name, link=document_link(failure.document, {"run": str(run.run)}) if linked else ""),
            Shown(f"{run.run}, {run.extractor}"),
            Shown(failure.first, look="fail"),
            Shown(failure.reason, direction="ltr"),
            Shown(str(failure.attempts)),
            Shown(failure.last),
        ]
        for run, failure in found
    ]
    return heads, rows


def verdict(entry: ScoredDocument) -> Shown:
    """Whether a document passed, in a word and a sign."""
    if entry.open_tables:
        return Shown(f"{entry.open_tables} open")
    if not entry.has_verdict:
        return Shown("nothing to score")
    return Shown("\u2713 pass", look="pass") if entry.passed else Shown("\u2715 fail", look="fail")


def signatures(found: Sequence[ScoredDocument]) -> list[str]:
    """The rules and versions behind the numbers."""
    return sorted({table.report.signature for entry in found for table in entry.tables})


def _numbers(*names: str) -> list[Shown]:
    return [Shown(name, look="number") for name in names]


def _between(interval: tuple[float, float] | None) -> str:
    return f"{percent(interval[0])} to {percent(interval[1])}" if interval else ""


def _interval(found: Interval) -> str:
    if found.low is None or found.high is None:
        return ""
    return _between((found.low, found.high))


def _middle_half(times: Sequence[int]) -> str:
    if len(times) < 2:
        return f"n = {len(times)}"
    low, _, high = quantiles(times, n=4, method="inclusive")
    return f"{duration(low)} to {duration(high)}, n = {len(times)}"
