"""The work of people on gold tables, kept in the database until stretches, edits or extractions change it."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from sqlite_utils import Database

from scoring.effort.work_intervals import CUTOFF_MS, CUTOFFS_MS, Credit
from store.activity import Recorded, recorded
from store.db import Db
from store.kept_times import Overlapping, erased, overlapping
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
    || (select count(*) from gold o where o.document = d.id) || ' '
    || coalesce((select max(id) from table_type where table_type.project = d.project), 0) as state
from gold g join document d on d.id = g.document
where (:project is null or d.project = :project) and exists (select 1 from activity where activity.gold = g.id)"""

Told = Callable[[int, int], None]
"""Is told how many of how many tables are added up anew; it may raise to stop the work, of which nothing is lost."""


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
    signed = {
        key: json.dumps([VERSION, CUTOFFS_MS, gone, state, *(group.signature for group in by_gold[key])])
        for key, state in reader.execute(_STATES, {"project": project})
    }
    kept: dict[int, dict[int, tuple[str, tuple[Work, ...]]]] = db.remembered.setdefault("kept work", {})
    known = kept.setdefault(cutoff_ms, {})
    if _missing(known, signed):
        _read(reader, cutoff_ms, signed, known)
    missing = _missing(known, signed)
    for start in range(0, len(missing), WRITTEN_AT_ONCE):
        if told:
            told(start, len(missing))
        some = missing[start : start + WRITTEN_AT_ONCE]
        made = _made(db, reader, some, by_gold, cutoff_ms)
        known.update({key: (signed[key], made[key]) for key in some})
        with db.write() as writer:
            writer.conn.executemany(
                "insert or replace into kept_work (gold, cutoff_ms, signature, body) values (?, ?, ?, ?)",
                [(key, cutoff_ms, signed[key], _to_json(made[key])) for key in some],
            )
    order = reader.execute("select gold, person from activity group by gold, person order by min(began_ms), min(id)")
    found = {(entry.gold, entry.person): entry for key in signed for entry in known[key][1]}
    return tuple(found[each] for each in order if each in found)


def _missing(known: Mapping[int, tuple[str, Any]], signed: Mapping[int, str]) -> list[int]:
    return [key for key, signature in signed.items() if known.get(key, ("",))[0] != signature]


def _read(
    reader: Database, cutoff_ms: int, signed: Mapping[int, str], known: dict[int, tuple[str, tuple[Work, ...]]]
) -> None:
    rows = reader.execute("select gold, signature, body from kept_work where cutoff_ms = ?", (cutoff_ms,))
    found = [(key, signature, body) for key, signature, body in rows if signed.get(key) == signature]
    # At once, as each call costs more than its text.
    bodies = json.loads(f"[{','.join(body for _, _, body in found)}]")
    for (key, signature, _), body in zip(found, bodies, strict=True):
        known[key] = (signature, tuple(map(_of_json, body)))


def _made(
    db: Db, reader: Database, golds: Sequence[int], by_gold: Mapping[int, Sequence[Overlapping]], cutoff_ms: int
) -> dict[int, tuple[Work, ...]]:
    rowids = sorted({rowid for key in golds for group in by_gold[key] for rowid in group.stretches})
    found = recorded(reader, where="activity.rowid in (select value from json_each(?))", values=(json.dumps(rowids),))
    credit = {cutoff: credits_of(found, cutoff_ms=cutoff) for cutoff in {*CUTOFFS_MS, cutoff_ms}}
    wanted, folded = set(golds), set(db.folded)
    groups: dict[tuple[int, str], list[Recorded]] = {}
    for entry in found:
        if entry.gold in wanted:
            groups.setdefault((entry.gold, entry.person), []).append(entry)
    made: dict[int, list[Work]] = {key: [] for key in golds}
    for (key, person), own in groups.items():
        made[key].append(_work(db, reader, key, person, own, credit, cutoff_ms))
    # The sheets of a whole project would fill the memory.
    for key in db.folded.keys() - folded:
        db.folded.pop(key, None)
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


def _to_json(entries: Collection[Work]) -> str:
    return json.dumps([asdict(entry) for entry in entries], ensure_ascii=False)


def _of_json(body: dict[str, Any]) -> Work:
    cutoffs = {int(cutoff): phases for cutoff, phases in body.pop("by_cutoff").items()}
    time, cells = CorrectionTime(**body.pop("time")), tuple(CellTime(**cell) for cell in body.pop("cells"))
    return Work(**body, by_cutoff=cutoffs, time=time, cells=cells)
