"""PDFs without an extraction, from the Import screen to the review: extracted here, refused with a reason, unlocked."""

from __future__ import annotations

from importlib import util
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app.waiting import at_rest

if TYPE_CHECKING:
    from conftest import App

ROOT = Path(__file__).parents[3]
LONG_MS = 120_000
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(util.find_spec("img2table") is None, reason="img2table is not installed"),
]


def test_pdfs_alone_are_imported_unlocked_extracted_and_reviewed(app: App, page: Page) -> None:
    samples, hazards = ROOT / "sample_docs", ROOT / "tests" / "store" / "hazards"
    files = [
        *(samples / "invoice-printer").glob("*.pdf"),
        *(samples / "water-analysis-scan").glob("*.pdf"),
        hazards / "encrypted_user_pw_aes256_secret.pdf",
        hazards / "zero_pages.pdf",
    ]
    page.goto(f"{app.url}/import")
    page.get_by_label("Project").fill("alone")
    page.get_by_label("Project").press("Enter")
    at_rest(page)
    page.locator("input[type=file]").set_input_files([str(file) for file in files])
    plan = page.get_by_test_id("import-plan")
    expect(plan).to_contain_text("is encrypted and needs a password")
    expect(plan).to_contain_text("is a PDF without pages")
    field = page.locator("input[type=password]")
    field.fill("guess")
    field.press("Enter")
    expect(plan).to_contain_text("the one that was given does not open it")
    field.fill("secret")
    field.press("Enter")
    button = page.get_by_role("button", name="Import 3 files")
    expect(button).to_be_visible()
    at_rest(page)
    button.click()
    offer = page.locator(".st-key-extract-now")
    expect(offer).to_contain_text("3 documents without an extraction")
    at_rest(page)
    offer.get_by_role("combobox").click()
    page.get_by_role("option", name="digital: PDFs with a text layer").click()
    at_rest(page)
    offer.get_by_role("button", name="Extract now").click()
    expect(offer.get_by_role("button", name="Stop")).to_be_visible()
    expect(page.get_by_text("Extracted: 2 documents; failed: 1.")).to_be_visible(timeout=LONG_MS)
    failed = page.get_by_test_id("extract-failed")
    expect(failed).to_contain_text("no answer")
    expect(failed).to_contain_text("page 1")
    expect(offer).to_contain_text("1 document without an extraction")
    page.get_by_role("link", name="Open the queue").click()
    expect(page.get_by_test_id("queue")).to_contain_text("encrypted_user_pw_aes256_secret.pdf")
    page.get_by_test_id("queue").get_by_role("option").filter(has_text="encrypted_user").first.click()
    expect(page.get_by_role("grid")).to_contain_text("8,287.95")
    page.locator(".leaf[data-page='1'] .face > img").evaluate("img => img.decode()")
    assert "secret" not in app.log.read_text().replace("aes256_secret", "")


def test_a_document_without_an_extraction_is_extracted_from_its_own_screen(app: App, page: Page) -> None:
    hazards = ROOT / "tests" / "store" / "hazards"
    page.goto(f"{app.url}/import")
    page.get_by_label("Project").fill("one")
    page.get_by_label("Project").press("Enter")
    at_rest(page)
    page.locator("input[type=file]").set_input_files([str(hazards / "rotate_90.pdf")])
    page.get_by_role("button", name="Import 1 file").click()
    expect(page.locator(".st-key-extract-now")).to_contain_text("rotate_90.pdf")
    page.goto(f"{app.url}/document")
    at_rest(page)
    page.get_by_role("combobox", name="Document").click()
    page.get_by_role("option", name="rotate_90.pdf").click()
    expect(page.get_by_text("Nothing of this document has been extracted yet")).to_be_visible()
    at_rest(page)
    page.get_by_role("button", name="Extract now").click()
    expect(page.get_by_text("1 table still open")).to_be_visible(timeout=LONG_MS)
