"""A region that a person drew on a page, as a parameter: just the table in it is read."""

from __future__ import annotations

from typing import Any

from scoring.table import Box, TableError
from store.extractors.contract import ExtractorError, Job, NoAnswer

EXPECTED = (
    'expected {"page": 1, "box": [x0, y0, x1, y1]} with x0 < x1 and y0 < y1, fractions 0..1 of the page as displayed'
)


def settled_region(extractor: str, value: Any) -> dict[str, Any]:
    """The region as the run keeps it: ``{"page": n, "box": [x0, y0, x1, y1]}``, cut off at the edges of the page.

    Raises ExtractorError, naming the extractor, for anything else, and for a region that has no area on the page.
    """
    wrong = ExtractorError(f"parameter region of extractor {extractor} is {value!r}, {EXPECTED}")
    if not isinstance(value, dict) or set(value) != {"page", "box"} or not isinstance(value["box"], list | tuple):
        raise wrong
    if type(value["page"]) is not int or any(isinstance(side, bool) for side in value["box"]):
        raise wrong
    try:
        box = Box.from_json([value["page"], *value["box"]])
    except TableError:
        raise wrong from None
    sides = [min(max(side, 0.0), 1.0) for side in (box.x0, box.y0, box.x1, box.y1)]
    if sides[0] >= sides[2] or sides[1] >= sides[3]:
        raise wrong
    return {"page": box.page, "box": sides}


def pages_to_read(job: Job) -> list[int]:
    """The numbers of the pages that a job is about: all, or that of its region; raises NoAnswer where there is none."""
    numbers = [page.number for page in job.pages]
    region = job.parameters.get("region")
    if region is None:
        return numbers
    if region["page"] not in numbers:
        raise NoAnswer(f"the region is on page {region['page']}, expected 1 to {len(numbers)}")
    return [region["page"]]
