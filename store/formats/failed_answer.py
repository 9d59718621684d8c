"""What a service sends in place of an answer: that the work failed, was refused, or is not done yet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from store.formats import json_text

_STATES = ("status", "state", "JobStatus", "job_status", "jobStatus")
_REASONS = ("error", "errors", "StatusMessage", "message", "Message", "detail", "failure_reason", "error_message")
_FAILED = {"failed", "failure", "error", "errored", "canceled", "cancelled", "expired", "rejected", "timeout"}
_WAITING = {"notstarted", "running", "pending", "queued", "processing", "in_progress", "submitted", "starting"}
# What else stands in such a notice. With any other key that holds something it is data of a document.
_ENVELOPE = {
    "createdDateTime",
    "lastUpdatedDateTime",
    "created_at",
    "updated_at",
    "createdAt",
    "finished_at",
    "created",
}
_ENVELOPE |= {"id", "job_id", "jobId", "JobId", "task_id", "request_id", "requestId", "__type", "type", "object"}
_ENVELOPE |= {"model", "DocumentMetadata", "Warnings", "code", "status_code", "success", "usage", "timestamp"}
# Only a service writes these beside its error.
_TOLD_BY_CODE = {"code", "type", "message", "Message", "status", "param", "target", "details", "innererror"}


def failure_in(value: Any) -> str:
    """What a service says in place of an answer, in words; "" for anything that may hold data of a document.

    A notice has a state that is not "done", an error, or an empty list of ``choices``, and nothing else but
    what tells of the request: ``{"sample": "A 3", "status": "failed"}`` is a record.
    """
    if not isinstance(value, Mapping):
        return ""
    filled = {key: part for key, part in value.items() if part not in (None, "", [], {})}
    if filled.keys() - _ENVELOPE - set(_STATES) - set(_REASONS):
        return ""
    state = next((str(filled[key]) for key in _STATES if isinstance(filled.get(key), str)), "")
    reason = next((_words(filled[key]) for key in _REASONS if key in filled), "")
    told = f": {reason}" if reason else ""
    if state.lower() in _FAILED:
        return f"the service says {state!r}{told}"
    if state.lower() in _WAITING:
        return f"the service says {state!r}, the answer is not there yet"
    if any(_is_error(filled.get(key)) for key in ("error", "errors")) or "__type" in filled:
        return f"the service reports an error{told or ': ' + str(filled.get('__type'))}"
    return "the model gave no answer (choices is empty)" if value.get("choices") == [] else ""


def _is_error(said: Any) -> bool:
    if isinstance(said, list):
        return bool(said) and all(map(_is_error, said))
    return (
        isinstance(said, Mapping) and bool(said.keys() & {"message", "code", "type"}) and said.keys() <= _TOLD_BY_CODE
    )


def _words(said: Any) -> str:
    """The reason in words: code and message of an error, or the text itself."""
    if isinstance(said, list) and said:
        return _words(said[0])
    if isinstance(said, Mapping):
        parts = (said.get(key) for key in ("code", "type", "message", "Message"))
        return ", ".join(dict.fromkeys(part[:200] for part in parts if isinstance(part, str) and part))
    return json_text.text_of(said)[:300]
