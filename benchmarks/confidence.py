"""Confidence of a million cells, in the store and on the screen: python -m benchmarks.confidence"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Page, expect
from streamlit.testing.v1 import AppTest

from benchmarks.figures import Figure, printed
from benchmarks.server import chromium, serving
from scoring.schema import TableType
from store import confidence_cells
from store.confidence_fields import fields, recommendation
from store.db import Db
from store.home import Home
from store.table_types import add_table_type

COLUMNS = ("article", "quantity", "unit", "price", "amount")
ROWS = 20
PROJECT = "benchmark"
SEED = 20261130


def main() -> int:
    """Print the figures; exit status 1 where a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=10_000, help="how many accepted tables of 100 cells there are")
    tables = parser.parse_args().tables
    with tempfile.TemporaryDirectory(prefix="proofgrid-benchmark-") as folder:
        home = Path(folder)
        _fill(home, tables)
        found = [*_store(home, tables * ROWS * len(COLUMNS)), *_script(home), *_browser(home)]
    return 0 if printed(found) else 1


def _fill(home: Path, tables: int) -> None:
    """Accepted tables without a body, and their cells as if they had been scored."""
    db = Db(Home(home).database)
    add_table_type(
        db, TableType.from_json({"name": "lines", "columns": [{"name": name} for name in COLUMNS]}), project=PROJECT
    )
    with db.write() as writer:
        run = "insert into run (id, project, extractor, started_at) values (1, ?, 'made up', '2026-01-01')"
        writer.execute(run, (PROJECT,))
        writer.execute("insert into received values ('made up', 'made up', x'')")
        for number in range(1, tables + 1):
            day, digest = f"2026-{1 + number % 9:02}-01", hashlib.sha256(str(number).encode()).hexdigest()
            writer.execute(
                "insert into document (id, project, sha256, name, media_type, bytes, doc_type, added_at, added_by) "
                "values (?, ?, ?, ?, 'application/pdf', 1, 'order', ?, 'ann')",
                (number, PROJECT, digest, f"order-{number:05}.pdf", day),
            )
            writer.execute(
                "insert into extraction (document, run, received, format, notes, received_at, received_by) "
                "values (?, 1, 'made up', 'proofgrid', '[]', ?, 'ann')",
                (number, day),
            )
            writer.execute(
                "insert into gold (id, document, position, name, table_type, base, body, sha256, added_at, added_by) "
                "values (?, ?, 0, 'lines', 'lines', 'extraction', '', '', ?, 'ann')",
                (number, number, day),
            )
            writer.execute(
                "insert into verdict values (?, ?, 0, 'accept', '', 'ann', ?)", (f"accept-{number}", number, day)
            )
    chance = np.random.default_rng(SEED)
    # What is kept of a table is made up in place of scored; all that is kept and read is the real thing.
    confidence_cells.compare = lambda *_, **__: None  # type: ignore[assignment]
    confidence_cells._of_table = lambda _: _made_up(chance)  # type: ignore[assignment]
    with db.read() as reader:
        confidence_cells.project_cells(db, reader, project=PROJECT)
    db.close()


def _made_up(chance: np.random.Generator) -> tuple[str, bytes, bytes]:
    """A table whose confidences tell something of its errors, which come by document."""
    columns = np.tile(np.arange(len(COLUMNS)), ROWS)
    logit = 3 + 2 * chance.normal(size=len(columns)) - 0.5 * columns
    error = 1 / (1 + np.exp(logit + 0.5 * chance.normal() + 1))
    cells = np.zeros(len(columns), dtype=confidence_cells._CELL)
    cells["confidence"] = 1 / (1 + np.exp(-logit))
    cells["right"] = chance.random(len(columns)) > error
    cells["column"] = columns
    gaps = np.zeros(len(COLUMNS) + 1, dtype=confidence_cells._OMISSION)
    gaps["gold"][:-1] = ROWS
    return json.dumps([*COLUMNS, ""]), cells.tobytes(), gaps.tobytes()


