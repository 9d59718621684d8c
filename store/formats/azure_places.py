"""Where things stand in an answer of Azure AI Document Intelligence: pages, boxes, spans and the words inside them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import inf
from typing import Any

from scoring.table import Box, TableError
from store.formats import json_text
from store.formats.json_shape import Path, fraction, objects, whole
from store.pages import PageSize

# Page sides of answer and document may differ by this share before the boxes are doubted.
_SAME_SHAPE = 0.02

Sizes = Mapping[int, tuple[float, float]]


@dataclass(frozen=True)
class Word:
    """A word or a selection mark: where it stands in the content and on the page."""

    text: str
    offset: int
    end: int
    box: Box | None
    confidence: float | None
    raw: str
    is_mark: bool


@dataclass(frozen=True)
class Words:
    """All words by their place in the content."""

    ordered: tuple[Word, ...]
    offsets: tuple[int, ...]
    on_page: Mapping[int, tuple[Word, ...]]

    def of_cell(self, text: str, spans: Iterable[tuple[int, int]], box: Box | None) -> list[Word]:
        """The words of a cell: those within its spans, or, where they are not in its text, those inside its box."""
        # No text has more words than letters; spans over half the document must not be gone through for each cell.
        most = len(text)
        found = list(islice(self._within(spans), most + 1))
        if box is None or not text or (0 < len(found) <= most and all(w.text in text or w.is_mark for w in found)):
            return found if len(found) <= most else []
        found = list(islice(self._inside(box), most + 1))
        return found if len(found) <= most else []

    def _within(self, spans: Iterable[tuple[int, int]]) -> Iterator[Word]:
        for start, end in spans:
            for place in range(bisect_left(self.offsets, start), len(self.ordered)):
                word = self.ordered[place]
                if word.offset >= end:
                    break
                if word.end <= end:
                    yield word

    def _inside(self, box: Box) -> Iterator[Word]:
        for word in self.on_page.get(box.page, ()):
            assert word.box is not None
            x, y = (word.box.x0 + word.box.x1) / 2, (word.box.y0 + word.box.y1) / 2
            if box.x0 <= x <= box.x1 and box.y0 <= y <= box.y1:
                yield word


def page_sizes(
    answer: Mapping[str, Any], path: Path, pages: Sequence[PageSize]
) -> tuple[dict[int, tuple[float, float]], list[str]]:
    """Width and height by page number in the answer's own unit, and notes where the document differs."""
    sizes: dict[int, tuple[float, float]] = {}
    notes: list[str] = []
    known = {page.number: page for page in pages}
    for page, where in objects(answer, "pages", path):
        number = page_of(page, where)
        try:
            width, height = float(page.get("width") or 0), float(page.get("height") or 0)
        except (TypeError, ValueError):
            width = height = 0.0
        if not (0 < width < inf and 0 < height < inf):
            notes.append(f"page {number} has no size in the answer: its boxes were left out")
            continue
        sizes[number] = width, height
        shown = known.get(number)
        if pages and shown is None:
            notes.append(f"the answer has a page {number}, the document has {len(pages)} pages")
        elif shown is not None and abs(width / height * shown.height / shown.width - 1) > _SAME_SHAPE:
            notes.append(
                f"page {number} is {width:g} x {height:g} in the answer, the document shows "
                f"{shown.width:g} x {shown.height:g}: boxes may lie in wrong places"
            )
    return sizes, notes


def words_of(answer: Mapping[str, Any], path: Path, sizes: Sizes) -> Words:
    """All words and selection marks of an answer."""
    found: list[Word] = []
    for page, at in objects(answer, "pages", path):
        number = page_of(page, at)
        for key in ("words", "selectionMarks"):
            for entry, where in objects(page, key, at):
                for offset, end in spans_of(entry, where)[:1] or [(-1, -1)]:
                    text = f":{entry.get('state')}:" if key == "selectionMarks" else str(entry.get("content") or "")
                    box = box_of(number, entry.get("polygon") or entry.get("boundingBox"), sizes)
                    raw = json_text.text_of(entry.get("confidence"))
                    found.append(Word(text, offset, end, box, fraction(raw), raw, key == "selectionMarks"))
    found.sort(key=lambda word: word.offset)
    on_page: dict[int, list[Word]] = {}
    for word in found:
        if word.box is not None:
            on_page.setdefault(word.box.page, []).append(word)
    by_page = {number: tuple(words) for number, words in on_page.items()}
    return Words(tuple(found), tuple(word.offset for word in found), by_page)


def spans_of(entry: Mapping[str, Any], where: Path) -> list[tuple[int, int]]:
    """First and last offset of each span, in the answer's own units; a word has one only."""
    spans = list(objects(entry, "spans", where))
    if not spans and isinstance(entry.get("span"), Mapping):
        spans = [(entry["span"], (*where, "span"))]
    starts = [(whole(span, "offset", at, default=0), whole(span, "length", at, default=0)) for span, at in spans]
    return [(start, start + length) for start, length in starts]


def boxes_of(entry: Mapping[str, Any], where: Path, sizes: Sizes) -> list[Box]:
    """The boxes of an entry's regions, as far as the size of their page is known."""
    found = (
        box_of(page_of(region, at), region.get("polygon") or region.get("boundingBox"), sizes)
        for region, at in objects(entry, "boundingRegions", where)
    )
    return [box for box in found if box is not None]


def has_wild_box(entry: Mapping[str, Any], where: Path, sizes: Sizes) -> bool:
    """Whether a region of an entry has a polygon on a page of known size that is no polygon."""
    regions = [region for region, at in objects(entry, "boundingRegions", where) if page_of(region, at) in sizes]
    given = sum(bool(region.get("polygon") or region.get("boundingBox")) for region in regions)
    return given > len(boxes_of(entry, where, sizes))


def box_of(page: int, polygon: Any, sizes: Sizes) -> Box | None:
    """The upright rectangle round a polygon, as fractions of its page; None where either is not given, or is none."""
    if not polygon or page not in sizes:
        return None
    width, height = sizes[page]
    try:
        if isinstance(polygon[0], Mapping):
            points = [(float(point["x"]), float(point["y"])) for point in polygon]
        else:
            sides = [float(side) for side in polygon]
            points = list(zip(sides[0::2], sides[1::2], strict=True))
        across, down = [x / width for x, _ in points], [y / height for _, y in points]
        return Box(page, *(round(side, 6) for side in (min(across), min(down), max(across), max(down))))
    except (TypeError, ValueError, KeyError, TableError):
        return None


def page_of(entry: Mapping[str, Any], where: Path) -> int:
    """The page that a region or a page tells; the first one where none is told."""
    return whole(entry, "pageNumber", where, default=1, least=1)
