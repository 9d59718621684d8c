"""Proofgrid's own JSON files: gold tables (``gold/1``) and table types (``table-types/1``)."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from scoring.schema import SchemaError, TableType
from scoring.table import Cell, Table, TableError
from store.formats import json_shape, json_text
from store.formats.contract import FormatError

LONGEST_GUIDELINES = 50_000
GOLD, GOLD_LINES, TABLE_TYPES = "gold", "gold-line", "table-types"
_KINDS = {"gold/1": GOLD, "gold-line/1": GOLD_LINES, "table-types/1": TABLE_TYPES}
_CELL_PARTS = tuple(part.name for part in fields(Cell))
_MAY_BE_ENDLESS = re.compile(rb"NaN|Infinity|[eE][+]?\d{3}")
_MARK = re.compile(rb'"proofgrid"\s*:\s*"([\w/.-]+)"')


@dataclass(frozen=True)
class GoldTable:
    """One gold table: its name, the name of its table type ("" for a grid), and the table."""

    name: str
    table_type: str
    table: Table


@dataclass(frozen=True)
class GoldFile:
    """What a gold file holds: who made the gold and how, and its tables in order."""

    author: str
    how: str
    tables: tuple[GoldTable, ...]


def kind(raw: bytes) -> str:
    """``gold`` or ``table-types`` for Proofgrid's own files, "" for any other."""
    found = _MARK.search(raw[:2000].replace(b"\0", b""))
    if not found or not json_text.looks_like(raw):
        return ""
    mark = found.group(1).decode()
    return _KINDS.get(mark) or next((own for known, own in _KINDS.items() if mark.startswith(known[:-1])), "")


def read_gold(raw: bytes) -> GoldFile:
    """The gold file; raises FormatError naming the JSON pointer of what is wrong."""
    value = _opened(raw, "gold/1")
    tables = _gold_tables(_listed(value, "tables"), "/tables")
    author, how = (json_text.text_of(value.get(key)) for key in ("author", "how"))
    return GoldFile(author, how, tuple(tables))


def _gold_tables(entries: Sequence[Any], path: str) -> list[GoldTable]:
    tables: list[GoldTable] = []
    for index, entry in enumerate(entries):
        where = f"{path}/{index}" if path else ""
        if not isinstance(entry, dict) or not isinstance(entry.get("name"), str) or not entry["name"]:
            raise FormatError(f"{where}: expected an object with a name and a table")
        if any(entry["name"] == other.name for other in tables):
            raise FormatError(f"{where}/name: {entry['name']!r} stands twice, expected one table of each name")
        table_type = entry.get("table_type") or ""
        if not isinstance(table_type, str):
            raise FormatError(f"{where}/table_type: {table_type!r}, expected the name of a table type or null")
        if not isinstance(entry.get("table"), dict):
            raise FormatError(f"{where}/table: missing, expected n_rows, n_cols and cells")
        _expect_known_parts(entry["table"].get("cells"), f"{where}/table/cells")
        try:
            tables.append(GoldTable(entry["name"], table_type, Table.from_json(entry["table"])))
        except (TableError, TypeError, AttributeError, OverflowError) as wrong:
            raise FormatError(f"{where}/table: {wrong}") from None
    return tables


def write_gold(tables: Sequence[tuple[str, str, Table]], *, author: str = "", how: str = "") -> bytes:
    """The gold file of tables, each with its name and table type, that ``read_gold`` reads back."""
    entries = [
        {"name": name, "table_type": table_type or None, "table": table.to_json()} for name, table_type, table in tables
    ]
    value = {"proofgrid": "gold/1", "author": author, "how": how, "tables": entries}
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()


def read_gold_line(raw: bytes) -> tuple[tuple[str, str], GoldTable, str]:
    """A line of a JSON Lines export: name and SHA-256 of its document, the table, and who made it.

    Raises FormatError naming the JSON pointer of what is wrong.
    """
    value = _opened(raw, "gold-line/1")
    named = tuple(value.get(key) for key in ("document", "document_sha256"))
    if not all(isinstance(part, str) for part in named):
        raise FormatError("/document: expected the name of the document, and its hash as document_sha256")
    (table,) = _gold_tables([value], "")
    people = value.get("people")
    how = ", ".join(map(str, people)) if isinstance(people, list) else ""
    return (str(named[0]), str(named[1])), table, how


