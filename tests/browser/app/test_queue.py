from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Locator, Page, expect

if TYPE_CHECKING:
    from conftest import App

pytestmark = pytest.mark.browser


def opened(page: Page, address: str) -> Locator:
    page.goto(address)
    lines = page.get_by_test_id("queue").get_by_role("option")
    expect(lines.first).to_be_visible()
    return lines


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def test_a_filter_stays_in_the_address_and_comes_back_with_the_back_button(app: App, page: Page) -> None:
    lines = opened(page, app.url)
    expect(lines).to_have_count(7)
    expect(lines.first).to_be_focused()
    press(page, "f")
    page.locator("[data-part=reason]").select_option("check")
    expect(lines).to_have_count(4)
    expect(page).to_have_url(re.compile(r"\?reason=check$"))
    press(page, "Escape", "ArrowDown", "Enter")
    expect(page.get_by_role("grid")).to_be_visible()
    page.go_back()
    expect(lines).to_have_count(4)
    expect(lines.nth(1)).to_be_focused()  # the table that was opened
    expect(page).to_have_url(re.compile("reason=check"))
    page.reload()
    expect(lines).to_have_count(4)
    press(page, "Escape")
    expect(lines).to_have_count(7)


def test_an_empty_list_says_what_to_do_next(app: App, page: Page) -> None:
    lines = opened(page, app.url)
    press(page, "4")
    expect(page.get_by_test_id("queue-screen")).to_contain_text("No table is flagged. In the review, Alt+G")
    press(page, "/")
    page.keyboard.type("nothing like this")
    expect(page.get_by_test_id("queue-screen")).to_contain_text("Esc clears the search and the filters")
    press(page, "Escape")
    expect(lines.first).to_be_focused()


def test_the_review_goes_on_with_the_chosen_list(app: App, page: Page) -> None:
    lines = opened(page, f"{app.url}/?words=INV-2024&order=document")
    expect(lines).to_have_count(2)
    press(page, "Enter")
    expect(page.get_by_test_id("save-state")).to_have_text("saved")
    expect(page.get_by_role("tab", name="Invoice")).to_have_attribute("aria-selected", "true")
    press(page, "Alt+k")
    expect(page.get_by_role("tab", name="Line items")).to_have_attribute("aria-selected", "true")
    press(page, "Alt+k")  # the skipped one stands at the end of the list
    expect(page.get_by_role("tab", name="Invoice")).to_have_attribute("aria-selected", "true")
