from __future__ import annotations

import json
from typing import TYPE_CHECKING

from click.testing import CliRunner, Result

from review_app import granting
from review_app.cli import main

if TYPE_CHECKING:
    from conftest import Server


def _run(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


def test_a_table_is_meant_for_somebody_and_progress_tells_it(server: Server) -> None:
    assert "1 table changed; 1 meant for bob now." in _run("assign", "bob", "--table", str(server.gold)).output
    found = json.loads(_run("progress", "--json").output)
    assert [(one["name"], one["open"]) for one in found["people"]] == [("bob", 1)]
    assert "0 of 1 tables done." in _run("progress").output


def test_a_rule_is_set_and_ended(server: Server) -> None:
    assert "go to ann, bob in turn" in _run("assign", "ann", "bob", "--rule").output
    assert json.loads(_run("progress", "--json").output)["people"][0]["name"] == "ann"
    assert "The rule ended." in _run("assign", "--rule").output
    assert json.loads(_run("progress", "--json").output)["people"][0]["name"] == ""


def test_what_is_not_meant_is_wrong_use(server: Server) -> None:
    for words in (("ann", "bob", "--type", "x"), ("ann",), ("ann", "--rule", "--table", "1")):
        assert _run("assign", *words).exit_code == 2
    done = _run("assign", "ann", "--document", "none.pdf")
    assert (done.exit_code, "no table of document 'none.pdf'" in done.output) == (2, True)


def test_the_queue_assigns_and_shows_whom_a_table_is_meant_for(server: Server) -> None:
    lists = server.token(gold=granting.LISTS)
    body = {"token": lists, "gold": granting.LISTS, "table": server.gold, "person": " bob "}
    assert server.post("/api/assignment", body) == (200, {"changed": 1})
    _, listed = server.get("/api/queue", lists)
    assert [row["assigned"] for row in listed["rows"]] == ["bob"]
    assert listed["counts"]["assigned"] == {"bob": 1}
    assert server.get("/api/queue?assigned=mine", lists)[1]["total"] == 0
    assert server.post("/api/assignment", {**body, "table": "1"})[0] == 422
