"""Screens that are closed to somebody who keys tables a second time: they would tell what others read."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

import streamlit as st

from review_app import present
from review_app.settings import database
from review_app.wording import count
from store import hiding


def while_keying(show: Callable[[], None]) -> Callable[[], None]:
    """The screen, or, as long as the person still has tables to key a second time, why it is closed."""

    @wraps(show)
    def shown() -> None:
        person = present.person_here()
        with database().read() as reader:
            waiting = hiding.keys_blind(reader, person)
        if not waiting:
            return show()
        st.subheader("Closed until your second keying is done")
        st.write(
            f"You key {count(waiting, 'table')} a second time, from the page alone. What others read would tell you "
            "the answers, so this screen opens again when you have handed in what you keyed."
        )
        st.page_link(st.session_state["screens"]["queue"], label="Open the queue", icon=":material/checklist:")
        return None

    return shown
