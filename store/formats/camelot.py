"""Camelot: its JSON export, a list of rows keyed by column number."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from scoring.table import LARGEST_GRID, Cell, Table
from store.formats import json_shape, json_text
from store.formats.contract import FormatError, Read, ReadTable
from store.formats.leading_rows import with_header
from store.pages import PageSize

# Camelot writes one file for each table, and its page stands in the name only.
_FILE_NAME = re.compile(r"-page-(\d{1,6})-table-(\d{1,6})\.")
_LOOKED_AT = 50


def sniff(raw: bytes, name: str) -> bool:
    """Whether the JSON is a list of objects whose keys are the numbers 0, 1, 2 ... and whose values are single."""
    value = json_text.peeked(raw)
    return isinstance(value, list) and bool(value) and all(_is_row(entry) for entry in islice(value, _LOOKED_AT))


def read(raw: bytes, *, name: str, pages: Sequence[PageSize] = ()) -> Read:
    """The one table of the file. The export holds neither spans (a covered cell is empty), boxes nor confidence."""
    value, notes = json_text.load(raw)
    if not isinstance(value, list):
        raise json_shape.wrong((), value, "a list of rows keyed by column number")
    cells: list[Cell] = []
    n_cols = max((len(row) for row in value if isinstance(row, Mapping)), default=0)
    if len(value) * n_cols > LARGEST_GRID:
        raise FormatError(f"{len(value)} rows of {n_cols} columns, expected at most {LARGEST_GRID:,} positions")
    for row, (entry, path) in enumerate(json_shape.listed(value, ())):
        for key, text in entry.items():
            if not key.isdecimal() or len(key) > 7 or int(key) >= n_cols or isinstance(text, dict | list):
                raise json_shape.wrong((*path, key), text, f"a text under a column number below {n_cols}")
            cells.append(Cell(row, int(key), json_text.text_of(text)))
    unique = {(cell.row, cell.col): cell for cell in cells}
    table, header = with_header(Table(len(value), n_cols, tuple(unique.values())))
    told = _FILE_NAME.search(name)
    place = f"page {told[1]}, table {told[2]}" if told else "/"
    return Read((ReadTable("table 1", table, header, place=place),), notes, "Camelot")


def _is_row(entry: Any) -> bool:
    return (
        isinstance(entry, Mapping)
        and bool(entry)
        and len(entry) <= LARGEST_GRID
        and all(key == str(place) for place, key in enumerate(entry))
        and not any(isinstance(text, dict | list) for text in entry.values())
    )
