"""Scores on a screen: from what is kept, and with progress and a way to stop where tables have to be scored anew."""

from __future__ import annotations

import streamlit as st

from review_app.settings import database
from store.scored_documents import scored_documents
from store.scores import ScoredDocument

# Fewer take less than a blink.
LEAST_SHOWN = 100
_STOPPED = "scoring-stopped"


def scored(project: str, run: int | None) -> tuple[ScoredDocument, ...]:
    """The scored documents of a project; where a person stops the work, the screen ends here with a way to go on."""
    if st.session_state.get(_STOPPED):
        st.info("Scoring was stopped. What has been scored is kept, and the rest is done from there.")
        if not st.button("Go on"):
            st.stop()
        st.session_state[_STOPPED] = False
    place, stop = st.empty(), st.empty()

    def told(done: int, of: int) -> None:
        if of < LEAST_SHOWN:
            return
        place.progress(done / of, text=f"Scoring what has changed: {done:,} of {of:,} tables. It goes on where it was.")
        if not done:
            stop.button("Stop", on_click=lambda: st.session_state.update({_STOPPED: True}))

    with database().read() as reader:
        found = scored_documents(database(), reader, project=project, run=run, told=told)
    place.empty()
    stop.empty()
    return found
