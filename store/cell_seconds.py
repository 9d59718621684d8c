"""How long people took for a cell that they confirmed or corrected, by field: what is saved where none has to look."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlite_utils import Database

from scoring.effort.durations import Durations, by_group, durations
from scoring.schema import bind
from store import gold
from store.activity import Recorded, recorded
from store.db import Db, row
from store.table_types import table_type
from store.thresholds import ALL_FIELDS
from store.work_time import credits_of, spent_on_cells
from store.worked_cells import CONFIRMED, CORRECTED, done_to_cells

# All that times follow from.
_STATE = """select (select count(*) from activity) as activity, (select max(rowid) from edit) as edit,
    (select count(*) from time_erased) as erased, (select max(id) from table_type) as types"""
# The tables that were worked on last: what they took is what the next ones will take, and they are enough for a median.
NEWEST = 200
_WORKED_ON = """select gold, min(began_ms) as began,
    (select count(*) from edit where edit.gold = activity.gold) || ' ' || (select max(id) from table_type) as state
from activity where gold in (select g.id from first_pass g join document on document.id = g.document where project = ?)
group by gold order by max(began_ms) desc limit ?"""


@dataclass(frozen=True)
class CellSeconds:
    """Measured times per cell of a project: of single fields, of whole table types (field ""), and of all."""

    groups: Mapping[tuple[str, str], Durations]
    everything: Durations

    def of(self, table_type: str, field: str) -> tuple[Durations, str]:
        """The times for a field: its own, else those of its table type, else all, and in words which they are."""
        for name in (field, ALL_FIELDS):
            own = self.groups.get((table_type, name))
            if own is not None and not own.too_few:
                return own, "this table type" if name == ALL_FIELDS else "this field"
        return self.everything, "this project"


def cell_seconds(db: Db, reader: Database, *, project: str) -> CellSeconds:
    """The times that people spent on the cells that they confirmed or corrected, in the NEWEST tables of a project."""
    state = row(reader, _STATE)
    last = db.remembered.get("cell seconds", {}).get(project)
    if last is not None and last[0] == state:
        return last[1]  # type: ignore[no-any-return]
    found = _measured(db, reader, project)
    db.remembered.setdefault("cell seconds", {})[project] = (state, found)
    return found


def _measured(db: Db, reader: Database, project: str) -> CellSeconds:
    tables = {entry["gold"]: entry for entry in reader.query(_WORKED_ON, (project, NEWEST))}
    began = min((entry["began"] for entry in tables.values()), default=0)
    # Also work elsewhere: a person cannot work on two tables at once.
    ended = "began_ms + active_ms + idle_ms + hidden_ms + waiting_ms"
    everything = recorded(reader, where=f"{ended} >= ?", values=(began,)) if tables else ()
    credit = credits_of(everything)
    groups: dict[tuple[int, str], list[Recorded]] = {}
    for entry in everything:
        if entry.gold in tables and entry.is_correction:
            groups.setdefault((entry.gold, entry.person), []).append(entry)
    times: list[tuple[tuple[str, str], float]] = []
    for (key, person), stretches in groups.items():
        spent = spent_on_cells(stretches, credit)
        if spent:
            name, fields, done = _decided(db, reader, key, person, project, tables[key]["state"])
            for cell, ms in spent.items():
                if done.get(cell) in (CONFIRMED, CORRECTED):
                    times.append(((name, fields.get(cell[1], ALL_FIELDS)), ms))
    whole = by_group(((name, ALL_FIELDS), ms) for (name, _), ms in times)
    single = by_group(entry for entry in times if entry[0][1] != ALL_FIELDS)
    return CellSeconds({**single, **whole}, durations(ms for _, ms in times))


Decided = tuple[str, dict[str, str], dict[tuple[str, str], str]]


def _decided(db: Db, reader: Database, key: int, person: str, project: str, state: str) -> Decided:
    """The type of a table, the field of each column, and what a person did to its cells; kept until one changes."""
    kept: dict[tuple[int, str], tuple[str, Decided]] = db.remembered.setdefault("cells decided", {})
    known = kept.get((key, person))
    if known is not None and known[0] == state:
        return known[1]
    name, fields = _fields(db, reader, key, project)
    kept[key, person] = (state, (name, fields, done_to_cells(reader, key, person)))
    return kept[key, person][1]


def _fields(db: Db, reader: Database, key: int, project: str) -> tuple[str, dict[str, str]]:
    """The table type of a gold table, and the field of each of its columns by the column's lasting id."""
    found = gold.gold(reader, key)
    kind = table_type(reader, found.table_type, project=project) if found.table_type else None
    _, sheet = gold.current(db, reader, key)
    if kind is None:
        return found.table_type, {}
    bound = bind(sheet.table, kind).columns
    named = {sheet.col_ids[col]: kind.columns[at].name for col, at in enumerate(bound) if at is not None}
    return found.table_type, named
