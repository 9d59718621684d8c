"""Import: files, folders and archives to documents, table types, extractions and gold, each whole or not at all."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

from sqlite_utils import Database

from scoring.table import TableError
from store import answer_parts, documents, incoming, locked, queue, table_types
from store.audit import note
from store.db import Db, StoreError
from store.documents import Document
from store.formats import FormatError, explained, proofgrid_json
from store.guidelines import add_guidelines
from store.home import Home
from store.incoming import ORDER, Incoming
from store.ingested import Entry, Ingested, plural
from store.locked import Passwords, no_passwords
from store.matching import Documents, NoDocument, mapping_of
from store.pages import DocumentError, DocumentInfo, Locked, media_type
from store.rights import expect_right
from store.table_files import TableFiles
from store.turns import Turns

_MEDIA = {"application/pdf": "PDF", "image/png": "PNG image", "image/jpeg": "JPEG image"}


def ingest(
    db: Db,
    home: Home,
    paths: Iterable[Path],
    *,
    person: str,
    project: str = "default",
    format_name: str = "auto",
    table_type: str = "",
    mapping: Path | None = None,
    progress: Callable[[int, int], None] | None = None,
    dry_run: bool = False,
    passwords: Passwords = no_passwords,
) -> Ingested:
    """Import files, folders and ZIP archives; what is in the store already is told and left alone.

    Table types are stored first, then documents, extractions and gold. Each file is one
    transaction; a file that cannot be understood is refused with the place and the reason, and the
    rest goes on. An extraction opens a gold table for each of its tables that the document has no gold
    for; imported gold counts as accepted. ``table_type`` is the type of tables that
    neither name nor header tell, ``mapping`` a file that tells which document a file of tables belongs
    to. A KeyboardInterrupt, also one that ``progress`` raises, ends the import after the file in hand:
    what was stored stays, and the result says how many files are left. A dry run does the same and
    takes it back; until it is done nobody else can write. ``passwords`` gives those to try for an encrypted file;
    none is kept: the document is read by a copy without encryption beside its own bytes.

    Raises StoreError for an unknown ``format_name`` or ``table_type``, a mapping that cannot be read, or a name that no
    project can have.
    """
    documents.expect_project_name(project)
    with db.read() as reader:
        expect_right(reader, person, "import")
    try:
        incoming.expect_format(format_name)
        mapped = mapping_of(mapping) if mapping else {}
    except FormatError as wrong:
        raise StoreError(str(wrong)) from None
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        options = (person, project, format_name, table_type, mapping, mapped, progress, passwords)
        if not dry_run:
            done = _Work(db, home, home, folder, db.read, *options).done(paths)
            with db.write() as writer:
                note(writer, person, "imported", f"project {project}", detail=done.summary())
            return done
        try:
            with db.write():
                # Only the open transaction sees what it has stored so far.
                raise _TakenBack(_Work(db, Home(folder / "home"), home, folder, db.write, *options).done(paths))
        except _TakenBack as taken_back:
            return taken_back.ingested


class _TakenBack(Exception):
    """Ends the transaction of a dry run."""

    def __init__(self, ingested: Ingested) -> None:
        super().__init__()
        self.ingested = ingested


@dataclass(frozen=True)
class _Work:
    """One import: where it goes, where documents lie already, where archives are unpacked, on whose account."""

    db: Db
    home: Home
    kept: Home
    scratch: Path
    reading: Callable[[], AbstractContextManager[Database]]
    person: str
    project: str
    format_name: str
    table_type: str
    mapping: Path | None
    mapped: Mapping[str, str]
    progress: Callable[[int, int], None] | None
    passwords: Passwords

    def done(self, paths: Iterable[Path]) -> Ingested:
        files: list[Incoming] = []
        entries: list[Entry] = []
        passed_over: list[Path] = []
        unread = 0
        try:
            into = self.scratch / "archives"
            files.extend(incoming.arriving(paths, into, format_name=self.format_name, passed_over=passed_over))
        except KeyboardInterrupt:
            return Ingested((), 1)
        ordered = answer_parts.joined([file for what in (*ORDER, None) for file in files if file.what == what])
        n_types = sum(file.what == "table types" for file in files)
        with Turns(self.db) as turns:
            before = None
            for number, file in enumerate(ordered):
                try:
                    if file.what != before or not file.is_small:  # each kind looks for those before it in the store
                        turns.end()
                    before = file.what
                    if number == n_types:
                        self._expect_table_type()
                    self._tell(number, len(ordered))
                    entries += self._stored(file, turns, partial(self._tell, number, len(ordered)))
                except KeyboardInterrupt:
                    unread = sum(len(left.parts) or 1 for left in ordered[number:])
                    break
        if not unread and self.mapping and (unused := self._files.documents.unused()):
            problem = f"names files that did not come: {', '.join(unused[:5])}{' ...' if unused[5:] else ''}"
            entries.append(Entry(self.mapping, "refused", "", "mapping", problem))
        with suppress(KeyboardInterrupt):  # what is left is done by the next import
            self._files.open_gold()
            if not unread:
                with self.reading() as reader:
                    # What is doubtful is worked out now, while a person waits anyway, and not when the queue is opened.
                    queue.entries(self.db, reader, queue.Filter(project=self.project))
                self._tell(len(ordered), len(ordered))
        return Ingested(tuple(entries), unread, tuple(sorted(passed_over)))

    def _tell(self, done: int, of: int) -> None:
        if self.progress:
            self.progress(done, of)

    def _stored(self, file: Incoming, turns: Turns, tick: Callable[[], None]) -> list[Entry]:
        try:
            if file.what is None:
                raise StoreError(file.problem)
            if file.parts and not self._files.are_one(file):
                return [entry for part in file.parts for entry in self._stored(part, turns, tick)]
            if file.by_line:
                lines = self._files.gold_lines if file.what == "gold" else self._files.answers
                return lines(file, turns, tick)
            with turns.part() if file.is_small else nullcontext():
                return self._parsed(file)
        except Locked as wrong:
            self._files.documents.add(file.path, None)
            return [Entry(file.shown, "refused", "document", "PDF", str(wrong), locked=True)]
        except (FormatError, DocumentError, NoDocument, StoreError, TableError) as wrong:
            problem = str(wrong)
        except OSError as wrong:
            problem = f"cannot be read: {wrong.strerror}"
        except sqlite3.Error:
            raise  # of the database, and not of this file
        except Exception as fault:  # noqa: BLE001  # the rest of the batch goes on
            problem = explained(fault, f"with {file.shown}")
        if file.what == "document":
            self._files.documents.add(file.path, None)
        return [Entry(part.shown, "refused", file.what or "", file.format, problem) for part in file.parts or (file,)]

    def _parsed(self, file: Incoming) -> list[Entry]:
        match file.what:
            case "document":
                return [self._document(file)]
            case "table types":
                return [self._table_types(file)]
            case "gold":
                return self._files.gold(file)
            case _:
                return self._files.together(file) if file.parts else self._files.extraction(file)

    def _document(self, file: Incoming) -> Entry:
        raw = file.path.read_bytes()
        otherwise = incoming.misnamed(file.path, media_type(raw))
        try:
            info, unlocked = self._opened(raw, file)
        except DocumentError as wrong:
            if otherwise and not isinstance(wrong, Locked):
                raise DocumentError(f"{wrong} ({otherwise})") from wrong
            raise
        added, new = documents.add_document(
            self.db,
            self.home,
            raw,
            name=file.path.name,
            media_type=info.media_type,
            pages=info.pages,
            person=self.person,
            project=self.project,
            unlocked=unlocked,
        )
        self._files.documents.add(file.path, added)
        self._files.touched[added.id] = added
        message = f"{info.n_pages} {plural('page', info.n_pages)}"
        if not new and added.name != file.path.name:
            message += f", stored as {added.name}"
        if otherwise:
            message += f"; {otherwise}"
        return Entry(file.shown, "new" if new else "known", "document", _MEDIA[info.media_type], message)

    def _opened(self, raw: bytes, file: Incoming) -> tuple[DocumentInfo, bytes | None]:
        with self.reading() as reader:
            known = documents.with_bytes(reader, raw, project=self.project)
            # Its password was given then. Where the copy was lost it is asked for again.
            if known is not None and self.kept.unlocked_file(known.sha256).exists():
                return DocumentInfo(known.media_type, documents.pages(reader, known.id)), None
        return locked.opened(raw, self.passwords(file.shown))

    def _table_types(self, file: Incoming) -> Entry:
        raw = file.path.read_bytes()
        types, words = proofgrid_json.read_table_types(raw), proofgrid_json.read_guidelines(raw)
        with self.db.write():
            new = [table_types.add_table_type(self.db, entry, project=self.project) for entry in types]
            new += [
                add_guidelines(self.db, text, table_type=name, project=self.project) for name, text in words.items()
            ]
        self._files.types_beside[file.path.parent] = self._files.types_beside.get(file.path.parent, ()) + types
        message = ", ".join(entry.name for entry in types) or "the file holds none"
        return Entry(file.shown, "new" if any(new) else "known", "table types", "table types", message)

    @cached_property
    def _files(self) -> TableFiles:
        def stored() -> tuple[Document, ...]:
            with self.reading() as reader:
                return documents.documents(reader, project=self.project)

        return TableFiles(
            self.db,
            self.reading,
            Documents(stored, self.mapped),
            self.person,
            self.project,
            self.table_type,
            homes=(self.home, self.kept),
        )

    def _expect_table_type(self) -> None:
        with self.reading() as reader:
            known = [entry.name for entry in table_types.table_types(reader, project=self.project)]
        if self.table_type and self.table_type not in known:
            raise StoreError(
                f"table type {self.table_type!r} is not in project {self.project!r}; expected one of: "
                f"{', '.join(known) or 'none yet, import a table types file first'}"
            )
