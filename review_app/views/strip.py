"""Strip: one column, or one kind of doubt, across all tables, each cell beside its piece of the page."""

from __future__ import annotations

import streamlit as st

from review_app import present
from review_app.components import frontend
from review_app.granting import LISTS
from review_app.settings import database, settings
from store import documents


def show() -> None:
    """The strip that the address names, or how to fill it."""
    person = present.person_with("review")
    with database().read() as reader:
        if not documents.projects(reader):
            st.subheader("No cells yet")
            st.write("Import documents with their extractions: then the cells of one column stand here in one list.")
            st.page_link(st.session_state["screens"]["import"], label="Import files", icon=":material/upload_file:")
            return
    done = frontend.declared("strip")(
        data={
            **present.component_data("strip.js", person, LISTS),
            "project": settings().project,
        },
        key="strip",
        on_open_change=lambda: None,
        on_leave_change=lambda: None,
    )
    if done.open is not None:
        # The way back: Streamlit leaves an entry with these parts on the address of the strip.
        parts = {"table": str(done.open["gold"]), "cell": str(done.open["cell"]), "strip": str(done.open["strip"])}
        st.switch_page(st.session_state["screens"]["review"], query_params=parts)
    if done.leave is not None:
        st.switch_page(st.session_state["screens"]["queue"])
