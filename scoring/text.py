"""Text normalisations, small named functions, and the similarity of two texts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from rapidfuzz.distance import Levenshtein

from scoring.characters import APOSTROPHES, DASHES, FULL_WIDTH, INVISIBLE
from scoring.reading import notation

_SPACES = re.compile(r"\s+")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")


def exact(text: str) -> str:
    """The text as it is."""
    return text


def visible(text: str) -> str:
    """The text without invisible characters, in NFC; the rest is kept, ligatures and superscripts too."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", text.translate(INVISIBLE))


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
    text = western_digits(visible(text)).translate(DASHES).translate(APOSTROPHES).translate(FULL_WIDTH)
    return "".join(" " if unicodedata.category(letter) == "Zs" else letter for letter in text)


@dataclass(frozen=True, slots=True)
class Profile:
    """A normalisation by its name and version; a change of its results raises the version.

    Called with a text it returns the normalised text. ``label`` ("math/1") is for the signature of a score.
    """

    name: str
    version: int
    normalise: Callable[[str], str]

    @property
    def label(self) -> str:
        """The name and the version, such as "math/1"."""
        return f"{self.name}/{self.version}"

    def __call__(self, text: str) -> str:
        """The normalised text."""
        return self.normalise(text)


PROFILES: Mapping[str, Profile] = MappingProxyType(
    {
        profile.name: profile
        for profile in (
            Profile("exact", 1, exact),
            Profile("whitespace", 1, whitespace),
            Profile("unicode", 1, notation.unicode),
            Profile("math", 1, notation.math),
        )
    }
)


def similarity(one: str, other: str) -> float:
    """Normalised Levenshtein similarity 0..1: ``1 - distance / max(length)``; 1 for two empty texts.

    Lengths and edits count code points. By this definition "0,001" and "0,01" are 1/5 = 0.2 apart
    (one deletion, five characters); an article that prints 0.25 for them divides by the shorter.
    """
    return Levenshtein.normalized_similarity(one, other)
