from __future__ import annotations

import json
import os
import signal
import sqlite3
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Locator, Page, Route, expect

if TYPE_CHECKING:
    from conftest import App, Link

pytestmark = pytest.mark.browser


class Table:
    """One table of the running app: where it is reviewed, and what the database holds of it."""

    def __init__(self, app: App, name: str) -> None:
        self.app, self.name = app, name
        self.key = self.ask("select id from gold where name = ?", name)[0][0]

    def ask(self, sql: str, *values: object) -> list[tuple[object, ...]]:
        connection = sqlite3.connect(f"file:{self.app.home / 'proofgrid.db'}?mode=ro", uri=True)
        found = connection.execute(sql, values).fetchall()
        connection.close()
        return found

    def stored(self) -> list[str]:
        """The new texts of all stored edits in order."""
        rows = self.ask("select body from edit where gold = ? order by revision", self.key)
        return [change["new"] for (body,) in rows for change in json.loads(str(body)).get("changes", [])]

    def open(self, page: Page, url: str = "") -> None:
        page.goto(f"{url or self.app.url}/review?table={self.key}")
        expect(page.locator("[data-row='1'][data-col='0']")).to_be_visible(timeout=20_000)
        expect(state(page)).to_have_text("saved")


def state(page: Page) -> Locator:
    return page.get_by_test_id("save-state")


def type_into(page: Page, row: int, col: int, text: str, *, commit: bool = True) -> None:
    page.locator(f"[data-row='{row}'][data-col='{col}']").click()
    page.keyboard.type(text)
    if commit:
        page.keyboard.press("Enter")


@pytest.fixture
def items(app: App) -> Table:
    return Table(app, "items")


@pytest.fixture
def results(app: App) -> Table:
    return Table(app, "results")


@pytest.fixture
def transactions(app: App) -> Table:
    return Table(app, "transactions")


@pytest.fixture
def second(chromium: Browser) -> Iterator[Page]:
    other = chromium.new_context(viewport={"width": 1280, "height": 720})
    yield other.new_page()
    other.close()


def test_edits_made_while_the_link_is_cut_are_kept_and_sent_once(page: Page, link: Link, items: Table) -> None:
    items.open(page, link.url)
    type_into(page, 1, 0, "before the cut")
    expect(state(page)).to_have_text("saved")
    link.cut()
    for row, text in ((2, "cut 2"), (3, "cut 3"), (3, "cut 3 again")):
        # Streamlit covers the page with a notice when the link drops; the keys must still reach the table.
        page.locator(f"[data-row='{row}'][data-col='0']").dispatch_event("pointerdown")
        page.locator(f"[data-row='{row}'][data-col='0']").evaluate("cell => cell.focus()")
        page.keyboard.type(text)
        page.keyboard.press("Enter")
    expect(state(page)).to_contain_text("offline, 3 edits kept")
    assert items.stored() == ["before the cut"]
    link.restore()
    expect(state(page)).to_have_text("saved", timeout=30_000)
    assert items.stored() == ["before the cut", "cut 2", "cut 3", "cut 3 again"]
    expect(page.locator("[data-row='3'][data-col='0']")).to_contain_text("cut 3 again")


def test_an_answer_that_is_lost_makes_no_second_edit(page: Page, results: Table) -> None:
    results.open(page)
    lost = []

    def swallow(route: Route) -> None:
        if lost:
            route.continue_()
            return
        lost.append(route.fetch().status)  # the server has it, the browser never hears
        route.abort()

    page.route("**/api/edits", swallow)
    type_into(page, 1, 0, "stored once")
    expect(state(page)).to_have_text("saved", timeout=20_000)
    assert lost == [200]
    assert results.stored().count("stored once") == 1


def test_an_answer_that_breaks_off_is_no_answer_and_what_follows_is_saved(page: Page, link: Link, items: Table) -> None:
    items.open(page, link.url)
    link.break_off(b"POST /api/edits")
    type_into(page, 4, 0, "half answered")
    expect(state(page)).to_have_text("saved", timeout=30_000)
    type_into(page, 5, 0, "typed on")
    expect(state(page)).to_have_text("saved", timeout=30_000)
    assert items.stored()[-2:] == ["half answered", "typed on"]


