"""A scan put straight and without grain: by how little it is askew, and where points of it were before."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from PIL import Image, ImageFilter

from store.page_tables.grid import Sides

# Scans are askew by less than this many degrees; what is less than the least cannot be told.
_MOST, _LEAST = 6.0, 0.1
_COARSE, _FINE = 0.5, 0.05
# The angle is looked for on a picture of this width: wide enough for lines of text, small enough to be quick.
_WIDTH = 1000
# Ink is darker than its page by this much of 255.
_INK = 60
# Half of the points of a grainy page differ from their neighbours by this much of 255 or more; of others by nothing.
_GRAIN = 1


def skew(picture: Any) -> float:
    """By how many degrees the lines of a picture (rows x columns x 3 bytes) run downward; 0.0 where none can be told.

    The angle under which the rows of ink are told apart best: the sum of squared differences of their sums.
    """
    grey = Image.fromarray(picture).convert("L")
    ratio = min(1.0, _WIDTH / grey.width)
    small = np.asarray(
        grey.resize((max(1, int(grey.width * ratio)), max(1, int(grey.height * ratio))), Image.Resampling.BOX)
    )
    rows, cols = np.nonzero(small < np.median(small) - _INK)
    if len(rows) < _WIDTH or len(rows) > small.size / 2:
        return 0.0
    cols = cols - small.shape[1] / 2

    def sharpness(angle: float) -> float:
        lines = np.round(rows - cols * math.tan(math.radians(angle))).astype(int)
        sums = np.bincount(lines - lines.min()).astype(float)
        return float(np.square(np.diff(sums)).sum())

    best = max(np.arange(-_MOST, _MOST + _COARSE, _COARSE).tolist(), key=sharpness)
    best = max(np.arange(best - _COARSE, best + _COARSE + _FINE, _FINE).tolist(), key=sharpness)
    return round(best, 2) if _LEAST <= abs(best) < _MOST else 0.0


def straightened(picture: Any, degrees: float) -> Any:
    """The picture turned back round its middle, at the same size, its corners filled with the colour of the page."""
    if not degrees:
        return picture
    ground = tuple(int(channel) for channel in np.median(picture[::16, ::16], axis=(0, 1)))
    turned = Image.fromarray(picture).rotate(degrees, Image.Resampling.BICUBIC, fillcolor=ground)
    return np.ascontiguousarray(np.asarray(turned))


def moved(sides: Sides, degrees: float, width: float, height: float) -> Sides:
    """A rectangle whose middle is turned clockwise by these degrees round that of a page of this size.

    Its width and height stay: text that is a little askew fills no larger box.
    """
    if not degrees:
        return sides
    x0, y0, x1, y1 = sides
    across, down = (x0 + x1 - width) / 2, (y0 + y1 - height) / 2
    turn = math.radians(degrees)
    by_x = across * math.cos(turn) - down * math.sin(turn) - across
    by_y = across * math.sin(turn) + down * math.cos(turn) - down
    return x0 + by_x, y0 + by_y, x1 + by_x, y1 + by_y


def denoised(picture: Any) -> Any:
    """The picture without the grain of a bad scan; None where it has none."""
    grey = Image.fromarray(picture).convert("L")
    smooth = np.asarray(grey.filter(ImageFilter.MedianFilter(3)), np.int16)
    # Most of a page is ground: what is left there when smoothed off is grain.
    grain = np.median(np.abs(np.asarray(grey, np.int16) - smooth))
    if grain < _GRAIN:
        return None
    return np.ascontiguousarray(np.asarray(Image.fromarray(picture).filter(ImageFilter.MedianFilter(3))))
