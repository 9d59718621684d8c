"""The cells that confidence is measured on: those of the accepted tables of a project, kept as arrays."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from operator import is_
from typing import Any

import numpy as np
import numpy.typing as npt
from sqlite_utils import Database

from scoring import SCORING_VERSION
from scoring.cells import outcomes
from scoring.confidence.cell_arrays import CellArrays
from scoring.confidence.scored_cells import omissions, scored_cells
from store import derived
from store.comparison import Comparison, compare
from store.db import Db, row
from store.extractions import WHOLE
from store.thresholds import ALL_FIELDS, FIRST_EXTRACTIONS, Basis

# Each transaction waits for the disk, so that many tables share one.
WRITTEN_AT_ONCE = 200
# Those of one project and run fill tens of megabytes.
MOST_REMEMBERED = 4
# When more documents than these have changed, all are read again.
MOST_CHANGED = 500
# Goes up when what is kept of a table has other parts than before.
SHAPE = 1

# One cell: its confidence (NaN: no score), whether it is right, and its column by its place in ``columns``.
_CELL = np.dtype([("confidence", "<f8"), ("right", "u1"), ("column", "<u2")])
_OMISSION = np.dtype([("omitted", "<i4"), ("gold", "<i4")])

# What the cells of a table follow from: edits and number of the gold tables of its document, extraction, table types.
_KNOWN = f"""select g.id as gold, d.id as document, d.sha256, d.doc_type, d.added_at, g.table_type,
    (select group_concat(o.id || ':' || (select count(*) from edit where edit.gold = o.id))
        from first_pass o where o.document = d.id) as edits,
    (select min(id) from extraction
        where extraction.document = d.id and (:run = 0 or extraction.run = :run) and {WHOLE}) as extraction,
    (select max(id) from table_type where table_type.project = d.project) as types,
    kept.signature, kept.columns, kept.cells, kept.omissions
from first_pass g join document d on d.id = g.document
left join confidence_cells kept on kept.gold = g.id and kept.run = :run
where d.project = :project
    and (select verdict from verdict where verdict.gold = g.id and verdict in ('accept', 'reopen')
        order by rowid desc limit 1) = 'accept'
    and (:run = 0 or exists (select 1 from extraction e where e.document = d.id and e.run = :run)
        or exists (select 1 from attempt a where a.document = d.id and a.run = :run))
    and {{where}}
