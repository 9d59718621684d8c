"""Names of fields as experiment trackers take them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

_LONGEST_PART = 80


def slugs(fields: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """For each field, by table type and name, a name that trackers take; no two are the same but for their case."""
    found: dict[tuple[str, str], str] = {}
    taken: set[str] = set()
    for kind, name in fields:
        plain = "/".join(filter(None, (_slug(kind) if kind else "", _slug(name))))
        slug, number = plain, 1
        while slug.casefold() in taken:
            number += 1
            slug = f"{plain}_{number}"
        taken.add(slug.casefold())
        found[kind, name] = slug
    return found


def _slug(text: str) -> str:
    """Letters and digits of any script, hyphens and underscores; at most _LONGEST_PART of them, at least one."""
    kept = re.sub(r"[^\w-]+", "_", unicodedata.normalize("NFC", text)).strip("_")
    return kept[:_LONGEST_PART] or "field"
