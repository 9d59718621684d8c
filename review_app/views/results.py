"""Results: how good the extractor is, where it fails, and what correction costs."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

import streamlit as st

from review_app import charts
from review_app.html_table import Shown, html_table
from review_app.settings import database, settings
from review_app.wording import count, duration
from scoring import NOT_AVAILABLE, Counts, percent, pooled, proportion_interval
from store import attempts, documents, extractions, scores
from store.attempts import Completion
from store.scores import ScoredDocument

# Below this many documents a rate says little; it is shown, and called what it is.
FEW_DOCUMENTS = 30


def show() -> None:
    """The results of a project: headline, by document, by field."""
    db = database()
    with db.read() as reader:
        projects = documents.projects(reader)
    if not projects:
        _nothing("Nothing has been imported yet.", "import", "Import files")
        return
    left, right, _ = st.columns([1, 2, 3])
    project = left.selectbox("Project", projects, index=_first(projects, settings().project))
    with db.read() as reader:
        runs = dict(extractions.runs(reader, project=project))
        run = right.selectbox(
            "Run", [None, *runs], format_func=lambda key: runs[key] if key else "First extraction of each document"
        )
        found = _scored(project, run, scores.fingerprint(reader), str(db.path))
        completions = attempts.completions(reader, project=project, run=run)
    if not found:
        _failed(completions)
        _nothing(
            "No table of this project has been accepted yet, so there is nothing to score against.",
            "queue",
            "Open the queue",
        )
        return
    _headline(found)
    _documents(found)
    _failed(completions)
    _fields(found)


# Scores are frozen values, so all sessions may share them; the fingerprint makes them anew after a change.
@st.cache_resource(max_entries=8, show_spinner="Scoring")
def _scored(project: str, run: int | None, fingerprint: str, path: str) -> tuple[ScoredDocument, ...]:
    with database().read() as reader:
        return scores.scored_documents(database(), reader, project=project, run=run)


def _headline(found: tuple[ScoredDocument, ...]) -> None:
    whole = [entry for entry in found if entry.has_verdict]
    tables = [table for entry in found for table in entry.tables]
    passed = sum(entry.passed for entry in whole)
    sums = pooled(table.report for table in tables)
    exact, graded, rows = sums.micro_exact, sums.micro_graded, sums.micro_rows
    times = [table.time.active_ms for table in tables if table.time.measured]
    low, high = proportion_interval(passed, len(whole)) or (None, None)

    cards = st.columns(5)
    cards[0].metric(
        "Documents passed",
        f"{passed} of {len(whole)}",
        help="Share of the completely accepted documents whose first extraction meets the acceptance rule of "
        f"every table. 95 % interval (Wilson): {percent(low)} to {percent(high)}.",
    )
    cards[1].metric(
        "Cell F1, exact (micro)",
        percent(exact.f1),
        help=f"Precision {percent(exact.precision)}, recall {percent(exact.recall)}. {exact.matched:g} of "
        f"{exact.expected} gold cells were extracted right; {exact.predicted} cells were extracted.",
    )
    cards[2].metric(
        "Cell F1, graded (micro)",
        percent(graded.f1),
        help="Each cell counts by the similarity of its text to gold (normalised Levenshtein).",
    )
    cards[3].metric(
        "Row recall (micro)", percent(rows.recall), help=f"{rows.matched:g} of {rows.expected} gold rows were found."
    )
    cards[4].metric(
        "Correction time per table, median",
        duration(median(times)) if times else NOT_AVAILABLE,
        help=f"Active time per table, measured while people worked; n = {len(times)}. Imported gold has no time.",
    )
    if len(whole) < FEW_DOCUMENTS:
        st.caption(
            f"Too few documents for a firm rate: {count(len(whole), 'document')} fully accepted, "
            f"so the share that passes may lie anywhere from {percent(low)} to {percent(high)} (95 %)."
        )


def _documents(found: tuple[ScoredDocument, ...]) -> None:
    st.subheader("By document, failing first")
    heads = [
        Shown("Document", look="strong"),
        Shown("Verdict"),
        Shown("First reason"),
        Shown("Cells right", look="number"),
        Shown("Cell F1", look="number"),
        Shown("Row recall", look="number"),
        Shown("Correction time", look="number"),
        Shown("Edits", look="number"),
    ]
    rows = [
        [
            Shown(entry.document.name, link=f"document?document={entry.document.id}"),
            _verdict(entry),
            Shown(entry.first_reason, direction="ltr"),
            Shown(f"{sums.micro_exact.matched:g} of {sums.micro_exact.expected}"),
            Shown(percent(sums.micro_exact.f1)),
            Shown(percent(sums.micro_rows.recall)),
            Shown(duration(entry.active_ms)),
            Shown(str(sum(table.edits for table in entry.tables))),
        ]
        for entry in found
        for sums in (pooled(table.report for table in entry.tables),)
    ]
    st.html(html_table(heads, rows, label="Results by document", test_id="results-summary"))


def _failed(completions: Sequence[Completion]) -> None:
    """How many documents each run of an extractor completed, and those that it did not, with the reason."""
    if not completions:
        return
    st.subheader("Completed by the extractor")
    for run in completions:
        st.write(
            f"{run.extractor}: {run.completed} of {count(run.documents, 'document')} read in full at the first attempt "
            f"({percent(run.rate)})" + (f", {run.retried} more after a retry" if run.retried else "") + "."
        )
    heads = [
        Shown("Document", look="strong"),
        Shown("Run"),
        Shown("First attempt"),
        Shown("Reason"),
        Shown("Attempts", look="number"),
        Shown("Last attempt"),
    ]
    rows = [
        [
            Shown(failure.name, link=f"document?document={failure.document}"),
            Shown(run.extractor),
            Shown(failure.first, look="fail"),
            Shown(failure.reason, direction="ltr"),
            Shown(str(failure.attempts)),
            Shown(failure.last),
        ]
        for run in completions
        for failure in run.failures
    ]
    if rows:
        st.html(html_table(heads, rows, label="Documents that failed", test_id="results-failed"))


def _verdict(entry: ScoredDocument) -> Shown:
    if entry.open_tables:
        return Shown(f"{entry.open_tables} open")
    if not entry.has_verdict:
        return Shown("nothing to score")
    return Shown("\u2713 pass", look="pass") if entry.passed else Shown("\u2715 fail", look="fail")


def _fields(found: tuple[ScoredDocument, ...]) -> None:
    st.subheader("By field, worst first")
    fields: dict[tuple[str, str], Counts] = {}
    for entry in found:
        for table in entry.tables:
            for name, counts in table.report.columns:
                key = (table.comparison.label, name)
                fields[key] = fields.get(key, Counts()) + counts
    ordered = sorted(fields.items(), key=lambda item: (item[1].f1 is None, item[1].f1 or 0.0, item[0]))
    chart, table_of_it = st.tabs(["Chart", "Numbers"])
    chart.plotly_chart(
        charts.fields([(f"{table} · {name}", counts) for (table, name), counts in ordered]), width="stretch"
    )
    heads = [Shown("Table"), Shown("Field")]
    heads += [Shown(name, look="number") for name in ("Precision", "Recall", "F1", "Right", "Extracted", "Expected")]
    rows = [
        [
            Shown(table),
            Shown(name),
            *(Shown(percent(ratio)) for ratio in (counts.precision, counts.recall, counts.f1)),
            *(Shown(f"{number:g}") for number in (counts.matched, counts.predicted, counts.expected)),
        ]
        for (table, name), counts in ordered
    ]
    table_of_it.html(html_table(heads, rows, label="Results by field", test_id="results-fields"))
    signatures = sorted({table.report.signature for entry in found for table in entry.tables})
    with st.expander("What these numbers mean"):
        st.markdown(
            "Every score compares the **first extraction as received** with the accepted gold, cell by cell. "
            "A wrong value is one false positive and one false negative. Averages marked *micro* add up the cells of "
            "all tables before dividing. 0/0 is undefined and shown as n/a."
        )
        st.code("\n".join(signatures), language=None)


def _first(projects: tuple[str, ...], wanted: str | None) -> int:
    return projects.index(wanted) if wanted in projects else 0


def _nothing(sentence: str, screen: str, label: str) -> None:
    st.subheader("No results yet")
    st.write(sentence)
    st.page_link(st.session_state["screens"][screen], label=label)
