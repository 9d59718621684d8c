"""Review: the page, the first extraction and gold side by side."""

from __future__ import annotations

import threading
from contextlib import suppress
from urllib.parse import parse_qsl

import streamlit as st

from review_app import present, review_view
from review_app.asked import number
from review_app.components import frontend
from review_app.granting import LISTS
from review_app.settings import database, settings
from review_app.wording import literal
from store import documents, gold, pages, queue
from store.db import NotFound
from store.pages import DocumentError


def show() -> None:
    """The review of the table that the address names, or of the first one of the queue."""
    person = present.person_with("review")
    drawn_on = st.query_params.get("document", "")
    try:
        if drawn_on and "table" not in st.query_params and _without_tables(number(drawn_on, "document"), person):
            return
        key = _asked(person)
    except NotFound as wrong:
        _none(wrong)
        return
    if key is None:
        st.subheader("Nothing to review yet")
        st.page_link(st.session_state["screens"]["import"], label="Import files", icon=":material/upload_file:")
        return
    try:
        with database().read() as reader:
            document = documents.document(reader, gold.gold(reader, key).document)
    except NotFound as wrong:
        _none(wrong)
        return
    # The page is drawn while the browser still loads the component; its request waits for this drawing.
    threading.Thread(target=_draw_first_page, args=(document.sha256,), daemon=True).start()
    chosen = st.query_params.get("queue", "")
    # Only here does the component ask for a rerun; edits never do: see docs/decisions.md.
    done = frontend.declared("review")(
        data={
            **present.component_data("index.js", person, key),
            "gold": key,
            "queue": chosen,
            "cell": st.query_params.get("cell", ""),
        },
        key="review",
        on_leave_change=lambda: None,
    )
    if done.leave is not None:
        st.switch_page(st.session_state["screens"]["queue"], query_params=dict(parse_qsl(chosen)))


def _none(wrong: NotFound) -> None:
    st.warning(literal(str(wrong)))
    st.page_link(st.session_state["screens"]["queue"], label="Open the queue", icon=":material/checklist:")


def _without_tables(key: int, person: str) -> bool:
    """The pages of a document that has no table yet, to draw where one is; False where it has one; raises NotFound."""
    with database().read() as reader:
        document = documents.document(reader, key)
        if tables := gold.gold_tables(reader, key):
            st.query_params["table"] = str(tables[0].id)
            return False
        sizes = documents.pages(reader, key)
    done = frontend.declared("pages")(
        data={
            **present.component_data("pages.js", person, LISTS),
            "document": review_view.document_json(document, sizes),
        },
        key="pages",
        on_open_change=lambda: None,
    )
    if done.open is not None:
        st.switch_page(st.session_state["screens"]["review"], query_params={"table": str(done.open["gold"])})
    return True


def _draw_first_page(sha256: str) -> None:
    with suppress(DocumentError, OSError):  # told to whoever asks for the image
        pages.page_image(settings().home, sha256, 1, review_view.IMAGE_DPI)


def _asked(person: str) -> int | None:
    asked = st.query_params.get("table", "")
    if asked:
        return number(asked, "gold table")
    with database().read() as reader:
        asked_for = queue.Filter(project=settings().project or "", status="all")
        entries = queue.entries(database(), reader, asked_for, person=person)
    return entries[0].gold if entries else None
