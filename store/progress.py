"""Progress: how many tables are done, open, skipped and flagged, by person and by table type."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from sqlite_utils import Database

from store import queue
from store.assignment import assignees
from store.db import Db
from store.queue import Filter
from store.table_types import type_labels

# Whoever accepted a table last has done it.
_DONE_BY = """select gold, person from verdict where rowid in
    (select max(rowid) from verdict where verdict in ('accept', 'reopen') group by gold) and verdict = 'accept'"""
NOBODY = ""


@dataclass(frozen=True)
class Progress:
    """Counts of tables under one name, with its label for a person to read.

    Open ones are those that nobody has decided about yet, begun or not.
    """

    name: str
    label: str
    done: int
    open: int
    skipped: int
    flagged: int

    @property
    def whole(self) -> int:
        """All of them."""
        return self.done + self.open + self.skipped + self.flagged


@dataclass(frozen=True)
class Found:
    """The progress of each person (tables for nobody under NOBODY), of each table type, and of all tables."""

    people: tuple[Progress, ...]
    types: tuple[Progress, ...]
    everything: Progress


def progress(db: Db, reader: Database, *, project: str = "") -> Found:
    """The progress of a project, or of all.

    A table that is done counts for who accepted it, any other one for whom it is meant. Second keyings are left out.
    """
    meant = assignees(db, reader)
    done_by = {entry["gold"]: entry["person"] for entry in reader.query(_DONE_BY)}
    people: dict[str, Counter[str]] = defaultdict(Counter)
    types: dict[str, Counter[str]] = defaultdict(Counter)
    for entry in queue.entries(db, reader, Filter(project=project, status="all")):
        status = "open" if entry.status == "started" else entry.status
        owner = done_by.get(entry.gold, NOBODY) if status == "accepted" else meant.get(entry.gold, NOBODY)
        people[owner][status] += 1
        types[entry.table_type][status] += 1
    whole: Counter[str] = sum(types.values(), Counter())
    labels = type_labels(reader, project=project)
    return Found(_sorted(people, {}), _sorted(types, labels), _progress("", "", whole))


def _sorted(counts: Mapping[str, Counter[str]], labels: Mapping[str, str]) -> tuple[Progress, ...]:
    found = [_progress(name, labels.get(name, name), of) for name, of in counts.items()]
    return tuple(sorted(found, key=lambda one: (one.name == NOBODY, one.label)))


def _progress(name: str, label: str, counts: Counter[str]) -> Progress:
    return Progress(name, label, counts["accepted"], counts["open"], counts["skipped"], counts["flagged"])
