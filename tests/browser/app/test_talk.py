"""Comments, guidelines, history with revert, and what the person is told about conflicts and scores."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from tests.browser.app.waiting import until

if TYPE_CHECKING:
    from conftest import App, Link

pytestmark = pytest.mark.browser


NOTICES = """() => new MutationObserver(() => {
    const shown = [...document.querySelectorAll('[role="dialog"]')];
    window.notices = window.notices || shown.some(dialog => /connection error/i.test(dialog.textContent));
}).observe(document.body, { childList: true, subtree: true })"""


def ask(app: App, sql: str, *values: object) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(f"file:{app.home / 'proofgrid.db'}?mode=ro", uri=True)
    found = connection.execute(sql, values).fetchall()
    connection.close()
    return found


def open_table(app: App, page: Page, name: str, url: str = "") -> None:
    ((key,),) = ask(app, "select id from gold where name = ?", name)
    page.goto(f"{url or app.url}/review?table={key}")
    expect(page.locator("[data-row='1']").first).to_be_visible(timeout=20_000)
    expect(state(page)).to_have_text("saved")


def cell(page: Page, row: int, col: int) -> Locator:
    return page.locator(f"[data-row='{row}'][data-col='{col}']")


def state(page: Page) -> Locator:
    return page.get_by_test_id("save-state")


def side(page: Page) -> Locator:
    return page.get_by_test_id("aside")


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def comment(page: Page, text: str) -> None:
    """Comment on the selected cell, by keyboard."""
    press(page, "Alt+c")
    expect(side(page).locator("textarea").first).to_be_focused()
    page.keyboard.type(text)
    press(page, "Control+Enter")


def said(app: App, text: str) -> list[tuple[object, ...]]:
    return ask(app, "select kind, row_id, col_id, person from comment where text = ?", text)


@pytest.fixture
def second(chromium: Browser) -> Iterator[Page]:
    other = chromium.new_context(viewport={"width": 1280, "height": 720})
    yield other.new_page()
    other.close()


def test_a_comment_is_shown_as_text_marks_its_cell_and_blocks_acceptance_until_resolved(app: App, page: Page) -> None:
    open_table(app, page, "line_items")
    page.evaluate("() => { window.alert = () => (window.alarmed = true) }")
    cell(page, 2, 1).click()
    comment(page, "<img src=x onerror=alert(1)> is this a flask?")
    expect(side(page)).to_contain_text("<img src=x onerror=alert(1)> is this a flask?")
    expect(cell(page, 2, 1).locator(".talk-mark")).to_be_visible()
    expect(page.get_by_role("tab", name="Line items").locator(".talked")).to_have_text("1")
    expect(page.get_by_test_id("inspector")).to_contain_text("1 open comment")
    expect(state(page)).to_have_text("saved")
    assert side(page).locator("img").count() == 0
    assert page.evaluate("window.alarmed") is None

    press(page, "Escape")
    expect(cell(page, 2, 1)).to_be_focused()
    press(page, "Alt+i", "Control+Enter")  # a row below moves nothing, and the table cannot be accepted
    expect(page.get_by_test_id("message")).to_contain_text("1 open comment: answer and resolve it")
    expect(page.get_by_test_id("accept")).to_be_visible()

    page.goto(app.url)
    expect(page.get_by_test_id("queue").get_by_role("option", name="Line items")).to_contain_text("1 comment")

    open_table(app, page, "line_items")
    cell(page, 2, 1).click()
    press(page, "Alt+c")
    expect(side(page).locator(".thread.here textarea")).to_be_focused()
    page.keyboard.type("yes")
    press(page, "Tab", "Tab", "Enter")
    expect(side(page)).to_contain_text("resolved this")
    expect(cell(page, 2, 1).locator(".talk-mark")).to_have_count(0)
    expect(state(page)).to_have_text("saved")
    assert [kind for kind, *_ in said(app, "yes")] == ["resolve"]


def test_a_key_goes_from_one_open_comment_to_the_next_and_tells_it(app: App, page: Page) -> None:
    open_table(app, page, "items")
    press(page, "Alt+Shift+c")
    expect(page.get_by_test_id("message")).to_have_text("No comment is open in this table.")
    for row, text in ((9, "nine"), (7, "seven")):
        cell(page, row, 4).click()
        comment(page, text)
        press(page, "Escape")
    cell(page, 8, 0).click()
    for row, text in ((9, "nine"), (7, "seven"), (9, "nine")):
        press(page, "Alt+Shift+c")
        expect(cell(page, row, 4)).to_be_focused()
        expect(page.get_by_test_id("message")).to_have_text(f"ann: {text}")


def test_an_older_answer_about_comments_does_not_hide_one_that_was_just_made(app: App, page: Page) -> None:
    open_table(app, page, "quotation")
    held: list[Route] = []
    page.route("**/api/comments/*", lambda route: held.append(route))
    cell(page, 1, 0).click()
    press(page, "Alt+c")  # asks what others have said
    answer = until(page, lambda: held)[0].fetch()
    expect(side(page).locator("textarea").first).to_be_focused()
    page.keyboard.type("just made")
    press(page, "Control+Enter")
    expect(state(page)).to_have_text("saved")
    expect(side(page).locator(".thread")).to_contain_text("just made")
    held[0].fulfill(response=answer)
    page.wait_for_timeout(300)
    expect(side(page).locator(".thread")).to_contain_text("just made")


def test_a_comment_stays_with_its_row_and_is_kept_when_the_row_is_deleted(app: App, page: Page) -> None:
    open_table(app, page, "results")
    cell(page, 3, 0).click()
    comment(page, "about row three")
    press(page, "Escape", "ArrowUp", "Alt+Shift+i")
    expect(cell(page, 4, 0).locator(".talk-mark")).to_be_visible()
    cell(page, 4, 0).click()
    press(page, "Alt+Delete", "Alt+c")
    expect(side(page)).to_contain_text("The cell is gone")
    expect(side(page)).to_contain_text("about row three")
    press(page, "Escape", "Control+z")
    expect(cell(page, 4, 0).locator(".talk-mark")).to_be_visible()
    expect(state(page)).to_have_text("saved")


def test_comments_made_while_the_link_is_cut_are_kept_over_a_reload_and_sent_once(
    app: App, page: Page, link: Link
) -> None:
    open_table(app, page, "transactions", link.url)
    cell(page, 2, 1).click()
    press(page, "Alt+c")
    page.keyboard.type("said while ")
    page.evaluate(NOTICES)
    link.cut()
    page.wait_for_function("window.notices")  # Streamlit's notice takes the focus from whoever types
    expect(side(page).locator("textarea").first).to_be_focused()
    page.keyboard.type("away")
    press(page, "Control+Enter")
    expect(state(page)).to_have_text(re.compile("offline, 1 comment kept"))
    expect(side(page)).to_contain_text("kept here, not sent yet")
    assert not said(app, "said while away")
    link.restore()
    page.reload()
    expect(cell(page, 2, 1).locator(".talk-mark")).to_be_visible(timeout=20_000)
    expect(state(page)).to_have_text("saved")
    assert said(app, "said while away") == [("comment", "b2", "b1", "ann")]


def test_a_half_written_comment_survives_a_reload(app: App, page: Page) -> None:
    open_table(app, page, "transactions")
    cell(page, 4, 1).click()
    press(page, "Alt+c")
    page.keyboard.type("half a thou")
    page.reload()
    expect(page.get_by_test_id("message")).to_contain_text("a comment that is not finished", timeout=20_000)
    press(page, "Alt+c")
    side(page).get_by_role("button", name=re.compile("You were writing at")).click()
    expect(cell(page, 4, 1)).to_be_focused()
    press(page, "Alt+c")
    expect(side(page).locator("textarea").first).to_have_value("half a thou")
    page.keyboard.type("ght")
    press(page, "Control+Enter")
    expect(side(page).locator("textarea").first).to_have_value("")
    expect(state(page)).to_have_text("saved")
    assert said(app, "half a thought") == [("comment", "b4", "b1", "ann")]


def test_an_old_edit_is_reverted_by_keyboard_and_one_undo_takes_it_back(app: App, page: Page) -> None:
    open_table(app, page, "quotation")
    before = str(cell(page, 1, 1).evaluate("cell => cell.firstChild.textContent"))
    cell(page, 1, 1).click()
    page.keyboard.type("first")
    press(page, "Enter")
    cell(page, 1, 2).click()
    page.keyboard.type("later")
    press(page, "Enter")
    cell(page, 1, 1).click()
    press(page, "Alt+y")
    expect(side(page).locator("[data-item]").first).to_be_focused()
    expect(side(page).locator("[data-item]")).to_have_count(1)
    press(page, "v")
    expect(cell(page, 1, 1)).to_contain_text(before)
    expect(cell(page, 1, 2)).to_contain_text("later")
    expect(side(page).locator("[data-item]")).to_have_count(2)
    expect(state(page)).to_have_text("saved")
    ((undone, undoes),) = ask(
        app, "select (select body from edit e where e.id = edit.undoes), undoes from edit where source = 'revert'"
    )
    assert undoes
    assert json.loads(str(undone))["changes"][0]["new"] == "first"
    press(page, "Escape", "Control+z")
    expect(cell(page, 1, 1)).to_contain_text("first")
    expect(state(page)).to_have_text("saved")


def test_a_revert_of_a_cell_changed_since_asks_and_shows_both_values(app: App, page: Page) -> None:
    open_table(app, page, "results")
    cell(page, 2, 1).click()
    for text in ("one", "two"):
        page.keyboard.type(text)
        press(page, "Enter", "ArrowUp")
    press(page, "Alt+y")
    expect(side(page).locator("[data-item]").first).to_be_focused()
    press(page, "ArrowDown", "v")
    question = side(page).get_by_role("alertdialog")
    expect(question).to_contain_text("1 of 1 cell changed since this edit.")
    expect(question.get_by_role("row").last).to_contain_text(re.compile(r"one.*two.*ann"))
    expect(cell(page, 2, 1)).to_contain_text("two")
    expect(question.get_by_role("button", name="Put the old value anyway")).to_be_focused()
    press(page, "Enter")
    expect(cell(page, 2, 1)).not_to_contain_text("two")
    expect(state(page)).to_have_text("saved")


def test_a_reason_is_added_to_an_edit_afterwards(app: App, page: Page) -> None:
    open_table(app, page, "statement")
    page.keyboard.type("reasoned")
    press(page, "Enter", "ArrowUp", "Alt+y")
    expect(side(page).locator("[data-item]").first).to_be_focused()
    press(page, "w")
    page.keyboard.type("the stamp hides it")
    press(page, "Control+Enter")
    expect(side(page)).to_contain_text("Why: the stamp hides it")
    expect(state(page)).to_have_text("saved")
    ((kind, body),) = ask(
        app, "select comment.kind, body from comment join edit on edit.id = comment.edit where text like 'the stamp%'"
    )
    assert (kind, "reasoned" in str(body)) == ("reason", True)
    press(page, "Escape", "Control+Enter")
    expect(page.get_by_test_id("receipt")).to_be_visible()  # a reason is no open question


def test_the_score_of_the_accepted_table_is_told_while_the_next_one_is_open(app: App, page: Page) -> None:
    open_table(app, page, "segments")
    name = page.get_by_role("tab", selected=True).locator("bdi").inner_text()
    if page.get_by_test_id("reopen").is_visible():
        page.get_by_test_id("reopen").click()
        expect(page.get_by_test_id("accept")).to_be_visible()
    press(page, "Control+Enter")
    receipt = page.get_by_test_id("receipt")
    expect(receipt).to_contain_text(re.compile(rf"{re.escape(name)}: (passed|failed), F1 [01]\.\d\d\d"))
    expect(page.get_by_test_id("message")).to_contain_text(f"{name} accepted. First output:")
    expect(page.get_by_role("tab", selected=True).locator("bdi")).not_to_have_text(name)
    press(page, "Alt+b")
    expect(page.get_by_role("tab", selected=True).locator("bdi")).to_have_text(name)
    expect(page.get_by_test_id("status")).to_have_text("accepted")


def test_there_now_is_the_value_of_the_same_cell_after_a_row_was_inserted_above(
    app: App, page: Page, second: Page
) -> None:
    open_table(app, page, "items")
    open_table(app, second, "items")
    own = str(cell(second, 3, 1).evaluate("cell => cell.firstChild.textContent"))
    cell(page, 1, 0).click()
    press(page, "Alt+Shift+i")
    expect(state(page)).to_have_text("saved")
    cell(second, 3, 1).click()
    second.keyboard.type("mine")
    press(second, "Enter")
    row = second.get_by_test_id("conflict").locator("tbody tr")
    expect(row.locator("td").nth(0)).to_contain_text("Row 4")
    expect(row.locator("td").nth(1)).to_have_text(own)
    expect(row.locator("td").nth(3)).to_have_text("mine")
    second.get_by_role("button", name="Discard mine", exact=True).click()


@pytest.fixture
def guided(app: App) -> None:
    """The table type of the invoices has guidelines, newer than anybody has read."""
    connection = sqlite3.connect(app.home / "proofgrid.db", timeout=10)
    text = "# Jobs\n\nType what is **printed**. <img src=x>\n\n- one line, one job"
    connection.execute(
        "insert into guidelines (project, table_type, sha256, text, added_at) "
        "select document.project, gold.table_type, hex(randomblob(4)), ?, '' from gold "
        "join document on document.id = gold.document where gold.name = 'invoice'",
        (text,),
    )
    connection.commit()
    connection.close()


@pytest.mark.usefixtures("guided")
def test_new_guidelines_open_once_and_take_no_key_from_the_table(app: App, page: Page) -> None:
    open_table(app, page, "invoice")
    expect(side(page).get_by_role("heading", name="Jobs")).to_be_visible()
    assert side(page).locator("img").count() == 0
    page.keyboard.type("typed")
    press(page, "Enter")
    expect(cell(page, 1, 0)).to_contain_text("typed")
    expect(side(page)).to_be_visible()
    press(page, "Escape")
    expect(side(page)).to_be_hidden()
    expect(state(page)).to_have_text("saved")
    open_table(app, page, "invoice")
    expect(side(page)).to_be_hidden()
    press(page, "Alt+h")
    expect(side(page).get_by_role("heading", name="Jobs")).to_be_visible()
    press(page, "Alt+h")
    expect(side(page)).to_be_hidden()
