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
SETTLED_MS = 800
# What is waited for on each screen: that which it was opened for.
SCREENS = {
    "Results": ("results", "[data-testid=results-summary]"),
    "Results of a part": ("results?part=condition&value=scan", "[data-testid=results-summary]"),
    "Compare, two runs": ("compare", "[data-testid=compare-headline]"),
    "Queue": ("", ".queue-row[data-gold]"),
    "Document": ("document?document=7", "[data-testid=differences]"),
    "Strip": ("strip", ".strip-row"),
    "Confidence": ("confidence", "[data-testid=stPlotlyChart]"),
    "Effort": ("effort", "[data-testid=stPlotlyChart]"),
    "Import": ("import", "[data-testid=stFileUploader]"),
}
# A person is here before each screen; it shows none of what is waited for.
ELSEWHERE = ("my_time", "[data-testid=stHeading]")
_PAINTED = """async (wanted) => {
    const find = (root) => root.querySelector(wanted)
        ?? [...root.querySelectorAll("*")].map((one) => one.shadowRoot && find(one.shadowRoot)).find(Boolean);
    while (!find(document)?.getClientRects().length) await new Promise(requestAnimationFrame);
    await new Promise((then) => requestAnimationFrame(() => setTimeout(then)));
    return performance.now(); }"""
# What the links of tables do (review_app/frontend/links.js), and what Streamlit's own navigation comes to.
_GO = """(address) => {
    window.went = performance.now();
    history.pushState(null, "", address);
    dispatchEvent(new PopStateEvent("popstate")); }"""


def main() -> int:
    """Print the figures; exit status 1 where a screen of an open app takes longer than the target."""
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
                yield from _opened(context, server, name, f"{name}: first of a server, by its address", 1)
                yield from _opened(context, server, name, f"{name}: by its address, the app started", OPENED)
            yield from _gone_to(context, server, screens, "{}: from another screen")
            words = "{}: from another screen, a table was accepted meanwhile"
            yield from _gone_to(context, server, screens, words, meanwhile=lambda: _change(home))
    finally:
        server.kill()


def _gone_to(
    context: BrowserContext,
    server: Server,
    screens: list[str],
    words: str,
    meanwhile: Callable[[], object] = lambda: None,
) -> Iterator[Figure]:
    """From a person's step to what the screen is opened for, painted, in an app that is open."""
    page = context.new_page()
    page.set_default_timeout(900_000)
    page.goto(f"{server.url}/{ELSEWHERE[0]}")
    for name in screens:
        address, wanted = SCREENS[name]
        painted = []
        for _ in range(OPENED):
            page.evaluate(_GO, f"/{ELSEWHERE[0]}")
            page.locator(ELSEWHERE[1], has_text="time").first.wait_for()
            page.wait_for_timeout(SETTLED_MS)
            meanwhile()
            page.evaluate(_GO, f"/{address}")
            painted.append(page.evaluate(_PAINTED, wanted) - page.evaluate("window.went"))
            page.wait_for_timeout(SETTLED_MS)
        yield Figure(words.format(name), painted, TARGET_MS)
    page.close()


def _opened(context: BrowserContext, server: Server, name: str, words: str, times: int) -> Iterator[Figure]:
    """From the address to what the screen is opened for, painted; and the processor time of the server for it."""
    address, wanted = SCREENS[name]
    painted, worked = [], []
    for _ in range(times):
        before = _processor_ms(server)
        page = context.new_page()
        page.set_default_timeout(900_000)
        page.goto(f"{server.url}/{address}", wait_until="commit")
        painted.append(page.evaluate(_PAINTED, wanted))
        page.wait_for_timeout(300)
        worked.append(_processor_ms(server) - before)
        page.close()
    yield Figure(words, painted)
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
