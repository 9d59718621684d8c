"""The fields of a project with what their confidence is worth: worked out once for the same cells, and kept."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from sqlite_utils import Database

from scoring import SCORING_VERSION
from scoring.confidence.badges import DEFAULT_THRESHOLDS
from scoring.confidence.field_measures import Measures, Recommendation, measures, recommended
from scoring.confidence.straight_through import StraightThrough, let_through
from scoring.confidence.thresholds import ALPHA, DELTA, calibration_documents
from store.confidence_cells import FieldCells, ProjectCells
from store.db import Db, row
from store.thresholds import ALL_FIELDS, SetThreshold, thresholds

# Goes up when what is kept has other parts than before.
SHAPE = 1
# Old cells and targets that were tried; the newest are kept.
MOST_KEPT = 2000


@dataclass(frozen=True, eq=False)
class Field:
    """One field: its cells, their measures, and the threshold that counts for it now (None: the default)."""

    cells: FieldCells
    measures: Measures
    threshold: SetThreshold | None

    @property
    def tau(self) -> float:
        """From which confidence on a cell of this field is no doubt now."""
        own = self.threshold
        return DEFAULT_THRESHOLDS.doubt if own is None or own.tau is None else own.tau

    @property
    def is_stale(self) -> bool:
        """Whether its own threshold was chosen on other cells than there are now."""
        own = self.threshold
        return own is not None and own.field == self.cells.field and own.basis.data != self.cells.signature

    @cached_property
    def passes(self) -> StraightThrough:
        """What passes as it is set now."""
        return let_through(self.cells.cells, tau=self.tau)

    @property
    def escaping(self) -> int:
        """How many wrong cells pass as it is set now."""
        return self.passes.cells_accepted_wrong


def fields(db: Db, reader: Database, found: ProjectCells, *, project: str) -> tuple[Field, ...]:
    """The fields of a project, those first whose errors pass unseen most often as they are set now.

    All fields of a table type together stand after its single ones.
    """
    chosen = thresholds(reader, project=project)

    def of(each: FieldCells) -> Field:
        own = chosen.get((each.table_type, each.field)) or chosen.get((each.table_type, ALL_FIELDS))
        return Field(each, _measures(db, reader, each), own)

    made = [of(each) for each in found.fields]
    whole = {each.cells.table_type: each.escaping for each in made if each.cells.field == ALL_FIELDS}

    def order(each: Field) -> tuple[object, ...]:
        name, field = each.cells.table_type, each.cells.field
        return -whole[name], name, field == ALL_FIELDS, -each.escaping, -each.measures.wrong, field

    return tuple(sorted(made, key=order))


def recommendation(
    db: Db, reader: Database, found: ProjectCells, field: FieldCells, *, alpha: float = ALPHA, delta: float = DELTA
) -> Recommendation:
    """The threshold that half of the documents of the table type recommend for a field.

    Raises ValueError unless alpha and delta are between 0 and 1.
    """
    # All fields of a table type have the same halves.
    whole = found.field(field.table_type, ALL_FIELDS) or field
    of = ["recommendation", field.signature, whole.signature, alpha, delta]
    signature = json.dumps([SCORING_VERSION, SHAPE, *of])
    kept = row(reader, "select body from confidence_summary where signature = ?", (signature,))
    if kept is not None:
        return Recommendation.from_json(json.loads(kept["body"]))
    made = recommended(field.cells, calibration_documents(whole.cells.names), alpha=alpha, delta=delta)
    _keep(db, [(signature, json.dumps(made.to_json()))])
    return made


def _measures(db: Db, reader: Database, field: FieldCells) -> Measures:
    signature = json.dumps([SCORING_VERSION, SHAPE, "measures", field.signature])
    kept = row(reader, "select body from confidence_summary where signature = ?", (signature,))
    if kept is not None:
        return Measures.from_json(json.loads(kept["body"]))
    made = measures(field.cells)
    _keep(db, [(signature, json.dumps(made.to_json()))])
    return made


def _keep(db: Db, made: Sequence[tuple[str, str]]) -> None:
    with db.write() as writer:
        writer.conn.executemany("insert or replace into confidence_summary (signature, body) values (?, ?)", made)
        writer.execute(
            "delete from confidence_summary where rowid <= (select max(rowid) from confidence_summary) - ?",
            (MOST_KEPT,),
        )
