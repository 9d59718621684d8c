"""Numbers and times as people read them."""

from __future__ import annotations

from collections.abc import Sequence

NOT_AVAILABLE = "n/a"


def percent(ratio: float | None) -> str:
    """A ratio as a percentage with one decimal; "n/a" where it is undefined."""
    return NOT_AVAILABLE if ratio is None else f"{ratio * 100:.1f} %"


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


def listed(words: Sequence[str]) -> str:
    """Words as a person would list them: "a", "a and b", "a, b and c"."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else ""
