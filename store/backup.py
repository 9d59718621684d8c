"""Backups: all of a home, or one project of it, as one file that another home begins with."""

from __future__ import annotations

import json
import lzma
import re
import sqlite3
import tempfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from hashlib import file_digest, sha256
from pathlib import Path, PurePosixPath
from typing import Any

from scoring.reading.json_value import json_value
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
_PIECE, LARGEST_MANIFEST = 1 << 20, 1 << 30
# People, their keys and the log of what they did belong to the home; what is kept to be fast is made again.
_OF_THE_HOME = frozenset({"person", "audit", "audit_cut", "api_key", "webhook_delivery", "webhook", "lease"})
_OF_THE_HOME |= {"kept_result", "confidence_summary", "time_erased", "timing_choice"}

Told = Callable[[int, int], None]


@dataclass(frozen=True)
class Backup:
    """What a backup holds; ``missing`` are documents whose file was not there, and another file may be ``replaced``."""

    made_at: str
    project: str | None
    documents: int
    bytes: int
    missing: tuple[str, ...] = ()
    replaced: bool = False


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
    there = file.exists()
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
    return replace(made, replaced=there)


def restore(file: Path, home: Home, *, told: Told | None = None) -> Backup:
    """Begin a home with what a backup holds; nothing is there before all of it was found whole.

    Raises StoreError for a file that is no backup or damaged, and where the home holds data already.
    """
    if home.database.exists():
        raise StoreError(f"{home.folder} holds data already; name another folder with --home, a backup is not merged")
    try:
        with (
            zipfile.ZipFile(file) as archive,
            _nothing_left(home) as moved,
            tempfile.TemporaryDirectory(dir=home.folder, prefix=".restore-") as scratch,
        ):
            manifest = _manifest(archive, file)
            folder = Path(scratch)
            for number, (name, wanted) in enumerate(manifest.files.items()):
                if told:
                    told(number, len(manifest.files))
                _take(archive, name, wanted, folder / name, file)
            # A database that is none, or of a newer version, is found here and not by the first who opens the home.
            _expect_database(folder / DATABASE, file)
            for name in manifest.files:
                if name != DATABASE and not (home.folder / name).exists():
                    (home.folder / name).parent.mkdir(parents=True, exist_ok=True)
                    (folder / name).rename(home.folder / name)
                    moved.append(home.folder / name)
            # Last, and only where nobody was faster: with it the home is there.
            home.database.hardlink_to(folder / DATABASE)
    except (OSError, EOFError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, RuntimeError, ValueError) as wrong:
        raise StoreError(f"{file}: cannot be restored: {wrong}; nothing was") from wrong
    return Backup(manifest.made_at, manifest.project, len(manifest.files) - 1, file.stat().st_size)


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


def _expect_database(path: Path, file: Path) -> None:
    try:
        Db(path).close()
    except StoreError as wrong:
        told = str(wrong).replace(str(path), DATABASE)
        raise StoreError(f"{file}: {told}; nothing was restored") from wrong


@contextmanager
def _nothing_left(home: Home) -> Iterator[list[Path]]:
    """The folder of a home for as long as the block lasts, and for good where it ends well.

    Else the files that the block added to the list are deleted, and the folders that were not there before.
    """
    before = {folder for folder in (home.folder, *home.folder.parents) if folder.exists()}
    moved: list[Path] = []
    try:
        home.folder.mkdir(parents=True, exist_ok=True)
        yield moved
    except BaseException:
        if not home.database.exists():  # else somebody else was faster, and may need them
            for path in moved:
                path.unlink(missing_ok=True)
        made = {folder for path in (home.database, *moved) for folder in path.parents} - before
        for folder in sorted(made, reverse=True):
            with suppress(OSError):  # it is not empty
                folder.rmdir()
        raise


@dataclass(frozen=True)
class _Manifest:
    """What a backup says it holds: each file with its size in bytes and its SHA-256."""

    made_at: str
    project: str | None
    files: Mapping[str, tuple[int, str]]


def _manifest(archive: zipfile.ZipFile, file: Path) -> _Manifest:
    none = StoreError(f"{file}: is no backup of Proofgrid ({FORMAT}); proofgrid backup makes one")
    names = Counter(archive.namelist())
    if MANIFEST not in names or archive.getinfo(MANIFEST).file_size > LARGEST_MANIFEST:
        raise none
    try:
        manifest = json_value(archive.read(MANIFEST))
        files = {name: (int(each["bytes"]), str(each["sha256"])) for name, each in manifest["files"].items()}
        found = _Manifest(str(manifest["made_at"]), manifest["project"], files)
        if manifest["format"] != FORMAT or DATABASE not in files:
            raise none
    except (ValueError, TypeError, LookupError, AttributeError):
        raise none from None
    if wrong := [name for name in files if name != DATABASE and not _NAMES.fullmatch(name)]:
        raise StoreError(f"{file}: holds {wrong[0]!r}, which is no document by its hash; nothing was restored")
    if wrong := [name for name in files if name not in names]:
        raise StoreError(f"{file}: {wrong[0]!r} is missing in it; nothing was restored")
    folders = {f"{folder}/" for name in files for folder in PurePosixPath(name).parents}
    if wrong := [name for name in names if name not in files and name not in folders and name != MANIFEST]:
        raise StoreError(f"{file}: holds {wrong[0]!r}, which its {MANIFEST} does not list; nothing was restored")
    if wrong := [name for name, times in names.items() if times > 1]:
        raise StoreError(f"{file}: holds {wrong[0]!r} twice; nothing was restored")
    return found


def _take(archive: zipfile.ZipFile, name: str, wanted: tuple[int, str], to: Path, file: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    digest, size = sha256(), 0
    with archive.open(name) as body, to.open("wb") as into:
        while piece := body.read(_PIECE):
            size += len(piece)
            if size > wanted[0]:
                break
            digest.update(piece)
            into.write(piece)
    if (size, digest.hexdigest()) != wanted:
        raise StoreError(f"{file}: {name} is not what was backed up (by its SHA-256); nothing was restored")
