"""Webhooks against a receiver on loopback."""

from __future__ import annotations

import hmac
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from scoring.table import from_rows
from store.db import Db, StoreError
from store.home import Home
from store.releases import make_release
from store.reviews import add_verdict
from store.webhook_sending import deliver
from store.webhooks import MOST_ATTEMPTS, Webhook, add_webhook, remove_webhook, webhooks
from tests.stored_documents import put_document, put_gold

ROWS = [["item", "price"], ["SECRET-BOLT", "1.20"]]


@dataclass
class Receiver:
    """What came, and the status with which the next is answered."""

    url: str
    status: int = 200
    came: list[tuple[dict[str, str], bytes]] = field(default_factory=list)

    @property
    def events(self) -> list[dict[str, Any]]:
        return [json.loads(body) for _, body in self.came]


@contextmanager
def receiving() -> Iterator[Receiver]:
    found = Receiver("")

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            found.came.append((dict(self.headers), body))
            self.send_response(found.status)
            if found.status == 302:
                self.send_header("Location", found.url + "/elsewhere")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found.url = f"http://127.0.0.1:{server.server_port}/hook"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield found
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as found:
        yield found


@pytest.fixture
def parts(db: Db, home: Home) -> int:
    document = put_document(db, home, "parts.pdf", ROWS, project="default")
    return put_gold(db, document, from_rows(ROWS, header_rows=1)).id


def accept(db: Db, key: int, name: str = "v1", verdict: str = "accept") -> None:
    add_verdict(db, key, verdict=verdict, person="ann", id=name, at_revision=0)  # type: ignore[arg-type]


def test_acceptance_reopening_and_release_are_told_without_a_text_of_the_table(
    db: Db, parts: int, receiver: Receiver
) -> None:
    add_webhook(db, receiver.url, by="ann")
    accept(db, parts)
    make_release(db, project="default", name="2026-12", person="ann")
    accept(db, parts, "v2", "reopen")
    assert deliver(db) == (3, 0)
    assert [event["event"] for event in receiver.events] == ["accept", "release", "reopen"]
    first = receiver.events[0]
    assert (first["table"], first["revision"], first["document"]["name"]) == (parts, 0, "parts.pdf")
    assert b"SECRET-BOLT" not in b"".join(body for _, body in receiver.came)
    assert deliver(db) == (0, 0), "something was sent twice"


def test_the_signature_is_that_of_the_secret_over_time_and_body(db: Db, parts: int, receiver: Receiver) -> None:
    _, secret = add_webhook(db, receiver.url, by="ann")
    accept(db, parts)
    deliver(db)
    [(headers, body)] = receiver.came
    at, told = (part.split("=", 1)[1] for part in headers["Proofgrid-Signature"].split(","))
    assert told == hmac.new(secret.encode(), f"{at}.".encode() + body, sha256).hexdigest()
    assert headers["Proofgrid-Delivery"] == json.loads(body)["id"]


@pytest.mark.parametrize("status", [302, 404, 500])
def test_what_did_not_arrive_waits_and_is_sent_again_as_it_was(
    db: Db, parts: int, receiver: Receiver, status: int
) -> None:
    add_webhook(db, receiver.url, by="ann")
    accept(db, parts)
    receiver.status = status
    assert deliver(db) == (0, 1)
    [told] = known(db)
    assert (told.waiting, told.failed) == (1, 0)
    assert f"status {status}" in told.last_error
    assert deliver(db) == (0, 0), "it was tried again at once"
    receiver.status = 204
    later(db)
    assert deliver(db) == (1, 0)
    assert len({body for _, body in receiver.came}) == 1
    assert len(receiver.came) == 2, "a redirect was followed"


def test_nobody_there_is_no_fault_and_after_many_attempts_it_is_given_up(db: Db, parts: int) -> None:
    with receiving() as gone:
        pass
    add_webhook(db, gone.url, by="ann")
    accept(db, parts)
    for _ in range(MOST_ATTEMPTS):
        assert deliver(db) == (0, 1)
        later(db)
    assert deliver(db) == (0, 0)
    [told] = known(db)
    assert (told.waiting, told.failed) == (0, 1)


def test_only_the_events_and_the_project_that_were_asked_for_are_told(db: Db, parts: int, receiver: Receiver) -> None:
    add_webhook(db, receiver.url, events=["release"], by="ann")
    add_webhook(db, receiver.url, project="another", by="ann")
    accept(db, parts)
    assert deliver(db) == (0, 0)
    make_release(db, project="default", name="one", person="ann")
    assert deliver(db) == (1, 0)


def test_a_removed_address_is_told_no_more_not_even_what_waited(db: Db, parts: int, receiver: Receiver) -> None:
    made, _ = add_webhook(db, receiver.url, by="ann")
    accept(db, parts)
    remove_webhook(db, made.id, by="ann")
    accept(db, parts, "v2", "reopen")
    assert deliver(db) == (0, 0)
    assert known(db) == ()


def test_a_verdict_that_is_taken_back_is_not_told(db: Db, parts: int, receiver: Receiver) -> None:
    add_webhook(db, receiver.url, by="ann")
    with pytest.raises(KeyboardInterrupt), db.write():
        accept(db, parts)
        raise KeyboardInterrupt
    assert deliver(db) == (0, 0)


@pytest.mark.parametrize(
    "url",
    [
        "ftp://example.org",
        "example.org/hook",
        "http://",
        "https://ann:secret@example.org/",
        "http://a\nb/",
        "https://[::1",
    ],
)
def test_an_address_that_is_none_is_refused(db: Db, url: str) -> None:
    with pytest.raises(StoreError):
        add_webhook(db, url, by="ann")


def known(db: Db) -> tuple[Webhook, ...]:
    with db.read() as reader:
        return webhooks(reader)


def later(db: Db) -> None:
    """The clock of what waits, put forward."""
    with db.write() as writer:
        writer.execute("update webhook_delivery set next_at = '2026-01-01' where next_at is not null")
