"""The comparison of two runs as one HTML page that prints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import islice

from review_app import compare_report, compare_tables
from review_app.html_table import Shown
from review_app.printed_page import part, printed_page
from review_app.result_tables import Rows
from store.paired_runs import FlippedCell, PairedRuns

# A page that is read holds no more; the screen Compare has all of them.
MOST_CELLS = 200


def html(found: PairedRuns, cells: Iterable[tuple[str, FlippedCell]]) -> str:
    """The page; ``cells`` are those that only one run has right, each with the name of its document, worst first."""
    title = f"{compare_report.named(found.b)} against {compare_report.named(found.a)}"
    return printed_page(title, _parts(found, cells))


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
    pairs = compare_tables.documents(found, compare_tables.differing(found), linked=False)
    yield from part("Documents that differ, worst first", pairs, "documents")
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


def _cells(named: Sequence[tuple[str, FlippedCell]]) -> Rows:
    heads, rows = compare_tables.cells([cell for _, cell in named], linked=False)
    names = [Shown(name) for name, _ in named]
    return [Shown("Document", look="strong"), *heads], [[name, *row] for name, row in zip(names, rows, strict=True)]
