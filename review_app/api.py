"""The routes of docs/review_api.md: read a request, call the store, write the answer."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeVar
from urllib.parse import parse_qsl

import anyio.to_thread
from sqlite_utils import Database
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from review_app import discussion, meaning, queue_view, regions, review_view, strip_view, tokens
from review_app.components import frontend
from review_app.settings import database, settings
from review_app.tokens import Capability, TokenError
from review_app.work_sent import Work
from store import activity, comments, crops, documents, gold, pages, queue, reviews, timing, work_time
from store import regions as store_regions
from store.comments import Discussed, UnfitComment
from store.comparison import compare
from store.db import Db, NotFound, StoreError, Unavailable
from store.gold import Frozen, Stale, Unfit
from store.home import Home
from store.pages import DocumentError
from store.scan_words import scan_words
from store.timing import TimingOff

LARGEST_BODY = 8_000_000
MOST_WAITING = 100
# Nobody reads it; the number is that of nginx.
CLIENT_LEFT = 499
# Lists of tables are read with a token for this number, which no gold table has.
LISTS = 0
DPI = range(36, 301)
CROP_DPI = (150, 300)
FOR_EVER = {"Cache-Control": "public, max-age=31536000, immutable"}
PRIVATE_FOR_EVER = {"Cache-Control": "private, max-age=31536000, immutable"}

Answer = tuple[int, Mapping[str, Any]]
Made = TypeVar("Made")


def issue_token(person: str, key: int) -> str:
    """A token for a person and a gold table, signed with the secret of this home."""
    return tokens.issue(tokens.secret_of(settings().home.folder), Capability(person, key))


def table_text(key: int, person: str, waiting: Sequence[int] = (), chosen: str = "") -> bytes:
    """Everything that the review of one table shows, and tokens for tables with waiting edits; raises NotFound.

    ``chosen`` is the filter of the queue that the person follows, as an address has it.
    """
    db = database()
    with db.read() as reader:
        comparison = compare(db, reader, key)
        table = {
            "gold": key,
            "revision": comparison.revision,
            "name": comparison.label,
            "status": comparison.status,
            "form": bool(comparison.table_type and comparison.table_type.form),
            "rtl": bool(comparison.table_type and comparison.table_type.rtl),
            "document": review_view.document_json(comparison.document, documents.pages(reader, comparison.document.id)),
            "tables": [
                {
                    "gold": other.gold.id,
                    "name": other.label,
                    "status": other.status,
                    "doubts": len(other.doubts),
                    "pages": review_view.places(other),
                    "comments": comments.open_threads(reader, other.gold.id),
                    "token": issue_token(person, other.gold.id),
                }
                for entry in gold.gold_tables(reader, comparison.document.id)
                for other in (comparison if entry.id == key else compare(db, reader, entry.id),)
            ],
            "queue": _place(db, reader, key, person, chosen),
            "sheet": comparison.sheet.to_json(),
            "first": review_view.first_text(comparison),
            "history": review_view.history(gold.history(reader, key)),
            "threads": discussion.threads(reader, key),
            "guidelines": discussion.guidelines_json(reader, comparison, person),
            "review": {
                "active_ms": work_time.correction_time(reader, key).by_person.get(person, 0),
                "timed": timing.is_timed(reader, person),
                "seen": sorted(activity.seen_cells(reader, key, person=person)),
                "reopened": _was_reopened(reviews.verdicts(reader, key)),
            },
            "waiting": [{"gold": other, "token": issue_token(person, other)} for other in waiting],
            **review_view.refreshed(comparison),
        }
    return review_view.written(table)


def _was_reopened(verdicts: Sequence[Mapping[str, Any]]) -> bool:
    given = [entry["verdict"] for entry in verdicts if entry["verdict"] in ("accept", "reopen")]
    return bool(given) and given[-1] == "reopen"


def store_edits(body: Mapping[str, Any], capability: Capability) -> Answer:
    """Append the edits of a request, then say what they changed."""
    db, key, after = database(), capability.gold, body.get("after")
    sent = body.get("edits", [])
    if type(after) is not int or not isinstance(sent, list) or not all(isinstance(e, dict) for e in sent):
        raise StoreError("expected after (a revision) and edits (a list)")
    new = [gold.new_edit(edit) for edit in sent]
    work = Work.from_json(body)
    with db.write():  # one wait for the disk for both
        gold.add_edits(db, key, new, person=capability.person, after=after)
        work.store(db, capability)
    with db.read() as reader:
        comparison = compare(db, reader, key)
        stored = [edit.id for edit in new]
        return 200, {"revision": comparison.revision, "stored": stored, **review_view.refreshed(comparison)}


def store_activity(body: Mapping[str, Any], capability: Capability) -> Answer:
    """Store stretches of work, cells seen and answers about pauses."""
    work = Work.from_json(body)
    stored = work.store(database(), capability)
    if work.is_time and not stored:
        raise TimingOff(f"The time of {capability.person} is not measured: timing is switched off.")
    return 200, {"stored": list(stored)}


def store_verdict(body: Mapping[str, Any], capability: Capability) -> Answer:
    """Record a verdict; on acceptance the answer has the score, and always what comes next."""
    db, key = database(), capability.gold
    verdict, name, revision = body.get("verdict"), body.get("id"), body.get("revision")
    chosen = str(body.get("queue") or "")
    if not isinstance(name, str) or type(revision) is not int or not isinstance(verdict, str):
        raise StoreError("expected id (a text), revision (a whole number) and verdict (a word)")
    status = reviews.add_verdict(
        db,
        key,
        verdict=verdict,  # type: ignore[arg-type]  # checked by the store
        person=capability.person,
        id=name,
        at_revision=revision,
        reason=str(body.get("reason") or ""),
    )
    with db.read() as reader:
        answer: dict[str, Any] = {"status": status, "score": None}
        place = queue.place(db, reader, key, _filter(chosen))
        following = place.next
        answer["next"], answer["beyond"] = _next(following, capability.person), place.beyond
        answer["queue"] = None if following is None else _place(db, reader, following, capability.person, chosen)
        if status == "accepted":
            report = compare(db, reader, key).report
            answer["score"] = {
                "passed": report.passed,
                "reason": report.first_reason,
                "precision": report.exact.precision,
                "recall": report.exact.recall,
                "f1": report.exact.f1,
            }
        return 200, answer


def add_region_table(body: Mapping[str, Any], capability: Capability) -> Answer:
    """A new gold table from what was read in a region, with the token to open it."""
    table = body.get("table")
    if type(table) is not int:
        raise StoreError("expected table, the number of a table that was read from a region")
    added = store_regions.add_table(database(), table, person=capability.person)
    return 200, {"gold": added.id, "name": added.name, "token": issue_token(capability.person, added.id)}


def _next(key: int | None, person: str) -> dict[str, Any] | None:
    return None if key is None else {"gold": key, "token": issue_token(person, key)}


def _filter(chosen: str) -> queue.Filter | None:
    return queue.Filter.of(dict(parse_qsl(chosen))) if chosen else None


def _place(db: Db, reader: Database, key: int, person: str, chosen: str) -> dict[str, Any]:
    place = queue.place(db, reader, key, _filter(chosen))
    return {"done": place.done, "of": place.of, "next": _next(place.next, person)}


def _error(status: int, word: str, message: str, **more: Any) -> JSONResponse:
    return JSONResponse({"error": word, "message": message, **more}, status_code=status)


def _refusal(wrong: StoreError) -> JSONResponse:
    match wrong:
        case Stale():
            conflicts = [
                {"id": edit, "row": c.row, "col": c.col, "expected": c.expected, "found": c.found}
                for edit, c in wrong.conflicts
            ]
            return _error(409, "stale", str(wrong), revision=wrong.revision, conflicts=conflicts)
        case Frozen():
            return _error(409, "accepted", str(wrong))
        case Discussed():
            return _error(409, "discussed", str(wrong))
        case Unfit():
            return _error(422, "unfit", str(wrong), id=wrong.edit)
        case UnfitComment():
            return _error(422, "unfit", str(wrong), id=wrong.comment)
        case TimingOff():
            return _error(409, "timing_off", str(wrong))
        case Unavailable():
            return _error(503, "unavailable", str(wrong))
        case NotFound():
            return _error(404, "unknown", str(wrong))
        case _:
            return _error(422, "unfit", str(wrong), id=None)


def _granted(token: object, key: object) -> Capability:
    if not isinstance(token, str) or type(key) is not int:
        raise TokenError("expected a token and the number of a gold table")
    return tokens.check(tokens.secret_of(settings().home.folder), token, gold=key)


async def _threads(request: Request) -> Response:
    key = int(request.path_params["gold"])
    try:
        _granted(request.headers.get("authorization", "").removeprefix("Bearer "), key)
        return JSONResponse(await anyio.to_thread.run_sync(discussion.threads_json, key))
    except TokenError as wrong:
        return _error(403, "token", str(wrong))
    except StoreError as wrong:
        return _refusal(wrong)


def _post(
    work: Callable[[Mapping[str, Any], Capability], Any], then: Callable[[Any, Capability], Answer] | None = None
) -> Callable[[Request], Awaitable[Response]]:
    """An endpoint that answers with what ``work`` returns, or what ``then`` makes of it unless the client has left."""

    async def endpoint(request: Request) -> Response:
        raw = await request.body()
        if len(raw) > LARGEST_BODY:
            return _error(413, "large", f"{len(raw):,} bytes, expected at most {LARGEST_BODY:,}")
        try:
            body = json.loads(raw)
            if not isinstance(body, dict):
                raise ValueError("expected one JSON object")
        except (ValueError, RecursionError) as wrong:
            return _error(400, "json", f"The request cannot be read: {wrong}")
        try:
            capability = _granted(body.get("token"), body.get("gold"))
            made = await anyio.to_thread.run_sync(work, body, capability)
            if then is not None:
                if await request.is_disconnected():
                    return Response(status_code=CLIENT_LEFT)
                made = await anyio.to_thread.run_sync(then, made, capability)
            status, answer = made
        except TokenError as wrong:
            return _error(403, "token", str(wrong))
        except StoreError as wrong:
            return _refusal(wrong)
        return JSONResponse(answer, status_code=status)

    return endpoint


async def _table(request: Request) -> Response:
    key = int(request.path_params["gold"])
    try:
        capability = _granted(request.headers.get("authorization", "").removeprefix("Bearer "), key)
        waiting = [int(word) for word in request.query_params.get("waiting", "").split(",") if word.isdecimal()]
        asked = waiting[:MOST_WAITING]
        chosen = request.query_params.get("queue", "")
        text = await anyio.to_thread.run_sync(table_text, key, capability.person, asked, chosen)
        return Response(text, media_type="application/json")
    except TokenError as wrong:
        return _error(403, "token", str(wrong))
    except StoreError as wrong:
        return _refusal(wrong)


def _list(work: Callable[[Mapping[str, str], str], Mapping[str, Any]]) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        try:
            capability = _granted(request.headers.get("authorization", "").removeprefix("Bearer "), LISTS)
            asked = dict(request.query_params)
            return JSONResponse(await anyio.to_thread.run_sync(work, asked, capability.person))
        except TokenError as wrong:
            return _error(403, "token", str(wrong))
        except StoreError as wrong:
            return _refusal(wrong)

    return endpoint


async def _page(request: Request) -> Response:
    digest, number, dpi = (request.path_params[name] for name in ("sha256", "number", "dpi"))
    if dpi not in DPI:
        return _error(404, "unknown", f"{dpi} dpi, expected {DPI.start} to {DPI.stop - 1}")
    return await _image(digest, lambda home: pages.page_image(home, digest, number, dpi))


async def _tile(request: Request) -> Response:
    digest, number, dpi, col, row = (request.path_params[name] for name in ("sha256", "number", "dpi", "col", "row"))
    return await _image(digest, lambda home: pages.page_tile(home, digest, number, dpi, col, row))


async def _crop(request: Request) -> Response:
    digest, number, dpi = (request.path_params[name] for name in ("sha256", "number", "dpi"))
    try:
        x0, y0, x1, y1 = (float(side) for side in request.path_params["part"].split(","))
    except ValueError:
        return _error(404, "unknown", "the part of a page is x0,y0,x1,y1 in fractions of it")
    if dpi not in CROP_DPI:
        return _error(404, "unknown", f"{dpi} dpi, expected one of {CROP_DPI}")
    return await _image(digest, lambda home: crops.crop(home, digest, number, dpi, (x0, y0, x1, y1)))


async def _words(request: Request) -> Response:
    digest, number = request.path_params["sha256"], request.path_params["number"]
    found = await _of_page(digest, lambda home: scan_words(home, digest, number))
    if isinstance(found, Response):
        return found
    headers = PRIVATE_FOR_EVER if found.final else {"Cache-Control": "no-store"}
    return Response(found.body, media_type="application/json", headers=headers)


async def _image(digest: str, make: Callable[[Home], bytes]) -> Response:
    made = await _of_page(digest, make)
    return made if isinstance(made, Response) else Response(made, media_type="image/webp", headers=PRIVATE_FOR_EVER)


async def _of_page(digest: str, make: Callable[[Home], Made]) -> Made | Response:
    """What is made of a page of a document that is there, in a thread of its own; else a refusal."""

    def work() -> Made | None:
        with database().read() as reader:
            if not documents.holds_file(reader, digest):
                return None
        return make(settings().home)

    try:
        made = await anyio.to_thread.run_sync(work)
    except DocumentError as wrong:
        return _error(422, "page", str(wrong))
    except StoreError as wrong:
        return _refusal(wrong)
    if made is None:
        return _error(404, "unknown", "no document has this sha256")
    return made


async def _asset(request: Request) -> Response:
    found = frontend.asset(request.path_params["version"], request.path_params["name"])
    if found is None:
        return _error(404, "unknown", "no such module; reload the page")
    return Response(found[0], media_type=found[1], headers=FOR_EVER)


async def _unknown(request: Request) -> Response:
    return _error(404, "unknown", f"{request.url.path} is no route of this server; docs/review_api.md lists them")


ROUTES = [
    Route("/api/table/{gold:int}", _table),
    Route("/api/queue", _list(queue_view.queue_json)),
    Route("/api/strip", _list(strip_view.strip_json)),
    Route("/api/crop/{sha256:str}/{number:int}@{dpi:int}/{part:str}.webp", _crop),
    Route("/api/edits", _post(store_edits), methods=["POST"]),
    Route("/api/activity", _post(store_activity), methods=["POST"]),
    Route("/api/verdict", _post(store_verdict), methods=["POST"]),
    Route("/api/comments", _post(discussion.store_comments), methods=["POST"]),
    Route("/api/comments/{gold:int}", _threads),
    Route("/api/guidelines", _post(discussion.store_reading), methods=["POST"]),
    Route("/api/meaning", _post(meaning.meaning), methods=["POST"]),
    Route("/api/region", _post(regions.read, regions.keep), methods=["POST"]),
    Route("/api/region/table", _post(add_region_table), methods=["POST"]),
    Route("/api/page/{sha256:str}/{number:int}@{dpi:int}.webp", _page),
    Route("/api/tile/{sha256:str}/{number:int}@{dpi:int}-{col:int}-{row:int}.webp", _tile),
    Route("/api/words/{sha256:str}/{number:int}", _words),
    Route("/assets/{version:str}/{name:str}", _asset),
    # Without these Streamlit would answer with its page, and status 200.
    Route("/api/{rest:path}", _unknown, methods=["GET", "POST", "PUT", "PATCH", "DELETE"]),
    Route("/assets/{rest:path}", _unknown),
]
