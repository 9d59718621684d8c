"""The cookie by which page images know who asks: the address of an image carries no secret."""

from __future__ import annotations

from sqlite_utils import Database
from starlette.requests import Request
from starlette.responses import Response

from review_app.api_requests import bearer, done
from review_app.granting import IMAGES, granted, issue_token
from review_app.settings import settings
from review_app.tokens import LIFETIME_S
from store.rights import is_team

COOKIE = "proofgrid_images"


async def begin(request: Request) -> Response:
    """Give the browser a cookie for page images, for the token of a gold table or of lists."""
    key = int(request.path_params["gold"])
    made = await done(
        request, bearer(request), key, "review", lambda capability: issue_token(capability.person, IMAGES)
    )
    if isinstance(made, Response):
        return made
    answer = Response(status_code=204)
    secure = (settings().public_address or "").startswith("https:")
    answer.set_cookie(COOKIE, made, max_age=LIFETIME_S, path="/api/", httponly=True, samesite="strict", secure=secure)
    return answer


def expect_session(reader: Database, request: Request) -> bool:
    """Whether who asks for an image is told by a cookie, as in a team; raises TokenError or NotAllowed."""
    if not is_team(reader):
        return False
    granted(reader, request.cookies.get(COOKIE), IMAGES, "review")
    return True
