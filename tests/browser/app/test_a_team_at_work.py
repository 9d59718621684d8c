"""A whole team in Chromium, from one table of an annotator to a release, and somebody who is not in the team."""

from __future__ import annotations

import base64
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager

import pytest
from playwright.sync_api import Browser, Page, expect
from streamlit.proto.BackMsg_pb2 import BackMsg

from benchmarks.server import COMMAND, Server, rows_of
from scoring.table import from_rows
from store.db import Db
from store.documents import add_document
from store.gold import add_gold
from store.home import Home
from store.pages import PageSize
from tests.browser.app.test_nothing_is_lost import state, type_into
from tests.browser.app.test_people_at_work import SAMPLE
from tests.browser.app.test_team import sign_in, signed_in, signing_in, users
from tests.browser.app.waiting import until
from tests.oidc_provider import running
from tests.review_app.test_routes_and_roles import SCREENS

pytestmark = pytest.mark.browser

# Who is in the team, and how they are called.
ROLES = {"Ann": "annotator", "Bob": "reviewer", "Carol": "annotator", "Olga": "owner", "Ada": "admin"}
READ = [["item", "price"], ["bolt", "1.20"], ["nut", "0.40"]]
# Of the table and its document: nothing of this may reach who is not in the team.
TELLING = (SAMPLE.name, "duo", "bolt", "O.40", "0.40", "proofgrid_session")
_HEARD = """async ([address, messages, awaited]) => {
    const xsrf = document.cookie.match(/_streamlit_xsrf=([^;]*)/)?.[1] ?? "";
    const socket = new WebSocket(address, ["streamlit", ...(xsrf ? [xsrf] : [])]);
    socket.binaryType = "arraybuffer";
    const heard = [];
    const told = () => heard.filter((frame) => frame.includes(awaited)).length;
    socket.onmessage = ({ data }) => heard.push(new TextDecoder("latin1").decode(data));
    await new Promise((open, failed) => { socket.onopen = open; socket.onerror = () => failed(new Error("refused")); });
    for (const message of messages) {
        const before = told();
        socket.send(Uint8Array.from(atob(message), (one) => one.charCodeAt(0)));
        for (let tries = 0; told() === before; tries += 1) {
            if (tries === 400) throw new Error(`${awaited} was not heard, but ${heard.join(" ").slice(-2000)}`);
            await new Promise((then) => setTimeout(then, 50));
        }
    }
    socket.close();
    return heard.join("\\n"); }"""


