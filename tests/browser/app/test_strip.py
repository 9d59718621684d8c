from __future__ import annotations

import json
import re
import sqlite3
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

if TYPE_CHECKING:
    from conftest import App, Link

pytestmark = pytest.mark.browser

ARTICLES = "strip?table_type=line_items&column=article"
PRICES = "strip?table_type=line_items&column=unit_price"


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def opened(page: Page, address: str) -> Locator:
    """The lines of a strip, once the chosen one has the focus and its piece of the page was on the screen."""
    page.goto(address)
    lines = page.get_by_test_id("strip").get_by_role("row")
    expect(lines.first).to_be_focused()
    seen(page)
    return lines


def seen(page: Page) -> None:
    page.wait_for_function(
        """() => { const find = (root) => root.querySelector(".strip-row[aria-selected=true] img")
            ?? [...root.querySelectorAll("*")].map((one) => one.shadowRoot && find(one.shadowRoot)).find(Boolean);
            const image = find(document); return image?.complete && image.naturalWidth; }"""
    )
    page.wait_for_timeout(1_000)  # three times as long as a look takes: nothing on the screen tells when it is over


def edits(app: App) -> list[dict[str, Any]]:
    connection = sqlite3.connect(f"file:{app.home / 'proofgrid.db'}?mode=ro", uri=True)
    found = connection.execute("select body, source from edit order by rowid").fetchall()
    connection.close()
    return [
        {**json.loads(body)["changes"][0], "kind": json.loads(body)["kind"], "source": source} for body, source in found
    ]


def saved(page: Page) -> None:
    expect(page.get_by_test_id("save-state")).to_have_text("saved")


def test_one_key_decides_each_line_and_goes_on(app: App, page: Page) -> None:
    before = len(edits(app))
    lines = opened(page, f"{app.url}/{ARTICLES}")
    expect(lines.first.get_by_test_id("value")).to_have_text("BF-O2O58")
    expect(lines.first).to_contain_text("letters in the place of digits? It would read BF-02058")
    press(page, "F2")
    page.keyboard.type(" ")
    press(page, "Backspace", *["Backspace"] * 8)
    page.keyboard.type("BF-02058")
    press(page, "Enter")
    expect(lines.first.get_by_test_id("value")).to_contain_text("BF-02058")
    expect(lines.nth(1)).to_be_focused()
    press(page, "a", "u")
    expect(lines.nth(3)).to_be_focused()
    press(page, "z")
    expect(lines.nth(2)).to_be_focused()
    saved(page)
    made = [(one["kind"], one["old"], one["new"], one["source"]) for one in edits(app)[before:]]
    assert made == [
        ("set_text", "BF-O2O58", "BF-02058", "typed"),
        ("mark", "", "confirmed", "key"),
        ("mark", "", "unreadable", "key"),
        ("mark", "unreadable", "", "undo"),
    ]
    page.reload()
    expect(page.get_by_test_id("strip-count")).to_contain_text("10 of 12 cells to decide")
    expect(lines).to_have_count(10)


def test_a_line_is_confirmed_once_its_piece_of_the_page_was_on_the_screen(app: App, page: Page) -> None:
    before = len(edits(app))
    page.route("**/api/crop/**", lambda route: route.abort())
    page.goto(f"{app.url}/strip?table_type=line_items&column=amount")
    lines = page.get_by_test_id("strip").get_by_role("row")
    expect(lines.first).to_be_focused()
    expect(lines.first).to_contain_text("not loaded")
    press(page, "a")
    expect(page.get_by_test_id("message")).to_contain_text("its piece of the page was not on the screen")
    expect(lines.first).to_be_focused()
    page.unroute("**/api/crop/**")
    page.reload()
    expect(lines.first).to_be_focused()
    seen(page)
    press(page, "a")
    expect(lines.nth(1)).to_be_focused()
    saved(page)
    assert [(one["kind"], one["new"]) for one in edits(app)[before:]] == [("mark", "confirmed")]
    press(page, "z")
    saved(page)


