"""Tables of which only a part is drawn: 250 rows with doubts, and 130 rows by 80 columns with merged cells."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, expect

from benchmarks import documents

if TYPE_CHECKING:
    from conftest import App

pytestmark = pytest.mark.browser

ROWS, WIDE_ROWS, WIDE_COLS, BLOCK, GROUP = 250, 130, 80, 64, 39

# What stands at points all over the pane below the header: "" where nothing is drawn.
HOLES = """pane => {
    const root = pane.getRootNode();
    const { left, top, right, bottom } = pane.getBoundingClientRect();
    const head = pane.querySelector("thead").offsetHeight;
    const holes = [];
    for (let y = top + head + 4; y < bottom - 4; y += 20) {
        for (let x = left + 8; x < right - 20; x += 60) {
            const there = root.elementFromPoint(x, y)?.closest("td, th");
            if (!there || there.matches(".gap")) holes.push([x, y]);
        }
    }
    return holes;
}"""


def merged_table() -> str:
    """Two header levels, the upper one merged over 39 columns each, and row headers merged over 64 rows."""
    groups = "".join(f"<th colspan='{min(GROUP, WIDE_COLS - at)}'>group {at}</th>" for at in range(1, WIDE_COLS, GROUP))
    names = "".join(f"<th>c{col}</th>" for col in range(1, WIDE_COLS))
    lines = [f"<tr><th rowspan='2'>Block</th>{groups}</tr><tr>{names}</tr>"]
    for row in range(2, WIDE_ROWS):
        block = f"<th scope='row' rowspan='{min(BLOCK, WIDE_ROWS - row)}'>from {row}</th>" if row % BLOCK == 2 else ""
        lines.append(f"<tr>{block}" + "".join(f"<td>{row}.{col:02}</td>" for col in range(1, WIDE_COLS)) + "</tr>")
    return f"<table><thead>{lines[0]}</thead><tbody>{''.join(lines[1:])}</tbody></table>"


@pytest.fixture(scope="module")
def large_app(chromium: Browser, app: App, tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    folder = tmp_path_factory.mktemp("large")
    documents.write(folder / "files", count=1, rows=ROWS, rows_on_page=38)
    Image.new("RGB", (620, 877), "white").save(folder / "files" / "wide.png")
    (folder / "files" / "wide.html").write_text(merged_table())
    command = [str(Path(sys.executable).parent / "proofgrid"), "import", str(folder / "files")]
    subprocess.run([*command, "--home", str(folder / "home"), "--project", "large"], check=True, capture_output=True)
    running = type(app)(folder / "home", folder / "server.log")
    running.start()
    yield running
    running.kill()
    assert "Traceback" not in running.log.read_text(), running.log.read_text()
    shutil.rmtree(folder)


def open_table(app: App, page: Page, name: str) -> Page:
    connection = sqlite3.connect(f"file:{app.home / 'proofgrid.db'}?mode=ro", uri=True)
    ((key,),) = connection.execute("select id from gold where name = ?", (name,)).fetchall()
    connection.close()
    page.goto(f"{app.url}/review?table={key}")
    expect(page.locator("[data-row='1']").first).to_be_visible(timeout=20_000)
    expect(page.get_by_test_id("save-state")).to_have_text("saved")
    return page


@pytest.fixture(scope="module")
def long(large_app: App, chromium: Browser) -> Iterator[Page]:
    with chromium.new_context(viewport={"width": 1280, "height": 720}) as context:
        yield open_table(large_app, context.new_page(), "line_items")


@pytest.fixture(scope="module")
def wide(large_app: App, chromium: Browser) -> Iterator[Page]:
    with chromium.new_context(viewport={"width": 1280, "height": 720}) as context:
        yield open_table(large_app, context.new_page(), "table 1")


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def cell(page: Page, row: int, col: int) -> Locator:
    return page.locator(f"td[data-row='{row}'][data-col='{col}']")


def start(page: Page) -> Page:
    press(page, "Escape", "Control+Home")
    expect(cell(page, 0, 0)).to_be_focused()
    return page


def scroll(page: Page, top: float, left: float = 0) -> None:
    page.get_by_test_id("grid").evaluate("(pane, [top, left]) => pane.scrollTo(left, top)", [top, left])
    page.evaluate("() => new Promise(requestAnimationFrame).then(() => new Promise(requestAnimationFrame))")


def test_of_a_large_table_only_a_part_is_drawn_and_all_of_it_is_told(long: Page) -> None:
    page = start(long)
    grid = page.get_by_role("grid")
    expect(grid).to_have_attribute("aria-rowcount", str(ROWS + 1))
    expect(grid).to_have_attribute("aria-colcount", "9")  # eight and the numbers of the rows
    assert grid.locator("td[data-row]").count() < ROWS * 8 / 3
    press(page, "Control+End")
    expect(cell(page, ROWS, 7)).to_be_focused()
    expect(cell(page, ROWS, 7)).to_be_in_viewport(ratio=0.95)
    expect(cell(page, ROWS, 7).locator("..")).to_have_attribute("aria-rowindex", str(ROWS + 1))
    expect(cell(page, ROWS, 7)).to_have_attribute("aria-colindex", "9")


def test_header_rows_stay_in_sight(long: Page) -> None:
    press(start(long), "Control+End")
    expect(cell(long, 0, 7)).to_be_in_viewport(ratio=0.95)


def test_scrolling_leaves_no_holes_and_moves_no_column(long: Page) -> None:
    page = start(long)
    pane = page.get_by_test_id("grid")
    edges = "pane => [...pane.querySelectorAll('thead td')].map((td) => td.offsetLeft)"
    before = pane.evaluate(edges)
    for top in (0, 90, 500, 2_000, 1_910, 6_000, 100_000, 0):
        scroll(page, top)
        assert pane.evaluate(HOLES) == [], top
        assert pane.evaluate(edges) == before


def test_keys_land_on_cells_that_were_not_drawn(long: Page) -> None:
    page = start(long)
    press(page, "ArrowDown", "Control+ArrowDown")
    expect(cell(page, ROWS, 0)).to_be_focused()
    press(page, "PageUp")
    above = page.locator(".review").evaluate("review => review.__review.selected().row")
    assert ROWS - 30 < above < ROWS - 5
    press(page, "PageDown", "Control+Home", "Alt+ArrowDown")
    doubt = page.locator("td[tabindex='0']")
    expect(doubt).to_be_focused()
    expect(doubt).to_have_class(re.compile("doubt"))
    expect(doubt).to_be_in_viewport(ratio=0.95)


def test_the_focused_cell_keeps_the_focus_while_the_table_is_scrolled_far_away(long: Page) -> None:
    page = start(long)
    press(page, "ArrowDown", "ArrowDown")
    scroll(page, 4_000)
    expect(cell(page, 2, 0)).to_be_focused()
    expect(cell(page, 2, 0)).not_to_be_in_viewport()
    press(page, "ArrowDown")
    expect(cell(page, 3, 0)).to_be_focused()
    expect(cell(page, 3, 0)).to_be_in_viewport(ratio=0.95)


def test_a_range_reaches_over_rows_that_are_not_drawn(long: Page) -> None:
    page = start(long)
    press(page, "ArrowDown", *["Shift+PageDown"] * 6)
    end = page.locator(".review").evaluate("review => review.__review.selected().row")
    assert end > 60
    scroll(page, 26 * (end // 2))
    expect(cell(page, end // 2, 0)).to_have_attribute("aria-selected", "true")
    expect(cell(page, end // 2, 1)).to_have_attribute("aria-selected", "false")
    scroll(page, 0)
    expect(cell(page, 1, 0)).to_have_attribute("aria-selected", "true")


def test_a_text_that_is_being_typed_survives_scrolling(large_app: App, long: Page) -> None:
    page = start(long)
    press(page, *["ArrowDown"] * 4, *["ArrowRight"] * 2)
    page.keyboard.type("half a")
    page.get_by_test_id("grid").hover()
    for _ in range(3):
        page.mouse.wheel(0, 1500)
        page.wait_for_timeout(60)
    expect(cell(page, 4, 2)).not_to_be_in_viewport()
    page.keyboard.type(" word")
    press(page, "Enter")
    expect(cell(page, 4, 2)).to_contain_text("half a word")
    expect(cell(page, 5, 2)).to_be_focused()
    expect(cell(page, 5, 2)).to_be_in_viewport(ratio=0.95)
    expect(page.get_by_test_id("save-state")).to_have_text("saved")
    connection = sqlite3.connect(f"file:{large_app.home / 'proofgrid.db'}?mode=ro", uri=True)
    ((body,),) = connection.execute("select body from edit order by rowid desc limit 1").fetchall()
    connection.close()
    ((change),) = json.loads(body)["changes"]
    assert (change["row"], change["col"], change["new"]) == (4, 2, "half a word")


def test_a_row_that_is_inserted_above_moves_nothing_under_the_eye(long: Page) -> None:
    page = start(long)
    press(page, *["ArrowDown"] * 150, *["ArrowUp"] * 5)
    before = cell(page, 145, 0).bounding_box()
    press(page, "Alt+Shift+i")
    expect(cell(page, 145, 0)).to_be_focused()
    expect(page.get_by_role("grid")).to_have_attribute("aria-rowcount", str(ROWS + 2))
    after = cell(page, 145, 0).bounding_box()
    press(page, "Control+z")
    expect(page.get_by_role("grid")).to_have_attribute("aria-rowcount", str(ROWS + 1))
    assert before is not None
    assert after is not None
    assert abs(before["y"] - after["y"]) < 2


def test_a_longer_text_widens_its_column_and_makes_its_row_higher_until_it_is_undone(long: Page) -> None:
    page = start(long)
    press(page, "PageDown", "PageDown", *["ArrowRight"] * 4)
    row = page.locator(".review").evaluate("review => review.__review.selected().row")
    size = "td => [td.offsetWidth, td.offsetHeight]"
    width, height = cell(page, row, 4).evaluate(size)
    page.keyboard.type("boxes of twenty")
    press(page, "Enter")
    expect(cell(page, row + 1, 4)).to_be_focused()
    expect(cell(page, row, 4)).to_contain_text("boxes of twenty")
    wider, higher = cell(page, row, 4).evaluate(size)
    assert (wider > width, higher > height) == (True, True)
    assert page.get_by_test_id("grid").evaluate(HOLES) == []
    press(page, "Control+z")
    expect(cell(page, row, 4)).to_be_focused()
    assert cell(page, row, 4).evaluate(size) == [width, height]
    assert page.get_by_test_id("grid").evaluate(HOLES) == []
    expect(page.get_by_test_id("save-state")).to_have_text("saved")


def test_a_merged_cell_is_drawn_on_both_sides_of_the_window(wide: Page) -> None:
    page = start(wide)
    block = cell(page, 2, 0)
    assert block.evaluate("td => td.rowSpan") < BLOCK
    scroll(page, 26 * 40)
    expect(block).to_have_count(1)
    expect(block).to_contain_text("from 2")
    drawn = page.locator("tbody tr:not(.gap-row)").first.get_attribute("aria-rowindex")
    assert int(str(drawn)) > 3
    assert page.get_by_test_id("grid").evaluate(HOLES) == []
    aligned = """pane => [...pane.querySelectorAll("tbody tr:not(.gap-row)")].every((tr) =>
        Math.abs(tr.querySelector("[data-col='3']").offsetLeft
            - pane.querySelector("thead [data-col='3']").offsetLeft) < 1)"""
    assert page.get_by_test_id("grid").evaluate(aligned)


def test_merged_cells_are_walked_where_they_cross_the_window(wide: Page) -> None:
    page = start(wide)
    scroll(page, 26 * 70)  # the selected cell is drawn anew, and keeps the focus
    press(page, "Control+Home", "ArrowDown", "ArrowRight", *["PageDown"] * 2)
    row = page.locator(".review").evaluate("review => review.__review.selected().row")
    press(page, "ArrowLeft")
    assert page.locator(".review").evaluate("review => review.__review.selected()") == {"row": 2, "col": 0}
    expect(page.locator("td[tabindex='0']")).to_be_focused()
    press(page, "ArrowRight")
    expect(cell(page, row, 1)).to_be_focused()
    expect(cell(page, row, 1)).to_be_in_viewport(ratio=0.95)


def test_columns_out_of_sight_are_not_drawn_and_reached_by_keys(wide: Page) -> None:
    page = start(wide)
    assert page.locator("thead td[data-row='1']").count() < WIDE_COLS / 2
    press(page, "ArrowDown", "ArrowRight", *["ArrowDown"] * 7, "End")
    expect(cell(page, 9, WIDE_COLS - 1)).to_be_focused()
    expect(cell(page, 9, WIDE_COLS - 1)).to_be_in_viewport(ratio=0.95)
    expect(cell(page, 9, WIDE_COLS - 1)).to_have_attribute("aria-colindex", str(WIDE_COLS + 1))
    for left in (0, 700, 3_000, 90_000):
        scroll(page, 300, left)
        assert page.get_by_test_id("grid").evaluate(HOLES) == [], left
    scroll(page, 300, 3_000)
    expect(page.locator("thead td[data-row='0'].across").first).to_contain_text("group")
    press(page, "Home")
    expect(cell(page, 2, 0).and_(page.locator("[tabindex='0']"))).to_be_focused()
