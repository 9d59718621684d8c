"""The list of the routes of docs/review_api.md."""

from __future__ import annotations

import anyio.to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from review_app import (
    adjudicating,
    api_pages,
    api_review,
    discussion,
    leasing,
    meaning,
    queue_view,
    regions,
    strip_view,
)
from review_app.api_requests import error, listing, posting, refusal
from review_app.components import frontend
from review_app.granting import granted
from review_app.tokens import TokenError
from store.db import StoreError

MOST_WAITING = 100
FOR_EVER = {"Cache-Control": "public, max-age=31536000, immutable"}


async def _threads(request: Request) -> Response:
    key = int(request.path_params["gold"])
    try:
        granted(request.headers.get("authorization", "").removeprefix("Bearer "), key)
        return JSONResponse(await anyio.to_thread.run_sync(discussion.threads_json, key))
    except TokenError as wrong:
        return error(403, "token", str(wrong))
    except StoreError as wrong:
        return refusal(wrong)


async def _table(request: Request) -> Response:
    key = int(request.path_params["gold"])
    try:
        capability = granted(request.headers.get("authorization", "").removeprefix("Bearer "), key)
        waiting = [int(word) for word in request.query_params.get("waiting", "").split(",") if word.isdecimal()]
        asked = waiting[:MOST_WAITING]
        chosen = request.query_params.get("queue", "")
        text = await anyio.to_thread.run_sync(api_review.table_text, key, capability.person, asked, chosen)
        return Response(text, media_type="application/json")
    except TokenError as wrong:
        return error(403, "token", str(wrong))
    except StoreError as wrong:
        return refusal(wrong)


async def _asset(request: Request) -> Response:
    found = frontend.asset(request.path_params["version"], request.path_params["name"])
    if found is None:
        return error(404, "unknown", "no such module; reload the page")
    return Response(found[0], media_type=found[1], headers=FOR_EVER)


async def _unknown(request: Request) -> Response:
    return error(404, "unknown", f"{request.url.path} is no route of this server; docs/review_api.md lists them")


ROUTES = [
    Route("/api/table/{gold:int}", _table),
    Route("/api/queue", listing(queue_view.queue_json)),
    Route("/api/strip", listing(strip_view.strip_json)),
    Route("/api/adjudication", listing(adjudicating.case_json)),
    Route("/api/adjudication", posting(adjudicating.store_decision), methods=["POST"]),
    Route("/api/crop/{sha256:str}/{number:int}@{dpi:int}/{part:str}.webp", api_pages.crop),
    Route("/api/edits", posting(api_review.store_edits), methods=["POST"]),
    Route("/api/activity", posting(api_review.store_activity), methods=["POST"]),
    Route("/api/verdict", posting(api_review.store_verdict), methods=["POST"]),
    Route("/api/lease", posting(leasing.store_lease), methods=["POST"]),
    Route("/api/comments", posting(discussion.store_comments), methods=["POST"]),
    Route("/api/comments/{gold:int}", _threads),
    Route("/api/guidelines", posting(discussion.store_reading), methods=["POST"]),
    Route("/api/meaning", posting(meaning.meaning), methods=["POST"]),
    Route("/api/region", posting(regions.read, regions.keep), methods=["POST"]),
    Route("/api/region/table", posting(api_review.add_region_table), methods=["POST"]),
    Route("/api/page/{sha256:str}/{number:int}@{dpi:int}.webp", api_pages.page),
    Route("/api/tile/{sha256:str}/{number:int}@{dpi:int}-{col:int}-{row:int}.webp", api_pages.tile),
    Route("/api/words/{sha256:str}/{number:int}", api_pages.words),
    Route("/assets/{version:str}/{name:str}", _asset),
    # Without these Streamlit would answer with its page, and status 200.
    Route("/api/{rest:path}", _unknown, methods=["GET", "POST", "PUT", "PATCH", "DELETE"]),
    Route("/assets/{rest:path}", _unknown),
]
