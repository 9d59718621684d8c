"""The routes for regions, on a real server with the real extractor."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from importlib import util
from typing import TYPE_CHECKING

import pytest

from review_app.granting import LISTS
from store.extractors import page_by_page
from store.gold import gold_tables

if TYPE_CHECKING:
    from conftest import Server

LINES, HEAD = [0.05, 0.3, 0.95, 0.75], [0.05, 0.02, 0.95, 0.3]
pytestmark = pytest.mark.skipif(util.find_spec("img2table") is None, reason="img2table is not installed")


@pytest.fixture(autouse=True, scope="module")
def _no_worker_is_left() -> Iterator[None]:
    yield
    page_by_page.end_workers()


def stored(server: Server, table: str) -> int:
    with server.db.read() as reader:
        return next(iter(reader.query(f"select count(*) as n from {table}")))["n"]


@pytest.mark.parametrize("by", ["table", "lists"])
def test_a_region_is_read_and_its_table_taken_into_gold(server: Server, by: str) -> None:
    key = LISTS if by == "lists" else server.gold
    asked = {"gold": key, "token": server.token(gold=key), "document": 1, "page": 1, "box": LINES}
    status, answer = server.post("/api/region", asked)
    assert status == 200, answer
    assert answer["extractor"].startswith("by region, auto")
    (table,) = answer["tables"]
    assert {len(table["cells"]) > 8, table["n_rows"] > 2, table["type"]} == {True, ""}
    status, added = server.post("/api/region/table", {"gold": key, "token": asked["token"], "table": table["table"]})
    assert (status, added["name"]) == (200, "Drawn on page 1")
    status, opened = server.get(f"/api/table/{added['gold']}", added["token"])
    assert (status, opened["first"]) == (200, None)
    assert [one["name"] for one in opened["tables"]] == ["parts", "Drawn on page 1"]


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ({"box": [0.5, 0, 0.5, 1]}, "expected x0 < x1 and y0 < y1 as fractions 0 to 1 of the page"),
        ({"box": [0, 0, 1]}, "expected document and page (whole numbers) and box (four fractions of the page)"),
        ({"page": "1"}, "expected document and page (whole numbers)"),
        ({"page": 7}, "page 7 of a document of 1 pages"),
        ({"document": 2}, "the token is of a table of another document"),
        ({"box": [0, 0.97, 0.02, 1]}, "there is no text in the region"),
    ],
)
def test_a_region_that_cannot_be_read_is_refused_in_words(
    server: Server, part: dict[str, object], message: str
) -> None:
    before = stored(server, "extraction")
    status, answer = server.post("/api/region", {"document": 1, "page": 1, "box": LINES, **part})
    assert status in (404, 422)
    assert message in answer["message"]
    assert stored(server, "extraction") == before


def test_of_a_region_that_nobody_waits_for_any_more_nothing_is_stored(server: Server) -> None:
    body = json.dumps({"gold": server.gold, "token": server.token(), "document": 1, "page": 1, "box": LINES}).encode()
    host, port = server.url.removeprefix("http://").split(":")
    # Once by a client that waits, so that the engine is loaded and the answer below is soon there.
    assert server.post("/api/region", {"document": 1, "page": 1, "box": HEAD})[0] == 200
    before = stored(server, "extraction")
    with socket.create_connection((host, int(port))) as client:
        start = f"POST /api/region HTTP/1.1\r\nHost: {host}\r\nContent-Length: {len(body)}\r\n\r\n"
        client.sendall(start.encode() + body)
        time.sleep(0.1)
    # The next question is answered after the first one: there is one worker.
    assert server.post("/api/region", {"document": 1, "page": 1, "box": HEAD})[0] == 200
    assert stored(server, "extraction") == before
    with server.db.read() as reader:
        assert len(gold_tables(reader, 1)) == 1
