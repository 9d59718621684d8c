"""To which document a file of tables belongs: by a mapping, a hash, its name and folder, or what it says itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePath
from typing import Any

from scoring.shown import brief
from store.documents import Document
from store.formats import FormatError, csv

# Under these keys programs write which document an answer was made from.
HASH_KEYS = ("document_sha256", "file_sha256", "pdf_sha256", "sha256")
NAME_KEYS = (
    *("document", "document_name", "file", "file_name", "fileName", "filename", "file_path", "source_file"),
    *("source", "pdf", "image"),
)
_HASH = re.compile(r"[0-9a-f]{64}")
_HASH_IN_NAME = re.compile(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")
# Names of exported files end in the beginning of the document's hash: see Document.export_stem.
_EXPORTED = re.compile(r"-[0-9a-f]{8}$")
_NUMBERED = re.compile(r"[-_ ]*\d")
_ADDED = re.compile(r"[-_ ]+[^\W\d_]")
_HEADS = ("extraction", "extraction file", "extraction_file", "file")


class NoDocument(ValueError):
    """A file of tables whose document is not known, or not the only one: says which were found."""


@dataclass(frozen=True)
class Named:
    """What a file says of the document that it was made from; "" where it says nothing."""

    name: str = ""
    sha256: str = ""

    def __bool__(self) -> bool:
        return bool(self.name or self.sha256)


def named_in(value: Any) -> Named:
    """What the top of a JSON value says of its document: a hash, and a name that ends as files do.

    A list of tasks of Label Studio says the hash that all of them name under ``data``.
    """
    if isinstance(value, list) and all(isinstance(entry, Mapping) for entry in value):
        digests = {named_in(entry.get("data")).sha256 for entry in value}
        return Named(sha256=digests.pop() if len(digests) == 1 else "")
    if not isinstance(value, Mapping):
        return Named()
    hashes = (str(value.get(key)).lower() for key in HASH_KEYS)
    names = (value.get(key) for key in NAME_KEYS)
    return Named(
        next((_bare(name) for name in names if isinstance(name, str) and _is_file_name(name)), ""),
        next((digest for digest in hashes if _HASH.fullmatch(digest)), ""),
    )


def stem(name: str) -> str:
    """The name up to its first dot, by which a file finds its document."""
    return name.split(".", 1)[0]


def is_export(name: str) -> bool:
    """Whether a file's name ends as those of exports do, before its first dot."""
    return _EXPORTED.search(stem(name)) is not None


def mapping_of(path: Path) -> dict[str, str]:
    """The lines of a mapping file: file of tables -> document (its name, or its SHA-256).

    A CSV file of two columns; a first line that says so is its header. Raises FormatError for any other
    file, naming the line.
    """
    try:
        read = csv.read(path.read_bytes(), name=path.name)
    except OSError as wrong:
        raise FormatError(f"{path}: cannot be read: {wrong.strerror}") from None
    except FormatError as wrong:
        raise FormatError(f"{path}: {wrong}") from None
    table = read.tables[0].table
    mapped: dict[str, str] = {}
    for row in range(table.n_rows):
        file, document = table.text_at(row, 0).strip(), table.text_at(row, 1).strip()
        if row == 0 and file.lower() in _HEADS:
            continue
        if table.n_cols != 2 or not file or not document:
            texts = [table.text_at(row, col) for col in range(table.n_cols)]
            raise FormatError(f"{path}, line {row + 1}: {brief(texts)}, expected a file of tables and its document")
        name = PurePath(file).as_posix()
        if mapped.setdefault(name, document) != document:
            raise FormatError(f"{path}, line {row + 1}: {file} stands there twice, of {mapped[name]} and of {document}")
    return mapped


