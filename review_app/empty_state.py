"""What a screen says where it has nothing to show yet, and where to go from there."""

from __future__ import annotations

import streamlit as st


def nothing_yet(title: str, sentence: str, screen: str, label: str) -> None:
    """A title, why there is nothing, and the link to the screen that changes it."""
    st.subheader(title)
    st.write(sentence)
    st.page_link(st.session_state["screens"][screen], label=label)


def nothing_imported(title: str) -> None:
    """The same where there is no document at all."""
    nothing_yet(title, "Nothing has been imported yet.", "import", "Import files")