def _store(home: Path, cells: int) -> list[Figure]:
    db = Db(Home(home).database)

    def timed(what: Callable[[Any], Any]) -> tuple[float, Any]:
        start = time.process_time()
        with db.read() as reader:
            made = what(reader)
        return (time.process_time() - start) * 1000, made

    loads = []
    for _ in range(5):
        db.remembered.clear()
        took, found = timed(lambda reader: confidence_cells.project_cells(db, reader, project=PROJECT))
        loads.append(took)
    first, listed = timed(lambda reader: fields(db, reader, found, project=PROJECT))
    again = []
    for _ in range(5):
        found.remembered.clear()
        again.append(timed(lambda reader: fields(db, reader, found, project=PROJECT))[0])
    whole = next(each for each in listed if not each.cells.field)
    targets = []
    for alpha in (0.01, 0.015, 0.025):
        took, _ = timed(lambda reader, alpha=alpha: recommendation(db, reader, found, whole.cells, alpha=alpha))
        targets.append(took)
    slides = [timed(lambda _, tau=tau: whole.at(tau))[0] for tau in np.linspace(0.1, 0.99, 20)]
    db.close()
    return [
        Figure(f"{cells:,} cells read from the database, CPU", loads, 1000),
        Figure("measures of all fields, the first time, CPU", [first]),
        Figure("measures of all fields, kept, CPU", again, 500),
        Figure("a target that was not asked for before, all cells, CPU", targets, 1000),
        Figure("what passes at another threshold, all cells, CPU", slides, 200),
    ]


def _script(home: Path) -> list[Figure]:
    """The processor time of the server for one showing of the screen: it tells the same on a busy machine."""
    os.environ["PROOFGRID_HOME"] = str(home)
    shown = AppTest.from_function(_screen, default_timeout=300)
    shown.query_params["type"], shown.query_params["field"] = "lines", "amount"

    def run() -> float:
        start = time.process_time()
        shown.run()
        assert not shown.exception, shown.exception
        return (time.process_time() - start) * 1000

    first = run()
    again = [run() for _ in range(5)]
    moved = []
    for tau in np.linspace(0.3, 0.9, 10):
        shown.slider[0].set_value(round(float(tau), 3))
        moved.append(run())
    return [
        Figure("screen: its script, first of a server, CPU", [first]),
        Figure("screen: its script, CPU", again, 250),
        Figure("screen: its script after a move of the slider, CPU", moved, 250),
    ]


def _screen() -> None:
    import streamlit as st

    from review_app.views import confidence

    st.session_state["screens"] = {}
    confidence.show()


def _browser(home: Path) -> list[Figure]:
    with serving(home) as url, chromium() as context:
        page = context.new_page()
        cold = _opened(page, url, "amount")
        opened = [_opened(page, url, field) for field in (*COLUMNS, "")]
        moved = [_moved(page, key) for key in ["ArrowLeft", "ArrowRight"] * 5]
    return [
        Figure("screen: address to charts painted, first of a server", [cold]),
        Figure("screen: address to charts painted", opened),
        Figure("screen: key on the slider to new numbers painted", moved),
    ]


def _opened(page: Page, url: str, field: str) -> float:
    start = time.perf_counter()
    page.goto(f"{url}/confidence?type=lines&field={field}", wait_until="commit")
    expect(page.locator(".js-plotly-plot")).to_have_count(2, timeout=60_000)
    return (time.perf_counter() - start) * 1000


def _moved(page: Page, key: str) -> float:
    passing = page.get_by_test_id("confidence-passing")
    before = passing.inner_text()
    start = time.perf_counter()
    page.get_by_role("slider").press(key)
    expect(passing).not_to_have_text(before, use_inner_text=True, timeout=60_000)
    return (time.perf_counter() - start) * 1000


if __name__ == "__main__":
    sys.exit(main())
