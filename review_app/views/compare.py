"""Compare: how all runs stand, and what two of them do differently on the same documents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

import streamlit as st
from sqlite_utils import Database

from review_app import charts, compare_report, compare_tables, present
from review_app.asked import choice, project_choice
from review_app.empty_state import nothing_imported
from review_app.html_table import Shown, html_table
from review_app.paged_table import Listed, paged_table
from review_app.scoring_progress import scoring
from review_app.settings import database, settings
from review_app.wording import count, literal
from store import documents
from store.kept_values import Told
from store.leaderboard import Leaderboard, kept_leaderboard
from store.paired_runs import MANY, PairedRuns, flipped_cells, kept_pair
from store.repeats import Repeats, repeated
from store.run_series import Series, all_series, tried
from store.scores import fingerprint

NOTHING = "Nothing to compare yet"
MOST_FIELDS_IN_CHART = 40
_ANEW = "compare-anew"

Found = TypeVar("Found")


def show() -> None:
    """The runs of a project, and two of them beside each other."""
    present.person_with("results")
    with database().read() as reader:
        projects = documents.projects(reader)
    if not projects:
        nothing_imported(NOTHING)
        return
    left, _ = st.columns([1, 3])
    project = project_choice(projects, settings().project, place=left, ends=("a", "b"))
    if project is None:
        return
    with database().read() as reader:
        series = all_series(reader, project=project)
    board, since = _board(project)
    _standings(board)
    _repeats(project, series, board.documents)
    if len(series) < 2 and not any(len(one.runs) > 1 for one in series):
        st.info(
            "There is one run, and nothing to compare it with. Import what another extractor returned for the same "
            "documents, or run one here: proofgrid extract.",
            icon=":material/info:",
        )
        return
    pair = _chosen(series, project)
    if pair is None:
        return
    found, since_pair = _paired(*pair)
    if older := since or since_pair:
        _older(older)
    st.subheader("B against A")
    for line in list(compare_report.about(found))[2:]:
        st.caption(line)
    if not found.corpora.documents:
        st.info("No accepted document was given to both, so there is nothing to compare.", icon=":material/info:")
        return
    _headline(found)
    _fields(found)
    _documents(found)
    st.session_state[_ANEW] = False


def _board(project: str) -> tuple[Leaderboard, str]:
    """All runs of a project, and the time of these numbers where scores have changed since."""

    def work_out(reader: Database, told: Told) -> tuple[Leaderboard, str]:
        return kept_leaderboard(database(), reader, project=project, told=told, earlier=not _is_asked_anew())

    return _remembered(f"board of {project}", work_out)


def _paired(a: Series, b: Series) -> tuple[PairedRuns, str]:
    """B against A, and the time of these numbers where scores have changed since."""

    def work_out(reader: Database, told: Told) -> tuple[PairedRuns, str]:
        return kept_pair(database(), reader, a, b, told=told, earlier=not _is_asked_anew())

    return _remembered(f"{a.runs} and {b.runs}", work_out)


def _remembered(name: str, work_out: Callable[[Database, Told], tuple[Found, str]]) -> tuple[Found, str]:
    """What was worked out in this state of the database, by whoever looked at it first."""
    known: dict[str, tuple[str, tuple[Found, str]]] = database().remembered.setdefault("compared", {})
    with database().read() as reader, scoring() as told, st.spinner("Comparing"):
        now = fingerprint(reader)
        last = known.get(name)
        if last is not None and last[0] == now and not (last[1][1] and _is_asked_anew()):
            return last[1]
        found = work_out(reader, told)
    known[name] = (now, found)
    return found


def _is_asked_anew() -> bool:
    return bool(st.session_state.get(_ANEW))


def _older(since: str) -> None:
    words, button = st.columns([5, 1], vertical_alignment="center")
    words.info(f"These numbers are of {since[:16].replace('T', ' ')} UTC. Tables have changed since.")
    if button.button("Work out anew", width="stretch"):
        st.session_state[_ANEW] = True
        st.rerun()


def _standings(board: Leaderboard) -> None:
    st.subheader("All runs")
    if not board.standings:
        st.write("Nothing has been extracted yet.")
        return
    if board.documents:
        st.caption(f"Scored on the {count(board.documents, 'accepted document')} that every run was asked for.")
    else:
        st.caption(
            "The runs have no accepted document in common: each stands on documents of its own, so that these numbers "
            "must not be compared with each other."
        )
    heads = [
        Shown(name, look="number" if at not in (0, 1) else "") for at, name in enumerate(compare_report.STANDING_HEADS)
    ]
    rows = [list(map(Shown, compare_report.standing(one))) for one in board.standings]
    st.html(html_table(heads, rows, label="All runs, best first", test_id="compare-runs"))


def _repeats(project: str, series: Sequence[Series], scored: int) -> None:
    """How far the repeats of one run differ, with gold or without; asked for where it takes long."""
    if all(len(one.runs) == 1 for one in series):
        return
    st.subheader("Repeats of one run")
    if scored >= MANY and not st.button("Work out how far repeats differ"):
        st.caption(f"All cells of {count(scored, 'document')} are read anew for it, which takes minutes.")
        return
    with database().read() as reader:
        now = fingerprint(reader)
    heads = [Shown(name, look="number" if at else "strong") for at, name in enumerate(compare_report.REPEAT_HEADS)]
    rows = [list(map(Shown, compare_report.repeats(one))) for one in _repeated(project, now, str(database().path))]
    st.html(html_table(heads, rows, label="How far repeats differ", test_id="compare-repeats"))
    st.caption(
        "Cells that flip: the share of pairs of repeats in which a cell has another value. Same value in all: TARa@K, "
        "same text: TARr@K. Repeats are no further documents: their spread says nothing of other documents."
    )


# Frozen values, which all sessions may share; the fingerprint makes them anew after a change.
@st.cache_resource(max_entries=8, show_spinner="Reading all repeats")
def _repeated(project: str, fingerprint: str, path: str) -> tuple[Repeats, ...]:
    with database().read() as reader:
        return repeated(database(), reader, project=project)


def _chosen(series: Sequence[Series], project: str) -> tuple[Series, Series] | None:
    """The two sides as a person chose them, by default the two with most documents in common; kept in the address."""
    sides = [*series]
    for one in series:  # the repeats of a run can be compared with each other, too
        if len(one.runs) > 1:
            sides += [one.only(run) for run in one.runs]
    by_key = {",".join(map(str, one.runs)): one for one in sides}
    keys = list(by_key)
    start = _most_in_common(series)
    usual = {name: keys[min(start[at], len(keys) - 1)] for at, name in enumerate("ab")}
    beside = {"project": project, **{name: st.query_params.get(name) or usual[name] for name in usual}}
    chosen = []
    for name, column in zip(usual, st.columns(2), strict=True):
        key = choice(
            f"Run {name.upper()}",
            keys,
            part=name,
            otherwise=usual[name],
            missing=f"Project {project} has no run",
            place=column,
            called=lambda key: compare_report.named(by_key[key]),
            beside=beside,
        )
        chosen += [by_key[key]] if key else []
    if len(chosen) < len(usual):
        return None
    if chosen[0].runs == chosen[1].runs:
        st.info("A and B are the same run: choose another one.", icon=":material/info:")
        return None
    return chosen[0], chosen[1]


def _most_in_common(series: Sequence[Series]) -> tuple[int, int]:
    """The two series that were asked for most documents of the same, by their indices; the older ones first."""
    with database().read() as reader:
        asked = [frozenset.intersection(*(tried(reader, run) for run in one.runs)) for one in series]
    pairs = [(len(asked[a] & asked[b]), -a, -b) for a in range(len(series)) for b in range(a + 1, len(series))]
    _, a, b = max(pairs, default=(0, 0, -1))
    return -a, -b


def _headline(found: PairedRuns) -> None:
    if reasons := found.corpora.regressions:
        listed = "\n".join(f"- {literal(reason)}" for reason in reasons)
        st.error(f"**B is worse beyond chance**\n\n{listed}", icon=":material/trending_down:")
    heads = [Shown(name, look="number" if at else "strong") for at, name in enumerate(compare_report.HEADS)]
    rows = [list(map(Shown, row)) for row in compare_report.headline(found.corpora)]
    st.html(html_table(heads, rows, label="B against A", test_id="compare-headline"))
    if reason := found.corpora.headline["f1"].reason:
        st.caption(f"No interval: {reason}.")


def _fields(found: PairedRuns) -> None:
    pairs = found.corpora.fields
    if not pairs:
        return
    st.subheader("By field, worst first")
    chart, numbers = st.tabs(["Chart", "Numbers"])
    changed = [pair for pair in pairs if pair.comparison.difference]
    if changed:
        shown = changed[:MOST_FIELDS_IN_CHART]
        chart.plotly_chart(
            charts.differences([(compare_report.field_name(pair), pair.comparison) for pair in shown]), width="stretch"
        )
        if len(changed) > len(shown):
            chart.caption(f"The {len(changed) - len(shown):,} fields with the largest gain are left out of the chart.")
    else:
        chart.write("No field has another F1 in B than in A.")
    heads = [Shown(name, look="number" if at else "") for at, name in enumerate(compare_report.FIELD_HEADS)]
    rows = [list(map(Shown, row)) for row in compare_report.fields(found.corpora)]
    numbers.html(html_table(heads, rows, label="Fields, worst first", test_id="compare-fields"))
    numbers.caption(
        "Differences are paired by document. p: swapping A and B within documents. Benjamini-Hochberg is for looking "
        "through many fields, Holm for a gate: WORSE is Holm below 0.05."
    )


def _documents(found: PairedRuns) -> None:
    st.subheader("Documents that differ")
    differing = compare_tables.differing(found)
    if not differing:
        st.write("Both runs have the same cells right in every document.")
        return
    listed = Listed(
        differing,
        partial(compare_tables.documents, found),
        lambda pair: found.documents[pair.name].name,
        key="compare-documents",
        label="Documents that differ, worst first",
        file_name="differing.csv",
        search="Search documents that differ",
        order="Verdict, then loss",
        orders={
            "Name": lambda pair: pair.name,
            "Largest loss": compare_tables.gain,
            "Lowest cell F1 of B": lambda pair: pair.b.f1,
        },
    )
    paged_table(listed)
    names = [pair.name for pair in differing]
    name = st.selectbox("Cells of", names, format_func=lambda name: found.documents[name].name)
    with database().read() as reader:
        cells = list(flipped_cells(database(), reader, found.documents[name].id, found.a.runs[0], found.b.runs[0]))
    if not cells:
        st.write("Every gold cell is right in both or wrong in both; what differs are cells that gold has not.")
        return
    table = compare_tables.cells(cells)
    st.html(html_table(*table, label="Cells that only one run has right", test_id="compare-cells"))
    if len(found.a.runs) > 1 or len(found.b.runs) > 1:
        st.caption("Cells are those of the first repeat.")
