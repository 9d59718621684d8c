"""Requests of the API: reading one, granting it by its token, refusing it in words that a person understands."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

import anyio.to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from review_app.granting import LISTS, granted, note_refused
from review_app.settings import database
from review_app.tokens import Capability, TokenError
from scoring.reading.json_value import json_value
from store.comments import Discussed, UnfitComment
from store.db import NotFound, StoreError, Unavailable
from store.gold import Frozen, Stale, Unfit
from store.hiding import Withheld
from store.leases import Leased
from store.rights import NotAllowed, Right
from store.timing import TimingOff

LARGEST_BODY = 8_000_000
# Nobody reads it; the number is that of nginx.
CLIENT_LEFT = 499

Answer = tuple[int, Mapping[str, Any]]
Made = TypeVar("Made")


class TooLarge(ValueError):
    """A body that is larger than its route takes."""


async def read_body(request: Request, largest: int) -> bytes:
    """The body of a request; raises TooLarge as soon as more than ``largest`` bytes came, or are said to come."""
    said = request.headers.get("content-length", "")
    if said.isascii() and said.isdecimal() and int(said[:20]) > largest:
        raise TooLarge(f"{int(said[:20]):,} bytes, expected at most {largest:,}")
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > largest:
            raise TooLarge(f"more than {largest:,} bytes, which is the most that is taken")
        parts.append(part)
    return b"".join(parts)


def _is_whole(body: object) -> bool:
    try:
        json.dumps(body, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def error(status: int, word: str, message: str, **more: Any) -> JSONResponse:
    """An answer that refuses: a word for the browser, a sentence for the person."""
    return JSONResponse({"error": word, "message": message, **more}, status_code=status)


def refusal(wrong: StoreError) -> JSONResponse:
    """The answer for what the store refused, by what it was."""
    match wrong:
        case Stale():
            conflicts = [
                {"id": edit, "row": c.row, "col": c.col, "expected": c.expected, "found": c.found}
                for edit, c in wrong.conflicts
            ]
            return error(409, "stale", str(wrong), revision=wrong.revision, conflicts=conflicts)
        case Leased():
            return error(409, "leased", str(wrong), holder={"person": wrong.holder.person, "since": wrong.holder.since})
        case Withheld():
            return error(409, "withheld", str(wrong))
        case Frozen():
            return error(409, "accepted", str(wrong))
        case Discussed():
            return error(409, "discussed", str(wrong))
        case Unfit():
            return error(422, "unfit", str(wrong), id=wrong.edit)
        case UnfitComment():
            return error(422, "unfit", str(wrong), id=wrong.comment)
        case TimingOff():
            return error(409, "timing_off", str(wrong))
        case NotAllowed():
            return error(403, "not_allowed", str(wrong))
        case Unavailable():
            return error(503, "unavailable", str(wrong))
        case NotFound():
            return error(404, "unknown", str(wrong))
        case _:
            return error(422, "unfit", str(wrong), id=None)


def bearer(request: Request) -> str:
    """The token in the headers of a request."""
    return request.headers.get("authorization", "").removeprefix("Bearer ")


async def done(
    request: Request, token: object, key: object, right: Right, work: Callable[[Capability], Made]
) -> Made | JSONResponse:
    """What ``work`` returns for a request that its token allows, in a thread of its own; else a refusal in words."""

    def granted_work() -> Made:
        try:
            with database().read() as reader:
                capability = granted(reader, token, key, right)
            return work(capability)
        except (TokenError, NotAllowed) as wrong:
            note_refused(wrong, request.url.path)
            raise

    try:
        return await anyio.to_thread.run_sync(granted_work)
    except TokenError as wrong:
        return error(403, "token", str(wrong))
    except StoreError as wrong:
        return refusal(wrong)


def posting(
    work: Callable[[Mapping[str, Any], Capability], Any],
    then: Callable[[Any, Capability], Answer] | None = None,
    *,
    right: Right,
) -> Callable[[Request], Awaitable[Response]]:
    """An endpoint that answers with what ``work`` returns, or what ``then`` makes of it unless the client has left."""

    async def endpoint(request: Request) -> Response:
        try:
            raw = await read_body(request, LARGEST_BODY)
        except TooLarge as wrong:
            return error(413, "large", str(wrong))
        try:
            body = json_value(raw)
            if not isinstance(body, dict):
                raise ValueError("expected one JSON object")
        except ValueError as wrong:
            return error(400, "json", f"The request cannot be read: {wrong}")
        # No text of a database holds half of a character; JSON can name one only so.
        if b"\\ud" in raw.lower() and not _is_whole(body):
            words = "A text has half of a character (a lone surrogate), expected whole characters."
            return error(422, "unfit", words, id=None)
        token, key = body.get("token"), body.get("gold")
        made = await done(request, token, key, right, lambda capability: work(body, capability))
        if then is not None and not isinstance(made, Response):
            if await request.is_disconnected():
                return Response(status_code=CLIENT_LEFT)
            found = made
            made = await done(request, token, key, right, lambda capability: then(found, capability))
        if isinstance(made, Response):
            return made
        status, answer = made
        return JSONResponse(answer, status_code=status)

    return endpoint


def listing(
    work: Callable[[Mapping[str, str], str], Mapping[str, Any]], *, right: Right
) -> Callable[[Request], Awaitable[Response]]:
    """An endpoint that reads a list with the token for lists; ``work`` gets the parts of the address and the person."""

    async def endpoint(request: Request) -> Response:
        asked = dict(request.query_params)
        made = await done(request, bearer(request), LISTS, right, lambda capability: work(asked, capability.person))
        return made if isinstance(made, Response) else JSONResponse(made)

    return endpoint


def reading(
    work: Callable[[Mapping[str, str], Capability], bytes], *, right: Right
) -> Callable[[Request], Awaitable[Response]]:
    """An endpoint that reads of one gold table, which the address names; ``work`` gets what follows ``?``."""

    async def endpoint(request: Request) -> Response:
        key, asked = int(request.path_params["gold"]), dict(request.query_params)
        made = await done(request, bearer(request), key, right, lambda capability: work(asked, capability))
        return made if isinstance(made, Response) else Response(made, media_type="application/json")

    return endpoint
