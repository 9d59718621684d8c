"""Who is at the screen, and whether they may see it: asked anew at each run of a page."""

from __future__ import annotations

from typing import Any

import streamlit as st

from review_app.components import frontend
from review_app.granting import issue_token
from review_app.settings import database, settings
from review_app.sign_in import sign_in_of
from review_app.wording import literal
from store import audit, people
from store.db import NotFound
from store.rights import ALL_RIGHTS, NotAllowed, Right, expect_right, is_team, rights_of, role_of

_EPOCH = "epoch of the person"


def rights_here() -> frozenset[Right]:
    """What the person at the screen may do, for the map of the app; ends the run with a plain page for strangers."""
    with database().read() as reader:
        if not is_team(reader) and not settings().signs_in:
            return ALL_RIGHTS
    name = person_here()
    with database().read() as reader:
        return rights_of(reader, name)


def person_with(right: Right) -> str:
    """The name of the person at the screen, who may do this now; ends the run with a plain page for everybody else."""
    name = person_here()
    with database().read() as reader:
        try:
            expect_right(reader, name, right)
        except NotAllowed as wrong:
            audit.note_hourly(database(), reader, name, "opened", "a screen", detail=str(wrong), refused=True)
            st.subheader("Not for your role")
            st.write(literal(str(wrong)))
            st.stop()
    return name


def component_data(module: str, person: str, key: int) -> dict[str, Any]:
    """What every component gets: its module, who is there, and the token for a gold table or for lists."""
    with database().read() as reader:
        in_team = is_team(reader)
    told = {"module": frontend.address(module), "token": issue_token(person, key), "person": person}
    return {**told, "session": key} if in_team else told


def show_account() -> None:
    """The person's own screen: name, role, rights, and the way out."""
    from store.rights import IN_WORDS

    name = person_with("review")
    with database().read() as reader:
        role, rights = role_of(reader, name), rights_of(reader, name)
    st.subheader(literal(name))
    st.write(
        f"Your role is **{role}**: you may " + ", ".join(IN_WORDS[right] for right in IN_WORDS if right in rights) + "."
    )
    st.caption("Your name signs your edits, verdicts and comments. An admin can change your role.")
    if settings().signs_in:
        st.caption("Signing out ends all open pages of yours, in other browsers too, until they are loaded anew.")
        if st.button("Sign out", icon=":material/logout:"):
            people.sign_out(database(), name)
            st.logout()


def person_here() -> str:
    """The name of the person at the screen; ends the run with a plain page that says why there is none."""
    name = _signed_in() if settings().signs_in else _declared()
    with database().read() as reader:
        epoch = people.epoch_of(reader, name)
    if epoch and st.session_state.setdefault(_EPOCH, epoch) != epoch:
        st.subheader("Signed out")
        st.write(
            "You signed out in another tab, or your role has changed. Load this page anew to go on. "
            "Edits that were not sent yet are kept in this browser."
        )
        st.stop()
    return name


def _declared() -> str:
    """In a home without people whoever was declared, else the person of the team of that name."""
    name = settings().person
    with database().read() as reader:
        if not is_team(reader):
            return name
        try:
            found = people.person(reader, name)
        except NotFound:
            found = None
    if found is None or found.removed_at is not None:
        _stranger(name)
    assert found is not None
    return found.name


def _signed_in() -> str:
    if not st.user.is_logged_in:
        st.subheader("Proofgrid")
        st.write("Sign in to see and correct tables.")
        if st.button("Sign in", icon=":material/login:"):
            st.login()
        st.stop()
    configured = sign_in_of(settings().home)
    with database().read() as reader:
        found = people.signing_in(
            reader, st.user.to_dict(), trust_email=configured is not None and configured.trust_email
        )
    if found is None:
        _stranger(str(st.user.get("email") or st.user.get("sub") or "You"))
    assert found is not None
    return found.name


def _stranger(name: str) -> None:
    with database().read() as reader:
        admins = [each.name for each in people.people(reader) if each.role == "admin"]
        audit.note_hourly(database(), reader, name, "signed in", "not known here", refused=True)
    st.subheader("Not known here")
    st.write(
        f"{literal(name)} is not among the people of this team. Ask {literal(', '.join(admins) or 'who set it up')}."
    )
    if settings().signs_in:
        st.caption("An e-mail counts only where the provider says that it is verified.")
        if st.button("Sign in as somebody else", icon=":material/logout:"):
            st.logout()
    st.stop()
