"""The queue as the JSON of docs/review_api.md: a stretch of its entries, and what each choice would give."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from review_app import leasing
from review_app.granting import issue_token
from review_app.settings import database
from store import leases, queue
from store.assignment import assignees
from store.queue_entry import Entry
from store.rights import is_team
from store.table_types import type_labels

MOST_ROWS = 200


def queue_json(asked: Mapping[str, str], person: str) -> dict[str, Any]:
    """The entries from place ``from`` on, ``count`` of them, under the filter that the other parts make."""
    first, count = (_number(asked.get(name, ""), default) for name, default in (("from", 0), ("count", MOST_ROWS)))
    db = database()
    with db.read() as reader:
        found = queue.listing(db, reader, queue.Filter.of(asked), person=person)
        meant = assignees(db, reader)
        taken = leases.held(reader, apart_from=person)
        labels = type_labels(reader, project=asked.get("project", ""))
        # What is sent counts as read, and who has read a document keys none of it a second time: in a team nothing is
        # sent before somebody opens it.
        may_send_ahead = not first and not is_team(reader)
    shown = found.entries[first : first + min(count, MOST_ROWS)]
    ahead = next((entry for entry in shown if entry.gold not in taken), None)
    return {
        "total": len(found.entries),
        "from": first,
        "counts": {part: dict(counts) for part, counts in found.counts.items()},
        "labels": {"table_type": dict(labels)},
        "doubts": sum(entry.doubts for entry in found.entries),
        "rows": [
            {**_row(entry), "lease": leasing.holder_json(taken.get(entry.gold)), "assigned": meant.get(entry.gold, "")}
            for entry in shown
        ],
        # The first one is fetched ahead while the person chooses.
        "first": {"gold": ahead.gold, "token": issue_token(person, ahead.gold)} if ahead and may_send_ahead else None,
    }


def _row(entry: Entry) -> dict[str, Any]:
    row = asdict(entry)
    for unused in ("risk", "judged", "reasons"):
        del row[unused]
    return row


def _number(text: str, default: int) -> int:
    return int(text) if text.isdecimal() and len(text) < 10 else default
