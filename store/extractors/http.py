"""Any extraction service by its REST call: upload, poll until it is done, keep the answer as received."""

from __future__ import annotations

import base64
import json
import re
import time
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote, urljoin

from scoring.reading.json_value import json_value
from scoring.schema import TableType
from store.addresses import AddressError, shown, web_address
from store.extractors.calls import Calls, Received, retry_after, same_origin
from store.extractors.contract import Answer, ExtractorError, Identity, Job, NoAnswer, expect_known
from store.extractors.presets import PRESETS

IN_WORKER = False
UPLOADS = ("bytes", "base64", "multipart")
# The header of a started job (Azure) or of any accepted request (RFC 9110, 15.3.3).
_OPERATION = ("operation-location", "azure-asyncoperation", "location")
_SUFFIXES = {"text/html": ".html", "text/csv": ".csv", "text/markdown": ".md", "application/xml": ".xml"}
_SECRET = re.compile(r"key|token|secret|auth|password|cookie", re.IGNORECASE)
_POINTER = re.compile(r"\{(/[^{}]*)\}")
# An address may begin with a variable of the environment that holds the endpoint.
_ENDPOINT = re.compile(r"^\$\{\w+\}")
_NAMED = re.compile(r"\$\{\w+\}")
_DEFAULTS: Mapping[str, Any] = {
    "preset": "",
    "url": "",
    "name": "http",
    "version": "",
    "method": "POST",
    "headers": {},
    "upload": "bytes",
    "content_type": "",
    "field": "file",
    "fields": {},
    "body": {},
    "poll": "",
    "status": "/status",
    "done": ["succeeded", "success", "completed", "complete", "done"],
    "failed": ["failed", "failure", "error", "canceled", "cancelled"],
    "result": "",
    "interval_s": 1.0,
    "patience_s": 600.0,
    "timeout_s": 120.0,
    "tries": 5,
    "wait_s": 1.0,
    "attempts": 1,
}


def settled(given: Mapping[str, Any], table_types: Sequence[TableType]) -> Mapping[str, Any]:
    """The parameters of docs/extractors.md over those of a preset; keys stand as ``${NAME}``, never by their value."""
    named = str(given.get("preset", ""))
    if named and named not in PRESETS:
        raise ExtractorError(f"parameter preset is {named!r}, expected one of: {', '.join(PRESETS)}")
    found = expect_known("http", {**PRESETS.get(named, {}), **given}, _DEFAULTS)
    try:
        web_address(_NAMED.sub("1", _ENDPOINT.sub("https://endpoint/", found["url"])))
    except AddressError as wrong:
        raise ExtractorError(f"parameter url of extractor http is {wrong}") from None
    if found["upload"] not in UPLOADS:
        raise ExtractorError(f"parameter upload is {found['upload']!r}, expected one of: {', '.join(UPLOADS)}")
    if found["upload"] == "base64" and "{base64}" not in json.dumps(found["body"]):
        raise ExtractorError('parameter body has no "{base64}", expected it where the document is to stand')
    for name, value in found["headers"].items():
        if not isinstance(value, str):
            raise ExtractorError(f"header {name} is {value!r}, expected a text")
        if _SECRET.search(name) and "${" not in value:
            raise ExtractorError(
                f"header {name} looks like a key; put its value into an environment variable and write ${{NAME}}, "
                "since parameters are kept in the database"
            )
    return found


def identity(parameters: Mapping[str, Any]) -> Identity:
    """As the parameters say: what answers at an address is known to the one who wrote it down."""
    return Identity(parameters["name"], parameters["version"])


def extract(job: Job) -> Answer:
    """The answer of the service, whose format is told by its content."""
    asked = job.parameters
    calls = Calls(asked["timeout_s"], max(1, asked["tries"]), asked["wait_s"])
    url = _tidy(calls.filled(_marked(asked["url"], job, quoted=True), "parameter url"))
    # As bytes, since names of documents are not always ASCII.
    headers = {
        name: calls.filled(_marked(value, job), f"header {name} of extractor http").encode()
        for name, value in asked["headers"].items()
    }
    got = calls.send(asked["method"], url, **_upload(job, headers))
    if asked["poll"]:
        got = _polled(job, calls, url, headers, got)
    kind = got.headers.get("content-type", "").partition(";")[0].strip().lower()
    return Answer(got.raw, suffix=_SUFFIXES.get(kind, ".json"))


def _tidy(url: str) -> str:
    """The address without the slash too much of an endpoint that ends in one; raises ExtractorError for none."""
    try:
        parts = web_address(url)
    except AddressError as wrong:
        raise ExtractorError(f"the address is {wrong}; look at the endpoint") from None
    return parts._replace(path=re.sub("/{2,}", "/", parts.path)).geturl()


