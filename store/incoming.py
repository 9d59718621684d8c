"""Files on their way in: which of a folder are looked at, what each holds, and to which document it belongs."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from store.documents import Document
from store.formats import FORMATS, FormatError, recognise
from store.formats.proofgrid_json import GOLD, TABLE_TYPES
from store.pages import media_type

What = Literal["document", "table types", "extraction", "gold"]

# In this order files are stored: each kind may need those before it.
ORDER: tuple[What, ...] = ("table types", "document", "extraction", "gold")
_DOCUMENTS = (".pdf", ".png", ".jpg", ".jpeg")
_OTHERS = (".json", ".jsonl", ".html", ".htm", ".csv", ".tsv", ".tab", ".psv", ".xlsx", ".xlsm", ".xml")
# Any prose has these suffixes: in a folder they count only beside a document of the same name.
_PROSE = (".txt", ".md")
# Names of exported files end in the beginning of the document's hash: see Document.export_stem.
_EXPORTED = re.compile(r"-[0-9a-f]{8}$")


@dataclass(frozen=True)
class Incoming:
    """A file that was looked at: what it holds and its format, or why it was refused."""

    path: Path
    what: What | None
    format: str = ""
    problem: str = ""


def looked_at(paths: Iterable[Path]) -> Iterator[Path]:
    """Each file named, and those in the folders named that may be documents or tables, once and in order.

    In a folder, hidden files and files of other kinds (programs, fonts, notes) are passed over.
    """
    seen: set[Path] = set()
    for path in paths:
        found = sorted(_inside(path)) if path.is_dir() else [path]
        for file in found:
            # Not resolve(): it raises for a link that leads round in a circle.
            if (real := Path(os.path.realpath(file))) not in seen:
                seen.add(real)
                yield file


def _inside(folder: Path) -> Iterator[Path]:
    for file in folder.rglob("*"):
        inner = file.relative_to(folder)
        if any(part.startswith(".") for part in inner.parts) or not file.is_file():
            continue
        suffix = file.suffix.lower()
        beside = (file.with_name(f"{stem(file.name)}{kind}") for kind in _DOCUMENTS)
        if suffix in _DOCUMENTS + _OTHERS or (suffix in _PROSE and any(map(Path.exists, beside))):
            yield file


def incoming(path: Path, *, format_name: str) -> Incoming:
    """What a file holds, told by its content; ``format_name`` other than ``auto`` overrules that for tables.

    A file of tables with ``.gold.`` in its name is gold.
    """
    if shown(path) != str(path):
        return Incoming(path, None, problem="its name is not Unicode text; rename it")
    try:
        if path.exists() and not path.is_file():
            return Incoming(path, None, problem="is no regular file")
        raw = path.read_bytes()
    except OSError as wrong:
        return Incoming(path, None, problem=f"cannot be read: {wrong.strerror}")
    if media_type(raw) or path.suffix.lower() in _DOCUMENTS:
        return Incoming(path, "document")
    try:
        found = recognise(raw, path.name)
    except FormatError as wrong:
        if format_name == "auto":
            return Incoming(path, None, problem=str(wrong))
        found = format_name
    if found in (GOLD, TABLE_TYPES):
        return Incoming(path, "gold" if found == GOLD else "table types", found)
    what: What = "gold" if ".gold." in path.name.lower() else "extraction"
    return Incoming(path, what, found if format_name == "auto" else format_name)


def shown(path: Path) -> str:
    """The path as text that can be stored and printed: bytes of a name that are not UTF-8 become U+FFFD."""
    return os.fsencode(path).decode(errors="replace")


def stem(name: str) -> str:
    """The name up to its first dot, by which a file finds its document."""
    return name.split(".", 1)[0]


class NoDocument(ValueError):
    """A file of tables whose document is not known, or not the only one: says which were found."""


@dataclass
class Arrived:
    """The documents of one import by folder and by stem; None stands for one that was refused."""

    by_folder: dict[Path, list[tuple[Path, Document | None]]] = field(default_factory=dict)
    by_stem: dict[tuple[Path, str], list[tuple[Path, Document | None]]] = field(default_factory=dict)

    def add(self, path: Path, document: Document | None) -> None:
        """Take note of a document file and what it was stored as."""
        self.by_folder.setdefault(path.parent, []).append((path, document))
        self.by_stem.setdefault((path.parent, stem(path.name)), []).append((path, document))


def document_of(path: Path, arrived: Arrived, stored: Callable[[], Iterable[Document]]) -> Document:
    """The document to which a file of tables belongs.

    That is the one from which a file of this name was exported, else the one of the same stem in the
    same folder, else the only one of the folder, else the one of the same stem in the store. Raises
    NoDocument where there is none or more than one.
    """
    if _EXPORTED.search(stem(path.name)):
        for known in stored():
            if known.export_stem == stem(path.name):
                return known
    beside = arrived.by_folder.get(path.parent, [])
    found = arrived.by_stem.get((path.parent, stem(path.name))) or (beside if len(beside) == 1 else [])
    if len(found) > 1:
        names = ", ".join(sorted(file.name for file, _ in found))
        raise NoDocument(f"may belong to {names}: expected one document of the name {stem(path.name)!r}")
    for file, document in found:
        if document is None:
            raise NoDocument(f"belongs to {file.name}, which was refused")
        return document
    named = [document for document in stored() if document.stem == stem(path.name)]
    if len(named) == 1:
        return named[0]
    if named:
        raise NoDocument(f"may belong to {len(named)} stored documents of the name {stem(path.name)!r}")
    raise NoDocument(
        f"belongs to an unknown document: expected one named {stem(path.name)!r} beside it or in the store, "
        "or only one document in its folder"
    )


def expect_format(format_name: str) -> None:
    """Raise FormatError unless the name is ``auto`` or that of a format."""
    if format_name != "auto" and format_name not in FORMATS:
        raise FormatError(f"format {format_name!r}, expected auto or one of: {', '.join(FORMATS)}")
