"""Two and three people at once, each with a server of their own on the same home."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, Page, expect

from benchmarks.server import Server
from scoring.table import Box, Cell, Table
from store.db import Db
from store.documents import add_document
from store.gold import add_gold
from store.home import Home
from store.pages import PageSize
from store.reviews import add_verdict
from store.second_pass import draw
from tests.browser.app.test_accessibility import violations
from tests.browser.app.test_nothing_is_lost import Table as TableOfApp
from tests.browser.app.test_nothing_is_lost import state, type_into
from tests.browser.app.waiting import until

if TYPE_CHECKING:
    from conftest import App

pytestmark = pytest.mark.browser

SAMPLE = Path(__file__).parents[3] / "sample_docs" / "invoice-laboratory" / "INV-2024-10583.pdf"


@pytest.fixture(scope="module")
def app_of_bob(app: App, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(app.home, tmp_path_factory.mktemp("bob") / "server.log", person="bob")
    running.start()
    yield running
    running.kill()
    assert "Traceback" not in running.log.read_text(), running.log.read_text()


@pytest.fixture(scope="module")
def app_of_carol(app: App, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(app.home, tmp_path_factory.mktemp("carol") / "server.log", person="carol")
    running.start()
    yield running
    running.kill()
    assert "Traceback" not in running.log.read_text(), running.log.read_text()


@pytest.fixture
def carol(chromium: Browser) -> Iterator[Page]:
    other = chromium.new_context(viewport={"width": 1280, "height": 720})
    yield other.new_page()
    other.close()


@pytest.fixture
def bob(chromium: Browser) -> Iterator[Page]:
    other = chromium.new_context(viewport={"width": 1280, "height": 720})
    yield other.new_page()
    other.close()


def opened(page: Page, url: str, table: TableOfApp) -> None:
    page.goto(f"{url}/review?table={table.key}")
    expect(page.locator("[data-row='1'][data-col='0']")).to_be_visible()


def test_the_second_person_sees_who_has_the_table_reads_it_and_cannot_change_it(
    page: Page, bob: Page, app: App, app_of_bob: Server
) -> None:
    table = TableOfApp(app, "items")
    with page.expect_response("**/api/lease"):
        opened(page, app.url, table)
    opened(bob, app_of_bob.url, table)
    expect(bob.get_by_test_id("lease")).to_contain_text("ann has this table since")
    assert violations(bob) == []
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
    table = TableOfApp(app, "transactions")
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


def test_in_the_strip_a_table_is_taken_over_by_key_and_by_mouse_as_in_the_review(
    page: Page, bob: Page, app: App, app_of_bob: Server
) -> None:
    table = TableOfApp(app, "items")
    table.key = table.ask("select id from gold where table_type = 'line_items' order by id")[0][0]
    bob.goto(f"{app_of_bob.url}/strip?table_type=line_items&column=quantity")
    lines = bob.get_by_test_id("strip").get_by_role("row")
    expect(lines.first).to_be_focused()
    bob.keyboard.press("Alt+Shift+O")
    expect(bob.get_by_test_id("message")).to_have_text("Nobody else has this table.")
    with page.expect_response("**/api/lease"):
        opened(page, app.url, table)
    for by_mouse in (False, True):
        value = f"7{int(by_mouse)}"
        line = lines.nth(int(by_mouse))
        line.locator(".strip-where").click()
        bob.keyboard.type(value)
        bob.keyboard.press("Enter")
        told = "ann has this table. Take it over to change it. Your edit is kept at its line."
        expect(bob.get_by_test_id("message")).to_have_text(told)
        expect(line).to_contain_text("ann has this table since")
        expect(line).to_contain_text(f"yours: {value}")
        assert value not in table.stored()
        line.locator(".strip-where").click()
        if by_mouse:
            line.get_by_role("button", name="Take over").click()
        else:
            bob.keyboard.press("Alt+Shift+O")
        expect(bob.get_by_test_id("take-over")).to_contain_text("Take this table over from ann?")
        assert violations(bob) == []
        if by_mouse:
            bob.get_by_test_id("take-over").get_by_role("button", name="Take over").click()
        else:
            bob.keyboard.press("Enter")
        expect(line.get_by_role("button", name="Make it again (Enter)")).to_be_visible()
        expect(line).to_be_focused()
        bob.keyboard.press("Enter")
        expect(state(bob)).to_have_text("saved")
        assert table.stored()[-1] == value
        if not by_mouse:  # ann takes it back
            page.keyboard.press("F2")
            page.keyboard.type(" x")
            page.keyboard.press("Enter")
            page.get_by_test_id("lease").get_by_role("button", name="Take it back").click()
            page.keyboard.press("Enter")
            expect(page.get_by_test_id("lease")).to_be_hidden()
    events = table.ask("select person, before from lease_event where gold = ? and event = 'taken over'", table.key)
    assert events.count(("bob", "ann")) == 2
    before = len(table.ask("select 1 from lease_event where gold = ? and event = 'released'", table.key))
    bob.goto(f"{app_of_bob.url}/?status=all")
    until(page, lambda: len(table.ask("select 1 from lease_event where event = 'released'")) > before)


def test_a_table_is_assigned_in_the_queue_by_keyboard_and_shows_in_the_progress(page: Page, app: App) -> None:
    page.goto(f"{app.url}/?status=all&words=Statement")
    expect(page.get_by_test_id("queue").get_by_role("option").first).to_be_focused()
    page.keyboard.press("a")
    form = page.get_by_test_id("assign")
    expect(form.get_by_role("combobox", name="Name")).to_be_focused()
    assert violations(page) == []
    page.keyboard.type("dan 1")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("queue")).to_contain_text("For dan 1.")
    expect(page.get_by_test_id("queue").get_by_role("option", selected=True)).to_be_focused()
    page.get_by_label("Meant for").select_option("dan 1")
    expect(page.get_by_test_id("queue").get_by_role("option")).to_have_count(1)
    page.goto(f"{app.url}/progress")
    expect(page.get_by_test_id("progress-people")).to_contain_text("dan 1")
    expect(page.get_by_test_id("progress-types")).to_be_visible()
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)
    assert violations(page) == []


def keyed_by_ann(app: App) -> int:
    """A table of three values on the page of a sample of its own, accepted by ann; the number of its gold table."""
    lines = [["item", "price"], ["bolt", "1.20"], ["nut", "O.40"], ["PLANTED", "7.00"]]
    cells = tuple(
        Cell(
            row,
            col,
            text,
            header="column" if row == 0 else "",
            box=Box(1, 0.1 + 0.3 * col, 0.2 + 0.05 * row, 0.3 + 0.3 * col, 0.24 + 0.05 * row),
        )
        for row, line in enumerate(lines)
        for col, text in enumerate(line)
    )
    with closing(Db(app.home / "proofgrid.db")) as db:
        document, _ = add_document(
            db,
            Home(app.home),
            SAMPLE.read_bytes(),
            name=SAMPLE.name,
            media_type="application/pdf",
            pages=[PageSize(1, 595, 842)],
            person="ann",
            project="twice",
        )
        made, _ = add_gold(db, document.id, Table(4, 2, cells), name="duo", base="blank", person="ann")
        add_verdict(db, made.id, verdict="accept", person="ann", id="ann duo", at_revision=0)
    return made.id


def _bytes(frame: str | bytes) -> bytes:
    return frame.encode() if isinstance(frame, str) else frame


SCREENS = (
    "",
    "strip",
    "progress",
    "results",
    "confidence",
    "compare",
    "effort",
    "second_pass",
    "document",
    "my_time",
    "import",
)


def test_a_table_is_keyed_twice_blind_and_a_third_person_decides_by_keyboard(
    page: Page, bob: Page, carol: Page, app: App, app_of_bob: Server, app_of_carol: Server
) -> None:
    key = keyed_by_ann(app)
    with closing(Db(app.home / "proofgrid.db")) as db:
        every = draw(db, project="twice", share=1, people=["bob"], seed=1, person="ann").new
        one = next(each for each in every if each.gold == key)
    # Bob finds nothing of ann's answers on any screen, nor in anything that is sent to his browser.
    sent: list[bytes] = []
    bob.on("websocket", lambda socket: socket.on("framereceived", lambda frame: sent.append(_bytes(frame))))
    bob.on("response", lambda answer: sent.append(answer.body()) if "/api/" in answer.url and answer.ok else None)
    for name in SCREENS:
        bob.goto(f"{app_of_bob.url}/{name}?status=all&document={one.document}&table={key}")
        if name in ("", "strip"):
            expect(bob.get_by_test_id("queue-screen" if name == "" else "strip-screen")).to_be_visible()
        elif name not in ("my_time", "import", "progress"):
            expect(bob.get_by_text("Closed until your second keying is done")).to_be_visible()
        assert "PLANTED" not in bob.content()
        assert "O.40" not in bob.content()
    bob.goto(f"{app_of_bob.url}/review?table={key}")
    expect(bob.get_by_text("Hand it in first")).to_be_visible()
    assert len(sent) > len(SCREENS)
    assert not [frame for frame in sent if b"PLANTED" in frame or b"O.40" in frame]
    bob.goto(f"{app_of_bob.url}/review?table={one.keyed}")
    expect(bob.locator("[data-row='0'][data-col='0']")).to_be_visible()
    bob.locator("[data-row='0'][data-col='0']").click()
    lines = [["item", "price"], ["bolt", "1.20"], ["nut", "0.40"]]
    for at, line in enumerate(lines):
        if at > 1:
            bob.keyboard.press("Alt+i")
        bob.locator(f"[data-row='{at}'][data-col='0']").click()
        bob.keyboard.type(line[0])
        bob.keyboard.press("Tab")
        bob.keyboard.type(line[1])
        bob.keyboard.press("Enter")
        bob.locator(f"[data-row='{at}'][data-col='0']").click()
    expect(state(bob)).to_have_text("saved")
    bob.keyboard.press("Control+Enter")
    table = TableOfApp(app, "duo")
    until(page, lambda: table.ask("select 1 from verdict where gold = ? and verdict = 'accept'", one.keyed))
    # Carol sees the page first, then answers without names, and decides by single keys.
    carol.goto(f"{app_of_carol.url}/second_pass?pass={one.id}")
    expect(carol.get_by_test_id("adj-question")).to_have_text("Row 2, price")
    expect(carol.get_by_test_id("adj-page").locator("img")).to_be_visible()
    assert "O.40" not in carol.content()
    expect(carol.get_by_role("button", name="O.40")).to_have_count(0)
    carol.keyboard.press("Space")
    answers = carol.get_by_role("group", name="Answers")
    expect(answers).to_contain_text("0.40")
    expect(answers).to_contain_text("O.40")
    expect(carol.get_by_test_id("stStatusWidget")).to_have_count(0)
    assert violations(carol) == []
    assert not {"ann", "bob"} & set(carol.get_by_test_id("adjudication").inner_text().split())
    texts = [text.strip() for text in answers.locator("bdi").all_inner_texts()]
    carol.keyboard.press(str(texts.index("0.40") + 1))
    expect(carol.get_by_test_id("adj-progress")).to_have_text("1 of 2 decided")
    carol.keyboard.press("Space")
    texts = [text.strip() for text in answers.locator("bdi").all_inner_texts()]
    carol.keyboard.press(str(texts.index("no such row") + 1))
    expect(carol.get_by_test_id("adj-progress")).to_have_text("2 of 2 decided")
    carol.keyboard.press("Control+Enter")
    until(page, lambda: table.ask("select 1 from adjudicated where pass = ?", one.id))
    edits = table.ask("select person, source from edit where gold = ? order by revision", key)
    assert edits == [("carol", "adjudication")] * 2
    # Ann sees what was decided about what she had keyed.
    page.goto(f"{app.url}/second_pass")
    expect(page.get_by_test_id("feedback")).to_contain_text("O.40")
    expect(page.get_by_test_id("agreement")).to_contain_text("All fields")
