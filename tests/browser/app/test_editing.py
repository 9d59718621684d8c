from __future__ import annotations

import json
import sqlite3
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Locator, Page, expect

if TYPE_CHECKING:
    from conftest import App

pytestmark = pytest.mark.browser

PASTE = """([review, text]) => {
    const data = new DataTransfer();
    data.setData("text/plain", text);
    data.setData("text/html", "<table><tr><td>from the HTML</td></tr></table>");
    const here = review.querySelector("td[tabindex='0']");
    here.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
}"""


def ask(app: App, sql: str, *values: object) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(f"file:{app.home / 'proofgrid.db'}?mode=ro", uri=True)
    found = connection.execute(sql, values).fetchall()
    connection.close()
    return found


def stored(app: App, name: str) -> list[dict[str, object]]:
    rows = ask(
        app, "select edit.body from edit join gold on edit.gold = gold.id where name = ? order by revision", name
    )
    return [json.loads(str(body)) for (body,) in rows]


def open_table(app: App, page: Page, name: str) -> None:
    ((key,),) = ask(app, "select id from gold where name = ?", name)
    page.goto(f"{app.url}/review?table={key}")
    expect(page.locator("[data-row='1']").first).to_be_visible(timeout=20_000)
    is_saved(page)
    if page.get_by_test_id("status").inner_text() == "accepted":
        page.get_by_test_id("reopen").click()
        expect(page.get_by_test_id("accept")).to_be_visible()


def is_saved(page: Page) -> None:
    expect(page.get_by_test_id("save-state")).to_have_text("saved")


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def cell(page: Page, row: int, col: int) -> Locator:
    return page.locator(f"[data-row='{row}'][data-col='{col}']")


def column(page: Page, col: int, rows: range) -> list[str]:
    return [cell(page, row, col).evaluate("td => td.firstChild?.data ?? ''") for row in rows]


def options(page: Page) -> Locator:
    return page.get_by_test_id("proposals").get_by_role("option")


def test_replace_shows_each_hit_before_and_leaves_out_what_the_person_takes_out(app: App, page: Page) -> None:
    open_table(app, page, "results")
    edits = len(stored(app, "results"))
    cell(page, 2, 1).click()
    press(page, "Control+h")
    expect(page.get_by_test_id("find-text")).to_be_focused()
    page.keyboard.type("iso 7")
    press(page, "Tab")
    page.keyboard.type("ISO/7")
    expect(page.get_by_test_id("find-count")).to_have_text("3 hits")
    expect(options(page).nth(0)).to_contain_text("ISO 7887→ISO/7887")
    assert len(stored(app, "results")) == edits
    press(page, "ArrowDown", "ArrowDown", " ")
    expect(page.get_by_test_id("find-count")).to_have_text("3 hits, 1 left out")
    press(page, "Enter")
    expect(cell(page, 1, 1)).to_contain_text("ISO/7887")
    assert column(page, 1, range(1, 3)) == ["ISO/7887", "ISO 7027-1"]
    is_saved(page)
    (replaced,) = stored(app, "results")[edits:]
    assert replaced["kind"] == "set_text"
    press(page, "Escape")
    expect(page.get_by_test_id("tray")).to_be_hidden()
    press(page, "Control+z")
    expect(cell(page, 1, 1)).to_contain_text("ISO 7887")


def test_enter_walks_the_hits_and_escape_gives_the_focus_back(app: App, page: Page) -> None:
    open_table(app, page, "results")
    cell(page, 3, 2).click()
    press(page, "Control+f")
    page.keyboard.type("mg/l")
    expect(page.get_by_test_id("find-count")).to_contain_text("hits")
    press(page, "Escape")
    expect(cell(page, 3, 2)).to_be_focused()
    press(page, "Control+f", "Enter")
    expect(page.get_by_test_id("find-text")).to_be_focused()
    expect(cell(page, 5, 2)).to_have_attribute("aria-selected", "true")
    press(page, "Enter")
    expect(cell(page, 6, 2)).to_have_attribute("aria-selected", "true")
    press(page, "Shift+Enter", "Escape")
    expect(cell(page, 5, 2)).to_be_focused()


