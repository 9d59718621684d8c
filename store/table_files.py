"""Files of tables on their way in: read, given to their documents, and stored as extractions or as gold."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from sqlite_utils import Database

from scoring.schema import TableType
from scoring.table import TableError
from store import (
    answer_lines,
    answer_parts,
    box_check,
    documents,
    extractions,
    formats,
    gold,
    page_readings,
    reviews,
    table_types,
)
from store.answer_lines import Answer
from store.db import Db, StoreError
from store.documents import Document
from store.formats import FORMATS, FormatError, Read, ReadTable, csv, json_text, proofgrid_json, recognise
from store.formats.proofgrid_json import GoldTable
from store.home import Home
from store.incoming import Incoming
from store.ingested import Entry, Outcome, listed
from store.matching import Documents, Named, NoDocument, named_in
from store.table_kinds import Kinds, open_gold
from store.told import MOST_PROBLEMS, Told
from store.turns import SMALL, Turns


@dataclass
class TableFiles:
    """The files of tables of one import, and what they have in common.

    ``touched`` are the documents for which gold may have to be opened, ``types_beside`` the table types by
    the folder of their file, ``types_of`` those of the tables that were stored, by document and name. In
    ``homes`` lie the files of the documents.
    """

    db: Db
    reading: Callable[[], AbstractContextManager[Database]]
    documents: Documents
    person: str
    project: str
    table_type: str
    touched: dict[int, Document] = field(default_factory=dict)
    types_beside: dict[Path, tuple[TableType, ...]] = field(default_factory=dict)
    types_of: dict[tuple[int, str], str] = field(default_factory=dict)
    homes: Sequence[Home] = ()

    def extraction(self, file: Incoming) -> list[Entry]:
        """Store a file as an extraction of its document, or of each document of which its tables speak.

        Raises FormatError, NoDocument, StoreError, TableError or OSError, and stores nothing then.
        """
        raw = file.path.read_bytes()
        given, problems = self._given(file, raw)
        told = Told()
        for document, read in given:
            told.add(document, *self._stored(document, read, raw, file, file.path.name))
        told.notes += self.documents.doubts(file.path)
        for problem in problems:
            told.refuse(problem)
        return told.entries(file, "document")

    def are_one(self, file: Incoming) -> bool:
        """Whether all parts of a file belong to one document; never raises."""
        try:
            return len({self.documents.of_file(part.path).id for part in file.parts}) == 1
        except NoDocument:
            return False

    def together(self, file: Incoming) -> list[Entry]:
        """Store files that hold one table each as one extraction, whole or not at all; raises as ``extraction``."""
        document = self.documents.of_file(file.path)
        parts: list[tuple[str, bytes]] = []
        notes: list[str] = []
        tables: list[ReadTable] = []
        for part in file.parts:
            name, raw = part.path.name, part.path.read_bytes()
            try:
                read = self._read(document, file.format, raw, part)
            except (FormatError, TableError) as wrong:
                raise FormatError(
                    f"{name}: {wrong}; the {len(file.parts)} files of this name are one extraction of {document.name}, "
                    "of which nothing was stored: mend it and import them together"
                ) from None
            notes += (f"{name}: {note}" for note in read.notes)
            for entry in read.tables:
                taken = any(entry.name == other.name for other in tables)
                called = f"table {len(tables) + 1}" if taken or entry.name == csv.UNNAMED else entry.name
                tables.append(replace(entry, name=called, place=", ".join(filter(None, (name, entry.place)))))
            parts.append((name, raw))
        read = replace(read, tables=tuple(tables), notes=tuple(notes))
        name = f"{file.path.name} and {len(parts) - 1} more"
        raw = extractions.files_received(parts)
        outcome, tables, told = self._stored(document, read, raw, file, name, parts=parts)
        one = f"one extraction of {len(parts)} files: {', '.join(name for name, _ in parts[:MOST_PROBLEMS])}"
        entries = []
        for part, entry in zip(file.parts, tables, strict=True):
            message = f"of {document.name}: {listed([(entry.name, entry.table)])}"
            said = *(told if part is file.parts[0] else ()), *entry.remarks
            # The extraction counts once, whatever the number of its files.
            count = int(part is file.parts[0])
            entries.append(Entry(part.shown, outcome, "extraction", file.format, message, (one, *said), count))
        return entries

    def answers(self, file: Incoming, turns: Turns, tick: Callable[[], None]) -> list[Entry]:
        """Store each line of a file as an extraction of the document that it names; ``tick`` is called now and then.

        One line is in the memory at a time, and each is stored whole or not at all. Raises OSError.
        """
        told = Told()
        for answer in answer_lines.answers(file.path):
            tick()
            try:
                if isinstance(answer, FormatError):
                    raise answer
                if len(answer.raw) > SMALL:
                    turns.end()
                document, read, line = self._answer(file, answer)
                name = f"{file.path.name} line {answer.line}"
                with turns.part():
                    stored = self._stored(document, read, answer.raw, line, name)
                told.formats[line.format] = None
                told.add(document, *stored)
            except (FormatError, NoDocument, StoreError, TableError) as wrong:
                told.refuse(str(wrong) if isinstance(answer, FormatError) else f"line {answer.line}: {wrong}")
        return told.entries(file, "line")

    def gold(self, file: Incoming) -> list[Entry]:
        """Store a file as accepted gold of its documents; raises as ``extraction``, and StoreError on a clash."""
        raw = file.path.read_bytes()
        told = Told("gold")
        if file.format == proofgrid_json.GOLD:
            document = self.documents.of_file(file.path)
            read = proofgrid_json.read_gold(raw)
            how = ", ".join(filter(None, (read.author, read.how))) or file.path.name
            self._add_gold(told, document, read.tables, how)
            told.notes += self.documents.doubts(file.path)
            return told.entries(file, "document")
        given, problems = self._given(file, raw)
        for document, found in given:
            typed = self._kinds.of(found.tables, self.types_beside.get(file.path.parent, ()))
            tables = [GoldTable(entry.name, kind.name if kind else "", entry.table) for entry, kind in typed]
            self._add_gold(told, document, tables, f"read as {file.format}", found.notes)
        told.notes += self.documents.doubts(file.path)
        for problem in problems:
            told.refuse(problem)
        return told.entries(file, "document")

    def gold_lines(self, file: Incoming, turns: Turns, tick: Callable[[], None]) -> list[Entry]:
        """Store each line of an export as an accepted gold table, as ``answers`` does with extractions."""
        told = Told("gold")
        with file.path.open("rb") as lines:
            for number, raw in enumerate(lines, start=1):
                tick()
                if not raw.strip():
                    continue
                try:
                    named, table, how = proofgrid_json.read_gold_line(raw)
                    said = Named(*named)
                    document = self.documents.said(said, file.path.parent)
                    with turns.part():
                        self._add_gold(told, document, [table], how or file.path.name)
                except (FormatError, NoDocument, StoreError, TableError) as wrong:
                    told.refuse(f"line {number}: {wrong}")
        return told.entries(file, "line")

    def open_gold(self) -> None:
        """Open gold tables for what is new in the extractions of all documents that this import touched."""
        open_gold(self.db, self.touched.values(), self.types_of, self._kinds, person=self.person)

    @cached_property
    def _kinds(self) -> Kinds:
        with self.reading() as reader:
            return Kinds(table_types.table_types(reader, project=self.project), self.table_type)

    def _answer(self, file: Incoming, answer: Answer) -> tuple[Document, Read, Incoming]:
        """The document of a line, what was read from it, and the line as a file of its own."""
        document = self.documents.said(answer.named, file.path.parent)
        format_name = file.format or recognise(answer.body, file.path.name)
        if format_name not in FORMATS:
            raise FormatError(f"holds a {format_name} file, expected what an extractor returned")
        return document, self._read(document, format_name, answer.body, file), replace(file, format=format_name)

    def _given(self, file: Incoming, raw: bytes) -> tuple[list[tuple[Document, Read]], list[str]]:
        """What was read for each document of which a file speaks, and which of them are not known."""
        value = json_text.peeked(raw) if file.format not in ("csv", "html") else None
        if file.format == "json-records" and (found := self._rows(file, value))[0]:
            return found
        said = named_in(value)
        try:
            document = self.documents.of_file(file.path, said)
        except NoDocument as wrong:
            read = formats.read(file.format, raw, name=file.path.name)
            if not read.tables or not all(entry.document for entry in read.tables):
                raise
            return self._split(file, read, str(wrong))
        read = self._read(document, file.format, raw, file)
        if len({entry.document for entry in read.tables}) > 1:
            return self._split(file, read, "")
        return [(document, read)], []

    def _rows(self, file: Incoming, value: Any) -> tuple[list[tuple[Document, Read]], list[str]]:
        """The rows of a list for each document that they name; nothing where they are those of one."""
        found: dict[int, tuple[Document, list[Mapping[str, Any]]]] = {}
        problems: dict[str, None] = {}
        for named, row in answer_lines.rows_by_document(value):
            try:
                document = self.documents.said(named, file.path.parent)
                found.setdefault(document.id, (document, []))[1].append(row)
            except NoDocument as wrong:
                problems[str(wrong)] = None
        given = [
            (document, self._read(document, file.format, answer_lines.written(rows).encode(), file))
            for document, rows in found.values()
        ]
        return given, list(problems)

    def _split(self, file: Incoming, read: Read, problem: str) -> tuple[list[tuple[Document, Read]], list[str]]:
        found: dict[int, tuple[Document, list[ReadTable]]] = {}
        problems: list[str] = []
        for named in dict.fromkeys(Named(entry.document, entry.sha256) for entry in read.tables):
            try:
                if not named:
                    raise NoDocument("tables that name no document, in a file that speaks of several")
                document = self.documents.said(named, file.path.parent)
            except NoDocument as wrong:
                problems.append(str(wrong))
                continue
            # Several names may be parts of one document: pages, or images of its tables.
            _, tables = found.setdefault(document.id, (document, []))
            for entry in read.tables:
                if (entry.document, entry.sha256) == (named.name, named.sha256):
                    taken = any(entry.name == other.name for other in tables)
                    tables.append(replace(entry, name=f"table {len(tables) + 1}") if taken else entry)
        if not found:
            raise NoDocument(f"{problem + '; ' if problem else ''}{'; '.join(problems[:3])}")
        return [(document, replace(read, tables=tuple(tables))) for document, tables in found.values()], problems

    def _read(self, document: Document, format_name: str, raw: bytes, file: Incoming) -> Read:
        with self.reading() as reader:
            sizes = documents.pages(reader, document.id)
        read = formats.read(format_name, raw, name=file.path.name, pages=sizes)
        return read if read.tables and all(entry.document for entry in read.tables) else self._checked(document, read)

    def _checked(self, document: Document, read: Read) -> Read:
        """The reading with a note where its boxes do not lie on the pages, or not on the words of them."""
        with self.reading() as reader:
            sizes = documents.pages(reader, document.id)
        tables, notes = box_check.checked(read.tables, box_check.words_in(self._pages_of(document)), sizes)
        return replace(read, tables=tables, notes=(*read.notes, *notes))

    def _pages_of(self, document: Document) -> Path | None:
        files = [home.readable_file(document.sha256) for home in self.homes]
        return next((file for file in files if file.exists()), None)

    def _stored(
        self,
        document: Document,
        read: Read,
        raw: bytes,
        file: Incoming,
        name: str,
        *,
        parts: Sequence[tuple[str, bytes]] = (),
    ) -> tuple[Outcome, list[ReadTable], tuple[str, ...]]:
        typed = self._kinds.of(read.tables, self.types_beside.get(file.path.parent, ()))
        self.touched[document.id] = document
        self.types_of.update({(document.id, entry.name): kind.name for entry, kind in typed if kind})
        tables = [entry for entry, _ in typed]
        added, new = extractions.add_extraction(
            self.db,
            document.id,
            raw,
            file_name=name,
            run=extractions.Run(read.extractor or file.format, read.version),
            format_name=file.format,
            tables=tables,
            notes=read.notes,
            person=self.person,
            parts=parts,
        )
        if new:
            page_readings.work_out(self.db, self._pages_of(document), added.tables)
        notes = read.notes
        first = self._first(document) if new and answer_parts.is_part(file.path.name, file.format) else added
        if first.id != added.id and first.format == added.format:
            told = f"{document.name} has an extraction already, which stays the one that is opened and scored"
            alone = "" if parts else ": files of one extraction have to be imported together, the first time"
            notes = (*notes, told + alone)
        return "new" if new else "known", tables, notes

    def _first(self, document: Document) -> extractions.Extraction:
        with self.db.write() as reader:  # it may not be stored yet for others to see
            found = extractions.first_extraction(reader, document.id)
        assert found is not None
        return found

    def _add_gold(
        self, told: Told, document: Document, tables: Sequence[GoldTable], how: str, notes: Sequence[str] = ()
    ) -> None:
        known = {kind.name for kind in self._kinds.known}
        unknown = {entry.table_type: entry.name for entry in tables if entry.table_type not in ("", *known)}
        notes = [*notes]
        for kind, name in unknown.items():
            notes.append(
                f"{name}: table type {kind!r} is not in the project; import it, until then columns count by position"
            )
        with self.db.write():
            new = [self._gold_table(document, entry, how) for entry in tables]
        told.add(
            document, "new" if any(new) else "known", [ReadTable(entry.name, entry.table) for entry in tables], notes
        )

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
