"""Values and texts as they are shown in a message: short, on one line, without control characters."""

from __future__ import annotations

import re

LONGEST_TEXT = 80
_LONGEST_VALUE = 60
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def brief(value: object) -> str:
    """How Python writes the value, cut where it is long."""
    try:
        text = repr(value)
    except ValueError:  # a whole number of more digits than Python writes
        text = "a number of thousands of digits"
    return text if len(text) <= _LONGEST_VALUE else f"{text[: _LONGEST_VALUE - 3]}..."


def cut(text: str, most: int = LONGEST_TEXT) -> str:
    """The text, or its beginning and an ellipsis where it is longer than ``most``."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def escaped(text: str) -> str:
    """The text with its control characters as they are escaped in Python, as in ``\\x1b``."""
    return _CONTROL.sub(lambda found: repr(found[0])[1:-1], text)
