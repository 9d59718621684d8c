"""The tables of PDFs with a text layer, without network: img2table, two small models, and the text of PDFium."""

from __future__ import annotations

import atexit
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import metadata
from typing import Any

from scoring.schema import TableType
from store.extractors.contract import Answer, ExtractorError, Identity, Job, NoAnswer, expect_known
from store.extractors.page_worker import Limits, PageFailed, PageWorker
from store.extractors.region import pages_to_read, settled_region
from store.formats import extraction
from store.formats.contract import ReadTable
from store.page_tables import drawn_grid, models
from store.page_tables.reading import PageTables

# The engines run in a process of their own, which outlives the document: this module sees to it.
IN_WORKER = False
# Raised with every change that may change an answer.
VERSION = "1"
_WORKERS: dict[Limits, PageWorker] = {}
_DEFAULTS = {
    "models": None,
    "img2table": None,
    "region": None,
    "seconds_per_page": 60.0,
    "memory_mb": 4096,
    "attempts": 1,
}


def settled(given: Mapping[str, Any], table_types: Sequence[TableType]) -> Mapping[str, Any]:
    """Which engines are used (by default those that are installed), the region, and what one page may take.

    Raises ExtractorError for an unknown or wrong parameter, an engine that is asked for and not there, and where
    none is.
    """
    asked = expect_known("digital", given, _DEFAULTS)
    # Runs without a region have the parameters that they always had, so that they are counted on and resumed.
    region = asked.pop("region")
    if region is not None:
        asked["region"] = settled_region("digital", region)
    there = {"models": models.missing(), "img2table": "" if drawn_grid.available() else "img2table is not installed"}
    for engine, missing in there.items():
        if asked[engine] is None:
            asked[engine] = not missing
        if not isinstance(asked[engine], bool):
            raise ExtractorError(
                f"parameter {engine} of extractor digital is {asked[engine]!r}, expected true or false"
            )
        if asked[engine] and missing:
            raise ExtractorError(f"extractor digital was asked for {engine}: {missing}")
    if not (asked["models"] or asked["img2table"]):
        raise ExtractorError(
            "extractor digital has no engine: pip install 'proofgrid[extract]' gives it img2table, "
            f"make models the models ({there['models'] or 'switched off'})"
        )
    return asked


def identity(parameters: Mapping[str, Any]) -> Identity:
    """The name, and the versions of this module and of the engines in use."""
    engines = []
    if parameters["img2table"]:
        engines.append(f"img2table {metadata.version('img2table')}")
    if parameters["models"]:
        engines.append(f"layout_cdla {models.LAYOUT.sha256[:8]}, slanet-plus {models.STRUCTURE.sha256[:8]}")
    return Identity("digital", "; ".join([VERSION, *engines]))


def extract(job: Job) -> Answer:
    """The tables of all pages as ``proofgrid extraction/1``; pages that failed, or have no text layer, are named in it.

    With a region, the one table in it. Raises NoAnswer for what is no PDF, and where every page failed.
    """
    if job.media_type != "application/pdf":
        raise NoAnswer(f"is {job.media_type}, expected a PDF with a text layer; images need an extractor with OCR")
    worker = _worker(Limits(float(job.parameters["seconds_per_page"]), int(job.parameters["memory_mb"])))
    tables: list[ReadTable] = []
    notes: list[str] = []
    failed: list[PageFailed] = []
    numbers = pages_to_read(job)
    for number in numbers:
        job.page(number)
        (read,) = worker.read(job.file, [number], job.parameters)
        if isinstance(read, PageFailed):
            failed.append(read)
            continue
        notes += [f"page {read.page}: {note}" for note in read.notes]
        if read.scan:
            failed.append(PageFailed(read.page, "is a picture without readable text; it needs an extractor with OCR"))
        elif "region" in job.parameters and not read.tables:
            failed.append(PageFailed(read.page, "there is no text in the region"))
        tables += _named(read, len(tables))
    if failed and len(failed) == len(numbers):
        raise NoAnswer("; ".join(map(_told, failed[:5])))
    who = identity(job.parameters)
    raw = extraction.write(
        tables,
        extractor=who.name,
        version=who.version,
        notes=notes,
        failed=[(each.page, each.reason) for each in failed],
    )
    return Answer(raw, "proofgrid")


def complaints(raw: bytes, job: Job) -> tuple[str, ...]:
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
