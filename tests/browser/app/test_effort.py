"""The screen Effort in the real app: the numbers of the command, by keyboard, in both themes."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, Page, expect

from benchmarks.server import COMMAND
from review_app.wording import duration
from tests.browser.app.served import served
from tests.browser.app.test_accessibility import violations
from tests.measured_work import measured_work

if TYPE_CHECKING:
    from conftest import App

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def measured(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """A server on a home with measured work."""
    folder = tmp_path_factory.mktemp("measured")
    measured_work(folder / "home")
    with served(folder) as running:
        yield running


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_owner_reads_what_correcting_costs_by_keyboard(measured: App, page: Page, scheme: str) -> None:
    words = ["time", "--json", "--home", str(measured.home), "--project", "bills"]
    told = json.loads(subprocess.run([*COMMAND, *words], capture_output=True, check=True).stdout)
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.goto(f"{measured.url}/effort")
    main = page.get_by_test_id("stMain")
    expect(page.get_by_test_id("effort-tables")).to_be_visible()
    expect(main).to_contain_text(f"{duration(told['tables']['median_ms'])}")
    expect(main).to_contain_text("55 s to 2 min 15 s, n = 11")
    row = page.get_by_test_id("effort-beginnings").locator("tbody tr")
    expect(row).to_have_text("lines655 s42 s to 1 min 08 s52 min 30 s2 min 00 s to 3 min 20 s1 min 35 s63.3 %")
    expect(page.get_by_test_id("effort-cutoffs").locator("tbody tr")).to_contain_text(
        [duration(told["sensitivity"][cutoff]["median_ms"]) for cutoff in ("30000", "60000", "120000", "300000")]
    )
    expect(page.locator(".scatterlayer .points path")).to_have_count(11)
    assert violations(page) == []

    page.get_by_role("radio", name="Table type").focus()
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="Person")).to_be_checked()
    expect(page.locator(".js-plotly-plot").filter(has_text="cat, n = 5")).to_be_visible()
    expect(page.locator(".js-plotly-plot")).to_have_count(1)
    # The time of a single table is nobody's business but that of the person.
    expect(page.locator(".scatterlayer .points path")).to_have_count(0)
    page.get_by_role("tab", name="Distribution").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    people = page.get_by_test_id("effort-groups").locator("tbody tr")
    expect(people).to_contain_text(["cat52 min 30 s", "bob3too few", "ann3too few"])

    first = page.get_by_test_id("effort-tables").locator("tbody tr").first
    expect(first).to_contain_text("bill-11.pdf")
    first.get_by_role("link").press("Enter")
    expect(page.locator("[data-row='1']").first).to_be_visible()


def test_another_cut_off_is_chosen(measured: App, page: Page) -> None:
    page.goto(f"{measured.url}/effort")
    expect(page.get_by_test_id("effort-tables")).to_be_visible()
    page.get_by_role("combobox", name="A pause counts up to").click()
    page.get_by_role("option", name="30 s", exact=True).click()
    expect(page.get_by_test_id("effort-cutoffs").locator("tbody tr").first).to_contain_text(
        "30 s (this one)111 min 10 s"
    )
    tables = page.get_by_test_id("effort-tables").locator("tbody tr")
    expect(tables.filter(has_text="bill-06.pdf")).to_contain_text("1 min 00 s")


def test_a_home_without_measured_work_says_what_to_do(app: App, page: Page) -> None:
    page.goto(f"{app.url}/effort")
    expect(page.get_by_text("No work on an accepted table of this project has been measured yet.")).to_be_visible()
    page.get_by_role("link", name="Open the queue").press("Enter")
    expect(page.get_by_test_id("queue")).to_be_visible()
