"""The map of the app: the screens and their addresses."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from review_app import empty_state, links, present
from review_app.closed import while_keying
from review_app.settings import database
from review_app.views import (
    compare,
    confidence,
    document,
    effort,
    import_files,
    my_time,
    people,
    progress,
    quality,
    queue,
    releases,
    results,
    review,
    second_pass,
    strip,
)
from store.assignment import is_shared_out
from store.rights import Right, is_team


def show() -> None:
    """The screen that the address names."""
    icon = str(Path(__file__).with_name("icon.png"))
    st.set_page_config(page_title="Proofgrid", page_icon=icon, layout="wide")
    # Streamlit's own margins are made for articles; a workbench needs the room.
    st.html("<style>.stMainBlockContainer { padding: 4rem 1.5rem 1rem; } .st-key-links { display: none; }</style>")
    rights = present.rights_here()
    with database().read() as reader:
        in_team = is_team(reader)
        several = in_team or is_shared_out(reader)

    def screen(
        show: Callable[[], None], title: str, icon: str, right: Right, url_path: str | None = None, *, menu: bool = True
    ) -> StreamlitPage:
        # A screen that is not for this role stays an address: who follows a link to it is told why it is not shown.
        seen: Literal["visible", "hidden"] = "visible" if menu and right in rights else "hidden"
        return st.Page(
            show, title=title, icon=f":material/{icon}:", url_path=url_path, default=url_path is None, visibility=seen
        )

    screens = {
        "queue": screen(queue.show, "Queue", "checklist", "review"),
        "review": screen(review.show, "Review", "table_edit", "review", "review"),
        "strip": screen(strip.show, "Strip", "view_list", "review", "strip"),
        "results": screen(while_keying(results.show), "Results", "monitoring", "results", "results"),
        "confidence": screen(while_keying(confidence.show), "Confidence", "speed", "results", "confidence"),
        "compare": screen(while_keying(compare.show), "Compare", "compare_arrows", "results", "compare"),
        "effort": screen(while_keying(effort.show), "Effort", "hourglass_bottom", "results", "effort"),
        "progress": screen(progress.show, "Progress", "donut_small", "review", "progress", menu=several),
        "second_pass": screen(
            while_keying(second_pass.show), "Second pass", "rule", "review", "second_pass", menu=several
        ),
        "quality": screen(while_keying(quality.show), "Quality", "fact_check", "check", "quality", menu=several),
        "document": screen(while_keying(document.show), "Document", "description", "results", "document"),
        "releases": screen(while_keying(releases.show), "Releases", "ac_unit", "export", "releases"),
        "import": screen(import_files.show, "Import", "upload_file", "import", "import"),
        "my_time": screen(my_time.show, "My time", "timer", "review", "my_time"),
    }
    if in_team:
        screens["people"] = screen(people.show, "People", "group", "people", "people")
        screens["account"] = screen(present.show_account, "Account", "person", "review", "account")
    # Screens link to each other by name; they do not import one another.
    st.session_state["screens"] = screens
    links.follow(screens.keys())
    known = [each.url_path for each in screens.values()]
    wanted = urlsplit(st.context.url or "").path.strip("/")
    # Streamlit shows its own dialog and the queue where the address names no screen; so it names one that says so.
    unknown = wanted not in known and re.fullmatch(r"[\w-]+", wanted)
    lost = [screen(_no_screen, "No screen", "help", "review", wanted, menu=False)] if unknown else []
    st.navigation([*screens.values(), *lost], position="top").run()


def _no_screen() -> None:
    empty_state.nothing_yet(
        "There is no screen at this address", "The menu names those there are.", "queue", "Open the queue"
    )
