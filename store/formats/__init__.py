"""Formats of extraction systems: one module each, found by content.

The contract of a format module (``contract.Format``): ``sniff(raw, name) -> bool`` tells by the
bytes whether a file is of its kind, and ``read(raw, name=..., pages=...) -> Read`` returns the
tables. Formats are pure: bytes in, values out, no files and no database. Text is kept as printed.
Holes, overlaps and wild spans are repaired here, once, with a note each; past this line every
table is whole. Confidence is kept with its kind and unit; what is missing stays missing.

A new format is a module and a line in FORMATS.
"""

from __future__ import annotations

from collections.abc import Mapping

from store.formats import azure, csv, html, json_records, proofgrid_json
from store.formats.contract import Format, FormatError, Read, ReadTable

__all__ = ["FORMATS", "Format", "FormatError", "Read", "ReadTable", "recognise"]

# In the order in which they are asked: what is told for certain first, what is only likely last.
FORMATS: Mapping[str, Format] = {
    "azure": azure,
    "json-records": json_records,
    "html": html,
    "csv": csv,
}


def recognise(raw: bytes, name: str) -> str:
    """What a file holds: a name of FORMATS, or ``gold`` or ``table-types`` for Proofgrid's own files.

    Told by content; the file's name is asked only where any text would do (CSV). Raises FormatError
    where nothing fits.
    """
    if own := proofgrid_json.kind(raw):
        return own
    for format_name, module in FORMATS.items():
        if module.sniff(raw, name):
            return format_name
    begins = raw[:16]
    raise FormatError(f"begins with {begins!r}, expected one of: {', '.join(FORMATS)}, or a gold or table types file")
