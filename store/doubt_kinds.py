"""The kinds of doubt: what a reason in words is about, so that people can choose by it."""

from __future__ import annotations

from typing import Literal

from scoring.confidence.badges import NO_SCORE, NOT_EXTRACTED, PAGE_READS, REPAIRED, Doubt
from store.comparison import Comparison

DoubtKind = Literal["unparsed", "check", "confidence", "no score", "missed row", "repaired", "page"]


def reasons_of(found: Comparison, doubt: Doubt) -> tuple[tuple[DoubtKind, str], ...]:
    """The reasons of a doubt, each with its kind; a high badge is no reason of its own."""
    checks = {finding.message: finding.kind for finding in found.findings}
    rows, cols = dict(found.alignment.rows), dict(found.alignment.cols)
    known = doubt.row in rows and doubt.col in cols
    first = found.first_table.at(rows[doubt.row], cols[doubt.col]) if known else None
    told = [(_kind(reason, checks.get(reason, "")), reason) for reason in doubt.reasons]
    return tuple(one for one in told if one[0] != "confidence" or found.confidence_badge(first).level != "high")


def _kind(reason: str, check: str) -> DoubtKind:
    if check:
        return "unparsed" if check in ("type", "required", "column") else "check"
    if reason == NO_SCORE:
        return "no score"
    if reason.startswith(REPAIRED):
        return "repaired"
    if reason.startswith(PAGE_READS):
        return "page"
    return "missed row" if reason == NOT_EXTRACTED else "confidence"
