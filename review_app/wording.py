"""Numbers and times as people read them."""

from __future__ import annotations

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
