"""The documents that an extractor is to read: those of files and folders, or all of a project."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path

from store import documents
from store.db import Db
from store.documents import Document
from store.home import Home
from store.incoming import incoming, looked_at
from store.ingest import ingest
from store.ingested import Ingested
from store.locked import Passwords, no_passwords


def chosen(
    db: Db,
    home: Home,
    paths: Sequence[Path],
    *,
    person: str,
    project: str,
    progress: Callable[[int, int], None] | None = None,
    passwords: Passwords = no_passwords,
) -> tuple[tuple[Document, ...], Ingested]:
    """The documents of these paths, or all of the project where there are none, and what was imported for it.

    Of files and folders only documents and table types are imported: what other extractors returned for
    them is left alone. ``passwords`` gives those to try for an encrypted one.
    """
    files = [file for file in looked_at(paths) if _is_wanted(file)]
    done = Ingested(())
    if files:
        done = ingest(db, home, files, person=person, project=project, progress=progress, passwords=passwords)
    with db.read() as reader:
        known = documents.documents(reader, project=project)
    if not paths:
        return known, done
    hashes = {sha256(file.read_bytes()).hexdigest() for file in files if file.is_file()}
    return tuple(document for document in known if document.sha256 in hashes), done


def _is_wanted(file: Path) -> bool:
    # A file that is not there is wanted, so that the import tells that it is not.
    return not file.is_file() or incoming(file, format_name="auto").what in ("document", "table types")