def test_a_digit_begins_a_value_and_a_letter_never_does(app: App, page: Page) -> None:
    before = len(edits(app))
    lines = opened(page, f"{app.url}/{PRICES}")
    expect(lines.first.get_by_test_id("value")).to_have_text("945")
    press(page, "x")
    expect(page.get_by_test_id("message")).to_contain_text("F2 edits the value")
    page.keyboard.type("0.5")  # not "absent": prices begin with digits
    press(page, "Escape")
    expect(lines.first.get_by_test_id("value")).to_have_text("945")
    page.keyboard.type("9.45")
    press(page, "Enter")
    saved(page)
    # The product that failed is right now, and its other cells no longer say otherwise.
    assert [(one["old"], one["new"]) for one in edits(app)[before:]] == [("945", "9.45")]
    expect(lines.first).not_to_contain_text("14,175.00")
    press(page, "z")
    saved(page)


def test_facets_are_chosen_by_keyboard(app: App, page: Page) -> None:
    lines = opened(page, f"{app.url}/strip?kind=any")
    whole = page.get_by_test_id("strip-count").inner_text()
    assert whole.startswith(whole.split(" ")[0])
    press(page, "ArrowLeft")
    chosen = page.locator(".strip-facets section").first.get_by_role("button").first
    expect(chosen).to_be_focused()
    press(page, "Enter")
    expect(chosen).to_have_attribute("aria-pressed", "true")
    count = int(chosen.locator(".count").inner_text())
    press(page, "ArrowRight")
    expect(lines.first).to_be_focused()
    assert lines.first.get_attribute("aria-rowindex") == "1"
    press(page, "End")
    expect(page.locator(f".strip-row[aria-rowindex='{count}']")).to_be_focused()
    press(page, "Escape")
    expect(chosen).to_have_attribute("aria-pressed", "false")
    press(page, "Escape")
    expect(page.get_by_test_id("queue").get_by_role("option").first).to_be_focused()


def test_a_cell_opens_in_the_review_and_the_back_button_returns_to_its_line(app: App, page: Page) -> None:
    lines = opened(page, f"{app.url}/{PRICES}")
    press(page, "ArrowDown", "ArrowDown")
    value = lines.nth(2).get_by_test_id("value").inner_text()
    press(page, "o")
    selected = page.locator("td.selected")
    expect(selected).to_contain_text(value)
    expect(page).to_have_url(re.compile(r"review\?table=\d+&cell=b\d+%3Ab4"))
    page.go_back()
    expect(lines.nth(2)).to_be_focused()
    expect(lines.nth(2).get_by_test_id("value")).to_have_text(value)


def test_edits_without_a_connection_survive_a_reload_and_arrive_later(app: App, link: Link, page: Page) -> None:
    before = len(edits(app))
    lines = opened(page, f"{link.url}/{PRICES}")
    link.cut()
    page.keyboard.type("9.46")
    press(page, "Enter")
    expect(page.get_by_test_id("save-state")).to_contain_text("offline, 1 edit kept")
    assert len(edits(app)) == before
    page.evaluate("navigator.sendBeacon = () => false")  # what the browser could send as it leaves is lost, too
    link.restore()
    page.reload()
    expect(lines.first).to_be_visible()
    saved(page)
    assert [(one["old"], one["new"]) for one in edits(app)[before:]] == [("945", "9.46")]


def test_an_unfinished_text_comes_back_after_a_reload(app: App, page: Page) -> None:
    lines = opened(page, f"{app.url}/strip?table_type=line_items&column=quantity")
    page.keyboard.type("77")
    page.reload()
    editor = page.locator(".strip textarea")
    expect(editor).to_be_focused()
    expect(editor).to_have_value("77")
    press(page, "Escape")
    expect(lines.first).to_be_focused()


def test_who_was_slower_sees_both_values_and_decides_with_one_key(
    app: App, context: BrowserContext, page: Page
) -> None:
    other = context.new_page()
    address = f"{app.url}/strip?table_type=line_items&column=unit"
    lines = opened(page, address)
    before = len(edits(app))
    opened(other, address)
    press(other, "F2")
    other.keyboard.type("-first")
    press(other, "Enter")
    saved(other)
    page.bring_to_front()
    press(page, "F2")
    page.keyboard.type("-second")
    press(page, "Enter")
    expect(page.get_by_test_id("message")).to_contain_text("Someone changed this table first")
    expect(lines.first).to_contain_text("-first")
    expect(lines.first).to_contain_text("-second")
    press(page, "ArrowUp", "Enter")
    saved(page)
    made = [one["new"] for one in edits(app)[before:]]
    assert [text.rpartition("-")[2] for text in made] == ["first", "second"]
