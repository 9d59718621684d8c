"""What every format returns: the tables it read, with a note for each repair, or an error that names the place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from scoring.table import Table
from store.pages import PageSize


class FormatError(ValueError):
    """A file that cannot be read in a format: says what was found, where in the file, and what was expected."""


@dataclass(frozen=True)
class ReadTable:
    """One table of a file. A file that gives no name calls its tables ``table 1``, ``table 2`` ...

    ``notes`` say what was repaired while reading, one sentence each, for the reviewer to see.
    """

    name: str
    table: Table
    notes: tuple[str, ...] = ()


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
