"""Whether the words of a page's text layer can be seen on the page, and are no other reader's reading of a picture."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from typing import Any

from store.page_text import Word, placement

# The sharpness at which a page is looked at for this; the largest side in pixels.
_DPI, _LARGEST_SIDE = 100, 2000
# A word can be seen where the darkest and the lightest point of its box differ by this much of 255.
_LEAST_CONTRAST = 24
_MOST_NESTED = 15

Rectangle = tuple[float, float, float, float]


def is_seen(word: Word, picture: Any, scale: float) -> bool:
    """Whether anything differs from its ground inside the box of a word: it is neither white on white nor covered.

    The sides of the word are points; ``picture`` is an array with ``scale`` pixels a point.
    """
    top, bottom = max(0, int(word.y0 * scale) - 1), int(word.y1 * scale) + 2
    left, right = max(0, int(word.x0 * scale) - 1), int(word.x1 * scale) + 2
    piece = picture[top:bottom, left:right]
    return bool(piece.size and int(piece.max()) - int(piece.min()) >= _LEAST_CONTRAST)


def seen(page: Any, groups: Sequence[Sequence[Word]]) -> list[bool]:
    """For each group of words of a loaded PDFium page, whether they are printed on it; the caller holds the lock.

    They are not where one of them has nothing to see in its box, where it is written invisibly, or where a picture
    lies there: over or under a scan stands what some reader took it for.
    """
    if not groups:
        return []
    width, height = page.get_size()
    scale = min(_DPI / 72, _LARGEST_SIDE / max(width, height))
    picture = page.render(scale=scale, may_draw_forms=True, grayscale=True).to_numpy()
    apart = list(_not_printed(page))
    placed = [[_in_points(word, width, height) for word in group] for group in groups]
    return [
        all(is_seen(word, picture, scale) and not any(_meet(word, other) for other in apart) for word in group)
        for group in placed
    ]


def _in_points(word: Word, width: float, height: float) -> Word:
    return Word(word.text, word.x0 * width, word.y0 * height, word.x1 * width, word.y1 * height)


def _meet(word: Word, other: Rectangle) -> bool:
    x0, y0, x1, y1 = other
    return word.x0 < x1 and x0 < word.x1 and word.y0 < y1 and y0 < word.y1


def _not_printed(page: Any) -> Iterator[Rectangle]:
    """Where pictures and invisible texts lie on the page, in points as displayed; forms count as a whole."""
    import pypdfium2.raw as pdfium

    placed = placement(page)
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    sides = ctypes.byref(left), ctypes.byref(bottom), ctypes.byref(right), ctypes.byref(top)
    for index in range(pdfium.FPDFPage_CountObjects(page)):
        thing = pdfium.FPDFPage_GetObject(page, index)
        if _holds_such(thing, _MOST_NESTED) and pdfium.FPDFPageObj_GetBounds(thing, *sides):
            x0, y0 = placed(left.value, top.value)
            x1, y1 = placed(right.value, bottom.value)
            yield min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)


def _holds_such(thing: Any, deep: int) -> bool:
    import pypdfium2.raw as pdfium

    kind = pdfium.FPDFPageObj_GetType(thing)
    if kind == pdfium.FPDF_PAGEOBJ_TEXT:
        mode = pdfium.FPDFTextObj_GetTextRenderMode(thing)
        return mode in (pdfium.FPDF_TEXTRENDERMODE_INVISIBLE, pdfium.FPDF_TEXTRENDERMODE_CLIP)
    if kind == pdfium.FPDF_PAGEOBJ_FORM and deep:
        parts = range(pdfium.FPDFFormObj_CountObjects(thing))
        return any(_holds_such(pdfium.FPDFFormObj_GetObject(thing, part), deep - 1) for part in parts)
    return bool(kind == pdfium.FPDF_PAGEOBJ_IMAGE)
