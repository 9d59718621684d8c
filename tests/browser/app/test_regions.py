"""Regions drawn on a page, by mouse and by keyboard, read by the real extractor and taken into gold."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from importlib import util
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.app.waiting import at_rest, painted, until

if TYPE_CHECKING:
    from conftest import App

SAMPLES = Path(__file__).parents[3] / "sample_docs"
# Loading the engines takes a while on a busy machine.
LONG_MS = 90_000
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(util.find_spec("img2table") is None, reason="img2table is not installed"),
]


def rows(app: App, sql: str, *values: Any) -> list[Any]:
    with closing(sqlite3.connect(f"file:{app.home / 'proofgrid.db'}?mode=ro", uri=True)) as connection:
        return connection.execute(sql, values).fetchall()


def open_table(app: App, page: Page, name: str) -> int:
    ((key,),) = rows(app, "select id from gold where name = ?", name)
    page.goto(f"{app.url}/review?table={key}")
    expect(page.locator("[data-row='1']").first).to_be_visible()
    expect(page.get_by_test_id("save-state")).to_have_text("saved")
    page.locator(".leaf[data-page='1'] .face > img").evaluate("img => img.decode()")
    return int(key)


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def corners(page: Page, number: int = 1) -> dict[str, float]:
    box = page.locator(f".leaf[data-page='{number}']").bounding_box()
    assert box is not None
    return dict(box)


def drag(page: Page, x0: float, y0: float, x1: float, y1: float, *, key: str = "") -> None:
    """Draw a box, given in fractions of the first page."""
    leaf = corners(page)
    if key:
        page.keyboard.down(key)
    page.mouse.move(leaf["x"] + x0 * leaf["width"], leaf["y"] + y0 * leaf["height"])
    page.mouse.down()
    page.mouse.move(leaf["x"] + x1 * leaf["width"], leaf["y"] + y1 * leaf["height"], steps=5)
    page.mouse.up()
    if key:
        page.keyboard.up(key)


def drawn(page: Page) -> list[float]:
    """The box as it stands on the page, in fractions."""
    style = page.get_by_test_id("region").evaluate(
        "one => [one.style.left, one.style.top, one.style.width, one.style.height]"
    )
    left, top, width, height = (float(part.removesuffix("%")) / 100 for part in style)
    return [round(side, 3) for side in (left, top, left + width, top + height)]


def last_region(app: App) -> dict[str, Any]:
    ((parameters,),) = rows(
        app, "select parameters from run where extractor like 'by region, %' order by id desc limit 1"
    )
    return dict(json.loads(parameters)["region"])


def test_a_missed_table_is_drawn_read_and_added_by_keyboard_alone(app: App, page: Page) -> None:
    key = open_table(app, page, "line_items")
    ((first,),) = rows(
        app, "select min(id) from extraction where document = (select document from gold where id = ?)", key
    )
    press(page, "Alt+Shift+P")
    before = drawn(page)
    press(page, "ArrowUp", "ArrowLeft", "Shift+ArrowRight", "Shift+ArrowDown", "Control+ArrowDown")
    after = drawn(page)
    assert [round(now - was, 3) for now, was in zip(after, before, strict=True)] == [-0.02, -0.016, 0.0, 0.004]
    press(page, *["ArrowLeft"] * 3, *["Shift+ArrowRight"] * 8, *["ArrowUp"] * 30, *["Shift+ArrowUp"] * 5)
    assert drawn(page)[1] == 0
    box = drawn(page)
    press(page, "Enter")
    result = page.get_by_test_id("region-result")
    expect(result).to_be_visible(timeout=LONG_MS)
    assert [round(side, 3) for side in last_region(app)["box"]] == box
    expect(result.get_by_role("cell").filter(has_text="INV-2024-10583").first).to_be_visible()
    expect(page.get_by_test_id("region-add")).to_be_focused()
    press(page, "Enter")
    tab = page.get_by_role("tab", selected=True)
    expect(tab).to_contain_text("Drawn on page 1")
    expect(page.get_by_test_id("region-bar")).to_be_hidden()
    expect(page.get_by_role("grid")).to_contain_text("INV-2024-10583")
    expect(page.get_by_role("radio", name="First only")).to_be_disabled()
    ((again,),) = rows(
        app, "select min(id) from extraction where document = (select document from gold where id = ?)", key
    )
    assert first == again


def test_a_region_takes_the_place_of_the_open_table_as_one_edit_that_is_undone(app: App, page: Page) -> None:
    key = open_table(app, page, "line_items")
    grid = page.get_by_role("grid")
    expect(grid).to_contain_text("BF-O2O58")
    count = page.locator("tr:has(> [data-col='0'])").count()
    drag(page, 0.05, 0.255, 0.95, 0.55, key="Control")
    expect(page.get_by_test_id("region-replace")).to_be_visible(timeout=LONG_MS)
    page.get_by_test_id("region-replace").click()
    expect(grid).to_contain_text("BF-02058")
    expect(grid.locator(".first", has_text="BF-O2O58")).to_be_visible()
    expect(page.get_by_test_id("save-state")).to_have_text("saved")
    (made,) = rows(app, "select body, source from edit where gold = ? order by revision desc limit 1", key)
    assert (json.loads(made[0])["kind"], made[1]) == ("several", "region")
    page.reload()
    expect(grid).to_contain_text("BF-02058")
    press(page, "Control+z")
    expect(grid).not_to_contain_text("BF-02058")
    assert page.locator("tr:has(> [data-col='0'])").count() == count
    expect(page.get_by_test_id("save-state")).to_have_text("saved")


def test_where_no_text_is_the_reason_is_told_and_the_box_stays(app: App, page: Page) -> None:
    open_table(app, page, "line_items")
    page.get_by_test_id("draw").click()
    drag(page, 0.3, 0.01, 0.6, 0.03)
    expect(page.get_by_test_id("region-told")).to_have_text(
        "Page 1: there is no text in the region. Change the box, or leave it.", timeout=LONG_MS
    )
    assert drawn(page) == [0.3, 0.01, 0.6, 0.03]
    press(page, "ArrowDown")
    expect(page.get_by_test_id("region-told")).to_contain_text("Draw a box around the table")
    press(page, "Escape")
    expect(page.get_by_test_id("region-bar")).to_be_hidden()
    expect(page.get_by_test_id("region")).to_have_count(0)
    press(page, "ArrowDown")  # the keys are those of the table again
    expect(page.locator("td[tabindex='0']")).to_be_focused()


def test_a_reading_is_cancelled_and_nothing_of_it_is_kept(app: App, page: Page) -> None:
    open_table(app, page, "line_items")
    ((before,),) = rows(app, "select count(*) from extraction")
    page.route("**/api/region", lambda route: page.wait_for_timeout(1500) or route.continue_())
    press(page, "Alt+Shift+P", "Enter")
    told = page.get_by_test_id("region-told")
    expect(told).to_contain_text("Reading the region")
    press(page, "Escape")
    expect(told).to_contain_text("Cancelled; nothing was stored.")
    page.wait_for_timeout(2500)
    expect(page.get_by_test_id("region-result")).to_have_count(0)
    assert rows(app, "select count(*) from extraction") == [(before,)]


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_on_a_turned_page_the_arrow_keys_follow_the_eye(app: App, page: Page, quarters: int) -> None:
    open_table(app, page, "line_items")
    press(page, *["Alt+Q"] * quarters, "Alt+Shift+P")
    painted(page)
    seen = page.get_by_test_id("region").bounding_box()
    press(page, "ArrowDown", "Shift+ArrowRight")
    painted(page)
    after = page.get_by_test_id("region").bounding_box()
    press(page, "Escape", *["Alt+Q"] * (4 - quarters))
    assert seen is not None
    assert after is not None
    assert after["y"] > seen["y"] + 3
    assert after["width"] > seen["width"] + 3
    assert abs(after["x"] - seen["x"]) < 1
    assert abs(after["height"] - seen["height"]) < 1


def test_a_form_is_not_replaced_by_a_table_of_many_rows(app: App, page: Page) -> None:
    open_table(app, page, "invoice")
    drag(page, 0.05, 0.255, 0.95, 0.55, key="Control")
    expect(page.get_by_test_id("region-replace")).to_be_disabled(timeout=LONG_MS)
    expect(page.get_by_test_id("region-result")).to_contain_text("The open table is a form")
    page.get_by_test_id("region-back").click()
    expect(page.get_by_test_id("region")).to_be_visible()
    press(page, "Escape")


@pytest.fixture(scope="module")
def plain(app: App) -> int:
    """A document without an extraction."""
    (file,) = (SAMPLES / "segment-report").glob("*.pdf")
    words = ["import", str(file), "--home", str(app.home), "--project", "plain"]
    done = subprocess.run([str(Path(sys.executable).parent / "proofgrid"), *words], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    ((key,),) = rows(app, "select id from document where project = 'plain'")
    return int(key)


def test_a_document_without_any_table_gets_its_first_one_by_drawing(
    app: App, page: Page, plain: int, chromium: Browser
) -> None:
    page.goto(f"{app.url}/document?document={plain}")
    at_rest(page)
    page.get_by_role("button", name="Draw a table on its pages").click()
    expect(page.get_by_test_id("region-told")).to_contain_text("Draw a box around the table")
    page.locator(".leaf[data-page='1'] .face > img").evaluate("img => img.decode()")
    press(page, *["ArrowUp"] * 20, *["Shift+ArrowDown"] * 40, *["ArrowLeft"] * 10, *["Shift+ArrowRight"] * 20, "Enter")
    expect(page.get_by_test_id("region-result")).to_be_visible(timeout=LONG_MS)
    expect(page.get_by_test_id("region-replace")).to_have_count(0)
    press(page, "Enter")
    expect(page.get_by_role("tab", selected=True)).to_contain_text("Drawn on page 1")
    (made,) = until(page, lambda: rows(app, "select name from gold where document = ?", plain))
    assert made == ("Drawn on page 1",)
    page.goto(f"{app.url}/review?document={plain}")  # from now on it has a table to open
    expect(page.get_by_role("tab", selected=True)).to_contain_text("Drawn on page 1")
