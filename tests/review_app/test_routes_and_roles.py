"""Every route and every screen against everybody who may ask: a new one without a decision fails here."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest
from streamlit.testing.v1 import AppTest

from review_app import tokens
from review_app.api import ROUTES
from review_app.api_session import COOKIE
from review_app.granting import IMAGES, LISTS, issue_token
from review_app.settings import database, settings
from review_app.tokens import LIFETIME_S, ROUNDED_TO_S, Capability
from store import people
from store.audit import noted
from store.rights import RIGHTS, ROLES, Right
from tests.review_app.conftest import Server

# The decision for each route: the right that it asks for, and by what it knows who asks.
DECIDED: dict[str, tuple[Right | None, str]] = {
    "POST /api/session/{gold:int}": ("review", "bearer"),
    "GET /api/table/{gold:int}": ("review", "bearer"),
    "GET /api/queue": ("review", "lists"),
    "GET /api/strip": ("review", "lists"),
    "POST /api/assignment": ("rules", "body"),
    "GET /api/quality": ("check", "lists"),
    "POST /api/quality": ("check", "body"),
    "GET /api/adjudication": ("adjudicate", "lists"),
    "POST /api/adjudication": ("adjudicate", "body"),
    "GET /api/crop/{sha256:str}/{number:int}@{dpi:int}/{part:str}.webp": ("review", "cookie"),
    "POST /api/edits": ("review", "body"),
    "POST /api/activity": ("review", "body"),
    "POST /api/lease": ("review", "body"),
    "POST /api/verdict": ("accept", "body"),
    "POST /api/comments": ("review", "body"),
    "GET /api/comments/{gold:int}": ("review", "bearer"),
    "POST /api/guidelines": ("review", "body"),
    "POST /api/meaning": ("review", "body"),
    "POST /api/region": ("review", "body"),
    "POST /api/region/table": ("review", "body"),
    "GET /api/page/{sha256:str}/{number:int}@{dpi:int}.webp": ("review", "cookie"),
    "GET /api/tile/{sha256:str}/{number:int}@{dpi:int}-{col:int}-{row:int}.webp": ("review", "cookie"),
    "GET /api/words/{sha256:str}/{number:int}": ("review", "cookie"),
    # The program's own text, and refusals.
    "GET /assets/{version:str}/{name:str}": (None, ""),
    "POST /api/{rest:path}": (None, ""),
    "GET /assets/{rest:path}": (None, ""),
}
SCREENS: dict[str, Right] = {
    "queue": "review",
    "review": "review",
    "strip": "review",
    "my_time": "review",
    "account": "review",
    "second_pass": "review",
    "progress": "review",
    "quality": "check",
    "results": "results",
    "confidence": "results",
    "compare": "results",
    "effort": "results",
    "document": "results",
    "releases": "export",
    "import": "import",
    "people": "people",
}
GUARDED = {path: how for path, (right, how) in DECIDED.items() if right}
BODIES = {
    "POST /api/edits": {"after": 0, "edits": []},
    "POST /api/lease": {"action": "take", "client": "client-0001"},
    "POST /api/verdict": {"verdict": "skip", "id": "v1", "revision": 0},
    "POST /api/meaning": {"column": "price", "text": "1"},
}


@pytest.fixture
def team(server: Server) -> Server:
    people.add_person(server.db, "ada@example.org", role="admin", by="root", name="Ada")
    for role in ROLES:
        people.add_person(server.db, f"{role}@example.org", role=role, by="Ada", name=role)
    return server


def ask(server: Server, path: str, token_for: Callable[[int], str]) -> tuple[int, str]:
    """Status and word of the answer to a request that carries a token as this route wants it."""
    how, (method, address) = GUARDED[path], path.split(" ")
    address = address.replace("{gold:int}", str(server.gold)).replace("{sha256:str}", server.sha256)
    for part, value in (
        ("{number:int}@{dpi:int}-{col:int}-{row:int}", "1@150-0-0"),
        ("{number:int}@{dpi:int}", "1@150" if "crop" in path else "1@36"),
        ("{number:int}", "1"),
        ("{part:str}", "0.1,0.1,0.3,0.2"),
    ):
        address = address.replace(part, value)
    headers, data = {}, None
    if how == "cookie":
        headers["Cookie"] = f"{COOKIE}={token_for(IMAGES)}"
    elif how == "body":
        body = {"token": token_for(server.gold), "gold": server.gold, **BODIES.get(path, {})}
        data = json.dumps(body).encode()
    else:
        headers["Authorization"] = f"Bearer {token_for(LISTS if how == 'lists' else server.gold)}"
    request = urllib.request.Request(server.url + address, data=data, headers=headers, method=method)
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, ""
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, json.loads(refused.read())["error"]


def status_of(address: str, headers: dict[str, str]) -> int:
    try:
        with urllib.request.urlopen(urllib.request.Request(address, headers=headers)) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code


def issued(name: str, **other: int) -> Callable[[int], str]:
    """What makes tokens for a person that differ from a good one in some part."""
    with database().read() as reader:
        epoch = people.epoch_of(reader, name) or 0
    secret = tokens.secret_of(settings().home.folder)
    good = Capability(name, 0, epoch)
    return lambda key: tokens.issue(secret, replace(good, **{"gold": key, **other}))


def test_for_every_route_it_is_decided_who_may_ask_it() -> None:
    # Those for programs say what they need (review_app/rest.py); tests/review_app/test_rest.py asks them all.
    ours = [route for route in ROUTES if not route.path.startswith("/api/v1/")]
    found = [f"{'POST' if 'POST' in (route.methods or ()) else 'GET'} {route.path}" for route in ours]
    assert sorted(found) == sorted(DECIDED)


@pytest.mark.parametrize("path", GUARDED)
def test_a_route_answers_nobody_without_a_token_of_now(team: Server, path: str) -> None:
    secret = tokens.secret_of(settings().home.folder)
    epoch = 1
    people.add_person(team.db, "gone@example.org", role="admin", by="Ada", name="gone")
    removed = issued("gone")
    people.remove_person(team.db, "gone", by="Ada")
    changed = issued("owner")
    people.set_role(team.db, "owner", role="admin", by="Ada")
    left = issued("reviewer")
    people.sign_out(team.db, "reviewer")
    expired = -LIFETIME_S - 2 * ROUNDED_TO_S
    wrong: dict[str, Callable[[int], str]] = {
        "no token": lambda key: "",
        "forged": lambda key: tokens.issue(b"another secret", Capability("Ada", key, epoch)),
        "expired": lambda key: tokens.issue(secret, Capability("Ada", key, epoch), at=time.time() + expired),
        "for another table": issued("Ada", gold=team.gold + 1000),
        "removed person": removed,
        "role changed since": changed,
        "signed out since": left,
        "never in the team": issued("mallory"),
        "a later epoch": issued("Ada", epoch=99),
        "the terminal": issued("root (terminal)"),
        "without a team": issued("Ada", epoch=0),
    }
    answers = {name: ask(team, path, token_for) for name, token_for in wrong.items()}
    assert answers == dict.fromkeys(wrong, (403, "token"))


@pytest.mark.parametrize("path", GUARDED)
def test_a_route_answers_each_role_that_has_its_right(team: Server, path: str) -> None:
    right = DECIDED[path][0]
    for role in ROLES:
        status, word = ask(team, path, partial(issue_token, role))
        refused = status == 403 and word in ("token", "not_allowed")
        assert refused == (right not in RIGHTS[role]), (role, status, word)


@pytest.mark.parametrize("path", GUARDED)
def test_alone_on_a_machine_images_need_no_cookie_and_routes_their_token(server: Server, path: str) -> None:
    answer = ask(server, path, lambda key: "")
    assert (answer == (403, "token")) == (GUARDED[path] != "cookie"), answer


def test_the_cookie_for_images_is_out_of_reach_for_scripts_and_other_sites(team: Server) -> None:
    request = urllib.request.Request(
        f"{team.url}/api/session/{team.gold}",
        headers={"Authorization": f"Bearer {issue_token('annotator', team.gold)}"},
        method="POST",
    )
    with urllib.request.urlopen(request) as answer:
        cookie = answer.headers["set-cookie"]
    assert cookie.startswith(f"{COOKIE}=")
    assert {"HttpOnly", "SameSite=strict", "Path=/api/"} <= set(cookie.split("; "))


def test_a_team_asks_anew_for_each_image_and_is_told_that_it_is_still_the_same(team: Server) -> None:
    cookie = {"Cookie": f"{COOKIE}={issue_token('annotator', IMAGES)}"}
    address = f"{team.url}/api/page/{team.sha256}/1@36.webp"
    with urllib.request.urlopen(urllib.request.Request(address, headers=cookie)) as answer:
        assert answer.headers["cache-control"] == "private, no-cache"
        known = {"If-None-Match": answer.headers["etag"]}
    assert status_of(address, cookie | known) == 304
    people.remove_person(team.db, "annotator", by="Ada")
    assert status_of(address, cookie | known) == 403


def test_reading_a_table_is_noted_once_and_what_was_refused_with_the_reason(team: Server) -> None:
    for _ in range(3):
        assert team.get(f"/api/table/{team.gold}", issue_token("annotator", team.gold))[0] == 200
    before = issue_token("annotator", team.gold)
    people.remove_person(team.db, "annotator", by="Ada")
    for _ in range(3):
        assert team.get(f"/api/table/{team.gold}", before)[0] == 403
    with team.db.read() as reader:
        own = noted(reader, reader_name="Ada", person="annotator")
    assert [(each.action, each.subject, each.refused) for each in own] == [
        ("read", f"table {team.gold}", False),
        ("asked for", f"/api/table/{team.gold}", True),
    ]


def screen(name: str, person: str, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """The app at a screen, drawn for somebody who is declared."""
    monkeypatch.setenv("PROOFGRID_PERSON", person)
    app = AppTest.from_function(_app, args=(name,), default_timeout=60)
    return app.run()


def _app(name: str) -> None:
    import streamlit as st

    from review_app import screens

    # AppTest opens the default screen; the one that is asked for is made that.
    page = st.Page

    def other(show: object, *, url_path: str | None, default: bool, **options: object) -> object:
        path = url_path or "queue"
        return page(show, url_path=path, default=path == name, **options)  # type: ignore[arg-type]

    st.Page = other  # type: ignore[assignment,misc]
    try:
        screens.show()
    finally:
        st.Page = page  # type: ignore[misc]


def text_of(app: AppTest) -> str:
    return " ".join(str(each.value) for each in [*app.subheader, *app.markdown])


def test_for_every_screen_it_is_decided_who_may_see_it(team: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    app = screen("queue", "annotator", monkeypatch)
    assert set(app.session_state["screens"]) == set(SCREENS)


@pytest.mark.parametrize("name", SCREENS)
def test_a_screen_is_shown_to_each_role_that_has_its_right(
    team: Server, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    people.add_person(team.db, "r@example.org", role="admin", by="Ada", name="removed")
    people.remove_person(team.db, "removed", by="Ada")
    for role in ("removed", "stranger"):
        app = screen(name, role, monkeypatch)
        assert not app.exception, role
        assert "Not known here" in text_of(app), role
        assert "screens" not in app.session_state, role
    for role, rights in RIGHTS.items():
        app = screen(name, role, monkeypatch)
        assert not app.exception, role
        assert name in app.session_state["screens"], role
        assert ("Not for your role" in text_of(app)) == (SCREENS[name] not in rights), role


@pytest.mark.parametrize("name", SCREENS)
def test_a_page_that_is_open_shows_nothing_any_more_at_the_next_rerun(
    team: Server, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    people.add_person(team.db, "x@example.org", role="admin", by="Ada", name="x")
    app = screen(name, "x", monkeypatch)
    assert "Not known here" not in text_of(app)
    people.remove_person(team.db, "x", by="Ada")
    app.run()
    assert [each.value for each in app.subheader] == ["Not known here"]
    assert not app.get("bidi_component")


def test_a_page_that_is_open_says_so_when_the_person_signed_out_elsewhere(
    team: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = screen("queue", "annotator", monkeypatch)
    people.sign_out(team.db, "annotator")
    app.run()
    assert [each.value for each in app.subheader] == ["Signed out"]


def test_an_admin_adds_changes_and_removes_people_on_the_screen(team: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    app = screen("people", "Ada", monkeypatch)
    app.text_input[0].input("new@example.org")
    app.text_input[1].input("A7")
    press(app, "Add")
    app.selectbox[1].select("A7 (annotator)")
    app.selectbox[2].select("owner")
    press(app, "Change role")
    with team.db.read() as reader:
        found = people.person(reader, "A7")
    assert (found.sign_in, found.role, found.added_by, found.removed_at) == ("new@example.org", "owner", "Ada", None)
    app.selectbox[1].select("A7 (owner)")
    press(app, "Remove")
    with team.db.read() as reader:
        assert people.person(reader, "A7").removed_at is not None


def test_an_admin_cannot_remove_the_last_admin_on_the_screen(team: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    people.remove_person(team.db, "admin", by="Ada")
    app = screen("people", "Ada", monkeypatch)
    app.selectbox[1].select("Ada (admin)")
    press(app, "Remove")
    (told,) = app.error
    assert "the last admin" in told.value


def press(app: AppTest, label: str) -> None:
    next(button for button in app.button if button.label == label).click()
    app.run()
    assert not app.exception
