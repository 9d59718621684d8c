from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

if TYPE_CHECKING:
    from conftest import App

pytestmark = pytest.mark.browser

FOCUS = """() => {
    let here = document.activeElement;
    while (here?.shadowRoot?.activeElement) here = here.shadowRoot.activeElement;
    return here?.closest("nav") ? "menu" : here?.closest("[data-area]")?.dataset.area ?? here?.tagName;
}"""


def ask(app: App, sql: str, *values: object) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(f"file:{app.home / 'proofgrid.db'}?mode=ro", uri=True)
    found = connection.execute(sql, values).fetchall()
    connection.close()
    return found


def open_table(app: App, page: Page, name: str) -> None:
    ((key,),) = ask(app, "select id from gold where name = ?", name)
    page.goto(f"{app.url}/review?table={key}")
    expect(page.locator("[data-row='1']").first).to_be_visible(timeout=20_000)
    expect(page.get_by_test_id("save-state")).to_have_text("saved")


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


@pytest.fixture(scope="module")
def line_items(app: App, chromium: Browser) -> Iterator[Page]:
    """The line items of an invoice, opened once for the tests that change nothing."""
    with chromium.new_context(viewport={"width": 1280, "height": 720}) as context:
        page = context.new_page()
        open_table(app, page, "line_items")
        yield page


def cell(page: Page, row: int, col: int) -> Locator:
    return page.locator(f"[data-row='{row}'][data-col='{col}']")


def at_the_start(page: Page) -> Page:
    page.locator("[data-row='1'][data-col='0']").click()
    expect(cell(page, 1, 0)).to_be_focused()
    return page


def selected(page: Page) -> dict[str, int]:
    found: dict[str, int] = page.locator(".review").evaluate("review => review.__review.selected()")
    return found


def test_a_box_on_the_page_selects_its_cell_and_keeps_away_from_the_print(line_items: Page) -> None:
    page = at_the_start(line_items)
    page.locator(".boxes .cell[data-cell='7,1']").click()
    expect(cell(page, 7, 1)).to_have_attribute("aria-selected", "true")
    expect(cell(page, 7, 1)).to_be_focused()
    for _ in range(2):
        width, padding = page.locator(".boxes .selected").evaluate(
            "box => [box.parentElement.clientWidth, getComputedStyle(box).padding]"
        )
        assert padding == "2px"  # of the screen, at any zoom
        page.get_by_role("button", name="Zoom in").click()
    assert page.locator(".boxes").first.evaluate("boxes => boxes.clientWidth") > width


def test_selecting_a_cell_of_the_second_page_scrolls_its_box_into_view(app: App, page: Page) -> None:
    open_table(app, page, "transactions")
    expect(page.locator(".leaf[data-page='1'] .selected")).to_be_in_viewport()
    press(page, "Control+End")
    expect(page.locator(".leaf[data-page='2'] .selected")).to_be_in_viewport()


@pytest.mark.parametrize("name", ["segments", "prices"])
def test_the_crop_strip_shows_nothing_beyond_the_page(app: App, page: Page, name: str) -> None:
    open_table(app, page, name)
    for corner in ("Control+Home", "Control+End"):
        press(page, corner)
        strip = page.get_by_test_id("crop")
        expect(strip.locator("img")).to_be_visible()
        hidden = """strip => {
            const [outer, inner] = [strip, strip.querySelector("img")].map((one) => one.getBoundingClientRect());
            return inner.left <= outer.left + 1 && inner.right >= outer.right - 1
                && inner.top <= outer.top + 1 && inner.bottom >= outer.bottom - 2;
        }"""
        assert strip.evaluate(hidden), corner


