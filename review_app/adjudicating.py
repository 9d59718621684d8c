"""Adjudication as the JSON of docs/review_api.md: one table with what two people read otherwise, and decisions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from review_app import review_view
from review_app.api_requests import Answer
from review_app.settings import database
from review_app.tokens import Capability
from scoring.double_keying import CellDifference
from store import adjudication, documents
from store.adjudication import Case, Decision, Item
from store.db import StoreError


def case_json(asked: Mapping[str, str], person: str) -> dict[str, Any]:
    """The table of the pass that is asked for; who gave which answer stands nowhere in it."""
    number = asked.get("pass", "")
    if not number.isdecimal():
        raise StoreError(f"pass {number!r}, expected the number of a second pass")
    db = database()
    with db.read() as reader:
        found = adjudication.case(db, reader, int(number), person=person)
        pages = documents.pages(reader, found.about.document)
    document = review_view.document_json(found.comparison.document, pages)
    return {"pass": found.about.id, "name": found.comparison.label, "document": document, "items": _items(found)}


def store_decision(body: Mapping[str, Any], capability: Capability) -> Answer:
    """Keep one decision, or, with ``finish``, make gold of all of them."""
    number, person, db = body.get("pass"), capability.person, database()
    if type(number) is not int:
        raise StoreError("expected pass, the number of a second pass")
    if body.get("finish"):
        return 200, {"revision": adjudication.finish(db, number, person=person)}
    item, answer, own, name = (body.get(part) for part in ("item", "answer", "own", "id"))
    active_ms = body.get("active_ms", 0)
    if not isinstance(item, str) or not isinstance(name, str) or not 8 <= len(name) <= 64 or type(active_ms) is not int:
        raise StoreError("expected item and id (texts, the id of 8 to 64 characters) and active_ms (milliseconds)")
    if not (type(answer) is int or (answer is None and isinstance(own, str))):
        raise StoreError("expected answer (the place of one), or own (a text)")
    made = adjudication.decide(
        db, number, item, answer=answer, own=str(own or ""), person=person, id=name, active_ms=active_ms
    )
    return 200, {"value": made.value}


def _items(found: Case) -> list[dict[str, Any]]:
    return [_item(each, found.decisions.get(each.id)) for each in found.items]


def _item(item: Item, decision: Decision | None) -> dict[str, Any]:
    texts = [answer.text for answer in item.answers]
    return {
        "id": item.id,
        "where": item.where,
        "box": item.box.to_json() if item.box else None,
        "answers": texts,
        "typed": isinstance(item.difference, CellDifference),
        "decided": None
        if decision is None
        else {"value": decision.value, "own": decision.chosen == "own" and decision.value not in texts},
    }
