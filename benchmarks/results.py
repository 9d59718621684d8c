"""How long the screens take to open on a large project, in a real browser: python -m benchmarks.results"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import platformdirs
from playwright.sync_api import BrowserContext

from benchmarks import large_project
from benchmarks.figures import Figure, printed
from benchmarks.server import chromium, serving
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
    return 0 if printed(list(_figures(home, chosen.screen or list(SCREENS)))) else 1


def _figures(home: Path, screens: list[str]) -> Iterator[Figure]:
    with chromium() as context:
        with serving(home) as url:  # scores that do not hold, or were never made
            for name in screens:
                yield Figure(f"{name}: for the first time", [_opened(context, url, name)])
        with serving(home) as url:
            for name in screens:
                yield Figure(f"{name}: first of a server", [_opened(context, url, name)])
                yield Figure(f"{name}", [_opened(context, url, name) for _ in range(OPENED)], TARGET_MS)
            for name in screens:
                after = []
                for _ in range(OPENED):
                    _change(home)
                    after.append(_opened(context, url, name))
                yield Figure(f"{name}: after a table was reopened and accepted", after, TARGET_MS)


def _opened(context: BrowserContext, url: str, name: str) -> float:
    """Milliseconds from the address to what the screen is opened for, painted."""
    address, wanted = SCREENS[name]
    page = context.new_page()
    page.goto(f"{url}/{address}", wait_until="commit")
    page.set_default_timeout(900_000)
    found: float = page.evaluate(_PAINTED, wanted)
    page.wait_for_timeout(500)
    page.close()
    return found


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
