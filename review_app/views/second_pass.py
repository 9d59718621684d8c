"""Second pass: what waits for a decision, how far two people agree, and what was decided about one's own tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import streamlit as st

from review_app import agreement_table, present
from review_app.asked import number
from review_app.components import frontend
from review_app.granting import LISTS
from review_app.html_table import Shown, html_table
from review_app.paged_table import Listed, paged_table
from review_app.settings import database, settings
from review_app.wording import count, literal
from scoring.double_keying import Agreement
from store import adjudication
from store.adjudication import Feedback
from store.db import NotFound
from store.rights import rights_of
from store.second_pass import Pass, State, passes

STATES: Mapping[State, str] = {
    "to key": "to be keyed again",
    "waits for the first": "wait for the first person",
    "keyed": "to be decided",
    "decided": "decided",
}


def show() -> None:
    """What there is to decide for the person at the screen, and what came of second passes."""
    person, project, db = present.person_with("review"), settings().project, database()
    with db.read() as reader:
        every = passes(reader, project=project)
        rights = rights_of(reader, person)
        waiting = adjudication.cases_for(reader, person, project=project) if "adjudicate" in rights else ()
        agreed = adjudication.agreement_of(db, reader, project=project) if "results" in rights else None
        own = adjudication.feedback(db, reader, person)
    st.subheader("Second pass")
    if not every:
        _none()
        return
    found = Counter(one.state for one in every)
    st.caption(" · ".join(f"{count(found[state], 'table')} {words}" for state, words in STATES.items() if found[state]))
    if waiting:
        _decide(waiting, person)
    elif found["keyed"]:
        words = "You keyed them yourself, or your role does not decide: somebody else has to."
        st.write(f"{count(found['keyed'], 'table')} to be decided. {words}")
    if agreed is not None and agreed.everything.tables:
        _agreement(agreed)
    if own:
        _feedback(own)


def _none() -> None:
    st.write(
        "No table is keyed twice yet. A share of tables, keyed again by somebody who sees nothing of the first "
        "answers, tells how far gold can be relied on."
    )
    st.code("proofgrid second-pass --share 0.1 --person NAME", language="bash")


def _decide(waiting: Sequence[Pass], person: str) -> None:
    asked = st.query_params.get("pass", "")
    key = waiting[0].id
    if asked:
        try:
            wanted = number(asked, "second pass")
        except NotFound as wrong:
            st.warning(literal(str(wrong)))
        else:
            key = next((one.id for one in waiting if one.id == wanted), key)
    done = frontend.declared("adjudicate")(
        data={**present.component_data("adjudicate.js", person, LISTS), "pass": key},
        key="adjudicate",
        on_done_change=lambda: None,
    )
    if done.done is not None:
        st.query_params.pop("pass", None)
        st.rerun()


def _agreement(found: Agreement) -> None:
    st.subheader("How far the two agree")
    heads = [Shown(name, look="" if at in (0, 5) else "number") for at, name in enumerate(agreement_table.HEADS)]
    rows = [[Shown(text) for text in row] for row in agreement_table.rows(found)]
    st.html(html_table(heads, rows, label="Agreement by field", test_id="agreement"))
    st.caption(agreement_table.structure(found))


def _feedback(own: Sequence[Feedback]) -> None:
    def rows_of(page: Sequence[Feedback]) -> tuple[list[Shown], list[list[Shown]]]:
        heads = [Shown(name) for name in ("Document", "Table", "Where", "You keyed", "Decided", "")]
        return heads, [
            [
                Shown(one.about.document_name),
                Shown(one.about.name, link=f"/review?table={one.about.gold}"),
                Shown(one.where),
                Shown(one.own or "empty"),
                Shown(one.decided or "empty"),
                Shown("as you keyed it", look="pass") if one.own == one.decided else Shown("otherwise", look="fail"),
            ]
            for one in page
        ]

    paged_table(
        Listed(
            own,
            rows_of,
            lambda one: f"{one.about.document_name} {one.about.name} {one.where} {one.own} {one.decided}",
            key="feedback",
            label="What was decided about your tables",
            file_name="decided.csv",
        ),
        "What was decided about your tables",
    )
