"""What people complained about in other tools, as what is right; docs/acceptance.md lists them all."""

from __future__ import annotations

import json
import secrets
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, expect

from benchmarks.server import COMMAND
from store.formats.csv import read as read_csv
from store.formats.html import read as read_html
from store.formats.proofgrid_json import read_gold
from tests.browser.app.waiting import until

if TYPE_CHECKING:
    from conftest import App

pytestmark = pytest.mark.browser

MADE = "select body from edit where gold = ? order by revision"
ACTIVE = """const active = () => {
    let at = document.activeElement;
    while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    return at;
};"""
# Two edits of one cell, 80 ms apart, as one call: a driver that waits between keys could not be quick enough.
TWO_EDITS = f"""async () => {{
    {ACTIVE}
    const all = {{ bubbles: true, composed: true, cancelable: true }};
    const press = (key) => active().dispatchEvent(new KeyboardEvent("keydown", {{ key, ...all }}));
    for (const text of ["first", "second"]) {{
        press(text[0]);
        active().value = text;
        active().dispatchEvent(new InputEvent("input", all));
        press("Enter");
        press("ArrowUp");
        await new Promise((resolve) => setTimeout(resolve, 80));
    }}
}}"""
PASTE = f"""(review, text) => {{
    {ACTIVE}
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    const all = {{ bubbles: true, composed: true, cancelable: true }};
    active().dispatchEvent(new ClipboardEvent("paste", {{ clipboardData, ...all }}));
}}"""


def ask(app: App, sql: str, *values: object) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(f"file:{app.home / 'proofgrid.db'}?mode=ro", uri=True)
    found = connection.execute(sql, values).fetchall()
    connection.close()
    return found


def key_of(app: App, name: str) -> int:
    ((key,),) = ask(app, "select id from gold where name = ?", name)
    return int(str(key))


def open_table(app: App, page: Page, name: str) -> None:
    page.goto(f"{app.url}/review?table={key_of(app, name)}")
    expect(page.locator("[data-row='1']").first).to_be_visible(timeout=20_000)
    expect(state(page)).to_have_text("saved")


def state(page: Page) -> Locator:
    return page.get_by_test_id("save-state")


def cell(page: Page, row: int, col: int) -> Locator:
    return page.locator(f"[data-row='{row}'][data-col='{col}']")


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def typed(page: Page, row: int, col: int, text: str) -> None:
    cell(page, row, col).click()
    page.keyboard.type(text)
    press(page, "Enter")
    expect(state(page)).to_have_text("saved")


def paste(page: Page, text: str) -> None:
    page.locator(".review").evaluate(PASTE, text)


def stored(app: App, name: str) -> list[str]:
    rows = ask(app, "select body from edit where gold = ? order by revision", key_of(app, name))
    return [change["new"] for (body,) in rows for change in json.loads(str(body)).get("changes", [])]


