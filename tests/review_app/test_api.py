from __future__ import annotations

import io
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

from scoring.table import from_rows
from store.activity import recorded
from store.gold import add_gold, gold, history
from store.timing import switch_timing

if TYPE_CHECKING:
    from conftest import Server


def typed(name: str, row: int, col: int, old: str, new: str) -> dict[str, Any]:
    change = {"row": row, "col": col, "old": old, "new": new}
    return {"id": name, "edit": {"kind": "set_text", "changes": [change]}, "source": "typed", "active_ms": 900}


FIX = typed("edit-0001", 2, 1, "O.40", "0.40")


def test_a_table_comes_with_all_that_its_review_shows(server: Server) -> None:
    status, table = server.get(f"/api/table/{server.gold}", server.token())
    assert status == 200
    assert (table["revision"], table["status"], table["name"]) == (0, "open", "parts")
    assert table["first"]["extractor"] == "acme 1"
    assert table["first"]["notes"] == ["one note"]
    assert [(row["gold"], row["first"], row["kind"]) for row in table["aligned"]["rows"]] == [
        (0, 0, "header"),
        (1, 1, "matched"),
        (2, 2, "matched"),
        (3, 3, "matched"),
    ]
    assert {(doubt["row"], doubt["col"]) for doubt in table["doubts"]} == {(2, 1), (3, 1)}
    low = [badge for badge in table["first"]["badges"] if badge["level"] == "low"]
    assert {(badge["row"], badge["col"]) for badge in low} == {(2, 1), (3, 1)}
    assert low[0]["reason"] == "word confidence 0.40 (acme words, lowest of 2)"


def test_edits_are_stored_and_answered_with_the_new_alignment(server: Server) -> None:
    _, table = server.get(f"/api/table/{server.gold}", server.token())
    gone = [cell for cell in table["sheet"]["cells"] if cell["row"] == 3]
    delete = {
        "id": "edit-0002",
        "edit": {"kind": "delete", "axis": "row", "at": 3, "ids": ["b3"], "cells": gone},
        "source": "key",
    }
    status, answer = server.post("/api/edits", {"after": 0, "edits": [FIX, delete]})
    assert (status, answer["revision"], answer["stored"]) == (200, 2, ["edit-0001", "edit-0002"])
    # Both first rows now fit the one gold row equally well; the later one is the repetition.
    assert {"gold": None, "first": 3, "kind": "duplicate"} in answer["aligned"]["rows"]
    assert not [doubt for doubt in answer["doubts"] if (doubt["row"], doubt["col"]) == (2, 1)]


def test_a_stale_batch_is_answered_with_both_values(server: Server) -> None:
    server.post("/api/edits", {"after": 0, "edits": [FIX]})
    status, answer = server.post("/api/edits", {"after": 0, "edits": [typed("edit-0002", 2, 1, "O.40", "0.44")]})
    assert (status, answer["error"], answer["revision"]) == (409, "stale", 1)
    assert answer["conflicts"] == [{"id": "edit-0002", "row": 2, "col": 1, "expected": "O.40", "found": "0.40"}]


def test_the_same_send_twice_stores_once_and_is_acknowledged_twice(server: Server) -> None:
    answers = [server.post("/api/edits", {"after": 0, "edits": [FIX]}) for _ in range(2)]
    assert [(status, answer["revision"]) for status, answer in answers] == [(200, 1), (200, 1)]
    with server.db.read() as reader:
        assert len(history(reader, server.gold)) == 1


def test_accepting_answers_with_the_score_and_freezes_the_table(server: Server) -> None:
    server.post("/api/edits", {"after": 0, "edits": [FIX]})
    status, answer = server.post("/api/verdict", {"id": "verdict-1", "verdict": "accept", "revision": 1})
    assert (status, answer["status"], answer["next"]) == (200, "accepted", None)
    assert answer["score"]["passed"] is False
    assert answer["score"]["f1"] == pytest.approx(7 / 8)
    status, answer = server.post("/api/edits", {"after": 1, "edits": [typed("edit-0002", 1, 1, "1.20", "1.30")]})
    assert (status, answer["error"]) == (409, "accepted")


def test_a_verdict_tells_the_queue_as_it_is_when_the_next_table_opens(server: Server) -> None:
    with server.db.read() as reader:
        document = gold(reader, server.gold).document
    others = [
        add_gold(server.db, document, from_rows([["x"]]), name=name, base="extraction", person="ann")[0].id
        for name in ("second", "third")
    ]
    _, answer = server.post("/api/verdict", {"id": "verdict-1", "verdict": "accept", "revision": 0})
    assert answer["next"]["gold"] == others[0]
    _, table = server.get(f"/api/table/{others[0]}", answer["next"]["token"])
    assert answer["queue"]["next"]["gold"] == others[1]
    assert (answer["queue"]["done"], answer["queue"]["of"]) == (table["queue"]["done"], table["queue"]["of"]) == (1, 3)


