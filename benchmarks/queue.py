"""The queue and the strip of a large home, in a real browser: python -m benchmarks.queue"""

from __future__ import annotations

import argparse
import hashlib
import random
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Page

from benchmarks import documents
from benchmarks.figures import Figure, printed
from benchmarks.server import chromium, imported, serving
from store.db import Db
from store.home import Home
from store.queue import Filter, listing
from store.strips import Scope, strip

KEYS = 40
WORDS = ("order-0", "flask", "order-12", "0.6", "confidence")


def main() -> int:
    """Print the figures; exit status 1 where a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=10_000, help="how many tables the queue has")
    count = parser.parse_args().tables
    with tempfile.TemporaryDirectory(prefix="proofgrid-benchmark-") as folder:
        made, home = Path(folder, "documents"), Path(folder, "home")
        documents.write(made, count=20, rows=12, rows_on_page=13)
        imported(made, home, project="benchmark")
        _multiply(home, count)
        found = [*_store(home), *_browser(home)]
    return 0 if printed(found) else 1


def _multiply(home: Path, count: int) -> None:
    """Copies of the imported documents under other names and hashes, until there are so many tables."""
    db = Db(Home(home).database)
    with db.write() as writer:
        originals = list(writer.query("select * from gold order by id"))
        for number in range(len(originals), count):
            original = originals[number % len(originals)]
            name = f"order-{number:05}.pdf"
            digest = hashlib.sha256(name.encode()).hexdigest()
            old = original["document"]
            writer.execute(
                "insert into document (project, sha256, name, media_type, bytes, added_at, added_by) "
                "select project, ?, ?, media_type, bytes, added_at, added_by from document where id = ?",
                (digest, name, old),
            )
            key = writer.execute("select last_insert_rowid()").fetchone()[0]
            writer.execute("insert into page select ?, number, width, height from page where document = ?", (key, old))
            writer.execute(
                "insert into extraction (document, run, received, format, notes, received_at, received_by) "
                "select ?, run, received, format, notes, received_at, received_by from extraction where document = ?",
                (key, old),
            )
            extraction = writer.execute("select last_insert_rowid()").fetchone()[0]
            writer.execute(
                "insert into extracted_table (extraction, position, name, body, sha256, notes) select ?, position, "
                "name, body, sha256, notes from extracted_table where extraction in (select id from extraction "
                "where document = ?)",
                (extraction, old),
            )
            copied = {**original, "document": key, "extracted_table": None}
            del copied["id"]
            writer.table("gold").insert(copied)
    db.close()


def _store(home: Path) -> list[Figure]:
    db = Db(Home(home).database)

    def timed(*filters: Filter) -> list[float]:
        found = []
        for chosen in filters:
            start = time.perf_counter()
            with db.read() as reader:
                listing(db, reader, chosen)
            found.append((time.perf_counter() - start) * 1000)
        return found

    derived = timed(Filter())
    db.remembered.clear()
    again = timed(Filter())
    searches = timed(*(Filter(words=word) for word in WORDS * 4))
    start = time.perf_counter()
    with db.read() as reader:
        shown = strip(db, reader, Scope("benchmark", "line_items", "unit_price"))
    whole = (time.perf_counter() - start) * 1000
    db.close()
    return [
        Figure("queue: derived for all tables, once, at the import", derived),
        Figure("queue: first listing of a server", again, 1500),
        Figure("queue: listing under a search", searches, 100),
        Figure(f"strip: the oddest of {len(shown.lines) + shown.more:,} cells of one column", [whole]),
    ]


def _browser(home: Path) -> list[Figure]:
    with serving(home) as url, chromium() as context:
        page = context.new_page()
        _opened(page, url)
        opened = [_opened(page, f"{url}/?order={order}") for order in ("risk", "document", "age") * 3]
        moved = [_pressed(page, key) for key in random.Random(1).choices(["ArrowDown", "PageDown", "ArrowUp"], k=KEYS)]
        page.keyboard.press("/")
        typed = [_searched(page, sign) for sign in "order-0123"]
    return [
        Figure("queue: rows painted after the address was opened", opened),
        Figure("queue: arrow or page key to painted", moved, 32),
        Figure("queue: key in the search to the new list painted", typed, 500),
    ]


FIND = """const find = (selector, root = document) => root.querySelector(selector)
    ?? [...root.querySelectorAll("*")].map((one) => one.shadowRoot && find(selector, one.shadowRoot)).find(Boolean);"""


def _opened(page: Page, address: str) -> float:
    page.goto(address, wait_until="commit")
    found: float = page.evaluate(
        f"""async () => {{ {FIND}
        while (!find(".queue-row[data-gold]")?.offsetParent) await new Promise(requestAnimationFrame);
        return performance.now(); }}"""
    )
    page.wait_for_timeout(800)
    return found


def _pressed(page: Page, key: str) -> float:
    page.evaluate(
        f"""() => {{ {FIND}
        const list = find(".queue-list");
        const painted = (then) => requestAnimationFrame(() => {{
            const {{ port1, port2 }} = new MessageChannel();
            port1.onmessage = then;
            port2.postMessage(0);
        }});
        window.pressed = new Promise((resolve) => list.addEventListener("keydown",
            (event) => painted(() => resolve(performance.now() - event.timeStamp)),
            {{ once: true, capture: true }})); }}"""
    )
    page.keyboard.press(key)
    found: float = page.evaluate("window.pressed")
    page.wait_for_timeout(60)
    return found


def _searched(page: Page, sign: str) -> float:
    page.evaluate(
        f"""() => {{ {FIND}
        const screen = find("[data-testid=queue-screen]");
        window.searched = new Promise((resolve) => screen.addEventListener("keydown", (event) => {{
            const told = () => requestAnimationFrame(() => resolve(performance.now() - event.timeStamp));
            new MutationObserver((_, watch) => {{ watch.disconnect(); told(); }})
                .observe(find(".queue-chips"), {{ childList: true }});
        }}, {{ once: true, capture: true }})); }}"""
    )
    page.keyboard.press(sign)
    found: float = page.evaluate("window.searched")
    page.wait_for_timeout(100)
    return found


if __name__ == "__main__":
    sys.exit(main())
