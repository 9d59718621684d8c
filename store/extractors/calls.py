"""Calls of a service over HTTP: patient where it asks to wait, exact about what came, silent about keys."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

import httpx

from store.extractors.contract import ExtractorError, NoAnswer

# An answer that is larger is no extraction.
LARGEST_ANSWER = 200_000_000
# The service is there but cannot answer now (RFC 6585, RFC 9110).
_BUSY = (429, 502, 503, 504)
# The call is wrong for every document.
_WRONG_CALL = (401, 403, 404, 405)
_FROM_ENVIRONMENT = re.compile(r"\$\{(\w+)\}")
_SHOWN = 200


@dataclass(frozen=True)
class Received:
    """A whole answer: its status, headers and bytes."""

    status: int
    headers: Mapping[str, str]
    raw: bytes


@dataclass
class Calls:
    """The calls for one document.

    ``timeout_s`` is the longest time of one call as a whole. A service that is busy is asked again, up to
    ``tries`` times, after the time that it names (``Retry-After``) or 1, 2, 4 ... times ``wait_s``; never
    after more than ``longest_wait_s``. Values of ``${NAME}`` come from the environment and are blotted out
    of every message.
    """

    timeout_s: float
    tries: int
    wait_s: float
    longest_wait_s: float = 120.0
    _secrets: dict[str, str] = field(default_factory=dict)

    def filled(self, text: str, what: str) -> str:
        """The text with the values of environment variables; raises ExtractorError where one is not set."""

        def value(found: re.Match[str]) -> str:
            name = found.group(1)
            held = os.environ.get(name, "").strip()  # a key that was read from a file ends in a line break
            if not held:
                raise ExtractorError(f"{what} needs the environment variable {name}, which is not set")
            self._secrets[held] = name
            return held

        return _FROM_ENVIRONMENT.sub(value, text)

    def send(self, method: str, url: str, **parts: Any) -> Received:
        """The answer with a status of 200 to 299; ``parts`` are those of ``httpx.Client.request``.

        Raises ExtractorError where the service cannot be reached or refuses every call (wrong key, wrong
        address), and NoAnswer, with what came, where it gave no answer to this one.
        """
        for number in range(1, self.tries + 1):
            got = self._sent(method, url, number, **parts)
            if got is None:
                time.sleep(self._pause(number))
                continue
            if 200 <= got.status < 300:
                return got
            reason = f"{self._shown(url)} answered HTTP {got.status}: {self._start(got.raw)}"
            if got.status in _WRONG_CALL or 300 <= got.status < 400:
                where = f" (to {got.headers['location']})" if got.status < 400 and "location" in got.headers else ""
                raise ExtractorError(self._blotted(f"{reason}{where}"))
            if got.status not in _BUSY:
                raise NoAnswer(reason, self._blotted_bytes(got.raw))
            asked = retry_after(got.headers)
            if asked is not None and asked > self.longest_wait_s:
                raise NoAnswer(f"{reason}; it asks to wait {asked:.0f} s", self._blotted_bytes(got.raw))
            if number == self.tries:
                raise NoAnswer(f"{reason}, {self.tries} times", self._blotted_bytes(got.raw))
            time.sleep(self._pause(number) if asked is None else asked)
        raise AssertionError("the last try returns or raises")

    def _pause(self, number: int) -> float:
        # After a thousand tries the power would be no float any more.
        return min(self.wait_s * 2.0 ** min(number - 1, 30), self.longest_wait_s)

    def _sent(self, method: str, url: str, number: int, **parts: Any) -> Received | None:
        """One answer with any status; None where the service could not be reached and may be asked again."""
        began, held = time.monotonic(), bytearray()
        # A proxy of the environment is for services elsewhere.
        outside = urlsplit(url).hostname not in ("127.0.0.1", "localhost", "::1")
        try:
            with (
                httpx.Client(timeout=self.timeout_s, trust_env=outside) as client,
                client.stream(method, url, **parts) as answer,
            ):
                for piece in answer.iter_bytes():
                    held += piece
                    if len(held) > LARGEST_ANSWER:
                        raise NoAnswer(f"{self._shown(url)} answered with more than {LARGEST_ANSWER:,} bytes")
                    if time.monotonic() - began > self.timeout_s:
                        raise NoAnswer(f"{self._shown(url)} took longer than {self.timeout_s:g} s", bytes(held))
                return Received(answer.status_code, answer.headers, bytes(held))
        except (httpx.ConnectError, httpx.ConnectTimeout) as wrong:
            if number < self.tries:
                return None
            raise ExtractorError(self._blotted(f"{self._shown(url)} cannot be reached: {wrong}")) from None
        except httpx.TimeoutException:
            raise NoAnswer(f"{self._shown(url)} took longer than {self.timeout_s:g} s", bytes(held)) from None
        except (httpx.NetworkError, httpx.RemoteProtocolError, httpx.DecodingError) as wrong:
            reason = f"{self._shown(url)} broke off after {len(held)} bytes: {wrong}"
            raise NoAnswer(self._blotted(reason), bytes(held)) from None
        except (httpx.InvalidURL, httpx.UnsupportedProtocol, httpx.ProxyError) as wrong:
            raise ExtractorError(self._blotted(f"{self._shown(url)} cannot be called: {wrong}")) from None
        except httpx.LocalProtocolError:  # its message quotes the header, which may hold the key
            raise ExtractorError(f"{self._shown(url)} cannot be called: a header holds signs that it may not") from None

    def _shown(self, url: str) -> str:
        # A query may hold a signature.
        return self._blotted(url.partition("?")[0])

    def _start(self, raw: bytes) -> str:
        text = " ".join(raw.decode(errors="replace").split())
        return self._blotted(text[:_SHOWN] + (" ..." if len(text) > _SHOWN else "")) or "nothing"

    def _blotted(self, text: str) -> str:
        for secret, name in self._secrets.items():
            text = text.replace(secret, f"${{{name}}}")
        return text

    def _blotted_bytes(self, raw: bytes) -> bytes:
        """A refusal without the keys that it may repeat; answers are never changed."""
        for secret, name in self._secrets.items():
            raw = raw.replace(secret.encode(), b"${%b}" % name.encode())
        return raw


def retry_after(headers: Mapping[str, str]) -> float | None:
    """In how many seconds a service wants to be asked again, by its ``Retry-After``; None where it does not say."""
    said = headers.get("retry-after", "").strip()
    if re.fullmatch(r"\d+(\.\d+)?", said):
        return float(said)
    try:
        at = parsedate_to_datetime(said)
    except (ValueError, OverflowError):
        return None
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    return max(0.0, (at - datetime.now(UTC)).total_seconds())


def same_origin(one: str, other: str) -> bool:
    """Whether two addresses are of one server: only then a key may go to both."""
    return _origin(one) == _origin(other)


def _origin(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port or {"http": 80, "https": 443}.get(parts.scheme)
