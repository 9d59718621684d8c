"""Correction times of gold tables, kept in the database until stretches of work are added or deleted."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field

from sqlite_utils import Database

from store.activity import Recorded, recorded
from store.db import Db, row
from store.kept_values import Key, Shelf
from store.work_time import CorrectionTime, correction_time, credits_of, summed

# Each transaction waits for the disk, so that many times share one.
WRITTEN_AT_ONCE = 500
# So few are worked out faster than looked up, which means to look at all stretches.
FEW = 20
# Goes up when times follow from stretches in another way than before.
VERSION = 1

# In order of their beginning: stretches of one person that overlap share what counts.
_STRETCHES = """select rowid, gold, person, began_ms, began_ms + active_ms + idle_ms + hidden_ms + waiting_ms
from activity order by person, began_ms"""

_LIKE = """select other.id from first_pass own join document d on d.id = own.document
join first_pass other on other.table_type = own.table_type and other.id <> own.id
join document e on e.id = other.document and e.project = d.project
where own.id = :gold and (select verdict from verdict v where v.gold = other.id and verdict in ('accept', 'reopen')
    order by rowid desc limit 1) is 'accept'"""


@dataclass(slots=True)
class Overlapping:
    """Stretches of one person that hang together, each overlapping another one: nothing else decides what counts."""

    stretches: list[int] = field(default_factory=list)
    golds: set[int] = field(default_factory=set)

    @property
    def signature(self) -> tuple[int, int]:
        """It changes with the stretches, of which none is ever changed: the newest one, and how many there are."""
        return max(self.stretches), len(self.stretches)


def kept_times(db: Db, reader: Database, golds: Iterable[int]) -> Mapping[int, CorrectionTime]:
    """The correction time of each of these tables on which somebody worked: that of ``correction_time``."""
    golds = list(golds)
    if len(golds) <= FEW:
        return {gold: time for gold in golds if (time := correction_time(reader, gold)).measured}
    by_gold: dict[int, list[Overlapping]] = {}
    for group in overlapping(reader):
        for gold in group.golds:
            by_gold.setdefault(gold, []).append(group)
    gone = erased(reader)
    signed: dict[Key, str] = {
        (gold,): json.dumps([VERSION, gone, *(group.signature for group in by_gold[gold])])
        for gold in golds
        if gold in by_gold
    }
    found = _TIMES.values(db, reader, signed, lambda keys: _times(reader, keys, by_gold), at_once=WRITTEN_AT_ONCE)
    return {gold: found[gold,] for (gold,) in signed if found[gold,].measured}


def times_of_like_tables(db: Db, reader: Database, key: int) -> tuple[int, ...]:
    """The active times in ms, sorted, of the other accepted tables of the same project and type that have one."""
    rows = reader.execute(_LIKE, {"gold": key}).fetchall()
    times = kept_times(db, reader, [other for (other,) in rows])
    return tuple(sorted(time.active_ms for time in times.values()))


def erased(reader: Database) -> int | None:
    """The last time that stretches were deleted: their numbers may have been given to others since."""
    last = row(reader, "select max(id) as id from time_erased")
    return last["id"] if last else None


def overlapping(reader: Database) -> Iterator[Overlapping]:
    """All stretches, in groups of which none has to do with another."""
    group, whose, until = Overlapping(), None, 0
    for key, gold, person, began, ended in reader.execute(_STRETCHES):
        if person != whose or began >= until:
            yield group
            group, whose, until = Overlapping(), person, ended
        group.stretches.append(key)
        group.golds.add(gold)
        until = max(until, ended)
    yield group


def _times(
    reader: Database, wanted: Sequence[Key], by_gold: Mapping[int, Sequence[Overlapping]]
) -> Mapping[Key, CorrectionTime]:
    golds = [gold for (gold,) in wanted]
    rowids = {rowid for gold in golds for group in by_gold[gold] for rowid in group.stretches}
    found = recorded(
        reader, where="activity.rowid in (select value from json_each(?))", values=(json.dumps(sorted(rowids)),)
    )
    credit = credits_of(found)
    own: dict[int, list[Recorded]] = {}
    for entry in found:
        if entry.is_correction:
            own.setdefault(entry.gold, []).append(entry)
    return {(gold,): summed(own.get(gold, ()), credit) for gold in golds}


_TIMES = Shelf("kept_time", ("gold",), asdict, lambda body: CorrectionTime(**body))
