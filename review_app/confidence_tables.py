"""What the screen of confidence consists of, as figures and tables in words; the command line says the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from review_app.html_table import Shown
from review_app.result_tables import Figure, Rows
from review_app.wording import count, duration
from scoring import NOT_AVAILABLE, percent
from scoring.confidence.badges import DEFAULT_THRESHOLDS
from scoring.confidence.error_detection import NO_INTERVAL
from scoring.confidence.field_measures import Measures, Recommendation
from scoring.confidence.straight_through import StraightThrough
from scoring.confidence.thresholds import least_promise
from scoring.effort.durations import Durations
from scoring.statistics.intervals import FEWEST_DOCUMENTS
from store.confidence_fields import Field, Passing
from store.thresholds import ALL_FIELDS, FIRST_EXTRACTIONS, SetThreshold

DEFAULT = f"{DEFAULT_THRESHOLDS.doubt:g}, the default"


@dataclass(frozen=True)
class Names:
    """How table types, and the fields of each, are called on screen."""

    types: Mapping[str, str]
    fields: Mapping[tuple[str, str], str]

    def of_type(self, table_type: str) -> str:
        """A table type as it is called."""
        return self.types.get(table_type, table_type) if table_type else "no type"

    def of(self, table_type: str, field: str) -> str:
        """A field as it is called."""
        if field != ALL_FIELDS:
            return self.fields.get((table_type, field), field)
        return f"All fields of {self.of_type(table_type)}" if table_type else "Tables without a type"


def tau_shown(tau: float | None) -> str:
    """A threshold as it is read: "0.7", "0.9876"; "none"."""
    return "none" if tau is None else f"{tau:.4g}"


def setting(field: Field) -> str:
    """Which threshold counts for a field, in a few words."""
    own = field.threshold
    if own is None:
        return DEFAULT
    if not field.is_own:
        return f"{tau_shown(own.tau)}, as for all fields"
    return f"{tau_shown(own.tau)}, {own.way}{', data changed since' if field.is_stale else ''}"


def now(field: Field) -> str:
    """Which threshold counts for a field now, who chose it and on what, in a sentence."""
    own = field.threshold
    if own is None or own.tau is None:
        usual = DEFAULT_THRESHOLDS
        limits = f"a doubt below {usual.doubt:g}; badges high from {usual.high:g}, low below {usual.low:g}."
        return f"the default: {limits}{_apart(field)}"
    low = f"low below {tau_shown(own.low)}" if own.low else "no badge is low"
    whole = "" if field.is_own else " for all fields without one of their own"
    return (
        f"a doubt below {tau_shown(own.tau)}, {own.limits.chosen if own.limits else ''}{whole}; badges high from "
        f"{tau_shown(own.tau)}, {low}. {how(own).capitalize()}.{_apart(field)}"
    )


def _apart(field: Field) -> str:
    if not field.parts:
        return ""
    have = "field has" if len(field.parts) == 1 else "fields have"
    return f" It counts where a field has none of its own; {len(field.parts)} {have} one."


def field_list(found: Sequence[Field], names: Names, *, project: str, run: int, chosen: Field) -> Rows:
    """A row for each field, each linked to its own address; the chosen one is marked."""
    types = len({each.cells.table_type for each in found}) > 1
    heads = [Shown("Field", look="strong"), *([Shown("Table type")] if types else [])]
    heads += _numbers("Cells", "Wrong", "AUROC", "ECE (by chance)")
    heads += [Shown("Threshold"), *_numbers("Pass unseen", "Wrong of them")]
    rows = []
    for each in found:
        measured, of = each.measures, each.cells
        parts = {"project": project, "run": run or "", "type": of.table_type, "field": of.field}
        mark = "\u25b8 " if each is chosen else ""
        passed = each.now.through
        rows.append(
            [
                Shown(f"{mark}{names.of(of.table_type, of.field)}", link=f"confidence?{urlencode(parts)}"),
                *([Shown(names.of_type(of.table_type))] if types else []),
                Shown(f"{measured.cells:,}"),
                Shown(f"{measured.wrong:,}"),
                Shown(_auroc(measured)),
                Shown(_ece(measured)),
                Shown(setting(each), direction="ltr", look="fail" if each.is_stale else ""),
                Shown(percent(passed.cell_share)),
                Shown(f"{passed.cells_accepted_wrong:,}", look="fail" if passed.cells_accepted_wrong else ""),
            ]
        )
    return heads, rows


def figures(field: Field) -> Iterator[Figure]:
    """The numbers that stand beside every curve, each with what it rests on."""
    measured = field.measures
    found, detected = measured.calibration, measured.error_detection
    yield Figure(
        "Cells",
        f"{measured.cells:,}",
        f"{count(measured.wrong, 'wrong one')}, {count(measured.documents, 'document')}",
        "Values that were extracted in accepted tables. A value in a row that is not in gold is wrong.",
    )
    yield Figure(
        "AUROC of errors",
        NOT_AVAILABLE if detected.auroc is None else f"{detected.auroc:.3f}",
        _auroc_rests_on(measured),
        "The chance that a wrong cell has a lower confidence than a right one; 0.5 is no better than a coin. "
        "Interval: 95 %, by resampling documents.",
    )
    yield Figure(
        "ECE",
        NOT_AVAILABLE if found.ece is None else f"{found.ece:.3f}",
        NOT_AVAILABLE if found.ece_chance_q95 is None else f"up to {found.ece_chance_q95:.3f} by chance",
        "How far confidence and accuracy lie apart, over ten bins. Below what chance gives, it is no evidence against "
        "the scores. It says nothing of whether errors can be found: look at AUROC.",
    )
    yield Figure(
        "Brier score",
        NOT_AVAILABLE if found.brier is None else f"{found.brier:.3f}",
        "no skill defined" if found.brier_skill is None else f"skill {found.brier_skill:.2f}",
        "Mean square of confidence less truth, 0 is best. Skill: 1 is best, 0 is no better than always saying the "
        "accuracy of all cells.",
    )
    yield Figure(
        "With a confidence",
        percent(measured.conf_coverage),
        f"{measured.scored:,} of {measured.cells:,}",
        "Cells without a confidence never pass a threshold. A missing score is no trust.",
    )
    yield Figure(
        "Never predicted",
        percent(measured.omission_rate),
        NOT_AVAILABLE
        if measured.gold_cells is None
        else f"{measured.omitted or 0:,} of {measured.gold_cells:,} in gold",
        "Gold values that were not extracted. They have no confidence, so that no threshold finds them.",
    )


def warnings(field: Field) -> Iterator[str]:
    """What a person must know before relying on the curves, in whole sentences."""
    measured = field.measures
    if not measured.scored:
        return
    if measured.levels == 1:
        value = measured.calibration.mean_confidence or 0.0
        yield (
            f"Every cell has the confidence {value:.3g}: it tells no cell from another, so a threshold "
            "lets pass all cells or none."
        )
    elif measured.calibration.degenerate:
        yield (
            f"All cells lie in {measured.calibration.populated} of ten bins: the confidences hardly differ, and any "
            "ECE is easily small."
        )
    if not measured.wrong:
        yield "No cell is wrong, so there is nothing to find, and nothing to learn of where errors would be."
    elif measured.error_detection.thin:
        yield f"Not enough data for a firm AUROC: {count(measured.wrong, 'wrong cell')}, expected at least 30."
    if field.is_stale and field.threshold is not None:
        then = field.threshold.basis
        yield (
            f"The threshold {tau_shown(field.threshold.tau)} is stale: it was chosen on {count(then.cells, 'cell')} of "
            f"{count(then.documents, 'document')}"
            + ("" if then.run == field.cells.run else f" of {_run_named(then.run)}")
            + f", and the cells are others now ({measured.cells:,} of {measured.documents:,}). Choose it anew."
        )


def sample(kinds: Mapping[str, int], days: tuple[str, str] | None) -> str:
    """Which documents all of this rests on: their kinds and days."""
    told = [f"{number:,} {kind or 'of no kind'}" for kind, number in kinds.items()]
    documents = count(sum(kinds.values()), "accepted document") + (f" ({', '.join(told)})" if any(kinds) else "")
    between = f", received {days[0]}" + (f" to {days[1]}" if days[1] != days[0] else "") if days else ""
    return (
        f"{documents}{between}. A threshold holds for documents like these: of the same kinds, from the same scanners, "
        "read by the same extractor and version."
    )


def promise(told: Recommendation) -> Rows:
    """What the recommended threshold lets pass, where it was chosen and where it was held against."""
    threshold, passed = told.threshold, told.passed
    heads = [Shown("At this threshold"), *_numbers("Chosen on", "Checked on")]
    if passed is None:
        return heads, []
    error = threshold.wrong / threshold.accepted if threshold.accepted else None
    lines = (
        ("Documents", f"{threshold.documents:,}", f"{passed.documents:,}"),
        ("Cells that pass", _of(threshold.accepted, threshold.cells), _of(passed.cells_accepted, passed.cells)),
        ("Wrong of them", f"{threshold.wrong:,}", f"{passed.cells_accepted_wrong:,}"),
        ("Error", percent(error), percent(passed.cell_error)),
        ("Error, upper limit", percent(threshold.upper), percent(told.upper)),
        ("Documents that pass", "", _of(passed.documents_accepted, passed.documents)),
    )
    return heads, [list(map(Shown, line)) for line in lines]


def refusal(told: Recommendation) -> str:
    """Why no threshold is recommended, and what could be promised instead."""
    threshold = told.threshold
    few = threshold.reason.startswith("too few")
    least = least_promise(threshold.cells, delta=threshold.delta)
    if not few:
        return f"No threshold keeps this: {threshold.reason}."
    instead = ""
    if least is not None and least > threshold.alpha and threshold.documents >= FEWEST_DOCUMENTS:
        instead = f" With so many cells {100 * least:.2g} % is the least that can be promised."
    return f"Not enough data: {threshold.reason}.{instead}"


def passing(found: Passing, times: Durations, whose: str) -> Rows:
    """What a threshold lets pass, and what that saves."""
    through = found.through
    saved, rests_on = "not measured", _too_few(times)
    if times.median_ms is not None:
        saved = duration(times.median_ms * through.cells_accepted)
        rests_on = f"{times.median_ms / 1000:.1f} s a cell, {count(times.n, 'timed cell')} of {whose}"
    heads = [Shown("At this threshold"), *_numbers("Passes", "Rests on")]
    faulty = through.documents_accepted - through.documents_accepted_right
    lines = (
        ("Cells that pass", percent(through.cell_share), _of(through.cells_accepted, through.cells)),
        ("Errors let through", f"{through.cells_accepted_wrong:,}", f"{percent(through.cell_error)} of what passes"),
        ("Error, upper limit", percent(found.upper), "if chosen on other documents"),
        ("Documents that pass", percent(through.stp), _of(through.documents_accepted, through.documents)),
        ("Not right of them", f"{faulty:,}", _share_wrong(through)),
        ("Time saved", saved, rests_on),
    )
    return heads, [list(map(Shown, line)) for line in lines]


def reliability(field: Field) -> Rows:
    """The bins of the reliability diagram."""
    heads = _numbers("Confidence", "Cells", "Mean confidence", "Right", "95 % interval")
    rows = [
        [
            f"{each.low:.1f} to {each.high:.1f}",
            f"{each.n:,}",
            NOT_AVAILABLE if each.mean_confidence is None else f"{each.mean_confidence:.3f}",
            percent(each.accuracy),
            f"{percent(each.interval[0])} to {percent(each.interval[1])}" if each.interval else NOT_AVAILABLE,
        ]
        for each in field.measures.calibration.bins
    ]
    return heads, [list(map(Shown, row)) for row in rows]


def review_budget(field: Field) -> Rows:
    """What a review of the cells with the lowest scores finds."""
    heads = _numbers("Reviewed, lowest first", "Errors found", "Errors left, of all cells", "Better than at random")
    rows = [
        [
            percent(each.share),
            percent(each.error_capture),
            percent(each.residual),
            NOT_AVAILABLE if each.gain is None else f"{each.gain:.2f} times",
        ]
        for each in field.measures.review
    ]
    return heads, [list(map(Shown, row)) for row in rows]


def history(decided: Sequence[SetThreshold], names: Names) -> Rows:
    """Every decision, the newest first."""
    heads = [*map(Shown, ("When (UTC)", "Who", "Field")), *_numbers("Threshold", "Low below"), Shown("How")]
    rows = []
    for entry in reversed(decided):
        low = "" if entry.tau is None else NOT_AVAILABLE if entry.low is None else tau_shown(entry.low)
        named = names.of(entry.table_type, entry.field)
        tau = "default" if entry.tau is None else tau_shown(entry.tau)
        rows.append([entry.set_at[:16].replace("T", " "), entry.person, named, tau, low, how(entry)])
    return heads, [list(map(Shown, row)) for row in rows]


def how(entry: SetThreshold) -> str:
    """How a threshold came about, and on what."""
    if entry.tau is None:
        return "back to the default"
    basis = entry.basis
    on = f"on {count(basis.cells, 'cell')} of {count(basis.documents, 'document')}, {_run_named(basis.run)}"
    if entry.alpha is None or entry.delta is None:
        return f"{entry.way}, {on}"
    return f"{entry.way}: at most {percent(entry.alpha)} wrong but for a chance of {percent(entry.delta)}, {on}"


def _of(part: int, whole: int) -> str:
    return f"{part:,} of {whole:,}"


def _run_named(run: int) -> str:
    return "first extractions" if run == FIRST_EXTRACTIONS else f"run {run}"


def _auroc(measured: Measures) -> str:
    found = measured.error_detection
    return NOT_AVAILABLE if found.auroc is None else f"{found.auroc:.2f}{' thin' if found.thin else ''}"


def _auroc_rests_on(measured: Measures) -> str:
    found = measured.error_detection
    if found.auroc is None:
        return found.undefined["auroc"]
    if found.interval is None:
        follows = found.undefined["interval"] == NO_INTERVAL
        return f"{count(found.n_wrong, 'error')}, {'interval follows' if follows else 'no interval'}"
    return f"{found.interval[0]:.3f} to {found.interval[1]:.3f}"


def _ece(measured: Measures) -> str:
    found = measured.calibration
    if found.ece is None or found.ece_chance_q95 is None:
        return NOT_AVAILABLE
    return f"{found.ece:.3f} (to {found.ece_chance_q95:.3f})"


def _share_wrong(through: StraightThrough) -> str:
    return "none passes" if through.escape_rate is None else f"{percent(through.escape_rate)} of what passes"


def _too_few(times: Durations) -> str:
    return f"{count(times.n, 'timed cell')}, expected 5" if times.n else "no cell was timed"


def _numbers(*names: str) -> list[Shown]:
    return [Shown(name, look="number") for name in names]
