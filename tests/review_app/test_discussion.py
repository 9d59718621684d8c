"""The routes of comments and guidelines on a real server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from store.guidelines import add_guidelines

if TYPE_CHECKING:
    from conftest import Server

ASKED = {"id": "comment-1", "kind": "comment", "text": "0 or O? <b>", "row": "b2", "col": "b1"}


def say(server: Server, *comments: dict[str, Any]) -> tuple[int, Any]:
    status, answer = server.post("/api/comments", {"comments": list(comments)})
    return status, answer


def table(server: Server, person: str = "ann") -> Any:
    status, answer = server.get(f"/api/table/{server.gold}", server.token(person))
    assert status == 200
    return answer


def test_comments_are_stored_once_and_told_with_the_table(server: Server) -> None:
    for _ in range(2):
        status, answer = say(server, ASKED)
        assert (status, answer["stored"]) == (200, ["comment-1"])
    (thread,) = table(server)["threads"]
    assert thread == answer["threads"][0]
    assert (thread["row"], thread["col"], thread["open"]) == ("b2", "b1", True)
    assert [(one["text"], one["person"]) for one in thread["comments"]] == [("0 or O? <b>", "ann")]
    assert [one["comments"] for one in table(server)["tables"]] == [1]
    assert server.get(f"/api/comments/{server.gold}", server.token("bob"))[1] == {"threads": [thread]}


def test_one_comment_that_is_unfit_is_named_and_none_of_the_request_is_stored(server: Server) -> None:
    status, answer = say(server, ASKED, {"id": "comment-2", "thread": "nowhere-1", "text": "yes"})
    assert (status, answer["error"], answer["id"]) == (422, "unfit", "comment-2")
    assert table(server)["threads"] == []


def test_a_table_with_open_comments_is_not_accepted(server: Server) -> None:
    say(server, ASKED)
    verdict = {"id": "verdict-1", "verdict": "accept", "revision": 0, "reason": ""}
    status, answer = server.post("/api/verdict", verdict)
    assert (status, answer["error"]) == (409, "discussed")
    assert "1 open comment" in answer["message"]
    say(server, {"id": "resolve-1", "kind": "resolve", "thread": "comment-1"})
    assert server.post("/api/verdict", verdict)[0] == 200


def test_comments_need_a_token_of_their_table(server: Server) -> None:
    assert server.get(f"/api/comments/{server.gold}", "forged")[0] == 403
    assert server.post("/api/comments", {"comments": [ASKED]}, token=server.token(gold=server.gold + 1))[0] == 403
    assert server.post("/api/comments", {"comments": "all"})[0] == 422


def test_guidelines_are_unread_until_the_person_had_them(server: Server) -> None:
    assert table(server)["guidelines"] is None
    with server.db.write() as writer:
        writer.execute("drop trigger gold_no_update")
        writer.execute("update gold set table_type = 'parts'")
    add_guidelines(server.db, "# Parts", table_type="parts", project="default")
    told = table(server)["guidelines"]
    assert (told["text"], told["unread"]) == ("# Parts", True)
    assert server.post("/api/guidelines", {"id": told["id"]}) == (200, {"read": told["id"]})
    assert table(server)["guidelines"]["unread"] is False
    assert table(server, "bob")["guidelines"]["unread"] is True
    assert server.post("/api/guidelines", {"id": 999})[0] == 404
