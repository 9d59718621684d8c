"""A sample of accepted cells as a person checks it, by keyboard alone."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from benchmarks.link import Link
from benchmarks.server import Server as App
from benchmarks.server import rows_of
from store import gold
from store.db import Db
from store.quality_sample import draw
from store.reviews import add_verdict
from tests.browser.app.served import served

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def app(chromium: Browser, sample_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """A server on the samples, of which zoe has accepted all tables, and of which 40 cells are drawn."""
    folder = tmp_path_factory.mktemp("quality")
    shutil.copytree(sample_home, folder / "home")
    db = Db(folder / "home" / "proofgrid.db")
    with db.read() as reader:
        keys = [key for (key,) in reader.execute("select id from first_pass")]
        waiting = [(key, gold.revision(reader, key)) for key in keys if gold.status(reader, key) == "open"]
    for key, revision in waiting:
        add_verdict(db, key, verdict="accept", person="zoe", id=f"accept-{key:04}", at_revision=revision)
    draw(db, project="samples", size=40, seed=1, person="olga")
    db.close()
    with served(folder) as running:
        yield running


def opened(page: Page, address: str) -> Locator:
    page.goto(address)
    lines = page.get_by_test_id("quality").get_by_role("row")
    expect(page.locator(".strip-row[aria-selected=true]")).to_be_focused()
    return lines


def looked_at(page: Page) -> None:
    """Once the piece of the chosen line was on the screen for long enough."""
    page.wait_for_function(
        """() => { const find = (root) => root.querySelector(".strip-row[aria-selected=true] img")
            ?? [...root.querySelectorAll("*")].map((one) => one.shadowRoot && find(one.shadowRoot)).find(Boolean);
            const image = find(document); return image?.complete && image.naturalWidth; }"""
    )
    page.wait_for_timeout(1_000)  # three times as long as a look takes: nothing on the screen tells when it is over


def saved(page: Page) -> None:
    expect(page.get_by_test_id("save-state")).to_have_text("saved")


def checks(app: App) -> list[tuple[object, ...]]:
    return [tuple(row) for row in rows_of(app.home, "select verdict, seen, reason from quality_check order by rowid")]


def test_a_sample_is_checked_by_one_key_each_and_an_error_is_said_at_its_cell(app: App, page: Page) -> None:
    lines = opened(page, f"{app.url}/quality")
    expect(page.get_by_test_id("quality-count")).to_have_text("40 of 40 cells to check")
    looked_at(page)
    page.keyboard.press("a")
    expect(lines.first).to_have_attribute("data-verdict", "right")
    expect(lines.nth(1)).to_be_focused()
    page.keyboard.press("u")
    expect(lines.nth(2)).to_be_focused()
    looked_at(page)
    value = lines.nth(2).get_by_test_id("value").inner_text()
    page.keyboard.press("w")
    expect(page.get_by_test_id("wrong-seen")).to_be_focused()
    expect(page.get_by_test_id("wrong-seen")).to_have_value(value)
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("message")).to_contain_text("That is the accepted value")
    page.keyboard.type("77.70")
    page.keyboard.press("Tab")
    page.keyboard.type("smudged")
    page.keyboard.press("Enter")
    expect(lines.nth(2)).to_contain_text("wrong: 77.70")
    expect(lines.nth(3)).to_be_focused()
    saved(page)
    assert checks(app) == [("right", None, ""), ("cannot tell", None, ""), ("wrong", "77.70", "smudged")]
    ((text,),) = rows_of(app.home, "select text from comment")
    assert text == f"Quality check: accepted is “{value}”, the page reads “77.70”. smudged"
    page.keyboard.press("z")
    expect(lines.nth(2)).to_be_focused()
    expect(lines.nth(2)).not_to_have_attribute("data-verdict", "wrong")
    saved(page)
    page.reload()
    expect(page.get_by_test_id("quality-count")).to_have_text("38 of 40 cells to check")
    expect(lines.nth(2)).to_be_focused()


def test_right_waits_until_the_piece_of_the_page_was_on_the_screen(app: App, page: Page) -> None:
    before = checks(app)
    page.route("**/api/crop/**", lambda route: route.abort())
    opened(page, f"{app.url}/quality")
    page.keyboard.press("a")
    expect(page.get_by_test_id("message")).to_contain_text("its piece of the page was not on the screen")
    page.keyboard.press("w")
    expect(page.get_by_test_id("wrong-seen")).to_have_count(0)
    assert checks(app) == before


def test_a_cell_opens_in_the_review_and_back_leads_to_its_line(app: App, page: Page) -> None:
    lines = opened(page, f"{app.url}/quality")
    page.keyboard.press("End")
    value = lines.last.get_by_test_id("value").inner_text()
    page.keyboard.press("o")
    expect(page.locator("td.selected")).to_be_visible()
    page.go_back()
    chosen = page.locator(".strip-row[aria-selected=true]")
    expect(chosen).to_be_focused()
    expect(chosen.get_by_test_id("value")).to_have_text(value)


def test_a_check_without_a_connection_survives_a_reload_and_arrives_later(app: App, link: Link, page: Page) -> None:
    before = checks(app)
    opened(page, f"{link.url}/quality")
    link.cut()
    page.keyboard.press("u")
    expect(page.get_by_test_id("save-state")).to_contain_text("offline, 1 check kept")
    assert checks(app) == before
    link.restore()
    page.reload()
    expect(page.locator(".strip-row").first).to_be_visible()
    saved(page)
    assert checks(app) == [*before, ("cannot tell", None, "")]


def test_time_spent_on_checks_is_kept_as_a_phase_of_its_own(app: App, page: Page) -> None:
    opened(page, f"{app.url}/quality")
    looked_at(page)
    page.keyboard.press("Home")
    page.keyboard.press("ArrowDown")
    page.goto(f"{app.url}/results")
    expect(page.get_by_text("Measured error of accepted cells").first).to_be_visible()
    assert rows_of(app.home, "select distinct phase from activity") == [("quality",)]
