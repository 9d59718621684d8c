"""Queue: what to take next, and why."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import parse_qsl

import streamlit as st

from review_app import present, queue_view
from review_app.components import frontend
from review_app.granting import LISTS
from review_app.settings import database, settings
from store import documents, gold
from store.rights import rights_of


def show() -> None:
    """The queue under the filter that the address names, or how to fill it."""
    person = present.person_with("review")
    with database().read() as reader:
        if gold.is_empty(reader):
            _empty(documents.projects(reader))
            return
        assigns = "rules" in rights_of(reader, person)
    project = settings().project
    asked = {"project": project or "", **_asked()}
    chosen = frontend.declared("queue")(
        data={
            **present.component_data("queue.js", person, LISTS),
            "project": project,
            "assigns": assigns,
            # The list is there when the component is drawn, without asking the server once more.
            "answer": queue_view.queue_json({**asked, "from": "0"}, person),
        },
        key="queue",
        on_open_change=lambda: None,
    )
    if chosen.open is not None:
        parts = {"table": str(chosen.open["gold"]), "queue": str(chosen.open["queue"])}
        st.switch_page(st.session_state["screens"]["review"], query_params=parts)


def _asked() -> dict[str, str]:
    """The filter of the address; one that a review followed is where it was put: see queue_filter.js."""
    given = st.query_params.to_dict()
    return dict(parse_qsl(given["queue"])) if "queue" in given else given


def _empty(projects: Sequence[str]) -> None:
    st.subheader("Nothing to review yet")
    if projects:
        st.write("There are documents, but no tables of them yet: have them extracted now, or import what was.")
    else:
        st.write(
            "Import documents together with what your extractor returned for them, or have them extracted here after "
            "the import, and their tables stand here."
        )
    label = "Extract tables, or import files" if projects else "Import files"
    st.page_link(st.session_state["screens"]["import"], label=label, icon=":material/upload_file:")
