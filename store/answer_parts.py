"""Files of one table each that are one answer: what a run wrote for one document, a file for each of its tables."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from store.formats import csv
from store.incoming import Incoming

# These hold one table a file, and so do those who write them: a file for each table of a document.
_FORMATS = ("csv", "camelot")
# Camelot names its files so, whatever the form.
_PLACE = re.compile(r"-page-(\d{1,6})-table-(\d{1,6})(?=\.)")


def joined(files: Sequence[Incoming]) -> list[Incoming]:
    """The files in order, those of one answer as one with ``parts``: same folder, format and stem, tables named apart.

    ``march.fields.csv`` and ``march.items.csv`` are one answer, in the order of their names;
    ``march-page-1-table-1.json`` and ``march-page-2-table-1.json`` too, in the order of pages and tables.
    """
    groups: dict[tuple[Path, str, str], list[tuple[tuple[int, int, str], Incoming]]] = {}
    keys: list[tuple[Path, str, str] | None] = []
    for file in files:
        told = _part_of(file.path.name) if file.what == "extraction" and file.format in _FORMATS else None
        key = (file.path.parent, file.format, told[0]) if told else None
        keys.append(key)
        if told and key:
            groups.setdefault(key, []).append((told[1], file))
    result, done = [], set()
    for file, key in zip(files, keys, strict=True):
        if key is None or len(groups[key]) == 1:
            result.append(file)
        elif key not in done:
            done.add(key)
            result.append(replace(file, parts=tuple(part for _, part in sorted(groups[key], key=lambda part: part[0]))))
    return result


def is_part(name: str, format_name: str) -> bool:
    """Whether a file of this name and format may be one of several that are one answer."""
    return format_name in _FORMATS and _part_of(name) is not None


def _part_of(name: str) -> tuple[str, tuple[int, int, str]] | None:
    """The name that the files of one answer share, and the place of the table in it; None for a whole answer."""
    if told := _PLACE.search(name):
        return name[: told.start()] + name[told.end() :], (int(told[1]), int(told[2]), "")
    table = csv.table_name(name)
    return (name.split(".", 1)[0], (0, 0, table)) if table else None