def test_an_answer_of_somebody_else_saves_nothing(page: Page, results: Table) -> None:
    results.open(page)
    asked = []

    def sign_in_first(route: Route) -> None:
        asked.append(route.request.url)
        if len(asked) > 1:
            route.continue_()
        else:  # as a hotel's network does
            route.fulfill(status=200, content_type="text/html", body="<h1>Sign in to our network</h1>")

    page.route("**/api/edits", sign_in_first)
    type_into(page, 1, 0, "behind a sign-in")
    expect(state(page)).to_have_text("saved", timeout=20_000)
    assert results.stored().count("behind a sign-in") == 1


def test_a_reload_right_after_enter_keeps_the_edit(page: Page, results: Table) -> None:
    results.open(page)
    type_into(page, 2, 0, "quick")
    page.reload()
    expect(page.locator("[data-row='2'][data-col='0']")).to_contain_text("quick", timeout=20_000)
    expect(state(page)).to_have_text("saved")
    assert results.stored().count("quick") == 1


def test_escape_leaves_an_unfinished_text_for_later_also_where_another_cell_is_typed_in(
    page: Page, results: Table
) -> None:
    results.open(page)
    type_into(page, 2, 1, "half a wor", commit=False)
    page.reload()
    draft = page.get_by_test_id("draft")
    expect(draft).to_contain_text("half a wor")
    page.keyboard.press("Escape")
    expect(draft).to_have_count(0)
    type_into(page, 3, 1, "whole")
    expect(state(page)).to_have_text("saved")
    page.reload()
    expect(draft).to_contain_text("half a wor")
    draft.get_by_role("button", name="Later").click()
    expect(draft).to_have_count(0)
    type_into(page, 2, 1, "done")  # the cell itself has a text now
    expect(state(page)).to_have_text("saved")
    page.reload()
    expect(page.locator("[data-row='2'][data-col='1']")).to_contain_text("done")
    expect(draft).to_have_count(0)


def test_half_typed_text_is_a_draft_and_no_edit(page: Page, results: Table) -> None:
    results.open(page)
    type_into(page, 3, 0, "half a wor", commit=False)
    page.reload()
    draft = page.get_by_test_id("draft")
    expect(draft).to_contain_text("half a wor", timeout=20_000)
    assert "half a wor" not in results.stored()
    page.keyboard.press("Enter")  # go on
    page.keyboard.type("d")
    page.keyboard.press("Enter")
    expect(page.locator("[data-row='3'][data-col='0']")).to_contain_text("half a word")
    expect(state(page)).to_have_text("saved")
    assert "half a word" in results.stored()


def test_a_tab_closed_right_after_enter_has_saved_its_edit(context: BrowserContext, results: Table) -> None:
    page = context.new_page()
    results.open(page)
    type_into(page, 4, 0, "closing")
    page.close(run_before_unload=True)
    deadline = time.monotonic() + 10
    while "closing" not in results.stored() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert results.stored().count("closing") == 1


def test_two_quick_edits_of_one_cell_are_two_edits_and_both_can_be_undone(page: Page, results: Table) -> None:
    results.open(page)
    cell = page.locator("[data-row='5'][data-col='0']")
    before = cell.evaluate("cell => cell.firstChild.textContent")
    type_into(page, 5, 0, "one")
    page.keyboard.press("ArrowUp")
    page.keyboard.type("two")
    page.keyboard.press("Enter")
    expect(state(page)).to_have_text("saved")
    assert [text for text in results.stored() if text in ("one", "two")] == ["one", "two"]
    page.reload()
    expect(cell).to_contain_text("two", timeout=20_000)
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    expect(cell).to_contain_text(str(before))
    expect(state(page)).to_have_text("saved")


def test_the_second_of_two_people_sees_both_values_and_overwrites_nothing(
    page: Page, second: Page, transactions: Table
) -> None:
    transactions.open(page)
    transactions.open(second)
    type_into(page, 2, 1, "first person")
    expect(state(page)).to_have_text("saved")
    type_into(second, 2, 1, "second person")
    conflict = second.get_by_test_id("conflict")
    expect(conflict).to_contain_text("first person")
    expect(conflict).to_contain_text("second person")
    assert "second person" not in transactions.stored()
    conflict.get_by_role("button", name="Apply mine", exact=True).click()
    expect(second.locator("[data-row='2'][data-col='1']")).to_contain_text("second person")
    expect(state(second)).to_have_text("saved")
    assert transactions.stored()[-2:] == ["first person", "second person"]


