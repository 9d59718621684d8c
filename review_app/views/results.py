"""Results: how good the extractor is, where and why it fails, and what correction costs."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

import streamlit as st

from review_app import charts, result_tables
from review_app.html_table import Shown, html_table
from review_app.result_tables import PART_NAMES, in_words
from review_app.settings import database, settings
from review_app.wording import count, literal
from scoring import percent
from store import attempts, documents, extractions
from store.attempts import Completion
from store.scored_documents import scored_documents
from store.scores import ScoredDocument, cause_shares, corpus_of, fingerprint, part_of


def show() -> None:
    """The results of a project, or of the part of it that the address names."""
    db = database()
    with db.read() as reader:
        projects = documents.projects(reader)
    if not projects:
        _nothing("Nothing has been imported yet.", "import", "Import files")
        return
    left, right, _ = st.columns([1, 2, 3])
    project = left.selectbox("Project", projects, index=_first(projects))
    with db.read() as reader:
        runs = dict(extractions.runs(reader, project=project))
        run = right.selectbox(
            "Run", [None, *runs], format_func=lambda key: runs[key] if key else "First extraction of each document"
        )
        found = _scored(project, run, fingerprint(reader), str(db.path))
        completions = attempts.completions(reader, project=project, run=run)
    if not found:
        _failed(completions)
        _nothing(
            "No table of this project has been accepted yet, so there is nothing to score against.",
            "queue",
            "Open the queue",
        )
        return
    shown = _part(found)
    # Completion is of one run: those of others have nothing to do with what is scored.
    _headline(shown, completions if run and shown is found else ())
    _documents(shown)
    _parts(found, project)
    _causes(shown)
    _failed(completions)
    _fields(shown)


# Scores are frozen values, so all sessions may share them; the fingerprint makes them anew after a change.
@st.cache_resource(max_entries=8, show_spinner="Scoring")
def _scored(project: str, run: int | None, fingerprint: str, path: str) -> tuple[ScoredDocument, ...]:
    with database().read() as reader:
        return scored_documents(database(), reader, project=project, run=run)


def _part(found: tuple[ScoredDocument, ...]) -> tuple[ScoredDocument, ...]:
    """What the address asks for: ``?part=condition&value=scan``; all of it where it asks for nothing that is there."""
    name, value = st.query_params.get("part", ""), st.query_params.get("value", "")
    shown = part_of(found, name, value) if name in PART_NAMES else ()
    if not shown:
        return found
    words, back = st.columns([5, 1], vertical_alignment="center")
    words.info(f"Only {PART_NAMES[name].lower()} **{literal(value) or 'none'}**: all numbers below are of this part.")
    if back.button("Show all", width="stretch"):
        st.query_params.clear()
        st.rerun()
    return shown


def _headline(found: Sequence[ScoredDocument], completions: Sequence[Completion]) -> None:
    figures = list(result_tables.headline(found, completions))
    for card, figure in zip(st.columns(len(figures)), figures, strict=True):
        card.metric(figure.label, figure.value, help=figure.meaning)
        card.caption(figure.sure or "\u00a0")
    if few := result_tables.caution(found):
        st.caption(few)


def _documents(found: Sequence[ScoredDocument]) -> None:
    title, search = st.columns([3, 1], vertical_alignment="bottom")
    title.subheader("By document, failing first")
    wanted = search.text_input("Search documents and reasons", placeholder="Search", label_visibility="collapsed")
    listed = [entry for entry in found if _holds(entry, wanted)]
    if not listed:
        st.write("No document or reason holds this text.")
        return
    heads, rows = result_tables.documents(listed)
    st.html(html_table(heads, rows, label="Results by document", test_id="results-summary"))


def _holds(entry: ScoredDocument, wanted: str) -> bool:
    return wanted.casefold() in f"{entry.document.name}\n{entry.first_reason}".casefold()


def _parts(found: Sequence[ScoredDocument], project: str) -> None:
    """The whole in parts, also while one of them is shown: this is the way from one to the next."""
    corpus = corpus_of(found)
    names = result_tables.part_names(corpus)
    if not names:
        return
    st.subheader("In parts, worst first")
    for tab, name in zip(st.tabs([PART_NAMES[name] for name in names]), names, strict=True):
        heads, rows = result_tables.parts(corpus, name, address=f"results?part={quote(name)}&value=")
        tab.html(html_table(heads, rows, label=f"Results by {PART_NAMES[name].lower()}", test_id=f"results-by-{name}"))


def _causes(found: Sequence[ScoredDocument]) -> None:
    shares = cause_shares(found)
    if not shares:
        return
    st.subheader("Why it fails")
    chart, numbers = st.tabs(["Chart", "Numbers"])
    chart.plotly_chart(charts.pareto([(in_words(share.label), share.values) for share in shares]), width="stretch")
    heads, rows = result_tables.causes(shares)
    numbers.html(html_table(heads, rows, label="Causes of wrong values", test_id="results-causes"))
    by_words = {in_words(share.label): share for share in shares}
    chosen = st.selectbox("Documents with this cause", list(by_words))
    share = by_words[chosen]
    heads = [Shown("Document", look="strong")]
    named = [[Shown(document.name, link=f"document?document={document.id}")] for document in share.documents]
    st.html(html_table(heads, named, label=f"Documents with {chosen}", test_id="results-cause-documents"))


def _failed(completions: Sequence[Completion]) -> None:
    """How many documents each run of an extractor completed, and those that it did not, with the reason."""
    if not completions:
        return
    st.subheader("Completed by the extractor")
    for run in completions:
        retried = f", {run.retried} more after a retry" if run.retried else ""
        of = f"{run.completed} of {count(run.documents, 'document')} read in full at the first attempt"
        st.write(f"Run {run.run}, {run.extractor}: {of} ({percent(run.rate)}){retried}.")
    heads, rows = result_tables.failures(completions)
    if rows:
        st.html(html_table(heads, rows, label="Documents that failed", test_id="results-failed"))


def _fields(found: Sequence[ScoredDocument]) -> None:
    st.subheader("By field, worst first")
    corpus = corpus_of(found)
    chart, table_of_it = st.tabs(["Chart", "Numbers"])
    ordered = sorted(corpus.fields.items(), key=lambda item: (item[1].f1 is None, item[1].f1 or 0.0, item[0]))
    named = [(f"{kind} · {name}" if kind else name, counts) for (kind, name), counts in ordered]
    chart.plotly_chart(charts.fields(named), width="stretch")
    heads, rows = result_tables.fields(corpus)
    table_of_it.html(html_table(heads, rows, label="Results by field", test_id="results-fields"))
    st.page_link(st.session_state["screens"]["confidence"], label="What a threshold of confidence would let pass")
    with st.expander("What these numbers mean"):
        st.markdown(
            "Every score compares the **first extraction as received** with the accepted gold, cell by cell. "
            "A wrong value is one false positive and one false negative. Averages marked *micro* add up the cells of "
            "all tables before dividing. 0/0 is undefined and shown as n/a. Intervals are 95 %: of shares by Wilson, "
            "of F1 by document, as cells of one document are not independent."
        )
        st.code("\n".join(result_tables.signatures(found)), language=None)


def _first(projects: tuple[str, ...]) -> int:
    wanted = settings().project
    return projects.index(wanted) if wanted in projects else 0


def _nothing(sentence: str, screen: str, label: str) -> None:
    st.subheader("No results yet")
    st.write(sentence)
    st.page_link(st.session_state["screens"][screen], label=label)
