"""What the columns of a project hold on the whole, kept up with what changes: no strip has to read every table."""

from __future__ import annotations

import json
import threading
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlite_utils import Database

from scoring.confidence.oddities import Tally
from store import derived
from store.db import Db
from store.kept_results import keep_result, kept_result

# With fewer documents changed than these, the tallies are held in the memory alone: to keep them takes a moment.
KEPT_AFTER = 200

ColumnKey = tuple[str, str]
"""The name of a table type, and the name of one of its columns, or the label of a column that it does not name."""


@dataclass
class ColumnTallies:
    """The tables of a project and the tallies of their columns.

    ``accepted`` and ``open`` hold the numbers of gold tables by the columns that they have; ``cells`` and ``doubts``
    count those of the open ones, of columns that the table type names. ``usual`` is the tally of all of them.
    """

    parts: dict[int, str] = field(default_factory=dict)
    accepted: defaultdict[ColumnKey, set[int]] = field(default_factory=lambda: defaultdict(set))
    open: defaultdict[ColumnKey, set[int]] = field(default_factory=lambda: defaultdict(set))
    cells: Counter[ColumnKey] = field(default_factory=Counter)
    doubts: Counter[ColumnKey] = field(default_factory=Counter)
    usual: defaultdict[ColumnKey, Tally] = field(default_factory=lambda: defaultdict(Tally))

    def put(self, gold: int, part: str) -> None:
        """Take what a table holds now in the place of what it held."""
        if before := self.parts.get(gold):
            self._count(gold, before, -1)
        self.parts[gold] = part
        self._count(gold, part, 1)

    def apart_from(self, golds: Collection[int]) -> ColumnTallies:
        """The same without some tables: nothing of them is told, not even how often a pattern is met."""
        dropped = [gold for gold in golds if gold in self.parts]
        if not dropped:
            return self
        made = ColumnTallies(dict(self.parts))
        made.cells.update(self.cells)
        made.doubts.update(self.doubts)
        made.accepted.update({key: set(tables) for key, tables in self.accepted.items()})
        made.open.update({key: set(tables) for key, tables in self.open.items()})
        for key, tally in self.usual.items():
            made.usual[key].add(tally)
        for gold in dropped:
            made._count(gold, made.parts.pop(gold), -1)
        return made

    def _count(self, gold: int, part: str, sign: int) -> None:
        held = json.loads(part)
        for name, named, cells, doubts, tally in held["columns"]:
            key = (held["type"], name)
            place = self.accepted[key] if held["accepted"] else self.open[key]
            (place.add if sign > 0 else place.discard)(gold)
            if named and not held["accepted"]:
                self.cells[key] += sign * cells
                self.doubts[key] += sign * doubts
            self.usual[key].add(Tally.of_json(tally), sign)


# Tallies are changed in place, and requests come in threads.
TURN = threading.RLock()


def column_tallies(db: Db, reader: Database, *, project: str) -> ColumnTallies:
    """Those of a project: as last known, with the documents that changed since counted anew; to be used under TURN.

    A reader that sees an older state than the last one gets the newer tallies.
    """
    known: dict[str, tuple[Mapping[str, int], ColumnTallies]] = db.remembered.setdefault("column tallies", {})
    newest, name = derived.newest(reader), f"columns of {project}"
    last = known.get(project) or _kept(db, reader, name, newest)
    if last is not None and not _is_later(newest, last[0]):
        known[project] = last
        return last[1]
    where, values, changed = "document.project = ? and g.second_of is null", [project], None
    if last is not None:
        changed = derived.changed_since(reader, last[0])
        where, values = f"{where} and g.document in (select value from json_each(?))", [project, json.dumps(changed)]
    found = last[1] if last is not None else ColumnTallies()
    for table in derived.kept(db, reader, "strip lines", where, values):
        found.put(table["gold"], _part(table))
    known[project] = (newest, found)
    if changed is None or len(changed) >= KEPT_AFTER:
        keep_result(
            db, name, json.dumps(newest), derived.VERSION, {str(gold): part for gold, part in found.parts.items()}
        )
    return found


def _kept(
    db: Db, reader: Database, name: str, newest: Mapping[str, int]
) -> tuple[Mapping[str, int], ColumnTallies] | None:
    kept = kept_result(db, reader, name, dict)
    # An older version did not know of all that lines follow from now, and cannot tell what changed since.
    if kept is None or kept.scores != derived.VERSION or json.loads(kept.seen).keys() != newest.keys():
        return None
    found = ColumnTallies()
    for gold, part in kept.value.items():
        found.put(int(gold), part)
    return json.loads(kept.seen), found


def _is_later(newest: Mapping[str, int], seen: Mapping[str, int]) -> bool:
    return any(number > seen[name] for name, number in newest.items())


def _part(table: Mapping[str, Any]) -> str:
    """What a table adds to the tallies, as a text: 20,000 of them in the memory should be small."""
    columns = []
    for part in table["columns"]:
        tally = Tally.of(cell["text"] for cell in part["cells"])
        doubts = sum(1 for cell in part["cells"] if cell["reasons"])
        name = part["name"] or part["label"]
        columns.append([name, bool(part["name"]), len(part["cells"]), doubts, tally.to_json()])
    held = {"type": table["table_type"], "accepted": table["status"] == "accepted", "columns": columns}
    return json.dumps(held, ensure_ascii=False, separators=(",", ":"))
