"""Extract now: run an extractor of this machine over documents, with progress, Stop, and what failed and why."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from review_app import present
from review_app.html_table import Shown, html_table
from review_app.settings import database, settings
from review_app.wording import count
from store.documents import Document
from store.extracting import Extracted, Runs, extract
from store.extractors import ExtractorError

# Those that need nothing but this machine; a service or a model has to be told where it is, on the command line.
EXTRACTORS = {
    "auto": "auto: the text of the page where it has one that can be used, else OCR",
    "digital": "digital: PDFs with a text layer",
    "ocr": "ocr: scans and images",
}
NAMED = 5


def offer(waiting: Sequence[Document], *, title: str, project: str, by_name: bool = True) -> None:
    """Ask whether these documents, all of one project, are to be extracted now; then do it and draw the screen anew."""
    if isinstance(refused := st.session_state.get("extracted"), str):
        st.error(refused, icon=":material/error:")
        del st.session_state["extracted"]
    names = ", ".join(document.name for document in waiting[:NAMED]) if by_name else ""
    more = f" and {len(waiting) - NAMED} more" if len(waiting) > NAMED else ""
    with st.container(border=True, key="extract-now"):
        st.markdown(f"**{title}**")
        if names:
            st.text(f"{names}{more}")
        choice, place = st.columns([3, 1], vertical_alignment="bottom")
        chosen = choice.selectbox("Extractor", list(EXTRACTORS), format_func=EXTRACTORS.__getitem__)
        button = place.empty()
        if button.button("Extract now", type="primary", icon=":material/document_scanner:", width="stretch"):
            button.button("Stop", icon=":material/stop_circle:", help="What was stored so far stays", width="stretch")
            _extracted(waiting, chosen, project)
            st.rerun()


def tell() -> None:
    """What became of the last extraction, until the next one or until other files are imported."""
    done: Runs | str | None = st.session_state.get("extracted")
    if done is None or isinstance(done, str):  # why it could not begin is told at the offer
        return
    read = [entry for entry in done.entries if entry.first.outcome in ("read", "partial")]
    said = f"Extracted: {count(len(read), 'document')}"
    said += f"; failed: {len(done.entries) - len(read)}" if len(read) < len(done.entries) else ""
    said += f"; {done.stopped}, {count(done.left, 'document')} left" if done.stopped else ""
    if done.stopped or done.failed:
        st.warning(f"{said}.", icon=":material/error:")
    else:
        st.success(f"{said}.", icon=":material/check:")
    if read and "imported" not in st.session_state:  # what became of the import has the same link
        st.page_link(st.session_state["screens"]["queue"], label="Open the queue", icon=":material/checklist:")
    if done.failed:
        heads = [Shown("Document"), Shown("Outcome"), Shown("Reason")]
        rows = [
            [
                Shown(entry.document.name, look="strong"),
                Shown(entry.first.outcome, look="" if entry in read else "fail"),
                Shown(entry.first.reason, direction="ltr"),
            ]
            for entry in done.failed
        ]
        st.html(html_table(heads, rows, label="Documents that were not read in full", test_id="extract-failed"))


def _extracted(waiting: Sequence[Document], extractor: str, project: str) -> None:
    """Run the extractor and keep what became of it for ``tell``; a press of Stop ends it after the page in hand."""
    bar = st.progress(0.0, text="Starting the extractor")
    ended: list[BaseException] = []
    done: list[Extracted] = []

    def show(text: str) -> None:
        try:
            bar.progress(len(done) / len(waiting), text=text)
        except BaseException as by_a_person:
            # Streamlit ends a run here when a button is pressed: what was read so far is put in order first.
            ended.append(by_a_person)
            raise KeyboardInterrupt from by_a_person

    def told(entry: Extracted) -> None:
        done.append(entry)
        show(f"{len(done)} of {count(len(waiting), 'document')}")

    def reading(document: Document, page: int) -> None:
        show(f"{len(done) + 1} of {count(len(waiting), 'document')}: {document.name}, page {page}")

    try:
        st.session_state["extracted"] = extract(
            database(),
            settings().home,
            waiting,
            extractor_name=extractor,
            person=present.person_with("import"),
            project=project,
            resume=True,  # so that all documents of a project are of one run, however often this is pressed
            told=told,
            reading=reading,
        )
    except ExtractorError as wrong:
        st.session_state["extracted"] = str(wrong)
    if ended:
        raise ended[0]
