"""The list of the routes of docs/review_api.md."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from review_app import (
    adjudicating,
    api_pages,
    api_review,
    api_session,
    assigning,
    discussion,
    leasing,
    meaning,
    quality_view,
    queue_view,
    regions,
    rest,
    strip_view,
)
from review_app.api_requests import error, listing, posting, reading
from review_app.components import frontend

FOR_EVER = {"Cache-Control": "public, max-age=31536000, immutable"}


async def _asset(request: Request) -> Response:
    found = frontend.asset(request.path_params["version"], request.path_params["name"])
    if found is None:
        return error(404, "unknown", "no such module; reload the page")
    return Response(found[0], media_type=found[1], headers=FOR_EVER)


async def _unknown(request: Request) -> Response:
    return error(404, "unknown", f"{request.url.path} is no route of this server; docs/review_api.md lists them")


ROUTES = [
    Route("/api/session/{gold:int}", api_session.begin, methods=["POST"]),
    Route("/api/table/{gold:int}", reading(api_review.read_table, right="review")),
    Route("/api/queue", listing(queue_view.queue_json, right="review")),
    Route("/api/strip", listing(strip_view.strip_json, right="review")),
    Route("/api/quality", listing(quality_view.sample_json, right="check")),
    Route("/api/quality", posting(quality_view.store_check, right="check"), methods=["POST"]),
    Route("/api/adjudication", listing(adjudicating.case_json, right="adjudicate")),
    Route("/api/adjudication", posting(adjudicating.store_decision, right="adjudicate"), methods=["POST"]),
    Route("/api/crop/{sha256:str}/{number:int}@{dpi:int}/{part:str}.webp", api_pages.crop),
    Route("/api/edits", posting(api_review.store_edits, right="review"), methods=["POST"]),
    Route("/api/activity", posting(api_review.store_activity, right="review"), methods=["POST"]),
    Route("/api/verdict", posting(api_review.store_verdict, right="review"), methods=["POST"]),
    Route("/api/lease", posting(leasing.store_lease, right="review"), methods=["POST"]),
    Route("/api/assignment", posting(assigning.store_assignment, right="rules"), methods=["POST"]),
    Route("/api/comments", posting(discussion.store_comments, right="review"), methods=["POST"]),
    Route("/api/comments/{gold:int}", reading(discussion.read_threads, right="review")),
    Route("/api/guidelines", posting(discussion.store_reading, right="review"), methods=["POST"]),
    Route("/api/meaning", posting(meaning.meaning, right="review"), methods=["POST"]),
    Route("/api/region", posting(regions.read, regions.keep, right="review"), methods=["POST"]),
    Route("/api/region/table", posting(api_review.add_region_table, right="review"), methods=["POST"]),
    Route("/api/page/{sha256:str}/{number:int}@{dpi:int}.webp", api_pages.page),
    Route("/api/tile/{sha256:str}/{number:int}@{dpi:int}-{col:int}-{row:int}.webp", api_pages.tile),
    Route("/api/words/{sha256:str}/{number:int}", api_pages.words),
    Route("/assets/{version:str}/{name:str}", _asset),
    *rest.routes(),
    # Without these Streamlit would answer with its page, and status 200.
    Route("/api/{rest:path}", _unknown, methods=["GET", "POST", "PUT", "PATCH", "DELETE"]),
    Route("/assets/{rest:path}", _unknown),
]
