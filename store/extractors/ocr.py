"""The tables of scans and images, without network: words by tesseract, rows and columns as ``digital`` finds them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scoring.schema import TableType
from store.extractors.contract import Answer, ExtractorError, Identity, Job
from store.extractors.page_by_page import DEFAULTS, engine_versions, read_pages, settled_engines, unread_pages
from store.page_tables import models, tesseract
from store.page_tables.reading import PICTURE
from store.page_tables.second_reader import NAME

# The engines run in a process of their own, which outlives the document: page_by_page sees to it.
IN_WORKER = False
# Raised with every change that may change an answer.
VERSION = "1"
OCR_DEFAULTS: Mapping[str, Any] = {**DEFAULTS, "languages": None, "second_reader": None}


def settled(given: Mapping[str, Any], table_types: Sequence[TableType]) -> Mapping[str, Any]:
    """The parameters of ``digital``, the languages, and whether a second reader is asked: by default, if there.

    No languages are those that are installed and fit the script of a page. Raises ExtractorError as ``digital``
    does, and where tesseract, one of the languages or the second reader is asked for and not installed.
    """
    asked = settled_engines("ocr", given, OCR_DEFAULTS)
    settle_readers("ocr", asked)
    if missing := tesseract.missing(asked["languages"]):
        raise ExtractorError(f"extractor ocr: {missing}")
    return asked


def settle_readers(name: str, asked: dict[str, Any]) -> None:
    """Settle the parameters ``languages`` and ``second_reader``; raises ExtractorError."""
    asked["languages"] = settled_languages(name, asked["languages"])
    missing = models.missing(models.RECOGNISER)
    second = asked["second_reader"]
    if second is None:
        asked["second_reader"] = not missing
    elif not isinstance(second, bool):
        raise ExtractorError(f"parameter second_reader of extractor {name} is {second!r}, expected true or false")
    elif second and missing:
        raise ExtractorError(f"extractor {name} was asked for second_reader: {missing}")


def settled_languages(name: str, given: Any) -> list[str]:
    """The languages of a list or of a text like ``deu+eng``; raises ExtractorError for anything else."""
    if given is None:
        return []
    parts = given.split("+") if isinstance(given, str) else given
    if not isinstance(parts, list) or not all(isinstance(part, str) and part.strip() for part in parts):
        raise ExtractorError(f"parameter languages of extractor {name} is {given!r}, expected a text like 'deu+eng'")
    return [part.strip() for part in parts]


def reader_version(parameters: Mapping[str, Any]) -> str:
    """The versions of the readers, and the languages that tesseract has or is asked for."""
    languages = parameters["languages"] or [
        "fitting of",
        *(pack for pack in tesseract.installed_languages() if pack != "osd"),
    ]
    second = f", {NAME} {models.RECOGNISER.sha256[:8]}" if parameters["second_reader"] else ""
    return f"tesseract {tesseract.version()} ({' '.join(languages)}){second}"


def identity(parameters: Mapping[str, Any]) -> Identity:
    """The name, and the versions of this module, of tesseract and of the engines in use."""
    return Identity("ocr", "; ".join([VERSION, reader_version(parameters), *engine_versions(parameters)]))


def extract(job: Job) -> Answer:
    """The tables of all pages as ``proofgrid extraction/1``, each page read from its picture, also where it has text.

    With a region, the one table in it. Raises NoAnswer where every page failed.
    """
    return read_pages(job, identity(job.parameters), PICTURE)


def complaints(raw: bytes, job: Job) -> tuple[str, ...]:
    """The pages that were not read, each with its reason."""
    return unread_pages(raw)
