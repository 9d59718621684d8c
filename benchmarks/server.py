"""The real server as a process of its own on loopback, and Chromium with the probe in every page."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from playwright.sync_api import BrowserContext, sync_playwright

COMMAND = [str(Path(sys.executable).with_name("proofgrid"))]
CHROMIUM_ARGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
STARTS_WITHIN_S = 60


def imported(folder: Path, home: Path, *, project: str) -> float:
    """Import a folder by the command line; the seconds that it took from start to exit."""
    start = time.perf_counter()
    words = ["import", str(folder), "--home", str(home), "--project", project]
    subprocess.run([*COMMAND, *words], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


@contextmanager
def serving(home: Path) -> Iterator[str]:
    """The address of a server on a home."""
    with closing(socket.socket()) as attempt:
        attempt.bind(("127.0.0.1", 0))
        port = attempt.getsockname()[1]
    words = ["serve", "--home", str(home), "--port", str(port), "--no-open", "--person", "benchmark"]
    with (home / "server.log").open("wb") as log:
        server = subprocess.Popen([*COMMAND, *words], stdout=log, stderr=log)
    url = f"http://127.0.0.1:{port}"
    try:
        for _ in range(STARTS_WITHIN_S * 10):
            with suppress(OSError), urllib.request.urlopen(f"{url}/_stcore/health", timeout=1):
                break
            time.sleep(0.1)
        yield url
    finally:
        server.send_signal(2)  # as Ctrl+C, which ends the server's own child too
        server.wait(timeout=30)


@contextmanager
def chromium() -> Iterator[BrowserContext]:
    """A fresh profile of a headless Chromium that has the probe in every page."""
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=list(CHROMIUM_ARGS))
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        context.add_init_script(path=Path(__file__).with_name("probe.js"))
        yield context
        browser.close()
