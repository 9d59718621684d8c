"""Quality: a sample of accepted cells, each beside its piece of the page, to be checked by somebody else."""

from __future__ import annotations

import streamlit as st

from review_app import present
from review_app.asked import project_choice
from review_app.components import frontend
from review_app.empty_state import nothing_imported
from review_app.granting import LISTS
from review_app.settings import database, settings
from review_app.wording import count, literal
from store import documents, quality_sample
from store.db import StoreError
from store.quality_sample import MOST_CELLS, Sample
from store.rights import rights_of

_DONE = "a sample was drawn"
USUAL_CELLS = 200


def show() -> None:
    """The sample that was drawn last of the project that the address names, or how to draw one."""
    person = present.person_with("check")
    with database().read() as reader:
        projects = documents.projects(reader)
        may_draw = "rules" in rights_of(reader, person)
    if not projects:
        nothing_imported("No sample yet")
        return
    left, right = st.columns([1, 3], vertical_alignment="bottom")
    project = project_choice(projects, settings().project, place=left, ends=("at",))
    if project is None:
        return
    if told := st.session_state.pop(_DONE, ""):
        st.toast(literal(told), icon=":material/check:")
    with database().read() as reader:
        newest = quality_sample.newest(reader, project)
    if may_draw:
        with right.popover("Draw a sample", icon=":material/casino:"):
            _draw(project, person, newest)
    if newest is None:
        st.subheader("No sample of accepted cells yet")
        st.write(
            "How many accepted values are wrong? Cells of accepted tables are drawn at random, of every badge, also "
            "those that nobody doubted, and people who neither keyed nor accepted them look at each."
            + ("" if may_draw else " An owner draws the sample.")
        )
        st.code(f"proofgrid quality draw --cells {USUAL_CELLS}", language="bash")
        return
    done = frontend.declared("quality")(
        data={
            **present.component_data("quality.js", person, LISTS),
            "project": project,
            "sample": newest.id,
        },
        key="quality",
        on_open_change=lambda: None,
        on_leave_change=lambda: None,
    )
    if done.open is not None:
        # The way back, as from the strip.
        parts = {"table": str(done.open["gold"]), "cell": str(done.open["cell"]), "strip": str(done.open["strip"])}
        st.switch_page(st.session_state["screens"]["review"], query_params=parts)
    if done.leave is not None:
        st.switch_page(st.session_state["screens"]["results"])


def _draw(project: str, person: str, newest: Sample | None) -> None:
    with st.form("draw-sample", border=False):
        cells = st.number_input("Cells", 1, MOST_CELLS, USUAL_CELLS)
        seed = st.number_input("Seed", 0, None, newest.seed + 1 if newest else 1)
        if newest:
            st.caption("A new sample is checked from the beginning; what the last one measured stays as it is.")
        if not st.form_submit_button("Draw", type="primary"):
            return
    try:
        with st.spinner("Drawing"):
            made = quality_sample.draw(database(), project=project, size=int(cells), seed=int(seed), person=person)
    except StoreError as wrong:
        st.error(literal(str(wrong)))
        return
    st.session_state[_DONE] = f"{count(made.drawn, 'cell')} drawn of {made.population:,}."
    st.rerun()
