"""A team in Chromium: two people sign in at a real OpenID provider, and one is removed while a table is open."""

from __future__ import annotations

import shutil
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from benchmarks.server import COMMAND, Server, rows_of
from tests.browser.app.served import served
from tests.browser.app.waiting import until
from tests.oidc_provider import CLIENT, SECRET, running

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def team(chromium: Browser, sample_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on which Ada (admin) and Ann (annotator) may sign in."""
    folder = tmp_path_factory.mktemp("team")
    shutil.copytree(sample_home, folder / "home")
    users(folder / "home", "add", "ada@example.org", "--name", "Ada", "--role", "admin")
    users(folder / "home", "add", "ann@example.org", "--name", "Ann", "--role", "annotator")
    with running() as issuer, signing_in(folder, issuer) as server:
        yield server


@contextmanager
def signing_in(folder: Path, issuer: str) -> Iterator[Server]:
    """A server that is told its own address, which its port makes."""
    server = Server(folder / "home", folder / "server.log")
    (folder / "home" / "sign_in.toml").write_text(
        f'public_address = "{server.url}"\nclient_id = "{CLIENT}"\nclient_secret = "{SECRET}"\n'
        f'server_metadata_url = "{issuer}/.well-known/openid-configuration"\n'
    )
    with served(folder, server):
        yield server


@pytest.fixture
def ann(team: Server, chromium: Browser) -> Iterator[Page]:
    yield from signed_in(team, chromium, "ann@example.org")


@pytest.fixture
def ada(team: Server, chromium: Browser) -> Iterator[Page]:
    yield from signed_in(team, chromium, "ada@example.org")


def users(home: Path, *words: str) -> None:
    subprocess.run([*COMMAND, "users", *words, "--home", str(home)], check=True, stdout=subprocess.DEVNULL)


def signed_in(team: Server, chromium: Browser, email: str) -> Iterator[Page]:
    context = chromium.new_context(viewport={"width": 1280, "height": 720})
    page = context.new_page()
    page.goto(team.url)
    sign_in(page, email)
    yield page
    context.close()


def sign_in(page: Page, email: str, *, verified: bool = True) -> None:
    expect(page.get_by_text("Sign in to see and correct tables.")).to_be_visible()
    page.get_by_role("button", name="Sign in").click()
    page.get_by_label("E-mail").fill(email)
    if not verified:
        page.get_by_label("not verified").check()
    page.get_by_role("button", name="Go on").click()


def open_table(team: Server, page: Page, name: str = "items") -> int:
    ((key,),) = rows_of(team.home, "select id from gold where name = ?", name)
    page.goto(f"{team.url}/review?table={key}")
    expect(page.get_by_test_id("save-state")).to_have_text("saved")
    return int(key)


def type_into(page: Page, row: int, text: str) -> None:
    page.locator(f"[data-row='{row}'][data-col='0']").click()
    page.keyboard.type(text)
    page.keyboard.press("Enter")


def edits(team: Server) -> list[tuple[str, str]]:
    return rows_of(team.home, "select person, body from edit order by stored_at")


def test_nobody_sees_anything_before_signing_in(team: Server, page: Page) -> None:
    ((key, digest),) = rows_of(
        team.home, "select gold.id, d.sha256 from gold join document d on d.id = document where gold.name = 'items'"
    )
    page.goto(f"{team.url}/review?table={key}")
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    expect(page.get_by_test_id("stTopNavLink")).to_have_count(0)
    for path in (f"/api/page/{digest}/1@110.webp", f"/api/words/{digest}/1", f"/api/table/{key}"):
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(team.url + path)
        with refused.value:
            assert refused.value.code == 403


def test_who_is_not_in_the_team_or_not_verified_is_told_whom_to_ask(team: Server, page: Page) -> None:
    page.goto(team.url)
    sign_in(page, "mallory@example.org")
    expect(page.get_by_text("Not known here")).to_be_visible()
    expect(page.get_by_text("mallory@example.org is not among the people of this team. Ask Ada.")).to_be_visible()
    page.get_by_role("button", name="Sign in as somebody else").click()
    sign_in(page, "ada@example.org", verified=False)
    expect(page.get_by_text("Not known here")).to_be_visible()


def test_each_sees_the_screens_of_their_role_and_signs_with_their_name(team: Server, ann: Page, ada: Page) -> None:
    for person, results in ((ann, 0), (ada, 1)):
        expect(person.get_by_role("link", name="Queue")).to_be_visible()
        expect(person.get_by_role("link", name="Results")).to_have_count(results)
        # Only who may say whom a table is meant for is offered the key.
        expect(person.get_by_test_id("queue").get_by_role("option").first).to_be_focused()
        person.keyboard.press("a")
        expect(person.get_by_test_id("assign")).to_have_count(results)
        expect(person.get_by_text("A assigns")).to_have_count(results)
    ann.goto(f"{team.url}/results")
    expect(ann.get_by_text("Ann (annotator) may not see results")).to_be_visible()
    open_table(team, ann)
    image = ann.locator(".page img, img.page, img").first
    until(ann, lambda: image.evaluate("image => image.naturalWidth > 0"))
    type_into(ann, 1, "by Ann")
    expect(ann.get_by_test_id("save-state")).to_have_text("saved")
    assert [person for person, body in edits(team) if "by Ann" in body] == ["Ann"]


def test_who_is_removed_while_a_table_is_open_changes_nothing_more_and_loses_no_edit(team: Server, ann: Page) -> None:
    open_table(team, ann)
    type_into(ann, 2, "before")
    expect(ann.get_by_test_id("save-state")).to_have_text("saved")
    users(team.home, "remove", "Ann")
    type_into(ann, 3, "after")
    expect(ann.get_by_test_id("save-state")).to_contain_text("sign-in expired")
    assert not [body for _, body in edits(team) if "after" in body]
    ann.reload()
    expect(ann.get_by_text("Not known here")).to_be_visible()
    users(team.home, "add", "ann@example.org", "--name", "Ann", "--role", "annotator")
    open_table(team, ann)
    until(ann, lambda: [person for person, body in edits(team) if "after" in body] == ["Ann"])


def test_signing_out_ends_every_tab(team: Server, ada: Page) -> None:
    other = ada.context.new_page()
    open_table(team, other, "transactions")
    ada.goto(f"{team.url}/account")
    ada.get_by_role("button", name="Sign out").click()
    expect(ada.get_by_role("button", name="Sign in")).to_be_visible()
    type_into(other, 2, "signed out")
    expect(other.get_by_test_id("save-state")).to_contain_text("sign-in expired")
    other.reload()
    expect(other.get_by_role("button", name="Sign in")).to_be_visible()
    assert not [body for _, body in edits(team) if "signed out" in body]


def test_a_part_of_a_page_that_is_drawn_anew_shows_nothing_to_who_was_removed(team: Server, chromium: Browser) -> None:
    users(team.home, "add", "eve@example.org", "--name", "Eve", "--role", "reviewer")
    for eve in signed_in(team, chromium, "eve@example.org"):
        eve.goto(f"{team.url}/progress")
        search = eve.get_by_placeholder("Search").first
        expect(eve.get_by_text("tables done")).to_be_visible()
        expect(search).to_be_visible()
        users(team.home, "remove", "Eve")
        search.fill("samples")
        search.press("Enter")
        expect(eve.get_by_text("Not known here").first).to_be_visible()
