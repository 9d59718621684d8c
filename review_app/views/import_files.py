"""Import: drop files, see what was understood, repaired or refused, then store."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from review_app.html_table import Shown, html_table
from review_app.settings import database, settings
from review_app.wording import count
from store import ingest
from store.ingest import Ingested

OUTCOME_WORDS = {"new": "new", "known": "already there", "refused": "refused"}


def show() -> None:
    """The files a person drops, what each was taken for, and the button that stores them."""
    if (done := st.session_state.pop("imported", None)) is not None:
        st.success(done, icon=":material/check:")
        st.page_link(st.session_state["screens"]["queue"], label="Open the queue", icon=":material/checklist:")
    st.write(
        "Drop documents (PDF, PNG, JPEG) together with what your extractor returned for them. An extraction belongs "
        "to the document of the same name: `invoice-17.pdf` and `invoice-17.json`."
    )
    left, right = st.columns(2)
    project = left.text_input("Project", value=settings().project or "default").strip() or "default"
    table_type = right.text_input(
        "Table type of tables that do not name one", placeholder="leave empty to match by column headers"
    ).strip()
    files = st.file_uploader(
        "Documents, extractions, table types and gold",
        accept_multiple_files=True,
        key=f"files-{st.session_state.get('batch', 0)}",
    )
    if not files:
        return
    plan = _ingested(files, project, table_type, dry_run=True)
    st.subheader("What these files are")
    _entries(plan)
    if not plan.stored:
        st.info("Nothing of this would be new.")
        return
    if st.button(f"Import {count(len(plan.stored), 'file')}", type="primary", icon=":material/download_done:"):
        with st.spinner("Importing"):
            result = _ingested(files, project, table_type, dry_run=False)
        st.session_state["imported"] = result.summary()
        st.session_state["batch"] = st.session_state.get("batch", 0) + 1
        st.rerun()


def _ingested(files: Sequence[Any], project: str, table_type: str, *, dry_run: bool) -> Ingested:
    with tempfile.TemporaryDirectory() as folder:
        for file in files:
            # A browser sends a bare name, but nothing obliges it to.
            (Path(folder) / Path(file.name).name).write_bytes(file.getbuffer())
        bar = st.progress(0.0, text="Reading")

        def progress(done: int, of: int) -> None:
            bar.progress(done / of if of else 1.0, text=f"{done} of {count(of, 'file')}")

        result = ingest.ingest(
            database(),
            settings().home,
            [Path(folder)],
            person=settings().person,
            project=project,
            table_type=table_type,
            dry_run=dry_run,
            progress=progress,
        )
        bar.empty()
        return result


def _entries(plan: Ingested) -> None:
    heads = [Shown(name) for name in ("File", "Outcome", "Taken for", "Understood", "Repaired")]
    rows = [
        [
            Shown(entry.path.name, look="strong"),
            Shown(OUTCOME_WORDS[entry.outcome], look="fail" if entry.outcome == "refused" else ""),
            Shown(entry.took_for),
            Shown(entry.message, direction="ltr"),
            Shown("; ".join(entry.notes), direction="ltr"),
        ]
        for entry in plan.entries
    ]
    st.html(html_table(heads, rows, label="What these files are", test_id="import-plan"))