def test_activity_is_summed_for_the_person_who_worked(server: Server) -> None:
    stretch = {
        "id": "stretch-1",
        "client": "tab",
        "phase": "correction",
        "started": "2026-03-02T09:00:00.000Z",
        "active_ms": 4000,
        "idle_ms": 0,
        "hidden_ms": 0,
        "gaps": [],
        "cells": [["b2", "b1", 4000]],
        "seen": [["b2", "b1"]],
    }
    for _ in range(2):
        assert server.post("/api/activity", {"activity": [stretch]}) == (200, {"stored": ["stretch-1"]})
    _, mine = server.get(f"/api/table/{server.gold}", server.token())
    assert mine["review"] == {"active_ms": 4000, "timed": True, "seen": [["b2", "b1"]], "reopened": False}
    _, theirs = server.get(f"/api/table/{server.gold}", server.token("bob"))
    assert theirs["review"] == {"active_ms": 0, "timed": True, "seen": [], "reopened": False}


def test_time_of_a_person_who_switched_timing_off_is_refused_and_what_they_saw_is_not(server: Server) -> None:
    switch_timing(server.db, "ann", on=False)
    stretch = {"id": "s", "client": "t", "phase": "correction", "started": "2026-03-02T09:00:00Z", "active_ms": 4000}
    status, answer = server.post("/api/activity", {"activity": [stretch], "seen": [["b2", "b1"]]})
    assert (status, answer["error"]) == (409, "timing_off")
    status, answer = server.post(
        "/api/edits", {"after": 0, "edits": [{**FIX, "active_ms": 900}], "activity": [stretch]}
    )
    assert (status, answer["stored"]) == (200, [FIX["id"]])
    _, table = server.get(f"/api/table/{server.gold}", server.token())
    assert table["review"] == {"active_ms": 0, "timed": False, "seen": [["b2", "b1"]], "reopened": False}


def test_the_clock_of_the_browser_is_read_against_that_of_the_server(server: Server) -> None:
    ahead = datetime.now(UTC) + timedelta(hours=3)
    stretch = {"client": "t", "phase": "correction", "active_ms": 900, "pauses": [], "away": []}
    sent = {"sent": round(ahead.timestamp() * 1000) + 1000}
    started = {"id": "s", "started": ahead.isoformat()}
    assert server.post("/api/activity", {"activity": [{**stretch, **started}], **sent})[0] == 200
    with server.db.read() as reader:
        (entry,) = recorded(reader)
    assert abs(entry.began_ms - datetime.now(UTC).timestamp() * 1000) < 60_000


@pytest.mark.parametrize("path", ["/api/edits", "/api/activity", "/api/verdict"])
@pytest.mark.parametrize(
    ("body", "status", "word"),
    [
        (b"", 400, "json"),
        (b'{"token": ', 400, "json"),
        (b"[]", 400, "json"),
        (b"\xff\xfe", 400, "json"),
        (b"[" * 100_000, 400, "json"),
        (b"{}", 403, "token"),
        (b'{"token": "a.b", "gold": 1}', 403, "token"),
        (b'{"token": 1, "gold": "1"}', 403, "token"),
    ],
)
def test_a_garbled_or_unsigned_request_is_refused_in_words(
    server: Server, path: str, body: bytes, status: int, word: str
) -> None:
    found, answer = server.post(path, body)
    assert (found, answer["error"]) == (status, word)
    assert answer["message"]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/edits", {}),
        ("/api/edits", {"after": 0, "edits": [1]}),
        ("/api/edits", {"after": 0, "edits": [{"id": "edit-0001", "edit": {"kind": "boom"}}]}),
        ("/api/edits", {"after": 0, "edits": [FIX], "activity": [{"id": "x"}]}),
        ("/api/edits", {"after": 0, "edits": [{**FIX, "undoes": "no such edit"}]}),
        ("/api/edits", {"after": 0, "edits": [{**FIX, "active_ms": 10**30}]}),
        ("/api/activity", {"activity": "x"}),
        ("/api/activity", {"seen": [1]}),
        ("/api/activity", {"sent": "noon"}),
        ("/api/activity", {"answers": [{"id": "a", "gap_ms": 1, "was_working": "yes", "at": ""}]}),
        ("/api/activity", {"activity": [{"id": "a", "client": "b", "phase": "lunch", "started": "", "active_ms": 1}]}),
        ("/api/verdict", {"id": "v", "verdict": "maybe", "revision": 0}),
        ("/api/verdict", {"verdict": "accept"}),
    ],
)
def test_what_does_not_fit_is_unfit_and_stores_nothing(server: Server, path: str, body: dict[str, Any]) -> None:
    status, answer = server.post(path, body)
    assert (status, answer["error"]) == (422, "unfit")
    with server.db.read() as reader:
        assert history(reader, server.gold) == ()


