"""The comparison of two runs as one HTML page that prints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import islice

from review_app import compare_report
from review_app.html_table import Shown
from review_app.printed_page import part, printed_page
from review_app.wording import points
from scoring import percent
from scoring.paired_corpora import DocumentPair
from store.paired_runs import FlippedCell, PairedRuns

# A page that is read holds no more; the screen Compare has all of them.
MOST_CELLS = 200


def html(found: PairedRuns, cells: Iterable[tuple[str, FlippedCell]]) -> str:
    """The page; ``cells`` are those that only one run has right, each with the name of its document, worst first."""
    title = f"{compare_report.named(found.b)} against {compare_report.named(found.a)}"
    return printed_page(title, _parts(found, cells))


def differing(found: PairedRuns) -> list[DocumentPair]:
    """The documents in which the runs do not have the same, those that got worse first."""
    order = {"worse": 0, "better": 2}
    pairs = [pair for pair in found.corpora.documents if pair.a != pair.b or pair.flip]
    return sorted(pairs, key=lambda pair: (order.get(pair.flip, 1), (pair.b.f1 or 0) - (pair.a.f1 or 0), pair.name))


def _parts(found: PairedRuns, cells: Iterable[tuple[str, FlippedCell]]) -> Iterator[str]:
    corpora = found.corpora
    yield f"<p><b>{escape(compare_report.judgement(corpora))}</b></p>"
    yield "".join(f"<p class='fail'>\u2715 {escape(reason)}</p>" for reason in corpora.regressions)
    yield "".join(f"<p class='quiet'>{escape(line)}</p>" for line in compare_report.about(found))
    if not corpora.documents:
        return
    yield from part("B against A", _plain(compare_report.HEADS, compare_report.headline(corpora)), "headline")
    if reason := corpora.headline["f1"].reason:
        yield f"<p class='quiet'>No interval: {escape(reason)}.</p>"
    fields = _plain(compare_report.FIELD_HEADS, compare_report.fields(corpora))
    yield from part("By field, worst first", fields, "fields")
    yield from part("Documents that differ, worst first", _documents(found), "documents")
    listed = list(islice(cells, MOST_CELLS + 1))
    yield from part("Cells that only one run has right", _cells(listed[:MOST_CELLS]), "cells")
    if len(listed) > MOST_CELLS:
        yield f"<p class='quiet'>These are the first {MOST_CELLS}; the screen Compare has all of them.</p>"
    yield (
        "<h2>What these numbers mean</h2><p>Differences are B minus A in points of percent, paired by document; a "
        "document that a run failed at counts as missed. Intervals are 95 %, by drawing documents. p: swapping A and B "
        "within documents. Benjamini-Hochberg is for looking through many fields, Holm for a gate: WORSE is Holm below "
        "0.05. Of repeats, F1 is the mean, and cells are those of the first one.</p>"
    )


def _plain(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> tuple[list[Shown], list[list[Shown]]]:
    """The first column is a name, the others hold numbers."""
    named = [Shown(name, look="number" if at else "strong") for at, name in enumerate(heads)]
    return named, [list(map(Shown, row)) for row in rows]


def _documents(found: PairedRuns) -> tuple[list[Shown], list[list[Shown]]]:
    heads = [Shown("Document", look="strong"), Shown("Verdict of A to B")]
    heads += [Shown(name, look="number") for name in ("Cell F1 of A", "Cell F1 of B", "B - A, points")]
    rows = [
        [
            Shown(found.documents[pair.name].name),
            verdict(pair),
            Shown(percent(pair.a.f1)),
            Shown(percent(pair.b.f1)),
            Shown(points(None if pair.a.f1 is None or pair.b.f1 is None else pair.b.f1 - pair.a.f1)),
        ]
        for pair in differing(found)
    ]
    return heads, rows


def verdict(pair: DocumentPair) -> Shown:
    """Whether a document passes in A, and in B where that is another verdict."""
    words = {None: "nothing to score", True: "pass", False: "fail"}
    a, b = words[pair.passed_a], words[pair.passed_b]
    look = "" if a == b else "fail" if pair.passed_a else "pass"
    return Shown(a if a == b else f"{a} \u2192 {b}", look=look, direction="ltr")


def _cells(cells: Sequence[tuple[str, FlippedCell]]) -> tuple[list[Shown], list[list[Shown]]]:
    heads = [Shown("Document", look="strong"), Shown("Table"), Shown("Row", look="number")]
    heads += map(Shown, ("Field", "Gold", "A", "B"))
    rows = [
        [
            Shown(name),
            Shown(cell.table),
            Shown(str(cell.row + 1)),
            Shown(cell.field),
            Shown(cell.text),
            side(cell.a, cell.right == "a"),
            side(cell.b, cell.right == "b"),
        ]
        for name, cell in cells
    ]
    return heads, rows


def side(text: str | None, right: bool) -> Shown:
    """What one run has in a cell, with a sign for right and wrong."""
    shown = "(no cell)" if text is None else text or "(empty)"
    sign = "\u2713" if right else "\u2715"
    return Shown(f"{sign} {shown}", look="pass" if right else "fail")
