from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, expect

if TYPE_CHECKING:
    from conftest import App

pytestmark = pytest.mark.browser

SAMPLE = next((Path(__file__).parents[3] / "sample_docs").rglob("*.pdf"))
PAGE = "<table><tr><th>item<th>qty</tr><tr><td colspan=oops>bolt<td>2</tr></table>"


def test_a_repaired_cell_says_so_beside_the_cell_and_in_the_notes(chromium: Browser, app: App, tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    shutil.copy(SAMPLE, folder / "order.pdf")
    (folder / "order.html").write_text(PAGE)
    command = [str(Path(sys.executable).parent / "proofgrid"), "import", str(folder), "--home", str(tmp_path / "home")]
    subprocess.run(command, check=True, capture_output=True)
    running = type(app)(tmp_path / "home", tmp_path / "server.log")
    running.start()
    try:
        with chromium.new_context(viewport={"width": 1280, "height": 720}) as context:
            page = context.new_page()
            page.goto(f"{running.url}/review?table=1")
            page.locator("[data-row='1'][data-col='0']").click(timeout=20_000)
            expect(page.locator(".reasons")).to_contain_text("reading repaired: has colspan='oops': taken as 1")
            expect(page.get_by_test_id("doubts")).to_have_text("1 doubt left")
            page.locator(".notes summary").click()
            expect(page.locator(".notes li")).to_have_text("row 2, column 1: has colspan='oops': taken as 1")
    finally:
        running.kill()