def complaints(raw: bytes, job: Job) -> tuple[str, ...]:
    """Nothing: which tables a service should have found is for gold to say."""
    return ()


def _upload(job: Job, headers: Mapping[str, bytes]) -> dict[str, Any]:
    asked = job.parameters
    kind = asked["content_type"] or job.media_type
    match asked["upload"]:
        case "bytes":
            return {"headers": {"Content-Type": kind.encode(), **headers}, "content": job.raw}
        case "multipart":
            fields = {name: _marked(str(value), job) for name, value in asked["fields"].items()}
            return {"headers": headers, "files": {asked["field"]: (job.name, job.raw, kind)}, "data": fields}
        case _:
            held = base64.b64encode(job.raw).decode()
            return {"headers": headers, "json": _placed(asked["body"], job, held)}


def _placed(value: Any, job: Job, held: str) -> Any:
    """A part of the body with the document where ``{base64}`` stands."""
    if isinstance(value, dict):
        return {key: _placed(entry, job, held) for key, entry in value.items()}
    if isinstance(value, list):
        return [_placed(entry, job, held) for entry in value]
    return _marked(value, job).replace("{base64}", held) if isinstance(value, str) else value


def _marked(text: str, job: Job, *, quoted: bool = False) -> str:
    """The text with what is known of the document, ``quoted`` for an address.

    ``{nonce}`` differs in each repeat, so that no cache answers.
    """
    known = {"media_type": job.media_type, "name": job.name, "nonce": f"r{job.repeat}a{job.attempt}"}
    for name, value in known.items():
        text = text.replace(f"{{{name}}}", quote(value, safe="") if quoted else value)
    return text


def _polled(job: Job, calls: Calls, url: str, headers: Mapping[str, bytes], first: Received) -> Received:
    """The answer of a job that the first call has started, asked for until it is done."""
    asked = job.parameters
    until = time.monotonic() + asked["patience_s"]
    where = _job_url(asked["poll"], url, first, calls)
    got, pause = first, retry_after(first.headers)
    while True:
        wait = asked["interval_s"] if pause is None else pause
        if time.monotonic() + wait > until:
            raise NoAnswer(f"the job was not done within {asked['patience_s']:g} s", got.raw)
        time.sleep(wait)
        got = calls.send("GET", where, headers=_own(headers, url, where))
        pause = retry_after(got.headers)
        state = str(_at(got.raw, asked["status"], "the state of the job")).lower()
        if state in map(str.lower, asked["failed"]):
            raise NoAnswer(f"the job ended as {state!r}", got.raw)
        if state in map(str.lower, asked["done"]):
            break
    if not asked["result"]:
        return got
    where = _job_url(asked["result"], url, got, calls)
    return calls.send("GET", where, headers=_own(headers, url, where))


def _own(headers: Mapping[str, bytes], url: str, where: str) -> dict[str, bytes]:
    """The headers for another address: a key goes to the server it was given for, and to no other."""
    return dict(headers) if same_origin(url, where) else {}


def _job_url(template: str, url: str, got: Received, calls: Calls) -> str:
    """The address in a header, at a JSON pointer, or of a template with JSON pointers as ``/jobs/{/id}``."""
    if template.lower() == "operation-location":
        found = next((got.headers[name] for name in _OPERATION if name in got.headers), "")
        if not found:
            raise NoAnswer("the service started no job: its answer has no Operation-Location", got.raw)
    elif _POINTER.search(template):
        found = _POINTER.sub(lambda at: quote(str(_at(got.raw, at[1], "the job")), safe=""), template)
        found = calls.filled(found, "the address of the job")
    else:
        found = str(_at(got.raw, template, "the address of the result"))
    try:
        found = urljoin(url, found)
        web_address(found.replace(" ", "%20"))
    except ValueError:
        raise NoAnswer(f"the service names {shown(found)} as the next address, which cannot be read", got.raw) from None
    except AddressError as wrong:
        raise NoAnswer(f"the service names as the next address {wrong}", got.raw) from None
    return found


def _at(raw: bytes, pointer: str, what: str) -> Any:
    """What stands at a JSON pointer (RFC 6901) of an answer; raises NoAnswer where nothing does."""
    try:
        value = json_value(raw)
        for part in pointer.split("/")[1:]:
            key = part.replace("~1", "/").replace("~0", "~")
            value = value[int(key)] if isinstance(value, list) else value[key]
    except (ValueError, LookupError, TypeError):
        raise NoAnswer(f"{what} was expected at {pointer} of the answer", raw) from None
    return value
