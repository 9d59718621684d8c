"""Extractors that Proofgrid runs itself: one module each, whose answers enter by the same door as imported files.

The contract of an extractor module (``contract.Extractor``): ``settled(given, table_types)`` gives the
parameters that a run keeps, ``extract(job) -> Answer`` the bytes as received and their format, and
``complaints(raw, job)`` what an answer lacks. An extractor knows no database: what it returns is
stored raw and hashed before anything reads it.

A new extractor is a module and a line in EXTRACTORS.
"""

from __future__ import annotations

from collections.abc import Mapping

from store.extractors import auto, digital, http, llm, mock, ocr
from store.extractors.contract import Answer, Extractor, ExtractorError, Identity, Job, NoAnswer

__all__ = ["EXTRACTORS", "Answer", "Extractor", "ExtractorError", "Identity", "Job", "NoAnswer", "extractor"]

EXTRACTORS: Mapping[str, Extractor] = {
    "auto": auto,
    "digital": digital,
    "http": http,
    "llm": llm,
    "mock": mock,
    "ocr": ocr,
}


def extractor(name: str) -> Extractor:
    """The extractor of that name; raises ExtractorError naming those that there are."""
    if name not in EXTRACTORS:
        raise ExtractorError(f"extractor {name!r}, expected one of: {', '.join(EXTRACTORS)}")
    return EXTRACTORS[name]
