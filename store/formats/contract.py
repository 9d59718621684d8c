"""What every format returns: the tables it read, with each repair at its cell, or an error that names the place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from scoring.table import Box, Confidence, Table
from store.pages import PageSize

# A text by which a file may name its table: small letters, perhaps with the number of the table of this name.
NAME = re.compile(r"(?!table \d)[a-z][a-z0-9_]{0,63}(?: [1-9]\d{0,3})?")


class FormatError(ValueError):
    """A file that cannot be read in a format: says what was found, where in the file, and what was expected."""


@dataclass(frozen=True)
class Repair:
    """What was changed at one cell while reading, in words for the reviewer; the place is its anchor, 0-based."""

    row: int
    col: int
    what: str

    def __str__(self) -> str:
        return f"row {self.row + 1}, column {self.col + 1}: {self.what}"


@dataclass(frozen=True)
class ReadTable:
    """One table of a file. A file that gives no name calls its tables ``table 1``, ``table 2`` ...

    ``notes`` say what was understood or left out of the table as a whole, one sentence each, and
    ``repairs`` what was changed at single cells; the reviewer sees both. ``boxes`` tell where the
    table lies, one for each page or piece. ``confidence`` speaks of the whole table, never of its
    cells. ``place`` is where it stands in the file: a JSON pointer, "line 12", a sheet's name.
    ``document`` names the document it belongs to, in files that speak of several ("" = the only one), and
    ``sha256`` is that of the document, where the file tells it.
    """

    name: str
    table: Table
    notes: tuple[str, ...] = ()
    repairs: tuple[Repair, ...] = ()
    boxes: tuple[Box, ...] = ()
    confidence: tuple[Confidence, ...] = ()
    place: str = ""
    document: str = ""
    sha256: str = ""

    @property
    def remarks(self) -> tuple[str, ...]:
        """Notes and repairs in words, each with its place."""
        return (*self.notes, *map(str, self.repairs))


@dataclass(frozen=True)
class Read:
    """What a file holds: its tables in order, notes about the file as a whole, and who made it ("" = not said)."""

    tables: tuple[ReadTable, ...]
    notes: tuple[str, ...] = ()
    extractor: str = ""
    version: str = ""


class Format(Protocol):
    """A format module: knows its files by their content, and reads them."""

    def sniff(self, raw: bytes, name: str) -> bool:
        """Whether the bytes look like this format; ``name`` is the file's name. Never raises."""

    def read(self, raw: bytes, *, name: str, pages: Sequence[PageSize]) -> Read:
        """The tables of the file; ``pages`` are those of the document, where known.

        Raises FormatError naming line and column, or the JSON pointer, of what is wrong.
        """


def some(noun: str, places: Sequence[object], *, most: int = 5) -> str:
    """The places in words, cut short: "row 3", "rows 1, 2 and 4", "rows 1, 2, 3, 4, 5 and 9 more"."""
    if len(places) == 1:
        return f"{noun} {places[0]}"
    shown = [str(place) for place in places[:most]]
    last = f"{len(places) - most} more" if len(places) > most else shown.pop()
    return f"{noun}s {', '.join(shown)} and {last}"
