"""How long the screens take to open on a large project, in a real browser: python -m benchmarks.results"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import platformdirs
from playwright.sync_api import BrowserContext

from benchmarks import large_project
from benchmarks.figures import Figure, printed
from benchmarks.server import Server, chromium
from store.db import Db
from store.home import Home
from store.reviews import add_verdict

OPENED = 5
TARGET_MS = 1000
# What is waited for on each screen: that which it was opened for.
SCREENS = {
    "Results": ("results", "[data-testid=results-summary]"),
    "Results of a part": ("results?part=condition&value=scan", "[data-testid=results-summary]"),
    "Compare, two runs": ("compare", "[data-testid=compare-headline]"),
    "Queue": ("", ".queue-row[data-gold]"),
    "Document": ("document?document=7", "[data-testid=differences]"),
    "Strip": ("strip", ".strip-row, [data-testid=strip-screen]"),
    "Import": ("import", "[data-testid=stFileUploader]"),
}
_PAINTED = """async (wanted) => {
    const find = (root) => root.querySelector(wanted)
        ?? [...root.querySelectorAll("*")].map((one) => one.shadowRoot && find(one.shadowRoot)).find(Boolean);
    while (!find(document)?.getClientRects().length) await new Promise(requestAnimationFrame);
    await new Promise((then) => requestAnimationFrame(() => setTimeout(then)));
    return performance.now(); }"""


def main() -> int:
    """Print the figures; exit status 1 where a screen takes longer than the target."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=large_project.DOCUMENTS)
    parser.add_argument("--folder", type=Path, default=Path(platformdirs.user_cache_dir("proofgrid-benchmarks")))
    parser.add_argument("--screen", action="append", choices=list(SCREENS), help="only this one")
    chosen = parser.parse_args()
    home = large_project.make(chosen.folder, count=chosen.documents)
    found = []
    for figure in _figures(home, chosen.screen or list(SCREENS)):
        found.append(figure)
        print("  ".join(figure.row), flush=True)
    return 0 if printed(found) else 1


def _figures(home: Path, screens: list[str]) -> Iterator[Figure]:
    server = Server(home, home / "server.log", person="benchmark")
    server.start()
    try:
        with chromium() as context:
            for name in screens:
                # In a server that has just been started, where nothing holds what is kept.
                yield from _opened(context, server, name, f"{name}: first of a server", 1)
                yield from _opened(context, server, name, name, OPENED, TARGET_MS)
            for name in screens:
                words = f"{name}: a table was reopened and accepted"
                yield from _opened(context, server, name, words, OPENED, TARGET_MS, meanwhile=lambda: _change(home))
    finally:
        server.kill()


def _opened(
    context: BrowserContext,
    server: Server,
    name: str,
    words: str,
    times: int,
    target: float | None = None,
    meanwhile: Callable[[], object] = lambda: None,
) -> Iterator[Figure]:
    """From the address to what the screen is opened for, painted; and the processor time of the server for it."""
    address, wanted = SCREENS[name]
    painted, worked = [], []
    for _ in range(times):
        meanwhile()
        before = _processor_ms(server)
        page = context.new_page()
        page.set_default_timeout(900_000)
        page.goto(f"{server.url}/{address}", wait_until="commit")
        painted.append(page.evaluate(_PAINTED, wanted))
        page.wait_for_timeout(300)
        worked.append(_processor_ms(server) - before)
        page.close()
    yield Figure(words, painted, target)
    yield Figure(f"{words}, processor time of the server", worked)


def _processor_ms(server: Server) -> float:
    """The processor time of the server and of what it started, so far (Linux; elsewhere 0)."""
    assert server.process is not None
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parts = stat.read_text().rsplit(")", 1)[1].split()
            if int(parts[2]) == server.process.pid:
                ticks += int(parts[11]) + int(parts[12])
    return 1000 * ticks / os.sysconf("SC_CLK_TCK")


def _change(home: Path) -> None:
    """What another person does meanwhile."""
    db = Db(Home(home).database)
    with db.read() as reader:
        (key, revision), *_ = reader.execute(
            "select gold, revision from verdict where verdict = 'accept' order by random() limit 1"
        )
    for verdict in ("reopen", "accept"):
        name = f"{verdict}-{key}-{time.time_ns()}"
        add_verdict(db, key, verdict=verdict, person="ann", id=name, at_revision=revision)  # type: ignore[arg-type]
    db.close()


if __name__ == "__main__":
    sys.exit(main())
