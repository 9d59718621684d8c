"""Two and three people at once, each with a server of their own on the same home."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, Page, expect

from benchmarks.server import Server
from tests.browser.app.test_nothing_is_lost import Table, state, type_into

if TYPE_CHECKING:
    from conftest import App

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def app_of_bob(app: App, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(app.home, tmp_path_factory.mktemp("bob") / "server.log", person="bob")
    running.start()
    yield running
    running.kill()
    assert "Traceback" not in running.log.read_text(), running.log.read_text()


@pytest.fixture
def bob(chromium: Browser) -> Iterator[Page]:
    other = chromium.new_context(viewport={"width": 1280, "height": 720})
    yield other.new_page()
    other.close()


def opened(page: Page, url: str, table: Table) -> None:
    page.goto(f"{url}/review?table={table.key}")
    expect(page.locator("[data-row='1'][data-col='0']")).to_be_visible()


def test_the_second_person_sees_who_has_the_table_reads_it_and_cannot_change_it(
    page: Page, bob: Page, app: App, app_of_bob: Server
) -> None:
    table = Table(app, "items")
    with page.expect_response("**/api/lease"):
        opened(page, app.url, table)
    opened(bob, app_of_bob.url, table)
    expect(bob.get_by_test_id("lease")).to_contain_text("ann has this table since")
    type_into(bob, 2, 1, "by bob", commit=False)
    expect(bob.get_by_test_id("message")).to_contain_text("ann has this table. Take it over to change it.")
    expect(bob.get_by_test_id("accept")).to_be_hidden()
    assert "by bob" not in table.stored()
    bob.goto(f"{app_of_bob.url}/?status=all")
    expect(bob.get_by_test_id("queue")).to_contain_text("ann works on it")
    page.goto(f"{app.url}/?status=all")
    expect(page.get_by_test_id("queue")).to_be_visible()
    opened(bob, app_of_bob.url, table)
    expect(bob.get_by_test_id("lease")).to_be_hidden()


def test_a_take_over_by_keyboard_loses_no_edit_of_the_former_owner(
    page: Page, bob: Page, app: App, app_of_bob: Server
) -> None:
    table = Table(app, "transactions")
    with page.expect_response("**/api/lease"):
        opened(page, app.url, table)
    type_into(page, 2, 1, "ann first")
    expect(state(page)).to_have_text("saved")
    opened(bob, app_of_bob.url, table)
    bob.keyboard.press("Alt+Shift+O")
    expect(bob.get_by_test_id("take-over")).to_contain_text("Take this table over from ann?")
    bob.keyboard.press("Enter")
    expect(bob.get_by_test_id("lease")).to_be_hidden()
    type_into(bob, 3, 1, "by bob")
    expect(state(bob)).to_have_text("saved")
    # ann has not heard of it: what she types is refused and kept, with words and a way back.
    type_into(page, 4, 1, "ann later")
    lease = page.get_by_test_id("lease")
    expect(lease).to_contain_text("bob took this table over")
    expect(lease).to_contain_text("1 edit of yours is kept")
    page.reload()
    expect(page.get_by_test_id("lease")).to_contain_text("1 edit of yours is kept")
    assert "ann later" not in table.stored()
    page.get_by_test_id("lease").get_by_role("button", name="Take it back").click()
    page.get_by_test_id("take-over").get_by_role("button", name="Take over").click()
    conflict = page.get_by_test_id("conflict")
    expect(conflict).to_contain_text("ann later")
    conflict.get_by_role("button", name="Apply mine", exact=True).click()
    expect(state(page)).to_have_text("saved")
    assert table.stored()[-3:] == ["ann first", "by bob", "ann later"]
    events = table.ask("select event, person, before from lease_event where gold = ? order by id", table.key)
    assert [entry for entry in events if entry[0] == "taken over"] == [
        ("taken over", "bob", "ann"),
        ("taken over", "ann", "bob"),
    ]
