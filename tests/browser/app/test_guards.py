"""Blind tables and planted errors as a person meets them."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from benchmarks.server import Server as App
from store import gold, seeded
from store.blind import BlindRule, set_rule
from store.db import Db
from store.seeded import SeededRule
from tests.browser.app.test_review_surface import ask, cell, open_table, press


def test_a_person_who_corrects_a_planted_error_is_told_at_once_and_sees_the_value_as_read(app: App, page: Page) -> None:
    db = Db(app.home / "proofgrid.db")
    seeded.set_rule(db, "samples", SeededRule(seeded.MOST, 1), person="ann")
    open_table(app, page, "line_items")
    ((key,),) = ask(app, "select id from gold where name = 'line_items'")
    with db.read() as reader:
        sheet = gold.current(db, reader, int(str(key)))[1]
        (row, col), seed = next(seeded.waiting(sheet, seeded.seeds_of(reader, int(str(key)))))
    expect(cell(page, row, col)).to_contain_text(seed.shown)
    cell(page, row, col).click()
    page.keyboard.type("7")
    press(page, "Enter")
    expect(page.get_by_text("Well seen: 1 planted error caught")).to_be_visible()
    expect(cell(page, row, col)).to_contain_text(seed.truth)
    expect(page.get_by_test_id("save-state")).to_have_text("saved")
    db.close()


def test_a_blind_table_says_so_and_shows_its_first_extraction_after_acceptance(app: App, page: Page) -> None:
    db = Db(app.home / "proofgrid.db")
    drawn = set_rule(db, "samples", BlindRule(1, 1), person="ann")
    db.close()
    page.goto(f"{app.url}/review?table={drawn[0]}")
    expect(page.get_by_text("blind: key it from the page")).to_be_visible(timeout=20_000)
    expect(page.locator("[data-view='first']")).to_be_disabled()
    cell(page, 1, 0).click()
    with page.expect_response("**/api/verdict") as answer:
        press(page, "Control+Enter")
    assert answer.value.json()["status"] == "accepted"
    page.goto(f"{app.url}/review?table={drawn[0]}")
    expect(page.locator("[data-view='first']")).to_be_enabled(timeout=20_000)
