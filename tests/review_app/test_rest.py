"""The API for programs, over HTTP, with real keys."""

from __future__ import annotations

import socket
import urllib.request
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

import pytest

from review_app.rest import LARGEST_FILE, OPERATIONS
from store import api_keys, people
from store.blind import BlindRule, set_rule
from store.edits import SetText, TextChange
from store.gold import NewEdit, add_edits
from store.reviews import add_verdict
from store.rights import RIGHTS, ROLES
from store.second_pass import draw

if TYPE_CHECKING:
    from conftest import Server

CSV = b"item,price\nbolt,1.20\n"


def key_of(server: Server, person: str = "ann", by: str = "ann") -> str:
    return api_keys.make_key(server.db, person=person, by=by)[1]


def ask(server: Server, path: str, key: str, *, body: bytes | None = None, method: str = "") -> tuple[int, Any]:
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    asked = urllib.request.Request(
        server.url + path, data=body, headers=headers, method=method or ("GET" if body is None else "POST")
    )
    return server.answer(asked)


def test_a_program_walks_from_the_documents_to_the_bytes_as_received_and_the_gold(server: Server) -> None:
    key = key_of(server)
    status, listed = ask(server, "/api/v1/documents?project=default", key)
    assert (status, listed["total"]) == (200, 1)
    [document] = listed["documents"]
    assert document["sha256"] == server.sha256
    _, whole = ask(server, f"/api/v1/documents/{document['id']}", key)
    assert whole["gold"] == [{"gold": server.gold, "name": "parts", "status": "open"}]
    [extraction] = whole["extractions"]
    _, found = ask(server, f"/api/v1/extractions/{extraction}", key)
    assert found["tables"][0]["table"]["n_rows"] == 4
    assert ask(server, f"/api/v1/extractions/{extraction}/received", key) == (200, b"as received")
    _, gold = ask(server, f"/api/v1/gold/{server.gold}", key)
    assert (gold["revision"], gold["status"], gold["base"]) == (0, "open", "extraction")


def test_the_scores_are_those_of_the_command_line(server: Server) -> None:
    add_verdict(server.db, server.gold, verdict="accept", person="ann", id="v1", at_revision=0)
    _, scores = ask(server, "/api/v1/scores", key_of(server))
    assert scores["metrics"]["cell_f1"] == 1.0
    assert scores["documents"][0]["sha256"] == server.sha256


def test_a_file_that_is_sent_twice_is_stored_once(server: Server) -> None:
    key, [document] = key_of(server), ask(server, "/api/v1/documents", key_of(server))[1]["documents"]
    path = f"/api/v1/files?name=second.csv&document={document['id']}"
    status, first = ask(server, path, key, body=CSV)
    assert (status, [file["outcome"] for file in first["files"]]) == (200, ["new"])
    status, again = ask(server, path, key, body=CSV)
    assert (status, [file["outcome"] for file in again["files"]]) == (200, ["known"])
    _, whole = ask(server, f"/api/v1/documents/{document['id']}", key)
    assert len(whole["extractions"]) == 2


@pytest.mark.parametrize("name", ["../../secret", "..", "a/b.pdf", "a\\b.pdf", "%00.pdf", "a" * 256, "a\nb.pdf"])
def test_a_name_that_leads_elsewhere_or_is_none_is_refused(server: Server, name: str) -> None:
    status, told = ask(server, f"/api/v1/files?name={quote(name, safe='%')}", key_of(server), body=CSV)
    assert (status, told["error"]) == (422, "unfit")
    assert told["message"].startswith("name ")


def test_what_cannot_be_understood_is_refused_with_the_reason_and_nothing_is_stored(server: Server) -> None:
    key = key_of(server)
    status, told = ask(server, "/api/v1/files?name=broken.pdf", key, body=b"%PDF-1.7 and no more")
    assert (status, told["error"]) == (422, "unfit")
    assert "broken.pdf: nothing of it could be stored: " in told["message"]
    assert ask(server, "/api/v1/documents", key)[1]["total"] == 1


def test_a_file_that_is_too_large_is_refused_before_it_is_sent(server: Server) -> None:
    place = urlsplit(server.url)
    with socket.create_connection((place.hostname, place.port)) as line:
        head = f"POST /api/v1/files?name=a.pdf HTTP/1.1\r\nHost: {place.netloc}\r\n"
        said = f"Authorization: Bearer {key_of(server)}\r\nContent-Length: {LARGEST_FILE + 1}\r\n\r\n"
        line.sendall((head + said).encode())
        answer = line.recv(65536)
        while not answer.endswith(b"}"):
            answer += line.recv(65536)
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert f"expected at most {LARGEST_FILE:,}".encode() in answer


