"""Answers of chat models (the protocol of OpenAI): records in the JSON that the model wrote."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from store.formats import json_records, json_text
from store.formats.contract import FormatError, Read
from store.pages import PageSize

_CONTENT = "/choices/0/message/content"


def sniff(raw: bytes, name: str) -> bool:
    """Whether the JSON has choices with a message."""
    value = json_text.peeked(raw)
    choices = value.get("choices") if isinstance(value, dict) else None
    return isinstance(choices, list) and any(isinstance(entry, dict) and "message" in entry for entry in choices)


def read(raw: bytes, *, name: str, pages: Sequence[PageSize] = ()) -> Read:
    """The records in the content of the first choice, as ``json_records`` reads them; the model is the extractor.

    A Markdown fence round the JSON is taken off, with a note. Prose round it is not: such an answer is no
    JSON, and FormatError says how it begins. Also raised where the model refused, or wrote nothing.
    """
    content, model, cut = _opened(raw)
    try:
        value, notes = json_text.load(content)
        if isinstance(value, dict) and value and all(entry == [] for entry in value.values()):
            found = Read((), (*notes, "all tables that the model was asked for are empty"))
        else:
            found = json_records.read(content, name=name, pages=pages)
    except FormatError as wrong:
        raise FormatError(f"{_CONTENT}: {wrong}{f'; {cut}' if cut else ''}") from None
    notes = (*found.notes, *((cut,) if cut else ()))
    return replace(found, notes=notes, extractor=found.extractor or model)


def content(raw: bytes) -> bytes:
    """The text that the model wrote, without a Markdown fence round it; raises FormatError where there is none."""
    return json_text.unfenced(_opened(raw)[0])


def _opened(raw: bytes) -> tuple[bytes, str, str]:
    """The content, the name of the model, and in words whether the content was cut off."""
    value, _ = json_text.load(raw)
    choice = _part(_part(value, "choices", list, ""), 0, dict, "/choices")
    message = _part(choice, "message", dict, "/choices/0")
    if message.get("refusal"):
        raise FormatError(f"/choices/0/message/refusal: the model refused: {str(message['refusal'])[:200]!r}")
    text = message.get("content")
    if isinstance(text, list):  # parts of text, as some servers write them
        text = "".join(str(part.get("text", "")) for part in text if isinstance(part, dict))
    reason = str(choice.get("finish_reason"))
    cut = "" if reason in ("stop", "None", "") else f"the model ended for the reason {reason!r}"
    if not isinstance(text, str) or not text.strip():
        raise FormatError(f"{_CONTENT} is empty, expected JSON{f'; {cut}' if cut else ''}")
    return text.encode(errors="replace"), str(value.get("model") or ""), cut


def _part(value: Any, key: str | int, kind: type, place: str) -> Any:
    try:
        found = value[key]
    except (LookupError, TypeError):
        found = None
    if not isinstance(found, kind):
        raise FormatError(f"{place}/{key}: expected an answer of a chat model (choices, message, content)")
    return found
