"""Document: first output against gold, who corrected what, in how much time."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

import streamlit as st

from review_app import document_tables, present
from review_app.asked import choice, number
from review_app.html_table import html_table
from review_app.result_tables import Rows
from review_app.score_report import diagnosis_line
from review_app.settings import database, settings
from review_app.views import extract_now
from review_app.wording import count, duration, literal
from scoring import percent
from store import documents, extractions, gold, pages, reviews, scores
from store.audit import note_hourly
from store.comparison import Comparison, as_judged, compare
from store.db import NotFound
from store.documents import Document
from store.kept_times import times_of_like_tables
from store.scores import ComparedDocument, ComparedTable
from store.work_time import CorrectionTime


def show() -> None:
    """The document that the address names, or the choice of one."""
    person = present.person_with("results")
    db = database()
    with db.read() as reader:
        known = documents.documents(reader, project=settings().project)
        if not known:
            st.subheader("No documents yet")
            st.page_link(st.session_state["screens"]["import"], label="Import files", icon=":material/upload_file:")
            return
        names = {str(entry.id): entry.name for entry in known}
        if asked := st.query_params.get("document", ""):
            with suppress(NotFound):  # it may be one of another project
                other = documents.document(reader, number(asked, "document"))
                names[str(other.id)] = other.name
        key = choice(
            "Document",
            list(names),
            part="document",
            otherwise=next(iter(names)),
            missing="In the database there is none with this number: document",
            called=lambda entry: names.get(entry, entry),
        )
        if key is None:
            return
        document = documents.document(reader, int(key))
        note_hourly(db, reader, person, "read", f"document {key}")
        runs = dict(extractions.runs(reader, project=document.project))
        run = _run(document, runs)
        if run is None:
            return
        found = scores.scored_document(db, reader, document.id, run=run or None)
    _summary(found, run)
    page, tables = st.columns([2, 3], gap="medium")
    with page:
        _pages(found)
    with tables:
        for table in found.tables:
            _table(table)
        _open_tables(found)


def _run(document: Document, runs: Mapping[int, str]) -> int | None:
    """The run that the address names, 0 for the first extraction; None where the project has no such run."""
    asked = st.query_params.get("run", "")
    back = {name: st.query_params[name] for name in ("run", "part", "value") if name in st.query_params}
    screens = st.session_state["screens"]
    if asked in ("", "0") or asked in map(str, runs):
        if run := int(asked or 0):
            st.info(f"Run {run}, {literal(runs[run])}: all that is told here of an extraction is of this run.")
        st.page_link(screens["results"], label="Results", query_params={"project": document.project, **back})
        return int(asked or 0)
    st.warning(f"Project {literal(document.project)} has no run {literal(asked)}.", icon=":material/search_off:")
    st.page_link(
        screens["document"],
        label="Show the first extraction of this document",
        query_params={"document": str(document.id)},
    )
    return None


def _summary(found: ComparedDocument, run: int) -> None:
    if found.open_tables:
        st.info(f"{count(found.open_tables, 'table')} still open: there is no verdict on the document yet.")
    elif not found.tables:
        if found.failure:
            st.error(
                f"**The extractor failed**: {found.failure.outcome} at its first attempt.", icon=":material/close:"
            )
            st.code(found.failure.reason, language=None)
        _without_tables(found, run)
    elif found.passed:
        st.success("**Pass**: the first extraction of every table meets its acceptance rule.", icon=":material/check:")
    else:
        st.error(f"**Fail**: {literal(found.first_reason)}", icon=":material/close:")


def _without_tables(found: ComparedDocument, run: int) -> None:
    """The ways to the first table of a document: an extractor, or drawing where it is."""
    document = found.document
    with database().read() as reader:
        first = extractions.first_extraction(reader, document.id, run=run or None)
    if first is not None and not found.failure:
        st.info(f"No table was found in this document by {first.extractor}.")
    if first is None:
        title = "Extract it again" if found.failure else "Nothing of this document has been extracted yet"
        extract_now.offer([document], title=title, project=document.project, by_name=False)
    if st.button("Draw a table on its pages", icon=":material/select:"):
        st.switch_page(st.session_state["screens"]["review"], query_params={"document": str(document.id)})


def _pages(found: ComparedDocument) -> None:
    with database().read() as reader:
        numbers = [page.number for page in documents.pages(reader, found.document.id)]
    number = st.selectbox("Page", numbers) if len(numbers) > 1 else numbers[0]
    try:
        image = pages.page_image(settings().home, found.document.sha256, number, 110)
    except pages.DocumentError as wrong:
        st.warning(str(wrong))
        return
    name = f"{found.document.name}, page {number}"
    st.image(image, width="stretch", caption=literal(name), alt=name)


def _table(table: ComparedTable) -> None:
    report, comparison = table.report, table.comparison
    st.subheader(literal(comparison.label))
    cards = st.columns(4)
    cards[0].metric("Cell F1, exact", percent(report.exact.f1), help=_raw(report.exact.matched, report.exact))
    cards[1].metric("Row recall", percent(report.rows.recall), help=_raw(report.rows.matched, report.rows))
    cards[2].metric(
        "Correction time", duration(table.time.active_ms if table.time.measured else None), help=_time(table.time)
    )
    cards[3].metric("Edits", table.edits)
    if table.time.measured:
        with database().read() as reader:
            others = times_of_like_tables(database(), reader, comparison.gold.id)
        if told := document_tables.beside_others(table.time.active_ms, others):
            st.caption(told)
    if comparison.first is None:
        st.write("Nothing was extracted for this table.")
    with database().read() as reader:
        judged = as_judged(reader, comparison)
    _rows(document_tables.differences(comparison, judged), "First extraction against gold", "differences")
    if not comparison.causes.differences:
        st.write("The first extraction agrees with gold in every cell.")
    _causes(table)
    _checks(comparison)
    with database().read() as reader:
        log = gold.history(reader, comparison.gold.id)
        verdicts = reviews.verdicts(reader, comparison.gold.id)
    with st.expander(f"Timeline: {count(len(log), 'edit')}, {count(len(verdicts), 'verdict')}"):
        _rows(document_tables.story(log, verdicts), "What people did to this table", "timeline")
    if comparison.extraction:
        st.caption(
            f"First extraction by {literal(comparison.extraction.extractor)}, "
            f"received {comparison.extraction.received_at}, "
            f"sha256 `{comparison.extraction.received_sha256}`. Score: `{report.signature}`"
        )
    if st.button("Open in review", key=f"review-{comparison.gold.id}", icon=":material/table_edit:"):
        st.switch_page(st.session_state["screens"]["review"], query_params={"table": str(comparison.gold.id)})


def _causes(table: ComparedTable) -> None:
    comparison = table.comparison
    if not comparison.causes.findings:
        return
    with st.expander(f"Why: {count(len(comparison.causes.findings), 'cause')}"):
        _rows(document_tables.causes(comparison), "Causes of the differences", "causes")
        if table.diagnosis:
            st.write(literal(diagnosis_line(table.diagnosis)))


def _checks(comparison: Comparison) -> None:
    if comparison.table_type is None:
        st.caption("No table type, so there is nothing to check its values by.")
        return
    heads, rows = document_tables.checks(comparison)
    if not rows:
        st.caption("Every check of its table type holds, on the first extraction and on gold.")
        return
    on_gold = len(comparison.findings)
    with st.expander(f"Checks that fail: {len(rows) - on_gold} on the first extraction, {on_gold} on gold"):
        _rows((heads, rows), "Checks that fail", "checks")


def _rows(table: Rows, label: str, test_id: str) -> None:
    heads, rows = table
    if rows:
        st.html(html_table(heads, rows, label=label, test_id=test_id))


def _time(time: CorrectionTime) -> str:
    if not time.measured:
        return "Nobody worked on this table here."
    phases = ", ".join(f"{phase} {duration(ms)}" for phase, ms in time.by_phase.items())
    people = ", ".join(f"{person} {duration(ms)}" for person, ms in time.by_person.items())
    return f"Active time, pauses counted up to 120 s: {phases}. {people}. Idle beside it: {duration(time.idle_ms)}."


def _open_tables(found: ComparedDocument) -> None:
    done = {table.comparison.gold.id for table in found.tables}
    with database().read() as reader:
        still_open = [entry for entry in gold.gold_tables(reader, found.document.id) if entry.id not in done]
        names = {
            entry.id: compare(database(), reader, entry.id).label if entry.hides_first else entry.name
            for entry in still_open
        }
    for entry in still_open:
        if st.button(f"Review {literal(names[entry.id])}", key=f"open-{entry.id}", icon=":material/table_edit:"):
            st.switch_page(st.session_state["screens"]["review"], query_params={"table": str(entry.id)})


def _raw(matched: float, counts: object) -> str:
    return f"{matched:g} right, {getattr(counts, 'predicted', 0)} extracted, {getattr(counts, 'expected', 0)} expected"
