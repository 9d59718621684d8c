"""What PDFium tells of a page that its kind follows from: text, pictures, what is hidden."""

from __future__ import annotations

import unicodedata
from typing import Any

from store.page_tables.page_kind import PageFacts

# More objects than these are not looked at: by then it is known what the page is made of.
_MOST_OBJECTS = 20_000
_MOST_CHARACTERS = 5_000
_COVERS = 0.9
_MEANINGLESS = ("Co", "Cn", "Cs")


def page_facts(page: Any) -> PageFacts:
    """The facts of a loaded PDFium page; the caller holds PDFium's lock."""
    characters, garbled = _characters(page)
    left, bottom, right, top = page.get_bbox()
    area = max(right - left, 1e-6) * max(top - bottom, 1e-6)
    largest = density = 0.0
    texts = covered = paths = 0
    hidden = 0.0
    for kind, bounds, mark in _objects(page):
        if kind == "text":
            texts += 1
            hidden += mark
        elif kind == "path":
            paths += 1
        elif kind == "picture":
            x0, y0, x1, y1 = bounds
            share = max(0.0, min(x1, right) - max(x0, left)) * max(0.0, min(y1, top) - max(y0, bottom)) / area
            if share > largest:
                largest, density = share, mark / max((x1 - x0) / 72, 1e-6)
            if share >= _COVERS:
                # What was drawn before a picture of the whole page lies under it.
                covered = texts
    share_hidden = max(hidden, covered) / texts if texts else 0.0
    return PageFacts(characters, garbled, largest, share_hidden, paths, density)


def _characters(page: Any) -> tuple[int, float]:
    """How many characters the text layer has, and the share of those looked at that mean nothing."""
    import pypdfium2.raw as pdfium

    textpage = page.get_textpage()
    try:
        count = looked_at = meaningless = 0
        every = textpage.count_chars()
        for index in range(min(every, _MOST_CHARACTERS)):
            letter = chr(pdfium.FPDFText_GetUnicode(textpage, index))
            if letter.isspace() or letter in "\x02\ufffe":  # a hyphen at the end of a line
                continue
            looked_at += 1
            count += 1
            meaningless += (
                letter == "\ufffd"
                or unicodedata.category(letter) in _MEANINGLESS
                or (unicodedata.category(letter) == "Cc")
                or pdfium.FPDFText_HasUnicodeMapError(textpage, index) == 1
            )
        return count + max(0, every - _MOST_CHARACTERS), meaningless / looked_at if looked_at else 0.0
    finally:
        textpage.close()


def _objects(page: Any) -> list[tuple[str, tuple[float, float, float, float], float]]:
    """Texts (1 where invisible), paths, and pictures with their width in pixels, in the order of drawing."""
    import pypdfium2
    import pypdfium2.raw as pdfium

    found = []
    for number, thing in enumerate(page.get_objects(max_depth=4)):
        if number >= _MOST_OBJECTS:
            break
        nowhere = (0.0, 0.0, 0.0, 0.0)
        if thing.type == pdfium.FPDF_PAGEOBJ_TEXT:
            mode = pdfium.FPDFTextObj_GetTextRenderMode(thing)
            found.append(("text", nowhere, float(mode == pdfium.FPDF_TEXTRENDERMODE_INVISIBLE)))
        elif thing.type in (pdfium.FPDF_PAGEOBJ_PATH, pdfium.FPDF_PAGEOBJ_SHADING):
            found.append(("path", nowhere, 0.0))
        elif thing.type == pdfium.FPDF_PAGEOBJ_IMAGE:
            try:
                found.append(("picture", tuple(thing.get_bounds()), float(thing.get_px_size()[0])))
            except pypdfium2.PdfiumError:
                continue
    return found
