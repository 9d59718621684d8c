"""The real server as a process of its own, a home filled from the samples, and a link that can be cut."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

SAMPLES = Path(__file__).parents[3] / "sample_docs"
COMMAND = [str(Path(sys.executable).parent / "proofgrid")]
STARTS_WITHIN_S = 60


def free_port() -> int:
    with closing(socket.socket()) as attempt:
        attempt.bind(("127.0.0.1", 0))
        return int(attempt.getsockname()[1])


@dataclass
class App:
    """One home with a server on it, which can be killed and started again on the same port."""

    home: Path
    log: Path
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        words = ["serve", "--home", str(self.home), "--port", str(self.port), "--no-open", "--person", "ann"]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen([*COMMAND, *words], stdout=log, stderr=log, start_new_session=True)
        for _ in range(STARTS_WITHIN_S * 10):
            with suppress(OSError), urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=1):
                return
            assert self.process.poll() is None, self.log.read_text()
            time.sleep(0.1)
        raise AssertionError(f"the server did not come up:\n{self.log.read_text()}")

    def kill(self) -> None:
        assert self.process is not None
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


class Link:
    """A relay on loopback in front of a server, whose connections can be cut and let through again."""

    def __init__(self, to_port: int) -> None:
        self._to = to_port
        self._is_up = True
        self._open: set[socket.socket] = set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        self._is_up = False
        for end in list(self._open):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        self._open.clear()

    def restore(self) -> None:
        self._is_up = True

    def close(self) -> None:
        self._listener.close()
        self.cut()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            if not self._is_up:
                near.close()
                continue
            try:
                far = socket.create_connection(("127.0.0.1", self._to))
            except OSError:
                near.close()
                continue
            self._open |= {near, far}
            for source, target in ((near, far), (far, near)):
                threading.Thread(target=self._pump, args=(source, target), daemon=True).start()

    def _pump(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while some := source.recv(65536):
                target.sendall(some)
        for end in (source, target):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
            self._open.discard(end)


@pytest.fixture(scope="session")
def sample_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home into which all samples were imported by the command line; copy it, do not change it."""
    home = tmp_path_factory.mktemp("samples") / "home"
    words = ["import", str(SAMPLES), "--home", str(home), "--project", "samples"]
    done = subprocess.run([*COMMAND, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return home


@pytest.fixture(scope="module")
def app(chromium: Browser, sample_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """A server on a copy of the sample home, one per test module."""
    folder = tmp_path_factory.mktemp("app")
    shutil.copytree(sample_home, folder / "home")
    running = App(folder / "home", folder / "server.log")
    running.start()
    yield running
    running.kill()
    assert "Traceback" not in running.log.read_text(), running.log.read_text()


@pytest.fixture
def link(app: App) -> Iterator[Link]:
    relay = Link(app.port)
    yield relay
    relay.close()


@pytest.fixture
def context(chromium: Browser) -> Iterator[BrowserContext]:
    """A fresh browser profile at the smallest screen that is promised to work."""
    fresh = chromium.new_context(viewport={"width": 1280, "height": 720})
    yield fresh
    fresh.close()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()
