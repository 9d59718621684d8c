"""Documents read page by page on this machine: the engines, their parameters, and one answer of all pages."""

from __future__ import annotations

import atexit
import json
from collections.abc import Mapping
from dataclasses import replace
from importlib import metadata
from typing import Any

from store.extractors.contract import Answer, ExtractorError, Identity, Job, NoAnswer, expect_known
from store.extractors.page_worker import Limits, PageFailed, PageWorker
from store.extractors.region import pages_to_read, settled_region
from store.formats import extraction
from store.formats.contract import ReadTable
from store.page_tables import drawn_grid, models
from store.page_tables.reading import PageTables

DEFAULTS: Mapping[str, Any] = {
    "models": None,
    "img2table": None,
    "region": None,
    "seconds_per_page": 60.0,
    "memory_mb": 4096,
    "attempts": 1,
}
_WORKERS: dict[Limits, PageWorker] = {}


def settled_engines(name: str, given: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters of extractor ``name``: which engines are used (by default those that are installed), and the rest.

    Raises ExtractorError for an unknown or wrong parameter, an engine that is asked for and not there, and where
    none is.
    """
    asked = expect_known(name, given, defaults)
    # Runs without a region have the parameters that they always had, so that they are counted on and resumed.
    region = asked.pop("region")
    if region is not None:
        asked["region"] = settled_region(name, region)
    there = {"models": models.missing(), "img2table": "" if drawn_grid.available() else "img2table is not installed"}
    for engine, missing in there.items():
        if asked[engine] is None:
            asked[engine] = not missing
        if not isinstance(asked[engine], bool):
            raise ExtractorError(f"parameter {engine} of extractor {name} is {asked[engine]!r}, expected true or false")
        if asked[engine] and missing:
            raise ExtractorError(f"extractor {name} was asked for {engine}: {missing}")
    if not (asked["models"] or asked["img2table"]):
        raise ExtractorError(
            f"extractor {name} has no engine: pip install 'proofgrid[extract]' gives it img2table, "
            f"make models the models ({there['models'] or 'switched off'})"
        )
    return asked


def engine_versions(parameters: Mapping[str, Any]) -> list[str]:
    """The versions of the engines in use."""
    engines = []
    if parameters["img2table"]:
        engines.append(f"img2table {metadata.version('img2table')}")
    if parameters["models"]:
        engines.append(f"layout_cdla {models.LAYOUT.sha256[:8]}, slanet-plus {models.STRUCTURE.sha256[:8]}")
    return engines


def read_pages(job: Job, who: Identity, words: str, remedy: str = "") -> Answer:
    """The tables of all pages, or of the region, as ``proofgrid extraction/1``; pages that failed are named in it.

    ``words`` says from what words are taken, as ``page_tables.reading`` names it; ``remedy`` what to do about pages
    whose text layer is of no use. Raises NoAnswer where every page failed.
    """
    worker = _worker(Limits(float(job.parameters["seconds_per_page"]), int(job.parameters["memory_mb"])))
    tables: list[ReadTable] = []
    notes: list[str] = []
    failed: list[PageFailed] = []
    numbers = pages_to_read(job)
    for number in numbers:
        job.page(number)
        (read,) = worker.read(job.file, [number], {**job.parameters, "words": words})
        if isinstance(read, PageFailed):
            failed.append(read)
            continue
        notes += [f"page {read.page}: {note}" for note in read.notes]
        if read.unread:
            failed.append(PageFailed(read.page, f"{read.unread}; {remedy}"))
        elif "region" in job.parameters and not read.tables:
            failed.append(PageFailed(read.page, "there is no text in the region"))
        tables += _named(read, len(tables))
    if failed and len(failed) == len(numbers):
        raise NoAnswer("; ".join(map(_told, failed[:5])))
    raw = extraction.write(
        tables,
        extractor=who.name,
        version=who.version,
        notes=notes,
        failed=[(each.page, each.reason) for each in failed],
    )
    return Answer(raw, "proofgrid")


def unread_pages(raw: bytes) -> tuple[str, ...]:
    """The pages that were not read, each with its reason."""
    return tuple(_told(PageFailed(one["page"], one["reason"])) for one in json.loads(raw)["failed_pages"])


def _told(failed: PageFailed) -> str:
    return f"page {failed.page}: {failed.reason}"


def _named(read: PageTables, before: int) -> list[ReadTable]:
    return [replace(table, name=f"table {before + at}") for at, table in enumerate(read.tables, start=1)]


def _worker(limits: Limits) -> PageWorker:
    return _WORKERS.setdefault(limits, PageWorker("store.page_tables.reading", "read_tables", limits))


def end_workers() -> None:
    """End the processes that wait for the next page; they end by themselves after two minutes."""
    while _WORKERS:
        _WORKERS.popitem()[1].close()


atexit.register(end_workers)
