"""Confidence: how far the confidence of an extractor can be relied on, and from which on a cell may pass unseen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import streamlit as st

from review_app import confidence_charts, confidence_tables, present
from review_app.asked import project_choice, run_choice
from review_app.confidence_tables import Names, tau_shown
from review_app.empty_state import nothing_imported, nothing_yet
from review_app.html_table import html_table
from review_app.result_tables import Figure, Rows
from review_app.settings import database, settings
from review_app.wording import literal
from scoring import percent
from scoring.confidence.field_measures import Recommendation
from scoring.confidence.thresholds import ALPHA, DELTA
from store import documents, extractions
from store.cell_seconds import cell_seconds
from store.confidence_cells import ProjectCells, project_cells
from store.confidence_fields import Field, fields, recommendation, with_interval
from store.derived import made_anew
from store.table_types import table_types
from store.thresholds import Way, decisions, set_threshold

NOTHING = "No confidence to measure yet"
STEP = 0.001
FIELD = "confidence-field"
_ASKED = "threshold-asked"
PROGRESS_EVERY = 20
# A long list of fields scrolls by itself. On paper columns must not fall apart, and nothing may be cut off.
STYLE = """<style>[data-testid=confidence-fields] { max-height: 320px; } @media print {
  .stMainBlockContainer { zoom: .8; } .stToastContainer, .stToast, header { display: none !important; }
  [data-testid=stHorizontalBlock] { flex-wrap: nowrap !important; } [data-testid=stColumn] { min-width: 0 !important; }
  .stPlotlyChart, .pg-frame { break-inside: avoid; } [data-testid].pg-frame { max-height: none; }
}</style>"""
MEANING = """
A cell **passes** where its confidence is at least the threshold: nobody has to look at it. Below, it is a doubt, and
cells without a confidence never pass. A document passes where every one of these cells does; it is **not right** where
one of them is wrong, or a gold value was never predicted.

**By target accuracy**: half of the documents choose the loosest threshold that is *proved* to keep the target
(Learn-then-Test, with the exact binomial limit on the cells divided by how far they fail together in a document), and
the other half is held against it. **By hand** you choose on the cells that you look at, which always flatters: the
upper limit would hold, with 90 % confidence, had the threshold been chosen on other documents.

**Time saved** is the median time of a cell that people confirmed or corrected, as measured in the review, times the
cells that pass.