def test_texts_of_a_column_are_tidied_as_one_edit(app: App, page: Page) -> None:
    open_table(app, page, "results")
    cell(page, 1, 5).click()
    press(page, "Alt+n")
    page.get_by_test_id("tidy-way").select_option("upper")
    expect(page.get_by_test_id("find-apply")).to_contain_text("Tidy 16 cells")
    expect(options(page).nth(1)).to_contain_text("complies→COMPLIES")
    page.get_by_test_id("find-apply").click()
    expect(cell(page, 2, 5)).to_contain_text("COMPLIES")
    press(page, "Escape", "Control+z")
    expect(cell(page, 2, 5)).to_contain_text("complies")
    expect(cell(page, 9, 5)).not_to_contain_text("COMPLIES")
    is_saved(page)


def test_a_correction_is_offered_for_its_kin_and_never_made_unasked(app: App, page: Page) -> None:
    open_table(app, page, "mechanical")
    cell(page, 2, 3).click()
    page.keyboard.type("388")
    press(page, "Enter")
    expect(page.get_by_test_id("kin-offer")).to_contain_text("The same change fits")
    assert column(page, 3, range(2, 5)) == ["388", "391 MPa", "382 MPa"]
    press(page, "Alt+j")
    expect(options(page).nth(0)).to_contain_text("≥ 355 MPa→≥ 355")
    expect(options(page).nth(0).locator("img")).to_be_visible()
    press(page, "ArrowDown", "ArrowDown", " ", "Enter")
    assert column(page, 3, range(2, 6)) == ["388", "391", "382 MPa", "402"]
    expect(page.get_by_test_id("tray")).to_be_hidden()
    is_saved(page)
    ((source,),) = ask(app, "select source from edit order by rowid desc limit 1")
    assert source == "kin"
    press(page, "Control+z")
    assert column(page, 3, range(2, 6)) == ["388", "391 MPa", "382 MPa", "402 MPa"]


def test_declined_kin_are_not_offered_again_and_an_offer_ends_with_the_next_edit(app: App, page: Page) -> None:
    open_table(app, page, "segments")
    cell(page, 6, 2).click()
    page.keyboard.type("-12.6")
    press(page, "Enter")
    expect(page.get_by_test_id("kin-offer")).to_be_visible()
    cell(page, 7, 2).click()
    page.keyboard.type("x")
    press(page, "Enter")
    expect(page.get_by_test_id("kin-offer")).to_be_hidden()
    press(page, "Control+z", "Control+z")
    cell(page, 6, 2).click()
    page.keyboard.type("-12.6")
    press(page, "Enter", "Alt+j")  # at once, as who knows the key does
    expect(options(page)).to_contain_text(["(9.8)→-9.8"])
    page.get_by_test_id("kin-decline").click()
    expect(page.get_by_test_id("kin-offer")).to_be_hidden()
    press(page, "Control+z")
    page.reload()
    expect(cell(page, 6, 2)).to_contain_text("(12.6)")
    cell(page, 6, 2).click()
    page.keyboard.type("-12.6")
    press(page, "Enter")
    page.wait_for_timeout(100)
    expect(page.get_by_test_id("kin-offer")).to_be_hidden()
    press(page, "Control+z")
    is_saved(page)


def test_rows_and_columns_move_with_their_marks_and_one_undo_brings_them_back(app: App, page: Page) -> None:
    open_table(app, page, "transactions")
    first, second = column(page, 1, range(1, 3))
    cell(page, 1, 1).click()
    press(page, "Alt+u", "Alt+Shift+ArrowDown")
    assert column(page, 1, range(1, 3)) == [second, first]
    expect(cell(page, 2, 1)).to_have_attribute("data-state", "unreadable")
    expect(cell(page, 2, 1)).to_be_focused()
    press(page, "Alt+Shift+ArrowLeft")
    assert column(page, 0, range(1, 3)) == [second, first]
    is_saved(page)
    assert [edit["kind"] for edit in stored(app, "transactions")][-2:] == ["move", "move"]
    page.reload()
    expect(cell(page, 2, 0)).to_contain_text(first)
    expect(cell(page, 2, 0)).to_have_attribute("data-state", "unreadable")
    press(page, "Control+z", "Control+z", "Control+z")
    assert column(page, 1, range(1, 3)) == [first, second]
    is_saved(page)


