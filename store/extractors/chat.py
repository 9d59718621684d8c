"""One call of a chat model behind an OpenAI-compatible address: its parameters, the request, the answer as received."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from store.addresses import AddressError, web_address
from store.extractors.calls import Calls
from store.extractors.contract import ExtractorError

RESPONSE_FORMATS = ("json_schema", "json_object", "none")
# Nothing leaves the machine unless a person says so.
DEFAULTS: Mapping[str, Any] = {
    "base_url": "http://127.0.0.1:11434/v1",
    "model": "",
    "key_env": "",
    "response_format": "json_schema",
    "temperature": 0.0,
    "seed": 1,
    "max_tokens": 0,
    "timeout_s": 600.0,
    "tries": 5,
    "wait_s": 1.0,
}


def expect_usable(what: str, asked: Mapping[str, Any]) -> None:
    """Raise ExtractorError for parameters that no call can be made with; no key may stand among them."""
    if not asked["model"]:
        raise ExtractorError(f"{what} needs the parameter model, as --set model=NAME")
    if asked["response_format"] not in RESPONSE_FORMATS:
        allowed = ", ".join(RESPONSE_FORMATS)
        raise ExtractorError(f"parameter response_format is {asked['response_format']!r}, expected one of: {allowed}")
    if asked["key_env"] and not str(asked["key_env"]).isidentifier():
        raise ExtractorError("parameter key_env is to be the name of an environment variable, not the key itself")
    if "@" in asked["base_url"]:
        raise ExtractorError("parameter base_url holds an @; put the key into an environment variable, see key_env")
    try:
        web_address(asked["base_url"])
    except AddressError as wrong:
        raise ExtractorError(f"parameter base_url is {wrong}") from None


def ask(
    what: str,
    asked: Mapping[str, Any],
    messages: Sequence[Mapping[str, Any]],
    *,
    schema: Mapping[str, Any],
    name: str,
    seed: int,
    user: str,
) -> bytes:
    """The whole answer of the chat endpoint; raises NoAnswer and ExtractorError as ``Calls.send`` does."""
    request: dict[str, Any] = {
        "model": asked["model"],
        "messages": list(messages),
        "temperature": asked["temperature"],
        "seed": seed,
        "user": user,
        "stream": False,
    }
    if asked["max_tokens"]:
        request["max_tokens"] = asked["max_tokens"]
    if asked["response_format"] == "json_schema":
        strict = {"name": name, "strict": True, "schema": schema}
        request["response_format"] = {"type": "json_schema", "json_schema": strict}
    elif asked["response_format"] == "json_object":
        request["response_format"] = {"type": "json_object"}
    calls = Calls(asked["timeout_s"], max(1, asked["tries"]), asked["wait_s"])
    headers = {}
    if asked["key_env"]:
        headers["Authorization"] = "Bearer " + calls.filled(f"${{{asked['key_env']}}}", what)
    return calls.send("POST", asked["base_url"].rstrip("/") + "/chat/completions", headers=headers, json=request).raw
