"""Blind tables and planted errors as a person meets them."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from benchmarks.server import Server as App
from scoring.table import Box, Cell, Table
from store import gold, seeded
from store.blind import BlindRule, set_rule
from store.db import Db
from store.documents import add_document
from store.extractions import Run
from store.home import Home
from store.pages import PageSize
from store.seeded import SeededRule
from store.table_kinds import Kinds, open_gold
from tests.browser.app.conftest import SAMPLES
from tests.browser.app.test_review_surface import ask, cell, open_table, press
from tests.stored_documents import put_answer


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


def test_a_blind_table_opens_on_the_page_where_it_stands(app: App, page: Page) -> None:
    home = Home(app.home)
    db = Db(home.database)
    # A file of its own: the document of a sample may be known already.
    body = (SAMPLES / "bank-statement" / "Statement_00000042_2024-09.pdf").read_bytes() + b"\n"
    sizes = [PageSize(1, 595, 842), PageSize(2, 595, 842)]
    document, _ = add_document(
        db, home, body, name="two pages.pdf", media_type="application/pdf", pages=sizes, person="ann", project="later"
    )
    cells = tuple(Cell(0, col, text, box=Box(2, 0.1, 0.1, 0.2, 0.2)) for col, text in enumerate(("bolt", "1.20")))
    put_answer(db, document, Run("reader", "1"), ("lines", Table(1, 2, cells)))
    open_gold(db, [document], {}, Kinds([]), person="ann")
    (key,) = set_rule(db, "later", BlindRule(1, 1), person="ann")
    db.close()
    page.goto(f"{app.url}/review?table={key}")
    expect(page.get_by_text("blind: key it from the page")).to_be_visible()
    expect(page.get_by_role("listbox", name="Pages").get_by_role("option", selected=True)).to_have_text("2")
