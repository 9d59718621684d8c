"""ZIP archives on their way in: unpacked into a folder, where nothing can leave it, fill the disk or hide a bomb."""

from __future__ import annotations

import shutil
import stat
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

MOST_FILES = 100_000
LARGEST_TOTAL = 20_000_000_000
# Text of tables shrinks to a fiftieth at most; what shrinks further, and is large, was made to burst.
LARGEST_RATIO, SMALL = 200, 20_000_000
# Office files are ZIP archives too, and have one of these in them.
_OFFICE = {"[Content_Types].xml", "mimetype"}


@dataclass(frozen=True)
class Left:
    """Something of an archive that was not unpacked, and why."""

    name: str
    problem: str


def is_archive(path: Path) -> bool:
    """Whether the file is a ZIP archive of files, and no office document; never raises."""
    try:
        with path.open("rb") as file:
            if file.read(4) not in (b"PK\x03\x04", b"PK\x05\x06"):
                return False
        with zipfile.ZipFile(path) as archive:
            return not _OFFICE & set(archive.namelist()[:50])
    except (OSError, zipfile.BadZipFile, ValueError, NotImplementedError):
        return path.suffix.lower() == ".zip"


def unpack(path: Path, into: Path, *, inner: bool = True) -> Iterator[Left]:
    """Unpack an archive into an empty folder, and the archives in it into folders of their names; what was left out.

    Left out are names that lead out of the archive, links, encrypted files and archives inside inner ones. An
    archive that is broken, or larger unpacked than LARGEST_TOTAL, MOST_FILES or LARGEST_RATIO allow, is left out
    as a whole, before anything is written.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            files = [entry for entry in archive.infolist() if not entry.is_dir()]
            if problem := _too_large(files, path.stat().st_size):
                yield Left("", problem)
                return
            into.mkdir(parents=True, exist_ok=True)
            for entry in files:
                if problem := _unpacked(archive, entry, into):
                    yield Left(entry.filename, problem)
    except (OSError, zipfile.BadZipFile, ValueError, NotImplementedError) as wrong:
        yield Left("", f"is a ZIP archive that cannot be opened ({wrong}); get it again")
        return
    for found in [file for file in sorted(into.rglob("*")) if file.is_file() and is_archive(file)]:
        name = found.relative_to(into).as_posix()
        if not inner:
            yield Left(name, "is an archive inside an archive inside an archive; unpack it first")
            found.unlink()
            continue
        packed = found.rename(found.with_name(f"{found.name}.packed"))
        for left in unpack(packed, found, inner=False):
            yield Left(f"{name}/{left.name}" if left.name else name, left.problem)
        packed.unlink()


def _too_large(files: list[zipfile.ZipInfo], packed: int) -> str:
    total = sum(entry.file_size for entry in files)
    if len(files) > MOST_FILES:
        return f"holds {len(files):,} files, expected at most {MOST_FILES:,}; import it in parts"
    if total > LARGEST_TOTAL:
        return (
            f"holds {total / 1e9:,.1f} GB unpacked, expected at most {LARGEST_TOTAL / 1e9:,.0f} GB; import it in parts"
        )
    if total > SMALL and total > packed * LARGEST_RATIO:
        return (
            f"is {total // max(packed, 1):,} times larger unpacked ({total / 1e6:,.0f} MB), expected at most "
            f"{LARGEST_RATIO} times: it may be made to fill the disk. If it is not, unpack it and import the folder"
        )
    return ""


def _unpacked(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, into: Path) -> str:
    """Write one file of an archive; what is wrong with it, or ""."""
    name = PurePosixPath(entry.filename.replace("\\", "/"))
    if name.is_absolute() or ".." in name.parts or (name.parts and ":" in name.parts[0]) or "\0" in entry.filename:
        return "its name leads out of the archive; it was not unpacked"
    if stat.S_ISLNK(entry.external_attr >> 16):
        return "is a link; put the file itself into the archive"
    if entry.flag_bits & 0x1:
        return "is encrypted; unpack the archive with its password and import the folder"
    target = into.joinpath(*name.parts)
    try:
        there = target.exists()
    except OSError as wrong:  # a name may be too long for the disk
        return f"cannot be unpacked: {wrong.strerror}"
    if there:
        return "stands twice in the archive; the first was taken"
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with archive.open(entry) as source, target.open("wb") as file:
            shutil.copyfileobj(source, file, 1 << 20)
    except (OSError, zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as wrong:
        target.unlink(missing_ok=True)
        return f"cannot be unpacked: {wrong}"
    return ""
