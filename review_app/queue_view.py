"""The queue as the JSON of docs/review_api.md: a stretch of its entries, and what each choice would give."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from review_app.granting import issue_token
from review_app.settings import database
from store import queue
from store.queue_entry import Entry

MOST_ROWS = 200


def queue_json(asked: Mapping[str, str], person: str) -> dict[str, Any]:
    """The entries from place ``from`` on, ``count`` of them, under the filter that the other parts make."""
    first, count = (_number(asked.get(name, ""), default) for name, default in (("from", 0), ("count", MOST_ROWS)))
    db = database()
    with db.read() as reader:
        found = queue.listing(db, reader, queue.Filter.of(asked))
    shown = found.entries[first : first + min(count, MOST_ROWS)]
    return {
        "total": len(found.entries),
        "from": first,
        "counts": {part: dict(counts) for part, counts in found.counts.items()},
        "doubts": sum(entry.doubts for entry in found.entries),
        "rows": [_row(entry) for entry in shown],
        # The first one is fetched ahead while the person chooses.
        "first": {"gold": shown[0].gold, "token": issue_token(person, shown[0].gold)} if shown and not first else None,
    }


def _row(entry: Entry) -> dict[str, Any]:
    row = asdict(entry)
    for unused in ("risk", "judged", "reasons"):
        del row[unused]
    return row


def _number(text: str, default: int) -> int:
    return int(text) if text.isdecimal() and len(text) < 10 else default