def test_words_taken_from_the_page_fill_text_and_box(app: App, page: Page) -> None:
    open_table(app, page, "line_items")
    cell(page, 1, 1).click()
    expect(page.locator(".boxes .selected")).to_be_in_viewport()
    word = page.locator(".boxes .cell[data-cell='2,1']").bounding_box()
    assert word is not None
    before = page.locator(".boxes .selected").bounding_box()
    press(page, "Alt+p")
    middle = word["y"] + word["height"] / 2
    page.mouse.move(word["x"], middle)
    page.mouse.down()
    page.mouse.move(word["x"] + word["width"], middle + 1, steps=4)
    expect(page.locator(".boxes .word").first).to_be_visible()
    page.mouse.up()
    expect(cell(page, 1, 1)).to_contain_text("Erlenmeyer flask, 500 ml, narrow neck")
    expect(page.get_by_test_id("save-state")).to_have_text("saved")
    after = page.locator(".boxes .selected").bounding_box()
    assert before is not None
    assert after is not None
    assert abs(after["y"] - word["y"]) < 4 < abs(after["y"] - before["y"])
    press(page, "Escape", "Control+z")
    expect(cell(page, 1, 1)).to_contain_text("Borosilicate beaker")
    expect(page.get_by_test_id("save-state")).to_have_text("saved")


def test_merged_cells_are_drawn_and_walked_by_the_arrow_keys(app: App, page: Page) -> None:
    open_table(app, page, "segments")
    assert cell(page, 2, 0).evaluate("td => td.rowSpan") == 3
    cell(page, 4, 1).click()
    press(page, "ArrowLeft")
    assert selected(page) == {"row": 2, "col": 0}
    press(page, "ArrowRight")
    assert selected(page) == {"row": 4, "col": 1}
    press(page, "ArrowLeft", "ArrowDown")
    assert selected(page) == {"row": 5, "col": 0}


def test_arrow_keys_follow_the_eye_in_a_right_to_left_table(app: App, page: Page) -> None:
    open_table(app, page, "prices")
    cell(page, 5, 2).click()
    first = cell(page, 5, 2).bounding_box()
    press(page, "ArrowLeft")
    second = cell(page, 5, 3).bounding_box()
    assert selected(page) == {"row": 5, "col": 3}
    assert first is not None
    assert second is not None
    assert second["x"] < first["x"]


def test_a_field_of_a_form_is_stored_at_its_true_row_and_column(app: App, page: Page) -> None:
    open_table(app, page, "statement")
    press(page, "ArrowDown", "ArrowDown")
    assert selected(page) == {"row": 1, "col": 2}
    old = cell(page, 1, 2).evaluate("cell => cell.firstChild.textContent")
    page.keyboard.type("00000042-1")
    press(page, "Enter")
    expect(cell(page, 1, 2)).to_contain_text("00000042-1")
    expect(page.get_by_test_id("save-state")).to_have_text("saved")
    ((body,),) = ask(app, "select body from edit order by rowid desc limit 1")
    assert json.loads(str(body))["changes"] == [{"row": 1, "col": 2, "old": old, "new": "00000042-1"}]


