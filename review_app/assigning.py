"""The route by which tables are meant for somebody, from the queue."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from review_app.api_requests import Answer
from review_app.settings import database
from review_app.tokens import Capability
from store import assignment
from store.db import StoreError


def store_assignment(body: Mapping[str, Any], capability: Capability) -> Answer:
    """Name whom a table is meant for; an empty text is nobody."""
    table, to = body.get("table"), body.get("person")
    if type(table) is not int or not isinstance(to, str):
        raise StoreError("expected table (the number of a gold table) and person (a name, or an empty text)")
    changed = assignment.assign(database(), [table], to.strip(), person=capability.person)
    return 200, {"changed": changed}
