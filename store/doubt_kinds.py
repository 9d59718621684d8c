"""The kinds of doubt: what a reason in words is about, so that people can choose by it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from scoring.arithmetic.checks import Finding
from scoring.confidence.badges import NO_SCORE, NOT_EXTRACTED

DoubtKind = Literal["unparsed", "check", "confidence", "no score", "missed row"]


def kinds_of(reasons: Iterable[str], findings: Sequence[Finding]) -> tuple[DoubtKind, ...]:
    """The kind of each reason of a doubt: a failed check by its message, else what the badge says."""
    checks = {finding.message: finding.kind for finding in findings}
    return tuple(_kind(reason, checks.get(reason, "")) for reason in reasons)


def _kind(reason: str, check: str) -> DoubtKind:
    if check:
        return "unparsed" if check in ("type", "required", "column") else "check"
    if reason == NO_SCORE:
        return "no score"
    return "missed row" if reason == NOT_EXTRACTED else "confidence"
