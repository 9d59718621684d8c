"""Queue: what to take next, and why."""

from __future__ import annotations

from dataclasses import asdict

import streamlit as st

from review_app.components import frontend
from review_app.settings import database, settings
from store import queue


def show() -> None:
    """The queue of the project, or how to fill it."""
    db = database()
    with db.read() as reader:
        entries = queue.entries(db, reader, project=settings().project)
    if not entries:
        _empty()
        return
    accepted = sum(entry.status == "accepted" for entry in entries)
    st.progress(accepted / len(entries), text=f"**{accepted} of {len(entries)}** tables accepted")
    rows = [{**asdict(entry), "kind": entry.doc_type} for entry in entries]
    chosen = frontend.declared("queue")(
        data={"module": frontend.address("queue.js"), "rows": rows},
        key="queue",
        on_open_change=lambda: None,
    )
    if chosen.open is not None:
        st.switch_page(st.session_state["screens"]["review"], query_params={"table": str(chosen.open)})


def _empty() -> None:
    st.subheader("Nothing to review yet")
    st.write("Import documents together with what your extractor returned for them, and their tables stand here.")
    st.page_link(st.session_state["screens"]["import"], label="Import files", icon=":material/upload_file:")
