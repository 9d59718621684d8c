"""What axe-core finds on each screen, and what it cannot see: bidi, input methods, zoom."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import axe_playwright_python
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

if TYPE_CHECKING:
    from conftest import App

pytestmark = pytest.mark.browser

AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text(encoding="utf-8")
# Streamlit's own markup, by what it violates there.
NOT_OURS = {
    "color-contrast": "[data-testid=stCaptionContainer]",
    "nested-interactive": "[data-testid=stFileUploader]",
    "scrollable-region-focusable": "[data-testid=stDataFrame]",
}


def gold_of(app: App, name: str) -> int:
    connection = sqlite3.connect(f"file:{app.home / 'proofgrid.db'}?mode=ro", uri=True)
    ((key,),) = connection.execute("select id from gold where name = ?", (name,)).fetchall()
    connection.close()
    return int(key)


def open_table(app: App, page: Page, name: str) -> None:
    page.goto(f"{app.url}/review?table={gold_of(app, name)}")
    expect(page.locator("[data-row='1']").first).to_be_visible(timeout=20_000)
    expect(page.get_by_test_id("save-state")).to_have_text("saved")


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def cell(page: Page, row: int, col: int) -> Locator:
    return page.locator(f"td[data-row='{row}'][data-col='{col}']")


def violations(page: Page) -> list[str]:
    page.evaluate(AXE + "; undefined")
    excluded = {"exclude": [[selector] for selector in NOT_OURS.values()], "include": [["body"]]}
    found: dict[str, Any] = page.evaluate(
        "([context, run]) => axe.run(context, run)", [excluded, {"resultTypes": ["violations"]}]
    )
    return [
        f"{one['id']}: {node['html'][:200]}"
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]


@pytest.mark.parametrize(
    ("screen", "shows"),
    [
        ("", "queue"),
        ("results", "results-summary"),
        ("compare", "compare-runs"),
        ("confidence", "confidence-fields"),
        ("document", "differences"),
        ("import", "stFileUploader"),
    ],
)
def test_no_screen_has_a_serious_fault_of_accessibility(app: App, page: Page, screen: str, shows: str) -> None:
    page.goto(f"{app.url}/{screen}")
    expect(page.get_by_test_id(shows).first).to_be_visible(timeout=20_000)
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)
    assert violations(page) == []


def views(page: Page) -> None:
    for name in ("Gold only", "First only", "Aligned"):
        page.get_by_role("radio", name=name).click()
        assert violations(page) == [], name


def help_open(page: Page) -> None:
    press(page, "F1")
    expect(page.get_by_role("dialog")).to_be_visible()


def a_range_while_editing(page: Page) -> None:
    press(page, "Shift+ArrowDown", "Shift+ArrowRight", "F2")
    expect(page.locator("textarea.editor")).to_be_focused()


@pytest.mark.parametrize(
    ("table", "state", "scheme"),
    [
        ("line_items", views, "light"),
        ("line_items", views, "dark"),
        ("line_items", help_open, "light"),
        ("line_items", a_range_while_editing, "dark"),
        ("statement", None, "light"),
        ("prices", None, "dark"),
        ("segments", None, "light"),
    ],
)
def test_the_review_has_no_serious_fault_of_accessibility(
    app: App, chromium: Browser, table: str, state: Callable[[Page], None] | None, scheme: Any
) -> None:
    with chromium.new_context(viewport={"width": 1280, "height": 720}, color_scheme=scheme) as context:
        page = context.new_page()
        open_table(app, page, table)
        if state:
            state(page)
        assert violations(page) == []


def test_the_grid_tells_its_size_places_and_what_can_be_changed(app: App, page: Page) -> None:
    open_table(app, page, "prices")
    grid = page.get_by_role("grid")
    rows, cols = (int(str(grid.get_attribute(f"aria-{axis}count"))) for axis in ("row", "col"))
    assert page.locator("tr[aria-rowindex]").count() == rows
    assert page.locator(f"[aria-colindex='{cols}']").count() > 0
    assert page.locator(f"[aria-colindex='{cols + 1}']").count() == 0
    assert grid.locator("[tabindex='0']").count() == 1
    expect(grid).to_have_attribute("aria-multiselectable", "true")
    assert page.locator("td[data-row]:not([aria-readonly='true'])").count() == 0  # the table is accepted
    press(page, "Alt+v", "Alt+v")
    expect(grid).to_have_attribute("aria-readonly", "true")


def test_each_cell_has_a_direction_of_its_own_in_mirrored_columns(app: App, page: Page) -> None:
    open_table(app, page, "prices")
    pane = page.get_by_test_id("grid")
    lefts = pane.evaluate(
        "pane => [...pane.querySelectorAll(\"td[data-row='5']\")].map((td) => td.getBoundingClientRect().left)"
    )
    assert lefts == sorted(lefts, reverse=True)
    numbers = page.locator("th.gutter").last.bounding_box()
    assert numbers is not None
    assert numbers["x"] > lefts[0]
    looks = "td => [td.dir, getComputedStyle(td).unicodeBidi]"
    assert cell(page, 5, 1).evaluate(looks) == ["auto", "isolate"]


def test_numbers_of_rows_without_a_match_are_aligned_like_the_others(app: App, page: Page) -> None:
    open_table(app, page, "transactions")
    press(page, "Control+Home", "ArrowDown", "ArrowDown", "Alt+Delete")
    alone = page.locator("tr.line-extra td")
    expect(alone.first).to_be_visible()
    column = "td => getComputedStyle(td).textAlign"
    beside = [cell(page, 3, col).evaluate(column) for col in range(alone.count())]
    assert [td.evaluate(column) for td in alone.all()] == beside
    assert "right" in beside
    press(page, "Control+z")
    expect(alone).to_have_count(0)
    expect(page.get_by_test_id("save-state")).to_have_text("saved")


def test_a_composition_that_begins_on_a_cell_goes_into_the_editor_whole(app: App, page: Page) -> None:
    open_table(app, page, "line_items")
    press(page, "Control+Home", "ArrowDown", "ArrowRight")
    keyboard = page.context.new_cdp_session(page)
    # As an input method does it: the press has no letter, the composition follows in what has the focus then.
    keyboard.send(
        "Input.dispatchKeyEvent", {"type": "rawKeyDown", "key": "Process", "code": "KeyN", "windowsVirtualKeyCode": 229}
    )
    for text in ("に", "にほ", "日本"):
        keyboard.send("Input.imeSetComposition", {"text": text, "selectionStart": len(text), "selectionEnd": len(text)})
    editor = page.locator("textarea.editor")
    expect(editor).to_have_value("日本")
    # Enter that ends the composition is no Enter that commits the cell.
    keyboard.send(
        "Input.dispatchKeyEvent", {"type": "rawKeyDown", "key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 229}
    )
    expect(editor).to_be_focused()
    keyboard.send("Input.insertText", {"text": "日本語"})
    expect(editor).to_have_value("日本語")
    press(page, "Enter")
    expect(cell(page, 1, 1)).to_contain_text("日本語")
    expect(cell(page, 2, 1)).to_be_focused()
    press(page, "Control+z")
    expect(cell(page, 1, 1)).not_to_contain_text("日本語")
    expect(page.get_by_test_id("save-state")).to_have_text("saved")


def test_escape_in_a_composition_ends_the_composition_alone(app: App, page: Page) -> None:
    open_table(app, page, "line_items")
    press(page, "Control+Home", "ArrowDown", "ArrowRight", "F2")
    editor = page.locator("textarea.editor")
    before = editor.input_value()
    keyboard = page.context.new_cdp_session(page)
    keyboard.send("Input.imeSetComposition", {"text": "か", "selectionStart": 1, "selectionEnd": 1})
    expect(editor).to_have_value(before + "か")
    keyboard.send(
        "Input.dispatchKeyEvent",
        {"type": "rawKeyDown", "key": "Escape", "code": "Escape", "windowsVirtualKeyCode": 229},
    )
    keyboard.send("Input.imeSetComposition", {"text": "", "selectionStart": 0, "selectionEnd": 0})
    expect(editor).to_be_focused()
    expect(editor).to_have_value(before)
    press(page, "Escape")
    expect(editor).to_have_count(0)


@pytest.mark.parametrize(("width", "height"), [(640, 360), (480, 720)])
def test_every_cell_is_reached_in_a_small_window(app: App, chromium: Browser, width: int, height: int) -> None:
    with chromium.new_context(viewport={"width": width, "height": height}) as context:
        page = context.new_page()
        open_table(app, page, "prices")
        for corner in ("Control+End", "Control+Home", "End", "PageDown"):
            press(page, corner)
            within = """td => {
                const [inner, pane] = [td, td.closest(".grid-pane")].map((one) => one.getBoundingClientRect());
                return inner.top >= pane.top - 1 && inner.bottom <= pane.bottom + 1
                    && inner.right > pane.left + 20 && inner.left < pane.right - 20;
            }"""
            here = page.locator("td[tabindex='0']")
            assert here.evaluate(within), (corner, here.bounding_box(), page.get_by_test_id("grid").bounding_box())
        for reached in ("reopen", "inspector"):
            page.get_by_test_id(reached).scroll_into_view_if_needed()
            expect(page.get_by_test_id(reached)).to_be_in_viewport(ratio=0.5)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth + 1")