def test_a_row_inserted_while_an_edit_is_refused_comes_after_the_same_row_as_it_was_meant(
    page: Page, second: Page, items: Table
) -> None:
    items.open(page)
    items.open(second)
    second.locator("[data-row='2'][data-col='0']").click()
    second.keyboard.press("Alt+Delete")
    expect(state(second)).to_have_text("saved")
    held: list[Route] = []
    page.route("**/api/table/*", lambda route: held.append(route))
    type_into(page, 6, 1, "mine")
    expect(state(page)).to_contain_text("set aside")
    page.keyboard.press("Alt+i")
    page.keyboard.type("below seven")
    page.keyboard.press("Enter")
    held.pop().continue_()
    page.unroute("**/api/table/*")
    conflict = page.get_by_test_id("conflict")
    expect(conflict).to_contain_text("a line inserted")
    conflict.get_by_role("button", name="Apply all mine").click()
    expect(state(page)).to_have_text("saved")
    expect(page.locator("[data-row='5'][data-col='1']")).to_contain_text("mine")
    expect(page.locator("[data-row='7']").filter(has_text="below seven")).to_be_visible()


def test_who_types_on_while_a_question_stands_there_writes_into_the_table_and_is_asked_again_at_rest(
    page: Page, second: Page, results: Table
) -> None:
    results.open(page)
    results.open(second)
    type_into(page, 3, 1, "theirs")
    expect(state(page)).to_have_text("saved")
    type_into(second, 3, 1, "mine")
    conflict = second.get_by_test_id("conflict")
    expect(conflict).to_be_visible()
    second.wait_for_timeout(1200)
    second.keyboard.type("typed on")
    expect(conflict).to_have_count(0)
    second.keyboard.press("Enter")
    expect(conflict).to_contain_text("mine")
    conflict.get_by_role("button", name="Apply all mine").click()
    expect(state(second)).to_have_text("saved")
    assert {"mine", "typed on"} <= set(results.stored())


def test_what_is_applied_while_the_table_is_read_anew_is_not_taken_for_there_already(
    page: Page, second: Page, results: Table
) -> None:
    results.open(page)
    results.open(second)
    type_into(page, 3, 1, "theirs, first")
    expect(state(page)).to_have_text("saved")
    type_into(second, 3, 1, "mine, then")
    conflict = second.get_by_test_id("conflict")
    expect(conflict).to_be_visible()
    second.wait_for_timeout(1200)
    type_into(page, 6, 1, "theirs, again")
    expect(state(page)).to_have_text("saved")
    answers: list[Route] = []
    second.route("**/api/table/**", lambda route: answers.append(route))
    second.keyboard.type("typed later")
    second.keyboard.press("Enter")
    expect(state(second)).to_have_text("not saved, 2 edits set aside")
    second.wait_for_timeout(2500)  # at rest: a question about a table that is not there yet would come by now
    every = conflict.get_by_role("button", name="Apply all mine")
    if every.is_visible():
        every.click()
    for answer in answers:
        answer.continue_()
    second.unroute("**/api/table/**")
    every.click()
    expect(state(second)).to_have_text("saved")
    assert {"mine, then", "typed later"} <= set(results.stored())


def test_a_tab_says_saved_again_once_another_tab_has_settled_what_was_set_aside(
    page: Page, context: BrowserContext, results: Table
) -> None:
    other = context.new_page()
    results.open(page)
    results.open(other)
    type_into(page, 2, 1, "one tab")
    expect(state(page)).to_have_text("saved")
    type_into(other, 2, 1, "other tab")
    conflict = other.get_by_test_id("conflict")
    expect(conflict).to_contain_text("other tab")
    expect(state(page)).to_have_text("not saved, 1 edit set aside")
    conflict.get_by_role("button", name="Apply mine", exact=True).click()
    expect(state(other)).to_have_text("saved")
    expect(state(page)).to_have_text("saved")


def test_edits_survive_a_killed_server(page: Page, app: App, transactions: Table) -> None:
    transactions.open(page)
    for row in range(3, 8):
        type_into(page, row, 1, f"killed {row}")
    # Whatever of these five was acknowledged by now must be there, and the rest must still come.
    app.kill()
    acknowledged = transactions.stored()
    page.locator("[data-row='8'][data-col='1']").evaluate("cell => cell.focus()")
    app.start()
    expect(state(page)).to_have_text("saved", timeout=60_000)
    stored = transactions.stored()
    assert stored[: len(acknowledged)] == acknowledged
    counted = Counter(text for text in stored if text.startswith("killed"))
    assert counted == {f"killed {row}": 1 for row in range(3, 8)}


