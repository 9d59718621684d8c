"""The passport of a released table: for each cell where it is from, who changed and confirmed it, who never saw it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from sqlite_utils import Database

from scoring.confidence.badges import DEFAULT_THRESHOLDS, Thresholds, badge, weakest
from scoring.schema import TableType, bind
from scoring.table import Cell, Table
from store import edits, gold
from store.blind_rows import BASE_OF
from store.cell_changes import CellChange, changed_marks, changed_texts
from store.db import row
from store.edits import Sheet
from store.gold import Base
from store.releases import Release, ReleasedTable, released_type
from store.thresholds import ALL_FIELDS, limits_of

# What somebody did with a cell; the first that holds counts.
LookedAt = Literal["confirmed", "unreadable", "absent", "edited", "seen", "never"]
Origin = Base | Literal["edit"]

_BEGAN = f"""select {BASE_OF} as base, g.added_by, g.added_at, e.run,
    trim(run.extractor || ' ' || run.version) as extractor, e.received as received_sha256, e.received_at
from gold g left join extracted_table t on t.id = g.extracted_table left join extraction e on e.id = t.extraction
left join run on run.id = e.run where g.id = ?"""


@dataclass(frozen=True)
class CellPassport:
    """Where one cell is from.

    ``origin`` is what its text is from: the base of its table, or an edit. ``received`` is what stood there when the
    table began, with its confidence and the badge of the time at which the table was accepted; None for a cell that
    people added, and where nothing was extracted.
    """

    row: int
    col: int
    row_id: str
    col_id: str
    text: str
    origin: Origin
    received: Mapping[str, Any] | None
    edit: CellChange | None
    mark: str
    marked: CellChange | None
    looked_at: LookedAt

    def to_json(self) -> dict[str, Any]:
        """A plain mapping."""
        marked = None
        if self.mark and self.marked:
            by = self.marked.edit
            marked = {"mark": self.mark, "edit": by.id, "person": by.person, "at": by.made_at}
        return {
            **{"row": self.row, "col": self.col, "row_id": self.row_id, "col_id": self.col_id, "text": self.text},
            "from": self.origin,
            "received": self.received,
            "edit": self.edit.to_json() if self.edit else None,
            "marked": marked,
            "looked_at": self.looked_at,
        }


@dataclass(frozen=True)
class Passport:
    """The passport of a released table: what the table began as, and its cells in reading order."""

    table: ReleasedTable
    began: Mapping[str, Any]
    cells: tuple[CellPassport, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many cells there are by origin and by what somebody did with them."""
        from_ = Counter(f"from {cell.origin}" for cell in self.cells)
        looked_at = Counter(f"looked at: {cell.looked_at}" for cell in self.cells)
        return {"cells": len(self.cells), **dict(sorted((from_ + looked_at).items()))}

    def to_json(self) -> dict[str, Any]:
        """A plain mapping."""
        cells = [cell.to_json() for cell in self.cells]
        return {
            "proofgrid": "passport/1",
            **self.table.to_json(),
            "began": self.began,
            "counts": self.counts,
            "cells": cells,
        }


def passport(reader: Database, made: Release, table: ReleasedTable) -> Passport:
    """The passport of a table of a release: the same at any later time."""
    log = [edit for edit in gold.history(reader, table.gold) if edit.revision <= table.revision]
    base = gold.base_table(reader, table.gold)
    sheets = edits.states(base, (stored.edit for stored in log))
    sheet, began = sheets[-1], row(reader, _BEGAN, (table.gold,)) or {}
    changed, marked = changed_texts(sheets, log), changed_marks(sheets, log)
    seen = {(line, col) for line, col in json.loads(table.seen)}
    first = {}
    if began.get("base") == "extraction":
        limits = limits_of(reader, made.project, table.table_type, at=table.accepted_at)
        first = _received(base, sheets[0], released_type(reader, made, table), limits)

    def of(cell: Cell) -> CellPassport:
        key = sheet.row_ids[cell.row], sheet.col_ids[cell.col]
        mark, edit = sheet.mark_at(cell.row, cell.col), changed.get(key)
        done: LookedAt = mark or ("edited" if edit else "seen" if key in seen else "never")
        origin: Origin = "edit" if edit else began["base"]
        return CellPassport(
            cell.row, cell.col, *key, cell.text, origin, first.get(key), edit, mark, marked.get(key), done
        )

    return Passport(table, began, tuple(map(of, sheet.table.cells)))


def _received(
    base: Table, sheet: Sheet, kind: TableType | None, limits: Mapping[str, Thresholds]
) -> dict[tuple[str, str], dict[str, Any]]:
    """What each cell of the extraction held, with its lowest confidence and its badge by the limits of its column."""
    bound = bind(base, kind).columns if kind else ()

    def limit(col: int) -> Thresholds:
        at = bound[col] if bound else None
        name = kind.columns[at].name if kind and at is not None else ALL_FIELDS
        return limits.get(name) or limits.get(ALL_FIELDS) or DEFAULT_THRESHOLDS

    found = {}
    for cell in base.cells:
        said, shown = weakest(cell), badge(cell, thresholds=limit(cell.col))
        found[sheet.row_ids[cell.row], sheet.col_ids[cell.col]] = {
            "text": cell.text,
            "confidence": said.value if said else None,
            "badge": shown.level,
            "reason": shown.reason,
            "box": cell.box.to_json() if cell.box else None,
        }
    return found
