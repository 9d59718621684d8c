"""What the address asks a screen for: a choice that follows the address, and that the address follows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from review_app.wording import literal
from store.db import NotFound

FIRST_EXTRACTION = "First extraction of each document"


def choice(
    label: str,
    options: Sequence[str],
    *,
    part: str,
    otherwise: str,
    missing: str,
    place: DeltaGenerator | None = None,
    called: Callable[[str], str] = str,
    beside: Mapping[str, str] | None = None,
    ends: Sequence[str] = (),
) -> str | None:
    """The option that the ``part`` of the address names, ``otherwise`` where it names none.

    None where it names one that is not there: ``missing`` says so ("there is no run"), and another one can be chosen.
    A choice goes into the address together with those ``beside`` it, and without those that it ``ends``. What nobody
    chose is not written, since each writing is a step of the browser's history that Back would have to undo.
    """
    asked = st.query_params.get(part, "")
    key = f"asked-{part}"
    known = asked in options if asked else True
    # The address decides, also after Back; what a person chooses is in it before the screen is drawn.
    st.session_state[key] = (asked or otherwise) if known else None
    chosen: str | None = (place or st).selectbox(
        label,
        options,
        index=0 if known else None,
        format_func=called,
        key=key,
        placeholder="Choose one",
        on_change=_follow,
        args=(key, part, dict(beside or {}), tuple(ends)),
    )
    if chosen is None:
        st.warning(f"{literal(missing)} {literal(asked)}. Choose another one above.", icon=":material/search_off:")
    return chosen


def project_choice(
    projects: Sequence[str], usual: str | None, *, place: DeltaGenerator, ends: Sequence[str]
) -> str | None:
    """The project that the address names, else the ``usual`` one; None where there is none of that name."""
    otherwise = usual if usual and usual in projects else projects[0]
    return choice(
        "Project", projects, part="project", otherwise=otherwise, missing="There is no project", place=place, ends=ends
    )


def run_choice(runs: Mapping[int, str], project: str, *, place: DeltaGenerator, ends: Sequence[str] = ()) -> int | None:
    """The run of a project that the address names, 0 for the first extractions; None where there is no such run."""
    names = {"0": FIRST_EXTRACTION, **{str(run): name for run, name in runs.items()}}
    chosen = choice(
        "Run",
        list(names),
        part="run",
        otherwise="0",
        missing=f"Project {project} has no run",
        place=place,
        called=lambda key: names.get(key, key),
        beside={"project": project},
        ends=ends,
    )
    return None if chosen is None else int(chosen)


def number(asked: str, what: str) -> int:
    """The number that an address names; raises NotFound where it is none that could be stored."""
    if asked.isascii() and asked.isdecimal() and len(asked) < 16:
        return int(asked)
    raise NotFound(f"{what} {asked}: there is none with this number in the database")


def _follow(key: str, part: str, beside: dict[str, str], ends: tuple[str, ...]) -> None:
    kept = {name: value for name, value in st.query_params.to_dict().items() if name not in ends}
    st.query_params.from_dict({**kept, **beside, part: st.session_state[key] or ""})
