"""The routes of page images: a page, its tiles, the crop of a cell, the words that stand on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

import anyio.to_thread
from starlette.requests import Request
from starlette.responses import Response

from review_app.api_requests import error, refusal
from review_app.api_session import expect_session
from review_app.granting import note_refused
from review_app.settings import database, settings
from review_app.tokens import TokenError
from store import crops, documents, pages
from store.db import StoreError
from store.home import Home
from store.pages import DocumentError
from store.scan_words import scan_words

DPI = range(36, 301)
CROP_DPI = (150, 300)
PRIVATE_FOR_EVER = {"Cache-Control": "private, max-age=31536000, immutable"}
# In a team the browser asks each time whether this person may still see it; what the address names never changes.
ASKED_EACH_TIME = {"Cache-Control": "private, no-cache", "ETag": '"1"'}

Made = TypeVar("Made")


async def page(request: Request) -> Response:
    """A whole page, as WebP."""
    digest, number, dpi = (request.path_params[name] for name in ("sha256", "number", "dpi"))
    if dpi not in DPI:
        return error(404, "unknown", f"{dpi} dpi, expected {DPI.start} to {DPI.stop - 1}")
    return await _image(request, lambda home: pages.page_image(home, digest, number, dpi))


async def tile(request: Request) -> Response:
    """One tile of a page that is drawn larger than a window, as WebP."""
    digest, number, dpi, col, row = (request.path_params[name] for name in ("sha256", "number", "dpi", "col", "row"))
    return await _image(request, lambda home: pages.page_tile(home, digest, number, dpi, col, row))


async def crop(request: Request) -> Response:
    """A part of a page around a cell, as WebP."""
    digest, number, dpi = (request.path_params[name] for name in ("sha256", "number", "dpi"))
    try:
        x0, y0, x1, y1 = (float(side) for side in request.path_params["part"].split(","))
    except ValueError:
        return error(404, "unknown", "the part of a page is x0,y0,x1,y1 in fractions of it")
    if dpi not in CROP_DPI:
        return error(404, "unknown", f"{dpi} dpi, expected one of {CROP_DPI}")
    return await _image(request, lambda home: crops.crop(home, digest, number, dpi, (x0, y0, x1, y1)))


async def words(request: Request) -> Response:
    """The words of a page with their boxes; of a scan, what is read so far."""
    digest, number = request.path_params["sha256"], request.path_params["number"]
    found = await _of_page(request, lambda home: scan_words(home, digest, number))
    if isinstance(found, Response):
        return found
    kept = _kept(found.in_team) if found.made.final else {"Cache-Control": "no-store"}
    return Response(found.made.body, media_type="application/json", headers=kept)


@dataclass(frozen=True)
class _OfPage(Generic[Made]):
    made: Made
    in_team: bool


async def _image(request: Request, make: Callable[[Home], bytes]) -> Response:
    found = await _of_page(request, make)
    if isinstance(found, Response):
        return found
    return Response(found.made, media_type="image/webp", headers=_kept(found.in_team))


def _kept(in_team: bool) -> dict[str, str]:
    return ASKED_EACH_TIME if in_team else PRIVATE_FOR_EVER


async def _of_page(request: Request, make: Callable[[Home], Made]) -> _OfPage[Made] | Response:
    """What is made of a page of a document that is there, in a thread of its own; else a refusal."""
    digest = request.path_params["sha256"]

    def work() -> _OfPage[Made] | Response:
        try:
            with database().read() as reader:
                in_team = expect_session(reader, request)
                if not documents.holds_file(reader, digest):
                    return error(404, "unknown", "no document has this sha256")
            if in_team and request.headers.get("if-none-match") == ASKED_EACH_TIME["ETag"]:
                return Response(status_code=304, headers=ASKED_EACH_TIME)
            return _OfPage(make(settings().home), in_team)
        except TokenError as wrong:
            note_refused(wrong, "page image")
            return error(403, "token", str(wrong))

    try:
        return await anyio.to_thread.run_sync(work)
    except DocumentError as wrong:
        return error(422, "page", str(wrong))
    except StoreError as wrong:
        return refusal(wrong)
