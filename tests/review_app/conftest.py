"""The routes on a real server in this process, over a home with one invoice table."""

from __future__ import annotations

import json
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from starlette.applications import Starlette

from review_app import settings
from review_app.api import ROUTES
from review_app.granting import issue_token
from scoring.table import Box, Cell, Confidence, Table
from store.db import Db
from store.documents import add_document
from store.extractions import Run, add_extraction
from store.formats import ReadTable
from store.gold import add_gold
from store.pages import PageSize

SAMPLE = Path(__file__).parents[2] / "sample_docs" / "invoice-laboratory" / "INV-2024-10583.pdf"


def first_table() -> Table:
    """Three rows as an extractor might return them: one doubtful cell, one row twice."""
    rows = [["item", "price"], ["bolt", "1.20"], ["nut", "O.40"], ["nut", "O.40"]]
    cells = [
        Cell(
            row,
            col,
            text,
            header="column" if row == 0 else "",
            box=Box(1, 0.1 + col * 0.2, 0.1 + row * 0.1, 0.2 + col * 0.2, 0.15 + row * 0.1),
            confidence=(Confidence(0.4 if text == "O.40" else 0.95, "text", "word", "acme words, lowest of 2"),),
        )
        for row, line in enumerate(rows)
        for col, text in enumerate(line)
    ]
    return Table(4, 2, tuple(cells))


@dataclass(frozen=True)
class Server:
    """A running server; ``get`` and ``post`` give status and decoded body."""

    url: str
    db: Db
    gold: int
    sha256: str

    def token(self, person: str = "ann", gold: int | None = None) -> str:
        return issue_token(person, self.gold if gold is None else gold)

    def get(self, path: str, token: str = "") -> tuple[int, Any]:
        return self.answer(urllib.request.Request(self.url + path, headers={"Authorization": f"Bearer {token}"}))

    def post(self, path: str, body: Any, **parts: Any) -> tuple[int, Any]:
        if isinstance(body, dict):
            body = json.dumps({"token": self.token(), "gold": self.gold, **body, **parts}).encode()
        return self.answer(urllib.request.Request(self.url + path, data=body, method="POST"))

    def answer(self, request: urllib.request.Request) -> tuple[int, Any]:
        try:
            with urllib.request.urlopen(request) as answer:
                raw, status, kind = answer.read(), answer.status, answer.headers["content-type"]
        except urllib.error.HTTPError as refused:
            with refused:
                raw, status, kind = refused.read(), refused.code, refused.headers["content-type"]
        return status, json.loads(raw) if kind == "application/json" else raw


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("PROOFGRID_HOME", str(tmp_path / "home"))
    settings.database.cache_clear()
    db, home = settings.database(), settings.settings().home
    document, _ = add_document(
        db,
        home,
        SAMPLE.read_bytes(),
        name=SAMPLE.name,
        media_type="application/pdf",
        pages=[PageSize(1, 595, 842)],
        person="ann",
        project="default",
    )
    extraction, _ = add_extraction(
        db,
        document.id,
        b"as received",
        file_name="first.json",
        run=Run("acme", "1"),
        format_name="json_records",
        tables=[ReadTable("parts", first_table(), ("one note",))],
        notes=[],
        person="ann",
    )
    (read,) = extraction.tables
    gold, _ = add_gold(
        db, document.id, read.table, name="parts", base="extraction", person="ann", extracted_table=read.id
    )
    running = uvicorn.Server(uvicorn.Config(Starlette(routes=ROUTES), port=0, log_level="error", ws="none"))
    thread = threading.Thread(target=running.run)
    thread.start()
    while not running.started:
        time.sleep(0.01)
    port = running.servers[0].sockets[0].getsockname()[1]
    yield Server(f"http://127.0.0.1:{port}", db, gold.id, document.sha256)
    running.should_exit = True
    thread.join()
    db.close()
    settings.database.cache_clear()


@pytest.fixture(autouse=True)
def _main_put_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit's AppTest takes the place of ``__main__``: processes that later tests spawn would run its screen."""
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
