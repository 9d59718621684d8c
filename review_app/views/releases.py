"""Releases: gold frozen under a name, what one holds, and what differs between two of them."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from review_app import present, release_tables
from review_app.asked import project_choice
from review_app.empty_state import nothing_imported
from review_app.html_table import html_table
from review_app.paged_table import Listed, paged_table
from review_app.settings import database, settings
from review_app.wording import count, literal
from store import documents, releases
from store.db import StoreError
from store.release_diff import ReleaseDiff, diff
from store.releases import Release, ReleasedTable
from store.scores import fingerprint

_DONE = "a release was made"


def show() -> None:
    """The releases of a project, or the one that the address names."""
    person = present.person_with("export")
    with database().read() as reader:
        projects = documents.projects(reader)
    if not projects:
        nothing_imported("No releases yet")
        return
    left, _ = st.columns([1, 3])
    project = project_choice(projects, settings().project, place=left, ends=("name",))
    if project is None:
        return
    if done := st.session_state.pop(_DONE, ""):
        st.toast(literal(done), icon=":material/check:")
    with database().read() as reader:
        found = [
            (made, releases.released_tables(reader, made.id)) for made in releases.releases(reader, project=project)
        ]
        ready = releases.accepted(reader, project=project)
    if name := st.query_params.get("name", ""):
        _one(name, found)
        return
    st.subheader("Releases of gold")
    if found:
        heads, rows = release_tables.releases(found)
        st.html(html_table(heads, rows, label="Releases", test_id="releases"))
    else:
        st.write(
            "None yet. A release freezes the accepted tables of now under a name: whatever is corrected later, it "
            "stays as it is, can be exported again, and two of them can be compared."
        )
    _make(project, ready, person, fields=str(len(found)))
    if len(found) > 1:
        _compare([made for made, _ in found])


def _make(project: str, ready: int, person: str, *, fields: str) -> None:
    """The form; under another name of its ``fields`` they are empty again."""
    with st.form("make", clear_on_submit=False):
        st.write("**Make a release**")
        left, right = st.columns([1, 2])
        name = left.text_input("Name", placeholder="2026-12", key=f"name-{fields}")
        note = right.text_input("What it is for", placeholder="first hundred invoices", key=f"note-{fields}")
        label = f"Freeze {count(ready, 'accepted table')}" if ready else "No table is accepted yet"
        if not st.form_submit_button(label, icon=":material/ac_unit:", type="primary", disabled=not ready):
            return
    try:
        made = releases.make_release(database(), project=project, name=name, note=note, person=person)
    except StoreError as wrong:
        st.error(literal(str(wrong)))
        return
    st.session_state[_DONE] = f"{made.name} is made, with the signature {made.signature[:12]}."
    st.rerun()


def _one(name: str, found: Sequence[tuple[Release, Sequence[ReleasedTable]]]) -> None:
    words, back = st.columns([5, 1], vertical_alignment="center")
    back.button("All releases", width="stretch", on_click=_all)
    known = next(((made, tables) for made, tables in found if made.name == name), None)
    if known is None:
        words.warning(f"There is no release {literal(name)}.", icon=":material/search_off:")
        return
    made, tables = known
    words.subheader(literal(made.name))
    note = f"{literal(made.note)}. " if made.note else ""
    by = f"{literal(made.person)} on {made.made_at[:10]}"
    st.caption(f"{note}{count(len(tables), 'table')}, made by {by}. Signature {made.signature}")
    listed = Listed(
        tables,
        release_tables.members,
        lambda table: f"{table.document_name}\n{table.name}",
        key="release-members",
        label=f"Tables of {name}",
        file_name="release.csv",
        search="Search documents and tables",
    )
    paged_table(listed)
    st.write("As files, with a passport for each table:")
    st.code(f"proofgrid export --release {made.name} --to dataset --output gold/", language=None)


def _all() -> None:
    st.query_params.from_dict({part: value for part, value in st.query_params.to_dict().items() if part != "name"})


def _compare(known: Sequence[Release]) -> None:
    st.subheader("What differs between two")
    left, right, _ = st.columns([1, 1, 2])
    names = [made.name for made in known]
    old = left.selectbox("Older", names, index=len(names) - 2)
    new = right.selectbox("Newer", names, index=len(names) - 1)
    if old == new:
        st.info("Choose two different releases.", icon=":material/info:")
        return
    by_name = {made.name: made for made in known}
    with st.spinner("Comparing"):
        with database().read() as reader:
            seen = fingerprint(reader)
        found = _diff(by_name[old], by_name[new], seen, str(database().path))
    if not found.tables:
        st.write("They hold the same gold: every table, cell and rule.")
    else:
        listed = Listed(
            found.tables,
            release_tables.cells,
            lambda each: f"{each.table.document_name}\n{each.table.name}",
            key="release-cells",
            label="Cells that differ",
            file_name="release-diff.csv",
            search="Search documents and tables",
        )
        paged_table(listed, count(len(found.tables), "table that differs", "tables that differ"))
    for title, (heads, rows), key in (
        ("Cell F1 of each run under both", release_tables.runs(found), "release-runs"),
        ("From run to run: was it gold, or the extractor?", release_tables.steps(found), "release-steps"),
    ):
        if rows:
            st.subheader(title)
            st.caption(
                f"On the {count(found.in_common, 'table')} that both hold, as far as each run was asked for them."
            )
            st.html(html_table(heads, rows, label=title, test_id=key))


# Releases never change; the fingerprint makes it anew after another run.
@st.cache_resource(max_entries=8, show_spinner=False)
def _diff(old: Release, new: Release, fingerprint: str, path: str) -> ReleaseDiff:
    with database().read() as reader:
        return diff(database(), reader, old, new)
