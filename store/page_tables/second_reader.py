"""A second reader of single lines of text, which knows nothing of tesseract: the recogniser of PP-OCRv6 (small)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from PIL import Image

from store.page_tables.models import RECOGNISER, session

NAME = "PP-OCRv6"
# The height of the pictures that the model takes, and the widest one: a longer line gets narrower letters.
_HIGH, _WIDEST = 48, 1600
# Scripts that it was trained on, as tesseract names them; of others it reads shapes that look like letters.
SCRIPTS = ("Latin", "Greek", "Han", "Japanese")


def readings(lines: Sequence[Any]) -> list[tuple[str, float]]:
    """The text of each picture of one line (rows x columns x 3 bytes), and the mean certainty of its letters, 0..1."""
    return [_reading(line) for line in lines]


@cache
def _letters() -> tuple[str, ...]:
    """What the outputs of the model stand for; the first one for nothing."""
    return "", *session(RECOGNISER).get_modelmeta().custom_metadata_map["character"].splitlines(), " "


def _reading(line: Any) -> tuple[str, float]:
    high, wide = line.shape[:2]
    if not high or not wide:
        return "", 0.0
    model = session(RECOGNISER)
    letters = _letters()
    size = min(_WIDEST, max(_HIGH // 2, math.ceil(_HIGH * wide / high)))
    small = np.asarray(Image.fromarray(line).resize((size, _HIGH), Image.Resampling.BILINEAR), np.float32)
    # The model was trained on blue, green and red between -1 and 1.
    given = np.ascontiguousarray(small[:, :, ::-1].transpose(2, 0, 1)[None] / 127.5 - 1, np.float32)
    chances = model.run(None, {model.get_inputs()[0].name: given})[0][0]
    best = chances.argmax(axis=1)
    # A letter goes on as long as it is the best one; nothing between two parts equal letters (CTC).
    kept = [at for at, letter in enumerate(best) if letter and (at == 0 or best[at - 1] != letter)]
    text = "".join(letters[best[at]] for at in kept).strip()
    return text, float(np.mean([chances[at, best[at]] for at in kept])) if kept else 0.0
