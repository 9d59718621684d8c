"""Two runs beside each other, as lines for a terminal, as Markdown for a pull request, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from review_app.markdown_table import markdown_table
from review_app.wording import count, p_value, points
from scoring import NOT_AVAILABLE, percent
from scoring.paired_corpora import ALPHA, FieldPair, PairedCorpora
from scoring.statistics.comparison import Comparison
from store.leaderboard import Leaderboard, Standing
from store.paired_runs import PairedRuns
from store.repeats import Repeats
from store.run_series import Series

RATIOS = {"f1": "cell F1", "precision": "cell precision", "recall": "cell recall"}
HEADS = ("", "A", "B", "B - A, points", "95 % interval", "p")


def headline(found: PairedCorpora) -> Iterator[tuple[str, ...]]:
    """Rows under HEADS: micro F1, precision and recall, and the documents that pass."""
    for ratio, name in RATIOS.items():
        one = found.headline[ratio]  # type: ignore[index]  # the keys of RATIOS are ratios
        yield (
            f"{name} (micro)",
            percent(one.a),
            percent(one.b),
            points(one.difference),
            _interval(one),
            p_value(one.p_value),
        )
    a, b = found.pass_rates
    difference = None if a.share is None or b.share is None else b.share - a.share
    yield (
        "documents passed",
        f"{a.count} of {a.of}",
        f"{b.count} of {b.of}",
        points(difference),
        "",
        p_value(found.passes.mid_p),
    )


FIELD_HEADS = ("Field", "F1 of A", "F1 of B", "B - A, points", "p", "p (Benjamini-Hochberg)", "p (Holm)", "")


def fields(found: PairedCorpora) -> Iterator[tuple[str, ...]]:
    """Rows under FIELD_HEADS, worst difference first."""
    for pair in found.fields:
        one = pair.comparison
        p_values = (p_value(each) for each in (one.p_value, pair.benjamini_hochberg, pair.holm))
        yield field_name(pair), percent(pair.a.f1), percent(pair.b.f1), points(one.difference), *p_values, verdict(pair)


def verdict(pair: FieldPair) -> str:
    """In one word: WORSE where a field regressed (Holm), "worse?" or "better" by Benjamini-Hochberg, else ""."""
    difference, listed = pair.comparison.difference, pair.benjamini_hochberg
    if pair.regressed:
        return "WORSE"
    if not difference or listed is None or listed >= ALPHA:
        return ""
    return "better" if difference > 0 else "worse?"


def field_name(pair: FieldPair) -> str:
    """Table type and column."""
    return f"{pair.table_type} · {pair.field}" if pair.table_type else pair.field


def about(found: PairedRuns) -> Iterator[str]:
    """Which runs these are, over how many documents, and which were left out."""
    for side, series in (("A", found.a), ("B", found.b)):
        yield f"{side}: {named(series)}"
    corpora = found.corpora
    yield f"{count(len(corpora.documents), 'accepted document')} that both were asked for"
    for side, names in (("A", corpora.only_a), ("B", corpora.only_b)):
        if names:
            shown = ", ".join(_name(found, name) for name in names[:5])
            yield f"left out, only in {side}: {shown}" + (f" and {len(names) - 5:,} more" if len(names) > 5 else "")


def named(series: Series) -> str:
    """The extractor and the numbers of its runs."""
    numbers = ", ".join(map(str, series.runs))
    return f"{series.name} (run {numbers})" if len(series.runs) == 1 else f"{series.name} (runs {numbers})"


def lines(found: PairedRuns) -> Iterator[str]:
    """For a terminal."""
    corpora = found.corpora
    yield from about(found)
    if not corpora.documents:
        yield "There is nothing to compare: no accepted document was given to both."
        return
    yield ""
    yield from _columns([HEADS, *headline(corpora)])
    if reason := corpora.headline["f1"].reason:
        yield f"no interval: {reason}"
    if corpora.fields:
        yield ""
        yield from _columns([FIELD_HEADS, *fields(corpora)])
    yield ""
    yield from _columns([(pair.flip, _name(found, pair.name)) for pair in corpora.flipped])
    if not corpora.flipped:
        yield "No document passes on one side only."
    for reason in corpora.regressions:
        yield f"REGRESSION: {reason}"


def markdown(found: PairedRuns) -> str:
    """For a pull request or a page of notes: the verdict first, then the same tables."""
    corpora = found.corpora
    parts = [
        "### " + judgement(corpora),
        "\n".join(f"- {reason}" for reason in corpora.regressions),
        "\n".join(f"- {line}" for line in about(found)),
    ]
    if corpora.documents:
        parts.append(_table(HEADS, *headline(corpora)))
    if corpora.fields:
        parts.append(_table(FIELD_HEADS, *fields(corpora)))
    if corpora.flipped:
        flipped = ((pair.flip, _name(found, pair.name)) for pair in corpora.flipped)
        parts.append(_table(("Flipped", "Document"), *flipped))
    return "\n\n".join(filter(None, parts)) + "\n"


STANDING_HEADS = ("Run", "Extractor", "Documents tried", "Cell F1", "95 % interval", "Row recall", "Documents passed")


def standing(one: Standing) -> tuple[str, ...]:
    """A row under STANDING_HEADS."""
    ends = "n/a" if one.f1.low is None else f"{percent(one.f1.low)} to {percent(one.f1.high)}"
    return (
        ", ".join(map(str, one.series.runs)),
        one.series.name,
        f"{one.documents:,}",
        percent(one.exact.f1),
        ends,
        percent(one.rows.recall),
        f"{one.passed.count} of {one.passed.of}",
    )


REPEAT_HEADS = (
    *("Extractor", "Repeats", "Documents", "Cell F1, mean", "Standard deviation, points", "Lowest to highest"),
    *("Cells that flip", "Same value in all", "Same text in all"),
)


def repeats(one: Repeats) -> tuple[str, ...]:
    """A row under REPEAT_HEADS."""
    f1, cells = one.f1, one.stability
    return (
        one.extractor,
        str(len(one.runs)),
        f"{one.documents:,}",
        percent(f1.mean),
        NOT_AVAILABLE if f1.sd is None else f"{100 * f1.sd:.1f}",
        NOT_AVAILABLE if f1.lowest is None else f"{percent(f1.lowest)} to {percent(f1.highest)}",
        percent(cells.pair_flip_rate),
        percent(cells.same_values),
        percent(cells.same_texts),
    )


def standings(board: Leaderboard) -> Iterator[str]:
    """The leaderboard for a terminal."""
    if not board.documents:
        yield "no document in common: each run is shown on documents of its own, so that they cannot be compared"
    yield from _columns([STANDING_HEADS, *map(standing, board.standings)])
    few = next((one.f1.reason for one in board.standings if one.f1.reason), "")
    if few:
        yield f"no interval: {few}"


def to_json(found: PairedRuns) -> dict[str, Any]:
    """Both runs, and all that ``PairedCorpora.to_json`` holds."""
    sides = {
        side: {"runs": list(series.runs), "extractor": series.extractor}
        for side, series in (("a", found.a), ("b", found.b))
    }
    return {**sides, **found.corpora.to_json()}


def judgement(found: PairedCorpora) -> str:
    """The verdict in one sentence."""
    if not found.documents:
        return "Nothing to compare"
    if found.regressions:
        return "B is worse than A"
    return found.undecidable or "No regression from A to B beyond chance"


def _name(found: PairedRuns, name: str) -> str:
    document = found.documents.get(name)
    return document.name if document else name


def _interval(found: Comparison) -> str:
    return "n/a" if found.low is None else f"{points(found.low)} to {points(found.high)}"


def _columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))] if rows else []
    for row in rows:
        cells = (
            text.ljust(width) if at == 0 else text.rjust(width)
            for at, (text, width) in enumerate(zip(row, widths, strict=True))
        )
        yield "  ".join(cells).rstrip()


def _table(heads: Sequence[str], *rows: Sequence[str]) -> str:
    return markdown_table(heads, rows, numbers=[at > 0 for at in range(len(heads))])
