"""What people say to each other in the review: comments, and the guidelines of a table type."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sqlite_utils import Database

from review_app.api_requests import Answer
from review_app.settings import database
from review_app.tokens import Capability
from store import comments, gold, guidelines
from store.comparison import Comparison
from store.db import StoreError


def threads(reader: Database, key: int) -> list[dict[str, Any]]:
    """The threads of a gold table, the oldest first."""
    return [thread.to_json() for thread in comments.threads(reader, key)]


def threads_json(key: int) -> dict[str, Any]:
    """The threads of a gold table as they are now; raises NotFound."""
    with database().read() as reader:
        gold.gold(reader, key)
        return {"threads": threads(reader, key)}


def read_threads(_: Mapping[str, str], capability: Capability) -> bytes:
    """The threads of a gold table, as JSON; raises NotFound."""
    return json.dumps(threads_json(capability.gold), ensure_ascii=False).encode()


def guidelines_json(reader: Database, comparison: Comparison, person: str) -> dict[str, Any] | None:
    """The guidelines of the table's type, and whether they are new to this person; None where there are none."""
    found = guidelines.guidelines(reader, comparison.gold.table_type, project=comparison.document.project)
    if found is None:
        return None
    return {"id": found.id, "text": found.text, "unread": not guidelines.was_read(reader, found.id, person=person)}


def store_comments(body: Mapping[str, Any], capability: Capability) -> Answer:
    """Keep the comments of a request, then say how the threads stand."""
    sent = body.get("comments", [])
    if not isinstance(sent, list) or not all(isinstance(entry, dict) for entry in sent):
        raise StoreError("expected comments (a list)")
    new = [comments.new_comment(entry) for entry in sent]
    stored = comments.add_comments(database(), capability.gold, new, person=capability.person)
    return 200, {"stored": list(stored), **threads_json(capability.gold)}


def store_reading(body: Mapping[str, Any], capability: Capability) -> Answer:
    """Remember that the person has had these guidelines before them."""
    key = body.get("id")
    if type(key) is not int:
        raise StoreError("expected id (the number of the guidelines)")
    guidelines.add_reading(database(), key, person=capability.person)
    return 200, {"read": key}
