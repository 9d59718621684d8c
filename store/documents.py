"""Documents: files known by the sha256 of their bytes, with their pages."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from sqlite_utils import Database

from store.db import Db, NotFound, StoreError, insert, now, row
from store.home import Home
from store.pages import PageSize

# In bytes; file systems take 255 for the whole name.
LONGEST_FILE_NAME = 80
# In characters, so that it fits into a list.
_LONGEST_NAME = 80


@dataclass(frozen=True)
class Document:
    """One file of a project."""

    id: int
    project: str
    sha256: str
    name: str
    media_type: str
    doc_type: str
    conditions: tuple[str, ...]
    added_at: str
    added_by: str

    @property
    def stem(self) -> str:
        """The name up to its first dot, by which extraction files find their document."""
        return self.name.split(".", 1)[0]

    @property
    def export_stem(self) -> str:
        """The first part of the names of exported files: safe, and apart from that of any other document."""
        return f"{file_name(self.stem)}-{self.sha256[:8]}"


def file_name(text: str) -> str:
    """The text as a part of a file name: letters, digits, hyphens and underscores only.

    A long one is cut, and a hash of all of it stands in place of the rest, so that two stay apart.
    """
    safe = "".join(sign if sign.isalnum() or sign in "-_" else "_" for sign in text) or "table"
    if len(safe.encode()) <= LONGEST_FILE_NAME:
        return safe
    cut = safe.encode()[:LONGEST_FILE_NAME].decode(errors="ignore")
    return f"{cut}-{sha256(text.encode()).hexdigest()[:8]}"


def expect_project_name(name: str) -> None:
    """Raise StoreError for a name that could not be told from others or typed: blank, padded, unprintable, too long."""
    expect_name(name, of="project", such_as="invoices")


def expect_name(name: str, *, of: str, such_as: str) -> None:
    """The same for the name of something else, with a good one as an example."""
    if not name.strip():
        raise StoreError(f"the name of the {of} is blank, expected a word such as {such_as}")
    if name != name.strip() or not name.isprintable():
        raise StoreError(
            f"the {of} is called {name!r}, expected a name without spaces around it and without control characters"
        )
    if len(name) > _LONGEST_NAME:
        raise StoreError(f"the name of the {of} has {len(name)} characters, expected at most {_LONGEST_NAME}")


def add_document(
    db: Db,
    home: Home,
    raw: bytes,
    *,
    name: str,
    media_type: str,
    pages: Sequence[PageSize],
    person: str,
    project: str,
    doc_type: str = "",
    conditions: Sequence[str] = (),
    unlocked: bytes | None = None,
) -> tuple[Document, bool]:
    """The stored document and whether it is new; the same bytes in one project are one document.

    ``unlocked`` is a copy without encryption, by which a document that needed a password is read.
    """
    digest = sha256(raw).hexdigest()
    _keep(home.document_file(digest), raw)
    if unlocked is not None:
        _keep(home.unlocked_file(digest), unlocked)
    with db.write() as writer:
        known = _find(writer, "project = ? and sha256 = ?", (project, digest))
        if known is not None:
            return known, False
        key = insert(
            writer,
            "document",
            {
                "project": project,
                "sha256": digest,
                "name": name,
                "media_type": media_type,
                "bytes": len(raw),
                "doc_type": doc_type,
                "conditions": json.dumps(list(conditions)),
                "added_at": now(),
                "added_by": person,
            },
        )
        writer.table("page").insert_all(
            {"document": key, "number": page.number, "width": page.width, "height": page.height} for page in pages
        )
        return document(writer, key), True


def document(reader: Database, key: int) -> Document:
    """The document with this id; raises NotFound."""
    found = _find(reader, "id = ?", (key,))
    if found is None:
        raise NotFound(f"document {key}: there is none with this number in the database")
    return found


def documents(reader: Database, *, project: str | None = None) -> tuple[Document, ...]:
    """All documents, or those of one project, by name."""
    where, values = ("1", ()) if project is None else ("project = ?", (project,))
    return tuple(_document(entry) for entry in reader["document"].rows_where(where, values, order_by="name, id"))


def documents_where(reader: Database, where: str, values: Mapping[str, Any]) -> tuple[Document, ...]:
    """The documents ``d`` for which a condition holds."""
    return tuple(_document(entry) for entry in reader.query(f"select d.* from document d where {where}", dict(values)))


def projects(reader: Database) -> tuple[str, ...]:
    """The names of all projects that hold a document, in order."""
    return tuple(entry["project"] for entry in reader.query("select distinct project from document order by project"))


def pages(reader: Database, key: int) -> tuple[PageSize, ...]:
    """The pages of a document in order."""
    rows = reader.query("select number, width, height from page where document = ? order by number", (key,))
    return tuple(PageSize(**entry) for entry in rows)


def with_bytes(reader: Database, raw: bytes, *, project: str) -> Document | None:
    """The document of a project that has exactly these bytes; None where there is none."""
    return _find(reader, "project = ? and sha256 = ?", (project, sha256(raw).hexdigest()))


def holds_file(reader: Database, digest: str) -> bool:
    """Whether some document has these bytes."""
    return row(reader, "select 1 from document where sha256 = ?", (digest,)) is not None


def _find(reader: Database, where: str, values: Sequence[Any]) -> Document | None:
    found = row(reader, f"select * from document where {where}", values)
    return None if found is None else _document(found)


def _document(entry: dict[str, Any]) -> Document:
    return Document(
        id=entry["id"],
        project=entry["project"],
        sha256=entry["sha256"],
        name=entry["name"],
        media_type=entry["media_type"],
        doc_type=entry["doc_type"],
        conditions=_conditions(entry["conditions"]),
        added_at=entry["added_at"],
        added_by=entry["added_by"],
    )


# Of thousands of documents a few are different.
@lru_cache(maxsize=1024)
def _conditions(body: str) -> tuple[str, ...]:
    return tuple(json.loads(body))


def _keep(path: Path, raw: bytes) -> None:
    """Write a file whole or not at all; one that is there already is left alone."""
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, part = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(handle, "wb") as file:
        file.write(raw)
        file.flush()
        os.fsync(file.fileno())
    Path(part).replace(path)
