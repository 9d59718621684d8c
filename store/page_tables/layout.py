"""Where tables lie on the picture of a page, by a small layout model (PicoDet trained on CDLA)."""

from __future__ import annotations

from typing import Any

import numpy as np
from PIL import Image

from store.page_tables.grid import Sides, area, common_area
from store.page_tables.models import LAYOUT, session

# The model takes pictures of this size; its labels number the tables 4.
_HIGH, _WIDE = 800, 608
_TABLE = 4
_STRIDES = (8, 16, 32, 64)
# Means and deviations of the three channels, as the model was trained.
MEAN, DEVIATION = np.array([0.485, 0.456, 0.406], np.float32), np.array([0.229, 0.224, 0.225], np.float32)
LEAST_SCORE = 0.3
_SAME = 0.5


def table_regions(picture: Any) -> list[tuple[Sides, float]]:
    """Pixel boxes of tables on a picture and their scores 0..1, the surest first."""
    high, wide = picture.shape[:2]
    outputs = session(LAYOUT).run(None, {"image": model_input(resized(picture, _WIDE, _HIGH))[None]})
    found: list[tuple[Sides, float]] = []
    for stride, scores, offsets in zip(_STRIDES, outputs[:4], outputs[4:], strict=True):
        rows, cols = np.mgrid[0 : -(-_HIGH // stride), 0 : -(-_WIDE // stride)]
        centres = (np.stack([cols.ravel(), rows.ravel()], axis=1) + 0.5) * stride
        sure = scores[0][:, _TABLE]
        for at in np.flatnonzero(sure > LEAST_SCORE):
            left, top, right, bottom = _distances(offsets[0][at]) * stride
            x, y = centres[at]
            box = np.clip([x - left, y - top, x + right, y + bottom], 0, [_WIDE, _HIGH, _WIDE, _HIGH])
            x0, y0, x1, y1 = (box * [wide / _WIDE, high / _HIGH, wide / _WIDE, high / _HIGH]).tolist()
            found.append(((x0, y0, x1, y1), float(sure[at])))
    return apart(found)


def _distances(bins: Any) -> Any:
    """The four distances from the centre, each the mean of a distribution over eight bins."""
    weights = np.exp(bins.reshape(4, -1) - bins.reshape(4, -1).max(axis=1, keepdims=True))
    return weights @ np.arange(weights.shape[1]) / weights.sum(axis=1)


def apart(found: list[tuple[Sides, float]]) -> list[tuple[Sides, float]]:
    """The surest first, without boxes that mostly cover a surer one, or lie within it."""
    kept: list[tuple[Sides, float]] = []
    for box, score in sorted(found, key=lambda entry: -entry[1]):
        for other, _ in kept:
            common = common_area(box, other)
            if common > _SAME * (area(box) + area(other) - common) or common > 0.8 * min(area(box), area(other)):
                break
        else:
            kept.append((box, score))
    return kept


def resized(picture: Any, wide: int, high: int) -> Any:
    """The picture at another size."""
    return np.asarray(Image.fromarray(picture).resize((wide, high), Image.Resampling.BILINEAR))


def model_input(picture: Any) -> Any:
    """Rows x columns x 3 bytes as 3 x rows x columns numbers, as the models were trained."""
    scaled = (picture.astype(np.float32) / 255 - MEAN) / DEVIATION
    return np.ascontiguousarray(scaled.transpose(2, 0, 1), dtype=np.float32)
