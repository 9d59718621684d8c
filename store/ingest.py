"""Import: files and folders to documents, table types, extractions and gold, each file whole or not at all."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Literal

from sqlite_utils import Database

from scoring.schema import TableType
from scoring.table import Table, TableError
from store import documents, extractions, gold, incoming, pages, queue, reviews, table_types
from store.db import Db, StoreError
from store.documents import Document
from store.formats import FORMATS, FormatError, Read, ReadTable, json_records, proofgrid_json
from store.formats.proofgrid_json import GoldTable
from store.guidelines import add_guidelines
from store.home import Home
from store.incoming import ORDER, Arrived, Incoming, NoDocument
from store.pages import DocumentError

Outcome = Literal["new", "known", "refused"]

_MEDIA = {"application/pdf": "PDF", "image/png": "PNG image", "image/jpeg": "JPEG image"}


@dataclass(frozen=True)
class Entry:
    """What became of one file: ``what`` it holds, the format it was taken for, and what was repaired."""

    path: Path
    outcome: Outcome
    what: str
    took_for: str
    message: str
    notes: tuple[str, ...] = ()

    def line(self) -> str:
        """One line for a terminal."""
        took_for = f"{self.took_for}, " if self.took_for else ""
        return f"{self.outcome:<8}{incoming.shown(self.path)}: {took_for}{self.message}"


@dataclass(frozen=True)
class Ingested:
    """What became of all files, in the order in which they were dealt with."""

    entries: tuple[Entry, ...]

    @property
    def stored(self) -> tuple[Entry, ...]:
        """The files that were new."""
        return tuple(entry for entry in self.entries if entry.outcome == "new")

    @property
    def refused(self) -> tuple[Entry, ...]:
        """The files of which nothing was stored because they cannot be."""
        return tuple(entry for entry in self.entries if entry.outcome == "refused")

    def summary(self) -> str:
        """One sentence: how many files of each kind are new, known and refused."""
        kinds = Counter(entry.what for entry in self.stored)
        new = [f"{kinds[what]} {_plural(what, kinds[what])}" for what in ORDER if kinds[what]]
        parts = [f"New: {', '.join(new) if new else 'nothing'}"]
        known = len(self.entries) - len(self.stored) - len(self.refused)
        if known:
            parts.append(f"already there: {known}")
        if self.refused:
            parts.append(f"refused: {len(self.refused)}")
        return "; ".join(parts) + "."


def ingest(
    db: Db,
    home: Home,
    paths: Iterable[Path],
    *,
    person: str,
    project: str = "default",
    format_name: str = "auto",
    table_type: str = "",
    progress: Callable[[int, int], None] | None = None,
    dry_run: bool = False,
) -> Ingested:
    """Import files and folders; what is in the store already is told and left alone.

    Table types are stored first, then documents, extractions and gold. Each file is one
    transaction; a file that cannot be understood is refused with the place and the reason, and the
    rest goes on. An extraction opens a gold table for each of its tables that the document has no gold
    for; imported gold counts as accepted. ``table_type`` is the type of tables that
    neither name nor header tell. A dry run does the same and takes it back; until it is done nobody
    else can write.

    Raises StoreError for an unknown ``format_name`` or ``table_type``.
    """
    try:
        incoming.expect_format(format_name)
    except FormatError as wrong:
        raise StoreError(str(wrong)) from None
    work = _Work(db, home, person, project, format_name, table_type, progress, db.read)
    if not dry_run:
        return work.done(paths)
    with tempfile.TemporaryDirectory() as folder:
        try:
            with db.write():
                # Only the open transaction sees what it has stored so far.
                raise _TakenBack(replace(work, home=Home(Path(folder)), reading=db.write).done(paths))
        except _TakenBack as taken_back:
            return taken_back.ingested


class _TakenBack(Exception):
    """Ends the transaction of a dry run."""

    def __init__(self, ingested: Ingested) -> None:
        super().__init__()
        self.ingested = ingested


@dataclass(frozen=True)
class _Work:
    """One import: where it goes, on whose account, and what has arrived so far."""

    db: Db
    home: Home
    person: str
    project: str
    format_name: str
    table_type: str
    progress: Callable[[int, int], None] | None
    reading: Callable[[], AbstractContextManager[Database]]
    arrived: Arrived = field(default_factory=Arrived)
    touched: dict[int, Document] = field(default_factory=dict)
    types_beside: dict[Path, tuple[TableType, ...]] = field(default_factory=dict)
    types_of: dict[tuple[int, str], str] = field(default_factory=dict)

    def done(self, paths: Iterable[Path]) -> Ingested:
        files = [incoming.incoming(file, format_name=self.format_name) for file in incoming.looked_at(paths)]
        ordered = [file for what in (*ORDER, None) for file in files if file.what == what]
        n_types = sum(file.what == "table types" for file in files)
        entries = []
        for number, file in enumerate(ordered):
            if number == n_types:
                self._expect_table_type()
            if self.progress:
                self.progress(number, len(ordered))
            entries.append(self._stored(file))
        self._open_gold()
        with self.reading() as reader:
            # What is doubtful is worked out now, while a person waits anyway, and not when the queue is first opened.
            queue.entries(self.db, reader, queue.Filter(project=self.project))
        if self.progress:
            self.progress(len(ordered), len(ordered))
        return Ingested(tuple(entries))

    def _stored(self, file: Incoming) -> Entry:
        store = {
            "document": self._document,
            "table types": self._table_types,
            "extraction": self._extraction,
            "gold": self._gold,
        }
        try:
            if file.what is None:
                raise StoreError(file.problem)
            return store[file.what](file)
        except (FormatError, DocumentError, NoDocument, StoreError, TableError) as wrong:
            if file.what == "document":
                self.arrived.add(file.path, None)
            return Entry(file.path, "refused", file.what or "", file.format, str(wrong))
        except OSError as wrong:
            return Entry(file.path, "refused", file.what or "", file.format, f"cannot be read: {wrong.strerror}")

    def _document(self, file: Incoming) -> Entry:
        raw = file.path.read_bytes()
        info = pages.open_document(raw)
        added, new = documents.add_document(
            self.db,
            self.home,
            raw,
            name=file.path.name,
            media_type=info.media_type,
            pages=info.pages,
            person=self.person,
            project=self.project,
        )
        self.arrived.add(file.path, added)
        self.touched[added.id] = added
        message = f"{info.n_pages} {_plural('page', info.n_pages)}"
        if not new and added.name != file.path.name:
            message += f", stored as {added.name}"
        return Entry(file.path, "new" if new else "known", "document", _MEDIA[info.media_type], message)

    def _table_types(self, file: Incoming) -> Entry:
        raw = file.path.read_bytes()
        types, words = proofgrid_json.read_table_types(raw), proofgrid_json.read_guidelines(raw)
        with self.db.write():
            new = [table_types.add_table_type(self.db, entry, project=self.project) for entry in types]
            new += [
                add_guidelines(self.db, text, table_type=name, project=self.project) for name, text in words.items()
            ]
        self.types_beside[file.path.parent] = self.types_beside.get(file.path.parent, ()) + types
        message = ", ".join(entry.name for entry in types) or "the file holds none"
        return Entry(file.path, "new" if any(new) else "known", "table types", "table types", message)

    def _extraction(self, file: Incoming) -> Entry:
        raw = file.path.read_bytes()
        document, read = self._read(file, raw)
        typed = self._typed(read.tables, file.path.parent)
        self.touched[document.id] = document
        self.types_of.update({(document.id, entry.name): kind.name for entry, kind in typed if kind})
        _, new = extractions.add_extraction(
            self.db,
            document.id,
            raw,
            file_name=file.path.name,
            run=extractions.Run(read.extractor or file.format, read.version),
            format_name=file.format,
            tables=[entry for entry, _ in typed],
            notes=read.notes,
            person=self.person,
        )
        notes = (*read.notes, *(f"{entry.name}: {note}" for entry, _ in typed for note in entry.remarks))
        message = f"of {document.name}: {_listed([(entry.name, entry.table) for entry, _ in typed])}"
        return Entry(file.path, "new" if new else "known", "extraction", file.format, message, notes)

    def _gold(self, file: Incoming) -> Entry:
        raw = file.path.read_bytes()
        notes: tuple[str, ...] = ()
        if file.format == proofgrid_json.GOLD:
            document = self._document_of(file)
            read = proofgrid_json.read_gold(raw)
            tables, how = read.tables, ", ".join(filter(None, (read.author, read.how)))
        else:
            document, found = self._read(file, raw)
            typed = self._typed(found.tables, file.path.parent)
            tables = tuple(GoldTable(entry.name, kind.name if kind else "", entry.table) for entry, kind in typed)
            how, notes = f"read as {file.format}", found.notes
        with self.db.write():
            new = [self._gold_table(document, entry, how or file.path.name) for entry in tables]
        message = f"of {document.name}: {_listed([(entry.name, entry.table) for entry in tables])}"
        return Entry(file.path, "new" if any(new) else "known", "gold", file.format, message, notes)

    def _gold_table(self, document: Document, entry: GoldTable, how: str) -> bool:
        """Store one imported gold table as accepted; False where it is there. Raises StoreError on a clash."""
        added, new = gold.add_gold(
            self.db,
            document.id,
            entry.table,
            name=entry.name,
            base="import",
            person=self.person,
            table_type=entry.table_type,
        )
        if new:
            reviews.add_verdict(
                self.db,
                added.id,
                verdict="accept",
                person=self.person,
                id=f"import-{document.sha256}-{document.project}-{entry.name}",
                at_revision=0,
                reason=f"imported: {how}",
            )
            return True
        with self.db.write() as writer:
            same = gold.base_table(writer, added.id) == entry.table
        if not same:
            raise StoreError(
                f"gold table {entry.name!r} of {document.name} is in the store with other contents and may hold a "
                "person's work; nothing was overwritten. Import into another project to compare the two"
            )
        return False

    def _read(self, file: Incoming, raw: bytes) -> tuple[Document, Read]:
        document = self._document_of(file)
        with self.reading() as reader:
            sizes = documents.pages(reader, document.id)
        return document, FORMATS[file.format].read(raw, name=file.path.name, pages=sizes)

    def _document_of(self, file: Incoming) -> Document:
        return incoming.document_of(file.path, self.arrived, lambda: self._stored_documents)

    @cached_property
    def _stored_documents(self) -> tuple[Document, ...]:
        with self.reading() as reader:
            return documents.documents(reader, project=self.project)

    def _expect_table_type(self) -> None:
        with self.reading() as reader:
            known = [entry.name for entry in table_types.table_types(reader, project=self.project)]
        if self.table_type and self.table_type not in known:
            raise StoreError(
                f"table type {self.table_type!r} is not in project {self.project!r}; expected one of: "
                f"{', '.join(known) or 'none yet, import a table types file first'}"
            )

    def _typed(self, tables: Sequence[ReadTable], folder: Path) -> list[tuple[ReadTable, TableType | None]]:
        """The tables with their types; one that its header tells takes the name of its type, with a note."""
        with self.reading() as reader:
            known = table_types.table_types(reader, project=self.project)
        beside = self.types_beside.get(folder, ())
        names = {entry.name for entry in tables}
        typed: list[tuple[ReadTable, TableType | None]] = []
        for entry in tables:
            kind = self._kind(entry, beside, known)
            if kind and kind.name not in names:
                names.add(kind.name)
                note = f"{entry.name} was taken for {kind.name} by its header"
                entry = replace(entry, name=kind.name, notes=(*entry.notes, note))
            typed.append((entry, kind))
        return typed

    def _kind(self, entry: ReadTable, beside: Sequence[TableType], known: Sequence[TableType]) -> TableType | None:
        named = next((kind for kind in (*beside, *known) if kind.name == entry.name), None)
        if named:
            return named
        told = next((kind for kind in known if kind.name == self.table_type), None)
        if told and told.form == _is_form(entry):
            return told
        # Types that lie beside the file are meant for it; those of other folders only where none of these fits.
        return table_types.fitting(beside, entry.table, entry.name) or table_types.fitting(
            known, entry.table, entry.name
        )

    def _open_gold(self) -> None:
        """Open a gold table for each table of a first extraction for which the document has none, imported or open."""
        for document in self.touched.values():
            with self.db.write() as writer:
                first = extractions.first_extraction(writer, document.id)
                if first is None:
                    continue
                there = [
                    extractions.table_for(first, entry.name, entry.position)
                    for entry in gold.gold_tables(writer, document.id)
                ]
                known = table_types.table_types(writer, project=self.project)
                for table in first.tables:
                    if table in there:
                        continue
                    kind = self.types_of.get((document.id, table.name))
                    if kind is None:  # an earlier import stored the extraction and was cut off here
                        fitting = table_types.fitting(known, table.table, table.name)
                        kind = fitting.name if fitting else ""
                    gold.add_gold(
                        self.db,
                        document.id,
                        table.table,
                        name=table.name,
                        base="extraction",
                        person=self.person,
                        table_type=kind,
                        extracted_table=table.id,
                    )


def _is_form(entry: ReadTable) -> bool:
    return entry.name == json_records.FORM and entry.table.n_rows == 2


def _listed(tables: Sequence[tuple[str, Table]]) -> str:
    sizes = [f"{name} ({table.n_rows} x {table.n_cols})" for name, table in tables]
    return ", ".join(sizes) if sizes else "no tables"


def _plural(word: str, count: int) -> str:
    if word in ("gold", "table types"):
        return f"{word} {'file' if count == 1 else 'files'}"
    return word if count == 1 else f"{word}s"
