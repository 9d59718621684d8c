from __future__ import annotations

import json
from typing import Any

import pytest

from store.formats import FORMATS, FormatError, recognise

ITEMS = '{"line_items": [{"item": "bolt", "price": 1.20}]}'


def answer(content: Any, **parts: Any) -> bytes:
    choice = {"message": {"role": "assistant", "content": content, **parts.pop("message", {})}, **parts}
    return json.dumps({"model": "m-7", "choices": [choice]}).encode()


def read(raw: bytes) -> Any:
    assert recognise(raw, "answer.json") == "chat-completion"
    return FORMATS["chat-completion"].read(raw, name="answer.json", pages=())


def test_records_are_read_from_the_content_with_numbers_as_printed() -> None:
    found = read(answer(ITEMS))
    (table,) = found.tables
    assert (table.name, table.table.text_at(1, 1), found.extractor) == ("line_items", "1.20", "m-7")
    assert read(answer([{"type": "text", "text": ITEMS}])).tables == found.tables


def test_a_fence_is_taken_off_with_a_note_and_prose_is_refused_with_its_beginning() -> None:
    assert read(answer(f"```json\n{ITEMS}\n```")).notes == ("the Markdown fence round the JSON was taken off",)
    with pytest.raises(FormatError, match=r"^/choices/0/message/content: line 1, column 1: not JSON .*'Sure! Here"):
        read(answer(f"Sure! Here you are: {ITEMS}"))


def test_an_answer_that_was_cut_off_says_so() -> None:
    assert read(answer(ITEMS, finish_reason="length")).notes == ("the model ended for the reason 'length'",)
    with pytest.raises(FormatError, match="the model ended for the reason 'length'"):
        read(answer(ITEMS[:20], finish_reason="length"))


def test_empty_tables_are_an_answer() -> None:
    found = read(answer('{"line_items": []}'))
    assert (found.tables, found.notes) == ((), ("all tables that the model was asked for are empty",))


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        (answer(None, message={"refusal": "I cannot read this."}), "refusal: the model refused: 'I cannot read this.'"),
        (answer(None), "/choices/0/message/content is empty"),
        (answer("null"), "expected fields or a list of records"),
        (b'{"choices": [{"message": 7}]}', "/choices/0/message: expected an answer of a chat model"),
    ],
)
def test_what_holds_no_records_is_refused_with_its_place(raw: bytes, problem: str) -> None:
    with pytest.raises(FormatError, match=problem):
        read(raw)
