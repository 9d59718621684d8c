from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, Page, expect

from benchmarks.server import COMMAND
from tests.browser.app.served import served
from tests.browser.app.waiting import at_rest
from tests.six_documents import six_documents
from tests.two_runs import two_runs

if TYPE_CHECKING:
    from conftest import App

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def hand(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """A server on the six documents whose figures are known."""
    folder = tmp_path_factory.mktemp("hand")
    six_documents(folder / "home")
    with served(folder) as running:
        yield running


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_owner_walks_from_the_headline_to_the_wrong_cell_and_back_and_the_numbers_agree(
    hand: App, page: Page, scheme: str
) -> None:
    done = subprocess.run([*COMMAND, "score", "--json", "--home", str(hand.home)], capture_output=True, check=True)
    told = json.loads(done.stdout)
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.goto(f"{hand.url}/results")
    main = page.get_by_test_id("stMain")
    expect(page.get_by_test_id("results-summary")).to_be_visible()
    rate = told["corpus"]["pass_rate"]
    expect(main).to_contain_text(f"{rate['count']} of {rate['of']}")
    expect(main).to_contain_text(f"{100 * told['metrics']['cell_f1']:.1f} %")

    page.evaluate("window.started = 'once'")
    parts = page.get_by_test_id("results-by-document_type")
    page.get_by_role("tab", name="Document type").click()
    expect(parts.locator("tbody tr")).to_have_count(2)
    parts.get_by_role("link", name="invoice").press("Enter")
    invoices = told["corpus"]["by"]["document_type"]["invoice"]
    expect(main).to_contain_text("Only document type invoice")
    expect(main).to_contain_text(f"{100 * invoices['zero']['micro']['exact']['f1']:.1f} %")
    summary = page.get_by_test_id("results-summary")
    expect(summary.locator("tbody tr")).to_have_count(3)

    page.get_by_role("textbox", name="Search documents and reasons").fill("wrong-value")
    page.keyboard.press("Enter")
    expect(summary.locator("tbody tr")).to_have_count(1)
    [document] = [entry for entry in told["documents"] if entry["document"] == "wrong-value.pdf"]
    exact = document["tables"][0]["report"]["cells"]["exact"]
    expect(summary).to_contain_text(f"{exact['matched']:g} of {exact['expected']}")
    summary.get_by_role("link", name="wrong-value.pdf").press("Enter")
    expect(page.get_by_test_id("differences")).to_contain_text("7.20")
    page.go_back()
    expect(main).to_contain_text("Only document type invoice")
    assert page.evaluate("window.started") == "once", "the app was started anew on the way"
    page.get_by_role("button", name="Show all").press("Enter")
    expect(summary.locator("tbody tr")).to_have_count(6)


def test_causes_lead_to_their_documents_and_failures_to_their_reasons(hand: App, page: Page) -> None:
    page.goto(f"{hand.url}/results")
    expect(page.get_by_test_id("results-cause-documents")).to_contain_text("no-answer.pdf")
    expect(page.get_by_test_id("results-failed")).to_contain_text("cut off after 3 bytes")


@pytest.fixture(scope="module")
def runs(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """A server on a home in which run 2 has another answer for each document than run 1."""
    folder = tmp_path_factory.mktemp("runs")
    two_runs(folder / "home")
    with served(folder) as running:
        yield running


def test_the_run_that_was_chosen_stands_in_the_address_and_back_undoes_the_choice(runs: App, page: Page) -> None:
    page.goto(f"{runs.url}/results")
    run = page.get_by_role("combobox", name="Run")
    figure = page.get_by_test_id("stMetric").first
    expect(figure).to_contain_text("12 of 24")
    at_rest(page)
    run.click()
    page.get_by_role("option", name="hasty 7", exact=True).click()
    expect(page).to_have_url(f"{runs.url}/results?project=orders&run=2")
    expect(figure).to_contain_text("1 of 24")
    page.reload()
    expect(run).to_have_value("hasty 7")
    expect(figure).to_contain_text("1 of 24")
    at_rest(page)
    page.go_back()
    expect(run).to_have_value("First extraction of each document")
    expect(figure).to_contain_text("12 of 24")


def test_a_document_shows_the_run_of_the_results_that_led_to_it_and_leads_back(runs: App, page: Page) -> None:
    asked = "run=2&part=table_type&value=lines"
    page.goto(f"{runs.url}/results?project=orders&{asked}")
    main = page.get_by_test_id("stMain")
    expect(main).to_contain_text("Only table type lines")
    page.get_by_test_id("results-summary").get_by_role("link", name="order-01.pdf").press("Enter")
    expect(page).to_have_url(f"{runs.url}/document?document=2&{asked}")
    expect(main).to_contain_text("Run 2, hasty 7")
    expect(main).to_contain_text("Fail")
    # Run 1, the first extraction, has this document right; run 2 has its prices wrong.
    expect(page.get_by_test_id("differences")).to_contain_text("91.00")
    expect(main).to_contain_text("First extraction by hasty 7")
    at_rest(page)
    main.get_by_role("link", name="Results").click()
    expect(page).to_have_url(f"{runs.url}/results?project=orders&{asked}")
    expect(main).to_contain_text("Only table type lines")
    expect(page.get_by_role("combobox", name="Run")).to_have_value("hasty 7")
