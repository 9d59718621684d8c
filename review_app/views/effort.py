"""Effort: what correcting costs, per table, page, field, error and person, and against keying from scratch."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from review_app import charts, present
from review_app.asked import project_choice
from review_app.empty_state import nothing_imported, nothing_yet
from review_app.html_table import Shown, html_table
from review_app.settings import database, settings
from review_app.time_report import APART, FROM_EXTRACTION, FROM_SCRATCH, TimeReport, cell_seconds
from review_app.wording import count, duration
from scoring import percent
from scoring.effort.durations import FEWEST, Durations
from scoring.effort.work_intervals import CUTOFF_MS, CUTOFFS_MS
from store import documents, scores
from store.kept_work import work
from store.worked_cells import CONFIRMED, CORRECTED

# What is asked, by the name of the group in the report, and what one duration in it is.
QUESTIONS = {
    "table type": ("Table type", "one table, all people together"),
    "page": ("Page", "the cells of one table on one page, as long as they had the focus"),
    "column": ("Field", "one cell, as long as it had the focus"),
    "error of a corrected cell": ("Error", "one corrected cell, by how its first value was wrong"),
    "work on a cell": ("Work", "one cell, by what was done to it"),
    "phase": ("Phase", "one table in this phase"),
    "person": ("Person", "one table of this person"),
}
NOTHING = "No effort measured yet"
TOO_FEW = "too few"
MOST_LISTED = 100


def show() -> None:
    """The correction time of a project, with its distribution and under several cut-offs."""
    present.person_with("results")
    db = database()
    with db.read() as reader:
        projects = documents.projects(reader)
        fingerprint = scores.fingerprint(reader)
    if not projects:
        nothing_imported(NOTHING)
        return
    left, right, _ = st.columns([1, 1, 4])
    project = project_choice(projects, settings().project, place=left, ends=())
    if project is None:
        return
    cutoff = right.selectbox(
        "A pause counts up to",
        CUTOFFS_MS,
        index=CUTOFFS_MS.index(CUTOFF_MS),
        format_func=lambda ms: f"{ms // 1000} s",
        help="Idle cut-off: of a pause without any input, so much counts as work.",
    )
    report = _report(project, cutoff, fingerprint, str(db.path))
    if not report.accepted:
        so_far = f" {duration(report.open_ms)} on open tables so far." if report.open_ms else ""
        nothing_yet(
            NOTHING,
            f"No work on an accepted table of this project has been measured yet.{so_far} Imported gold has no time.",
            "queue",
            "Open the queue",
        )
        return
    _cards(report)
    _beginnings(report)
    _groups(report)
    _cutoffs(report)
    _tables(report)
    with st.expander("What these numbers mean"):
        st.markdown(
            "**Active time**, measured in the browser: from an input on, for as long as the cut-off, while the tab was "
            "in front and held this table. Only accepted tables count. Medians with the middle half (quartiles), as "
            f"durations are skewed; under {FEWEST} values there is none. Time of a cell: how long it had the focus. "
            "Of people only sums and medians are shown, as in `proofgrid time`, whose `--json` has all these numbers."
        )


# Frozen values, shared by all sessions; the fingerprint makes them anew after a change.
@st.cache_resource(max_entries=8, show_spinner="Adding up")
def _report(project: str, cutoff_ms: int, fingerprint: str, path: str) -> TimeReport:
    with database().read() as reader:
        return TimeReport(work(database(), reader, project=project, cutoff_ms=cutoff_ms), cutoff_ms)


def _cards(report: TimeReport) -> None:
    tables = report.tables
    corrected, confirmed = (cell_seconds(report.accepted, done) for done in (CORRECTED, CONFIRMED))
    figures = [
        ("Per table, median", _median(tables), _middle_half(tables), "Active time per accepted table."),
        ("Per corrected cell, median", _median(corrected), _middle_half(corrected), "How long it had the focus."),
        ("Per confirmed cell, median", _median(confirmed), _middle_half(confirmed), "How long it had the focus."),
        ("In all", duration(tables.total_ms), count(tables.n, "accepted table"), "All people together."),
    ]
    for card, (label, value, sure, meaning) in zip(st.columns(len(figures)), figures, strict=True):
        card.metric(label, value, help=meaning)
        card.caption(sure)
    apart = [
        f"{word} {duration(sum(getattr(one.time, name) for one in report.accepted))}" for name, word in APART.items()
    ]
    open_too = f" Tables still open: {duration(report.open_ms)} so far." if report.open_ms else ""
    st.caption(f"Not in these times: {', '.join(apart)}.{open_too}")


def _beginnings(report: TimeReport) -> None:
    """Minutes with the machine against minutes from scratch, by table type, since tables differ."""
    if not report.groups["beginning"].get(FROM_SCRATCH):
        st.caption(
            "No accepted table of this project was keyed from scratch, so there is nothing to hold the time with the "
            "extraction against."
        )
        return
    st.subheader("From the extraction or from scratch")
    heads = [Shown("Table type", look="strong")]
    for word in (FROM_EXTRACTION, FROM_SCRATCH):
        heads += [Shown(f"{word.capitalize()}: tables", look="number"), Shown("Median", look="number")]
        heads += [Shown("Middle half", look="number")]
    heads += [Shown("Saved per table", look="number"), Shown("Share", look="number")]
    rows = []
    for kind, by_word in report.beginnings.items():
        one, other = by_word[FROM_EXTRACTION], by_word[FROM_SCRATCH]
        cells = [Shown(kind)]
        for each in (one, other):
            cells += [Shown(f"{each.n:,}"), Shown(_median(each)), Shown(_quartiles(each))]
        if one.median_ms is None or other.median_ms is None:
            cells += [Shown(TOO_FEW), Shown("")]
        else:
            saved = other.median_ms - one.median_ms
            sign = "\u2212" if saved < 0 else ""
            share = f"{sign}{percent(abs(saved) / other.median_ms)}" if other.median_ms else ""
            cells += [Shown(sign + _time(abs(saved))), Shown(share)]
        rows.append(cells)
    st.html(html_table(heads, rows, label="Time from the extraction and from scratch", test_id="effort-beginnings"))
    st.caption(
        "Saved: the difference of the medians. Tables that were keyed from scratch may be other ones than those that "
        "were corrected; it is the extraction that saves the time only where chance decided which is which."
    )


def _groups(report: TimeReport) -> None:
    st.subheader("Where the time goes")
    known = [name for name in QUESTIONS if report.groups[name]]
    name = st.radio("By", known, format_func=lambda one: QUESTIONS[one][0], horizontal=True)
    word, unit = QUESTIONS[name]
    groups = report.groups[name]
    ordered = sorted(groups, key=lambda key: _rank(name, key, groups[key]))
    samples: dict[str, list[float]] = {key: [] for key in ordered}
    # The single tables of a person are nobody's business but their own.
    for key, ms in report.samples[name] if name != "person" else ():
        samples[key].append(ms)
    chart, numbers = st.tabs(["Distribution", "Numbers"])
    with chart:
        drawn = [(key, groups[key], samples[key]) for key in ordered]
        st.plotly_chart(charts.spread(drawn), width="stretch")
        what = "The box is the middle half, its line the median" + (
            "." if name == "person" else f"; a point is {unit}."
        )
        st.caption(f"{what} The scale is logarithmic. No box under {FEWEST} values.")
    heads = [Shown(word, look="strong"), *_heads()]
    rows = [[Shown(key.replace("_", " ")), *_figures(groups[key])] for key in ordered]
    numbers.html(html_table(heads, rows, label=f"Time by {word.lower()}", test_id="effort-groups"))
    numbers.caption(f"Each value: {unit}.")


def _cutoffs(report: TimeReport) -> None:
    st.subheader("How much hangs on the cut-off")
    heads = [Shown("A pause counts up to", look="strong"), *_heads(), Shown("Median, times this one", look="number")]
    rows = [
        [
            Shown(f"{cutoff // 1000} s" + (" (this one)" if cutoff == report.cutoff_ms else "")),
            *_figures(summary),
            Shown("" if against is None else f"{against:.2f}"),
        ]
        for cutoff, (summary, against) in report.sensitivity.items()
    ]
    st.html(html_table(heads, rows, label="Time per table under each cut-off", test_id="effort-cutoffs"))


def _tables(report: TimeReport) -> None:
    st.subheader("Tables, longest first")
    found: dict[int, list[int]] = {}
    named = {entry.gold: entry for entry in report.accepted}
    for entry in report.accepted:
        sums = found.setdefault(entry.gold, [0, 0, 0])
        sums[0] += entry.time.active_ms
        sums[1] += entry.corrected_cells
        sums[2] += entry.time.idle_ms
    heads = [Shown("Document", look="strong"), Shown("Table"), Shown("Began")]
    heads += [Shown(word, look="number") for word in ("Active", "Corrected cells", "Idle")]
    began = {"extraction": FROM_EXTRACTION, "blank": FROM_SCRATCH, "import": "imported"}
    rows = [
        [
            Shown(named[key].document, link=f"review?table={key}"),
            Shown(named[key].table),
            Shown(began[named[key].base]),
            Shown(duration(active)),
            Shown(f"{corrected:,}"),
            Shown(duration(idle)),
        ]
        for key, (active, corrected, idle) in sorted(found.items(), key=lambda item: (-item[1][0], item[0]))[
            :MOST_LISTED
        ]
    ]
    st.html(html_table(heads, rows, label="Tables by active time", test_id="effort-tables"))
    if len(found) > MOST_LISTED:
        st.caption(f"The {MOST_LISTED} longest of {len(found):,}.")


def _rank(name: str, key: str, found: Durations) -> tuple[float, float, str]:
    """Pages and phases in their order, all else by the median, what has none last."""
    if name in ("page", "phase"):
        return 0.0, 0.0, ""
    return float(found.median_ms is None), -(found.median_ms or found.total_ms), key


def _heads() -> list[Shown]:
    return [Shown(word, look="number") for word in ("n", "Median", "Middle half", "Trimmed mean", "In all")]


def _figures(found: Durations) -> Sequence[Shown]:
    mean = "" if found.trimmed_mean_ms is None else _time(found.trimmed_mean_ms)
    texts = (f"{found.n:,}", _median(found), _quartiles(found), mean, duration(found.total_ms))
    return [Shown(text) for text in texts]


def _time(ms: float) -> str:
    """Tenths of short times, as those of cells are."""
    return f"{ms / 1000:.1f} s" if 0 < ms < 9_950 else duration(ms)


def _median(found: Durations) -> str:
    return TOO_FEW if found.median_ms is None else _time(found.median_ms)


def _quartiles(found: Durations) -> str:
    if found.low_quartile_ms is None or found.high_quartile_ms is None:
        return ""
    return f"{_time(found.low_quartile_ms)} to {_time(found.high_quartile_ms)}"


def _middle_half(found: Durations) -> str:
    between = _quartiles(found)
    return f"{between}, n = {found.n:,}" if between else f"n = {found.n:,}, at least {FEWEST} are needed"
