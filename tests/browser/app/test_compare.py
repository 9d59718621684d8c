from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.app.served import served
from tests.browser.app.waiting import at_rest
from tests.two_runs import two_runs

if TYPE_CHECKING:
    from conftest import App

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def runs(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """A server on a home with two runs, one of them repeated."""
    folder = tmp_path_factory.mktemp("runs")
    two_runs(folder / "home")
    with served(folder) as running:
        yield running


def choose(page: Page, label: str, option: str) -> None:
    page.get_by_role("combobox", name=label).click()
    page.get_by_role("option", name=option, exact=True).click()


def test_a_person_walks_from_all_runs_to_the_one_cell_that_got_worse(runs: App, page: Page) -> None:
    page.goto(f"{runs.url}/compare")
    board = page.get_by_test_id("compare-runs")
    expect(board.locator("tbody tr")).to_contain_text(["steady 1", "hasty 7, 2 repeats"])
    worse = page.get_by_role("alert").get_by_role("listitem")
    expect(worse).to_contain_text(["cell F1 fell by", "field lines · price fell by"])
    expect(page.get_by_test_id("compare-headline").locator("tbody tr")).to_contain_text(
        ["cell F1", "cell precision", "cell recall", "documents passed"]
    )
    first = page.get_by_test_id("compare-documents").locator("tbody tr").first
    expect(first).to_contain_text("pass → fail")
    cells = page.get_by_test_id("compare-cells").locator("tbody tr")
    expect(cells.first).to_contain_text("Line items")
    expect(cells.first).to_contain_text("✓ ")
    cells.first.get_by_role("link").press("Enter")
    expect(page.locator("[data-row='1']").first).to_be_visible()


def test_the_two_runs_that_were_chosen_stand_in_the_address(runs: App, page: Page) -> None:
    page.goto(f"{runs.url}/compare")
    expect(page.get_by_test_id("compare-headline")).to_be_visible()
    choose(page, "Run A", "hasty 7, repeat 1 (run 2)")
    choose(page, "Run B", "hasty 7, repeat 2 (run 3)")
    expect(page).to_have_url(f"{runs.url}/compare?project=orders&a=2&b=3")
    expect(page.get_by_test_id("compare-headline")).to_contain_text("cell precision (micro)68.1 %68.1 %0.0")
    page.reload()
    expect(page.get_by_role("combobox", name="Run B")).to_have_value("hasty 7, repeat 2 (run 3)")
    choose(page, "Run B", "steady 1 (run 1)")
    expect(page).to_have_url(f"{runs.url}/compare?project=orders&a=2&b=1")
    at_rest(page)
    page.go_back()
    expect(page.get_by_role("combobox", name="Run B")).to_have_value("hasty 7, repeat 2 (run 3)")
    expect(page.get_by_test_id("compare-headline")).to_contain_text("cell precision (micro)68.1 %68.1 %0.0")


def test_a_run_that_is_not_there_is_told_and_nothing_else_is_compared(runs: App, page: Page) -> None:
    page.goto(f"{runs.url}/compare?project=orders&a=1&b=99")
    expect(page.get_by_text("Project orders has no run 99")).to_be_visible()
    at_rest(page)
    expect(page.get_by_test_id("compare-headline")).to_have_count(0)
    choose(page, "Run B", "hasty 7, repeat 2 (run 3)")
    expect(page.get_by_test_id("compare-headline")).to_be_visible()


def test_the_same_run_twice_is_told_and_not_compared(runs: App, page: Page) -> None:
    page.goto(f"{runs.url}/compare?a=1&b=1")
    expect(page.get_by_text("A and B are the same run")).to_be_visible()
    expect(page.get_by_test_id("compare-headline")).to_have_count(0)
