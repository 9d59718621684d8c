"""Milliseconds that a person waits for in large tables, in a real browser: python -m benchmarks.large_tables"""

from __future__ import annotations

import argparse
import shutil
import sqlite3
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from benchmarks import documents
from benchmarks.figures import Figure, best, printed
from benchmarks.server import chromium, imported, serving

COLUMNS, ROWS_ON_PAGE = 8, 38
OPENINGS, EDITS, STEPS = 8, 20, 28
SIZES = {200: None, 250: 250, 1250: 400}  # rows of a table, and how soon it must stand on the screen
TEXT = "417.50"


def main() -> int:
    """Print the figures; exit status 1 where a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3, help="how many times to measure; the best run counts")
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory(prefix="proofgrid-benchmark-") as folder:
        made, home = Path(folder, "documents"), Path(folder, "home")
        for rows in SIZES:
            documents.write(made, count=1, rows=rows, rows_on_page=ROWS_ON_PAGE, twice=True, start=rows)
        imported(made, home, project="benchmark")
        figures = [_run(Path(folder, f"run-{number}"), home) for number in range(runs)]
    return 0 if printed(best(figures)) else 1


def _run(folder: Path, filled: Path) -> list[Figure]:
    home = shutil.copytree(filled, folder)
    figures = []
    with serving(home) as url, chromium() as context:
        for rows, target in SIZES.items():
            page = context.new_page()
            golds = _golds(home, rows)
            page.goto(f"{url}/review?table={golds[0]}")
            _ready(page)
            cells = f"{rows * COLUMNS:,} cells"
            if target is None:
                edits = _edits(page)
                figures += [
                    Figure(f"{rows} rows: edit sent to new alignment answered", [one["answer"] for one in edits], 100),
                    Figure(f"{rows} rows: commit key to new text painted", [one["cell"] for one in edits], 32),
                ]
                continue
            opened = _openings(page, golds, Work(page))
            figures += [
                Figure(f"{cells}: answer of the server to table painted", [one["drawn"] for one in opened], target),
                Figure(f"{cells}: key to table painted", [one["opened"] for one in opened]),
                Figure(f"{cells}: work of the browser's main thread for it", [one["work"] for one in opened]),
            ]
            edits = _edits(page)
            figures += [
                Figure(f"{cells}: letter to letter painted", _letters(page), 32),
                Figure(f"{cells}: commit key to new text painted", [one["cell"] for one in edits], 32),
                Figure(f"{cells}: edit sent to new alignment answered", [one["answer"] for one in edits]),
                Figure(f"{cells}: arrow key to selection painted", _steps(page), 32),
                Figure(f"{cells}: Ctrl+End or Ctrl+Home to the other end painted", _ends(page, rows)),
            ]
            page.close()
    return figures


def _golds(home: Path, rows: int) -> list[int]:
    """The two tables of the document with so many rows."""
    connection = sqlite3.connect(f"file:{home / 'proofgrid.db'}?mode=ro", uri=True)
    sql = "select g.id from gold g join document d on d.id = g.document where d.name = ? order by g.position"
    found = [key for (key,) in connection.execute(sql, (f"order-{rows:04}.pdf",))]
    connection.close()
    return found


def _measured(page: Page, keys: str, **shows: Any) -> dict[str, float]:
    page.evaluate("what => probe.arm(what)", {"key": keys.rpartition("+")[2], "shows": shows})
    page.keyboard.press(keys)
    found: dict[str, float] = page.evaluate("probe.result()")
    return found


def _ready(page: Page) -> None:
    page.get_by_role("grid").locator("[data-row='1'][data-col='0']").wait_for()
    page.wait_for_function("probe.deep('.leaf img')?.complete")
    page.wait_for_timeout(1500)


class Work:
    """The CPU time of the page's main thread, which tells the same whatever else the machine has to do."""

    def __init__(self, page: Page) -> None:
        self._session = page.context.new_cdp_session(page)
        self._session.send("Performance.enable", {"timeDomain": "threadTicks"})
        self._last = self._total()

    def _total(self) -> float:
        metrics = {one["name"]: one["value"] for one in self._session.send("Performance.getMetrics")["metrics"]}
        return float(metrics["TaskDuration"]) * 1000

    def done(self) -> float:
        """Milliseconds since it was asked last."""
        before, self._last = self._last, self._total()
        return self._last - before


def _openings(page: Page, golds: list[int], work: Work) -> list[dict[str, float]]:
    """To and fro between the two tables of the document: neither was fetched ahead."""
    found = []
    for number in range(OPENINGS):
        there = number % 2 == 0
        work.done()
        one = _measured(page, "Alt+PageDown" if there else "Alt+PageUp", opened={"gold": golds[there]})
        page.wait_for_timeout(1500)
        found.append({**one, "work": work.done()})
    return found[2:]  # the first opening of each works out what the later ones find ready


def _edits(page: Page) -> list[dict[str, float]]:
    for key in ("Control+Home", "ArrowDown", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    found = []
    for number in range(EDITS):
        text = f"{number + 100}.50"
        page.keyboard.type(text, delay=20)
        page.wait_for_timeout(60)
        found.append(_measured(page, "Enter", cell={"row": number + 1, "col": 2, "text": text}))
    return found


def _letters(page: Page) -> list[float]:
    """Letter after letter while the edits before are still on their way."""
    found = []
    for _ in range(4):
        for at, letter in enumerate(TEXT, start=1):
            found.append(_measured(page, letter, typed={"text": TEXT[:at]})["typed"])
            page.wait_for_timeout(40)
        page.keyboard.press("Enter")
    return found


def _steps(page: Page) -> list[float]:
    page.keyboard.press("Control+Home")
    found = [_measured(page, "ArrowDown", selected={"row": row, "col": 0})["selected"] for row in range(1, STEPS + 1)]
    page.wait_for_timeout(200)
    return found


def _ends(page: Page, rows: int) -> list[float]:
    found = []
    for _ in range(3):
        found.append(_measured(page, "Control+End", selected={"row": rows, "col": COLUMNS - 1})["selected"])
        page.wait_for_timeout(300)
        found.append(_measured(page, "Control+Home", selected={"row": 0, "col": 0})["selected"])
        page.wait_for_timeout(300)
    return found


if __name__ == "__main__":
    sys.exit(main())
