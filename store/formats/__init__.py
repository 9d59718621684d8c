"""Formats of extraction systems: one module each, found by content.

The contract of a format module (``contract.Format``): ``sniff(raw, name) -> bool`` tells by the
bytes whether a file is of its kind, and ``read(raw, name=..., pages=...) -> Read`` returns the
tables. Formats are pure: bytes in, values out, no files and no database. Text is kept as printed.
Holes, overlaps and wild spans are repaired here, once, with a note each; past this line every
table is whole. Confidence is kept with its kind and unit; what is missing stays missing.

A new format is a module and a line in FORMATS.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath

from scoring.table import TableError
from store.formats import (
    azure,
    camelot,
    chat_completion,
    chunkr,
    csv,
    docling,
    extraction,
    google_docai,
    html,
    icdar2013,
    json_records,
    label_studio,
    llamaparse,
    markdown,
    marker,
    mineru,
    mistral_ocr,
    otsl,
    parquet,
    pdfplumber,
    ppstructure,
    proofgrid_json,
    pubtables,
    pubtabnet,
    reducto,
    tabula,
    textract,
    textract_expense,
    unstructured,
    voc,
    xlsx,
)
from store.formats.contract import Format, FormatError, Read, ReadTable
from store.pages import PageSize

__all__ = ["FORMATS", "Format", "FormatError", "Read", "ReadTable", "read", "recognise"]

_LOG = logging.getLogger(__name__)

# In the order in which they are asked: what is told for certain first, what is only likely last.
FORMATS: Mapping[str, Format] = {
    "xlsx": xlsx,
    "proofgrid": extraction,
    "docling": docling,
    "otsl": otsl,
    "unstructured": unstructured,
    "marker": marker,
    "mineru": mineru,
    "ppstructure": ppstructure,
    "camelot": camelot,
    "pdfplumber": pdfplumber,
    "tabula": tabula,
    "icdar2013": icdar2013,
    "voc": voc,
    "pubtables": pubtables,
    "pubtabnet": pubtabnet,
    "label-studio": label_studio,
    "parquet": parquet,
    "azure": azure,
    "textract": textract,
    "textract-expense": textract_expense,
    "google-docai": google_docai,
    "llamaparse": llamaparse,
    "mistral-ocr": mistral_ocr,
    "reducto": reducto,
    "chunkr": chunkr,
    "chat-completion": chat_completion,
    "json-records": json_records,
    "markdown": markdown,
    "html": html,
    "csv": csv,
}


# Where the content tells nothing, the reader of the suffix can say what is wrong with it.
_SUFFIXES = {
    ".json": "json-records",
    ".jsonl": "json-records",
    ".html": "html",
    ".htm": "html",
    ".csv": "csv",
    ".md": "markdown",
    ".xlsx": "xlsx",
    ".xlsm": "xlsx",
    ".parquet": "parquet",
}


def recognise(raw: bytes, name: str) -> str:
    """What a file holds: a name of FORMATS, or ``gold`` or ``table-types`` for Proofgrid's own files.

    Told by content; the file's name is asked where any text would do (CSV) and where nothing fits.
    Raises FormatError for an empty file, where neither tells, and where a fault of the program shows.
    """
    if not raw.strip():
        raise FormatError("the file is empty")
    try:
        return _recognised(raw, name)
    except FormatError:
        raise
    except Exception as fault:
        raise FormatError(explained(fault, f"while looking what {name} is")) from fault


def read(format_name: str, raw: bytes, *, name: str, pages: Sequence[PageSize] = ()) -> Read:
    """The tables of a file in a format of FORMATS: see ``Format.read``.

    Raises FormatError, also for a fault of the reader itself, and TableError.
    """
    try:
        return _told(FORMATS[format_name].read(raw, name=name, pages=pages))
    except (FormatError, TableError):
        raise
    except Exception as fault:
        raise FormatError(explained(fault, f"while reading {name} as {format_name}")) from fault


def _told(found: Read) -> Read:
    """The reading with a note where numbers of confidence have no value; a word such as "high" needs none."""
    if any("off the scale" in note for note in found.notes):
        return found
    said = [part for table in found.tables for part in table.confidence]
    said += (part for table in found.tables for cell in table.table.cells for part in cell.confidence)
    off = [part.raw for part in said if part.value is None and _is_number(part.raw)]
    if not off:
        return found
    note = f"{len(off)} confidence numbers are off the scale (such as {off[0]}) and were not used"
    return replace(found, notes=(*found.notes, note))


def _is_number(raw: str) -> bool:
    try:
        float(raw)
    except ValueError:
        return False
    return True


def explained(fault: Exception, doing: str) -> str:
    """What to say to a person of an error that nobody expected; its traceback goes to the log."""
    _LOG.error("a fault %s", doing, exc_info=fault)
    if isinstance(fault, MemoryError):
        return "needs more memory than there is; take it apart"
    what = f"{type(fault).__name__}: {str(fault)[:200]}"
    return f"a fault of Proofgrid itself ({what}) {doing}; please report it with the end of proofgrid.log and the file"


def _recognised(raw: bytes, name: str) -> str:
    if own := proofgrid_json.kind(raw):
        return own
    for format_name, module in FORMATS.items():
        if module.sniff(raw, name):
            return format_name
    if by_suffix := _SUFFIXES.get(PurePath(name).suffix.lower()):
        return by_suffix
    if PurePath(name).suffix.lower() == ".txt":
        raise FormatError(
            "is a text without tables, and its lines do not line up in columns; if it is a table, name it .csv, "
            "or give --format csv"
        )
    known = f"one of: {', '.join(FORMATS)}, or a gold or table types file"
    raise FormatError(f"begins with {raw[:16]!r}, expected {known}")
