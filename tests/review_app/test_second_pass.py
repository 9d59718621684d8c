"""Whoever keys a table a second time finds nothing of the first answers, wherever they look."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from review_app import api, granting
from review_app.cli import main
from store.comments import NewComment, add_comments
from store.edits import SetText, TextChange
from store.gold import NewEdit, add_edits
from store.second_pass import Pass, draw

if TYPE_CHECKING:
    from conftest import Server

# What ann typed, what she said, and what the machine read.
PLANTED = ("PLANTED-VALUE", "PLANTED-COMMENT", "O.40", "one note", "acme")
OPEN_TO_ALL = ("/api/page", "/api/tile", "/api/crop", "/api/words", "/assets")


@pytest.fixture
def drawn(server: Server) -> Pass:
    add_edits(
        server.db,
        server.gold,
        [NewEdit("edit-0001", SetText((TextChange(1, 0, "bolt", "PLANTED-VALUE"),)))],
        person="ann",
        after=0,
    )
    add_comments(
        server.db,
        server.gold,
        [NewComment("comment-1", "comment", "PLANTED-COMMENT", thread="comment-1")],
        person="ann",
    )
    (made,) = draw(server.db, project="default", share=1, people=["bob"], seed=1, person="olga").new
    return made


def _clean(answer: Any) -> None:
    text = answer.decode("utf-8", "replace") if isinstance(answer, bytes) else json.dumps(answer)
    assert not [word for word in PLANTED if word in text], text[:2000]


def test_no_route_tells_the_second_person_anything_of_the_first_answers(server: Server, drawn: Pass) -> None:
    own, first, lists = (server.token("bob", key) for key in (drawn.keyed, drawn.gold, granting.LISTS))
    asked = 0
    for route in api.ROUTES:
        # tests/review_app/test_rest.py asks those for programs.
        if route.path.startswith((*OPEN_TO_ALL, "/api/v1/")) or "{rest" in route.path:
            continue
        asked += 1
        methods = route.methods or set()
        for token, key in ((own, drawn.keyed), (first, drawn.gold), (lists, granting.LISTS)):
            path = route.path.replace("{gold:int}", str(key))
            assert "{" not in path, f"a new route with parts: say here how it is asked: {path}"
            if "GET" in methods:
                for more in ("", "?status=all", "?kind=any&project=default"):
                    _clean(server.get(path + more, token)[1])
            if "POST" in methods:
                body = {
                    "token": token,
                    "gold": key,
                    "client": "tab-of-bob",
                    "action": "take over",
                    "after": 0,
                    "edits": [],
                    "id": "verdict-1",
                    "verdict": "skip",
                    "revision": 1,
                    "document": 1,
                    "page": 1,
                    "box": [0.0, 0.0, 1.0, 1.0],
                    "table": 1,
                    "text": "1.20",
                    "col": 0,
                    "comments": [],
                }
                _clean(server.post(path, body)[1])
    assert asked > 9
    assert server.get(f"/api/table/{drawn.gold}", first)[0] == 409
    assert (
        server.post("/api/region", {"document": 1, "page": 1, "box": [0, 0, 1, 1]}, token=own, gold=drawn.keyed)[0]
        == 409
    )
    status, table = server.get(f"/api/table/{drawn.keyed}", own)
    assert (status, table["first"], table["doubts"], table["findings"]) == (200, None, [], [])
    assert [one["gold"] for one in table["tables"]] == [drawn.keyed]


def test_the_first_person_sees_nothing_of_the_second_keying(server: Server, drawn: Pass) -> None:
    edit = NewEdit("edit-of-bob", SetText((TextChange(0, 0, "", "KEYED-BY-BOB"),)))
    add_edits(server.db, drawn.keyed, [edit], person="bob", after=0)
    assert server.get(f"/api/table/{drawn.keyed}", server.token("ann", drawn.keyed))[0] == 409
    assert "KEYED-BY-BOB" not in json.dumps(server.get(f"/api/table/{drawn.gold}", server.token())[1])
    _, listed = server.get("/api/queue?status=all", server.token(gold=granting.LISTS))
    assert [row["gold"] for row in listed["rows"]] == [drawn.gold]


def test_handing_in_a_second_keying_tells_no_score(server: Server, drawn: Pass) -> None:
    body = {
        "token": server.token("bob", drawn.keyed),
        "gold": drawn.keyed,
        "id": "v-1",
        "verdict": "accept",
        "revision": 0,
    }
    status, answer = server.post("/api/verdict", body)
    assert (status, answer["status"], answer["score"]) == (200, "accepted", None)
    assert server.get(f"/api/table/{drawn.gold}", server.token("bob", drawn.gold))[0] == 200


def test_the_command_draws_and_tells_where_each_table_stands(server: Server) -> None:
    words = ["second-pass", "--share", "1", "--person", "bob", "--json"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    (one,) = json.loads(done.stdout)
    assert (one["person"], one["state"], one["name"]) == ("bob", "to key", "parts")
    assert re.search("1 table drawn; 1 of 1 are keyed twice now", done.stderr)
    done = CliRunner().invoke(main, ["second-pass", "--hand-over", "1", "--person", "carol"])
    assert "carol  to key" in done.output
    assert CliRunner().invoke(main, ["second-pass", "--hand-over", "1"]).exit_code == 2
