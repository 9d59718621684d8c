"""The tables of any document, without network: each page by its text layer where that can be used, else by OCR."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scoring.schema import TableType
from store.extractors import digital, ocr
from store.extractors.contract import Answer, ExtractorError, Identity, Job
from store.extractors.page_by_page import engine_versions, read_pages, settled_engines, unread_pages
from store.page_tables import tesseract
from store.page_tables.reading import AS_IT_IS

# The engines run in a process of their own, which outlives the document: page_by_page sees to it.
IN_WORKER = False
VERSION = f"{digital.VERSION}.{ocr.VERSION}"


def settled(given: Mapping[str, Any], table_types: Sequence[TableType]) -> Mapping[str, Any]:
    """The parameters of ``ocr``, and whether ``tesseract`` is there; without it only pages with a text layer are read.

    Raises ExtractorError as ``digital`` does, and where a language that is asked for is not installed.
    """
    asked = settled_engines("auto", given, ocr.OCR_DEFAULTS)
    ocr.settle_readers("auto", asked)
    missing = tesseract.missing(asked["languages"])
    if missing and asked["languages"]:
        raise ExtractorError(f"extractor auto: {missing}")
    asked["tesseract"] = not missing
    return asked


def identity(parameters: Mapping[str, Any]) -> Identity:
    """The name, and the versions of this module, of tesseract and of the engines in use."""
    reader = [ocr.reader_version(parameters)] if parameters["tesseract"] else []
    return Identity("auto", "; ".join([VERSION, *reader, *engine_versions(parameters)]))


def extract(job: Job) -> Answer:
    """The tables of all pages as ``proofgrid extraction/1``; each tells in a note who read its words.

    With a region, the one table in it. Raises NoAnswer where every page failed.
    """
    return read_pages(job, identity(job.parameters), AS_IT_IS, tesseract.missing())


def complaints(raw: bytes, job: Job) -> tuple[str, ...]:
    """The pages that were not read, each with its reason."""
    return unread_pages(raw)