def test_an_oversized_edit_in_pieces_is_refused_before_all_of_it_came(server: Server) -> None:
    place = urlsplit(server.url)
    piece = b"x" * 1_000_000
    with socket.create_connection((place.hostname, place.port)) as line:
        line.sendall(f"POST /api/edits HTTP/1.1\r\nHost: {place.netloc}\r\nTransfer-Encoding: chunked\r\n\r\n".encode())
        for _ in range(9):
            line.sendall(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
        assert line.recv(65536).startswith(b"HTTP/1.1 413 ")


@pytest.mark.parametrize(
    ("key", "word"), [("", "expected the header"), ("proofgrid_guess", "not known"), ("\u00e9", "not known")]
)
def test_without_a_good_key_nothing_is_told(server: Server, key: str, word: str) -> None:
    for operation in OPERATIONS:
        path = operation.path.replace("{document}", "1").replace("{extraction}", "1").replace("{gold}", "1")
        status, told = ask(server, path, key, method=operation.method, body=b"x" if operation.largest_body else None)
        assert (status, told["error"]) == (401, "key"), operation.name
        assert word in told["message"]


def test_a_revoked_or_expired_key_is_refused_from_then_on(server: Server) -> None:
    made, text = api_keys.make_key(server.db, person="ann", by="ann")
    assert ask(server, "/api/v1/documents", text)[0] == 200
    api_keys.revoke_key(server.db, made.id, by="ann")
    assert "was revoked" in ask(server, "/api/v1/documents", text)[1]["message"]
    made, text = api_keys.make_key(server.db, person="ann", by="ann")
    with server.db.write() as writer:
        writer.execute("update api_key set expires_at = '2026-01-01T00:00:00.000+00:00' where id = ?", (made.id,))
    assert "expired on 2026-01-01" in ask(server, "/api/v1/documents", text)[1]["message"]


def test_the_key_itself_is_nowhere_in_the_database(server: Server) -> None:
    _, text = api_keys.make_key(server.db, person="ann", by="ann")
    for file in server.db.path.parent.glob("proofgrid.db*"):
        assert text.encode() not in file.read_bytes()


@pytest.mark.parametrize("role", ROLES)
def test_each_operation_asks_for_the_right_of_the_person_of_the_key(server: Server, role: str) -> None:
    people.add_person(server.db, "ada@example.org", role="admin", by="root", name="Ada")
    people.add_person(server.db, "bob@example.org", role=role, by="Ada", name="bob")  # type: ignore[arg-type]
    key = key_of(server, "bob", "Ada")
    numbers = {"document": 1, "extraction": 1, "gold": server.gold}
    for operation in OPERATIONS:
        path = operation.path.format(**numbers) + ("?name=a.csv&document=1" if operation.largest_body else "")
        status, told = ask(server, path, key, method=operation.method, body=CSV if operation.largest_body else None)
        allowed = operation.right in RIGHTS[role]  # type: ignore[index]
        assert status == (200 if allowed else 403), (operation.name, told)
    people.remove_person(server.db, "bob", by="Ada")
    status, told = ask(server, "/api/v1/documents", key)
    assert (status, told["error"]) == (401, "key")
    assert "This key was revoked" in told["message"]


def everything(server: Server, key: str) -> str:
    """All that the API answers about the numbers that there are, as one text."""
    told = []
    for operation in OPERATIONS:
        for number in (1, 2, 3):
            path = operation.path.format(document=number, extraction=number, gold=number)
            if operation.method == "GET":
                told.append(str(ask(server, path, key)[1]))
    return "\n".join(told)


def test_the_api_tells_nothing_of_a_blind_table_before_it_is_accepted(server: Server) -> None:
    key = key_of(server)
    assert "O.40" in everything(server, key)
    set_rule(server.db, "default", BlindRule(1, 1), person="olga")
    told = everything(server, key)
    assert [word for word in ("O.40", "1.20", "one note", "as received") if word in told] == []
    add_verdict(server.db, server.gold, verdict="accept", person="ann", id="v1", at_revision=0)
    assert "O.40" in everything(server, key)


def test_who_keys_a_table_again_is_told_nothing_of_the_first_answers_and_others_nothing_of_theirs(
    server: Server,
) -> None:
    edit = NewEdit("e1", SetText((TextChange(1, 0, "bolt", "KEYED-BY-ANN"),)))
    add_edits(server.db, server.gold, [edit], person="ann", after=0)
    (made,) = draw(server.db, project="default", share=1, people=["bob"], seed=1, person="olga").new
    again = NewEdit("e2", SetText((TextChange(0, 0, "", "KEYED-BY-BOB"),)))
    add_edits(server.db, made.keyed, [again], person="bob", after=0)
    told = everything(server, key_of(server, "bob"))
    assert [word for word in ("O.40", "one note", "as received", "KEYED-BY-ANN") if word in told] == []
    assert "KEYED-BY-BOB" in told
    assert "KEYED-BY-BOB" not in everything(server, key_of(server))


def test_another_method_is_refused_with_those_that_there_are(server: Server) -> None:
    status, told = ask(server, "/api/v1/documents", key_of(server), method="DELETE")
    assert (status, told["error"]) == (405, "method")
    assert "expected GET" in told["message"]