def kill_all_with(word: str) -> None:
    """Kill every process that has the word on its command line: a browser with all its helpers."""
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if word.encode() in (process / "cmdline").read_bytes():
                os.kill(int(process.name), signal.SIGKILL)


def test_who_goes_on_typing_while_the_server_is_down_loses_nothing(page: Page, app: App, transactions: Table) -> None:
    transactions.open(page)
    page.locator("[data-row='12'][data-col='1']").click()
    app.kill()
    page.wait_for_timeout(4000)  # by now Streamlit has put its notice over the page
    for number in range(3):
        page.keyboard.type(f"down {number}")
        page.keyboard.press("Enter")
        page.wait_for_timeout(1500)
    expect(state(page)).to_contain_text("offline, 3 edits kept")
    app.start()
    expect(state(page)).to_have_text("saved", timeout=60_000)
    assert [text for text in transactions.stored() if text.startswith("down")] == ["down 0", "down 1", "down 2"]
    page.keyboard.type("up again")
    page.keyboard.press("Enter")
    expect(state(page)).to_have_text("saved")
    assert transactions.stored()[-1] == "up again"


# What Streamlit's notice does to the focus, again and again for a second instead of once at a chance moment.
THIEF = """() => {
    const [dialog, button] = [document.createElement("div"), document.createElement("button")];
    dialog.setAttribute("role", "dialog");
    dialog.append(button);
    document.body.append(dialog);
    const again = setInterval(() => button.focus(), 1);
    setTimeout(() => (clearInterval(again), dialog.remove()), 1500);
}"""


def test_no_key_is_lost_while_a_notice_takes_the_focus_again_and_again(page: Page, results: Table) -> None:
    results.open(page)
    before = Counter(results.stored())
    page.locator("[data-row='3'][data-col='1']").click()
    page.evaluate(THIEF)
    for text in ("first.1", "second.2", "third.3"):
        page.keyboard.type(text)
        page.keyboard.press("Enter")
    expect(state(page)).to_have_text("saved")
    made = Counter(results.stored()) - before
    assert made == Counter(["first.1", "second.2", "third.3"])


def test_who_went_to_another_part_of_the_page_types_there(page: Page, results: Table) -> None:
    results.open(page)
    before = results.stored()
    page.locator("[data-row='3'][data-col='1']").click()
    page.evaluate("window.heard = []; document.body.addEventListener('keydown', ({ key }) => window.heard.push(key))")
    page.mouse.click(900, 10)  # the empty part of the bar with the screens
    page.keyboard.press("x")
    assert page.evaluate("window.heard") == ["x"]
    assert results.stored() == before


def test_keys_go_on_after_a_click_on_nothing(page: Page, app: App, results: Table) -> None:
    results.open(page)
    page.locator("[data-row='1'][data-col='0']").click()
    below = page.get_by_role("grid").bounding_box()
    assert below is not None
    page.mouse.click(below["x"] + 100, 700)
    expect(page.locator("[data-row='1'][data-col='0']")).to_be_focused()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    page.goto(app.url)
    line = page.get_by_test_id("queue").get_by_role("option").first
    expect(line).to_be_focused()
    page.locator(".queue-keys").click()
    expect(line).to_be_focused()


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs /proc to find the processes of the browser")
def test_acknowledged_edits_survive_a_killed_browser(
    chromium: Browser, chromium_path: str | None, tmp_path: Path, transactions: Table
) -> None:
    def start() -> BrowserContext:
        return chromium.browser_type.launch_persistent_context(
            tmp_path / "profile",
            executable_path=chromium_path,
            args=["--no-sandbox", "--headless=new", "--disable-gpu"],
        )

    def mine() -> list[str]:
        return [text for text in transactions.stored() if text.startswith("browser")]

    killed = start()
    page = killed.new_page()
    transactions.open(page)
    for row in (10, 11):
        type_into(page, row, 1, f"browser {row}")
    expect(state(page)).to_have_text("saved")
    kill_all_with(str(tmp_path / "profile"))
    assert mine() == ["browser 10", "browser 11"]
    with suppress(Error):
        killed.close()

    again = start()
    page = again.new_page()
    transactions.open(page)
    expect(page.locator("[data-row='11'][data-col='1']")).to_contain_text("browser 11")
    again.close()
    assert mine() == ["browser 10", "browser 11"]
