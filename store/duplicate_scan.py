"""Documents that stand twice in a release, or in it and elsewhere: by their bytes, and by the texts of their tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from sqlite_utils import Database

from scoring.near_duplicates import Bag, bag, near_pairs
from scoring.table import Table, TableError
from store import gold
from store.documents import documents
from store.formats import FormatError, proofgrid_json, read
from store.formats.proofgrid_json import GOLD, GOLD_LINES
from store.incoming import Incoming, arriving, shown
from store.releases import Release, released_sheet, released_tables

# From this share of common texts on two documents are told as nearly the same.
LEAST_SHARE = 0.8
# Two forms that say "yes" and "no" are not the same document.
LEAST_TEXTS = 6


@dataclass(frozen=True)
class Scanned:
    """A document or file that is scanned: where it is, its name, the hash of its bytes, the texts of its tables."""

    where: str
    name: str
    sha256: str
    texts: Bag


@dataclass(frozen=True)
class Twin:
    """Two of them that are the same: by their ``bytes``, or by a share of the ``texts`` of their tables, 0..1."""

    by: Literal["bytes", "texts"]
    one: Scanned
    other: Scanned
    share: float

    def to_json(self) -> dict[str, Any]:
        """A plain mapping."""
        sides = {
            side: {"where": held.where, "name": held.name, "sha256": held.sha256}
            for side, held in (("one", self.one), ("other", self.other))
        }
        return {"by": self.by, "share": self.share, **sides}


@dataclass(frozen=True)
class Scan:
    """What a scan found: among the documents of a release, and between them and others.

    ``few_texts`` are how many documents and files could be compared by their bytes only.
    """

    documents: int
    others: int
    few_texts: int
    least_share: float
    within: tuple[Twin, ...]
    across: tuple[Twin, ...]

    def to_json(self) -> dict[str, Any]:
        """A plain mapping."""
        found = {part: [twin.to_json() for twin in getattr(self, part)] for part in ("within", "across")}
        return {
            "documents": self.documents,
            "others": self.others,
            "few_texts": self.few_texts,
            "least_share": self.least_share,
            "least_texts": LEAST_TEXTS,
            **found,
        }


def scan(release: Sequence[Scanned], others: Sequence[Scanned] = (), *, least_share: float = LEAST_SHARE) -> Scan:
    """The documents of a release that are the same or nearly, among themselves and with others."""
    few = sum(len(each.texts) < LEAST_TEXTS for each in (*release, *others))
    return Scan(
        documents=len(release),
        others=len(others),
        few_texts=few,
        least_share=least_share,
        within=tuple(_twins(release, None, least_share)),
        across=tuple(_twins(release, others, least_share)) if others else (),
    )


def of_release(reader: Database, made: Release) -> tuple[Scanned, ...]:
    """The documents of a release with its tables as it holds them."""
    tables = sorted(released_tables(reader, made.id), key=lambda table: (table.document_name, table.document))
    return tuple(
        Scanned(f"release {made.name}", name, digest, bag(released_sheet(reader, table).table for table in held))
        for (name, digest, _), held in groupby(
            tables, key=lambda table: (table.document_name, table.document_sha256, table.document)
        )
    )


def of_project(reader: Database, project: str) -> tuple[Scanned, ...]:
    """All documents of a project, with their gold as it is now, whether accepted or not."""
    return tuple(
        Scanned(f"project {project}", found.name, found.sha256, bag(_now(reader, found.id)))
        for found in documents(reader, project=project)
    )


def of_files(paths: Iterable[Path]) -> tuple[Scanned, ...]:
    """The files in folders and archives; of documents only the bytes, of files of tables also their texts.

    A file that cannot be read as tables is compared by its bytes.
    """
    with TemporaryDirectory() as scratch:
        found = arriving(paths, Path(scratch), format_name="auto", passed_over=[])
        return tuple(_file(each) for each in found if each.path.is_file())


def _now(reader: Database, document: int) -> Iterator[Table]:
    for table in gold.gold_tables(reader, document):
        yield gold.sheet_at(reader, table.id, gold.revision(reader, table.id)).table


def _file(found: Incoming) -> Scanned:
    raw = found.path.read_bytes()
    try:
        texts = bag(_tables(found, raw))
    except (FormatError, TableError):
        texts = frozenset()
    return Scanned("files", shown(found.shown), sha256(raw).hexdigest(), texts)


def _tables(found: Incoming, raw: bytes) -> list[Table]:
    if found.format == GOLD:
        return [entry.table for entry in proofgrid_json.read_gold(raw).tables]
    if found.format == GOLD_LINES:
        return [proofgrid_json.read_gold_line(line)[1].table for line in raw.splitlines() if line.strip()]
    if found.what in ("extraction", "gold") and not found.by_line:
        return [entry.table for entry in read(found.format, raw, name=found.path.name).tables]
    return []


def _twins(ones: Sequence[Scanned], others: Sequence[Scanned] | None, least_share: float) -> Iterator[Twin]:
    by_bytes: defaultdict[str, list[int]] = defaultdict(list)
    for at, each in enumerate(ones if others is None else others):
        by_bytes[each.sha256].append(at)
    against = ones if others is None else others
    same = {
        (at, found)
        for at, each in enumerate(ones)
        for found in by_bytes[each.sha256]
        if others is not None or at < found
    }
    for at, found in sorted(same):
        yield Twin("bytes", ones[at], against[found], 1.0)
    bags = [each.texts for each in ones], None if others is None else [each.texts for each in others]
    near = [
        pair
        for pair in near_pairs(*bags, least_share=least_share, least_texts=LEAST_TEXTS)
        if (pair.one, pair.other) not in same
    ]
    for pair in sorted(near, key=lambda pair: (-pair.share, pair.one, pair.other)):
        yield Twin("texts", ones[pair.one], against[pair.other], pair.share)
