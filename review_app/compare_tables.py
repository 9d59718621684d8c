"""What the comparison of two runs consists of, as tables that the screen and the page show alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from review_app.html_table import Shown
from review_app.result_tables import Rows
from review_app.wording import points
from scoring import percent
from scoring.paired_corpora import DocumentPair
from store.paired_runs import FlippedCell, PairedRuns


def differing(found: PairedRuns) -> list[DocumentPair]:
    """The documents in which the runs do not have the same, those that got worse first."""
    order = {"worse": 0, "better": 2}
    pairs = [pair for pair in found.corpora.documents if pair.a != pair.b or pair.flip]
    return sorted(pairs, key=lambda pair: (order.get(pair.flip, 1), (pair.b.f1 or 0) - (pair.a.f1 or 0), pair.name))


def gain(pair: DocumentPair) -> float | None:
    """The cell F1 of B minus that of A, -1..1; None where one of them is undefined."""
    return None if pair.a.f1 is None or pair.b.f1 is None else pair.b.f1 - pair.a.f1


def documents(found: PairedRuns, pairs: Iterable[DocumentPair], *, linked: bool = True) -> Rows:
    """One row for each document with its verdicts and its cell F1 in both runs."""
    heads = [Shown("Document", look="strong"), Shown("Verdict of A to B")]
    heads += [Shown(name, look="number") for name in ("Cell F1 of A", "Cell F1 of B", "B - A, points")]
    rows = [
        [
            Shown(document.name, link=f"document?document={document.id}" if linked else ""),
            _verdict(pair),
            Shown(percent(pair.a.f1)),
            Shown(percent(pair.b.f1)),
            Shown(points(gain(pair))),
        ]
        for pair in pairs
        for document in (found.documents[pair.name],)
    ]
    return heads, rows


def cells(flipped: Sequence[FlippedCell], *, linked: bool = True) -> Rows:
    """One row for each cell that only one run has right."""
    heads = [Shown("Table"), Shown("Row", look="number"), *map(Shown, ("Field", "Gold", "A", "B"))]
    rows = [
        [
            Shown(cell.table, link=f"review?table={cell.gold}" if linked else ""),
            Shown(str(cell.row + 1)),
            Shown(cell.field),
            Shown(cell.text),
            _side(cell.a, cell.right == "a"),
            _side(cell.b, cell.right == "b"),
        ]
        for cell in flipped
    ]
    return heads, rows


def _verdict(pair: DocumentPair) -> Shown:
    """Whether a document passes in A, and in B where that is another verdict."""
    words = {None: "nothing to score", True: "pass", False: "fail"}
    a, b = words[pair.passed_a], words[pair.passed_b]
    look = "" if a == b else "fail" if pair.passed_a else "pass"
    return Shown(a if a == b else f"{a} \u2192 {b}", look=look, direction="ltr")


def _side(text: str | None, right: bool) -> Shown:
    """What one run has in a cell, with a sign for right and wrong."""
    shown = "(no cell)" if text is None else text or "(empty)"
    sign = "\u2713" if right else "\u2715"
    return Shown(f"{sign} {shown}", look="pass" if right else "fail")
