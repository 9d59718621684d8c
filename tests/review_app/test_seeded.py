"""A planted error on its way through the routes: shown in the review, taken out of what comes back, told at once."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from streamlit.testing.v1 import AppTest

from review_app import granting, settings
from review_app.cli import main
from scoring.table import from_rows
from store import gold, seeded, seeded_rows
from store.extractions import Run
from store.seeded import Seed, SeededRule
from store.table_kinds import Kinds, open_gold
from tests.stored_documents import put_answer, put_document

if TYPE_CHECKING:
    from conftest import Server


@pytest.fixture
def planted(server: Server) -> Seed:
    """The only value of the table that can be taken for another: the price of the bolt."""
    number, found = 0, []
    while len(found) != 1 or found[0].truth != "1.20":
        number += 1
        seeded.set_rule(server.db, "default", SeededRule(0, number), person="olga")
        with server.db.write() as writer:
            for table in ("seeded_outcome", "seeded_cell"):
                writer.execute(f"drop trigger if exists {table}_no_delete")
                writer.execute(f"delete from {table}")
        seeded.set_rule(server.db, "default", SeededRule(seeded.MOST, number), person="olga")
        server.get(f"/api/table/{server.gold}", server.token())
        with server.db.read() as reader:
            found = list(seeded.seeds_of(reader, server.gold))
    return found[0]


def _cells(server: Server, side: str) -> list[str]:
    _, table = server.get(f"/api/table/{server.gold}", server.token())
    return [cell["text"] for cell in table[side]["cells"]]


def _edit(server: Server, edit: object, source: str = "typed") -> tuple[int, dict[str, object]]:
    sent = {"id": "edit-0001", "edit": edit, "source": source}
    return server.post("/api/edits", {"after": 0, "edits": [sent], "client": "tab-of-ann"})  # type: ignore[return-value]


def test_gold_and_first_show_the_same_error_and_the_strip_leaves_the_cell_out(server: Server, planted: Seed) -> None:
    for side in ("sheet", "first"):
        texts = _cells(server, side)
        assert planted.shown in texts
        assert "1.20" not in texts
    _, strip = server.get("/api/strip?kind=any&project=default", server.token(gold=granting.LISTS))
    assert "1.20" not in {line["text"] for line in strip["lines"]}


def test_a_catch_is_told_and_the_next_reading_is_true(server: Server, planted: Seed) -> None:
    change = {"row": 1, "col": 1, "old": planted.shown, "new": "1.20"}
    status, answer = _edit(server, {"kind": "set_text", "changes": [change]})
    assert (status, answer["revision"], answer["stored"]) == (200, 1, ["edit-0001"])
    assert answer["seeded"] == {
        "caught": 1,
        "words": f"Well seen: 1 planted error caught (\u201c{planted.shown}\u201d for \u201c1.20\u201d). "
        "The value as read is back: look at it once more.",
    }
    assert "1.20" in _cells(server, "sheet")
    done = CliRunner().invoke(main, ["guards", "--json"])
    told = json.loads(done.stdout)
    assert (told["whole"]["caught"], told["whole"]["met"]) == (1, 1)
    assert "lost sign" not in CliRunner().invoke(main, ["guards"]).stdout


def test_a_confirmation_of_the_error_is_told_as_a_miss(server: Server, planted: Seed) -> None:
    _, answer = _edit(server, {"kind": "mark", "changes": [{"row": 1, "col": 1, "old": "", "new": "confirmed"}]})
    assert answer["seeded"]["missed"] == 1  # type: ignore[index]


def test_an_acceptance_with_the_error_is_told_as_a_miss(server: Server, planted: Seed) -> None:
    status, answer = server.post("/api/verdict", {"id": "v-1", "verdict": "accept", "revision": 0})
    assert (status, answer["seeded"]["missed"]) == (200, 1)
    assert "1.20" in _cells(server, "sheet")


def test_a_merge_over_the_error_goes_through_with_the_value_as_read(server: Server, planted: Seed) -> None:
    _, table = server.get(f"/api/table/{server.gold}", server.token())
    old = [cell for cell in table["sheet"]["cells"] if cell["row"] == 1]
    new = [{**old[0], "col_span": 2, "text": f"bolt {planted.shown}"}]
    status, answer = _edit(server, {"kind": "replace_cells", "old": old, "new": new}, "key")
    assert (status, answer["revision"]) == (200, 1)
    told = f"1 planted error stood there (\u201c{planted.shown}\u201d for \u201c1.20\u201d)."
    assert answer["seeded"] == {
        "withdrawn": 1,
        "words": f"{told} The value as read is back: look at it once more.",
    }
    assert "bolt 1.20" in _cells(server, "sheet")


def test_a_split_of_the_error_is_refused_with_words_and_the_next_reading_is_true(server: Server, planted: Seed) -> None:
    part = planted.shown[1:]
    changes = [
        {"row": 1, "col": 1, "old": planted.shown, "new": planted.shown[:1]},
        {"row": 2, "col": 1, "old": _cells(server, "sheet")[5], "new": part},
    ]
    status, answer = _edit(server, {"kind": "set_text", "changes": changes}, "key")
    assert (status, answer["error"]) == (409, "stale")
    assert "These edits rested on 1 planted error" in str(answer["message"])
    assert "1.20" in _cells(server, "sheet")


def test_a_person_sees_what_they_caught_and_others_see_no_single_person_with_few(server: Server, planted: Seed) -> None:
    change = {"row": 1, "col": 1, "old": planted.shown, "new": "1.20"}
    _edit(server, {"kind": "set_text", "changes": [change]})
    server.post("/api/verdict", {"id": "v-1", "verdict": "accept", "revision": 1})
    app = AppTest.from_string(
        "from collections import defaultdict\nimport streamlit as st\n"
        "from review_app.views import my_time, results\n"
        "page = st.Page(lambda: (my_time._caught('ann'), results._guards('default')), url_path='here', default=True)\n"
        "st.session_state['screens'] = defaultdict(lambda: page)\nst.navigation([page]).run()"
    ).run(timeout=60)
    assert not app.exception
    assert [one.label for one in app.expander] == ["Planted errors that you caught: 1 of 1"]
    assert [one.value for one in app.subheader] == ["Planted errors caught"]
    assert "1 person with fewer than 30" in app.caption[0].value


HEAD = ["article", "quantity", "note", "price"]
ROWS = [[f"bolt {name}", f"{at}7", "", f"-{at}.35"] for at, name in enumerate(("one", "two", "three", "four", "five"))]


def _with_row_error(server: Server, kind: str) -> int:
    """A table of five rows that shows an error of structure of this kind; its number."""
    document = put_document(server.db, settings.settings().home, "rows.pdf", ROWS, project="rows")
    put_answer(server.db, document, Run("reader", "1"), ("lines", from_rows([HEAD, *ROWS], header_rows=1)))
    open_gold(server.db, [document], {}, Kinds([]), person="ann")
    with server.db.read() as reader:
        key = gold.gold_tables(reader, document.id)[0].id
    for number in range(200):
        seeded.set_rule(server.db, "rows", SeededRule(seeded.MOST, number), person="olga")
        with server.db.write() as writer:
            for table in ("seeded_outcome", "seeded_cell"):
                writer.execute(f"drop trigger if exists {table}_no_delete")
                writer.execute(f"delete from {table}")
        server.get(f"/api/table/{key}", server.token(gold=key))
        with server.db.read() as reader:
            found = seeded_rows.standing(reader, key, gold.current(server.db, reader, key)[1])
        if found is not None and found.seed.kind == kind:
            return key
    raise AssertionError(f"no {kind} was drawn")


@pytest.mark.parametrize("kind", seeded_rows.KINDS)
def test_an_error_of_structure_shows_on_both_sides_and_nowhere_else(server: Server, kind: str) -> None:
    key = _with_row_error(server, kind)
    _, table = server.get(f"/api/table/{key}", server.token(gold=key))
    for side in ("sheet", "first"):
        lines: dict[int, list[str]] = {}
        for cell in table[side]["cells"]:
            lines.setdefault(cell["row"], []).append(cell["text"])
        assert len(lines) == table[side]["n_rows"] == (6 if kind == "shifted row" else 5)
        assert [HEAD, *ROWS] != list(lines.values())
        if kind == "dropped row":
            assert "bolt five" not in [text for line in lines.values() for text in line]
        if kind == "merged rows":
            assert lines[4][0] == "bolt four bolt five"
    for part in (table["aligned"]["rows"], table["doubts"], table["findings"]):
        assert not [one for one in part if (one.get("gold", one.get("row")) or 0) >= table["sheet"]["n_rows"]]
    _, strip = server.get("/api/strip?kind=any&project=rows", server.token(gold=granting.LISTS))
    assert "bolt five" not in {line["text"] for line in strip["lines"]} or kind == "shifted row"


def test_a_missing_row_is_told_at_once_to_who_inserts_it_and_counts_by_kind(server: Server) -> None:
    key = _with_row_error(server, "dropped row")
    cells = [{"row": 5, "col": col, "text": ""} for col in range(4)]
    edit = {"kind": "insert", "axis": "row", "at": 5, "ids": ["n-1"], "cells": cells}
    body = {"token": server.token(gold=key), "gold": key, "after": 0}
    sent = {"id": "edit-0001", "edit": edit, "source": "key"}
    status, answer = server.post("/api/edits", {**body, "edits": [sent], "client": "tab-of-ann"})
    assert (status, answer["revision"]) == (200, 1)
    assert answer["seeded"] == {
        "caught": 1,
        "words": "Well seen: 1 planted error caught (the last row left out). "
        "The table as read is back: look at it once more.",
    }
    # The browser still has the rows as they were shown; it reads the table anew now.
    assert 5 not in [line["gold"] for line in answer["aligned"]["rows"]]
    _, table = server.get(f"/api/table/{key}", server.token(gold=key))
    assert table["sheet"]["row_ids"] == [f"b{at}" for at in range(6)]
    assert "dropped last row: 1 of 1 caught" in CliRunner().invoke(main, ["guards", "--project", "rows"]).stdout


def test_a_table_accepted_with_two_rows_as_one_is_told_as_a_miss(server: Server) -> None:
    key = _with_row_error(server, "merged rows")
    body = {"token": server.token(gold=key), "gold": key, "id": "v-1", "verdict": "accept", "revision": 0}
    status, answer = server.post("/api/verdict", body)
    assert status == 200
    assert answer["seeded"]["missed"] >= 1
    assert "the last two rows as one" in answer["seeded"]["words"]
