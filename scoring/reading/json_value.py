"""JSON that came from elsewhere, of which nothing is known but its text."""

from __future__ import annotations

import json
from typing import Any


def json_value(text: str | bytes, **readers: Any) -> Any:
    """The value of JSON, made as the ``readers`` of ``json.loads`` say.

    Raises ValueError where it is none (json.JSONDecodeError, which tells the place), and where it is nested too deeply.
    """
    try:
        return json.loads(text, **readers)
    except RecursionError:
        raise ValueError("it is nested too deeply to be read") from None
