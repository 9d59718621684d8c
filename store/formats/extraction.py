"""What Proofgrid's own extractors write (``extraction/1``): tables with spans, headers, boxes and confidence."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from scoring.table import Box, Confidence, Table, TableError
from store.formats import json_text
from store.formats.contract import FormatError, Read, ReadTable
from store.pages import PageSize

MARK = "extraction/1"
_MARK = re.compile(rb'"proofgrid"\s*:\s*"extraction/')


def sniff(raw: bytes, name: str) -> bool:
    """Whether the mark stands at the beginning of JSON."""
    return bool(_MARK.search(raw[:2000].replace(b"\0", b""))) and json_text.looks_like(raw)


def read(raw: bytes, *, name: str, pages: Sequence[PageSize]) -> Read:
    """The tables as they were written; boxes are fractions of the page as displayed.

    Raises FormatError naming the JSON pointer of what is wrong.
    """
    value, _ = json_text.load(raw, verbatim=False)
    if not isinstance(value, dict) or value.get("proofgrid") != MARK:
        found = value.get("proofgrid") if isinstance(value, dict) else None
        raise FormatError(f"/proofgrid: {found!r}, expected {MARK!r}; written by a newer version?")
    tables: list[ReadTable] = []
    for index, entry in enumerate(_listed(value, "tables", "")):
        tables.append(_table(entry, f"/tables/{index}"))
        if any(tables[-1].name == other.name for other in tables[:-1]):
            raise FormatError(f"/tables/{index}/name: {tables[-1].name!r} stands twice, expected each name once")
    extractor, version = (json_text.text_of(value.get(key)) for key in ("extractor", "version"))
    notes = *_texts(value, "notes", ""), *_failures(value)
    return Read(tuple(tables), notes, extractor, version)


def write(
    tables: Sequence[ReadTable],
    *,
    extractor: str,
    version: str,
    notes: Sequence[str] = (),
    failed: Sequence[tuple[int, str]] = (),
) -> bytes:
    """The file that ``read`` reads back; ``failed`` are pages that could not be read, each with the reason."""
    value = {
        "proofgrid": MARK,
        "extractor": extractor,
        "version": version,
        "notes": list(notes),
        "failed_pages": [{"page": page, "reason": reason} for page, reason in failed],
        "tables": [
            {
                "name": entry.name,
                "boxes": [box.to_json() for box in entry.boxes],
                "confidence": [confidence.to_json() for confidence in entry.confidence],
                "notes": list(entry.notes),
                "table": entry.table.to_json(),
            }
            for entry in tables
        ],
    }
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()


def _table(entry: Any, where: str) -> ReadTable:
    if not isinstance(entry, dict) or not isinstance(entry.get("name"), str) or not entry["name"]:
        raise FormatError(f"{where}: expected an object with a name and a table")
    if not isinstance(entry.get("table"), dict):
        raise FormatError(f"{where}/table: missing, expected n_rows, n_cols and cells")
    try:
        return ReadTable(
            entry["name"],
            Table.from_json(entry["table"]),
            notes=_texts(entry, "notes", where),
            boxes=tuple(Box.from_json(box) for box in _listed(entry, "boxes", where)),
            confidence=tuple(Confidence.from_json(one) for one in _listed(entry, "confidence", where)),
            place=where,
        )
    except (TableError, TypeError, AttributeError, OverflowError) as wrong:
        raise FormatError(f"{where}: {wrong}") from None


def _failures(value: Mapping[str, Any]) -> tuple[str, ...]:
    notes = []
    for index, entry in enumerate(_listed(value, "failed_pages", "")):
        if (
            not isinstance(entry, dict)
            or type(entry.get("page")) is not int
            or not isinstance(entry.get("reason"), str)
        ):
            raise FormatError(f"/failed_pages/{index}: {repr(entry)[:40]}, expected an object with page and reason")
        notes.append(f"page {entry['page']} was not read: {entry['reason']}")
    return tuple(notes)


def _listed(value: Mapping[str, Any], key: str, where: str) -> list[Any]:
    entries = value.get(key, [] if key != "tables" else None)
    if not isinstance(entries, list):
        raise FormatError(f"{where}/{key}: {'missing' if entries is None else repr(entries)[:40]}, expected a list")
    return entries


def _texts(value: Mapping[str, Any], key: str, where: str) -> tuple[str, ...]:
    entries = _listed(value, key, where)
    for index, text in enumerate(entries):
        if not isinstance(text, str):
            raise FormatError(f"{where}/{key}/{index}: {repr(text)[:40]}, expected a text")
    return tuple(entries)