@pytest.fixture(scope="module")
def team(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on a table of three rows that nobody has accepted yet."""
    folder = tmp_path_factory.mktemp("team-at-work")
    home = Home(folder / "home")
    with closing(Db(home.database)) as db:
        size = [PageSize(1, 595, 842)]
        kind = "application/pdf"
        document, _ = add_document(
            db, home, SAMPLE.read_bytes(), name=SAMPLE.name, media_type=kind, pages=size, person="x", project="twice"
        )
        add_gold(db, document.id, from_rows(READ, header_rows=1), name="duo", base="blank", person="x")
    users(home.folder, "add", "ada@example.org", "--name", "Ada", "--role", "admin")
    for name, role in list(ROLES.items())[:-1]:
        users(home.folder, "add", f"{name.lower()}@example.org", "--name", name, "--role", role)
    with running() as issuer, signing_in(folder, issuer) as server:
        yield server


@pytest.fixture
def arrive(team: Server, chromium: Browser) -> Iterator[Callable[[str], Page]]:
    """Signs somebody in, in a browser profile of their own that is closed after the test."""
    with ExitStack() as profiles:

        def arrive(name: str) -> Page:
            page = profiles.enter_context(contextmanager(signed_in)(team, chromium, f"{name}@example.org"))
            expect(page.get_by_role("link", name="Queue")).to_be_visible()
            return page

        yield arrive


def opened(team: Server, page: Page, key: int) -> None:
    page.goto(f"{team.url}/review?table={key}")
    expect(page.locator("[data-row='0'][data-col='0']")).to_be_visible()


def key_rows(page: Page, rows: list[list[str]]) -> None:
    """Type rows into a blank table of two by two."""
    for at, line in enumerate(rows):
        page.locator(f"[data-row='{max(at - 1, 0)}'][data-col='0']").click()
        if at > 1:
            page.keyboard.press("Alt+i")
        for col, text in enumerate(line):
            type_into(page, at, col, text)


def heard(page: Page, team: Server, screens: Sequence[str], awaited: str) -> str:
    """All that the server sends to a socket of this browser that asks for these screens, each time until it says so."""
    asked = []
    for name in screens:
        message = BackMsg()
        message.rerun_script.query_string = "table=1&document=1&release=first&pass=1"
        message.rerun_script.page_name = "" if name == "queue" else name
        asked.append(base64.b64encode(message.SerializeToString()).decode())
    address = f"{team.url.replace('http', 'ws')}/_stcore/stream"
    return str(page.evaluate(_HEARD, [address, asked, awaited]))


def test_a_table_goes_from_lease_to_take_over_second_keying_decision_and_release(
    team: Server, arrive: Callable[[str], Page]
) -> None:
    ann, bob, carol, olga = map(arrive, ("ann", "bob", "carol", "olga"))
    with ann.expect_response("**/api/lease"):
        opened(team, ann, 1)
    type_into(ann, 2, 1, "O.40")
    expect(state(ann)).to_have_text("saved")

    # Bob sees who has it, takes it over, and accepts it; what Ann types too late is kept.
    opened(team, bob, 1)
    expect(bob.get_by_test_id("lease")).to_contain_text("Ann has this table since")
    bob.keyboard.press("Alt+Shift+O")
    expect(bob.get_by_test_id("take-over")).to_contain_text("Take this table over from Ann?")
    bob.keyboard.press("Enter")
    expect(bob.get_by_test_id("lease")).to_be_hidden()
    type_into(ann, 1, 1, "too late")
    expect(ann.get_by_test_id("lease")).to_contain_text("Bob took this table over")
    bob.locator("[data-row='1'][data-col='0']").click()
    bob.keyboard.press("Control+Enter")
    until(bob, lambda: rows_of(team.home, "select 1 from verdict where gold = 1 and verdict = 'accept'"))
    edits = rows_of(team.home, "select person, body from edit where gold = 1")
    assert [person for person, _ in edits] == ["Ann"]
    assert "too late" not in edits[0][1]

    # Carol keys it again without having seen any of it.
    drawn = ("second-pass", "--project", "twice", "--share", "1", "--person", "Carol", "--home", str(team.home))
    subprocess.run([*COMMAND, *drawn], check=True, stdout=subprocess.DEVNULL)
    ((keyed,),) = rows_of(team.home, "select keyed from second_pass")
    carol.goto(f"{team.url}/review?table=1")
    expect(carol.get_by_text("Hand it in first")).to_be_visible()
    assert "O.40" not in carol.content()
    opened(team, carol, keyed)
    key_rows(carol, READ)
    expect(state(carol)).to_have_text("saved")
    carol.keyboard.press("Control+Enter")
    until(carol, lambda: rows_of(team.home, "select 1 from verdict where gold = ? and verdict = 'accept'", keyed))

    # Olga decides between the two, and releases what came of it. Ann, who keyed it first and is an annotator, may not.
    ann.goto(f"{team.url}/second_pass?pass=1")
    expect(ann.get_by_test_id("stMain")).to_contain_text("somebody else has to")
    ann.goto(f"{team.url}/releases")
    expect(ann.get_by_test_id("stMain")).to_contain_text("Ann (annotator) may not export gold and make releases")
    olga.goto(f"{team.url}/second_pass?pass=1")
    expect(olga.get_by_test_id("adj-question")).to_have_text("Row 2, price")
    olga.keyboard.press("Space")
    answers = olga.get_by_role("group", name="Answers").locator("bdi")
    expect(answers.first).to_be_visible()
    olga.keyboard.press(str([text.strip() for text in answers.all_inner_texts()].index("0.40") + 1))
    expect(olga.get_by_test_id("adj-progress")).to_have_text("1 of 1 decided")
    olga.keyboard.press("Control+Enter")
    until(olga, lambda: rows_of(team.home, "select 1 from adjudicated"))
    olga.goto(f"{team.url}/releases")
    olga.get_by_role("textbox", name="Name").fill("first")
    olga.get_by_role("button", name="Freeze 1 accepted table").press("Enter")
    expect(olga.get_by_test_id("releases")).to_contain_text("first")
    assert rows_of(team.home, "select r.name, t.gold, t.accepted_by from release r join release_table t") == [
        ("first", 1, "Olga")
    ]


@pytest.mark.parametrize("who", ["mallory@example.org", ""])
def test_who_is_not_in_the_team_hears_nothing_of_any_screen_whatever_is_sent_to_the_server(
    team: Server, page: Page, arrive: Callable[[str], Page], who: str
) -> None:
    page.goto(team.url)
    if who:
        sign_in(page, who)
    refused = "Not known here" if who else "Sign in to see and correct tables"
    for name in ("review", "document", "releases"):
        page.goto(f"{team.url}/{name}?table=1&document=1&release=first&pass=1")
        expect(page.get_by_test_id("stMain")).to_contain_text(refused)
        assert not [word for word in TELLING if word in page.content()]
    told = heard(page, team, list(SCREENS), refused)
    assert not [word for word in TELLING if word in told]
    # That this would have been heard, Olga's browser shows.
    assert SAMPLE.name in heard(arrive("olga"), team, ["document"], "duo")
