"""Going from a table to another screen without starting the app again."""

from __future__ import annotations

from collections.abc import Collection

import streamlit as st

from review_app.components import frontend


def follow(screens: Collection[str]) -> None:
    """Let the links of tables to these screens be followed inside the page."""
    with st.container(key="links"):
        frontend.declared("links")(
            data={"module": frontend.address("links.js"), "screens": list(screens)}, key="followed-links"
        )
