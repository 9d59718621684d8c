"""The words of a PDF page from its text layer, in reading order, with their boxes as displayed."""

from __future__ import annotations

import ctypes
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

# PDFium writes these for a hyphen at the end of a line.
_HYPHENS = {"\x02": "-", "\ufffe": "-"}
# Two characters of one word are never further apart than this share of their size.
_LARGEST_GAP = 0.8
# The same character drawn again nearer than this share of its size is fake bold, not another one.
_SAME_PLACE = 0.25
# Words of one line have their middles nearer than this share of the lower word's height.
_SAME_LINE = 0.5


@dataclass(frozen=True, slots=True)
class Word:
    """One word and its box: fractions 0..1 of the page as displayed, origin top left."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float


def page_text(page: Any) -> tuple[Word, ...]:
    """The words of a loaded PDFium page; the caller holds PDFium's lock.

    Right-to-left words are in logical order. Words drawn twice count once; words off the page are
    left out; invisible text is kept, for that is what the text layer of a scan is.
    """
    width, height = page.get_size()
    textpage = page.get_textpage()
    try:
        words = _drawn_once(_joined(_characters(page, textpage)))
    finally:
        textpage.close()
    ordered = _in_reading_order(
        [word for word in words if word.x1 > 0 < word.y1 and word.x0 < width and word.y0 < height]
    )
    return tuple(
        Word(word.text, word.x0 / width, word.y0 / height, word.x1 / width, word.y1 / height) for word in ordered
    )


# Inside this module boxes are in points as displayed, so that distances across and down compare.


def _characters(page: Any, textpage: Any) -> Iterator[Word | None]:
    """Each character with its box, None between words."""
    import pypdfium2.raw as pdfium

    placed = _placement(page)
    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    sides = ctypes.byref(left), ctypes.byref(right), ctypes.byref(bottom), ctypes.byref(top)
    for index in range(textpage.count_chars()):
        code = pdfium.FPDFText_GetUnicode(textpage, index)
        text = _HYPHENS.get(chr(code), chr(code))
        if text.isspace() or unicodedata.category(text) == "Cc":
            yield None
        elif pdfium.FPDFText_GetCharBox(textpage, index, *sides):
            x0, y0 = placed(left.value, top.value)
            x1, y1 = placed(right.value, bottom.value)
            yield Word(text, min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))


def _placement(page: Any) -> Callable[[float, float], tuple[float, float]]:
    """From PDF user space to the page as displayed: crop box, rotation and all.

    PDFium's own mapping is asked for three points; it is affine, so that all others follow.
    """
    import pypdfium2.raw as pdfium

    width, height = page.get_size()
    # The mapping gives whole numbers: a frame this large makes them exact to a millionth of the page.
    frame, step = 1_000_000, max(width, height)

    def mapped(x: float, y: float) -> tuple[float, float]:
        across, down = ctypes.c_int(), ctypes.c_int()
        pdfium.FPDF_PageToDevice(page, 0, 0, frame, frame, 0, x, y, ctypes.byref(across), ctypes.byref(down))
        return across.value * width / frame, down.value * height / frame

    (ox, oy), (ax, ay), (bx, by) = mapped(0, 0), mapped(step, 0), mapped(0, step)
    ux, uy, vx, vy = (ax - ox) / step, (ay - oy) / step, (bx - ox) / step, (by - oy) / step
    return lambda x, y: (ox + x * ux + y * vx, oy + x * uy + y * vy)


def _joined(characters: Iterable[Word | None]) -> Iterator[Word]:
    run: list[Word] = []
    for character in characters:
        if character is None or (run and _apart(run[-1], character)):
            if run:
                yield _word(run)
            run = []
        if character is not None and not any(_same(character, other) for other in run[-3:]):
            run.append(character)
    if run:
        yield _word(run)


def _word(run: Sequence[Word]) -> Word:
    # A character outside the basic plane may come as two halves.
    text = "".join(character.text for character in run).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return Word(
        text,
        min(character.x0 for character in run),
        min(character.y0 for character in run),
        max(character.x1 for character in run),
        max(character.y1 for character in run),
    )


def _size(word: Word) -> float:
    return max(word.x1 - word.x0, word.y1 - word.y0)


def _apart(one: Word, other: Word) -> bool:
    across = max(one.x0, other.x0) - min(one.x1, other.x1)
    down = max(one.y0, other.y0) - min(one.y1, other.y1)
    allowed = _LARGEST_GAP * max(_size(one), _size(other))
    return across > allowed or down > allowed or (across > 0 and down > 0)


def _same(one: Word, other: Word) -> bool:
    near = _SAME_PLACE * min(_size(one), _size(other))
    return one.text == other.text and abs(one.x0 - other.x0) < near and abs(one.y0 - other.y0) < near


def _drawn_once(words: Iterable[Word]) -> list[Word]:
    kept: dict[str, list[Word]] = {}
    once = []
    for word in words:
        alike = kept.setdefault(word.text, [])
        height = min(word.x1 - word.x0, word.y1 - word.y0) * _SAME_PLACE
        if any(abs(word.x0 - other.x0) < height and abs(word.y0 - other.y0) < height for other in alike):
            continue
        alike.append(word)
        once.append(word)
    return once


def _in_reading_order(words: Sequence[Word]) -> list[Word]:
    """Line by line from the top; a line that is mostly right-to-left letters runs from the right."""
    lines: list[list[Word]] = []
    for word in sorted(words, key=lambda word: (word.y0 + word.y1, word.x0)):
        if lines and _in_line(word, lines[-1][-1]):
            lines[-1].append(word)
        else:
            lines.append([word])
    ordered = []
    for line in lines:
        directions = [unicodedata.bidirectional(letter) for word in line for letter in word.text]
        leftward = sum(direction in ("R", "AL") for direction in directions)
        backwards = leftward > directions.count("L")
        line.sort(key=lambda word: word.x0)
        ordered += sorted(line, key=lambda word: -word.x1) if backwards else line
    return ordered


def _in_line(word: Word, last: Word) -> bool:
    lower = min(word.y1 - word.y0, last.y1 - last.y0)
    return abs((word.y0 + word.y1) - (last.y0 + last.y1)) / 2 < _SAME_LINE * lower
