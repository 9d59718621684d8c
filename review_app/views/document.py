"""Document: first output against gold, who corrected what, in how much time."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from review_app.html_table import Shown, html_table
from review_app.settings import database, settings
from review_app.views import extract_now
from review_app.wording import count, duration, literal
from scoring import Difference, percent
from store import documents, edits, extractions, gold, pages, reviews, scores
from store.db import NotFound
from store.scores import ScoredDocument, ScoredTable
from store.work_time import CorrectionTime

EDIT_WORDS = {
    edits.SetText: "changed text",
    edits.Mark: "marked",
    edits.ReplaceCells: "changed cells",
    edits.Insert: "inserted",
    edits.Delete: "deleted",
    edits.Move: "moved",
    edits.Several: "changed",
}
DIFFERENCE_WORDS = {
    "wrong_value": "wrong value",
    "formatting_only": "other notation, same value",
    "missing_value": "missed value",
    "spurious_value": "value where there is none",
    "missed_row": "missed row",
    "extra_row": "extra row",
    "duplicate_row": "row extracted twice",
    "span": "other span",
}


def show() -> None:
    """The document that the address names, or the choice of one."""
    db = database()
    with db.read() as reader:
        known = documents.documents(reader, project=settings().project)
        if not known:
            st.subheader("No documents yet")
            st.page_link(st.session_state["screens"]["import"], label="Import files", icon=":material/upload_file:")
            return
        asked = st.query_params.get("document", "")
        ids = [entry.id for entry in known]
        key = int(asked) if asked.isdecimal() and len(asked) < 16 else ids[0]
        try:
            found = scores.scored_document(db, reader, key)
        except NotFound as wrong:
            st.warning(str(wrong))
            return
    names = {entry.id: entry.name for entry in known}
    chosen = st.selectbox(
        "Document", ids, index=ids.index(key) if key in ids else 0, format_func=lambda entry: names[entry]
    )
    if chosen != key:
        st.query_params["document"] = str(chosen)
        st.rerun()
    _summary(found)
    page, tables = st.columns([2, 3], gap="medium")
    with page:
        _pages(found)
    with tables:
        for table in found.tables:
            _table(table)
        _open_tables(found)


def _summary(found: ScoredDocument) -> None:
    if found.open_tables:
        st.info(f"{count(found.open_tables, 'table')} still open: there is no verdict on the document yet.")
    elif not found.tables:
        if found.failure:
            st.error(
                f"**The extractor failed**: {found.failure.outcome} at its first attempt.", icon=":material/close:"
            )
            st.code(found.failure.reason, language=None)
        _without_tables(found)
    elif found.passed:
        st.success("**Pass**: the first extraction of every table meets its acceptance rule.", icon=":material/check:")
    else:
        st.error(f"**Fail**: {literal(found.first_reason)}", icon=":material/close:")


def _without_tables(found: ScoredDocument) -> None:
    """The ways to the first table of a document: an extractor, or drawing where it is."""
    document = found.document
    with database().read() as reader:
        first = extractions.first_extraction(reader, document.id)
    if first is not None and not found.failure:
        st.info(f"No table was found in this document by {first.extractor}.")
    if first is None:
        title = "Extract it again" if found.failure else "Nothing of this document has been extracted yet"
        extract_now.offer([document], title=title, project=document.project, by_name=False)
    if st.button("Draw a table on its pages", icon=":material/select:"):
        st.switch_page(st.session_state["screens"]["review"], query_params={"document": str(document.id)})


def _pages(found: ScoredDocument) -> None:
    with database().read() as reader:
        numbers = [page.number for page in documents.pages(reader, found.document.id)]
    number = st.selectbox("Page", numbers) if len(numbers) > 1 else numbers[0]
    try:
        image = pages.page_image(settings().home, found.document.sha256, number, 110)
    except pages.DocumentError as wrong:
        st.warning(str(wrong))
        return
    name = f"{found.document.name}, page {number}"
    st.image(image, width="stretch", caption=name, alt=name)


def _table(table: ScoredTable) -> None:
    report, comparison = table.report, table.comparison
    st.subheader(comparison.label)
    cards = st.columns(4)
    cards[0].metric("Cell F1, exact", percent(report.exact.f1), help=_raw(report.exact.matched, report.exact))
    cards[1].metric("Row recall", percent(report.rows.recall), help=_raw(report.rows.matched, report.rows))
    cards[2].metric(
        "Correction time", duration(table.time.active_ms if table.time.measured else None), help=_time(table.time)
    )
    cards[3].metric("Edits", table.edits)
    if comparison.first is None:
        st.write("Nothing was extracted for this table.")
    if report.differences:
        heads = [Shown("Row", look="number"), *map(Shown, ("Column", "Gold", "First extraction", "What"))]
        rows = [_difference(table, entry) for entry in report.differences]
        st.html(html_table(heads, rows, label="First extraction against gold", test_id="differences"))
    else:
        st.write("The first extraction agrees with gold in every cell.")
    with database().read() as reader:
        log = gold.history(reader, comparison.gold.id)
        judged = reviews.verdicts(reader, comparison.gold.id)
    with st.expander(f"Timeline: {count(len(log), 'edit')}, {count(len(judged), 'verdict')}"):
        lines = [
            (edit.made_at, edit.person, EDIT_WORDS[type(edit.edit)] + _what(edit.edit), edit.source) for edit in log
        ]
        lines += [
            (entry["at"], entry["person"], f"{entry['verdict']} {entry['reason']}".strip(), "") for entry in judged
        ]
        st.dataframe(
            pd.DataFrame(sorted(lines), columns=["When", "Who", "What", "How"]), hide_index=True, width="stretch"
        )
    if comparison.extraction:
        st.caption(
            f"First extraction by {comparison.extraction.extractor}, received {comparison.extraction.received_at}, "
            f"sha256 `{comparison.extraction.received_sha256}`. Score: `{report.signature}`"
        )
    if st.button("Open in review", key=f"review-{comparison.gold.id}", icon=":material/table_edit:"):
        st.switch_page(st.session_state["screens"]["review"], query_params={"table": str(comparison.gold.id)})


def _time(time: CorrectionTime) -> str:
    if not time.measured:
        return "Nobody worked on this table here."
    phases = ", ".join(f"{phase} {duration(ms)}" for phase, ms in time.by_phase.items())
    people = ", ".join(f"{person} {duration(ms)}" for person, ms in time.by_person.items())
    return f"Active time, pauses counted up to 120 s: {phases}. {people}. Idle beside it: {duration(time.idle_ms)}."


def _open_tables(found: ScoredDocument) -> None:
    done = {table.comparison.gold.id for table in found.tables}
    with database().read() as reader:
        still_open = [entry for entry in gold.gold_tables(reader, found.document.id) if entry.id not in done]
    for entry in still_open:
        if st.button(f"Review {entry.name}", key=f"open-{entry.id}", icon=":material/table_edit:"):
            st.switch_page(st.session_state["screens"]["review"], query_params={"table": str(entry.id)})


def _difference(table: ScoredTable, entry: Difference) -> list[Shown]:
    sheet, first = table.comparison.sheet.table, table.comparison.first_table
    if entry.gold_col is not None:
        column = " ".join(filter(None, (sheet.text_at(row, entry.gold_col) for row in range(sheet.header_rows))))
    elif entry.pred_col is not None:
        column = " ".join(filter(None, (first.text_at(row, entry.pred_col) for row in range(first.header_rows))))
    else:
        column = ""
    row = entry.gold_row if entry.gold_row is not None else entry.pred_row
    offset = sheet.header_rows if entry.gold_row is not None else first.header_rows
    return [
        Shown("" if row is None else str(row - offset + 1)),
        Shown(column),
        Shown(entry.gold or ""),
        Shown(entry.pred or ""),
        Shown(DIFFERENCE_WORDS[entry.kind]),
    ]


def _what(edit: edits.Edit) -> str:
    match edit:
        case edits.SetText(changes) if len(changes) == 1:
            return f": {changes[0].old!r} to {changes[0].new!r}"
        case edits.SetText(changes):
            return f" of {len(changes)} cells"
        case edits.Mark(changes):
            return f" {count(len(changes), 'cell')} {changes[0].new or 'as open again'}" if changes else ""
        case edits.Insert(axis, _, ids, _) | edits.Delete(axis, _, ids, _) | edits.Move(axis, _, ids, _):
            return f" {count(len(ids), 'row' if axis == 'row' else 'column')}"
        case edits.Several(steps):
            return ": " + ", ".join(f"{EDIT_WORDS[type(step)]}{_what(step)}" for step in steps)
        case _:
            return ""


def _raw(matched: float, counts: object) -> str:
    return f"{matched:g} right, {getattr(counts, 'predicted', 0)} extracted, {getattr(counts, 'expected', 0)} expected"
