"""My time: what was measured of one's own work, what is recorded, and what one can do about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from uuid import uuid4

import streamlit as st

from review_app import guard_tables, present
from review_app.html_table import Shown, html_table
from review_app.settings import database
from review_app.time_report import PHASES, cell_seconds
from review_app.wording import count, duration
from scoring.effort.durations import FEWEST
from scoring.effort.work_intervals import CUTOFF_MS
from store import scores, timing
from store.catch_rates import catch_rates
from store.db import StoreError
from store.kept_work import work
from store.reviewer_signals import signals
from store.work_time import Work, daily
from store.worked_cells import CONFIRMED, CORRECTED

RECORDED = """
**Recorded**, only while a table is open before you and the tab is in front: when you worked on which table; the pauses
over 5 seconds; how long each cell had the focus; how long you waited for the server. A pause counts as work for up to
two minutes. Other tabs and other programs are not looked at, and a second tab does not count twice.

**Never recorded**: what you type, which keys you press, where your pointer is.

Others see your time in sums and medians by person, in `proofgrid time` and on the screen Effort; single tables and
cells stand there without a name. This page shows nobody but you.
"""


def show() -> None:
    """The time of the person at the screen."""
    person, db = present.person_with("review"), database()
    with db.read() as reader:
        everybody = _work(scores.fingerprint(reader), str(db.path))
        days = daily(reader, person)
        is_on = timing.is_timed(reader, person)
        own = timing.adjustments(reader, person=person)
        answers = timing.pause_answers(reader, person=person)
    mine = [entry for entry in everybody if entry.person == person]
    st.subheader("My time")
    # In a container of its own, so that what comes and goes there does not close the parts below.
    with st.container():
        if not is_on:
            st.warning("Timing is switched off: no time of yours is recorded.", icon=":material/timer_off:")
        if mine:
            _cards(mine, [entry for entry in everybody if entry.person != person], days)
            _tables(mine, own)
            _cutoffs(mine)
        else:
            st.write("No time has been measured yet. Open a table from the queue, and its time stands here.")
            st.page_link(st.session_state["screens"]["queue"], label="Open the queue", icon=":material/checklist:")
    _said(mine, own, answers, person)
    _caught(person)
    _choices(person, is_on)


def _caught(person: str) -> None:
    """How many planted errors this person caught, where they met some."""
    with database().read() as reader:
        found = replace(catch_rates(reader, person=person), people=(), others=0)
        whole, own = signals(database(), reader, person=person)
    if whole and own:
        heads, rows = guard_tables.signal_rows(whole, [replace(one, person="You") for one in own])
        with st.expander("Your reviews beside those of all"):
            st.html(html_table(heads, rows, label="Your reviews", test_id="my-reviews"))
    if found.whole.met:
        heads, rows = guard_tables.rows(found)
        with st.expander(f"Planted errors that you caught: {found.whole.caught} of {found.whole.met}"):
            st.html(html_table(heads, rows, label="Planted errors that you caught", test_id="my-catches"))


# Frozen values, shared by all sessions; the fingerprint makes them anew after a change.
@st.cache_resource(max_entries=2, show_spinner="Adding up")
def _work(fingerprint: str, path: str) -> tuple[Work, ...]:
    with database().read() as reader:
        return work(database(), reader)


def _cards(mine: Sequence[Work], others: Sequence[Work], days: dict[date, int]) -> None:
    today = datetime.now().astimezone().date()
    monday = today - timedelta(days=today.weekday())
    cards = st.columns(4)
    cards[0].metric("Today", duration(days.get(today, 0)))
    cards[1].metric("This week", duration(sum(ms for day, ms in days.items() if day >= monday)))
    cards[2].metric("Corrected cells", f"{sum(entry.corrected_cells for entry in mine):,}")
    own, tables = cell_seconds(mine, CORRECTED), sum(bool(entry.corrected_cells) for entry in mine)
    cards[3].metric(
        "Per corrected cell, median",
        duration(own.median_ms) if own.median_ms is not None else "too few",
        help=f"How long a cell that you corrected had the focus; {count(own.n, 'cell')}. "
        f"Per confirmed cell: {_median(cell_seconds(mine, CONFIRMED).median_ms)}.",
    )
    theirs = cell_seconds(others, CORRECTED)
    their_tables = sum(bool(entry.corrected_cells) for entry in others)
    if tables >= FEWEST and their_tables >= FEWEST and own.median_ms and theirs.median_ms:
        st.caption(
            f"Per corrected cell, median of everyone else: {duration(theirs.median_ms)} "
            f"({count(theirs.n, 'cell')} in {count(their_tables, 'table')})."
        )
    else:
        st.caption(
            f"The median of everyone else is shown once you and they have corrected at least {FEWEST} tables each: "
            f"{tables} and {their_tables} so far."
        )


def _tables(mine: Sequence[Work], own: Sequence[timing.Adjustment]) -> None:
    phases = [phase for phase in PHASES if any(entry.time.by_phase.get(phase) for entry in mine)]
    heads = [Shown("Document", look="strong"), Shown("Table"), Shown("Active", look="number")]
    heads += [Shown(phase.capitalize(), look="number") for phase in phases]
    heads += [Shown(name, look="number") for name in ("Idle", "Waiting", "Corrected cells", "Your minutes")]
    rows = []
    for entry in sorted(mine, key=lambda one: -one.last_ms):
        minutes = sum(said.minutes for said in own if said.gold == entry.gold)
        times = [entry.time.active_ms, *(entry.time.by_phase.get(phase, 0) for phase in phases)]
        rows.append(
            [
                Shown(entry.document, link=f"review?table={entry.gold}"),
                Shown(entry.table),
                *(Shown(duration(ms)) for ms in (*times, entry.time.idle_ms, entry.time.waiting_ms)),
                Shown(str(entry.corrected_cells)),
                Shown(f"{minutes:+g}" if minutes else ""),
            ]
        )
    st.html(html_table(heads, rows, label="My time by table, latest first", test_id="my-time"))


def _cutoffs(mine: Sequence[Work]) -> None:
    sums = {
        cutoff: sum(sum(entry.by_cutoff[cutoff].values()) for entry in mine) for cutoff in sorted(mine[0].by_cutoff)
    }
    parts = [f"{cutoff // 1000} s: {duration(ms)}" for cutoff, ms in sums.items()]
    st.caption(
        f"A pause counts as work for up to {CUTOFF_MS // 1000} s. All your time, with a cut-off of " + " · ".join(parts)
    )


def _said(
    mine: Sequence[Work],
    own: Sequence[timing.Adjustment],
    answers: Sequence[tuple[int, timing.PauseAnswer]],
    person: str,
) -> None:
    names = {entry.gold: f"{entry.document}: {entry.table}" for entry in mine}
    with st.expander("Add or withdraw minutes"):
        st.write("They stand beside the measured time and never change it.")
        with st.form("minutes", border=False, clear_on_submit=True):
            left, middle, right = st.columns([2, 1, 3])
            key = left.selectbox("Table", [None, *names], format_func=lambda one: names.get(one, "No table"))
            minutes = middle.number_input("Minutes (below 0: withdraw)", -1440, 1440, 0, step=5)
            reason = right.text_input("Reason", max_chars=300)
            if st.form_submit_button("Keep"):
                try:
                    timing.add_adjustment(
                        database(), id=str(uuid4()), person=person, minutes=minutes, reason=reason, key=key
                    )
                    st.rerun()
                except StoreError as wrong:
                    st.error(str(wrong))
        heads = [Shown("When"), Shown("Table"), Shown("Minutes", look="number"), Shown("Reason")]
        rows = [
            [
                Shown(said.stored_at[:16].replace("T", " ")),
                Shown(names.get(said.gold or 0, "")),
                Shown(f"{said.minutes:+g}"),
                Shown(said.reason),
            ]
            for said in own
        ]
        if rows:
            st.html(html_table(heads, rows, label="Minutes that I added or withdrew", test_id="my-minutes"))
        worked = [said.gap_ms for _, said in answers if said.was_working]
        if worked:
            st.caption(f"Pauses that you said were work: {len(worked)}, {duration(sum(worked))} in all. Not added.")


def _choices(person: str, is_on: bool) -> None:
    with st.expander("What is recorded, and switching it off"):
        st.markdown(RECORDED)
        wanted = st.toggle("Record my time", value=is_on, key=f"timing-{is_on}")
        st.caption("Off: your browser sends no time. A table that is open now may still try; the server refuses it.")
        if wanted != is_on:
            timing.switch_timing(database(), person, on=wanted)
            st.rerun()
        sure = st.checkbox("Delete all time recorded of me, for good. Your edits stay.", key="sure")
        if st.button("Delete my times", disabled=not sure, icon=":material/delete:"):
            gone = timing.erase_times(database(), person)
            st.session_state.pop("sure", None)
            st.toast(f"{count(gone, 'stretch', 'stretches')} of time deleted.")
            st.rerun()


def _median(ms: float | None) -> str:
    return "too few" if ms is None else duration(ms)
