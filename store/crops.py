"""Crops: a piece of a page as a small image, cut from the page image that is kept."""

from __future__ import annotations

import io
from functools import lru_cache
from typing import TYPE_CHECKING

from store.home import Home
from store.pages import DocumentError, page_image

if TYPE_CHECKING:
    from PIL.Image import Image

# Pages that were decoded last: the lines of a strip often stand on the same few. Some 12 MB each at 200 dpi.
PAGES_KEPT = 6
WEBP_QUALITY = 82


def crop(home: Home, sha256: str, page: int, dpi: int, part: tuple[float, float, float, float]) -> bytes:
    """The part ``(x0, y0, x1, y1)`` of a page, in fractions of it, as WebP; what lies off the page is white.

    Raises DocumentError where the page cannot be drawn, or the part is empty.
    """
    from PIL import Image as Images

    x0, y0, x1, y1 = part
    if not (-1 <= x0 < x1 <= 2 and -1 <= y0 < y1 <= 2):
        raise DocumentError(f"part {part} of the page, expected x0 < x1 and y0 < y1 near 0..1")
    whole = _decoded(home, sha256, page, dpi)
    box = [round(side * length) for side, length in zip(part, whole.size * 2, strict=True)]
    piece = Images.new("RGB", (max(1, box[2] - box[0]), max(1, box[3] - box[1])), "white")
    inside = (max(0, box[0]), max(0, box[1]), min(whole.width, box[2]), min(whole.height, box[3]))
    if inside[0] < inside[2] and inside[1] < inside[3]:
        piece.paste(whole.crop(inside), (inside[0] - box[0], inside[1] - box[1]))
    made = io.BytesIO()
    piece.save(made, "WEBP", quality=WEBP_QUALITY, method=2)
    return made.getvalue()


@lru_cache(maxsize=PAGES_KEPT)
def _decoded(home: Home, sha256: str, page: int, dpi: int) -> Image:
    from PIL import Image as Images

    with Images.open(io.BytesIO(page_image(home, sha256, page, dpi))) as image:
        return image.convert("RGB")