def test_a_merged_cell_in_the_way_is_told_and_nothing_moves(app: App, page: Page) -> None:
    open_table(app, page, "segments")
    cell(page, 3, 2).click()
    before = column(page, 2, range(2, 6))
    press(page, "Alt+Shift+ArrowUp")
    expect(page.get_by_test_id("message")).to_contain_text("The merged cell “Coastal freight” is in the way")
    assert column(page, 2, range(2, 6)) == before


def test_as_many_rows_are_inserted_or_duplicated_as_are_selected(app: App, page: Page) -> None:
    open_table(app, page, "line_items")
    rows = page.locator("tr.line").count()
    cell(page, 1, 0).click()
    press(page, "Shift+ArrowDown", "Alt+i")
    expect(page.locator("tr.line")).to_have_count(rows + 2)
    press(page, "Control+z")
    cell(page, 1, 0).click()
    press(page, "Shift+ArrowDown", "Alt+d")
    assert column(page, 0, range(1, 5)) == ["BF-00417", "BF-00422"] * 2
    press(page, "Control+z")
    assert column(page, 0, range(1, 4)) == ["BF-00417", "BF-00422", "BF-01105"]
    is_saved(page)


def test_a_block_larger_than_the_table_adds_the_rows_in_one_edit(app: App, page: Page) -> None:
    open_table(app, page, "line_items")
    cell(page, 12, 0).click()
    page.locator(".review").evaluate(
        f"(review, text) => ({PASTE})([review, text])", 'A-1\t"two\nlines"\nA-2\t0012\nA-3\t1,5'
    )
    expect(page.get_by_role("dialog")).to_contain_text("2 rows more")
    press(page, "Enter")
    assert column(page, 0, range(12, 15)) == ["A-1", "A-2", "A-3"]
    assert column(page, 1, range(12, 15)) == ["two\nlines", "0012", "1,5"]
    is_saved(page)
    assert stored(app, "line_items")[-1]["kind"] == "several"
    page.reload()
    expect(cell(page, 14, 1)).to_contain_text("1,5")
    press(page, "Control+z")
    expect(cell(page, 14, 0)).to_have_count(0)
    expect(cell(page, 12, 0)).to_contain_text("BF-09002")
    is_saved(page)


def test_span_and_headers_are_set_by_numbers(app: App, page: Page) -> None:
    open_table(app, page, "mechanical")
    cell(page, 0, 0).click()
    press(page, "Alt+e")
    press(page, "Tab")
    page.keyboard.type("12")
    press(page, "Enter")
    expect(page.get_by_role("dialog")).to_contain_text("Columns: a number from 1 to 9")
    press(page, "Control+a")
    page.keyboard.type("9")
    press(page, "Tab", "Tab")
    page.keyboard.type("2")
    press(page, "Enter")
    expect(cell(page, 0, 0)).to_have_attribute("colspan", "9")
    expect(cell(page, 0, 0)).to_contain_text("Probe Schmelze Lage Rp0,2 Rm A5 [%] Z [%] KV bei -20 °C Bewertung")
    expect(cell(page, 1, 3)).to_have_attribute("role", "columnheader")
    press(page, "Control+z")
    expect(cell(page, 0, 8)).to_have_text("Bewertung")
    expect(cell(page, 1, 3)).to_have_attribute("role", "gridcell")
    is_saved(page)