def test_the_help_opens_with_a_question_mark_and_closes_with_escape(line_items: Page) -> None:
    page = at_the_start(line_items)
    press(page, "?")
    expect(page.get_by_role("dialog", name="Keys")).to_contain_text("F6")
    press(page, "Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(cell(page, 1, 0)).to_be_focused()


def test_f6_walks_from_the_table_to_the_menu_and_back(line_items: Page) -> None:
    page = at_the_start(line_items)
    expect(cell(page, 1, 0)).to_be_focused()
    visited = []
    for key in ("F6",) * 5 + ("Shift+F6",) * 2:
        press(page, key)
        visited.append(page.evaluate(FOCUS))
    assert visited == ["menu", "top", "page", "view", "table", "view", "page"]
    press(page, "Escape")
    expect(cell(page, 1, 0)).to_be_focused()


def test_cells_can_be_read_in_the_dark_theme(app: App, chromium: Browser) -> None:
    with chromium.new_context(viewport={"width": 1280, "height": 720}, color_scheme="dark") as context:
        page = context.new_page()
        open_table(app, page, "results")
        ratios = page.get_by_test_id("grid").evaluate(
            """grid => {
                const paper = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
                const light = (color) => {
                    paper.fillStyle = color;
                    paper.fillRect(0, 0, 1, 1);
                    const [r, g, b] = [...paper.getImageData(0, 0, 1, 1).data].map((part) => part / 255)
                        .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
                    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
                };
                return [...grid.querySelectorAll("td")].map((td) => {
                    const { color, backgroundColor } = getComputedStyle(td);
                    const [low, high] = [light(color), light(backgroundColor)].sort((one, other) => one - other);
                    return [light(backgroundColor), (high + 0.05) / (low + 0.05)];
                });
            }"""
        )
    assert max(ground for ground, _ in ratios) < 0.2
    assert min(ratio for _, ratio in ratios) >= 4.5


def test_a_screen_reader_finds_grid_headers_values_and_named_buttons(line_items: Page) -> None:
    page = at_the_start(line_items)
    expect(page.get_by_role("grid", name="Gold table")).to_match_aria_snapshot(
        """
        - grid:
          - rowgroup:
            - row:
              - rowheader "Header"
              - columnheader "article"
              - columnheader "description"
        """
    )
    expect(page.get_by_role("gridcell", name="Erlenmeyer flask, 500 ml, narrow neck").first).to_be_visible()
    expect(page.get_by_role("radio", name="Aligned")).to_be_checked()
    expect(page.get_by_role("tab", selected=True)).to_contain_text("Line items")
    for button in page.locator(".review button:visible").all():
        expect(button).to_have_accessible_name(re.compile(r"\S"))
    expect(page.locator(".live")).to_have_text(re.compile(r"Row 1\. Article\. BF-00417\. High confidence\."))


def test_twelve_rows_and_everything_else_fit_at_1280_by_720(line_items: Page) -> None:
    page = at_the_start(line_items)
    expect(cell(page, 12, 5)).to_be_in_viewport(ratio=1)
    expect(page.get_by_test_id("inspector")).to_be_in_viewport(ratio=1)
    assert page.get_by_test_id("grid").evaluate("pane => pane.scrollHeight <= pane.clientHeight")


def test_nothing_is_out_of_reach_at_200_percent_zoom(app: App, chromium: Browser) -> None:
    with chromium.new_context(viewport={"width": 640, "height": 360}, device_scale_factor=2) as context:
        page = context.new_page()
        open_table(app, page, "line_items")
        for reached in ("accept", "flag", "skip", "take", "order", "inspector"):
            page.get_by_test_id(reached).scroll_into_view_if_needed()
            expect(page.get_by_test_id(reached)).to_be_in_viewport(ratio=0.9)
        press(page, "Control+End")
        cell(page, 12, 5).scroll_into_view_if_needed()
        expect(cell(page, 12, 5)).to_be_in_viewport(ratio=0.9)


def test_an_accepted_table_is_read_only_until_it_is_reopened(app: App, page: Page) -> None:
    open_table(app, page, "print_jobs")
    expect(page.get_by_test_id("status")).to_have_text("accepted")
    page.keyboard.type("x")
    expect(page.get_by_test_id("message")).to_contain_text("Reopen it to change it")
    expect(page.get_by_role("tab", selected=True)).to_contain_text("✓")
    page.get_by_test_id("reopen").click()
    expect(page.get_by_test_id("accept")).to_be_visible()
    expect(page.get_by_role("tab", selected=True)).not_to_contain_text("✓")


def test_the_view_of_the_first_extraction_stays_at_the_matched_cell(app: App, page: Page) -> None:
    open_table(app, page, "prices")
    missed = page.locator(".line-missed td").first
    expect(missed).to_be_visible()
    cell(page, 9, 1).click()
    press(page, "Alt+v", "Alt+v")
    expect(page.get_by_test_id("inspector")).to_contain_text("First extraction, row 8")
    press(page, "Alt+v")
    assert selected(page) == {"row": 9, "col": 1}


def test_edits_left_behind_are_sent_when_another_table_is_opened(app: App, context: BrowserContext) -> None:
    page = context.new_page()
    open_table(app, page, "quotation")
    context.route("**/api/edits", lambda route: route.abort())
    page.keyboard.type("left behind")
    press(page, "Enter")
    expect(page.get_by_test_id("save-state")).to_have_text(re.compile("offline, 1 edit kept"))
    page.evaluate("navigator.sendBeacon = () => false")
    page.goto("about:blank")
    assert not ask(app, "select 1 from edit where body like '%left behind%'")
    context.unroute("**/api/edits")
    open_table(app, page, "results")
    page.wait_for_function("!Object.keys(localStorage).some((key) => key.startsWith('proofgrid/outbox'))")
    assert len(ask(app, "select 1 from edit where body like '%left behind%'")) == 1