@dataclass
class Documents:
    """The documents that files may belong to: those of this import by folder (None was refused), and all stored ones.

    ``mapping`` tells by their names to which document some files belong. ``stored`` is asked once, when the first
    file of tables looks for its document.
    """

    stored: Callable[[], Iterable[Document]]
    mapping: Mapping[str, str] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    alone: set[Path] = field(default_factory=set)
    by_folder: dict[Path, list[tuple[Path, Document | None]]] = field(default_factory=dict)
    by_stem: dict[tuple[Path, str], list[tuple[Path, Document | None]]] = field(default_factory=dict)

    def add(self, path: Path, document: Document | None) -> None:
        """Take note of a document file of this import and what it was stored as."""
        self.by_folder.setdefault(path.parent, []).append((path, document))
        self.by_stem.setdefault((path.parent, stem(path.name)), []).append((path, document))

    def of_file(self, path: Path, said: Named = Named()) -> Document:
        """The document to which a file of tables belongs.

        That is the one that the mapping names, else the one with the hash that stands in the file's name
        or in the file, else the one from which a file of this name was exported, else the one of the same
        stem in the same folder, else the one that the file names, else the one of the folder with which the
        file's name begins, else the only one of the folder, else the one of the same stem in the store. Raises
        NoDocument where there is none or more than one.
        """
        if mapped := self._mapped(path):
            return self.called(mapped, path.parent)
        for digest in (*_HASH_IN_NAME.findall(path.name.lower()), said.sha256):
            if digest in self._by_hash:
                return self._by_hash[digest]
        if is_export(path.name) and (exported := self._by_export.get(stem(path.name))):
            return exported
        beside = self.by_folder.get(path.parent, [])
        if found := self.by_stem.get((path.parent, stem(path.name))):
            return _only(found, stem(path.name))
        if said.name and self._called(said.name, path.parent):
            return self.called(said.name, path.parent)
        if longer := self._longer(path):
            return _only(longer, stem(path.name))
        if len(beside) == 1:
            self.alone.add(path)
            return _only(beside, stem(path.name))
        named = self._by_stem.get(stem(path.name), [])
        if len(named) == 1:
            return named[0]
        if named:
            raise NoDocument(f"may belong to {len(named)} stored documents of the name {stem(path.name)!r}")
        says = f" (the file says {said.name or said.sha256!r})" if said else ""
        raise NoDocument(
            f"belongs to an unknown document{says}: expected one named {stem(path.name)!r} beside it or in the store, "
            "or only one document in its folder"
        )

    def doubts(self, path: Path) -> tuple[str, ...]:
        """A note where a file went to the only document of its folder, and its name may be that of another one."""
        beside = self.by_folder.get(path.parent, [])
        if len(beside) != 1 or path not in self.alone:
            return ()
        name, document = stem(path.name), beside[0][0]
        other = name.startswith(stem(document.name)) and _NUMBERED.match(name[len(stem(document.name)) :])
        told = f"taken for {document.name}, the only document of the folder, but {name!r} may be another document"
        return (told,) if other else ()

    def called(self, name: str, folder: Path) -> Document:
        """The document of this name or hash, first in the folder, then in the store; raises NoDocument."""
        found = self._called(name, folder)
        if len(found) == 1:
            return _only(found, name)
        if found:
            raise NoDocument(f"{brief(name)} may be any of {len(found)} documents of this name")
        raise NoDocument(f"no document is called {brief(name)}, here or in the store")

    def said(self, named: Named, folder: Path) -> Document:
        """The document that a file names: by the hash, if it is known, else by the name; raises NoDocument."""
        if named.sha256 in self._by_hash or not named.name:
            return self.called(named.sha256, folder)
        return self.called(named.name, folder)

    def unused(self) -> tuple[str, ...]:
        """The files that the mapping names and that did not come."""
        return tuple(name for name in self.mapping if name not in self.used)

    def _called(self, name: str, folder: Path) -> list[tuple[Path, Document | None]]:
        if name.lower() in self._by_hash:
            return [(Path(name), self._by_hash[name.lower()])]
        bare = _bare(name)
        beside = self.by_stem.get((folder, stem(bare)), [])
        exact = [entry for entry in beside if entry[0].name == bare]
        exported = [self._by_export[stem(bare)]] if stem(bare) in self._by_export else []
        stored = self._by_name.get(bare) or exported or self._by_stem.get(stem(bare), [])
        return exact or beside or [(Path(document.name), document) for document in stored]

    def _longer(self, path: Path) -> list[tuple[Path, Document | None]]:
        """The document of the folder with which the file's name begins: ``march_tables.json`` for ``march.pdf``.

        A number that follows may be that of another document, so a letter has to; the longest name counts.
        """
        name = stem(path.name)
        for end in range(len(name) - 1, 0, -1):
            if _ADDED.match(name[end:]) and (found := self.by_stem.get((path.parent, name[:end]))):
                return found
        return []

    def _mapped(self, path: Path) -> str:
        # A mapping may name a file by its last folders too: the longest name that fits counts.
        for start in range(len(path.parts)):
            name = PurePath(*path.parts[start:]).as_posix()
            if name in self.mapping:
                self.used.add(name)
                return self.mapping[name]
        return ""

    @cached_property
    def _all(self) -> tuple[Document, ...]:
        return tuple(self.stored())

    @cached_property
    def _by_hash(self) -> dict[str, Document]:
        return {document.sha256: document for document in self._all}

    @cached_property
    def _by_export(self) -> dict[str, Document]:
        return {document.export_stem: document for document in self._all}

    @cached_property
    def _by_name(self) -> dict[str, list[Document]]:
        return _grouped((document.name, document) for document in self._all)

    @cached_property
    def _by_stem(self) -> dict[str, list[Document]]:
        return _grouped((document.stem, document) for document in self._all)


def _only(found: list[tuple[Path, Document | None]], name: str) -> Document:
    if len(found) > 1:
        names = ", ".join(sorted(file.name for file, _ in found))
        raise NoDocument(f"may belong to {names}: expected one document of the name {name!r}")
    ((file, document),) = found
    if document is None:
        raise NoDocument(f"belongs to {file.name}, which was refused")
    return document


def _grouped(pairs: Iterable[tuple[str, Document]]) -> dict[str, list[Document]]:
    groups: dict[str, list[Document]] = {}
    for name, document in pairs:
        groups.setdefault(name, []).append(document)
    return groups


def _is_file_name(name: str) -> bool:
    return len(name) < 500 and bool(re.search(r"\.\w{2,5}$", name)) and "\n" not in name


def _bare(name: str) -> str:
    """The name without folders, of either kind of slash."""
    return re.split(r"[/\\]", name)[-1]
