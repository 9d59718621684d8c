"""Progress: how many tables are done, open, skipped and flagged, by person and by table type."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

import streamlit as st

from review_app import present, progress_table
from review_app.html_table import Shown
from review_app.paged_table import Listed, paged_table
from review_app.settings import database, settings
from store.progress import Progress, progress


def show() -> None:
    """The progress of the project that is worked on, or of all."""
    present.person_with("review")
    db, project = database(), settings().project or ""
    with db.read() as reader:
        found = progress(db, reader, project=project)
    whole = found.everything
    st.subheader("Progress")
    if not whole.whole:
        st.write("There are no tables yet.")
        st.page_link(st.session_state["screens"]["import"], label="Import files", icon=":material/upload_file:")
        return
    st.progress(whole.done / whole.whole, text=f"{whole.done:,} of {whole.whole:,} tables done")
    _counts(found.people, "Person", "progress-people", progress_table.NOBODY, "assigned", "nobody")
    _counts(found.types, "Table type", "progress-types", progress_table.WITHOUT_TYPE, "table_type", "")


def _counts(counted: Sequence[Progress], head: str, key: str, nameless: str, part: str, none: str) -> None:
    def link(one: Progress) -> str:
        value = one.name or none
        return f"/?{urlencode({part: value, 'status': 'todo'})}" if value else ""

    def rows_of(page: Sequence[Progress]) -> tuple[list[Shown], list[list[Shown]]]:
        heads = [Shown(head), *(Shown(name, look="number") for name in progress_table.HEADS)]
        rows = [[Shown(text) for text in progress_table.row(one, nameless)] for one in page]
        return heads, [[Shown(line[0].text, link=link(one)), *line[1:]] for one, line in zip(page, rows, strict=True)]

    paged_table(
        Listed(
            counted,
            rows_of,
            lambda one: one.label or nameless,
            key=key,
            label=f"Progress by {head.lower()}",
            file_name=f"{key}.csv",
            orders={"Most open first": lambda one: -one.open, "Most done first": lambda one: -one.done},
        ),
        f"By {head.lower()}",
    )
