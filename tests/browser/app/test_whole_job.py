from __future__ import annotations

import re
import sqlite3
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app.waiting import until

if TYPE_CHECKING:
    from conftest import App

pytestmark = pytest.mark.browser

INVOICE = "INV-2024-10583"
MISSED_ROW = ["BF-02231", "Petri dishes, Ø 90 mm, vented, sleeve of 20", "50", "sleeve", "3.15", "157.50"]


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def ask(app: App, sql: str, *values: object) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(f"file:{app.home / 'proofgrid.db'}?mode=ro", uri=True)
    found = connection.execute(sql, values).fetchall()
    connection.close()
    return found


def received(app: App) -> list[tuple[object, ...]]:
    return ask(app, "select sha256, body from received order by sha256")


def test_an_invoice_is_corrected_from_queue_to_score_with_the_keyboard_alone(app: App, page: Page) -> None:
    before = received(app)

    # From the queue: search, open.
    page.goto(app.url)
    expect(page.get_by_test_id("queue").get_by_role("option").first).to_be_focused()
    press(page, "/")
    page.keyboard.type(f"{INVOICE} line")
    press(page, "Enter")
    grid = page.get_by_role("grid")
    expect(grid).to_contain_text("BF-O2O58")
    expect(page.get_by_test_id("save-state")).to_have_text("saved")

    # See the box of a doubtful cell, and why it is doubtful.
    for _ in range(8):
        press(page, "Alt+ArrowDown")
        if "0.47" in page.get_by_test_id("inspector").inner_text():
            break
    expect(page.get_by_test_id("inspector")).to_contain_text("confidence 0.47")
    expect(page.locator(".boxes .selected")).to_be_in_viewport()

    # Correct three cells; the values stand in different rows and columns.
    def at(row: int, col: int) -> None:
        press(page, "Control+Home", *["ArrowDown"] * row, *["ArrowRight"] * col)

    for row, col, value in ((5, 0, "BF-02058"), (3, 4, "9.45"), (8, 5, "578.00")):
        at(row, col)
        page.keyboard.type(value)
        press(page, "Enter")
        expect(page.locator(f"[data-row='{row}'][data-col='{col}']")).to_contain_text(value)

    # Insert the missed row.
    at(5, 0)
    press(page, "Alt+i")
    for value in MISSED_ROW:
        page.keyboard.type(value)
        press(page, "Tab")
    expect(page.locator("[data-row='6'][data-col='5']")).to_contain_text("157.50")

    # Delete one of the two equal rows, undo a slip.
    at(11, 0)
    expect(page.locator("[data-row='11'][data-col='0']")).to_contain_text("BF-05133")
    press(page, "Alt+Delete")
    expect(page.locator("[data-row='11'][data-col='0']")).to_contain_text("BF-07704")
    at(1, 1)
    page.keyboard.type("a slip")
    press(page, "Enter")
    press(page, "Control+z")
    expect(page.locator("[data-row='1'][data-col='1']")).to_contain_text("Borosilicate beaker")

    # Accept: the next table opens.
    expect(page.get_by_test_id("save-state")).to_have_text("saved")
    press(page, "Control+Enter")
    expect(grid).not_to_contain_text("BF-02058")

    # The other table of the invoice was read right: accept it too.
    press(page, "Alt+PageUp")
    if INVOICE not in page.locator(".document").inner_text():
        page.goto(app.url)
        expect(page.get_by_test_id("queue").get_by_role("option").first).to_be_focused()
        press(page, "/")
        page.keyboard.type(INVOICE)
        press(page, "Enter")
    expect(page.locator(".document")).to_contain_text(INVOICE)
    expect(page.get_by_test_id("save-state")).to_have_text("saved")
    press(page, "Control+Enter")
    expect(page.get_by_test_id("receipt")).to_contain_text("Invoice: ")

    # Read the score and the time.
    page.goto(f"{app.url}/results")
    summary = page.get_by_test_id("results-summary")
    expect(summary).to_contain_text(INVOICE)
    line = summary.get_by_role("row").filter(has_text=INVOICE).inner_text()
    assert re.search(r"\d+ s|\d+ min", line), line
    assert "fail" in line.lower()

    assert received(app) == before


def test_looking_at_an_accepted_table_is_no_correction_time(app: App, page: Page) -> None:
    [(key,)] = ask(app, "select id from gold where name = 'prices'")

    def kept() -> list[tuple[object, ...]]:
        return ask(app, "select phase, active_ms from activity where gold = ?", key)

    page.goto(f"{app.url}/review?table={key}")
    expect(page.get_by_test_id("status")).to_have_text("accepted")
    press(page, *["ArrowDown"] * 4)
    page.wait_for_timeout(300)
    page.goto(f"{app.url}/review?table={key}")  # leaving sends what there is to send
    expect(page.get_by_test_id("status")).to_have_text("accepted")
    assert kept() == []
    page.get_by_test_id("reopen").press("Enter")
    expect(page.get_by_test_id("accept")).to_be_visible()
    press(page, *["ArrowDown"] * 4)
    page.wait_for_timeout(300)
    press(page, "Control+Enter")
    expect(page.locator(".document")).not_to_contain_text("price-list")  # the next table is open
    page.goto(app.url)  # leaving sends what there is to send
    expect(page.get_by_test_id("queue")).to_be_visible()
    stretches = until(page, kept)
    assert {phase for phase, _ in stretches} == {"reopening"}
    assert 0 < sum(int(str(active_ms)) for _, active_ms in stretches) < 10_000
