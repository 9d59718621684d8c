"""Results: how good the extractor is, where and why it fails, and what correction costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from urllib.parse import urlencode

import streamlit as st

from review_app import charts, guard_tables, present, quality_table, result_tables
from review_app.asked import project_choice, run_choice
from review_app.empty_state import nothing_imported, nothing_yet
from review_app.html_table import Shown, html_table
from review_app.paged_table import Listed, paged_table
from review_app.result_summary import Summary, summary
from review_app.result_tables import PART_NAMES, Rows
from review_app.scoring_progress import scoring
from review_app.settings import database, settings
from review_app.wording import count, in_words, literal
from scoring import percent
from scoring.sums import total
from store import attempts, documents, extractions, quality_sample
from store.attempts import Completion
from store.blind_scores import anchoring_of
from store.catch_rates import catch_rates
from store.documents import Document
from store.quality_check import quality
from store.reviewer_signals import FEWEST_REVIEWS, Signal, signals
from store.scored_documents import scored_documents
from store.scores import fingerprint, part_of

NOTHING = "No results yet"


def show() -> None:
    """The results of a project, or of the part of it that the address names."""
    present.person_with("results")
    db = database()
    with db.read() as reader:
        projects = documents.projects(reader)
    if not projects:
        nothing_imported(NOTHING)
        return
    left, right, _ = st.columns([1, 2, 3])
    project = project_choice(projects, settings().project, place=left, ends=("run", "part", "value"))
    if project is None:
        return
    with db.read() as reader:
        runs = dict(extractions.runs(reader, project=project))
        now = fingerprint(reader)
    chosen = run_choice(runs, project, place=right)
    if chosen is None:
        return
    run = chosen or None
    with scoring() as told, db.read() as reader:
        found = scored_documents(db, reader, project=project, run=run, told=told)
    with db.read() as reader:
        completions = attempts.completions(reader, project=project, run=run)
    if not found:
        _failed(completions)
        nothing_yet(
            NOTHING,
            "No table of this project has been accepted yet, so there is nothing to score against.",
            "queue",
            "Open the queue",
        )
        return
    of = (project, run, now, str(db.path))
    shown = _part(of)
    if shown is None:
        _parts(_whole(*of))
        return
    beside = _beside(run)
    _headline(shown)
    _documents(shown, beside)
    _parts(_whole(*of))  # only now: who asked for a part need not wait for the whole
    _causes(shown, beside)
    _failed(completions)
    _fields(shown)
    _guards(project)


# Frozen values, which all sessions may share; the fingerprint makes them anew after a change.
@st.cache_resource(max_entries=8, show_spinner=False)
def _whole(project: str, run: int | None, fingerprint: str, path: str) -> Summary:
    with database().read() as reader:
        found = scored_documents(database(), reader, project=project, run=run)
        # Completion is of one run: those of others have nothing to do with what is scored.
        completions = attempts.completions(reader, project=project, run=run) if run else ()
        anchoring = anchoring_of(database(), reader, found, run=run)
    return summary(found, completions, address=_address(project, run), anchoring=anchoring)


@st.cache_resource(max_entries=16, show_spinner=False)
def _of_part(project: str, run: int | None, fingerprint: str, path: str, name: str, value: str) -> Summary | None:
    with database().read() as reader:
        found = part_of(scored_documents(database(), reader, project=project, run=run), name, value)
        if not found:
            return None
        anchoring = anchoring_of(database(), reader, found, run=run)
    return summary(found, address=_address(project, run), anchoring=anchoring)


def _address(project: str, run: int | None) -> str:
    return "results?" + urlencode({"project": project, **({"run": run} if run else {})})


def _beside(run: int | None) -> dict[str, str]:
    """What the link to a document carries, so that it shows the same run and leads back to the same part."""
    part = {name: st.query_params[name] for name in ("part", "value") if name in st.query_params}
    return {**({"run": str(run)} if run else {}), **part}


def _part(of: tuple[str, int | None, str, str]) -> Summary | None:
    """What the address asks for, as ``?part=condition&value=scan``, or all; None where there is no such part."""
    name, value = st.query_params.get("part", ""), st.query_params.get("value", "")
    if not name:
        return _whole(*of)
    shown = _of_part(*of, name, value) if name in PART_NAMES else None
    words, back = st.columns([5, 1], vertical_alignment="center")
    called = f"{literal(PART_NAMES.get(name, name).lower())} **{literal(value) or 'none'}**"
    if shown is None:
        words.warning(f"Nothing that is scored here has {called}. Show all, or choose a part below.")
    else:
        words.info(f"Only {called}: all numbers below are of this part.")
    back.button("Show all", width="stretch", on_click=_show_all)
    return shown


def _show_all() -> None:
    kept = st.query_params.to_dict()
    st.query_params.from_dict({name: kept[name] for name in kept if name not in ("part", "value")})


def _headline(shown: Summary) -> None:
    for card, figure in zip(st.columns(len(shown.figures)), shown.figures, strict=True):
        card.metric(figure.label, figure.value, help=figure.meaning)
        card.caption(figure.sure or "\u00a0")
    if shown.caution:
        st.caption(shown.caution)
    if shown.is_flattered:
        st.warning(shown.anchoring, icon=":material/balance:")
    elif shown.anchoring:
        st.caption(shown.anchoring)


def _documents(shown: Summary, beside: Mapping[str, str]) -> None:
    listed = Listed(
        shown.documents,
        partial(result_tables.documents, beside=beside),
        lambda entry: f"{entry.document.name}\n{entry.first_reason}",
        key="results-summary",
        label="Results by document",
        file_name="documents.csv",
        search="Search documents and reasons",
        order="Failing first",
        orders={
            "Name": lambda entry: entry.document.name,
            "Lowest cell F1": lambda entry: total(table.report.exact for table in entry.tables).f1,
            "Longest correction": lambda entry: None if entry.active_ms is None else -entry.active_ms,
            "Most edits": lambda entry: -sum(table.edits for table in entry.tables),
        },
    )
    paged_table(listed, "By document")


def _parts(whole: Summary) -> None:
    """The whole in parts, also while one of them is shown: this is the way from one to the next."""
    if not whole.parts:
        return
    st.subheader("In parts, worst first")
    for tab, (name, (heads, rows)) in zip(
        st.tabs([PART_NAMES[name] for name in whole.parts]), whole.parts.items(), strict=True
    ):
        tab.html(html_table(heads, rows, label=f"Results by {PART_NAMES[name].lower()}", test_id=f"results-by-{name}"))


def _causes(shown: Summary, beside: Mapping[str, str]) -> None:
    if not shown.shares:
        return
    st.subheader("Why it fails")
    chart, numbers = st.tabs(["Chart", "Numbers"])
    chart.plotly_chart(
        charts.pareto([(in_words(share.label), share.values) for share in shown.shares]), width="stretch"
    )
    heads, rows = result_tables.causes(shown.shares)
    numbers.html(html_table(heads, rows, label="Causes of wrong values", test_id="results-causes"))
    by_words = {in_words(share.label): share for share in shown.shares}
    chosen = st.selectbox("Documents with this cause", list(by_words))
    listed = Listed(
        by_words[chosen].documents,
        lambda found: _links(found, beside),
        lambda document: document.name,
        key="results-cause-documents",
        label=f"Documents with {chosen}",
        file_name="cause.csv",
        search="Search these documents",
    )
    paged_table(listed)


def _links(found: Sequence[Document], beside: Mapping[str, str]) -> Rows:
    rows = [[Shown(document.name, link=result_tables.document_link(document.id, beside))] for document in found]
    return [Shown("Document", look="strong")], rows


def _failed(completions: Sequence[Completion]) -> None:
    """How many documents each run of an extractor completed, and those that it did not, with the reason."""
    if not completions:
        return
    st.subheader("Completed by the extractor")
    for run in completions:
        retried = f", {run.retried} more after a retry" if run.retried else ""
        of = f"{run.completed} of {count(run.documents, 'document')} read in full at the first attempt"
        st.write(f"Run {run.run}, {literal(run.extractor)}: {of} ({percent(run.rate)}){retried}.")
    listed = Listed(
        [(run, failure) for run in completions for failure in run.failures],
        result_tables.failures,
        lambda entry: f"{entry[1].name}\n{entry[1].reason}",
        key="results-failed",
        label="Documents that failed",
        file_name="failed.csv",
        search="Search failed documents",
    )
    if listed.entries:
        paged_table(listed)


def _fields(shown: Summary) -> None:
    st.subheader("By field, worst first")
    chart, table_of_it = st.tabs(["Chart", "Numbers"])
    chart.plotly_chart(charts.fields(shown.named_fields), width="stretch")
    heads, rows = shown.fields
    table_of_it.html(html_table(heads, rows, label="Results by field", test_id="results-fields"))
    st.page_link(st.session_state["screens"]["confidence"], label="What a threshold of confidence would let pass")
    with st.expander("What these numbers mean"):
        st.markdown(
            "Every score compares the **first extraction as received** with the accepted gold, cell by cell. "
            "A wrong value is one false positive and one false negative. Averages marked *micro* add up the cells of "
            "all tables before dividing. 0/0 is undefined and shown as n/a. Intervals are 95 %: of shares by Wilson, "
            "of F1 by document, as cells of one document are not independent."
        )
        st.code("\n".join(shown.signatures), language=None)


def _guards(project: str) -> None:
    """How many planted errors were caught, and how reviews go; what single people did is for owners alone."""
    is_owner = "rules" in present.rights_here()
    with database().read() as reader:
        found = catch_rates(reader, project=project)
        now = fingerprint(reader)
        newest = quality_sample.newest(reader, project)
        checked = quality(reader, newest) if newest else None
    whole, people = _signals(project, now, str(database().path)) if is_owner else (None, ())
    if not is_owner:
        found = replace(found, people=(), others=0)
    if checked:
        st.subheader("Measured error of accepted cells")
        st.write(literal(quality_table.headline(checked)))
        heads, rows = quality_table.rows(checked)
        st.html(html_table(heads, rows, label="Measured error of accepted cells", test_id="results-quality"))
        st.caption(
            f"{literal(quality_table.drawn_line(checked))} Drawn at random, checked by people who neither keyed nor "
            "accepted them, and measured as they stood when they were drawn. Intervals: Fay and Feuer over all, "
            "Clopper and Pearson in one band."
        )
        if "check" in present.rights_here():
            st.page_link(st.session_state["screens"]["quality"], label="Check cells of this sample")
    if found.whole.met:
        st.subheader("Planted errors caught")
        heads, rows = guard_tables.rows(found)
        st.html(html_table(heads, rows, label="Planted errors caught", test_id="results-guards"))
        told = "Errors that the review showed on purpose, and that gold never held. Intervals: Wilson."
        st.caption(f"{told} {guard_tables.fewer(found)}".strip())
    if whole and people:
        st.subheader("Reviews by person")
        heads, rows = guard_tables.signal_rows(whole, people)
        st.html(html_table(heads, rows, label="Reviews by person", test_id="results-reviewers"))
        st.caption(
            "A place to look, and no verdict: whoever is quick may be good, or have easy tables. People with at least "
            f"{FEWEST_REVIEWS} reviews of extracted tables."
        )


@st.cache_resource(max_entries=8, show_spinner=False)
def _signals(project: str, fingerprint: str, path: str) -> tuple[Signal | None, Sequence[Signal]]:
    with database().read() as reader:
        return signals(database(), reader, project=project)
