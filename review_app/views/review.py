"""Review: the page, the first extraction and gold side by side."""

from __future__ import annotations

import streamlit as st

from review_app.api import issue_token
from review_app.components import frontend
from review_app.settings import database, settings
from store import gold, queue
from store.db import NotFound


def show() -> None:
    """The review of the table that the address names, or of the first one of the queue."""
    key = _asked()
    if key is None:
        st.subheader("Nothing to review yet")
        st.page_link(st.session_state["screens"]["import"], label="Import files", icon=":material/upload_file:")
        return
    try:
        with database().read() as reader:
            gold.gold(reader, key)
    except NotFound as wrong:
        st.warning(str(wrong))
        st.page_link(st.session_state["screens"]["queue"], label="Open the queue", icon=":material/checklist:")
        return
    person = settings().person
    # Only here does the component ask for a rerun; edits never do: see docs/decisions.md.
    done = frontend.declared("review")(
        data={
            "module": frontend.address("index.js"),
            "gold": key,
            "token": issue_token(person, key),
            "person": person,
        },
        key="review",
        on_leave_change=lambda: None,
    )
    if done.leave is not None:
        st.switch_page(st.session_state["screens"]["queue"])


def _asked() -> int | None:
    asked = st.query_params.get("table", "")
    if asked.isdecimal():
        return int(asked)
    with database().read() as reader:
        entries = queue.entries(database(), reader, project=settings().project)
    return entries[0].gold if entries else None
