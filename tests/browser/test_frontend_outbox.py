"""The outbox in the browser that will run it: the order of what is sent, and whether its state tells the truth."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

Run = Callable[..., Any]

OUTBOX = """
const { createOutbox } = await import("/outbox.js");
localStorage.clear();
const sent = [];
const answers = []; // what the server will say, one function per request
const send = (path, body) => new Promise((resolve) => { sent.push([path, body]); answers.push(resolve); });
const told = [];
const open = new Set(["here"]); // tabs that are there
const tabOf = (id) => ({ id, owns: (other) => !other || other === id || !open.has(other) });
const box = createOutbox({ storage: localStorage, person: "ann", gold: 1, tab: tabOf("here"), send,
  beacon: () => undefined, onAck: () => told.push("ack"), onRefused: () => told.push("refused"),
  onSaid: () => told.push("said"), onUnsaid: (comments) => told.push(comments.map(({ text }) => text)),
  onState: () => undefined });
const turn = () => new Promise((resolve) => setTimeout(resolve));
const answer = async (status, body = {}) => { answers.shift()({ status, body }); await turn(); };
const edit = (id) => ({ id, edit: {}, after: 0 });
const comment = (id) => ({ id, comment: { id, text: id } });
"""


@pytest.fixture
def run(chromium: Browser, modules: str) -> Iterator[Run]:
    with chromium.new_page() as page:
        page.goto(modules)
        yield lambda script: page.evaluate("async () => {" + OUTBOX + script + "}")


def test_an_edit_is_not_called_saved_while_something_else_is_on_its_way(run: Run) -> None:
    found = run(
        """box.add({ id: "time", record: {} });
        const before = box.state();
        box.add(edit("e1"));
        const waiting = box.state();
        await answer(200);
        await answer(200);
        return [before, waiting, box.state(), sent.map(([path]) => path)];"""
    )
    assert found == ["saved", "saving", "saved", ["/api/activity", "/api/edits"]]


def test_comments_follow_the_edits_that_they_may_speak_of(run: Run) -> None:
    found = run(
        """box.add(edit("e1"));
        box.add(comment("c1"));
        box.add(edit("e2"));
        for (const path of ["", "", ""]) await answer(200);
        return [sent.map(([path]) => path), told, box.state(), localStorage.length];"""
    )
    assert found == [["/api/edits", "/api/edits", "/api/comments"], ["ack", "ack", "said"], "saved", 0]


def test_a_comment_that_the_server_refuses_is_given_back_and_holds_up_no_other(run: Run) -> None:
    found = run(
        """box.add({ id: "time", record: {} });
        box.add(comment("c1"));
        box.add(comment("c2"));
        await answer(200);
        await answer(422, { id: "c1" });
        await answer(200);
        return [told, sent.at(-1)[1].comments.map(({ id }) => id), box.state(), localStorage.length];"""
    )
    assert found == [[["c1"], "said"], ["c2"], "saved", 0]


def test_what_another_open_tab_is_sending_is_not_sent_from_here_until_it_is_gone(run: Run) -> None:
    found = run(
        """box.add(edit("e1")); // on its way
        const beside = (id) => createOutbox({ storage: localStorage, person: "ann", gold: 1, tab: tabOf(id), send,
          beacon: () => undefined, onAck: () => undefined, onRefused: () => undefined, onSaid: () => undefined,
          onUnsaid: () => undefined, onState: () => undefined });
        const second = beside("second");
        const early = [second.unsent().length, second.elsewhere, second.leftBehind()];
        open.delete("here");
        const late = second.leftBehind();
        const third = beside("third");
        return [early, late, third.unsent().map(({ id }) => id)];"""
    )
    assert found == [[0, True, False], True, ["e1"]]


def test_an_edit_that_was_refused_is_decided_once_by_whichever_tab_comes_first(run: Run) -> None:
    found = run(
        """box.add(edit("e1"));
        await answer(409);
        const [entry] = box.refused();
        return [box.settle(entry), box.settle(entry), box.refused().length];"""
    )
    assert found == [True, False, 0]