def exported(app: App, to: Path, form: str, holding: str) -> bytes:
    """The one exported file that holds a text."""
    words = ["export", "--home", str(app.home), "--to", form, "--output", str(to)]
    done = subprocess.run([*COMMAND, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    [raw] = [raw for path in to.rglob("*") if path.is_file() and holding.encode() in (raw := path.read_bytes())]
    return raw


@pytest.fixture
def second(chromium: Browser) -> Iterator[Page]:
    other = chromium.new_context(viewport={"width": 1280, "height": 720})
    yield other.new_page()
    other.close()


def test_two_edits_of_one_cell_within_200_ms_survive_reload_and_kill_and_can_be_undone(app: App, page: Page) -> None:
    open_table(app, page, "items")
    cell(page, 2, 1).click()
    before = cell(page, 2, 1).evaluate("cell => cell.firstChild.textContent")
    # The first is still on its way when the second is made.
    page.route("**/api/edits", lambda route: (time.sleep(0.4), route.continue_()))
    page.locator(".review").evaluate(TWO_EDITS)
    expect(state(page)).to_have_text("saved")
    page.unroute("**/api/edits")
    page.reload()
    expect(cell(page, 2, 1)).to_contain_text("second", timeout=20_000)
    app.kill()
    app.start()
    open_table(app, page, "items")
    assert stored(app, "items") == ["first", "second"]
    press(page, "Control+z", "Control+z")
    expect(cell(page, 2, 1)).to_contain_text(str(before))
    expect(state(page)).to_have_text("saved")
    assert stored(app, "items") == ["first", "second", "first", before]


def test_a_text_being_typed_goes_on_while_a_refused_edit_brings_the_table_anew(
    app: App, page: Page, second: Page
) -> None:
    open_table(app, page, "transactions")
    open_table(app, second, "transactions")
    typed(second, 3, 1, "theirs")
    held: list[Route] = []
    page.route("**/api/table/*", lambda route: held.append(route))
    cell(page, 3, 1).click()
    page.keyboard.type("mine")
    press(page, "Enter")
    page.keyboard.type("half a wo")
    expect(state(page)).to_contain_text("set aside")  # the refusal is there, and the table is asked for
    until(page, lambda: held)[0].continue_()
    expect(cell(page, 3, 1)).to_contain_text("theirs")
    page.keyboard.type("rd")
    expect(page.get_by_test_id("conflict")).to_have_count(0)
    press(page, "Enter")
    expect(cell(page, 4, 1)).to_contain_text("half a word")
    conflict = page.get_by_test_id("conflict")  # comes once the person pauses
    expect(conflict).to_contain_text("mine")
    conflict.get_by_role("button", name="Discard mine", exact=True).click()
    expect(state(page)).to_have_text("saved")
    assert stored(app, "transactions") == ["theirs", "half a word"]


def test_opening_and_walking_through_every_table_writes_nothing(app: App, page: Page) -> None:
    def everything() -> list[object]:
        tables = ("received", "extraction", "edit", "verdict", "gold")
        return [ask(app, f"select * from {table} order by rowid") for table in tables]

    before = everything()
    for (key,) in ask(app, "select id from gold"):
        page.goto(f"{app.url}/review?table={key}")
        expect(page.get_by_role("grid")).to_be_visible(timeout=20_000)
        expect(state(page)).to_have_text("saved")
        press(page, "Control+End", "Control+Home", "ArrowDown", "Alt+ArrowDown", "Alt+v", "Alt+v", "Alt+v")
    page.goto("about:blank")
    assert everything() == before


def test_a_click_and_a_double_click_leave_the_value_as_it_is(app: App, page: Page) -> None:
    open_table(app, page, "results")
    before = [cell(page, 1, col).inner_text() for col in range(3)]
    for col in range(3):
        cell(page, 1, col).click()
        cell(page, 1, col).dblclick()
        expect(cell(page, 1, col).locator("textarea")).to_be_focused()
        press(page, "Enter")
    assert [cell(page, 1, col).inner_text() for col in range(3)] == before
    assert stored(app, "results") == []
    expect(state(page)).to_have_text("saved")


def test_numbers_are_pasted_as_they_were_copied(app: App, page: Page) -> None:
    texts = ["1.234,56", "(1 234)", "٢٬٣٤٥٫٦٧", "23,4", "0012", "عدد 12 قطعة", "3-4"]
    open_table(app, page, "results")
    cell(page, 1, 1).click()
    paste(page, "\n".join(texts))
    for row, text in enumerate(texts, start=1):
        expect(cell(page, row, 1)).to_contain_text(text)
    expect(state(page)).to_have_text("saved")
    assert stored(app, "results")[-len(texts) :] == texts
    press(page, "Control+z")
    expect(state(page)).to_have_text("saved")


def test_text_that_runs_from_right_to_left_is_edited_in_its_own_direction(app: App, page: Page) -> None:
    open_table(app, page, "items")
    cell(page, 4, 1).click()
    press(page, "F2", "Control+a")
    page.keyboard.insert_text("كأس 16 مل")
    field = cell(page, 4, 1).locator("textarea")
    assert field.evaluate("field => [field.value, getComputedStyle(field).direction]") == ["كأس 16 مل", "rtl"]
    press(page, "Enter")
    expect(state(page)).to_have_text("saved")
    assert stored(app, "items")[-1] == "كأس 16 مل"


def test_rows_inserted_and_deleted_just_before_the_tab_closes_are_kept(app: App, context: BrowserContext) -> None:
    page = context.new_page()
    open_table(app, page, "items")
    key = key_of(app, "items")
    before = len(ask(app, "select 1 from edit where gold = ?", key))
    cell(page, 3, 0).click()
    press(page, "Alt+i", "ArrowDown", "Alt+Delete")
    page.close(run_before_unload=True)
    again = context.new_page()
    open_table(app, again, "items")
    rows = ask(app, "select body from edit where gold = ? order by revision", key)[before:]
    assert [json.loads(str(body))["kind"] for (body,) in rows] == ["insert", "delete"]


def test_a_draft_never_outranks_a_newer_value(app: App, page: Page, second: Page) -> None:
    open_table(app, page, "line_items")
    cell(page, 1, 2).click()
    page.keyboard.type("an old dra")
    open_table(app, second, "line_items")
    cell(second, 1, 2).click()
    second.keyboard.type("the newer value")
    press(second, "Enter")
    expect(state(second)).to_have_text("saved")
    page.reload()
    draft = page.get_by_test_id("draft")
    expect(draft).to_contain_text("an old dra", timeout=20_000)
    draft.get_by_role("button", name="Discard").click()
    expect(cell(page, 1, 2)).to_contain_text("the newer value")
    assert stored(app, "line_items") == ["the newer value"]


def test_edits_made_after_the_sign_in_expired_are_sent_after_the_next_one(app: App, page: Page) -> None:
    open_table(app, page, "transactions")
    (app.home / "secret").write_bytes(secrets.token_bytes(32))  # no token of before is good any more
    cell(page, 6, 1).click()
    for number in range(3):
        page.keyboard.type(f"expired {number}")
        press(page, "Enter")
    expect(state(page)).to_contain_text("3 edits")
    assert not [text for text in stored(app, "transactions") if text.startswith("expired")]
    page.reload()
    expect(state(page)).to_have_text("saved", timeout=20_000)
    mine = [text for text in stored(app, "transactions") if text.startswith("expired")]
    assert mine == ["expired 0", "expired 1", "expired 2"]


def test_the_place_is_kept_when_checks_are_worked_out_anew(app: App, page: Page) -> None:
    open_table(app, page, "transactions")
    press(page, "Control+End", *["ArrowUp"] * 5)
    pane = page.get_by_test_id("grid")
    scrolled = pane.evaluate("pane => pane.scrollTop")
    assert scrolled > 0
    page.keyboard.type("12.00")
    press(page, "Enter")
    expect(state(page)).to_have_text("saved")
    page.wait_for_timeout(300)
    assert abs(pane.evaluate("pane => pane.scrollTop") - scrolled) < 2
    expect(page.locator("[role=gridcell][aria-selected='true']")).to_be_focused()
    press(page, "Control+z")
    expect(state(page)).to_have_text("saved")


def test_a_span_of_twelve_columns_and_two_header_levels_leave_and_come_back(
    app: App, page: Page, tmp_path: Path
) -> None:
    open_table(app, page, "segments")
    page.get_by_test_id("reopen").press("Enter")
    columns = page.locator("[data-row='0']").evaluate_all("cells => cells.reduce((sum, one) => sum + one.colSpan, 0)")
    cell(page, 0, 0).click()
    press(page, "Control+End", *["Alt+l"] * (14 - columns))
    press(page, "Control+Home", "Alt+Shift+i")
    for _ in range(11):
        press(page, "Shift+ArrowRight")
    press(page, "Alt+m")
    page.keyboard.type("All of it")
    press(page, "Enter")
    expect(page.locator("[data-row='0'][data-col='0']")).to_have_attribute("colspan", "12")
    expect(page.locator("[data-row='0'][data-col='0']")).to_contain_text("All of it")
    expect(state(page)).to_have_text("saved")
    press(page, "Control+Enter")
    expect(page.get_by_test_id("receipt")).to_contain_text("segments")
    html = read_html(exported(app, tmp_path / "html", "html", "All of it"), name="segments.html").tables[0].table
    [top] = [one for one in html.cells if one.text == "All of it"]
    assert (top.col_span, top.header, html.header_rows) == (12, "column", 3)
    csv = read_csv(exported(app, tmp_path / "csv", "csv", "All of it"), name="segments.csv").tables[0].table
    assert (csv.n_rows, csv.n_cols) == (html.n_rows, html.n_cols)
    [gold] = read_gold(exported(app, tmp_path / "gold", "gold", "All of it")).tables
    spans = [[(one.row, one.col, one.row_span, one.col_span) for one in table.cells] for table in (gold.table, html)]
    assert spans[0] == spans[1]


def test_a_table_accepted_twice_counts_once(app: App, page: Page) -> None:
    name = ask(app, "select name from gold where id in (select gold from verdict) order by id")[0][0]

    def scored() -> object:
        words = ["score", "--home", str(app.home), "--json"]
        done = subprocess.run([*COMMAND, *words], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        effort = {"active_ms": 0, "edits": 0}
        return json.loads(
            done.stdout, object_hook=lambda one: {**one, **{key: effort[key] for key in effort.keys() & one.keys()}}
        )

    def accepted_again(change: str | None = None) -> str:
        open_table(app, page, str(name))
        page.get_by_test_id("reopen").press("Enter")
        expect(page.get_by_test_id("accept")).to_be_visible()
        old = str(cell(page, 1, 0).evaluate("cell => cell.firstChild.textContent"))
        if change is not None:
            typed(page, 1, 0, change)
        press(page, "Control+Enter")
        expect(page.get_by_test_id("receipt")).to_be_visible()
        return old

    before = scored()
    accepted_again()
    assert scored() == before
    old = accepted_again("something else")
    assert scored() != before  # the version that was accepted last is the answer
    accepted_again(old)
    assert scored() == before


def test_leaving_a_cell_confirms_nothing_and_a_row_is_confirmed_as_far_as_it_was_seen(app: App, page: Page) -> None:
    open_table(app, page, "items")
    before = ask(app, MADE, key_of(app, "items"))
    cell(page, 3, 1).click()
    expect(cell(page, 3, 1)).to_have_attribute("data-state", "seen")
    press(page, "ArrowDown", "ArrowUp")
    assert ask(app, MADE, key_of(app, "items")) == before
    press(page, "Alt+r")
    expect(page.get_by_test_id("message")).to_contain_text("were not looked at and stay unconfirmed")
    expect(state(page)).to_have_text("saved")
    ((body,),) = ask(app, MADE, key_of(app, "items"))[len(before) :]
    edit = json.loads(str(body))
    assert edit["kind"] == "mark"
    assert [(one["row"], one["col"], one["new"]) for one in edit["changes"]] == [(3, 1, "confirmed")]
