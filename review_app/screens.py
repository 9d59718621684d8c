"""The map of the app: the screens and their addresses."""

from pathlib import Path

import streamlit as st

from review_app import links
from review_app.closed import while_keying
from review_app.views import (
    compare,
    confidence,
    document,
    effort,
    import_files,
    my_time,
    queue,
    results,
    review,
    second_pass,
    strip,
)


def show() -> None:
    """The screen that the address names."""
    icon = str(Path(__file__).with_name("icon.png"))
    st.set_page_config(page_title="Proofgrid", page_icon=icon, layout="wide")
    screens = {
        "queue": st.Page(queue.show, title="Queue", icon=":material/checklist:", default=True),
        "review": st.Page(review.show, title="Review", url_path="review", icon=":material/table_edit:"),
        "strip": st.Page(strip.show, title="Strip", url_path="strip", icon=":material/view_list:"),
        "results": st.Page(
            while_keying(results.show), title="Results", url_path="results", icon=":material/monitoring:"
        ),
        "confidence": st.Page(
            while_keying(confidence.show), title="Confidence", url_path="confidence", icon=":material/speed:"
        ),
        "compare": st.Page(
            while_keying(compare.show), title="Compare", url_path="compare", icon=":material/compare_arrows:"
        ),
        "effort": st.Page(
            while_keying(effort.show), title="Effort", url_path="effort", icon=":material/hourglass_bottom:"
        ),
        "second_pass": st.Page(
            while_keying(second_pass.show), title="Second pass", url_path="second_pass", icon=":material/rule:"
        ),
        "document": st.Page(
            while_keying(document.show), title="Document", url_path="document", icon=":material/description:"
        ),
        "import": st.Page(import_files.show, title="Import", url_path="import", icon=":material/upload_file:"),
        "my_time": st.Page(my_time.show, title="My time", url_path="my_time", icon=":material/timer:"),
    }
    # Streamlit's own margins are made for articles; a workbench needs the room.
    st.html("<style>.stMainBlockContainer { padding: 4rem 1.5rem 1rem; } .st-key-links { display: none; }</style>")
    # Screens link to each other by name; they do not import one another.
    st.session_state["screens"] = screens
    links.follow(screens.keys())
    st.navigation(list(screens.values()), position="top").run()
