"""The real server as a process of its own on loopback, and Chromium with the probe in every page."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

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


def free_port() -> int:
    """A port of loopback that nobody listens on."""
    with closing(socket.socket()) as attempt:
        attempt.bind(("127.0.0.1", 0))
        return int(attempt.getsockname()[1])


def answers(url: str) -> bool:
    """Whether a Streamlit server answers there."""
    with suppress(OSError), urllib.request.urlopen(f"{url}/_stcore/health", timeout=1):
        return True
    return False


def wait_for(url: str) -> None:
    """Until a Streamlit server answers, at most STARTS_WITHIN_S."""
    for _ in range(STARTS_WITHIN_S * 10):
        if answers(url):
            return
        time.sleep(0.1)


@dataclass
class Server:
    """A server on a home, which can be killed and started again on the same port."""

    home: Path
    log: Path
    person: str = "ann"
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        words = ["serve", "--home", str(self.home), "--port", str(self.port), "--no-open", "--person", self.person]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen([*COMMAND, *words], stdout=log, stderr=log, start_new_session=True)
        for _ in range(STARTS_WITHIN_S * 10):
            if answers(self.url):
                return
            assert self.process.poll() is None, self.log.read_text()
            time.sleep(0.1)
        raise AssertionError(f"the server did not come up:\n{self.log.read_text()}")

    def kill(self) -> None:
        """End it at once, without a word to it (SIGKILL)."""
        assert self.process is not None
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


@contextmanager
def serving(home: Path) -> Iterator[str]:
    """The address of a server on a home."""
    server = Server(home, home / "server.log", person="benchmark")
    server.start()
    try:
        yield server.url
    finally:
        server.kill()


def rows_of(home: Path, sql: str, *values: Any) -> list[Any]:
    """What the database of a home answers, read beside its server."""
    with closing(sqlite3.connect(f"file:{home / 'proofgrid.db'}?mode=ro", uri=True)) as connection:
        return connection.execute(sql, values).fetchall()


def chromium_path() -> str | None:
    """Where Chromium or Chrome is, or None."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)


@contextmanager
def chromium() -> Iterator[BrowserContext]:
    """A fresh profile of a headless Chromium that has the probe in every page."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=list(CHROMIUM_ARGS))
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        context.add_init_script(path=Path(__file__).with_name("probe.js"))
        yield context
        browser.close()
