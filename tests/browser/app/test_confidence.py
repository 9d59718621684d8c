"""The screen of confidence on a real server, on documents whose figures follow from tests/confident_documents.py."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from benchmarks.server import COMMAND
from tests.browser.app.served import served
from tests.confident_documents import ARABIC, confident_documents
from tests.two_runs import two_runs

if TYPE_CHECKING:
    from conftest import App

pytestmark = pytest.mark.browser


@pytest.fixture
def app(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """A server of its own for each test, as a threshold that is saved stays."""
    folder = tmp_path_factory.mktemp("confident")
    confident_documents(folder / "home")
    with served(folder) as running:
        yield running


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_recommended_threshold_is_saved_by_keyboard_and_the_queue_follows(app: App, page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.goto(app.url)
    entries = page.get_by_test_id("queue").locator("[data-gold]")
    expect(entries.first).to_contain_text("doubt-a.pdf")
    expect(entries.first).to_contain_text("4 to look at")

    page.goto(f"{app.url}/confidence")
    listed = page.get_by_test_id("confidence-fields").locator("tbody tr")
    expect(listed).to_have_count(5)
    expect(listed.first).to_contain_text(ARABIC)
    expect(listed.first.locator("td").last).to_have_text("12")
    listed.filter(has_text="price").get_by_role("link").press("Enter")
    expect(page.get_by_role("heading", name="price")).to_be_visible()
    expect(page.get_by_text("Not enough data: too few to promise 2 %")).to_be_visible()
    target = page.get_by_role("spinbutton", name="Wrong among what passes, at most %")
    target.fill("5")
    target.press("Enter")
    promise = page.get_by_test_id("confidence-promise")
    expect(promise).to_contain_text("168 of 192")
    page.get_by_role("button", name="Save 0.7, recommended").press("Enter")
    expect(listed.filter(has_text="price")).to_contain_text("0.7, recommended")
    expect(page.get_by_text("set by ann on")).to_be_visible()

    page.goto(app.url)
    expect(entries.first).to_contain_text("doubt-b.pdf")
    expect(entries.nth(1)).to_contain_text("doubt-a.pdf")
    expect(entries.nth(1)).to_contain_text("2 to look at")


def test_the_slider_shows_what_would_pass_and_a_threshold_by_hand_is_taken_back(app: App, page: Page) -> None:
    page.goto(f"{app.url}/confidence?type=lines&field=price")
    passing = page.get_by_test_id("confidence-passing")
    expect(passing).to_contain_text("288 of 384")
    typed = page.get_by_role("spinbutton", name="Threshold")
    typed.fill("0.501")
    typed.press("Enter")
    expect(passing).to_contain_text("336 of 384")
    slider = page.get_by_role("slider")
    slider.press("ArrowLeft")
    expect(passing).to_contain_text("384 of 384")
    expect(passing).to_contain_text("24")
    expect(typed).to_have_value("0.5000")
    page.get_by_role("button", name="Save 0.5, by hand").press("Enter")
    row = page.get_by_test_id("confidence-fields").locator("tbody tr").filter(has_text="price")
    expect(row).to_contain_text("0.5, by hand")
    expect(row.locator("td").last).to_have_text("24")
    page.reload()
    expect(row).to_contain_text("0.5, by hand")
    page.get_by_role("button", name="Back to default").press("Enter")
    expect(row).to_contain_text("0.8, the default")
    page.get_by_text("Decisions of this project (2)").press("Enter")
    decided = page.get_by_test_id("confidence-decisions").locator("tbody tr")
    expect(decided).to_contain_text(["default", "0.5"])


def test_what_cannot_be_told_is_told_in_words(app: App, page: Page) -> None:
    page.goto(f"{app.url}/confidence?type=lines&field=article")
    expect(page.get_by_text("The extractor gave no confidence for this field")).to_be_visible()
    page.goto(f"{app.url}/confidence?type=lines&field=quantity")
    expect(page.get_by_text("Every cell has the confidence 0.9")).to_be_visible()
    expect(page.get_by_text("No cell is wrong, so there is nothing to find.", exact=True)).to_be_visible()


def test_a_threshold_from_the_command_line_is_on_the_screen_and_a_stale_one_says_so(app: App, page: Page) -> None:
    words = ["thresholds", "set", "0.98", "--field", ARABIC, "--home", str(app.home), "--json"]
    done = subprocess.run([*COMMAND, *words], capture_output=True, check=True)
    assert json.loads(done.stdout)["tau"] == 0.98
    page.goto(f"{app.url}/confidence?type=lines&field={ARABIC}")
    row = page.get_by_test_id("confidence-fields").locator("tbody tr").filter(has_text=ARABIC)
    expect(row).to_contain_text("0.98, by hand")
    expect(row.locator("td").last).to_have_text("0")
    page.goto(f"{app.url}/review?table=1")
    page.get_by_role("button", name="Reopen").click()
    page.goto(f"{app.url}/confidence?type=lines&field={ARABIC}")
    expect(page.get_by_text("The threshold 0.98 is stale")).to_be_visible()


def test_where_nothing_is_accepted_the_screen_says_what_to_do(
    chromium: Browser, page: Page, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("open")
    two_runs(folder / "home", accepted=False)
    with served(folder) as running:
        page.goto(f"{running.url}/confidence")
        expect(page.get_by_text("No table of this project has been accepted yet")).to_be_visible()
        page.get_by_role("link", name="Open the queue").press("Enter")
        expect(page.get_by_test_id("queue")).to_be_visible()


def test_what_is_saved_is_what_the_button_said_though_somebody_else_saved_meanwhile(
    app: App, page: Page, context: BrowserContext
) -> None:
    other = context.new_page()
    for window, tau in ((page, "0.7"), (other, "0.6")):
        window.goto(f"{app.url}/confidence?type=lines&field=price")
        typed = window.get_by_role("spinbutton", name="Threshold")
        typed.fill(tau)
        typed.press("Enter")
        expect(window.get_by_role("button", name=f"Save {tau}, by hand")).to_be_visible()
    row = page.get_by_test_id("confidence-fields").locator("tbody tr").filter(has_text="price")
    page.get_by_role("button", name="Save 0.7, by hand").press("Enter")
    expect(row).to_contain_text("0.7, by hand")
    other.get_by_role("button", name="Save 0.6, by hand").press("Enter")
    row = other.get_by_test_id("confidence-fields").locator("tbody tr").filter(has_text="price")
    expect(row).to_contain_text("0.6, by hand")
