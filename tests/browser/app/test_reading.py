"""Cells and rows that are read from the page by one key, and what is said where there is nothing to read."""

from __future__ import annotations

import re
import sqlite3
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Locator, Page, expect

from store.page_tables import tesseract

if TYPE_CHECKING:
    from conftest import App

pytestmark = pytest.mark.browser


def open_table(app: App, page: Page, name: str) -> None:
    connection = sqlite3.connect(f"file:{app.home / 'proofgrid.db'}?mode=ro", uri=True)
    ((key,),) = connection.execute("select id from gold where name = ?", (name,)).fetchall()
    connection.close()
    page.goto(f"{app.url}/review?table={key}")
    expect(page.locator("[data-row='1']").first).to_be_visible(timeout=20_000)


def cell(page: Page, row: int, col: int) -> Locator:
    return page.locator(f"[data-row='{row}'][data-col='{col}']")


def texts(page: Page, row: int) -> list[str]:
    return [str(cell(page, row, col).evaluate("cell => cell.firstChild?.textContent ?? ''")) for col in range(6)]


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def message(page: Page) -> Locator:
    return page.get_by_test_id("message")


MISSED = ["BF-02231", "Petri dishes, Ø 90 mm, vented, sleeve of 20", "50", "sleeve", "3.15", "157.50"]


def test_a_misread_cell_and_a_missed_row_are_read_from_the_page_and_undone_one_by_one(app: App, page: Page) -> None:
    open_table(app, page, "line_items")
    cell(page, 3, 3).click()
    expect(page.get_by_test_id("crop-note")).to_be_empty()
    cell(page, 3, 4).click()
    expect(page.get_by_test_id("crop-note")).to_have_text("page: “9.45”Alt+X")
    press(page, "Alt+x")
    expect(cell(page, 3, 4)).to_contain_text("9.45")
    expect(page.get_by_test_id("crop-note")).to_be_empty()
    expect(message(page)).to_have_text("Read from the page: 1 cell changed.")
    press(page, "Alt+x")
    expect(message(page)).to_have_text("The page says the same.")
    line = page.locator("[data-row]").filter(has_text="BF-O2O58").first
    line.click()
    press(page, "Alt+i", "Alt+x")
    expect(message(page)).to_have_text("Read from the page: 6 cells changed.")
    row = int(line.get_attribute("data-row") or 0) + 1
    assert texts(page, row) == MISSED
    press(page, "Control+z")
    expect(cell(page, row, 0)).to_have_text(re.compile(r"^\W*$"))
    press(page, "Control+z", "Control+z")
    expect(cell(page, 3, 4)).to_contain_text("945")
    expect(page.get_by_test_id("save-state")).to_have_text("saved")


def test_what_the_page_says_is_taken_by_mouse_too(app: App, page: Page) -> None:
    open_table(app, page, "line_items")
    cell(page, 8, 5).click()
    page.get_by_text("page: “578.00”").click()
    expect(cell(page, 8, 5)).to_contain_text("578.00")
    expect(cell(page, 8, 5)).to_be_focused()
    press(page, "Control+z")
    expect(page.get_by_test_id("save-state")).to_have_text("saved")


def test_a_whole_column_is_read_at_once_and_only_what_differs_changes(app: App, page: Page) -> None:
    open_table(app, page, "line_items")
    cell(page, 2, 5).click()
    press(page, "Control+Space", "Alt+x")
    expect(message(page)).to_have_text("Read from the page: 1 cell changed.")
    expect(page.locator("[data-col='5']").filter(has_text="578.00")).to_have_count(1)
    press(page, "Control+z")
    expect(page.get_by_test_id("save-state")).to_have_text("saved")


def test_on_a_scan_the_key_reads_what_ocr_found_and_without_it_says_so_and_changes_nothing(
    app: App, page: Page
) -> None:
    open_table(app, page, "results")
    cell(page, 2, 1).click()
    before = cell(page, 2, 1).text_content()
    press(page, "Alt+x")
    if tesseract.missing():
        expect(message(page)).to_contain_text("This page has no words")
        assert cell(page, 2, 1).text_content() == before
    else:
        expect(message(page)).to_have_text("Read from the page: 1 cell changed.")
        press(page, "Control+z")
        expect(cell(page, 2, 1)).to_have_text(str(before))


def test_how_a_number_is_read_is_told_beside_its_text_which_stays_as_it_is(app: App, page: Page) -> None:
    open_table(app, page, "line_items")
    told = page.get_by_test_id("meaning")
    cell(page, 1, 5).click()
    expect(told).to_be_empty()
    for text, words in (("1,234.50", "reads as 1234.50"), ("(12.60)", "reads as -12.60"), ("١٢.٥", "reads as 12.5")):
        press(page, "F2", "Control+a")
        page.keyboard.insert_text(text)
        press(page, "Enter", "ArrowUp")
        expect(cell(page, 1, 5)).to_contain_text(text)
        expect(told).to_have_text(words)
    cell(page, 1, 1).click()
    expect(told).to_be_empty()
    press(page, "Control+z", "Control+z", "Control+z")
    expect(page.get_by_test_id("save-state")).to_have_text("saved")


def test_a_row_of_a_statement_is_never_read_from_the_footer_between_its_pages(app: App, page: Page) -> None:
    open_table(app, page, "transactions")
    header = page.locator("tr", has=page.get_by_text("Paid out", exact=True)).last
    row = int(header.locator("[data-row]").first.get_attribute("data-row") or 0)
    page.locator(f"[data-row='{row}'][data-col='0']").click()
    press(page, "Shift+Space", "Alt+x")
    expect(message(page)).not_to_be_empty()
    expect(cell(page, row, 4)).not_to_contain_text("continued")
    if "changed" in message(page).inner_text():
        press(page, "Control+z")
    expect(page.get_by_test_id("save-state")).to_have_text("saved")


def test_a_table_that_came_without_boxes_is_read_by_the_texts_that_stand_once(app: App, page: Page) -> None:
    open_table(app, page, "items")
    cell(page, 1, 1).click()
    press(page, "F2", "End")
    page.keyboard.type("x")
    press(page, "Enter", "ArrowUp", "Alt+x")
    expect(message(page)).to_have_text("Read from the page: 1 cell changed.")
    expect(cell(page, 1, 1)).not_to_contain_text("x")
    press(page, "Control+z", "Control+z")
    expect(page.get_by_test_id("save-state")).to_have_text("saved")