def read_table_types(raw: bytes) -> tuple[TableType, ...]:
    """The table types of the file; raises FormatError naming the JSON pointer of what is wrong."""
    value = _opened(raw, "table-types/1")
    types: list[TableType] = []
    for index, entry in enumerate(_listed(value, "table_types")):
        try:
            types.append(TableType.from_json(_without_guidelines(entry)))
        except SchemaError as wrong:
            raise FormatError(f"/table_types/{index}: {wrong}") from None
        if any(types[-1].name == other.name for other in types[:-1]):
            raise FormatError(f"/table_types/{index}/name: {types[-1].name!r} stands twice, expected each name once")
    return tuple(types)


def read_guidelines(raw: bytes) -> dict[str, str]:
    """The guidelines that the file has, in Markdown, by the name of their table type.

    A text, or a list of its lines. Raises FormatError naming the JSON pointer of what is wrong.
    """
    found: dict[str, str] = {}
    for index, entry in enumerate(_listed(_opened(raw, "table-types/1"), "table_types")):
        if not isinstance(entry, dict) or "guidelines" not in entry:
            continue
        said = entry["guidelines"]
        lines = [said] if isinstance(said, str) else said
        if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
            raise FormatError(f"/table_types/{index}/guidelines: expected a text in Markdown, or a list of its lines")
        text = "\n".join(lines)
        if len(text) > LONGEST_GUIDELINES:
            most = f"{LONGEST_GUIDELINES:,} characters"
            raise FormatError(f"/table_types/{index}/guidelines: {len(text):,} characters, expected at most {most}")
        found[str(entry.get("name", ""))] = text
    return found


def _expect_known_parts(cells: Any, where: str) -> None:
    """A slip such as "txt" must not make an empty cell of gold."""
    for index, cell in enumerate(cells if isinstance(cells, list) else ()):
        for name in cell if isinstance(cell, dict) else ():
            if name not in _CELL_PARTS:
                raise FormatError(f"{where}/{index}/{name}: not known, expected one of {', '.join(_CELL_PARTS)}")


def _without_guidelines(entry: Any) -> Any:
    return {key: value for key, value in entry.items() if key != "guidelines"} if isinstance(entry, dict) else entry


def _opened(raw: bytes, expected: str) -> Mapping[str, Any]:
    value, notes = json_text.load(raw, verbatim=False)
    if json_text.LONE_SURROGATES in notes:
        raise FormatError("/: a text has half of a character (a lone surrogate), expected whole characters")
    if _MAY_BE_ENDLESS.search(raw):
        _expect_finite(value)
    if not isinstance(value, dict) or "proofgrid" not in value:
        raise FormatError(f'/: no mark of Proofgrid, expected {{"proofgrid": "{expected}", ...}}')
    if value["proofgrid"] != expected:
        raise FormatError(f"/proofgrid: {value['proofgrid']!r}, expected {expected!r}; written by a newer version?")
    return value


def _expect_finite(value: Any) -> None:
    """Raise FormatError for a number that is none, or beyond all numbers; Python reads such JSON."""
    stack: list[tuple[Any, json_shape.Path]] = [(value, ())]
    while stack:
        entry, path = stack.pop()
        if isinstance(entry, float) and not math.isfinite(entry):
            told = "NaN" if math.isnan(entry) else "Infinity, or a number too large"
            raise FormatError(f"{json_text.pointer(path)}: {told}, expected a finite number")
        inner = entry.items() if isinstance(entry, dict) else enumerate(entry) if isinstance(entry, list) else ()
        stack.extend((part, (*path, key)) for key, part in inner)


def _listed(value: Mapping[str, Any], key: str) -> list[Any]:
    entries = value.get(key)
    if not isinstance(entries, list):
        raise FormatError(f"/{key}: {'missing' if entries is None else repr(entries)[:40]}, expected a list")
    return entries
