"""One operation of the API for programs: what it takes, needs and answers, and the endpoint that does it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import anyio.to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from review_app.api_requests import TooLarge, error, read_body, refusal
from review_app.settings import database
from store import api_keys
from store.api_keys import KeyRefused
from store.db import LARGEST_NUMBER, StoreError
from store.rights import Right, expect_right

# SQLite's largest number.

Schema = Mapping[str, Any]


class Unclear(StoreError):
    """A part of the request that cannot be read."""


@dataclass(frozen=True)
class Parameter:
    """A part of the path or query: a number from ``least`` to ``most``, or a text of at most ``most`` characters."""

    name: str
    meaning: str
    kind: Literal["number", "text"] = "text"
    least: int = 0
    most: int = 200
    required: bool = False
    otherwise: int | str | None = None

    def read(self, text: str) -> int | str:
        """The value; raises Unclear."""
        if self.kind == "text":
            if len(text) > self.most:
                raise Unclear(f"{self.name} has {len(text)} characters, expected at most {self.most}")
            return text
        digits = text.isascii() and text.isdecimal() and len(text) <= 1 + int(math.log10(LARGEST_NUMBER))
        if not digits or not self.least <= int(text) <= self.most:
            raise Unclear(f"{self.name} is {text[:50]!r}, expected a whole number from {self.least} to {self.most}")
        return int(text)


@dataclass(frozen=True)
class Asked:
    """What a program asks for: as whom, with which parts, and the body of a request that has one."""

    person: str
    parts: Mapping[str, Any]
    body: bytes = b""


@dataclass(frozen=True)
class Operation:
    """``work`` gives the answer, which ``answer`` describes (JSON Schema), or bytes; ``right`` is what it needs."""

    method: Literal["GET", "POST"]
    path: str
    name: str
    summary: str
    right: Right
    work: Callable[[Asked], Any]
    answer: Schema | None
    parameters: Sequence[Parameter] = ()
    largest_body: int = 0

    def is_in_path(self, parameter: Parameter) -> bool:
        """Whether a parameter stands in the path."""
        return f"{{{parameter.name}}}" in self.path


def endpoint(operations: Sequence[Operation]) -> Callable[[Request], Any]:
    """Answers the requests of one path by the operation of their method."""
    by_method = {operation.method: operation for operation in operations}

    async def answer(request: Request) -> Response:
        operation = by_method.get(request.method)  # type: ignore[call-overload]  # any method may be asked for
        if operation is None:
            allowed = ", ".join(sorted(by_method))
            refused = error(405, "method", f"{request.method} is not for {request.url.path}, expected {allowed}")
            refused.headers["Allow"] = allowed
            return refused
        try:
            person = await anyio.to_thread.run_sync(_person, request.headers.get("authorization", ""))
            parts = _parts(operation, request)
            body = await read_body(request, operation.largest_body) if operation.largest_body else b""
            made = await anyio.to_thread.run_sync(_done, operation, Asked(person, parts, body))
        except KeyRefused as wrong:
            refused = error(401, "key", str(wrong))
            refused.headers["WWW-Authenticate"] = "Bearer"
            return refused
        except TooLarge as wrong:
            return error(413, "large", str(wrong))
        except StoreError as wrong:
            return refusal(wrong)
        if isinstance(made, bytes):
            # It is what somebody sent: a browser must not run it, whatever it looks like.
            kept = {"X-Content-Type-Options": "nosniff", "Content-Disposition": "attachment"}
            return Response(made, media_type="application/octet-stream", headers=kept)
        return JSONResponse(made)

    return answer


def _person(header: str) -> str:
    scheme, _, key = header.partition(" ")
    if scheme.lower() != "bearer" or not key.strip():
        raise KeyRefused("expected the header Authorization: Bearer KEY; proofgrid keys make gives a key")
    with database().read() as reader:
        return api_keys.holder(reader, key.strip())


def _parts(operation: Operation, request: Request) -> dict[str, Any]:
    parts: dict[str, Any] = {}
    for parameter in operation.parameters:
        given = request.path_params if operation.is_in_path(parameter) else request.query_params
        text = given.get(parameter.name)
        if text is None and parameter.required:
            raise Unclear(f"{parameter.name} is missing: {parameter.meaning}")
        parts[parameter.name] = parameter.otherwise if text is None else parameter.read(str(text))
    return parts


def _done(operation: Operation, asked: Asked) -> Any:
    with database().read() as reader:
        expect_right(reader, asked.person, operation.right)
    return operation.work(asked)
