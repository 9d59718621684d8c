"""The progress of scoring on a screen, where tables have to be scored anew, with a way to stop it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from store.kept_values import Told

# Fewer take less than a blink.
LEAST_SHOWN = 100
_STOPPED = "scoring-stopped"


@contextmanager
def scoring() -> Iterator[Told]:
    """Shows how far the scoring in it has come; where a person stops it, the screen ends here with a way to go on."""
    if st.session_state.get(_STOPPED):
        st.info("Scoring was stopped. What has been scored is kept, and the rest is done from there.")
        st.button("Go on", on_click=lambda: st.session_state.update({_STOPPED: False}))
        st.stop()
    place, stop = st.empty(), st.empty()
    offered = False

    def told(done: int, of: int) -> None:
        nonlocal offered
        if of < LEAST_SHOWN:
            return
        place.progress(done / of, text=f"Scoring what has changed: {done:,} of {of:,} tables. It goes on where it was.")
        if not offered:  # once, as more than one run may be scored here
            offered = True
            stop.button("Stop", on_click=lambda: st.session_state.update({_STOPPED: True}))

    yield told
    place.empty()
    stop.empty()
