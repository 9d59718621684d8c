"""A page read for finding tables: its words and picture with the letters upright, and what was left out of them."""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from scoring.table import Box
from store.page_layer import is_seen
from store.page_tables.grid import Sides
from store.page_tables.straighten import moved
from store.page_text import Word, page_text, placement

# The sharpness at which pages are looked at, and the largest side in pixels.
DPI = 200
LARGEST_SIDE = 4000


@dataclass(frozen=True)
class ReadPage:
    """One page. Words and picture are turned so that most letters stand upright; sides are points of that page.

    ``turn`` says by how many quarters clockwise the letters stand on the page as displayed, whose size in
    points ``displayed`` is; ``skew`` by how many degrees clockwise they still lay askew. ``picture`` has ``scale``
    pixels a point. ``read_by`` says in words who read the words, ``sure`` how sure it was of each, 0..1, and in which
    ``script`` they are; nothing of a text layer. ``smooth`` is the picture without its grain, None where it has none.
    """

    number: int
    displayed: tuple[float, float]
    turn: int
    words: tuple[Word, ...]
    picture: Any
    scale: float
    notes: tuple[str, ...]
    read_by: str = "the text layer"
    skew: float = 0.0
    sure: tuple[float, ...] = ()
    script: str = ""
    smooth: Any = None

    def box(self, sides: Sides) -> Box:
        """A rectangle of this page as a box on the page as displayed."""
        width, height = self.displayed
        upright = (height, width) if self.turn % 2 else (width, height)
        x0, y0, x1, y1 = _turned(moved(sides, self.skew, *upright), -self.turn % 4, *upright)
        return Box(self.number, x0 / width, y0 / height, x1 / width, y1 / height)

    def sides(self, box: Box) -> Sides:
        """A box on the page as displayed as a rectangle of this page."""
        width, height = self.displayed
        upright = (height, width) if self.turn % 2 else (width, height)
        points = box.x0 * width, box.y0 * height, box.x1 * width, box.y1 * height
        return moved(_turned(points, self.turn, width, height), -self.skew, *upright)


def read_page(pdf: Any, number: int) -> ReadPage:
    """Page ``number`` (from 1 on) of an open PDF whose forms are initialised.

    Words that nothing can be seen of are left out, and counted in the notes; the values of form fields, which
    are not in the text layer, are words, too.
    """
    page = pdf[number - 1]
    width, height = page.get_size()
    scale = min(DPI / 72, LARGEST_SIDE / max(width, height))
    # PDFium gives blue, green and red, perhaps with a fourth channel.
    picture = page.render(scale=scale, may_draw_forms=True, rev_byteorder=False).to_numpy()
    picture = np.repeat(picture, 3, axis=2) if picture.shape[2] == 1 else picture[:, :, :3]
    words = [
        replace(word, x0=word.x0 * width, y0=word.y0 * height, x1=word.x1 * width, y1=word.y1 * height)
        for word in page_text(page)
    ]
    seen = [word for word in words if is_seen(word, picture, scale)]
    notes = []
    if hidden := len(words) - len(seen):
        example = next(word.text for word in words if word not in seen)
        notes.append(
            f"{hidden} words of the text layer cannot be seen on the page and were left out, {example!r} first"
        )
    values = list(_field_values(pdf, page))
    if values:
        notes.append(f"{len(values)} values were taken from form fields")
    seen += values
    turns = Counter(word.turn for word in seen for _ in word.text)
    turn = turns.most_common(1)[0][0] if turns else 0
    if turn:
        notes.append(f"the text is turned by {90 * turn} degrees and was read as one who turns the page does")
    upright = tuple(_upright(word, turn, width, height) for word in seen)
    picture = np.ascontiguousarray(np.rot90(picture, turn))
    return ReadPage(number, (width, height), turn, upright, picture, scale, tuple(notes))


def _upright(word: Word, turn: int, width: float, height: float) -> Word:
    x0, y0, x1, y1 = _turned((word.x0, word.y0, word.x1, word.y1), turn, width, height)
    return replace(word, x0=x0, y0=y0, x1=x1, y1=y1, turn=(word.turn - turn) % 4)


def _turned(sides: Sides, quarters: int, width: float, height: float) -> Sides:
    """The rectangle after the page of this size was turned by so many quarters counter-clockwise."""
    x0, y0, x1, y1 = sides
    for _ in range(quarters):
        x0, y0, x1, y1 = y0, width - x1, y1, width - x0
        width, height = height, width
    return x0, y0, x1, y1


def _field_values(pdf: Any, page: Any) -> Iterator[Word]:
    """The text that each form field of the page holds, as one word in its rectangle."""
    import pypdfium2.raw as pdfium

    if pdf.formenv is None:
        return
    placed = placement(page)
    for index in range(pdfium.FPDFPage_GetAnnotCount(page)):
        annotation = pdfium.FPDFPage_GetAnnot(page, index)
        try:
            if pdfium.FPDFAnnot_GetSubtype(annotation) != pdfium.FPDF_ANNOT_WIDGET:
                continue
            kind = pdfium.FPDFAnnot_GetFormFieldType(pdf.formenv, annotation)
            text = _field_text(pdf.formenv, annotation)
            rectangle = pdfium.FS_RECTF()
            if kind in _TEXT_FIELDS and text and pdfium.FPDFAnnot_GetRect(annotation, ctypes.byref(rectangle)):
                x0, y0 = placed(rectangle.left, rectangle.top)
                x1, y1 = placed(rectangle.right, rectangle.bottom)
                yield Word(text, min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
        finally:
            pdfium.FPDFPage_CloseAnnot(annotation)


# FPDF_FORMFIELD_COMBOBOX, _LISTBOX and _TEXTFIELD: buttons and ticks show no text of their own.
_TEXT_FIELDS = (4, 5, 6)


def _field_text(form: Any, annotation: Any) -> str:
    import pypdfium2.raw as pdfium

    size = pdfium.FPDFAnnot_GetFormFieldValue(form, annotation, None, 0)
    held = ctypes.create_string_buffer(max(size, 2))
    pdfium.FPDFAnnot_GetFormFieldValue(form, annotation, ctypes.cast(held, ctypes.POINTER(ctypes.c_ushort)), size)
    return held.raw[:size].decode("utf-16-le", "replace").rstrip("\0").strip()
