"""People: who is in the team, in which role; for admins."""

from __future__ import annotations

import streamlit as st

from review_app import present
from review_app.html_table import Shown, html_table
from review_app.settings import database
from review_app.wording import literal
from store import people
from store.db import StoreError
from store.people import Person
from store.rights import IN_WORDS, RIGHTS, ROLES

_DONE = "done to people"
_HEADS = ("Name", "Role", "Signs in as", "Added", "By", "Removed")


def show() -> None:
    """The people of the team, and the forms that add, change and remove one."""
    admin = present.person_with("people")
    with database().read() as reader:
        everybody = people.people(reader, removed_too=True)
    st.subheader("People")
    if done := st.session_state.pop(_DONE, ""):
        st.toast(literal(done), icon=":material/check:")
    here = [each for each in everybody if each.removed_at is None]
    st.html(html_table([Shown(name) for name in _HEADS], _rows(everybody), label="People", test_id="people"))
    left, right = st.columns(2, gap="large")
    with left:
        _add(admin)
    with right:
        _change(admin, here)
    with st.expander("What each role may do"):
        for role in ROLES:
            st.write(f"**{role}**: {', '.join(IN_WORDS[right] for right in IN_WORDS if right in RIGHTS[role])}.")


def _rows(everybody: tuple[Person, ...]) -> list[list[Shown]]:
    return [
        [
            Shown(each.name, look="strong"),
            Shown(each.role),
            Shown(each.sign_in or "forgotten"),
            Shown(each.added_at[:10]),
            Shown(each.added_by),
            Shown((each.removed_at or "")[:10]),
        ]
        for each in sorted(everybody, key=lambda each: (each.removed_at is not None, each.name.casefold()))
    ]


def _add(admin: str) -> None:
    with st.form("add", clear_on_submit=False):
        st.write("**Add somebody**")
        sign_in = st.text_input("E-mail (or subject) of the sign-in")
        name = st.text_input(
            "Name that signs their edits, for ever", placeholder="the e-mail, if empty; may be a pseudonym"
        )
        role = st.selectbox("Role", ROLES)
        if st.form_submit_button("Add"):
            try:
                added = people.add_person(database(), sign_in, role=role, by=admin, name=name or None)
            except StoreError as wrong:
                st.error(literal(str(wrong)))
            else:
                _again(f"{added.name} is in the team, as {added.role}.")


def _change(admin: str, here: list[Person]) -> None:
    with st.form("change"):
        st.write("**Change or remove somebody**")
        chosen = st.selectbox("Person", here, format_func=lambda each: f"{each.name} ({each.role})")
        role = st.selectbox("New role", ROLES)
        st.caption("Both hold at once: open pages must be loaded anew. What was done stays, and unsent edits are kept.")
        changed, removed = st.columns(2)
        wants_role = changed.form_submit_button("Change role", width="stretch")
        wants_out = removed.form_submit_button("Remove", width="stretch", icon=":material/person_remove:")
    try:
        if wants_role:
            people.set_role(database(), chosen.name, role=role, by=admin)
            _again(f"{chosen.name} is {role} now.")
        elif wants_out:
            people.remove_person(database(), chosen.name, by=admin)
            _again(f"{chosen.name} was removed.")
    except StoreError as wrong:
        st.error(literal(str(wrong)))


def _again(done: str) -> None:
    st.session_state[_DONE] = done
    st.rerun()
