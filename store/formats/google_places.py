"""Where things stand in a Document of Google Document AI: in its text, on its pages, among its tokens."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from scoring.table import Box, Confidence
from store.formats import json_shape, json_text
from store.formats.contract import FormatError
from store.formats.json_shape import Path, entries, inner, objects, whole

# Cells and fields repeat the text a few times at most; what repeats it more often would fill the memory.
_MOST_REPEATED = 50


@dataclass
class Places:
    """The text, pages and tokens of one document, or of one shard: anchors and page references speak of that alone."""

    text: str
    numbers: Sequence[int] = ()
    sizes: Mapping[int, tuple[float, float]] = field(default_factory=dict)
    tokens: Sequence[tuple[int, Confidence]] = ()
    taken: int = 0

    @classmethod
    def of(cls, document: Mapping[str, Any], path: Path) -> Self:
        """The places of a document; a page without a number has that of its place in the list."""
        numbers: list[int] = []
        sizes: dict[int, tuple[float, float]] = {}
        tokens: list[tuple[int, Confidence]] = []
        for page, where in objects(document, "pages", path):
            number = whole(page, "pageNumber", where, default=0) or len(numbers) + 1
            numbers.append(number)
            dimension = inner(page, "dimension", where)
            width, height = (json_shape.number(dimension.get(side)) for side in ("width", "height"))
            if width and height and width > 0 and height > 0:
                sizes[number] = width, height
            for token, at in objects(page, "tokens", where):
                layout = inner(token, "layout", at)
                for start, _ in _spans(inner(layout, "textAnchor", at), at)[:1]:
                    said = json_shape.confidence(layout.get("confidence"), "text", "word", "Google token confidence")
                    tokens += ((start, one) for one in said)
        tokens.sort(key=lambda token: token[0])
        return cls(json_shape.text(document, "text"), numbers, sizes, tokens)

    def page(self, place: int) -> int:
        """The number of the page at a place of the list, from 0 on."""
        return self.numbers[place] if place < len(self.numbers) else place + 1

    def said_at(self, anchor: Mapping[str, Any], path: Path) -> tuple[str, tuple[Confidence, ...], str]:
        """The text of an anchor without the line end after it, its least certain token, and what is wrong with it.

        Raises FormatError where the anchors of the document take up its text over and over again.
        """
        spans = _spans(anchor, path)
        self.taken += sum(max(0, min(end, len(self.text)) - start) for start, end in spans)
        if self.taken > _MOST_REPEATED * (len(self.text) + 1000):
            raise FormatError(f"{json_text.pointer(path)}: the text anchors repeat the text over and over again")
        parts: list[str] = []
        found: list[Confidence] = []
        for start, end in spans:
            parts.append(self.text[start:end])
            at = bisect_left(self.tokens, start, key=lambda token: token[0])
            while at < len(self.tokens) and self.tokens[at][0] < end:
                found.append(self.tokens[at][1])
                at += 1
        beyond = any(end > len(self.text) for _, end in spans)
        said = "".join(parts) if spans else json_shape.text(anchor, "content")
        return (
            said.removesuffix("\n"),
            json_shape.lowest(found),
            "its text anchor reaches past the text of the document" if beyond else "",
        )

    def box(self, entry: Mapping[str, Any], page: int, path: Path) -> Box | None:
        """The upright box round the ``boundingPoly`` of an entry; a vertex without x or y has 0 there."""
        polygon = inner(entry, "boundingPoly", path)
        for key, (width, height) in (
            ("normalizedVertices", (1.0, 1.0)),
            ("vertices", self.sizes.get(page, (0.0, 0.0))),
        ):
            vertices = entries(polygon, key, path)
            if vertices and width and all(isinstance(vertex, Mapping) for vertex in vertices):
                points = [(_side(vertex, "x", width), _side(vertex, "y", height)) for vertex in vertices]
                return json_shape.around(page, points)
        return None


def _side(vertex: Mapping[str, Any], key: str, size: float) -> float | None:
    side = json_shape.number(vertex.get(key, 0))
    return None if side is None else side / size


def _spans(anchor: Mapping[str, Any], path: Path) -> list[tuple[int, int]]:
    """Start and end of each segment; an absent start is 0."""
    return [
        (whole(segment, "startIndex", at, default=0), whole(segment, "endIndex", at, default=0))
        for segment, at in objects(anchor, "textSegments", path)
    ]
