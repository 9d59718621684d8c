"""A small OpenID provider on loopback, as a process of its own: it believes whoever says who they are."""

from __future__ import annotations

import secrets
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from html import escape
from pathlib import Path
from urllib.parse import urlencode

import uvicorn
from joserfc import jwt
from joserfc.jwk import RSAKey
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from benchmarks.server import free_port

ROOT = Path(__file__).parents[1]
CLIENT, SECRET = "proofgrid", "secret of the client"


def provider(issuer: str) -> Starlette:
    """Discovery, keys, a form that asks for an e-mail, and tokens: the authorization code flow and no more."""
    key = RSAKey.generate_key(2048, {"kid": "one", "alg": "RS256", "use": "sig"})
    codes: dict[str, dict[str, str]] = {}

    async def discovery(_: Request) -> Response:
        return JSONResponse(
            {
                "issuer": issuer,
                "authorization_endpoint": f"{issuer}/authorize",
                "token_endpoint": f"{issuer}/token",
                "jwks_uri": f"{issuer}/keys",
                "response_types_supported": ["code"],
                "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": ["RS256"],
                "code_challenge_methods_supported": ["S256"],
            }
        )

    async def keys(_: Request) -> Response:
        return JSONResponse({"keys": [key.as_dict(private=False)]})

    async def authorize(request: Request) -> Response:
        asked = dict(request.query_params)
        if request.method == "GET":
            hidden = "".join(f'<input type="hidden" name="{escape(k)}" value="{escape(v)}">' for k, v in asked.items())
            return HTMLResponse(
                f'<h1>Provider</h1><form method="get" action="/agree">{hidden}'
                '<label>E-mail <input name="email"></label>'
                '<label><input type="checkbox" name="unverified"> not verified</label><button>Go on</button></form>'
            )
        return Response(status_code=405)

    async def agree(request: Request) -> Response:
        asked = dict(request.query_params)
        code = secrets.token_urlsafe()
        codes[code] = asked
        back = urlencode({"code": code, "state": asked["state"]})
        return RedirectResponse(f"{asked['redirect_uri']}?{back}", status_code=302)

    async def token(request: Request) -> Response:
        sent = await request.form()
        asked = codes.pop(str(sent["code"]))
        moment = int(time.time())
        claims = {
            "iss": issuer,
            "aud": CLIENT,
            "sub": f"subject of {asked['email']}",
            "iat": moment,
            "exp": moment + 300,
            "nonce": asked.get("nonce", ""),
            "email": asked["email"],
            "email_verified": "unverified" not in asked,
        }
        text = jwt.encode({"alg": "RS256", "kid": "one"}, claims, key)
        return JSONResponse(
            {"access_token": secrets.token_urlsafe(), "token_type": "Bearer", "expires_in": 300, "id_token": text}
        )

    return Starlette(
        routes=[
            Route("/.well-known/openid-configuration", discovery),
            Route("/keys", keys),
            Route("/authorize", authorize),
            Route("/agree", agree),
            Route("/token", token, methods=["POST"]),
        ]
    )


@contextmanager
def running() -> Iterator[str]:
    """The address of a provider in a process of its own."""
    port = free_port()
    issuer = f"http://127.0.0.1:{port}"
    process = subprocess.Popen([sys.executable, "-m", "tests.oidc_provider", str(port)], cwd=ROOT)
    try:
        for _ in range(300):
            with suppress(OSError), urllib.request.urlopen(f"{issuer}/keys", timeout=1):
                break
            assert process.poll() is None
            time.sleep(0.1)
        yield issuer
    finally:
        process.terminate()
        process.wait()


if __name__ == "__main__":
    own = int(sys.argv[1]) if sys.argv[1:] else 9000
    here = f"http://127.0.0.1:{own}"
    if not sys.argv[1:]:
        sys.stdout.write(f"""# An OpenID provider to try with, at {here}; Ctrl+C ends it. This is sign_in.toml for it:
public_address = "http://127.0.0.1:8501"
client_id = "{CLIENT}"
client_secret = "{SECRET}"
server_metadata_url = "{here}/.well-known/openid-configuration"
""")
    uvicorn.run(provider(here), host="127.0.0.1", port=own, log_level="error")
