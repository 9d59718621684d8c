"""An owner makes releases on the screen, and sees what a correction between two of them changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, Page, expect

from scoring.table import from_rows
from store.db import Db
from store.edits import SetText, TextChange
from store.extractions import Run
from store.gold import NewEdit, add_edits
from store.home import Home
from store.reviews import add_verdict
from tests.browser.app.served import served
from tests.browser.app.waiting import at_rest
from tests.stored_documents import put_answer, put_document, put_gold

if TYPE_CHECKING:
    from conftest import App

pytestmark = pytest.mark.browser

ROWS = [["item", "price"], ["bolt", "1.20"], ["nut", "0.40"]]


@pytest.fixture(scope="module")
def parts(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """A server on one accepted table with its extraction."""
    folder = tmp_path_factory.mktemp("parts")
    home = Home(folder / "home")
    db = Db(home.database)
    document = put_document(db, home, "parts.pdf", ROWS, project="default")
    put_answer(db, document, Run("acme", "1"), ("lines", from_rows(ROWS, header_rows=1)))
    key = put_gold(db, document, from_rows(ROWS, header_rows=1)).id
    add_verdict(db, key, verdict="accept", person="ann", id="v1", at_revision=0)
    db.close()
    with served(folder) as running:
        yield running


def make(page: Page, name: str, note: str = "") -> None:
    page.get_by_role("textbox", name="Name").fill(name)
    page.get_by_role("textbox", name="What it is for").fill(note)
    page.get_by_role("button", name="Freeze 1 accepted table").press("Enter")


def test_an_owner_makes_two_releases_and_sees_the_cell_that_was_corrected_between_them(parts: App, page: Page) -> None:
    page.goto(f"{parts.url}/releases")
    expect(page.get_by_test_id("stMain")).to_contain_text("None yet. A release freezes")
    make(page, "first", "<b>before</b> the audit")
    known = page.get_by_test_id("releases")
    expect(known.locator("tbody tr")).to_have_count(1)
    expect(known).to_contain_text("<b>before</b> the audit")

    expect(page.get_by_role("textbox", name="Name")).to_have_value("")
    make(page, "first")
    expect(page.get_by_test_id("stAlert")).to_contain_text("has a release 'first' already")

    db = Db(parts.home / "proofgrid.db")
    edit = NewEdit("e1", SetText((TextChange(1, 1, "1.20", "1.25"),)))
    add_verdict(db, 1, verdict="reopen", person="ann", id="v2", at_revision=0)
    add_edits(db, 1, [edit], person="ann", after=0)
    add_verdict(db, 1, verdict="accept", person="ann", id="v3", at_revision=1)
    db.close()
    make(page, "second")
    expect(known.locator("tbody tr")).to_have_count(2)
    changed = page.get_by_test_id("release-cells")
    expect(changed.locator("tbody tr")).to_have_count(1)
    expect(changed).to_contain_text("1.20")
    expect(changed).to_contain_text("1.25")
    expect(page.get_by_test_id("release-runs")).to_contain_text("1: acme 1")
    # One of six cells is wrong now; without a table type the header counts, too.
    expect(page.get_by_test_id("release-runs")).to_contain_text("100.0 %83.3 %-16.7")

    known.get_by_role("link", name="first").press("Enter")
    expect(page.get_by_test_id("release-members")).to_contain_text("parts.pdf")
    at_rest(page)
    page.get_by_role("button", name="All releases").press("Enter")
    expect(known.locator("tbody tr")).to_have_count(2)
