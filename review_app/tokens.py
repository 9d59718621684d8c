"""Capability tokens: who may do what on which gold table, signed and expiring."""

from __future__ import annotations

import base64
import hmac
import json
import secrets
import time
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

LIFETIME_S = 12 * 3600
# Expiry is rounded, so that a page that is drawn again within the hour gets the same token.
ROUNDED_TO_S = 3600


class TokenError(ValueError):
    """A token that is missing, forged, expired or for something else; ``person`` is whose it surely was, else ""."""

    def __init__(self, message: str, person: str = "") -> None:
        super().__init__(message)
        self.person = person


@dataclass(frozen=True)
class Capability:
    """One person's right to review one gold table, in one pass over it.

    ``epoch`` is that of the person when it was issued: who signs out, is removed or gets another role has a new one.
    """

    person: str
    gold: int
    epoch: int = 0
    which_pass: int = 1


def issue(secret: bytes, capability: Capability, *, at: float | None = None) -> str:
    """A token for the capability, good for LIFETIME_S seconds (up to ROUNDED_TO_S more)."""
    moment = time.time() if at is None else at
    expires = (int(moment + LIFETIME_S) // ROUNDED_TO_S + 1) * ROUNDED_TO_S
    parts = [capability.person, capability.gold, expires, capability.epoch, capability.which_pass]
    claims = json.dumps(parts, ensure_ascii=False).encode()
    return f"{_text(claims)}.{_text(_signature(secret, claims))}"


def check(secret: bytes, token: str, *, gold: int, at: float | None = None) -> Capability:
    """The capability that a token grants on a gold table; raises TokenError."""
    claims_text, _, signature_text = token.partition(".")
    try:
        claims, signature = _bytes(claims_text), _bytes(signature_text)
    except ValueError:
        raise TokenError("The token cannot be read.") from None
    if not hmac.compare_digest(signature, _signature(secret, claims)):
        raise TokenError("The token was not issued by this server.")
    person, granted, expires, epoch, which_pass = json.loads(claims)
    if (time.time() if at is None else at) >= expires:
        raise TokenError("The sign-in has expired. Your edits are kept; reload the page to go on.", person)
    if granted != gold:
        raise TokenError(f"The token is for gold table {granted}, not {gold}.", person)
    return Capability(person, granted, epoch, which_pass)


def secret_of(folder: Path) -> bytes:
    """The signing secret of a home folder; made, readable by its owner alone, where there is none."""
    path = folder / "secret"
    try:
        return path.read_bytes()
    except FileNotFoundError:
        folder.mkdir(parents=True, exist_ok=True)
        part = folder / f"secret.{secrets.token_hex(8)}"
        part.touch(mode=0o600)
        part.write_bytes(secrets.token_bytes(32))
        try:
            path.hardlink_to(part)  # fails where another process was faster: its secret stands
        except FileExistsError:
            pass
        finally:
            part.unlink()
        return path.read_bytes()


def _signature(secret: bytes, claims: bytes) -> bytes:
    return hmac.digest(secret, claims, sha256)


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def _bytes(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
