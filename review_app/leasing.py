"""Leases as the JSON of docs/review_api.md: who has a table, taking it, letting it go."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from review_app.api_requests import Answer
from review_app.settings import database
from review_app.tokens import Capability
from store import leases
from store.db import StoreError
from store.leases import Holder

ACTIONS = ("take", "take over", "release")


def store_lease(body: Mapping[str, Any], capability: Capability) -> Answer:
    """Take a table for a tab, take it over, or let it go; the answer says who else has it."""
    action, client = body.get("action"), body.get("client")
    if action not in ACTIONS or not isinstance(client, str) or not 8 <= len(client) <= 64:
        raise StoreError(f"expected action (one of {', '.join(ACTIONS)}) and client (a text of 8 to 64 characters)")
    db, key, person = database(), capability.gold, capability.person
    if action == "release":
        leases.release(db, key, person=person, client=client)
        return 200, {"holder": None}
    other = leases.take(db, key, person=person, client=client, over=action == "take over")
    return 200, {"holder": holder_json(other)}


def holder_json(holder: Holder | None) -> dict[str, Any] | None:
    """``{"person", "since"}``, or None where the table is free."""
    return None if holder is None else asdict(holder)
