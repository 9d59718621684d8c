"""The work of people on gold tables, kept in the database until stretches, edits or extractions change it."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from sqlite_utils import Database

from scoring.effort.work_intervals import CUTOFF_MS, CUTOFFS_MS, Credit
from store.activity import Recorded, recorded
from store.db import Db
from store.kept_times import Overlapping, erased, overlapping
from store.kept_values import Key, Shelf, Told
from store.work_time import CellTime, CorrectionTime, Work, credits_of, spent_on_cells, summed
from store.worked_cells import worked_table

# Each transaction waits for the disk, so that the work on many tables shares one.
WRITTEN_AT_ONCE = 200
# Goes up when what is kept has other parts than before, or follows from something else.
VERSION = 1

# What is told of a table and its cells follows from its edits, verdicts and type, and from the extractions.
_STATES = """select g.id,
    (select count(*) from edit where edit.gold = g.id) || ' '
    || coalesce((select max(rowid) from verdict where verdict.gold = g.id), 0) || ' '
    || (select count(*) from extraction where extraction.document = d.id) || ' '
    || (select count(*) from first_pass o where o.document = d.id) || ' '
    || coalesce((select max(id) from table_type where table_type.project = d.project), 0) as state
from first_pass g join document d on d.id = g.document
where (:project is null or d.project = :project) and exists (select 1 from activity where activity.gold = g.id)"""


def work(
    db: Db,
    reader: Database,
    *,
    project: str | None = None,
    cutoff_ms: int = CUTOFF_MS,
    told: Told | None = None,
) -> tuple[Work, ...]:
    """The work of each person on each gold table of a project, or of all, in the order of its beginning.

    Work in other projects is looked at as well, since a person can not work on two tables at once. Active time is
    told under CUTOFFS_MS, too.
    """
    by_gold: dict[int, list[Overlapping]] = {}
    for group in overlapping(reader):
        for key in group.golds:
            by_gold.setdefault(key, []).append(group)
    gone = erased(reader)
    signed: dict[Key, str] = {
        (key, cutoff_ms): json.dumps([VERSION, CUTOFFS_MS, gone, state, *(group.signature for group in by_gold[key])])
        for key, state in reader.execute(_STATES, {"project": project})
    }
    kept = _WORK.values(
        db,
        reader,
        signed,
        lambda keys: _made(db, reader, keys, by_gold),
        at_once=WRITTEN_AT_ONCE,
        told=told,
    )
    order = reader.execute("select gold, person from activity group by gold, person order by min(began_ms), min(id)")
    found = {(entry.gold, entry.person): entry for entries in kept.values() for entry in entries}
    return tuple(found[each] for each in order if each in found)


def _made(
    db: Db, reader: Database, wanted: Sequence[Key], by_gold: Mapping[int, Sequence[Overlapping]]
) -> dict[Key, tuple[Work, ...]]:
    """The work on some tables, all under one cut-off."""
    (cutoff_ms,) = {cutoff for _, cutoff in wanted}
    golds = {gold for gold, _ in wanted}
    rowids = sorted({rowid for gold in golds for group in by_gold[gold] for rowid in group.stretches})
    found = recorded(reader, where="activity.rowid in (select value from json_each(?))", values=(json.dumps(rowids),))
    credit = {cutoff: credits_of(found, cutoff_ms=cutoff) for cutoff in {*CUTOFFS_MS, cutoff_ms}}
    folded = set(db.folded)
    groups: dict[tuple[int, str], list[Recorded]] = {}
    for entry in found:
        if entry.gold in golds and entry.is_correction:
            groups.setdefault((entry.gold, entry.person), []).append(entry)
    made: dict[Key, list[Work]] = {key: [] for key in wanted}
    for (gold, person), own in groups.items():
        made[gold, cutoff_ms].append(_work(db, reader, gold, person, own, credit, cutoff_ms))
    # The sheets of a whole project would fill the memory.
    for gold in db.folded.keys() - folded:
        db.folded.pop(gold, None)
    return {key: tuple(entries) for key, entries in made.items()}


def _work(
    db: Db,
    reader: Database,
    key: int,
    person: str,
    own: Sequence[Recorded],
    credit: Mapping[int, Mapping[str, Credit]],
    cutoff_ms: int,
) -> Work:
    spent = spent_on_cells(own, credit[cutoff_ms], cutoff_ms=cutoff_ms)
    about = worked_table(db, reader, key, person, spent)
    return Work(
        gold=key,
        project=about.project,
        document=about.document,
        table=about.label,
        table_type=about.table_type,
        base=about.base,
        person=person,
        is_accepted=about.is_accepted,
        by_cutoff={cutoff: summed(own, counted).by_phase for cutoff, counted in credit.items()},
        time=summed(own, credit[cutoff_ms]),
        cells=tuple(CellTime(*about.cells[ids], round(ms)) for ids, ms in spent.items()),
        last_ms=max(entry.stretch.began_ms + entry.stretch.elapsed_ms for entry in own),
    )


def _to_json(entries: Collection[Work]) -> list[dict[str, Any]]:
    return [asdict(entry) for entry in entries]


def _of_json(bodies: Iterable[dict[str, Any]]) -> tuple[Work, ...]:
    return tuple(map(_one_of_json, bodies))


def _one_of_json(body: dict[str, Any]) -> Work:
    cutoffs = {int(cutoff): phases for cutoff, phases in body.pop("by_cutoff").items()}
    time, cells = CorrectionTime(**body.pop("time")), tuple(CellTime(**cell) for cell in body.pop("cells"))
    return Work(**body, by_cutoff=cutoffs, time=time, cells=cells)


_WORK = Shelf("kept_work", ("gold", "cutoff_ms"), _to_json, _of_json)