def test_a_token_for_another_table_opens_nothing(server: Server) -> None:
    status, answer = server.get(f"/api/table/{server.gold}", server.token(gold=99))
    assert (status, answer["error"]) == (403, "token")


def test_a_table_that_is_not_there_is_unknown(server: Server) -> None:
    status, answer = server.get("/api/table/99", server.token(gold=99))
    assert (status, answer["error"]) == (404, "unknown")


@pytest.mark.parametrize("path", ["/api/nope", "/api/page/x", "/assets/nope"])
def test_a_route_that_is_not_there_is_unknown_in_json(server: Server, path: str) -> None:
    status, answer = server.get(path, server.token())
    assert (status, answer["error"]) == (404, "unknown")
    assert path in answer["message"]


def test_a_page_is_a_webp_image_and_its_words_lie_on_it(server: Server) -> None:
    status, raw = server.get(f"/api/page/{server.sha256}/1@72.webp")
    assert status == 200
    with Image.open(io.BytesIO(raw)) as image:
        assert (image.format, image.size) == ("WEBP", (596, 842)) or image.size == (595, 842)
    status, raw = server.get(f"/api/tile/{server.sha256}/1@144-1-1.webp")
    assert status == 200
    with Image.open(io.BytesIO(raw)) as image:
        assert image.size == (1191 - 1024, 1684 - 1024)
    status, answer = server.get(f"/api/words/{server.sha256}/1")
    assert status == 200
    words = {word[0]: word[1:] for word in answer["words"]}
    assert "INVOICE" in words
    assert all(0 <= side <= 1 for side in words["INVOICE"])


@pytest.mark.parametrize(
    "path",
    ["/api/page/{sha}/2@72.webp", "/api/page/{sha}/0@72.webp", "/api/words/{sha}/7", "/api/tile/{sha}/1@72-9-0.webp"],
)
def test_a_page_that_the_document_does_not_have_is_refused_in_words(server: Server, path: str) -> None:
    status, answer = server.get(path.format(sha=server.sha256))
    assert (status, answer["error"]) == (422, "page")
    assert "page" in answer["message"]


@pytest.mark.parametrize("sha", ["0" * 64, "..%2f..%2fsecret", "x"])
def test_only_files_of_documents_are_served(server: Server, sha: str) -> None:
    assert server.get(f"/api/page/{sha}/1@72.webp")[0] == 404


def test_modules_are_served_for_ever_under_the_hash_of_all_of_them(server: Server) -> None:
    from review_app.components import frontend

    assert server.get(frontend.address("index.js"))[0] == 200
    assert server.get("/assets/other/index.js")[0] == 404
    assert server.get(f"/assets/{frontend.version()}/..%2fapi.py")[0] == 404


def test_the_queue_is_read_with_the_token_for_lists_alone(server: Server) -> None:
    status, answer = server.get("/api/queue?words=bolt%201.20", server.token(gold=0))
    assert (status, answer["total"], answer["rows"]) == (200, 0, [])
    status, answer = server.get("/api/queue?from=0&count=x", server.token(gold=0))
    assert [(row["gold"], row["status"], row["level"]) for row in answer["rows"]] == [(server.gold, "open", "low")]
    assert answer["first"]["gold"] == server.gold
    assert server.get(f"/api/table/{server.gold}", answer["first"]["token"])[0] == 200
    assert server.get("/api/queue", server.token())[0] == 403


def test_the_review_follows_the_list_that_was_chosen(server: Server) -> None:
    with server.db.read() as reader:
        document = gold(reader, server.gold).document
    for name in ("second", "third"):
        add_gold(server.db, document, from_rows([["x"]]), name=name, base="extraction", person="ann")
    _, table = server.get(f"/api/table/{server.gold}?queue=words%3Dthird", server.token())
    assert table["queue"]["next"]["gold"] == server.gold + 2
    body = {"id": "verdict-1", "verdict": "accept", "revision": 0, "queue": "words=third"}
    _, answer = server.post("/api/verdict", body)
    assert (answer["next"]["gold"], answer["beyond"]) == (server.gold + 2, False)


def test_half_of_a_character_is_refused_in_words_on_every_route(server: Server) -> None:
    for path in ("/api/edits", "/api/comments", "/api/activity", "/api/quality", "/api/meaning"):
        status, told = server.post(path, b'{"token": "x", "gold": 1, "text": "a\\ud800b"}')
        assert (status, told["error"]) == (422, "unfit"), path
        assert "half of a character" in told["message"]
