"""What kind of page it is: whether its text can be taken from the text layer, or has to be read from the picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

PageKind = Literal["digital", "mixed", "garbled", "scan with text layer", "scan", "blank"]

# The thresholds were tried on 238 digital pages of ICDAR 2013, 74 other digital pages and 68 raster scans: one error,
# a cover photo with 14 letters. A share of the text layer's characters that mean nothing:
_GARBLED = 0.15
# Shares of the page that one picture covers: most of it, all of it, next to nothing.
_LARGE, _FULL, _SPECK = 0.5, 0.9, 0.05
# The share of the text that cannot be seen because it is invisible or lies under a picture.
_HIDDEN = 0.8
# A page with so few letters beside a large picture is a scan with a stamp or a page number.
_FEW_LETTERS = 100
# Letters may be drawn as outlines: so few characters among so many paths.
_NO_LETTERS, _MANY_PATHS, _FEW_PATHS = 10, 200, 3


@dataclass(frozen=True)
class PageFacts:
    """What PDFium tells of a page, counted.

    ``characters`` of the text layer without white space; ``garbled`` the share of them that mean nothing;
    ``picture`` the share of the page that its largest picture covers; ``hidden`` the share of text that is invisible
    or lies under a picture of the whole page; ``paths`` the number of lines and shapes; ``pixels_per_inch`` how sharp
    the largest picture is, 0 where there is none.
    """

    characters: int = 0
    garbled: float = 0.0
    picture: float = 0.0
    hidden: float = 0.0
    paths: int = 0
    pixels_per_inch: float = 0.0


def page_kind(facts: PageFacts) -> PageKind:
    """The kind of a page with these facts."""
    if not facts.characters and facts.picture < _SPECK and facts.paths < _FEW_PATHS:
        return "blank"
    if facts.characters and facts.garbled > _GARBLED:
        return "garbled"
    if facts.picture >= _LARGE:
        if facts.characters and facts.hidden > _HIDDEN:
            return "scan with text layer"
        return "scan" if facts.characters < _FEW_LETTERS else "mixed"
    if facts.characters < _NO_LETTERS and (facts.picture >= _SPECK or facts.paths > _MANY_PATHS):
        return "scan"
    return "digital"


def needs_ocr(kind: PageKind) -> str:
    """Why the text layer of such a page is not to be used, in words; "" where it is, or where nothing is to be read."""
    return {
        "scan": "is a picture without readable text",
        "garbled": "has a text layer that is garbled",
    }.get(kind, "")
