"""Take the screenshots of README and docs from the running app: ``PYTHONPATH=. python docs/screenshots.py``.

Those of the review show the sample documents, those for product owners a generated project of 240 documents.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

from benchmarks import large_project

HERE = Path(__file__).parent
PROOFGRID = Path(sys.executable).parent / "proofgrid"
PORT = 8999
URL = f"http://127.0.0.1:{PORT}"
SIZE = {"width": 1280, "height": 720}
STARTS_WITHIN_S = 60
# The file of each picture, the address, what is waited for, and the height in pixels.
VIEWS = {
    "results": ("results", "results-summary", 720),
    "document": ("document?document=10", "differences", 720),
    "confidence": ("confidence", "stMetric", 1840),
    "effort": ("effort", "stPlotlyChart", 900),
    "compare": ("compare", "compare-headline", 1440),
}


def main() -> None:
    """Serve both projects and photograph each screen."""
    with tempfile.TemporaryDirectory() as folder:
        samples = Path(folder, "samples")
        words = ["--project", "samples", "--home", str(samples)]
        subprocess.run([PROOFGRID, "import", HERE.parent / "sample_docs", *words], check=True)
        with _browser(samples) as browser:
            _photograph_review(browser)
        with _browser(large_project.make(Path(folder), count=240)) as browser:
            _photograph_results(browser)


@contextmanager
def _browser(home: Path) -> Iterator[Browser]:
    """A browser beside the running app on a home."""
    words = ["serve", "--no-open", "--port", str(PORT), "--person", "ann", "--home", str(home)]
    server = subprocess.Popen([PROOFGRID, *words])
    try:
        _wait()
        with sync_playwright() as playwright:
            path = next(filter(None, map(shutil.which, ("chromium", "google-chrome"))), None)
            browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--headless=new"])
            yield browser
            browser.close()
    finally:
        server.terminate()
        server.wait()


def _photograph_results(browser: Browser) -> None:
    """The five views of product owners, each as far down as it tells something."""
    for screen, (address, shown, height) in VIEWS.items():
        size = {"width": SIZE["width"], "height": height}
        page = browser.new_context(viewport=size, color_scheme="light", device_scale_factor=1.5).new_page()
        page.goto(f"{URL}/{address}")
        expect(page.get_by_test_id(shown).first).to_be_visible(timeout=60_000)
        page.wait_for_timeout(4000)
        page.screenshot(path=HERE / f"{screen}.png")
        page.context.close()


def _photograph_review(browser: Browser) -> None:
    light = browser.new_context(viewport=SIZE, color_scheme="light", device_scale_factor=1.5).new_page()
    dark = browser.new_context(viewport=SIZE, color_scheme="dark", device_scale_factor=1.5).new_page()
    _open(light, "INV-2024-10583 line", "BF-O2O58")
    _press(light, "Control+Home", *["ArrowDown"] * 3, *["ArrowRight"] * 4)
    light.keyboard.type("9.45")
    _press(light, "Enter", "Alt+ArrowDown")
    light.wait_for_timeout(800)
    light.screenshot(path=HERE / "review-light.png")
    _open(dark, "Scan_20241021", "Unit")
    _press(dark, "Alt+ArrowDown")
    dark.wait_for_timeout(800)
    dark.screenshot(path=HERE / "review-dark.png")
    _open(light, "price-list", "BRISTOL", accepted=True)
    _press(light, *["ArrowDown"] * 7)
    light.wait_for_timeout(800)
    light.screenshot(path=HERE / "review-arabic.png")
    light.goto(URL)
    expect(light.get_by_test_id("queue")).to_contain_text("INV-2024-10583")
    light.wait_for_timeout(800)
    light.screenshot(path=HERE / "queue.png")


def _open(page: Page, search: str, shows: str, *, accepted: bool = False) -> None:
    page.goto(URL)
    expect(page.get_by_test_id("queue").get_by_role("option").first).to_be_focused()
    _press(page, *(["5"] if accepted else []), "/")
    page.keyboard.type(search)
    _press(page, "Enter")
    expect(page.get_by_role("grid")).to_contain_text(shows)
    expect(page.get_by_test_id("save-state")).to_have_text("saved")
    page.wait_for_timeout(1000)


def _press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def _wait() -> None:
    for _ in range(STARTS_WITHIN_S * 5):
        with suppress(OSError), urllib.request.urlopen(f"{URL}/_stcore/health", timeout=1):
            return
        time.sleep(0.2)
    raise TimeoutError(f"the server did not come up at {URL}")


if __name__ == "__main__":
    main()
