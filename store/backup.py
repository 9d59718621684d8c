"""Backups: all of a home, or one project of it, as one file that another home begins with."""

from __future__ import annotations

import json
import re
import sqlite3
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any

from store.audit import note
from store.db import Db, NotFound, StoreError, now
from store.documents import projects
from store.extractions import FILES_RECEIVED
from store.home import Home
from store.rights import expect_right

MANIFEST, DATABASE = "manifest.json", "proofgrid.db"
FORMAT = "proofgrid backup 1"
# What a backup may hold beside database and manifest: documents by their hash, and copies without encryption.
_NAMES = re.compile(r"(documents|unlocked)/([0-9a-f]{2})/(\2[0-9a-f]{62})")
_PIECE = 1 << 20
# People, their keys and the log of what they did belong to the home; what is kept to be fast is made again.
_OF_THE_HOME = frozenset({"person", "audit", "audit_cut", "api_key", "webhook_delivery", "webhook", "lease"})
_OF_THE_HOME |= {"kept_result", "confidence_summary", "time_erased", "timing_choice"}

Told = Callable[[int, int], None]


@dataclass(frozen=True)
class Backup:
    """What a backup holds; ``missing`` are documents whose file was not there."""

    made_at: str
    project: str | None
    documents: int
    bytes: int
    missing: tuple[str, ...] = ()


def back_up(
    db: Db, home: Home, file: Path, *, person: str, project: str | None = None, told: Told | None = None
) -> Backup:
    """Write a backup of the home, or of a project, as it stands now; people may go on working meanwhile.

    The file is there whole or not at all. Secrets of the home (its signing key, the configuration of signing in) are
    not in it; of one project neither people nor keys, audit log and webhooks. Raises NotFound for a project that is
    not there, NotAllowed, and StoreError where the file cannot be written.
    """
    with db.read() as reader:
        expect_right(reader, person, "export" if project else "people")
        if project is not None and project not in (known := projects(reader)):
            raise NotFound(f"project {project!r} holds no document; expected one of: {', '.join(known) or 'none yet'}")
    try:
        with tempfile.TemporaryDirectory(dir=file.absolute().parent, prefix=f".{file.name}.") as scratch:
            copy, whole = Path(scratch, DATABASE), Path(scratch, "backup.zip")
            with db.read() as reader, closing(sqlite3.connect(copy)) as into:
                reader.conn.backup(into)
            if project is not None:
                _leave_only(copy, project)
            made = _write(whole, copy, home, project, told)
            whole.replace(file)
    except OSError as wrong:
        raise StoreError(f"{file}: cannot be written: {wrong.strerror or wrong}; nothing was") from wrong
    with db.write() as writer:
        note(writer, person, "backed up", f"project {project}" if project else "all projects", detail=str(file))
    return made


def restore(file: Path, home: Home, *, told: Told | None = None) -> Backup:
    """Begin a home with what a backup holds; nothing is there before all of it was found whole.

    Raises StoreError for a file that is no backup or damaged, and where the home holds data already.
    """
    if home.database.exists():
        raise StoreError(f"{home.folder} holds data already; name another folder with --home, a backup is not merged")
    try:
        home.folder.mkdir(parents=True, exist_ok=True)
        with (
            zipfile.ZipFile(file) as archive,
            tempfile.TemporaryDirectory(dir=home.folder, prefix=".restore-") as scratch,
        ):
            manifest = _manifest(archive, file)
            folder = Path(scratch)
            for number, (name, wanted) in enumerate(manifest["files"].items()):
                if told:
                    told(number, len(manifest["files"]))
                _take(archive, name, wanted, folder / name, file)
            for name in manifest["files"]:
                if name != DATABASE and not (home.folder / name).exists():
                    (home.folder / name).parent.mkdir(parents=True, exist_ok=True)
                    (folder / name).rename(home.folder / name)
            # Last, and only where nobody was faster: with it the home is there.
            home.database.hardlink_to(folder / DATABASE)
    except (OSError, zipfile.BadZipFile, KeyError, ValueError, NotImplementedError) as wrong:
        raise StoreError(f"{file}: cannot be restored: {wrong}; nothing was") from wrong
    return Backup(manifest["made_at"], manifest["project"], len(manifest["files"]) - 1, file.stat().st_size)


