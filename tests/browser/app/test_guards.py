"""Blind tables and planted errors as a person meets them."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from benchmarks.server import Server as App
from scoring.table import Box, Cell, Table, from_rows
from store import gold, seeded, seeded_rows
from store.blind import BlindRule, set_rule
from store.comparison import compare
from store.db import Db
from store.documents import add_document
from store.extractions import Run
from store.home import Home
from store.pages import PageSize
from store.seeded import SeededRule
from store.seeded_rows import Standing
from store.table_kinds import Kinds, open_gold
from tests.browser.app.conftest import SAMPLES
from tests.browser.app.test_review_surface import ask, cell, open_table, press
from tests.browser.app.waiting import until
from tests.stored_documents import put_answer, put_document


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


HEAD = ["article", "quantity", "note", "price"]
ROWS = [[f"bolt {name}", f"{at}7", "", f"-{at}.35"] for at, name in enumerate(("one", "two", "three", "four", "five"))]


def _with_row_error(app: App, kind: str) -> tuple[int, Standing]:
    """A table that shows an error of structure of this kind, and the error."""
    home = Home(app.home)
    db = Db(home.database)
    for number in range(100):
        project = f"{kind} {number}"
        document = put_document(db, home, f"{project}.pdf", ROWS, project=project)
        put_answer(db, document, Run("reader", "1"), ("lines", from_rows([HEAD, *ROWS], header_rows=1)))
        open_gold(db, [document], {}, Kinds([]), person="ann")
        seeded.set_rule(db, project, SeededRule(seeded.MOST, number), person="ann")
        with db.read() as reader:
            (table,) = gold.gold_tables(reader, document.id)
            found = compare(db, reader, table.id)
        shown = seeded_rows.shown_row(db, found)
        if shown is not None and shown.seed.kind == kind and not seeded.shown_errors(db, found):
            db.close()
            return table.id, shown
    raise AssertionError(f"no {kind} was drawn")


@pytest.mark.parametrize("kind", seeded_rows.KINDS)
def test_a_person_who_puts_a_row_right_is_told_at_once_and_sees_the_table_as_read(
    app: App, page: Page, kind: str
) -> None:
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    key, shown = _with_row_error(app, kind)
    page.goto(f"{app.url}/review?table={key}")
    expect(cell(page, 1, 0)).to_be_visible()
    expect(cell(page, 5, 0)).to_have_count(1 if kind == "shifted row" else 0)
    if kind == "dropped row":
        cell(page, 4, 0).click()
        press(page, "Alt+i")
    else:
        (row, col), _ = next(iter(shown.cells.items()))
        cell(page, row, col).click()
        page.keyboard.type("7")
        press(page, "Enter")
    expect(page.get_by_text("Well seen: 1 planted error caught")).to_be_visible()
    for at, line in enumerate(ROWS, start=1):
        for col, text in enumerate(line):
            expect(cell(page, at, col)).to_contain_text(text)
    expect(cell(page, 6, 0)).to_have_count(0)
    expect(page.get_by_test_id("save-state")).to_have_text("saved")
    # And the person goes on: what is typed next is stored.
    cell(page, 5, 1).click()
    page.keyboard.type("48")
    press(page, "Enter")
    expect(page.get_by_test_id("save-state")).to_have_text("saved")
    until(page, lambda: len(ask(app, "select 1 from edit where gold = ?", key)) == 2)
    assert wrong == []