After saving go on checking some accepted cells at random: else nobody sees when accuracy drifts.
"""


def show() -> None:
    """The fields of a project, and what a threshold would do for one of them."""
    present.person_with("results")
    with database().read() as reader:
        projects = documents.projects(reader)
    if not projects:
        nothing_imported(NOTHING)
        return
    st.html(STYLE)
    left, middle, right = st.columns([1, 2, 2])
    project = project_choice(projects, settings().project, place=left, ends=("run", "type", "field"))
    if project is None:
        return
    with database().read() as reader:
        runs = dict(extractions.runs(reader, project=project))
        run = run_choice(runs, project, place=middle)
        if run is None:
            return
        with st.spinner("Reading the confidence of all cells", show_time=True):
            found = project_cells(database(), reader, project=project, run=run or None)
            listed = fields(database(), reader, found, project=project)
        called = _names(project)
    if not listed:
        nothing_yet(
            NOTHING,
            "No table of this project has been accepted yet: whether a cell is right is known only then.",
            "queue",
            "Open the queue",
        )
        return
    chosen = _chosen(listed, called, right, beside={"project": project, "run": str(run)})
    if chosen is None:
        return
    _list(listed, called, project, run, chosen)
    _field(chosen, found, called, project)
    _history(project, called)


def _names(project: str) -> Names:
    with database().read() as reader:
        types = table_types(reader, project=project)
    fields_of = {(kind.name, column.name): column.shown for kind in types for column in kind.columns}
    return Names({kind.name: kind.shown for kind in types}, fields_of)


def _chosen(
    listed: Sequence[Field], names: Names, place: st.delta_generator.DeltaGenerator, *, beside: Mapping[str, str]
) -> Field | None:
    """The field that the address names, the first where it names none; None where there is no such field."""
    wanted = (st.query_params.get("type", ""), st.query_params.get("field", ""))
    keys = [(each.cells.table_type, each.cells.field) for each in listed]
    several = len({name for name, _ in keys}) > 1

    def called(key: tuple[str, str]) -> str:
        return f"{names.of_type(key[0])} · {names.of(*key)}" if several and key[1] else names.of(*key)

    asked = any(part in st.query_params for part in ("type", "field"))
    known = wanted in keys or not asked
    st.session_state[FIELD] = (wanted if asked else keys[0]) if known else None
    key = place.selectbox(
        "Field",
        keys,
        index=0 if known else None,
        format_func=called,
        key=FIELD,
        placeholder="Choose one",
        on_change=_follow,
        args=(dict(beside),),
    )
    if key is None:
        told = " ".join(filter(None, (literal(wanted[1]), f"of the table type {literal(wanted[0])}" * bool(wanted[0]))))
        st.warning(f"There is no field {told}. Choose another one above.", icon=":material/search_off:")
        return None
    return listed[keys.index(key)]


def _follow(beside: dict[str, str]) -> None:
    table_type, field = st.session_state[FIELD]
    st.query_params.from_dict({**beside, "type": table_type, "field": field})


def _list(listed: Sequence[Field], names: Names, project: str, run: int, chosen: Field) -> None:
    st.subheader("Fields by table type, most errors passing unseen first")
    table = confidence_tables.field_list(listed, names, project=project, run=run, chosen=chosen)
    st.html(html_table(*table, label="Fields", test_id="confidence-fields"))


def _field(field: Field, found: ProjectCells, names: Names, project: str) -> None:
    of = field.cells
    st.subheader(literal(names.of(of.table_type, of.field)))
    figures = st.empty()
    with database().read() as reader:
        known = with_interval(database(), reader, field)
    with figures.container():
        _figures(confidence_tables.figures(known or field))
    st.caption(literal(confidence_tables.sample(*found.sample(of))))
    if told := list(confidence_tables.warnings(field)):
        st.warning("  \n".join(map(literal, told)), icon=":material/warning:")
    if not field.measures.scored:
        st.info(
            "The extractor gave no confidence for this field, so no threshold can let its cells pass: each counts as "
            "“No score”, which is never painted green. Look at another field, or import answers with confidence.",
            icon=":material/info:",
        )
        return
    tried = _decide(field, found, project)
    _charts(field, tried)
    with st.expander("What these numbers mean"):
        st.markdown(MEANING)
    if known is None:  # all else is on the screen by now
        with database().read() as reader:
            known = with_interval(database(), reader, field, at_once=False)
        with figures.container():
            _figures(confidence_tables.figures(known or field))


def _decide(field: Field, found: ProjectCells, project: str) -> float:
    """The two ways to a threshold; returns the one that is tried by hand."""
    learned, by_hand = st.columns(2, border=True)
    with learned:
        told = _by_target(field, found, project)
    with by_hand:
        tried = _by_hand(field, told, project)
    current, back = st.columns([4, 1], vertical_alignment="center")
    own = field.threshold
    current.markdown(f"**Now:** {literal(confidence_tables.now(field))}")
    if field.is_own and own is not None and back.button("Back to default", width="stretch", key="threshold-default"):
        _save(field, project, None, None, "default")
    return tried


def _by_target(field: Field, found: ProjectCells, project: str) -> Recommendation:
    st.markdown("**By target accuracy**, with a promise")
    left, right = st.columns(2)
    alpha = left.number_input(
        "Wrong among what passes, at most %", 0.1, 50.0, 100 * ALPHA, 0.5, format="%.1f", key="alpha"
    )
    delta = right.number_input(
        "Chance that this fails, %",
        0.1,
        50.0,
        100 * DELTA,
        1.0,
        format="%.1f",
        key="delta",
        help="The threshold is chosen on half of the documents by Learn-then-Test, and checked on the other half.",
    )
    with database().read() as reader:
        told = recommendation(database(), reader, found, field.cells, alpha=alpha / 100, delta=delta / 100)
    if told.threshold.tau is None:
        st.info(literal(confidence_tables.refusal(told)), icon=":material/info:")
        return told
    st.markdown(f"Cells may pass from **{tau_shown(told.threshold.tau)}** on.")
    _table(confidence_tables.promise(told), "What the recommended threshold lets pass", "confidence-promise")
    label = f"Save {tau_shown(told.threshold.tau)}, recommended"
    if st.button(label, type="primary", key="threshold-recommended"):
        _save(
            field,
            project,
            told.threshold.tau,
            told.limits.low,
            "recommended",
            alpha=told.threshold.alpha,
            delta=told.threshold.delta,
        )
    return told


def _by_hand(field: Field, told: Recommendation, project: str) -> float:
    st.markdown("**By hand**, without a promise: these are the cells that you look at")
    tried = _tau(field)
    with database().read() as reader:
        times, whose = cell_seconds(database(), reader, project=project).of(field.cells.table_type, field.cells.field)
    _table(
        confidence_tables.passing(field.at(tried), times, whose), "What passes at this threshold", "confidence-passing"
    )
    low = None if told.limits.low is None else min(told.limits.low, tried)
    # What is pressed is what stood there: the screen may be made anew by then, with what somebody else has saved.
    st.button(f"Save {tau_shown(tried)}, by hand", key="threshold-by-hand", on_click=_ask, args=(tried, low))
    if asked := st.session_state.pop(_ASKED, None):
        _save(field, project, asked[0], asked[1], "by hand")
    return tried


def _ask(tau: float, low: float | None) -> None:
    st.session_state[_ASKED] = (tau, low)


def _tau(field: Field) -> float:
    """The threshold that is tried: by a slider to look around, or typed; each follows the other."""
    names = [f"{name}-{field.cells.table_type}-{field.cells.field}-{field.tau}" for name in ("slide", "type")]
    for name in names:
        st.session_state.setdefault(name, field.tau)

    def follow(moved: str, other: str) -> None:
        st.session_state[other] = st.session_state[moved]

    wide, narrow = st.columns([3, 1], vertical_alignment="bottom")
    wide.slider(
        "Let pass from this confidence on",
        0.0,
        1.0,
        step=STEP,
        format="%.3f",
        key=names[0],
        on_change=follow,
        args=names,
    )
    narrow.number_input(
        "Threshold",
        0.0,
        1.0,
        step=STEP,
        format="%.4f",
        key=names[1],
        on_change=follow,
        args=names[::-1],
        label_visibility="collapsed",
    )
    return float(st.session_state[names[1]])


def _save(
    field: Field,
    project: str,
    tau: float | None,
    low: float | None,
    way: Way,
    *,
    alpha: float | None = None,
    delta: float | None = None,
) -> None:
    set_threshold(
        database(),
        project=project,
        table_type=field.cells.table_type,
        field=field.cells.field,
        tau=tau,
        low=low,
        way=way,
        alpha=alpha,
        delta=delta,
        basis=field.cells.basis,
        person=present.person_with("rules"),
    )
    bar = st.progress(0.0, "Saved. Badges, doubts and queue are made anew")
    with database().read() as reader:
        for done, of in made_anew(database(), reader, project=project, table_type=field.cells.table_type):
            if done % PROGRESS_EVERY == 0:
                bar.progress(done / of, f"Saved. Badges, doubts and queue are made anew: {done:,} of {of:,} tables")
    st.toast("Saved: badges, doubts and the queue follow it.", icon=":material/check:")
    st.rerun()


def _charts(field: Field, tried: float) -> None:
    left, right = st.columns(2)
    with left:
        st.markdown("**Is it right as often as it says?**")
        chart, numbers = st.tabs(["Chart", "Numbers"], key="reliability")
        bins = field.measures.calibration.bins
        chart.plotly_chart(confidence_charts.reliability(bins, saved=field.tau, tried=tried), width="stretch")
        with numbers:
            _table(confidence_tables.reliability(field), "Reliability diagram", "confidence-reliability")
    with right:
        st.markdown("**What does a review of the lowest find?**")
        if not field.measures.wrong:
            st.write("No cell is wrong, so there is nothing to find.")
            return
        chart, numbers = st.tabs(["Chart", "Numbers"], key="budget")
        shares = [1 - (field.at(tau).through.cell_share or 0.0) for tau in (field.tau, tried)]
        figure = confidence_charts.review_budget(field.measures.review, saved=shares[0], tried=shares[1])
        chart.plotly_chart(figure, width="stretch")
        with numbers:
            _table(confidence_tables.review_budget(field), "Review budget", "confidence-budget")
    rate = percent(field.measures.omission_rate)
    st.caption(
        f"Neither curve knows of the gold values that were never predicted ({rate}). Bars take cells as independent, "
        "and are too short where errors come by document."
    )


def _history(project: str, names: Names) -> None:
    with database().read() as reader:
        decided = decisions(reader, project=project)
    if decided:
        with st.expander(f"Decisions of this project ({len(decided)})"):
            _table(confidence_tables.history(decided, names), "Decisions", "confidence-decisions")


def _figures(found: Iterable[Figure]) -> None:
    shown = list(found)
    for card, figure in zip(st.columns(len(shown)), shown, strict=True):
        card.metric(figure.label, figure.value, help=figure.meaning)
        card.caption(figure.sure or "\u00a0")


def _table(found: Rows, label: str, test_id: str) -> None:
    st.html(html_table(*found, label=label, test_id=test_id))