def _write(whole: Path, copy: Path, home: Home, project: str | None, told: Told | None) -> Backup:
    files: dict[str, dict[str, Any]] = {}
    missing = []
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_STORED, allowZip64=True) as archive:
        archive.write(copy, DATABASE, zipfile.ZIP_DEFLATED)
        with copy.open("rb") as body:
            files[DATABASE] = {"bytes": copy.stat().st_size, "sha256": file_digest(body, "sha256").hexdigest()}
        documents = list(_documents(copy))
        for number, (digest, name) in enumerate(documents):
            if told:
                told(number, len(documents))
            if not (path := home.document_file(digest)).exists():
                missing.append(name)
                continue
            for each in (path, home.unlocked_file(digest)):
                if each.exists():
                    raw = each.read_bytes()
                    inside = each.relative_to(home.folder).as_posix()
                    archive.writestr(inside, raw)
                    files[inside] = {"bytes": len(raw), "sha256": sha256(raw).hexdigest()}
        made_at = now()
        manifest = {"format": FORMAT, "made_at": made_at, "project": project, "files": files}
        archive.writestr(MANIFEST, json.dumps(manifest, indent=1))
    return Backup(made_at, project, len(documents) - len(missing), whole.stat().st_size, tuple(missing))


def _documents(copy: Path) -> Iterator[tuple[str, str]]:
    with closing(sqlite3.connect(copy)) as connection:
        yield from connection.execute("select sha256, min(name) from document group by sha256 order by 1")


def _leave_only(copy: Path, project: str) -> None:
    """Take all out of a copy of a database that does not belong to a project."""
    with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
        connection.execute("pragma foreign_keys = off")
        connection.execute("begin")
        guards = connection.execute("select name, sql from sqlite_master where type = 'trigger'").fetchall()
        for name, _ in guards:
            connection.execute(f'drop trigger "{name}"')
        tables = [name for (name,) in connection.execute("select name from sqlite_master where type = 'table'")]
        for table in tables:
            columns = [column[1] for column in connection.execute(f'pragma table_info("{table}")')]
            if table in _OF_THE_HOME:
                connection.execute(f'delete from "{table}"')
            elif "project" in columns:
                connection.execute(f'delete from "{table}" where project <> ?', (project,))
        while any([_drop_orphans(connection, table) for table in tables]):
            pass
        _drop_unused(connection)
        for _, sql in guards:
            connection.execute(sql)
        connection.execute("commit")
        connection.execute("vacuum")


def _drop_orphans(connection: sqlite3.Connection, table: str) -> int:
    """Delete the rows that belong to a row which is gone; how many those were."""
    gone = 0
    for _, _, parent, column, of, *_ in connection.execute(f'pragma foreign_key_list("{table}")').fetchall():
        gone += connection.execute(
            f'delete from "{table}" where "{column}" is not null and "{column}" not in (select "{of}" from "{parent}")'
        ).rowcount
    return gone


def _drop_unused(connection: sqlite3.Connection) -> None:
    """Delete files as received that no extraction or attempt names, and of which none is a part."""
    named = {
        digest
        for table in ("extraction", "attempt")
        for (digest,) in connection.execute(f"select received from {table} where received is not null")
    }
    lists = [
        bytes(body)
        for (body,) in connection.execute(
            "select body from received where sha256 in (select received from extraction) and substr(body, 1, ?) = ?",
            (len(FILES_RECEIVED), FILES_RECEIVED),
        )
    ]
    for (digest,) in connection.execute("select sha256 from received").fetchall():
        if digest not in named and not any(digest.encode() in body for body in lists):
            connection.execute("delete from received where sha256 = ?", (digest,))


def _manifest(archive: zipfile.ZipFile, file: Path) -> dict[str, Any]:
    with suppress(KeyError, ValueError, AttributeError):
        manifest = json.loads(archive.read(MANIFEST))
        if manifest.get("format") == FORMAT and DATABASE in manifest["files"]:
            wrong = [name for name in manifest["files"] if name != DATABASE and not _NAMES.fullmatch(name)]
            if wrong:
                raise StoreError(f"{file}: holds {wrong[0]!r}, which is no document by its hash; nothing was restored")
            return dict(manifest)
    raise StoreError(f"{file}: is no backup of Proofgrid ({FORMAT}); proofgrid backup makes one")


def _take(archive: zipfile.ZipFile, name: str, wanted: Mapping[str, Any], to: Path, file: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    digest, size = sha256(), 0
    with archive.open(name) as body, to.open("wb") as into:
        while piece := body.read(_PIECE):
            size += len(piece)
            if size > wanted["bytes"]:
                break
            digest.update(piece)
            into.write(piece)
    if size != wanted["bytes"] or digest.hexdigest() != wanted["sha256"]:
        raise StoreError(f"{file}: {name} is not what was backed up (by its SHA-256); nothing was restored")