def test_a_text_is_split_at_the_caret_and_joined_again(app: App, page: Page) -> None:
    open_table(app, page, "transactions")
    cell(page, 1, 1).click()
    press(page, "F2", "Home", *["ArrowRight"] * 12, "Alt+Shift+s")
    expect(page.get_by_test_id("split-parts")).to_contain_text("Halden Water")
    page.get_by_test_id("split-into").select_option("rows")
    page.get_by_test_id("split-into").press("Enter")
    assert column(page, 1, range(1, 3)) == ["DIRECT DEBIT", "Halden Water Services 00471-9"]
    press(page, "Shift+ArrowDown", "Alt+Shift+m")
    assert column(page, 1, range(1, 3)) == ["DIRECT DEBIT Halden Water Services 00471-9", ""]
    press(page, "Control+z", "Control+z")
    assert column(page, 1, range(1, 3))[0] == "DIRECT DEBIT Halden Water Services 00471-9"
    assert "Greengrocer" in column(page, 1, range(1, 3))[1]
    is_saved(page)


def test_a_typed_text_goes_into_the_whole_selection_and_never_accepts_by_a_slip(app: App, page: Page) -> None:
    open_table(app, page, "results")
    cell(page, 1, 3).click()
    press(page, "Shift+ArrowDown", "Shift+ArrowDown")
    page.keyboard.type("n/a")
    press(page, "Control+Enter")
    expect(page.get_by_test_id("message")).to_contain_text("nothing was accepted")
    press(page, "Control+z")
    cell(page, 1, 3).click()
    press(page, "Shift+ArrowDown", "Shift+ArrowDown")
    page.keyboard.type("n/a")
    press(page, "Alt+t")
    assert column(page, 3, range(1, 4)) == ["n/a"] * 3
    press(page, "Control+z")
    assert column(page, 3, range(1, 4)) == ["15", "1.0", "6.5–9.5"]
    is_saved(page)


def test_row_column_and_table_are_selected_by_their_keys(app: App, page: Page) -> None:
    open_table(app, page, "results")
    ranged = page.locator("td.ranged")
    cell(page, 3, 2).click()
    press(page, "Shift+Space")
    expect(ranged).to_have_count(6)
    cell(page, 3, 2).click()
    press(page, "Control+Space")
    expect(ranged).to_have_count(16)
    press(page, "Control+a")
    expect(ranged).to_have_count(96)


def test_a_changed_key_works_is_told_everywhere_and_survives(app: App, page: Page) -> None:
    open_table(app, page, "results")
    key = page.locator("[data-key='fillDown']")
    told = page.get_by_test_id("keys-told")
    press(page, "?")
    key.click()
    press(page, "Control+t")
    expect(told).to_contain_text("belongs to the browser")
    key.click()
    press(page, "Alt+a")
    expect(told).to_contain_text("Alt+A is taken: Confirm the cell")
    key.click()
    press(page, "Alt+5")
    expect(told).to_have_text("Fill down: Alt+5.")
    page.locator("[data-key='nextDoubt']").click()
    press(page, "Alt+6")
    press(page, "Escape")
    page.reload()
    expect(page.get_by_role("button", name="Next doubt")).to_have_attribute("title", "Next doubt (Alt+6)")
    expect(page.get_by_role("button", name="Zoom in")).to_have_attribute("title", "Zoom in (Alt+=)")
    cell(page, 3, 3).click()
    press(page, "Alt+5")
    expect(cell(page, 3, 3)).to_contain_text("1.0")
    press(page, "Control+z", "?")
    page.get_by_test_id("keys-reset").click()
    expect(key).to_have_text("Ctrl+D")
    press(page, "Escape")
    expect(page.get_by_role("button", name="Next doubt")).to_have_attribute("title", "Next doubt (Alt+↓)")


def test_the_tab_counts_the_doubts_that_are_left(app: App, page: Page) -> None:
    open_table(app, page, "line_items")
    left = int(page.get_by_test_id("doubts").inner_text().split()[0])
    count = page.get_by_role("tab", selected=True).locator(".doubtful")
    expect(count).to_have_text(str(left))
    press(page, "Alt+ArrowDown", "Alt+a")
    expect(page.get_by_test_id("doubts")).to_have_text(f"{left - 1} doubts left")
    expect(count).to_have_text(str(left - 1))
    press(page, "Control+z")
    is_saved(page)
