"""Whether edits are ever lost, doubled or overwritten unseen, under seven mishaps: python -m benchmarks.soak_edits"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import secrets
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from playwright.async_api import Browser, Page, async_playwright, expect

from benchmarks import documents
from benchmarks.figures import machine
from benchmarks.link import Link
from benchmarks.server import CHROMIUM_ARGS, Server, chromium_path, imported, rows_of
from store import leases
from store.db import Db
from store.leases import LeaseRule

AT_ONCE, EDITS, ROWS = 10, 8, 30
SETTLES_WITHIN_MS = 120_000


@dataclass
class Run:
    """What one person typed in one run, how often they were asked about it, and what was found of it afterwards."""

    key: int
    row: int
    texts: list[str]
    asked: int = 0
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Stage:
    """A home with its server, and a browser; ``pause`` is how long a cut lasts."""

    home: Path
    server: Server
    browser: Browser
    pause: float

    async def opened(self, key: int, *, url: str = "", beside: Page | None = None) -> Page:
        """A table opened in a fresh profile, or in another tab beside a page."""
        where = beside.context if beside else await self.browser.new_context(viewport={"width": 1280, "height": 720})
        page = await where.new_page()
        await _opened(page, f"{url or self.server.url}/review?table={key}")
        return page


async def _opened(page: Page, address: str = "") -> None:
    await (page.goto(address) if address else page.reload())
    await page.locator("[data-row='1'][data-col='0']").wait_for(timeout=60_000)


async def _settled(page: Page, run: Run) -> None:
    """All is saved, also what the person had to be asked about."""
    conflict, state = page.get_by_test_id("conflict"), page.get_by_test_id("save-state")
    deadline = time.monotonic() + SETTLES_WITHIN_MS / 1000
    while time.monotonic() < deadline:
        await expect(state.or_(conflict).first).to_be_visible()
        if await conflict.is_visible():
            await _decided(page, run)
        elif await state.inner_text() == "saved":
            return
        await asyncio.sleep(0.1)
    raise TimeoutError(f"not settled: {await state.inner_text()}")


async def _decided(page: Page, run: Run) -> None:
    run.asked += 1
    await page.get_by_test_id("conflict").get_by_role("button", name="Apply all mine").click()
    await asyncio.sleep(0.3)


async def _at(page: Page, row: int, *, col: int = 0) -> None:
    for key in ("Control+Home", *["ArrowDown"] * row, *["ArrowRight"] * col):
        await page.keyboard.press(key)


async def _typed(page: Page, texts: Sequence[str], chance: random.Random, *, slowest: float = 0.15) -> None:
    for text in texts:
        await page.keyboard.type(text)
        await page.keyboard.press("Enter")
        await asyncio.sleep(chance.random() * slowest)


Scenario = Callable[[Stage, Sequence[Run], random.Random], Awaitable[None]]


async def refresh(stage: Stage, runs: Sequence[Run], chance: random.Random) -> None:
    """The page is loaded again in the middle of the work, at once after Enter or a moment later."""

    async def one(run: Run) -> None:
        page = await stage.opened(run.key)
        half = chance.randrange(1, EDITS)
        await _at(page, run.row)
        await _typed(page, run.texts[:half], chance, slowest=0.06)
        await _opened(page)
        await _at(page, run.row + half)
        await _typed(page, run.texts[half:], chance)
        await _settled(page, run)
        await page.context.close()

    await asyncio.gather(*map(one, runs))


async def closed_tab(stage: Stage, runs: Sequence[Run], chance: random.Random) -> None:
    """The tab is closed after Enter; later the table is opened again."""

    async def one(run: Run) -> None:
        page = await stage.opened(run.key)
        keeper = await page.context.new_page()
        half = chance.randrange(1, EDITS)
        await _at(page, run.row)
        await _typed(page, run.texts[:half], chance, slowest=0.06)
        await page.close(run_before_unload=True)
        page = await stage.opened(run.key, beside=keeper)
        await _at(page, run.row + half)
        await _typed(page, run.texts[half:], chance)
        await _settled(page, run)
        await page.context.close()

    await asyncio.gather(*map(one, runs))


async def killed_server(stage: Stage, runs: Sequence[Run], chance: random.Random) -> None:
    """The server is killed (SIGKILL) while people type, and comes back."""
    pages = await asyncio.gather(*(stage.opened(run.key) for run in runs))

    async def one(run: Run, page: Page) -> None:
        await _at(page, run.row)
        await _typed(page, run.texts, chance, slowest=0.6)

    async def kill() -> None:
        await asyncio.sleep(0.3 + chance.random() * 2)
        stage.server.kill()
        await asyncio.sleep(1)
        await asyncio.to_thread(stage.server.start)

    await asyncio.gather(kill(), *(one(run, page) for run, page in zip(runs, pages, strict=True)))
    await asyncio.gather(*map(_settled, pages, runs))
    await asyncio.gather(*(page.context.close() for page in pages))


async def cut_link(stage: Stage, runs: Sequence[Run], chance: random.Random) -> None:
    """The connection is cut for a while; people go on typing."""
    link = Link(stage.server.port)
    pages = await asyncio.gather(*(stage.opened(run.key, url=link.url) for run in runs))
    for run, page in zip(runs, pages, strict=True):
        await _at(page, run.row)
        await _typed(page, run.texts[:2], chance)
    link.cut()
    cut_at = time.monotonic()
    await asyncio.gather(
        *(_typed(page, run.texts[2:], chance, slowest=0.5) for run, page in zip(runs, pages, strict=True))
    )
    await asyncio.sleep(max(0, stage.pause - (time.monotonic() - cut_at)))
    link.restore()
    await asyncio.gather(*map(_settled, pages, runs))
    await asyncio.gather(*(page.context.close() for page in pages))
    link.close()


async def expired_token(stage: Stage, runs: Sequence[Run], chance: random.Random) -> None:
    """The sign-in is no longer good; people type on, then load the page again."""
    pages = await asyncio.gather(*(stage.opened(run.key) for run in runs))
    for run, page in zip(runs, pages, strict=True):
        await _at(page, run.row)
        await _typed(page, run.texts[:2], chance)
    (stage.home / "secret").write_bytes(secrets.token_bytes(32))
    for run, page in zip(runs, pages, strict=True):
        await _typed(page, run.texts[2:], chance)
        await expect(page.get_by_test_id("save-state")).not_to_have_text(re.compile("^sav"))
    await asyncio.gather(*map(_opened, pages))
    await asyncio.gather(*map(_settled, pages, runs))
    await asyncio.gather(*(page.context.close() for page in pages))


async def two_tabs(stage: Stage, runs: Sequence[Run], chance: random.Random) -> None:
    """One person types into the same rows in two tabs."""

    async def pair(run: Run, other: Run) -> None:
        page = await stage.opened(run.key)
        await _meet(page, await stage.opened(other.key, beside=page), run, other, chance)

    await asyncio.gather(*(pair(run, other) for run, other in zip(runs[::2], runs[1::2], strict=True)))


async def two_people(stage: Stage, runs: Sequence[Run], chance: random.Random) -> None:
    """Two people, each with a server of their own on the same home, type into the same rows."""
    with closing(Db(stage.home / "proofgrid.db")) as db:  # else one of them would wait for the other
        leases.set_rule(db, "soak", LeaseRule(shared=True), person="ann")
    server = Server(stage.home, stage.home / "bob.log", person="bob")
    server.start()

    async def pair(run: Run, other: Run) -> None:
        page = await stage.opened(run.key)
        await _meet(page, await stage.opened(other.key, url=server.url), run, other, chance)

    try:
        await asyncio.gather(*(pair(run, other) for run, other in zip(runs[::2], runs[1::2], strict=True)))
    finally:
        server.kill()


async def _meet(page: Page, second: Page, run: Run, other: Run, chance: random.Random) -> None:
    """Both type at the same time into the same rows; whoever is refused sees it and applies theirs again."""

    async def one(page: Page, run: Run) -> None:
        await _at(page, run.row)
        conflict = page.get_by_test_id("conflict")
        for at, text in enumerate(run.texts):
            if await conflict.is_visible():  # it is decided before the work goes on, as a person would
                await _decided(page, run)
                await _at(page, run.row + at)
            await page.keyboard.type(text)
            await page.keyboard.press("Enter")
            await asyncio.sleep(0.2 + chance.random() * 0.2)
        await _settled(page, run)

    await asyncio.gather(one(page, run), one(second, other))
    await second.context.close()
    if page.context != second.context:
        await page.context.close()


SCENARIOS: dict[str, Scenario] = {
    "refresh": refresh,
    "closed tab": closed_tab,
    "killed server": killed_server,
    "cut link": cut_link,
    "expired token": expired_token,
    "two tabs": two_tabs,
    "two people": two_people,
}


async def soak(count: int, pause: float, names: Sequence[str]) -> bool:
    """All scenarios, so many runs each; prints a line for each, and whether nothing was lost."""
    whole = True
    with tempfile.TemporaryDirectory(prefix="proofgrid-benchmark-") as folder:
        made, home = Path(folder, "documents"), Path(folder, "home")
        documents.write(made, count=AT_ONCE, rows=ROWS, rows_on_page=ROWS + 1)
        imported(made, home, project="soak")
        keys = [key for (key,) in rows_of(home, "select id from gold order by id")]
        server = Server(home, home / "server.log")
        server.start()
        try:
            async with async_playwright() as playwright:
                browser = await playwright.chromium.launch(executable_path=chromium_path(), args=list(CHROMIUM_ARGS))
                stage = Stage(home, server, browser, pause)
                print(
                    f"{'':16}{'runs':>6}{'edits':>8}{'lost':>8}{'doubled':>9}{'overwritten':>13}{'asked':>7}{'seconds':>9}"
                )
                for name in names:
                    whole = await _soaked(stage, name, count, keys) and whole
                await browser.close()
        finally:
            server.kill()
    print(f"\na cut lasts {pause:g} s; {machine()}")
    return whole


async def _soaked(stage: Stage, name: str, count: int, keys: Sequence[int]) -> bool:
    chance, started = random.Random(name), time.monotonic()
    done: list[Run] = []
    while len(done) < count:
        paired = name.startswith("two")
        many = min(AT_ONCE, count - len(done) + (count - len(done)) % 2 * paired)
        # Each run types into rows of its own; in pairs both type into the same rows of one table.
        row = 1 + chance.randrange(ROWS - EDITS)
        runs = [
            Run(
                keys[at // 2 if paired else at],
                row,
                [f"{name.replace(' ', '')[:4]}{len(done) + at}.{number}" for number in range(EDITS)],
            )
            for at in range(many)
        ]
        await SCENARIOS[name](stage, runs, chance)
        done += runs
    for run in done:
        stored = Counter(change["new"] for change in _changes(stage.home, run.key))
        run.lost = [text for text in run.texts if not stored[text]]
        run.doubled = [text for text in run.texts if stored[text] > 1]
    overwritten = sum(_overwritten(stage.home, key) for key in keys)
    lost, doubled = (sum(len(getattr(run, what)) for run in done) for what in ("lost", "doubled"))
    asked = sum(run.asked for run in done)
    figures = f"{len(done):6}{len(done) * EDITS:8}{lost:8}{doubled:9}{overwritten:13}{asked:7}"
    print(f"{name:16}{figures}{time.monotonic() - started:9.0f}", flush=True)
    # Only where two write into the same rows is there something to ask.
    return not (lost or doubled or overwritten or (asked and not name.startswith("two")))


def _changes(home: Path, key: int) -> list[dict[str, object]]:
    bodies = rows_of(home, "select body from edit where gold = ? order by revision", key)
    return [change for (body,) in bodies for change in json.loads(body).get("changes", [])]


def _overwritten(home: Path, key: int) -> int:
    """How many stored edits did not expect the value that they replaced."""
    last: dict[tuple[object, object], object] = {}
    count = 0
    for change in _changes(home, key):
        where = change["row"], change["col"]
        count += last.get(where, change["old"]) != change["old"]
        last[where] = change["new"]
    return count


def main() -> int:
    """Print the counts; exit status 1 where an edit was lost, doubled or overwritten, or a person asked for nothing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=10, help="runs of each scenario (10)")
    parser.add_argument("--seconds", type=float, default=30, help="how long a cut lasts (30)")
    parser.add_argument("--only", choices=SCENARIOS, action="append", help="only this scenario; may be repeated")
    asked = parser.parse_args()
    return 0 if asyncio.run(soak(asked.runs, asked.seconds, asked.only or list(SCENARIOS))) else 1


if __name__ == "__main__":
    sys.exit(main())
