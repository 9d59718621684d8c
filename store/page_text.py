"""The words of a PDF page from its text layer, in reading order, with their boxes as displayed."""

from __future__ import annotations

import ctypes
import math
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

# PDFium writes these for a hyphen at the end of a line.
_HYPHENS = {"\x02": "-", "\ufffe": "-"}
# Two characters of one word are never further apart than this share of their size.
_LARGEST_GAP = 0.8
# The same character drawn again nearer than this share of its size is fake bold, not another one.
_SAME_PLACE = 0.25
# Words of one line have their middles nearer than this share of the lower word's height.
_SAME_LINE = 0.5
# Words of one run stand nearer to each other than this share of their height; cells of a table stand further apart.
_WORD_SPACE = 0.8
_LEFTWARD, _RIGHTWARD = "leftward", "rightward"


@dataclass(frozen=True, slots=True)
class Word:
    """One word and its box: fractions 0..1 of the page as displayed, origin top left."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    turn: int = 0
    """By how many quarters its letters are turned clockwise."""


def page_text(page: Any) -> tuple[Word, ...]:
    """The words of a loaded PDFium page; the caller holds PDFium's lock.

    Right-to-left words are in logical order. Lines that run up, down or upside down are read as by one who
    turns the page; the direction of most words comes first. Words drawn twice count once; words off the page
    are left out; invisible text is kept, for that is what the text layer of a scan is.
    """
    width, height = page.get_size()
    textpage = page.get_textpage()
    try:
        words = _drawn_once(_joined(_characters(page, textpage)))
    finally:
        textpage.close()
    ordered = in_reading_order(
        [word for word in words if word.x1 > 0 < word.y1 and word.x0 < width and word.y0 < height]
    )
    return tuple(
        replace(word, x0=word.x0 / width, y0=word.y0 / height, x1=word.x1 / width, y1=word.y1 / height)
        for word in ordered
    )


# Inside this module boxes are in points as displayed, so that distances across and down compare.


def _characters(page: Any, textpage: Any) -> Iterator[Word | None]:
    """Each character with its box, None between words."""
    import pypdfium2.raw as pdfium

    placed = placement(page)
    turned = page.get_rotation() // 90
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
            # The angle is between 0 and two pi, clockwise.
            turn = (turned + round(pdfium.FPDFText_GetCharAngle(textpage, index) / (math.pi / 2))) % 4
            yield Word(text, min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1), turn)


def placement(page: Any) -> Callable[[float, float], tuple[float, float]]:
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
        if character is not None and not (run and _is_drawn_again(character, run)):
            run.append(character)
    if run:
        yield _word(run)


def _is_drawn_again(character: Word, run: Sequence[Word]) -> bool:
    # The letters of a ligature share the box of its one glyph: "ff" is then not an f drawn twice.
    for other in run[-3:]:
        if other.text == character.text and _same(character, other):
            return _box(character) != _box(run[-1])
    return False


def _word(run: Sequence[Word]) -> Word:
    # A character outside the basic plane may come as two halves.
    text = "".join(character.text for character in run).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return Word(
        text,
        min(character.x0 for character in run),
        min(character.y0 for character in run),
        max(character.x1 for character in run),
        max(character.y1 for character in run),
        run[0].turn,
    )


def _box(word: Word) -> tuple[float, ...]:
    return word.x0, word.y0, word.x1, word.y1, word.turn


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


def in_reading_order(words: Sequence[Word]) -> list[Word]:
    """The words line by line, runs of the other direction turned round; boxes in one unit across and down."""
    turns = Counter(word.turn for word in words)
    return [
        words[index]
        for turn, _ in sorted(turns.items(), key=lambda item: (-item[1], item[0]))
        for index in _read_upright(
            {index: _upright(word) for index, word in enumerate(words) if word.turn == turn},
        )
    ]


def _upright(word: Word) -> Word:
    """The word on a page that was turned so that its letters stand upright; the origin is another one then."""
    match word.turn:
        case 1:
            return replace(word, x0=word.y0, y0=-word.x1, x1=word.y1, y1=-word.x0)
        case 2:
            return replace(word, x0=-word.x1, y0=-word.y1, x1=-word.x0, y1=-word.y0)
        case 3:
            return replace(word, x0=-word.y1, y0=word.x0, x1=-word.y0, y1=word.x1)
        case _:
            return word


def _read_upright(words: Mapping[int, Word]) -> list[int]:
    """Line by line from the top; a line that is mostly right-to-left letters runs from the right."""
    lines: list[list[int]] = []
    for index in sorted(words, key=lambda index: (words[index].y0 + words[index].y1, words[index].x0)):
        if lines and _in_line(words[index], words[lines[-1][-1]]):
            lines[-1].append(index)
        else:
            lines.append([index])
    return [index for line in lines for index in _in_logical_order(line, words)]


def _in_logical_order(line: Sequence[int], words: Mapping[int, Word]) -> list[int]:
    """The words of a line as they are spoken: words of the other direction that stand close together form a run."""
    letters = Counter(letter for index in line for letter in map(_direction, words[index].text))
    backwards = letters[_LEFTWARD] > letters[_RIGHTWARD]
    other = _RIGHTWARD if backwards else _LEFTWARD
    ordered: list[int] = []
    run: list[int] = []
    # A run of the other direction is met from its end, so it is turned round; digits after its first word belong to it.
    for index in sorted(line, key=lambda index: words[index].x0, reverse=backwards):
        ways = {_direction(letter) for letter in words[index].text}
        leads = other in ways
        follows = backwards and not ways & {_RIGHTWARD, _LEFTWARD}
        if run and not ((leads or follows) and _gap(words[run[-1]], words[index]) < _WORD_SPACE):
            ordered += _turned_round(run, words, other)
            run = []
        if leads or follows:
            run.append(index)
        else:
            ordered.append(index)
    return ordered + _turned_round(run, words, other)


def _turned_round(run: Sequence[int], words: Mapping[int, Word], other: str) -> list[int]:
    """A run in its own direction, from the word that begins it; digits before that belong to the line."""
    leads = [place for place, index in enumerate(run) if other in map(_direction, words[index].text)]
    if not leads:
        return list(run)
    return [*reversed(run[: leads[-1] + 1]), *run[leads[-1] + 1 :]]


def _direction(letter: str) -> str:
    way = unicodedata.bidirectional(letter)
    return _LEFTWARD if way in ("R", "AL") else _RIGHTWARD if way == "L" else ""


def _gap(one: Word, other: Word) -> float:
    return (max(one.x0, other.x0) - min(one.x1, other.x1)) / max(one.y1 - one.y0, other.y1 - other.y0)


def _in_line(word: Word, last: Word) -> bool:
    lower = min(word.y1 - word.y0, last.y1 - last.y0)
    return abs((word.y0 + word.y1) - (last.y0 + last.y1)) / 2 < _SAME_LINE * lower
