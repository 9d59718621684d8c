from __future__ import annotations

import io
import json
import sqlite3
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, expect

from store.page_tables import tesseract
from tests.browser.app import page_kinds
from tests.browser.app.page_kinds import KINDS, LONG, NAMES, text_of
from tests.browser.app.waiting import painted, until

if TYPE_CHECKING:
    from conftest import App

pytestmark = pytest.mark.browser

RECTANGLE = """box => {
    const { left, top, right, bottom } = box.getBoundingClientRect();
    const around = box.classList.contains("selected") || box.classList.contains("cell") ? 2 : 0;
    return [left + around, top + around, right - around, bottom - around];
}"""


@pytest.fixture(scope="module")
def kinds(app: App, chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """The table that runs over one page of each kind, opened once."""
    folder = tmp_path_factory.mktemp("made") / "kinds"
    page_kinds.write(folder)
    words = ["import", str(folder), "--home", str(app.home), "--project", "pages"]
    done = subprocess.run(
        [str(Path(sys.executable).parent / "proofgrid"), *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    with chromium.new_context(viewport={"width": 1280, "height": 720}) as context:
        page = context.new_page()
        open_table(app, page, "kinds")
        yield page


def open_table(app: App, page: Page, name: str) -> None:
    connection = sqlite3.connect(f"file:{app.home / 'proofgrid.db'}?mode=ro", uri=True)
    ((key,),) = connection.execute("select id from gold where name = ?", (name,)).fetchall()
    connection.close()
    page.goto(f"{app.url}/review?table={key}")
    expect(page.locator("[data-row='1']").first).to_be_visible(timeout=20_000)
    expect(page.get_by_test_id("save-state")).to_have_text("saved")
    expect(page.locator(".boxes .selected, .boxes .guess").first).to_be_visible()


def last_edit(app: App) -> dict[str, Any]:
    connection = sqlite3.connect(f"file:{app.home / 'proofgrid.db'}?mode=ro", uri=True)
    ((body,),) = connection.execute("select body from edit order by rowid desc limit 1").fetchall()
    connection.close()
    return dict(json.loads(body))


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def cell(page: Page, row: int, col: int) -> Locator:
    return page.locator(f"[data-row='{row}'][data-col='{col}']")


def go(page: Page, row: int, col: int) -> Locator:
    """Select a cell; the outline of it on its page, once the image of that page is there."""
    cell(page, row, col).click()
    painted(page)
    page.locator(f".leaf[data-page='{row}'] .face > img").evaluate("img => img.decode()")
    chosen = page.locator(f".leaf[data-page='{row}'] .selected")
    expect(chosen).to_be_in_viewport()
    return chosen


def at_100_percent(page: Page) -> None:
    page.get_by_test_id("zoom").click()
    expect(page.get_by_test_id("zoom")).to_have_text("100 %")


def ink(page: Page, around: list[float]) -> list[float]:
    """The sides of what is printed near a place of the screen, without our marks."""
    page.locator(".leaf .boxes").evaluate_all("all => all.forEach(one => (one.style.visibility = 'hidden'))")
    left, top, right, bottom = (round(side) for side in around)
    clip = {"x": left - 8, "y": top - 8, "width": right - left + 16, "height": bottom - top + 16}
    shot = Image.open(io.BytesIO(page.screenshot(clip=clip))).convert("L")  # type: ignore[arg-type]
    page.locator(".leaf .boxes").evaluate_all("all => all.forEach(one => (one.style.visibility = ''))")
    found = shot.point(lambda level: 255 if level < 160 else 0).getbbox()
    assert found is not None, "nothing is printed there"
    return [found[0] + clip["x"], found[1] + clip["y"], found[2] + clip["x"], found[3] + clip["y"]]


def size(element: Locator) -> tuple[float, float]:
    left, top, right, bottom = element.evaluate(RECTANGLE)
    return right - left, bottom - top


def apart(one: list[float], other: list[float]) -> float:
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


def printed(page: Page, app: App, number: int, text: str) -> list[float]:
    """The sides of a word in fractions of its page, by what the route of the words says."""
    source = page.locator(f".leaf[data-page='{number}'] .face > img").get_attribute("src") or ""
    digest = source.split("/api/page/")[1].split("/")[0]
    with urllib.request.urlopen(f"{app.url}/api/words/{digest}/{number}") as answer:
        (sides,) = [sides for word, *sides in json.load(answer)["words"] if word == text]
    return list(sides)


def word_on(page: Page, app: App, number: int, text: str) -> list[float]:
    """The sides of a word on the screen."""
    x0, y0, x1, y1 = printed(page, app, number, text)
    left, top, right, bottom = page.locator(f".leaf[data-page='{number}']").evaluate(RECTANGLE)
    wide, high = right - left, bottom - top
    return [left + x0 * wide, top + y0 * high, left + x1 * wide, top + y1 * high]


@pytest.mark.parametrize("number", range(1, len(KINDS) + 1), ids=[kind.name for kind in KINDS])
def test_the_box_of_a_cell_lies_on_its_word_on_every_kind_of_page(kinds: Page, app: App, number: int) -> None:
    page = kinds
    go(page, number, 0)
    at_100_percent(page)
    for col, name in enumerate(NAMES):
        drawn = go(page, number, col).evaluate(RECTANGLE)
        # The image of a very large page is too coarse to be read: its sharp pieces come a moment later.
        until(page, lambda drawn=drawn: apart(drawn, ink(page, drawn)) <= 2)
        assert apart(drawn, word_on(page, app, number, text_of(name, number))) <= 2


@pytest.mark.parametrize("number", [1, 6], ids=["plain", "cropped and turned"])
def test_a_quarter_turn_of_the_view_takes_boxes_and_crop_along(kinds: Page, number: int) -> None:
    page = kinds
    go(page, number, 1)
    at_100_percent(page)
    upright = size(page.locator(f".leaf[data-page='{number}']"))
    for turns in (1, 2, 3):
        press(page, "Alt+q")
        drawn = go(page, number, 1).evaluate(RECTANGLE)
        assert apart(drawn, ink(page, drawn)) <= 2, turns
        crop = page.get_by_test_id("crop").locator(".crop-box").bounding_box()
        assert crop is not None
        assert (crop["height"] > crop["width"]) == (drawn[3] - drawn[1] > drawn[2] - drawn[0]), turns
    press(page, "Alt+q")
    assert size(page.locator(f".leaf[data-page='{number}']")) == upright


def test_a_click_on_the_selected_cell_brings_its_place_into_view_again(kinds: Page) -> None:
    page = kinds
    chosen = go(page, 1, 0)
    page.get_by_test_id("page").evaluate("pane => (pane.scrollTop = pane.scrollHeight)")
    expect(chosen).not_to_be_in_viewport()
    go(page, 1, 0)


def test_a_turned_page_is_turned_when_it_is_opened_again(app: App, kinds: Page, page: Page) -> None:
    open_table(app, page, "picture")
    wide, high = size(page.locator(".leaf"))
    assert wide > high
    press(page, "Alt+Shift+Q")
    page.reload()
    expect(page.locator(".boxes .selected")).to_be_visible(timeout=20_000)
    wide, high = size(page.locator(".leaf"))
    assert wide < high
    press(page, "Alt+q")
    assert "turn" not in page.evaluate("Object.keys(localStorage).join()")


def test_a_picture_has_its_boxes_on_its_print(app: App, kinds: Page, page: Page) -> None:
    open_table(app, page, "picture")
    at_100_percent(page)
    for col in range(3):
        drawn = go(page, 1, col).evaluate(RECTANGLE)
        assert apart(drawn, ink(page, drawn)) <= 3  # a pixel of the picture is 2/3 of a point


@pytest.mark.parametrize("number", [2, 10], ids=["turned", "two hundred inches"])
def test_sharper_tiles_lie_exactly_over_the_zoomed_page(kinds: Page, app: App, number: int) -> None:
    page = kinds
    go(page, number, 1)
    press(page, "Alt+w")
    at_100_percent(page)
    while int((page.get_by_test_id("zoom").text_content() or "").split()[0]) < 400:
        press(page, "Alt+=")
    chosen = page.locator(f".leaf[data-page='{number}'] .selected")
    expect(chosen).to_be_in_viewport(ratio=1)
    expect(page.locator(f".leaf[data-page='{number}'] .tile").first).to_be_visible()
    word = word_on(page, app, number, text_of("middle", number))
    assert apart(word, ink(page, word)) <= 2
    side_bearing = 0.1 * page_kinds.SIZE * 4.3
    assert apart(chosen.evaluate(RECTANGLE), word) <= side_bearing
    press(page, "Alt+w")


def test_alt_z_zooms_to_the_cell_and_back(kinds: Page) -> None:
    page = kinds
    go(page, 3, 1)
    press(page, "Alt+w")
    chosen = page.locator(".leaf[data-page='3'] .selected")
    before = chosen.evaluate(RECTANGLE)
    press(page, "Alt+z")
    assert chosen.evaluate(RECTANGLE)[2] - chosen.evaluate(RECTANGLE)[0] > 150
    expect(chosen).to_be_in_viewport(ratio=1)
    press(page, "Alt+z")
    assert apart(chosen.evaluate(RECTANGLE), before) <= 1


def test_the_row_and_the_column_are_outlined_on_their_own_pages(kinds: Page) -> None:
    page = kinds
    go(page, 5, 1)
    expect(page.locator(".leaf .row")).to_have_count(1)
    expect(page.locator(".leaf[data-page='5'] .row")).to_have_css("border-top-style", "solid")
    expect(page.locator(".leaf[data-page='5'] .col")).to_have_css("border-left-style", "solid")
    expect(page.locator(".leaf[data-page='4'] .col")).to_have_count(1)
    band = page.locator(".leaf[data-page='5'] .row").evaluate(RECTANGLE)
    for col in (0, 2):
        box = page.locator(f".leaf[data-page='5'] .cell[data-cell='5,{col}']").evaluate(RECTANGLE)
        assert band[0] <= box[0]
        assert box[2] <= band[2]
        assert band[1] <= box[1] + 1
        assert box[3] <= band[3] + 1


def test_the_page_list_shows_tables_and_jumps_by_click_and_keys(kinds: Page) -> None:
    page = kinds
    go(page, 1, 0)
    entries = page.get_by_test_id("page-list").get_by_role("option")
    expect(entries).to_have_count(len(KINDS))
    expect(entries.nth(3)).to_have_accessible_name("Page 4, has a table")
    page.get_by_role("option", name="Page 4,").click()
    expect(page.locator(".leaf[data-page='4']")).to_be_in_viewport()
    page.get_by_role("option", name="Page 4,").focus()
    press(page, "Home")
    expect(page.locator(".leaf[data-page='1']")).to_be_in_viewport()
    expect(entries.nth(0)).to_be_focused()
    press(page, "ArrowDown", "Escape")
    expect(cell(page, 1, 0)).to_be_focused()
    page.get_by_role("button", name="List of pages").click()
    expect(page.get_by_test_id("page-list")).to_be_hidden()
    page.get_by_role("button", name="List of pages").click()
    expect(page.get_by_test_id("page-list")).to_be_visible()


def test_a_document_of_300_pages_holds_only_what_is_near(app: App, kinds: Page, page: Page) -> None:
    open_table(app, page, "long")
    for row, number in ((2, LONG), (1, 1)):
        cell(page, row, 0).click()
        expect(page.locator(f".leaf[data-page='{number}'] .selected")).to_be_in_viewport()
        expect(page.get_by_role("option", selected=True)).to_have_accessible_name(
            f"Page {number}, has a table, 3 doubtful cells"
        )
        assert 1 <= page.locator(".leaf img").count() <= 12
    press(page, "Alt+Shift+PageDown")
    expect(page.get_by_role("option", selected=True)).to_have_accessible_name("Page 2")


def test_words_are_taken_by_keyboard_alone_and_added_with_shift(app: App, kinds: Page, page: Page) -> None:
    open_table(app, page, "kinds")
    go(page, 4, 0)
    press(page, "Alt+q", "Alt+q", "Alt+p")
    expect(page.locator(".boxes .word.at")).to_be_in_viewport()
    press(page, "ArrowLeft")  # the page stands on its head now
    expect(page.get_by_test_id("message")).to_contain_text(f"“{text_of('middle', 4)}”")
    press(page, "Shift+ArrowLeft", "Enter")
    expect(cell(page, 4, 0)).to_contain_text("M4HE R4HE")
    expect(cell(page, 4, 0)).to_be_focused()
    expect(page.get_by_test_id("save-state")).to_have_text("saved")
    # What is kept is the place on the page, however the view is turned.
    middle, right = (printed(page, app, 4, text_of(name, 4)) for name in ("middle", "right"))
    around = [4, *map(min, middle[:2], right[:2]), *map(max, middle[2:], right[2:])]
    assert last_edit(app)["new"][0]["box"] == pytest.approx(around)
    press(page, "Alt+p")
    expect(page.locator(".boxes .word.at")).to_be_in_viewport()
    press(page, "ArrowRight", "ArrowRight", "Shift+Enter")
    expect(cell(page, 4, 0)).to_contain_text("M4HE R4HE L4HE")
    expect(page.locator(".taking")).to_have_count(0)
    press(page, "Control+z", "Control+z")
    expect(cell(page, 4, 0)).to_contain_text("L4HE")
    expect(page.get_by_test_id("save-state")).to_have_text("saved")


def test_a_double_click_takes_one_word_once(app: App, kinds: Page, page: Page) -> None:
    open_table(app, page, "kinds")
    go(page, 2, 0)
    press(page, "Alt+Shift+W", "Alt+p")
    expect(page.locator(".leaf[data-page='2']")).to_be_in_viewport(ratio=0.99)
    left, top, right, bottom = word_on(page, app, 2, text_of("right", 2))
    page.keyboard.down("Shift")
    page.mouse.dblclick((left + right) / 2, (top + bottom) / 2)
    page.keyboard.up("Shift")
    expect(cell(page, 2, 0)).to_contain_text("L2HE R2HE")
    expect(page.get_by_test_id("save-state")).to_have_text("saved")
    expect(cell(page, 2, 0)).not_to_contain_text("R2HE R2HE")
    press(page, "Escape", "Control+z")
    expect(cell(page, 2, 0)).not_to_contain_text("R2HE")


def test_a_page_without_words_says_why(app: App, kinds: Page, page: Page) -> None:
    answer = {"words": [], "note": "This page has no words to take: it is a picture, and nobody reads it."}
    page.route("**/api/words/**", lambda route: route.fulfill(json=answer))
    open_table(app, page, "picture")
    press(page, "Alt+p")
    expect(page.get_by_test_id("message")).to_contain_text("it is a picture, and nobody reads it")
    press(page, "Escape")


@pytest.mark.skipif(bool(tesseract.missing()), reason=tesseract.missing())
def test_words_of_a_scan_are_read_while_one_works_and_can_be_taken(app: App, page: Page) -> None:
    open_table(app, page, "results")
    cell(page, 5, 4).click()
    before = cell(page, 5, 4).text_content()
    press(page, "Alt+p")
    expect(page.locator(".boxes .word.at")).to_be_in_viewport(timeout=60_000)
    press(page, "ArrowLeft", "Enter")
    expect(cell(page, 5, 4)).not_to_have_text(before or "")
    expect(page.get_by_test_id("save-state")).to_have_text("saved")
    press(page, "Control+z")
    expect(cell(page, 5, 4)).to_have_text(before or "")


def test_arabic_words_are_taken_in_the_order_in_which_they_are_read(app: App, page: Page) -> None:
    open_table(app, page, "prices")
    cell(page, 5, 2).click()
    expect(page.locator(".boxes .selected")).to_be_in_viewport()
    press(page, "Alt+p")
    expect(page.locator(".boxes .word.at")).to_be_in_viewport()
    said = page.get_by_test_id("message")
    press(page, "ArrowLeft", "ArrowRight")
    expect(said).to_contain_text("“")
    first = (said.text_content() or "").split("”")[0]
    press(page, "Shift+ArrowLeft")
    expect(said).to_contain_text(first + " ")
    press(page, "Escape")


def test_zoom_and_place_stay_when_another_table_of_the_document_is_opened(app: App, page: Page) -> None:
    open_table(app, page, "line_items")
    press(page, "Alt+=", "Alt+=")
    zoom = page.get_by_test_id("zoom").text_content() or ""
    press(page, "Alt+PageUp")
    expect(page.get_by_role("tab", selected=True)).to_contain_text("Invoice")
    expect(page.get_by_test_id("zoom")).to_have_text(zoom)
    assert page.locator(".leaf").count() == 1
