"""Text normalisations, small named functions, and the similarity of two texts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from types import MappingProxyType

from rapidfuzz.distance import Levenshtein

# Characters that a reader does not see: soft hyphen, zero-width space and joiners, bidi marks, BOM.
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u061c\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"))
_INVISIBLE |= dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A)])
_SPACES = re.compile(r"\s+")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d"), "-")
_APOSTROPHES = dict.fromkeys(map(ord, "\u2018\u2019\u02bc\u2032"), "'")
# U+FF01..FF5E are the full-width forms of ASCII 21..7E.
_FULL_WIDTH = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)} | {0xFFE5: "¥", 0xFFE1: "£", 0xFFE0: "¢"}


def exact(text: str) -> str:
    """The text as it is."""
    return text


def visible(text: str) -> str:
    """The text without invisible characters, in NFC; the rest is kept, ligatures and superscripts too."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", text.translate(_INVISIBLE))


def whitespace(text: str) -> str:
    """The visible text, each run of white space one space, none at the ends."""
    return _SPACES.sub(" ", visible(text)).strip()


def fold(text: str) -> str:
    """A name for comparison: case, white space and underscores do not count."""
    return whitespace(whitespace(text).casefold().replace("_", " "))


def western_digits(text: str) -> str:
    """The text with the decimal digits of every script as 0 to 9; superscripts and fractions stay."""
    if text.isascii():
        return text
    return _NOT_ASCII.sub(lambda found: str(unicodedata.decimal(found[0], found[0])), text)


def plain_marks(text: str) -> str:
    """The text with one dash, one apostrophe, one space and no full-width forms, digits 0 to 9.

    Used to read numbers and dates, never to change what is shown or kept. It is not NFKC,
    which would turn the footnote of ``1,234¹`` into a digit.
    """
    if text.isascii():
        return text
    text = western_digits(visible(text)).translate(_DASHES).translate(_APOSTROPHES).translate(_FULL_WIDTH)
    return "".join(" " if unicodedata.category(letter) == "Zs" else letter for letter in text)


PROFILES: Mapping[str, Callable[[str], str]] = MappingProxyType({"exact": exact, "whitespace": whitespace})


def similarity(one: str, other: str) -> float:
    """Normalised Levenshtein similarity 0..1: ``1 - distance / max(length)``; 1 for two empty texts.

    Lengths and edits count code points. By this definition "0,001" and "0,01" are 1/5 = 0.2 apart
    (one deletion, five characters); an article that prints 0.25 for them divides by the shorter.
    """
    return Levenshtein.normalized_similarity(one, other)
