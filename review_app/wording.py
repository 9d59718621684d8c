"""Numbers and times as people read them."""

from __future__ import annotations

import re

from scoring import NOT_AVAILABLE


def duration(milliseconds: float | None) -> str:
    """Milliseconds as "48 s", "3 min 20 s" or "1 h 05 min"; "n/a" where nothing was measured."""
    if milliseconds is None:
        return NOT_AVAILABLE
    seconds = round(milliseconds / 1000)
    if seconds < 60:
        return f"{seconds} s"
    minutes, seconds = divmod(seconds, 60)
    if minutes < 60:
        return f"{minutes} min {seconds:02} s"
    return f"{minutes // 60} h {minutes % 60:02} min"


def count(number: int, one: str, many: str = "") -> str:
    """A number with its word: "1 table", "3 tables"."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def points(difference: float | None) -> str:
    """A difference of two shares in points of percent with its sign: "+2.4", "-0.3", "0.0"; "n/a" where undefined.

    Only no difference at all reads 0.0: 0.0004 is +0.1.
    """
    if difference is None:
        return NOT_AVAILABLE
    rounded = round(difference * 100, 1)
    if rounded == 0 and difference:
        rounded = 0.1 if difference > 0 else -0.1
    return f"{rounded:+.1f}" if rounded else "0.0"


def p_value(p: float | None) -> str:
    """A p-value as "0.031", "< 0.001", "1.000"; "n/a" where there is none."""
    if p is None:
        return NOT_AVAILABLE
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def in_words(label: str) -> str:
    """A label of a cause as it is read."""
    return "unknown" if label == "unsupported_unknown" else label.replace("_", " ")


def literal(text: str) -> str:
    """The text so that Markdown shows it as it is: it may quote a document or a model, also with pictures and links."""
    # A word joiner keeps an address from becoming a link.
    unlinked = re.sub(r"(?i)(://|\bwww\.)", "\\1\u2060", text)
    return re.sub(r"([\\`*_{}\[\]()<>#+\-!|~$:&])", r"\\\1", unlinked)
