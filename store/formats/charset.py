"""Bytes to text: byte order marks, UTF-8, UTF-16, then a guess that is always told."""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from functools import lru_cache

from charset_normalizer import from_bytes

from store.formats.contract import FormatError

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# A text in a Latin script has few letters beyond ASCII; from this share on it is another script.
_SHARE_OF_ANOTHER_SCRIPT = 0.4
# Fewer bytes than this fit too many character sets for a guess to be worth more than the usual one.
_ENOUGH_TO_TELL = 8


# Each format is asked whether a file is its own, and guessing takes long: the file in hand and its head are kept.
@lru_cache(maxsize=2)
def decode(raw: bytes, *, declared: str = "") -> tuple[str, tuple[str, ...]]:
    """The text without its byte order mark, and a note where the character set had to be guessed.

    ``declared`` is a character set that the file itself names; it is tried after UTF-8, since
    UTF-8 does not decode by accident. Raises FormatError naming the line of the first bad byte.
    """
    for mark, charset in _MARKS:
        if raw.startswith(mark):
            return _strictly(raw[len(mark) :], charset), ()
    if charset := _wide(raw):
        return _strictly(raw, charset), (f"no byte order mark: read as {charset.upper()}",)
    try:
        return raw.decode("utf-8"), ()
    except UnicodeDecodeError as wrong:
        if wrong.reason == "unexpected end of data" and wrong.start >= len(raw) - 3:
            text = raw[: wrong.start].decode("utf-8")
            return text, ("the file ends inside a character: it may be cut off",)
    if declared:
        try:
            return raw.decode(declared), ()
        except (LookupError, UnicodeDecodeError):
            pass  # a wrong declaration is no better than none
    return _guessed(raw)


def _strictly(raw: bytes, charset: str) -> str:
    try:
        return raw.decode(charset)
    except UnicodeDecodeError as wrong:
        line = raw[: wrong.start].decode(charset, errors="replace").count("\n") + 1
        raise FormatError(
            f"line {line}: byte {wrong.start} is not {charset.upper()}, as which the file begins; "
            "save it again as UTF-8"
        ) from None


def _wide(raw: bytes) -> str:
    """The kind of UTF-16 without a mark, told by zero bytes at every second place; "" for none."""
    head = raw[:2000]
    if len(head) < 4 or len(raw) % 2:
        return ""
    even, odd = head[0::2].count(0), head[1::2].count(0)
    half = len(head) // 2
    if odd > half * 0.4 and even < half * 0.1:
        return "utf-16-le"
    if even > half * 0.4 and odd < half * 0.1:
        return "utf-16-be"
    return ""


def _guessed(raw: bytes) -> tuple[str, tuple[str, ...]]:
    beyond = sum(byte >= 0x80 for byte in raw)
    letters = beyond + sum(chr(byte).isalpha() for byte in raw if byte < 0x80)
    order: Sequence[str] = ("windows-1252",)
    if beyond >= _ENOUGH_TO_TELL and beyond / letters >= _SHARE_OF_ANOTHER_SCRIPT:
        best = from_bytes(raw).best()
        order = (*(() if best is None else (best.encoding,)), "windows-1252")
    for charset in order:
        try:
            text = raw.decode(charset)
        except UnicodeDecodeError:
            continue
        line = 1 + next(number for number, part in enumerate(raw.split(b"\n")) if not part.isascii())
        return text, (f"not UTF-8 (line {line}): read as {charset}, which is a guess",)
    best = from_bytes(raw).best()
    if best is None:
        raise FormatError("no known character set fits the bytes; save the file as UTF-8")
    return str(best), (f"not UTF-8: read as {best.encoding}, which is a guess",)
