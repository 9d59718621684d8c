"""The fields of a project with what their confidence is worth: worked out once for the same cells, and kept."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from sqlite_utils import Database

from scoring import SCORING_VERSION
from scoring.confidence.badges import DEFAULT_THRESHOLDS
from scoring.confidence.error_detection import ErrorDetection, error_detection
from scoring.confidence.field_measures import Measures, Recommendation, accepted_limit, measures, recommended
from scoring.confidence.straight_through import StraightThrough, let_through
from scoring.confidence.thresholds import ALPHA, DELTA, calibration_documents
from store.confidence_cells import FieldCells, ProjectCells
from store.db import Db, row
from store.thresholds import ALL_FIELDS, SetThreshold, thresholds

# Goes up when what is kept has other parts than before.
SHAPE = 2
# Old cells and targets that were tried; the newest are kept.
MOST_KEPT = 2000


@dataclass(frozen=True)
class Passing:
    """What passes unseen at a threshold, and the upper limit of the error among it, 0..1 (None: nothing passes)."""

    through: StraightThrough
    upper: float | None


@dataclass(frozen=True, eq=False)
class Field:
    """One field: its cells, their measures, and the threshold that counts for it now (None: the default).

    ``parts`` has the thresholds of single fields, where this is all fields of a table type. The AUROC among the
    measures has no interval: see ``with_interval``.
    """

    cells: FieldCells
    measures: Measures
    threshold: SetThreshold | None
    parts: Mapping[str, SetThreshold]

    @property
    def tau(self) -> float:
        """From which confidence on a cell of this field is no doubt now."""
        own = self.threshold
        return DEFAULT_THRESHOLDS.doubt if own is None or own.tau is None else own.tau

    @property
    def is_own(self) -> bool:
        """Whether the threshold was set for this very field, and not for all of its table type."""
        return self.threshold is not None and self.threshold.field == self.cells.field

    @property
    def is_stale(self) -> bool:
        """Whether its own threshold was chosen on other cells than there are now."""
        return self.threshold is not None and self.is_own and self.threshold.basis.data != self.cells.signature

    @cached_property
    def now(self) -> Passing:
        """What passes as it is set now."""
        return self.at(self.tau)

    def at(self, tau: float, *, delta: float = DELTA) -> Passing:
        """What would pass at another threshold; of all fields, those with a threshold of their own keep it."""
        cells, column = self.cells.cells, self.cells.column
        if column is not None and self.parts:
            own = [self.parts[name].tau if name in self.parts else tau for name in self.cells.columns]
            passes = cells.confidence >= np.array(own, dtype=float)[column]
            cells, tau = replace(cells, confidence=passes.astype(float)), 1.0
        return Passing(let_through(cells, tau=tau), accepted_limit(cells, tau=tau, delta=delta))


def fields(db: Db, reader: Database, found: ProjectCells, *, project: str) -> tuple[Field, ...]:
    """The fields of a project, those first whose errors pass unseen most often as they are set now.

    All fields of a table type together stand after its single ones.
    """
    chosen = thresholds(reader, project=project)
    last = found.remembered.get("fields")
    if last is not None and last[0] == chosen:
        return last[1]  # type: ignore[no-any-return]

    def of(each: FieldCells) -> Field:
        own = chosen.get((each.table_type, each.field)) or chosen.get((each.table_type, ALL_FIELDS))
        parts = {field: entry for (name, field), entry in chosen.items() if name == each.table_type and field}
        return Field(each, _measures(db, reader, each), own, {} if each.field else parts)

    made = [of(each) for each in found.fields]
    escaping = {id(each): each.now.through.cells_accepted_wrong for each in made}
    whole = {each.cells.table_type: escaping[id(each)] for each in made if each.cells.field == ALL_FIELDS}

    def order(each: Field) -> tuple[object, ...]:
        name, field = each.cells.table_type, each.cells.field
        return -whole[name], name, field == ALL_FIELDS, -escaping[id(each)], -each.measures.wrong, field

    listed = tuple(sorted(made, key=order))
    found.remembered["fields"] = (chosen, listed)
    return listed


def recommendation(
    db: Db, reader: Database, found: ProjectCells, field: FieldCells, *, alpha: float = ALPHA, delta: float = DELTA
) -> Recommendation:
    """The threshold that half of the documents of the table type recommend for a field.

    Raises ValueError unless alpha and delta are between 0 and 1.
    """
    # All fields of a table type have the same halves.
    whole = found.of(field.table_type, ALL_FIELDS) or field
    signature = _signature("recommendation", field.signature, whole.signature, alpha, delta)
    kept = _kept(reader, signature)
    if kept is not None:
        return Recommendation.from_json(kept)
    made = recommended(field.cells, calibration_documents(whole.cells.names), alpha=alpha, delta=delta)
    _keep(db, signature, made.to_json())
    return made


def with_interval(db: Db, reader: Database, field: Field, *, at_once: bool = True) -> Field | None:
    """The field with the interval of its AUROC, which takes longer than all other measures together.

    Where it is not known yet it is worked out, or it is None where it should be there ``at_once``.
    """
    cells = field.cells.cells
    signature = _signature("interval", field.cells.signature)
    kept = _kept(reader, signature)
    if kept is None:
        if at_once:
            return None
        kept = asdict(error_detection(cells.confidence, cells.right, cells.document))
        _keep(db, signature, kept)
    found = ErrorDetection(**{**kept, "interval": tuple(kept["interval"]) if kept["interval"] else None})
    return replace(field, measures=replace(field.measures, error_detection=found))


def _measures(db: Db, reader: Database, field: FieldCells) -> Measures:
    signature = _signature("measures", field.signature)
    kept = _kept(reader, signature)
    if kept is not None:
        return Measures.from_json(kept)
    made = measures(field.cells, with_interval=False)
    _keep(db, signature, made.to_json())
    return made


def _signature(*of: object) -> str:
    return json.dumps([SCORING_VERSION, SHAPE, *of])


def _kept(reader: Database, signature: str) -> dict[str, Any] | None:
    found = row(reader, "select body from confidence_summary where signature = ?", (signature,))
    return None if found is None else json.loads(found["body"])


def _keep(db: Db, signature: str, made: Mapping[str, Any]) -> None:
    with db.write() as writer:
        writer.execute(
            "insert or replace into confidence_summary (signature, body) values (?, ?)", (signature, json.dumps(made))
        )
        writer.execute(
            "delete from confidence_summary where rowid <= (select max(rowid) from confidence_summary) - ?",
            (MOST_KEPT,),
        )
