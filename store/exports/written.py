"""What every export is made of and gives: gold tables by document, and files by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from unicodedata import normalize

from sqlite_utils import Database

from store.comparison import Comparison
from store.documents import file_name
from store.home import Home
from store.releases import Release

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
    """Where an export finds what it needs beside the tables: the log of their edits, and the pages.

    ``release`` is the one that the tables are of; None for gold as it is now.
    """

    reader: Database
    home: Home
    release: Release | None = None


def name_of(entry: Comparison, ending: str) -> str:
    """The name of a file of a document."""
    return f"{entry.document.export_stem}.{ending}"


def with_ids(tables: Sequence[Comparison]) -> Iterator[tuple[str, Comparison]]:
    """Each table of a document under a name apart from any other; up to its dot it is that of the document's files.

    Some file systems do not tell capital from small letters, nor one way to write an accent from another: a name
    that is taken so gets the beginning of its hash.
    """
    taken: set[str] = set()
    for entry in tables:
        part = file_name(entry.gold.name)
        if _kin(part) in taken:
            part = f"{part}-{sha256(entry.gold.name.encode()).hexdigest()[:8]}"
        taken.add(_kin(part))
        yield f"{entry.document.export_stem}.{part}", entry


def _kin(name: str) -> str:
    return normalize("NFKC", name).casefold()
