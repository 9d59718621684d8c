"""Correction time in the real app: pauses with the table in sight, waiting, and timing switched off."""

from __future__ import annotations

import sqlite3
import time
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from store.db import Db
from store.timing import switch_timing
from tests.browser.app.waiting import at_rest, until

if TYPE_CHECKING:
    from conftest import App

pytestmark = pytest.mark.browser


def ask(app: App, sql: str) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(f"file:{app.home / 'proofgrid.db'}?mode=ro", uri=True)
    found = connection.execute(sql).fetchall()
    connection.close()
    return found


def open_table(app: App, page: Page, name: str) -> None:
    ((key,),) = ask(app, f"select id from gold where name = '{name}'")
    page.goto(f"{app.url}/review?table={key}")
    expect(page.locator("[data-row='1']").first).to_be_visible(timeout=20_000)
    page.locator("[data-row='1'][data-col='1']").click()


def away(page: Page, minutes: int) -> None:
    """Let so much time pass without an input, by the clocks of the page."""
    page.evaluate(
        """(ms) => {
          const [tick, date] = [performance.now.bind(performance), Date.now];
          performance.now = () => tick() + ms;
          Date.now = () => date() + ms;
        }""",
        minutes * 60_000,
    )


def test_after_a_long_pause_one_key_says_whether_it_was_work(app: App, page: Page) -> None:
    open_table(app, page, "line_items")
    away(page, 4)
    page.keyboard.press("ArrowDown")
    question = page.get_by_test_id("still-working")
    expect(question).to_contain_text("Were you working on this table for the last 4 min?")
    expect(page.locator("[data-row='2'][data-col='1']")).to_be_focused()
    page.keyboard.press("F8")
    expect(question).to_have_count(0)
    page.goto(app.url)
    expect(page.get_by_test_id("queue")).to_be_visible()
    ((gap_ms, was_working),) = until(page, lambda: ask(app, "select gap_ms, was_working from pause_answer"))
    assert (int(str(gap_ms)) // 60_000, was_working) == (4, 1)
    ((active_ms,),) = ask(app, "select sum(active_ms) from activity")
    assert int(str(active_ms)) < 180_000, "the answer stands beside the measured time"


def test_typing_makes_the_question_go_away_and_loses_no_letter(app: App, page: Page) -> None:
    open_table(app, page, "line_items")
    away(page, 90)
    page.keyboard.press("ArrowDown")
    question = page.get_by_test_id("still-working")
    expect(question).to_contain_text("for the last 1 h 30 min")
    before = ask(app, "select count(*) from pause_answer")
    page.keyboard.type("ab")
    expect(question).to_have_count(0)
    expect(page.locator("textarea.editor")).to_have_value("ab")
    page.keyboard.press("Escape")
    page.goto(app.url)
    assert ask(app, "select count(*) from pause_answer") == before


def test_a_pause_in_another_window_is_not_asked_about(app: App, page: Page) -> None:
    open_table(app, page, "line_items")
    page.evaluate("window.dispatchEvent(new Event('blur')); document.hasFocus = () => false")
    page.evaluate("window.dispatchEvent(new Event('blur'))")
    away(page, 4)
    page.evaluate("document.hasFocus = () => true; window.dispatchEvent(new Event('focus'))")
    page.keyboard.press("ArrowDown")
    expect(page.locator("[data-row='2'][data-col='1']")).to_be_focused()
    expect(page.get_by_test_id("still-working")).to_have_count(0)


def test_a_person_who_switched_timing_off_is_not_timed(app: App, context: BrowserContext) -> None:
    db = Db(app.home / "proofgrid.db")
    switch_timing(db, "ann", on=False)
    before = ask(app, "select count(*) from activity")
    page = context.new_page()
    open_table(app, page, "line_items")
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.post_data or "") if request.method == "POST" else None)
    expect(page.get_by_test_id("timer")).to_have_text("not timed")
    away(page, 4)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Alt+PageUp")  # the time of a table is sent when another one is opened
    expect(page.get_by_role("tab", name="Invoice")).to_have_attribute("aria-selected", "true")
    time.sleep(0.4)
    page.goto(app.url)
    expect(page.get_by_test_id("queue")).to_be_visible()
    switch_timing(db, "ann", on=True)
    db.close()
    assert not [body for body in sent if "active_ms" in body]
    assert ask(app, "select count(*) from activity") == before


def test_a_person_sees_their_time_adds_minutes_switches_it_off_and_deletes_it(app: App, page: Page) -> None:
    open_table(app, page, "line_items")
    page.keyboard.press("ArrowDown")
    page.goto(app.url)
    until(page, lambda: ask(app, "select 1 from activity where person = 'ann'"))
    page.goto(f"{app.url}/my_time")
    table = page.get_by_test_id("my-time")
    expect(table).to_contain_text("Line items", timeout=20_000)
    at_rest(page)
    page.get_by_text("Add or withdraw minutes").click()
    page.get_by_label("Minutes (below 0: withdraw)").fill("-5")
    page.get_by_label("Reason").fill("the phone rang")
    page.get_by_role("button", name="Keep").press("Enter")
    expect(page.get_by_test_id("my-minutes")).to_contain_text("the phone rang")
    assert ask(app, "select minutes, reason, person from time_adjustment") == [(-5.0, "the phone rang", "ann")]

    at_rest(page)
    page.get_by_text("What is recorded, and switching it off").click()
    expect(page.get_by_text("Never recorded")).to_be_visible()
    page.get_by_text("Record my time").click()
    expect(page.get_by_text("Timing is switched off")).to_be_visible()
    assert ask(app, "select is_on from timing_choice order by id desc limit 1") == [(0,)]

    at_rest(page)
    page.get_by_text("Delete all time recorded of me").click()
    delete = page.get_by_role("button", name="Delete my times")
    expect(delete).to_be_enabled()  # a key pressed on a button that is still disabled is lost
    delete.press("Enter")
    expect(page.get_by_text("No time has been measured yet")).to_be_visible()
    assert ask(app, "select count(*) from activity where person = 'ann'") == [(0,)]
    at_rest(page)
    page.get_by_text("Record my time").click()
    expect(page.get_by_text("Timing is switched off")).to_have_count(0)
