"""Sending what webhooks are to be told: one POST each, tried again later where it does not arrive."""

from __future__ import annotations

from collections.abc import Callable

import httpx

from store import webhooks
from store.db import Db, StoreError
from store.webhooks import ANSWERS_WITHIN_S, Delivery


def deliver(db: Db) -> tuple[int, int]:
    """Send all that is due now; how many arrived, and how many did not."""
    arrived = failed = 0
    while found := webhooks.due(db):
        # An answer of a proxy or a redirect is not the receiver's.
        with httpx.Client(timeout=ANSWERS_WITHIN_S, follow_redirects=False) as client:
            for delivery in found:
                error = _post(client, delivery)
                webhooks.sent(db, delivery, error)
                arrived, failed = (arrived, failed + 1) if error else (arrived + 1, failed)
    return arrived, failed


def keep_delivering(db: Db, wait: Callable[[float], bool], *, every_s: float = 2.0) -> None:
    """Deliver until ``wait``, which is told how long to wait, says that it is over."""
    while not wait(every_s):
        try:
            deliver(db)
        except StoreError:
            continue  # a database that cannot be used now: what is due is due again


def _post(client: httpx.Client, delivery: Delivery) -> str:
    try:
        with client.stream("POST", delivery.url, content=delivery.body, headers=dict(delivery.headers)) as answer:
            status = answer.status_code
    except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as wrong:
        return f"{type(wrong).__name__}: {wrong}"
    return "" if 200 <= status < 300 else f"the receiver answered with status {status}, expected 200 to 299"
