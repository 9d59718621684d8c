"""The tables of PDFs with a text layer, without network: img2table, two small models, and the text of PDFium."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scoring.schema import TableType
from store.extractors.contract import Answer, Identity, Job, NoAnswer
from store.extractors.page_by_page import DEFAULTS, engine_versions, read_pages, settled_engines, unread_pages
from store.page_tables.reading import TEXT_LAYER

# The engines run in a process of their own, which outlives the document: page_by_page sees to it.
IN_WORKER = False
# Raised with every change that may change an answer.
VERSION = "2"


def settled(given: Mapping[str, Any], table_types: Sequence[TableType]) -> Mapping[str, Any]:
    """Which engines are used (by default those that are installed), the region, and what one page may take.

    Raises ExtractorError for an unknown or wrong parameter, an engine that is asked for and not there, and where
    none is.
    """
    return settled_engines("digital", given, DEFAULTS)


def identity(parameters: Mapping[str, Any]) -> Identity:
    """The name, and the versions of this module and of the engines in use."""
    return Identity("digital", "; ".join([VERSION, *engine_versions(parameters)]))


def extract(job: Job) -> Answer:
    """The tables of all pages as ``proofgrid extraction/1``; pages that failed, or have no text layer, are named in it.

    With a region, the one table in it. Raises NoAnswer for what is no PDF, and where every page failed.
    """
    if job.media_type != "application/pdf":
        raise NoAnswer(f"is {job.media_type}, expected a PDF with a text layer; images need an extractor with OCR")
    return read_pages(job, identity(job.parameters), TEXT_LAYER, "it needs an extractor with OCR (auto or ocr)")


def complaints(raw: bytes, job: Job) -> tuple[str, ...]:
    """The pages that were not read, each with its reason."""
    return unread_pages(raw)
