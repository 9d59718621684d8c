"""Of a table of the blind slice nothing that the machine read is on any route or screen until it is accepted."""

from __future__ import annotations

import json
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from streamlit.testing.v1 import AppTest

from review_app import api, granting
from review_app.cli import main
from store.blind import BlindRule, set_rule

if TYPE_CHECKING:
    from conftest import Server

# What the machine read, and what was said of it.
PLANTED = ("O.40", "1.20", "bolt", "one note", "acme")
OPEN_TO_ALL = ("/api/page", "/api/tile", "/api/crop", "/api/words", "/assets")
# Queue, review and strip show what the routes answer.
SCREENS = ("results", "confidence", "compare", "effort", "document", "import_files", "my_time")


@pytest.fixture
def blind(server: Server) -> Server:
    assert set_rule(server.db, "default", BlindRule(1, 1), person="olga") == (server.gold,)
    return server


def _found(answer: Any) -> list[str]:
    text = answer.decode("utf-8", "replace") if isinstance(answer, bytes) else json.dumps(answer)
    return [word for word in PLANTED if word in text]


def _asked(server: Server) -> list[tuple[str, Any]]:
    """What every route answers that may tell something of a table, with every token that a person has."""
    answers = []
    for route in api.ROUTES:
        # tests/review_app/test_rest.py asks those for programs.
        if route.path.startswith((*OPEN_TO_ALL, "/api/v1/")) or "{rest" in route.path:
            continue
        for key in (server.gold, granting.LISTS):
            token, path = server.token("ann", key), route.path.replace("{gold:int}", str(key))
            assert "{" not in path, f"a new route with parts: say here how it is asked: {path}"
            if "GET" in (route.methods or ()):
                for more in ("", "?status=all", "?kind=any&project=default"):
                    answers.append((path + more, server.get(path + more, token)[1]))
            if "POST" in (route.methods or ()):
                body = {
                    "token": token,
                    "gold": key,
                    **{"client": "tab-of-ann", "action": "take", "after": 0, "edits": [], "id": "verdict-1"},
                    **{"verdict": "skip", "revision": 0, "document": 1, "page": 1, "box": [0.0, 0.0, 1.0, 1.0]},
                    **{"table": 1, "text": "7.70", "col": 0, "comments": []},
                }
                answers.append((path, server.post(path, body)[1]))
    return answers


def test_no_route_tells_what_the_machine_read(blind: Server) -> None:
    answers = _asked(blind)
    assert len(answers) > 20
    assert {path: found for path, answer in answers if (found := _found(answer))} == {}
    status, table = blind.get(f"/api/table/{blind.gold}", blind.token())
    assert (status, table["blind"], table["first"], table["doubts"]) == (200, True, None, [])
    assert blind.post("/api/region", {"document": 1, "page": 1, "box": [0, 0, 1, 1]})[0] in (409, 422)


def test_the_same_routes_tell_it_of_a_table_that_is_not_blind(server: Server) -> None:
    assert {word for _, answer in _asked(server) for word in _found(answer)} == set(PLANTED)


def test_after_acceptance_the_first_extraction_is_shown_and_scored(blind: Server) -> None:
    status, answer = blind.post("/api/verdict", {"id": "v-1", "verdict": "accept", "revision": 0})
    assert (status, answer["score"]["passed"]) == (200, False)
    _, table = blind.get(f"/api/table/{blind.gold}", blind.token())
    assert (table["blind"], _found(table["first"])) == (False, list(PLANTED))


@pytest.mark.parametrize("screen", SCREENS)
def test_no_screen_tells_what_the_machine_read(blind: Server, screen: str) -> None:
    import_module(f"review_app.views.{screen}")
    app = AppTest.from_string(
        "from collections import defaultdict\nimport streamlit as st\n"
        f"from review_app.views import {screen}\n"
        f"page = st.Page({screen}.show, url_path='here', default=True)\n"
        "st.session_state['screens'] = defaultdict(lambda: page)\nst.navigation([page]).run()"
    )
    app.query_params["document"] = "1"
    app.run(timeout=60)
    shown = repr(app.main) + repr(app.get("html")) + repr(app.get("markdown"))
    assert len(shown) > 100
    assert not app.exception
    assert not [word for word in PLANTED if word in shown and word != "acme"]  # the name of the run is no secret


def test_the_command_draws_and_tells_which_tables_are_blind(server: Server) -> None:
    done = CliRunner().invoke(main, ["blind", "--share", "1", "--seed", "4", "--json"])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert told["rule"] == {"share": 1.0, "seed": 4}
    assert [(one["gold"], one["is_hidden"]) for one in told["tables"]] == [(server.gold, True)]
    assert "1 table drawn now." in done.stderr
