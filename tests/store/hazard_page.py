"""What the review screen does with a document when it opens it, for a worker process with limits."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from store.locked import opened
from store.pages import DocumentError, render, render_tile, words

MOST_PAGES = 3


def shown(file: Path, page: int, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Import the document, then draw pages of it with their words, or the reason why it is refused."""
    try:
        info, copy = opened(file.read_bytes(), parameters.get("passwords", ()))
    except DocumentError as wrong:
        return {"refused": str(wrong)}
    if copy is not None:
        file = Path(parameters["scratch"]) / file.name
        file.write_bytes(copy)
    numbers = range(1, info.n_pages + 1, max(1, info.n_pages // MOST_PAGES))
    drawn = [render(file, number, 150) for number in numbers]
    tiles = [render_tile(file, number, 288 if info.media_type == "application/pdf" else 72, 0, 0) for number in numbers]
    found = [words(file, number) for number in numbers]
    return {
        "pages": info.n_pages,
        "drawn": [len(image) for image in drawn + tiles],
        "words": sum(map(len, found)),
        "outside": [
            word.text
            for each in found
            for word in each
            if not (-0.01 <= word.x0 <= word.x1 <= 1.01 and -0.01 <= word.y0 <= word.y1 <= 1.01)
        ],
    }
