"""A page read from its picture: put upright and straight, and its words told by tesseract."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from store.page_tables import tesseract
from store.page_tables.page import LARGEST_SIDE, ReadPage
from store.page_tables.page_kind import PageFacts
from store.page_tables.straighten import denoised, skew, straightened
from store.page_tables.tesseract import Seen
from store.page_text import Word, in_reading_order
from store.pages import drawn

# Pixels per inch: what is less sharp is made larger, what is sharper is looked at like this.
_LEAST_DPI, _MOST_DPI = 200, 300
# The longer side of a picture that does not tell its size is taken for that of A4, in points.
_LONG_SIDE = 842.0
# How sharp a picture may say that it is.
_BELIEVED_DPI = (96.0, 600.0)
# What rules of a table look like to tesseract.
_RULES = frozenset("|¦‖_")


def read_scan(file: Path, number: int, facts: PageFacts, languages: Sequence[str], seconds: float) -> ReadPage:
    """Page ``number`` (from 1 on) of a PDF or an image, read in ``languages``, or in those that fit its script.

    ``seconds`` is what each call of tesseract may take. Raises OcrError, and DocumentError where it cannot be drawn.
    """
    wanted = round(min(max(facts.pixels_per_inch, _LEAST_DPI), _MOST_DPI))
    image = drawn(file, number, wanted)
    own_dpi = wanted if facts.pixels_per_inch else _own_dpi(image)
    width, height = image.width * 72 / own_dpi, image.height * 72 / own_dpi
    picture, scale = _scaled(image, own_dpi)
    turn, script = tesseract.turn_and_script(picture, scale * 72, seconds)
    picture = np.ascontiguousarray(np.rot90(picture, turn))
    askew = skew(picture)
    picture = straightened(picture, askew)
    script, fitting = tesseract.fitting_languages(script)
    asked = tuple(languages) or fitting
    seen = [word for word in tesseract.seen_words(picture, scale * 72, seconds, asked) if set(word.text) - _RULES]
    words, sure = _ordered(seen, scale)
    notes = []
    if turn:
        notes.append(f"the letters are turned by {90 * turn} degrees and were read as one who turns the page does")
    if askew:
        notes.append(f"the page is askew by {askew:g} degrees and was put straight")
    read_by = f"tesseract {tesseract.version()} ({', '.join(asked)})"
    size = width, height
    smooth = denoised(picture)
    return ReadPage(number, size, turn, words, picture, scale, tuple(notes), read_by, askew, sure, script, smooth)


def _own_dpi(image: Image.Image) -> float:
    """The pixels per inch that an image tells, or else those at which it has the size of A4."""
    told = image.info.get("dpi", (0, 0))[0]
    guess = max(image.size) * 72 / _LONG_SIDE
    least, most = _BELIEVED_DPI
    return float(told) if least <= told <= most else min(max(guess, least), most)


def _scaled(image: Image.Image, dpi: float) -> tuple[Any, float]:
    """The picture between the least and the most sharpness, and its pixels a point."""
    ratio = min(max(dpi, _LEAST_DPI), _MOST_DPI) / dpi
    ratio = min(ratio, LARGEST_SIDE / max(image.size))
    rgb = image.convert("RGB")
    if abs(ratio - 1) > 0.01:
        size = max(1, round(image.width * ratio)), max(1, round(image.height * ratio))
        rgb = rgb.resize(size, Image.Resampling.BICUBIC)
    return np.asarray(rgb), rgb.width / image.width * dpi / 72


def _ordered(seen: Sequence[Seen], scale: float) -> tuple[tuple[Word, ...], tuple[float, ...]]:
    """The words in reading order, in points, and how sure the reader was of each."""
    words = [Word(one.text, one.x0 / scale, one.y0 / scale, one.x1 / scale, one.y1 / scale) for one in seen]
    sure = {word: one.confidence for word, one in zip(words, seen, strict=True)}
    ordered = tuple(in_reading_order(words))
    return ordered, tuple(sure[word] for word in ordered)
