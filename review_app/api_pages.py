"""The routes of page images: a page, its tiles, the crop of a cell, the words that stand on it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import anyio.to_thread
from starlette.requests import Request
from starlette.responses import Response

from review_app.api_requests import error, refusal
from review_app.settings import database, settings
from store import crops, documents, pages
from store.db import StoreError
from store.home import Home
from store.pages import DocumentError
from store.scan_words import scan_words

DPI = range(36, 301)
CROP_DPI = (150, 300)
PRIVATE_FOR_EVER = {"Cache-Control": "private, max-age=31536000, immutable"}

Made = TypeVar("Made")


async def page(request: Request) -> Response:
    """A whole page, as WebP."""
    digest, number, dpi = (request.path_params[name] for name in ("sha256", "number", "dpi"))
    if dpi not in DPI:
        return error(404, "unknown", f"{dpi} dpi, expected {DPI.start} to {DPI.stop - 1}")
    return await _image(digest, lambda home: pages.page_image(home, digest, number, dpi))


async def tile(request: Request) -> Response:
    """One tile of a page that is drawn larger than a window, as WebP."""
    digest, number, dpi, col, row = (request.path_params[name] for name in ("sha256", "number", "dpi", "col", "row"))
    return await _image(digest, lambda home: pages.page_tile(home, digest, number, dpi, col, row))


async def crop(request: Request) -> Response:
    """A part of a page around a cell, as WebP."""
    digest, number, dpi = (request.path_params[name] for name in ("sha256", "number", "dpi"))
    try:
        x0, y0, x1, y1 = (float(side) for side in request.path_params["part"].split(","))
    except ValueError:
        return error(404, "unknown", "the part of a page is x0,y0,x1,y1 in fractions of it")
    if dpi not in CROP_DPI:
        return error(404, "unknown", f"{dpi} dpi, expected one of {CROP_DPI}")
    return await _image(digest, lambda home: crops.crop(home, digest, number, dpi, (x0, y0, x1, y1)))


async def words(request: Request) -> Response:
    """The words of a page with their boxes; of a scan, what is read so far."""
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
        return error(422, "page", str(wrong))
    except StoreError as wrong:
        return refusal(wrong)
    if made is None:
        return error(404, "unknown", "no document has this sha256")
    return made
