"""What every browser test needs: Chromium, and the component's modules on a loopback address."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, expect, sync_playwright

from benchmarks.server import CHROMIUM_ARGS

# How fast a thing comes is measured in benchmarks; here it is enough that it comes, on a busy machine, too.
expect.set_options(timeout=float(os.environ.get("PROOFGRID_PATIENCE_MS", "20000")))
FRONTEND = Path(__file__).parents[2] / "review_app" / "frontend"


@pytest.fixture(scope="session")
def chromium_path() -> str | None:
    """Where Chromium or Chrome is, or None."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)


@pytest.fixture(scope="session")
def chromium(chromium_path: str | None) -> Iterator[Browser]:
    """One Chromium for the whole run; the tests that ask for it are skipped where there is none."""
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=chromium_path, args=list(CHROMIUM_ARGS))
        except Error as missing:
            pytest.skip(f"no Chromium to drive: {str(missing).splitlines()[0]}")
        yield browser
        browser.close()


class _QuietFiles(SimpleHTTPRequestHandler):
    extensions_map = {**SimpleHTTPRequestHandler.extensions_map, ".js": "text/javascript"}  # noqa: RUF012

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_GET(self) -> None:
        if self.path != "/":
            return super().do_GET()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>modules</title>")
        return None


@pytest.fixture(scope="session")
def modules() -> Iterator[str]:
    """The address of an empty page beside the component's modules."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_QuietFiles, directory=str(FRONTEND)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/"
    server.shutdown()
    server.server_close()
    thread.join()
