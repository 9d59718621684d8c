"""Files on their way in: which of a folder or an archive are looked at, and what each holds."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from store.answer_lines import LINES, is_answers
from store.archives import is_archive, unpack
from store.formats import FORMATS, FormatError, recognise
from store.formats.proofgrid_json import GOLD, GOLD_LINES, TABLE_TYPES
from store.matching import is_export, stem
from store.pages import media_type
from store.turns import SMALL

What = Literal["document", "table types", "extraction", "gold"]

# In this order files are stored: each kind may need those before it.
ORDER: tuple[What, ...] = ("table types", "document", "extraction", "gold")
_SUFFIXES = {"application/pdf": (".pdf",), "image/png": (".png",), "image/jpeg": (".jpg", ".jpeg")}
_DOCUMENTS = tuple(suffix for suffixes in _SUFFIXES.values() for suffix in suffixes)
_TEXTS = (".json", ".jsonl", ".ndjson", ".html", ".htm", ".csv", ".tsv", ".tab", ".psv", ".xml")
_OTHERS = (*_TEXTS, ".xlsx", ".xlsm", ".parquet", ".zip")
# Any prose has these suffixes: in a folder it counts beside a document of the same name, or named as exports are.
_PROSE = (".txt", ".md")
# The name of a document, the beginning of its hash, and what of it is shown.
_PICTURE = re.compile(r"-[0-9a-f]{8}\..+\.png$")
_OF_RELEASE = re.compile(r"^release-[0-9a-f]{8}\.json$|-[0-9a-f]{8}\..+\.passport\.json$")


@dataclass(frozen=True)
class Incoming:
    """A file that was looked at: what it holds and its format, or why it was refused.

    ``by_line``: each line is read for itself; its format is told then, unless it is given. ``inside`` is how a
    file of an archive is called. ``parts``: several files that are one answer, of which this is the first.
    """

    path: Path
    what: What | None
    format: str = ""
    problem: str = ""
    by_line: bool = False
    inside: Path | None = None
    parts: tuple[Incoming, ...] = ()

    @property
    def is_small(self) -> bool:
        """Whether the file is read and stored in so short a time that others can wait for it; never raises."""
        try:
            paths = [part.path for part in self.parts] or [self.path]
            return not self.by_line and sum(path.stat().st_size for path in paths) <= SMALL
        except OSError:
            return True

    @property
    def shown(self) -> Path:
        """The path by which people know the file."""
        return self.inside or self.path


def arriving(paths: Iterable[Path], scratch: Path, *, format_name: str, passed_over: list[Path]) -> Iterator[Incoming]:
    """What the files named hold, and those in folders and archives; archives are unpacked into the scratch folder.

    What is passed over is added to ``passed_over``.
    """
    for number, path in enumerate(looked_at(paths, passed_over)):
        if not (path.is_file() and is_archive(path)):
            yield incoming(path, format_name=format_name)
            continue
        into = scratch / str(number)
        lefts = list(unpack(path, into))
        for left in lefts:
            yield Incoming(path, None, problem=left.problem, inside=path / left.name if left.name else path)
        passed_inside: list[Path] = []
        files = list(looked_at([into], passed_inside)) if into.exists() else []
        passed_over += (path / file.relative_to(into) for file in passed_inside)
        for file in files:
            found = incoming(file, format_name=format_name)
            yield replace(found, inside=path / file.relative_to(into))
        if not files and not lefts:
            yield Incoming(path, None, problem="is an archive without documents or tables")


def looked_at(paths: Iterable[Path], passed_over: list[Path] | None = None) -> Iterator[Path]:
    """Each file named, and those in the folders named that may be documents or tables, once and in order.

    In a folder, hidden files, the pictures of exports and files of other kinds (programs, notes) are passed over;
    those of other kinds are added to ``passed_over``.
    """
    seen: set[Path] = set()
    for path in paths:
        found = sorted(_inside(path, passed_over)) if path.is_dir() else [path]
        for file in found:
            # Not resolve(): it raises for a link that leads round in a circle.
            if (real := Path(os.path.realpath(file))) not in seen:
                seen.add(real)
                yield file


def _inside(folder: Path, passed_over: list[Path] | None) -> Iterator[Path]:
    for file in folder.rglob("*"):
        inner = file.relative_to(folder)
        if any(part.startswith(".") for part in inner.parts) or not file.is_file():
            continue
        if _is_with_export(file):
            continue
        suffix = file.suffix.lower()
        beside = (file.with_name(f"{stem(file.name)}{kind}") for kind in _DOCUMENTS)
        is_named = suffix in _PROSE and (is_export(file.name) or any(map(Path.exists, beside)))
        if suffix in _DOCUMENTS + _OTHERS or is_named:
            yield file
        elif passed_over is not None:
            passed_over.append(file)


def _is_with_export(file: Path) -> bool:
    """Whether a file of an export of Proofgrid goes with its tables only: a picture of a page, a labelling set-up.

    So do what a release is, and the passports of its tables.
    """
    if _OF_RELEASE.search(file.name):
        return True
    for tables, folder in (("tasks.gold.json", "images"), ("pubtabnet.jsonl", "train")):
        if file.parent.name == folder and _PICTURE.search(file.name) and (file.parent.parent / tables).exists():
            return True
    return file.name == "config.xml" and file.with_name("tasks.gold.json").exists()


def incoming(path: Path, *, format_name: str) -> Incoming:
    """What a file holds, told by its content; ``format_name`` other than ``auto`` overrules that for tables.

    A file of tables with ``.gold.`` in its name is gold.
    """
    if shown(path) != str(path):
        return Incoming(path, None, problem="its name is not Unicode text; rename it")
    try:
        if path.exists() and not path.is_file():
            return Incoming(path, None, problem="is no regular file")
        may_be_lines = path.suffix.lower() in (*LINES, ".json") and not _is_gold(path)
        if may_be_lines and is_answers(path):
            return Incoming(path, "extraction", "" if format_name == "auto" else format_name, by_line=True)
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
    if found == GOLD_LINES:
        return Incoming(path, "gold", found, by_line=True)
    if found in (GOLD, TABLE_TYPES):
        return Incoming(path, "gold" if found == GOLD else "table types", found)
    what: What = "gold" if _is_gold(path) else "extraction"
    return Incoming(path, what, found if format_name == "auto" else format_name)


def misnamed(path: Path, kind: str) -> str:
    """That the name of a document of this media type ends as that of another kind of file; "" where it does not."""
    suffix = path.suffix.lower()
    if not suffix or suffix in _SUFFIXES.get(kind, (suffix,)):
        return ""
    return f"its name ends in {suffix}, but its bytes are those of a {kind.rpartition('/')[2].upper()} file"


def _is_gold(path: Path) -> bool:
    return ".gold." in path.name.lower()


def shown(path: Path) -> str:
    """The path as text that can be stored and printed: bytes of a name that are not UTF-8 become U+FFFD."""
    return os.fsencode(path).decode(errors="replace")


def expect_format(format_name: str) -> None:
    """Raise FormatError unless the name is ``auto`` or that of a format."""
    if format_name != "auto" and format_name not in FORMATS:
        raise FormatError(f"format {format_name!r}, expected auto or one of: {', '.join(FORMATS)}")
