from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, Page, expect

from benchmarks.server import COMMAND
from tests.browser.app.served import served
from tests.six_documents import six_documents

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
    page.get_by_role("button", name="Show all").press("Enter")
    expect(summary.locator("tbody tr")).to_have_count(6)


def test_causes_lead_to_their_documents_and_failures_to_their_reasons(hand: App, page: Page) -> None:
    page.goto(f"{hand.url}/results")
    expect(page.get_by_test_id("results-cause-documents")).to_contain_text("no-answer.pdf")
    expect(page.get_by_test_id("results-failed")).to_contain_text("cut off after 3 bytes")
