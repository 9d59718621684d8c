"""What JSON records say about a value besides the value: how sure, and where on the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.table import Box, Confidence, ConfidenceKind, ConfidenceUnit, TableError
from store.formats import json_text
from store.pages import PageSize

_KEYS = ("confidence", "_confidence", "score")
# A language model that gives reasons gives its own opinion of itself, not a measurement.
_REASONS = ("reason", "confidence_reason", "explanation", "reasoning", "rationale")
# What stands beside a confidence or in its place: how well the value was read, and how well it was found.
_PARTS: Mapping[str, ConfidenceKind] = {
    "parsing_confidence": "text",
    "parse_confidence": "text",
    "extraction_confidence": "extraction",
    "extract_confidence": "extraction",
}
_BOXES = ("box", "bbox", "bounding_box", "boundingBox")
_CITED = ("citations", "citation", "geometry")
# A vendor's box may pass the edge of the page by a little.
_LARGEST_FRACTION = 1.5
# A scale that runs to 100 and is used up to here only would be of no use.
_SURELY_PERCENT = 10.0


@dataclass(frozen=True)
class Said:
    """A confidence as it stands in the file: under which key, of how much it speaks, with or without reasons."""

    key: str
    received: Any
    unit: ConfidenceUnit
    with_reason: bool = False
    kind: ConfidenceKind = "extraction"

    @property
    def number(self) -> float | None:
        """The number received, in the file's own scale; None for a label."""
        if isinstance(self.received, bool) or not isinstance(self.received, str):
            return None
        try:
            number = float(self.received)
        except ValueError:
            return None
        return number if number == number and abs(number) != float("inf") else None


def said_in(value: Any, unit: ConfidenceUnit) -> tuple[Said, ...]:
    """The confidence in an object, if it holds one; of a single value also those of its parts and of its citation."""
    if not isinstance(value, Mapping):
        return ()
    found: list[Said] = []
    with_reason = any(value.get(reason) for reason in _REASONS)
    for key in _KEYS:
        received = value.get(key)
        if isinstance(received, str) and received:
            found.append(Said(key, received, unit, with_reason))
            break
    if unit != "field":
        return tuple(found)
    parts = value.get("granular_confidence")
    for key, kind in _PARTS.items():
        received = (parts if isinstance(parts, Mapping) else value).get(key)
        if isinstance(received, str) and received:
            found.append(Said(key, received, unit, with_reason, kind))
    return tuple(found) or said_in(_first_cited(value), unit)


def box_in(value: Any) -> tuple[Any, Any] | None:
    """The box in an object, or in the first thing that it cites, and the page beside it; None if there is none."""
    if not isinstance(value, Mapping):
        return None
    box = next((value[name] for name in _BOXES if value.get(name)), None)
    if box is not None:
        return box, value.get("page", value.get("page_number"))
    return box_in(_first_cited(value))


def _first_cited(value: Mapping[str, Any]) -> Any:
    cited = next((value[name] for name in _CITED if value.get(name)), None)
    return cited[0] if isinstance(cited, list) else cited


@dataclass(frozen=True)
class Annotations:
    """How to read the annotations of one file: who made it, all its confidence numbers, the document's pages."""

    extractor: str
    numbers: tuple[float, ...]
    pages: Sequence[PageSize]

    @property
    def scale(self) -> float:
        """100 for a file where at least half of the numbers lie between 1 and 100, and one above 10, else 1.

        One slip among fractions (0.91, 0.88, 55) must not make all the others a hundred times smaller, and
        1.01 or 2 alone tells of no scale.
        """
        percents = sum(1.0 < number <= 100.0 for number in self.numbers)
        fractions = sum(0.0 < number < 1.0 for number in self.numbers)
        return 100.0 if percents >= fractions and any(_SURELY_PERCENT < n <= 100.0 for n in self.numbers) else 1.0

    def confidence(self, said: Said) -> Confidence | None:
        """The confidence 0..1; a label, or a number off the scale, is kept as received without a value."""
        value = said.number
        if value is not None:
            value = value / self.scale
            value = value if 0.0 <= value <= 1.0 else None
        return Confidence(
            value=value,
            kind="self-report" if said.with_reason else said.kind,
            unit=said.unit,
            source=f"{self.extractor} {said.unit} confidence"
            if self.extractor
            else f"{said.unit} confidence in the JSON",
            raw=json_text.text_of(said.received),
        )

    def notes(self) -> tuple[str, ...]:
        """What had to be assumed about the numbers."""
        notes = []
        if self.scale == 100.0:
            notes.append("confidence runs to 100 in this file and was divided by 100")
        off = [number for number in self.numbers if not 0.0 <= number / self.scale <= 1.0]
        if off:
            notes.append(f"{len(off)} confidence numbers are off the scale (such as {off[0]:g}) and were not used")
        return tuple(notes)


def boxed(received: Any, pages: Sequence[PageSize]) -> tuple[Box | None, str]:
    """The box of ``(box, page)`` as fractions, or None and what is wrong with it.

    Taken are ``[page, x0, y0, x1, y1]``, ``[x0, y0, x1, y1]`` with a page beside it (page 1 in a
    document of one page), and objects with x0, y0, x1, y1 or left, top, width, height. Numbers
    beyond 1.5 are points of the page as displayed, where the page's size is known.
    """
    if received is None:
        return None, ""
    shape, beside = received
    try:
        sides = _sides(shape)
        page = int(float(sides.pop(0))) if len(sides) == 5 else int(float(beside)) if beside is not None else 1
        if beside is None and len(sides) == 4 and _is_four(shape) and len(pages) != 1:
            return None, "a box without a page number was left out"
        if max(map(abs, sides)) > _LARGEST_FRACTION:
            size = next((size for size in pages if size.number == page), None)
            if size is None or sides[2] > size.width * _LARGEST_FRACTION or sides[3] > size.height * _LARGEST_FRACTION:
                return None, f"the box {shape} is not in fractions of the page and was left out"
            sides = [side / (size.height if place % 2 else size.width) for place, side in enumerate(sides)]
        return Box(page, *sides), ""
    except (TypeError, ValueError, OverflowError, KeyError, TableError):
        return None, f"the box {str(shape)[:80]} is not page, x0, y0, x1, y1 and was left out"


def _sides(shape: Any) -> list[float]:
    if isinstance(shape, Mapping):
        if "x0" in shape:
            found = [float(shape[key]) for key in ("x0", "y0", "x1", "y1")]
        else:
            left, top, width, height = (float(shape[key]) for key in ("left", "top", "width", "height"))
            found = [left, top, round(left + width, 9), round(top + height, 9)]
        return [float(shape["page"]), *found] if "page" in shape else found
    found = [float(side) for side in shape]
    if len(found) not in (4, 5):
        raise ValueError
    return found


def _is_four(shape: Any) -> bool:
    return "page" not in shape if isinstance(shape, Mapping) else len(shape) == 4
