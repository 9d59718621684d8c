"""Addresses of web servers as people and services name them, read strictly."""

from __future__ import annotations

import re
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

from store.db import StoreError

# A label of a host: letters and digits of any script, and the underscore that names inside a company have.
_LABEL = re.compile(r"\w([\w-]{0,61}\w)?")
_LONGEST_HOST, _LONGEST_SHOWN = 253, 200


class AddressError(StoreError):
    """An address that leads nowhere; the message tells it, without any password, and what was expected."""


def web_address(text: str, *, credentials: bool = False) -> SplitResult:
    """The parts of an http or https address (RFC 3986) that can be called; with ``credentials`` it may carry some.

    Raises AddressError for what is no such address: no host, a host or port that cannot be, blanks, a name or password.
    """
    try:
        parts = urlsplit(text)
        wrong = _wrong(text, parts, credentials)
    except ValueError:
        parts, wrong = SplitResult("", "", "", "", ""), "its host cannot be read"
    if wrong:
        raise AddressError(f"{shown(text)}, expected http(s)://host/..., as https://example.org: {wrong}")
    return parts


def shown(address: str) -> str:
    """An address for a message, cut, and without what may be secret: what stands before an @ or behind a "?"."""
    return repr(re.sub(r"//.*@", "//...@", address.partition("?")[0])[:_LONGEST_SHOWN])


def _wrong(text: str, parts: SplitResult, credentials: bool) -> str:
    if parts.scheme not in ("http", "https"):
        return "it does not begin with http:// or https://"
    if not text.isprintable() or any(map(str.isspace, text)):
        return "it holds a blank, or a sign that cannot be seen"
    if "@" in parts.netloc and not credentials:
        return "it carries a name or a password, which is to stay out of it"
    if not parts.hostname:
        return "it names no host"
    if not _is_host(parts.hostname, bracketed="[" in parts.netloc):
        return f"{parts.hostname[:_LONGEST_SHOWN]!r} cannot be a host"
    try:
        possible = parts.port != 0
    except ValueError:
        possible = False
    return "" if possible else "a port is a number from 1 to 65535"


def _is_host(host: str, *, bracketed: bool) -> bool:
    if bracketed or re.fullmatch(r"[\d.]+\.\d+", host):
        try:
            return (ip_address(host).version == 6) == bracketed
        except ValueError:
            return False
    labels = host.removesuffix(".").split(".")
    return len(host) <= _LONGEST_HOST and all(map(_LABEL.fullmatch, labels))
