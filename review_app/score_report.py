"""Scores as lines for a terminal and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from review_app import extract_report
from review_app.anchoring_line import anchoring_line
from review_app.wording import count, duration, in_words
from scoring import percent, pooled
from scoring.shown import escaped
from scoring.statistics.anchoring import Anchoring
from store.attempts import Completion
from store.diagnoses import Diagnosis
from store.releases import Release
from store.repeats import Repeats
from store.scores import ComparedDocument, ScoredDocument, corpus_of

METRICS = ("document_pass_rate", "cell_f1", "cell_precision", "cell_recall", "graded_f1", "row_recall")


def metrics(found: Sequence[ScoredDocument]) -> dict[str, float | None]:
    """The METRICS over all accepted tables, micro-averaged; None where undefined."""
    whole = [entry for entry in found if entry.has_verdict]
    sums = pooled(table.report for entry in found for table in entry.tables)
    exact, graded, rows = sums.micro_exact, sums.micro_graded, sums.micro_rows
    return {
        "document_pass_rate": sum(entry.passed for entry in whole) / len(whole) if whole else None,
        "cell_f1": exact.f1,
        "cell_precision": exact.precision,
        "cell_recall": exact.recall,
        "graded_f1": graded.f1,
        "row_recall": rows.recall,
    }


def lines(
    found: Sequence[ScoredDocument],
    completions: Sequence[Completion] = (),
    repeats: Sequence[Repeats] = (),
    anchoring: Anchoring | None = None,
    against: Release | None = None,
) -> Iterator[str]:
    """One line per accepted table, failing documents first, then the sums; then how runs and repeats went."""
    if against:
        yield f"{release_line(against)}:"
    yield from _scores(found)
    if line := anchoring_line(anchoring):
        yield line
    yield from extract_report.completion_lines(completions)
    yield from extract_report.repeat_lines(repeats)


def release_line(against: Release) -> str:
    """What scores are against: a release, by its name and the beginning of its signature."""
    return escaped(f"against release {against.name} of {against.project} ({against.signature[:12]})")


def _scores(found: Sequence[ScoredDocument]) -> Iterator[str]:
    if not found:
        yield "No table has been accepted yet, so there is nothing to score."
        return
    for entry in found:
        if entry.has_verdict:
            verdict = "pass" if entry.passed else "FAIL"
        else:
            verdict = f"{count(entry.open_tables, 'table')} open" if entry.open_tables else "nothing to score"
        yield f"{entry.document.name}  {verdict}  {entry.first_reason}".rstrip()
        for table in entry.tables:
            report = table.report
            counts = f"{report.exact.matched:g} of {report.exact.expected} cells"
            time = duration(table.time.active_ms if table.time.measured else None)
            yield (
                f"    {table.label}: precision {percent(report.exact.precision)}, "
                f"recall {percent(report.exact.recall)}, F1 {percent(report.exact.f1)} "
                f"({counts}), row recall {percent(report.rows.recall)}, "
                f"corrected in {time}"
            )
            if cause := table.causes.cause_of_failure:
                yield f"        mostly {in_words(cause)}"
            if table.diagnosis:
                yield f"        {diagnosis_line(table.diagnosis)}"
    yield ""
    sums = corpus_of(found)
    ends = {"document_pass_rate": sums.pass_rate.interval}
    for name, ratio in (("cell_f1", "f1"), ("cell_precision", "precision"), ("cell_recall", "recall")):
        interval = sums.intervals[ratio]
        ends[name] = None if interval.low is None or interval.high is None else (interval.low, interval.high)
    for name, value in metrics(found).items():
        label = name if name == "document_pass_rate" else f"{name} (micro)"
        end = ends.get(name)
        yield f"{label}: {percent(value)}" + (f", 95 % interval {percent(end[0])} to {percent(end[1])}" if end else "")
    if (few := sums.intervals["f1"]).low is None and few.reason:
        yield f"no interval for the cells: {few.reason}"


def diagnosis_line(told: Diagnosis) -> str:
    """What a language model said of the cause, beside that of the rules."""
    if told.agrees is None:
        return escaped(f"{told.model} gave no cause that can be taken: {told.refused}")
    agrees = "as the rules do" if told.agrees else f"the rules say {in_words(told.by_rules)}"
    sure = f"confidence {told.confidence:.2f}, " if told.confidence is not None else ""
    return escaped(f"{told.model} says {in_words(told.cause)} ({sure}{agrees}): {told.explanation}")


def to_json(
    found: Sequence[ComparedDocument],
    completions: Sequence[Completion] = (),
    repeats: Sequence[Repeats] = (),
    anchoring: Anchoring | None = None,
    against: Release | None = None,
) -> dict[str, Any]:
    """Metrics, what the blind slice says of them, the corpus with its parts, and each document with its tables.

    ``release`` tells what they are against where that is not gold as it is now. Each table has its whole report and
    causes; runs of extractors have what they completed, and their repeats.
    """
    return {
        "metrics": metrics(found),
        "release": {"name": against.name, "signature": against.signature} if against else None,
        "anchoring": anchoring.to_json() if anchoring else None,
        "runs": [run.to_json() for run in completions],
        "repeats": [entry.to_json() for entry in repeats],
        "corpus": corpus_of(found).to_json() if found else None,
        "documents": [
            {
                "document": entry.document.name,
                "sha256": entry.document.sha256,
                "project": entry.document.project,
                "open_tables": entry.open_tables,
                "passed": entry.passed if entry.has_verdict else None,
                "first_reason": entry.first_reason,
                "cause_of_failure": entry.cause_of_failure,
                "active_ms": entry.active_ms,
                "tables": [
                    {
                        "name": table.gold.name,
                        "edits": table.edits,
                        "active_ms": table.time.active_ms if table.time.measured else None,
                        "report": table.report.to_json(),
                        "causes": table.comparison.causes.to_json(),
                        "diagnosis": table.diagnosis.to_json() if table.diagnosis else None,
                    }
                    for table in entry.tables
                ],
            }
            for entry in found
        ],
    }