order by g.id"""

# All that is kept of one accepted table, by name.
_Table = Mapping[str, Any]

Integers = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class FieldCells:
    """The cells of one field of a table type, or of all its fields (``field`` ""), with where they are from.

    Of all fields, ``column`` tells the one of each cell by its place in ``columns``.
    """

    table_type: str
    field: str
    run: int
    cells: CellArrays
    column: Integers | None = None
    columns: tuple[str, ...] = ()

    @cached_property
    def signature(self) -> str:
        """A hash of all of the cells: the same cells, the same text."""
        arrays = self.cells
        told = blake2b(digest_size=16)
        for part in (arrays.confidence, arrays.right, arrays.document, arrays.omitted, arrays.gold):
            told.update(b"" if part is None else np.ascontiguousarray(part).tobytes())
        told.update("\n".join(arrays.names).encode())
        return told.hexdigest()

    @property
    def basis(self) -> Basis:
        """What is kept of them with a threshold that was chosen on them."""
        return Basis(self.run, len(self.cells.right), len(self.cells.names), self.signature)


@dataclass(frozen=True, eq=False)
class ProjectCells:
    """All cells of the accepted tables of a project and run, field by field.

    ``documents`` tells of each document, by its hash, of which kind it is and on which day it came; ``tables`` is what
    the cells of each table type were made of. ``remembered`` is for what others work out from the cells.
    """

    fields: tuple[FieldCells, ...]
    documents: Mapping[str, tuple[str, str]]
    tables: Mapping[str, Sequence[_Table]]
    remembered: dict[str, Any] = field(default_factory=dict)

    def of(self, table_type: str, name: str) -> FieldCells | None:
        """The cells of one field, or None where there are none."""
        wanted = (table_type, name)
        return next((each for each in self.fields if (each.table_type, each.field) == wanted), None)

    def sample(self, field: FieldCells) -> tuple[Mapping[str, int], tuple[str, str] | None]:
        """How many documents of which kind a field was in, most first; the first and the last day they came."""
        told = [self.documents[name] for name in field.cells.names]
        kinds = Counter(kind for kind, _ in told)
        days = sorted(day for _, day in told)
        return dict(kinds.most_common()), (days[0], days[-1]) if days else None


def project_cells(db: Db, reader: Database, *, project: str, run: int | None = None) -> ProjectCells:
    """The cells of the accepted tables, of the first extractions or of one run; made anew only where something changed.

    Of a run those documents count that it was tried on. A document whose extraction has no such table counts with
    its omissions.
    """
    asked = FIRST_EXTRACTIONS if run is None else run
    now = _newest(reader)
    kept: dict[tuple[str, int], _Remembered] = db.remembered.setdefault("confidence cells", {})
    last = kept.pop((project, asked), None)
    if last is None or last.newest != now:
        last = _brought_up_to_date(db, reader, project, asked, last, now)
    kept[project, asked] = last
    while len(kept) > MOST_REMEMBERED:
        kept.pop(next(iter(kept)), None)
    return last.found


@dataclass(frozen=True, slots=True)
class _Remembered:
    """The cells of a project as last read, the tables by number that they are of, and how far the reader saw."""

    newest: Mapping[str, int]
    tables: Mapping[int, _Table]
    found: ProjectCells


def _newest(reader: Database) -> Mapping[str, int]:
    tries = row(reader, "select coalesce(max(id), 0) as attempt from attempt")
    return {**derived.newest(reader), **(tries or {})}


def _brought_up_to_date(
    db: Db, reader: Database, project: str, run: int, last: _Remembered | None, now: Mapping[str, int]
) -> _Remembered:
    where, known = "1", {}
    if last is not None:
        tried = reader.execute("select document from attempt where id > :attempt", dict(last.newest))
        changed = {key for (key,) in tried} | {*derived.changed_since(reader, last.newest)}
        if len(changed) <= MOST_CHANGED:
            where = f"d.id in ({', '.join(map(str, changed))})"
            known = {key: table for key, table in last.tables.items() if table["document"] not in changed}
    known.update({table["gold"]: table for table in _tables(db, reader, project, run, where)})
    tables = dict(sorted(known.items()))
    return _Remembered(now, tables, _made(tuple(tables.values()), run, last.found if last else None))


def _tables(db: Db, reader: Database, project: str, run: int, where: str) -> Iterator[_Table]:
    """What is kept of each accepted table, made anew where it is not of its present state."""
    fresh: list[tuple[int, int, str, str, bytes, bytes]] = []
    values = {"project": project, "run": run}
    for known in list(reader.query(_KNOWN.format(where=where), values)):
        followed = [known.pop(name) for name in ("edits", "extraction", "types")]
        signature = json.dumps([SCORING_VERSION, SHAPE, *followed])
        if known["signature"] != signature:
            comparison = compare(db, reader, known["gold"], run=run or None)
            columns, cells, gaps = _of_table(comparison)
            known |= {"columns": columns, "cells": cells, "omissions": gaps}
            fresh.append((known["gold"], run, signature, columns, cells, gaps))
            if len(fresh) >= WRITTEN_AT_ONCE:
                _keep(db, fresh)
                fresh = []
        yield known
    _keep(db, fresh)


def _of_table(found: Comparison) -> tuple[str, bytes, bytes]:
    """The names of the columns, the cells, and the omissions of each column; what has no name in the type is ""."""
    kind = found.table_type
    told = outcomes(found.sheet.table, found.first_table, found.alignment, table_type=kind)
    columns = [*(column.name for column in (kind.columns if kind else ())), ALL_FIELDS]
    place = {name: at for at, name in enumerate(columns)}
    units = scored_cells(told, document="", table_type=kind)
    cells = np.array(
        [
            (
                np.nan if cell.confidence is None else cell.confidence,
                cell.right,
                place.get(cell.column, len(columns) - 1),
            )
            for cell in units
        ],
        dtype=_CELL,
    )
    gaps = np.zeros(len(columns), dtype=_OMISSION)
    for part in omissions(told, document="", table_type=kind):
        at = place.get(part.column, place[ALL_FIELDS])
        gaps[at] = (gaps[at]["omitted"] + part.omitted, gaps[at]["gold"] + part.gold)
    return json.dumps(columns, ensure_ascii=False), cells.tobytes(), gaps.tobytes()


def _keep(db: Db, fresh: Sequence[tuple[int, int, str, str, bytes, bytes]]) -> None:
    if fresh:
        with db.write() as writer:
            writer.conn.executemany(
                "insert or replace into confidence_cells (gold, run, signature, columns, cells, omissions) "
                "values (?, ?, ?, ?, ?, ?)",
                fresh,
            )


def _made(tables: Sequence[_Table], run: int, last: ProjectCells | None) -> ProjectCells:
    """The cells of each table type, as a whole and by field; those of a type that has not changed are the last ones."""
    by_type: dict[str, list[_Table]] = {}
    for table in tables:
        by_type.setdefault(table["table_type"], []).append(table)
    before = last.tables if last else {}
    fields: list[FieldCells] = []
    for name, own in sorted(by_type.items()):
        if last and len(own) == len(before.get(name, ())) and all(map(is_, own, before[name])):
            fields += [each for each in last.fields if each.table_type == name]
        else:
            fields += _of_type(name, own, run)
    documents = {table["sha256"]: (table["doc_type"], table["added_at"][:10]) for table in tables}
    return ProjectCells(tuple(fields), documents, by_type)


def _of_type(name: str, tables: Sequence[_Table], run: int) -> Iterator[FieldCells]:
    documents = {digest: at for at, digest in enumerate(dict.fromkeys(table["sha256"] for table in tables))}
    columns: dict[str, int] = {}
    # Nearly all tables of a type name the same columns.
    places: dict[str, npt.NDArray[np.intp]] = {}
    for table in tables:
        if table["columns"] not in places:
            named = json.loads(table["columns"])
            places[table["columns"]] = np.array([columns.setdefault(each, len(columns)) for each in named])
    cells = np.frombuffer(b"".join(table["cells"] for table in tables), dtype=_CELL)
    gaps = np.frombuffer(b"".join(table["omissions"] for table in tables), dtype=_OMISSION)
    sizes = np.array([len(table["cells"]) // _CELL.itemsize for table in tables])
    widths = np.array([len(table["omissions"]) // _OMISSION.itemsize for table in tables])
    of_table = np.array([documents[table["sha256"]] for table in tables], dtype=np.intp)
    offsets, lookup = _lookup([places[table["columns"]] for table in tables])
    column = lookup[np.repeat(offsets, sizes) + cells["column"]]
    of_gap = np.concatenate([places[table["columns"]] for table in tables]) if tables else np.zeros(0, dtype=np.intp)
    arrays = (
        cells["confidence"].astype(float),
        cells["right"].astype(bool),
        np.repeat(of_table, sizes),
        np.repeat(of_table, widths),
        gaps["omitted"].astype(np.intp),
        gaps["gold"].astype(np.intp),
    )
    names = tuple(documents)
    yield FieldCells(name, ALL_FIELDS, run, _chosen(names, arrays, None, None), column, tuple(columns))
    for each, at in columns.items():
        if each != ALL_FIELDS:
            yield FieldCells(name, each, run, _chosen(names, arrays, column == at, of_gap == at))


def _lookup(places: Sequence[Integers]) -> tuple[Integers, Integers]:
    """Where the columns of each table begin in one list of all different lists of columns, and that list."""
    begin: dict[int, int] = {}
    parts: list[Integers] = []
    offsets = []
    for each in places:
        if id(each) not in begin:
            begin[id(each)] = sum(map(len, parts))
            parts.append(each)
        offsets.append(begin[id(each)])
    return np.array(offsets, dtype=np.intp), np.concatenate(parts) if parts else np.zeros(0, dtype=np.intp)


def _chosen(names: tuple[str, ...], arrays: tuple[Any, ...], cells: Any, gaps: Any) -> CellArrays:
    """The cells and the omissions of one field; documents that have neither are left out."""
    confidence, right, document, of_gap, omitted, gold = arrays
    if cells is not None:
        confidence, right, document = confidence[cells], right[cells], document[cells]
        of_gap, omitted, gold = of_gap[gaps], omitted[gaps], gold[gaps]
    missed = np.bincount(of_gap, weights=omitted, minlength=len(names)).astype(np.intp)
    expected = np.bincount(of_gap, weights=gold, minlength=len(names)).astype(np.intp)
    present = (np.bincount(document, minlength=len(names)) > 0) | (expected > 0)
    number = np.cumsum(present) - 1
    kept = tuple(name for name, there in zip(names, present.tolist(), strict=True) if there)
    return CellArrays(confidence, right, number[document], kept, missed[present], expected[present])
