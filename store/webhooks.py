"""Webhooks: addresses that are told, signed, when a table is accepted or reopened and when a release is made."""

from __future__ import annotations

import hmac
import json
import secrets
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any, Literal, get_args

from sqlite_utils import Database

from store import audit
from store.addresses import shown, web_address
from store.db import Db, NotFound, StoreError, insert, now, row
from store.rights import expect_right

Event = Literal["accept", "reopen", "release"]
EVENTS: tuple[Event, ...] = get_args(Event)
# After 10 s, 40 s, ... at most 6 h apart: given up after a day and a half.
MOST_ATTEMPTS, FIRST_PAUSE_S, LONGEST_PAUSE_S = 12, 10, 6 * 3600
# So long nobody else sends what one process has begun to send.
CLAIMED_S = 60
ANSWERS_WITHIN_S = 10.0
LONGEST_URL = 2000


@dataclass(frozen=True)
class Webhook:
    """An address that is told of ``events`` in a project, or in all of them; its secret is only shown as it is made.

    ``waiting`` counts what has not arrived yet, ``failed`` what was given up; ``last_error`` is of the last attempt.
    """

    id: int
    project: str | None
    url: str
    events: tuple[Event, ...]
    made_by: str
    made_at: str
    waiting: int
    failed: int
    last_error: str


@dataclass(frozen=True)
class Delivery:
    """Something to send: the body, and the headers that name and sign it."""

    id: str
    url: str
    body: bytes
    headers: Mapping[str, str]


def add_webhook(
    db: Db, url: str, *, events: Sequence[Event] = EVENTS, project: str | None = None, by: str
) -> tuple[Webhook, str]:
    """A new webhook, and the secret by which the receiver checks signatures.

    Raises StoreError for an address that ``web_address`` refuses or that is too long, and for unknown events.
    """
    web_address(url)
    if len(url) > LONGEST_URL:
        raise StoreError(f"{shown(url)}: has {len(url):,} characters, expected at most {LONGEST_URL:,}")
    if wrong := [event for event in events if event not in EVENTS]:
        raise StoreError(f"event {wrong[0]!r}, expected one of {', '.join(EVENTS)}")
    secret = secrets.token_urlsafe(32)
    with db.write() as writer:
        expect_right(writer, by, "people")
        values = {"project": project, "url": url, "events": json.dumps(list(events)), "signing_key": secret}
        key = insert(writer, "webhook", {**values, "made_by": by, "made_at": now()})
        audit.note(writer, by, "made", f"webhook {key}", detail=url)
        return _webhook(writer, key), secret


def webhooks(reader: Database) -> tuple[Webhook, ...]:
    """Those that are told now."""
    rows = reader.query(
        "select id, project, url, events, made_by, made_at, "
        "(select count(*) from webhook_delivery d where d.webhook = w.id and d.next_at is not null) as waiting, "
        "(select count(*) from webhook_delivery d where d.webhook = w.id and d.next_at is null "
        "and d.delivered_at is null) as failed, "
        "coalesce((select last_error from webhook_delivery d where d.webhook = w.id and d.attempts > 0 "
        "order by rowid desc limit 1), '') as last_error from webhook w where removed_at is null order by id"
    )
    return tuple(Webhook(**{**entry, "events": tuple(json.loads(entry["events"]))}) for entry in rows)


def remove_webhook(db: Db, key: int, *, by: str) -> Webhook:
    """Tell an address no more, also not of what waits; raises NotFound."""
    with db.write() as writer:
        expect_right(writer, by, "people")
        found = _webhook(writer, key)
        writer.execute("update webhook set removed_at = ? where id = ?", (now(), key))
        writer.execute("update webhook_delivery set next_at = null where webhook = ?", (key,))
        audit.note(writer, by, "removed", f"webhook {key}", detail=found.url)
        return found


def tell(writer: Database, event: Event, project: str, told: Mapping[str, Any]) -> None:
    """Have all webhooks of an event told, in the transaction of what happened: both are stored, or neither.

    ``told`` names things by their numbers and hashes; it holds no text of a table.
    """
    for entry in list(
        writer.query(
            "select id, events from webhook where removed_at is null and (project is null or project = ?)", (project,)
        )
    ):
        if event in json.loads(entry["events"]):
            body = {"id": str(uuid.uuid4()), "event": event, "project": project, "at": now(), **told}
            values = {"id": body["id"], "webhook": entry["id"], "body": json.dumps(body, ensure_ascii=False)}
            insert(writer, "webhook_delivery", {**values, "made_at": body["at"], "next_at": body["at"]})


def due(db: Db) -> tuple[Delivery, ...]:
    """What is to be sent now. It is claimed: for CLAIMED_S nobody else gets it, then it is due again."""
    with db.read() as reader:
        if row(reader, "select 1 from webhook_delivery where next_at <= ?", (now(),)) is None:
            return ()
    with db.write() as writer:
        found = list(
            writer.query(
                "select d.id, d.body, w.url, w.signing_key from webhook_delivery d join webhook w on w.id = d.webhook "
                "where d.next_at <= ? order by d.rowid limit 20",
                (now(),),
            )
        )
        for entry in found:
            writer.execute("update webhook_delivery set next_at = ? where id = ?", (_after(CLAIMED_S), entry["id"]))
    return tuple(_delivery(entry) for entry in found)


def sent(db: Db, delivery: Delivery, error: str) -> None:
    """Note what became of an attempt: no error, or the reason; it is tried again later, until it is given up."""
    with db.write() as writer:
        found = row(writer, "select attempts from webhook_delivery where id = ?", (delivery.id,))
        attempts = int(found["attempts"]) + 1 if found else 1
        pause = min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 4 ** (attempts - 1))
        again = None if not error or attempts >= MOST_ATTEMPTS else _after(pause)
        writer.execute(
            "update webhook_delivery set attempts = ?, next_at = ?, delivered_at = ?, last_error = ? where id = ?",
            (attempts, again, None if error else now(), error[:300], delivery.id),
        )


def signature(secret: str, body: bytes, *, at: int) -> str:
    """The header by which a receiver knows the sender and the age: an HMAC-SHA256 over ``at``, a dot and the body.

    The scheme is that of https://docs.stripe.com/webhooks#verify-manually.
    """
    return f"t={at},v1={hmac.new(secret.encode(), f'{at}.'.encode() + body, sha256).hexdigest()}"


def _delivery(entry: Mapping[str, Any]) -> Delivery:
    body = entry["body"].encode()
    headers = {
        "Content-Type": "application/json",
        "Proofgrid-Delivery": entry["id"],
        "Proofgrid-Signature": signature(entry["signing_key"], body, at=int(datetime.now(UTC).timestamp())),
    }
    return Delivery(entry["id"], entry["url"], body, headers)


def _webhook(reader: Database, key: int) -> Webhook:
    found = next((each for each in webhooks(reader) if each.id == key), None)
    if found is None:
        raise NotFound(f"there is no webhook {key}; webhooks list tells which there are")
    return found


def _after(seconds: float) -> str:
    return (datetime.now(UTC) + timedelta(seconds=seconds)).isoformat(timespec="milliseconds")
