"""What every export is made of and gives: gold tables by document, and files by name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlite_utils import Database

from store.comparison import Comparison
from store.documents import file_name
from store.home import Home

# The gold tables of one document at a time.
ByDocument = Iterable[Sequence[Comparison]]


@dataclass(frozen=True)
class Export:
    """One file to write: a name that is safe as a file name, perhaps in a folder, and its contents.

    ``notes`` say what the format does not carry of the tables in it.
    """

    name: str
    body: bytes
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Given:
    """Where an export finds what it needs beside the tables: the log of their edits, and the pages."""

    reader: Database
    home: Home


def name_of(entry: Comparison, ending: str) -> str:
    """The name of a file of a document."""
    return f"{entry.document.export_stem}.{ending}"


def id_of(entry: Comparison) -> str:
    """A name for one table, apart from any other; up to its dot it is that of the document's files."""
    return f"{entry.document.export_stem}.{file_name(entry.gold.name)}"
