"""Sign-in by OpenID Connect: the file in the home folder that configures it, and what Streamlit is told of it."""

from __future__ import annotations

import hmac
import json
import os
import shlex
import stat
import tomllib
import warnings
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from urllib.parse import urlsplit

from review_app.tokens import secret_of
from store.addresses import AddressError, web_address
from store.db import StoreError
from store.home import Home

FILE = "sign_in.toml"
# Made anew at each start from the file above: what Streamlit wants to have in a file of secrets.
SECRETS_FILE = "sign_in_secrets.toml"
WANTED = ("public_address", "client_id", "client_secret", "server_metadata_url")
OPTIONAL = ("trust_email", "prompt", "scope")
EXAMPLE = """public_address = "https://tables.example.org"
client_id = "proofgrid"
client_secret = "..."
server_metadata_url = "https://login.example.org/realms/team/.well-known/openid-configuration"
"""
LOOPBACK = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True)
class SignIn:
    """How people sign in; ``public_address`` is what they type, ``trust_email`` takes unverified e-mails, too."""

    public_address: str
    client_id: str
    client_secret: str
    server_metadata_url: str
    trust_email: bool = False
    prompt: str = "select_account"
    scope: str = "openid email profile"

    @property
    def host(self) -> str:
        """The name of the host that people type."""
        return urlsplit(self.public_address).hostname or ""


def sign_in_of(home: Home) -> SignIn | None:
    """What sign_in.toml of a home says, or None where there is none; raises StoreError with file and key."""
    path = home.folder / FILE
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as wrong:
        raise StoreError(f"{path}: cannot be read: {wrong}. It looks so:\n{EXAMPLE}") from wrong
    for key in WANTED:
        if not isinstance(given.get(key), str) or not given[key]:
            raise StoreError(f"{path}: {key} is missing or no text. It looks so:\n{EXAMPLE}")
    if unknown := sorted(set(given) - {*WANTED, *OPTIONAL}):
        raise StoreError(f"{path}: {unknown[0]} is unknown, expected {', '.join((*WANTED, *OPTIONAL))}")
    if not isinstance(given.get("trust_email", False), bool):
        raise StoreError(f"{path}: trust_email is {given['trust_email']!r}, expected true or false")
    for key in ("prompt", "scope"):
        if not isinstance(given.get(key, ""), str):
            raise StoreError(f"{path}: {key} is {given[key]!r}, expected a text")
    for key in ("public_address", "server_metadata_url"):
        _expect_safe(path, key, given[key])
    parts = web_address(given["public_address"])
    if parts.path.strip("/") or parts.query or parts.fragment:
        raise StoreError(f"{path}: public_address is {given['public_address']}, expected no path after the host")
    return SignIn(**{**given, "public_address": given["public_address"].rstrip("/")})


def read_by_others(home: Home) -> str:
    """A warning where others of this machine may read the file with the secret, and what to do; else an empty text."""
    path = home.folder / FILE
    mode = stat.S_IMODE(path.stat().st_mode)
    if os.name != "posix" or not mode & 0o077:
        return ""
    return (
        f"Warning: {path} holds the client secret, and others on this machine may read or change it (mode {mode:o}, "
        f"expected 600). Run: chmod 600 {shlex.quote(str(path))}"
    )


def write_secrets(home: Home, sign_in: SignIn) -> Path:
    """The file of secrets for Streamlit, for its owner alone; the cookie secret is made from that of the home."""
    cookie_secret = hmac.digest(secret_of(home.folder), b"streamlit cookie", sha256).hex()
    # A text in JSON is one in TOML, too.
    text = f"""[auth]
redirect_uri = {json.dumps(sign_in.public_address + "/oauth2callback")}
cookie_secret = {json.dumps(cookie_secret)}
client_id = {json.dumps(sign_in.client_id)}
client_secret = {json.dumps(sign_in.client_secret)}
server_metadata_url = {json.dumps(sign_in.server_metadata_url)}
client_kwargs = {{ scope = {json.dumps(sign_in.scope)}, prompt = {json.dumps(sign_in.prompt)} }}
"""
    path = home.folder / SECRETS_FILE
    path.unlink(missing_ok=True)
    path.touch(mode=0o600)
    path.write_text(text, encoding="utf-8")
    return path


def leave_out_warning_of_authlib() -> None:
    """Do not print that Authlib would rather have httpx2, which nobody who signs in can do anything about.

    Authlib shows all of its own warnings from its first import on; a filter counts only after that.
    """
    from authlib.deprecate import AuthlibDeprecationWarning

    warnings.filterwarnings(
        "ignore", "The httpx module is deprecated", AuthlibDeprecationWarning, r"authlib\.integrations\.httpx_client"
    )


def _expect_safe(path: Path, key: str, address: str) -> None:
    try:
        parts = web_address(address)
    except AddressError as wrong:
        raise StoreError(f"{path}: {key} is {wrong}") from None
    if parts.scheme == "http" and parts.hostname not in LOOPBACK:
        raise StoreError(
            f"{path}: {key} is {address}, expected https: others on the way could read and take over a sign-in. "
            "Only an address of this machine may be http."
        )
