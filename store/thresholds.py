"""Thresholds of confidence that people set for the fields of a project: all are kept, the newest counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sqlite_utils import Database

from scoring.confidence.badges import Thresholds
from store.db import Db, StoreError, insert, now, row
from store.rights import expect_right
from store.table_types import table_type

# Stands for all fields of a table type that have no threshold of their own, and for tables without a type.
ALL_FIELDS = ""
# The run of which the cells were, where it was the first extraction of each document.
FIRST_EXTRACTIONS = 0

Way = Literal["recommended", "by hand", "default"]


@dataclass(frozen=True)
class Basis:
    """The cells that a threshold was chosen on: of which run, how many, and a hash of all of them."""

    run: int
    cells: int
    documents: int
    data: str


@dataclass(frozen=True)
class SetThreshold:
    """A decision about one field: accept cells with confidence >= ``tau``; None: back to the default.

    Below ``low`` a badge is low; None: none is. ``alpha`` and ``delta`` are what a recommended one promises.
    """

    id: int
    project: str
    table_type: str
    field: str
    tau: float | None
    low: float | None
    way: Way
    alpha: float | None
    delta: float | None
    basis: Basis
    person: str
    set_at: str

    @property
    def limits(self) -> Thresholds | None:
        """The limits of badges and doubts that follow from it; None for the default."""
        if self.tau is None:
            return None
        chosen = f"set by {self.person} on {self.set_at[:10]}"
        return Thresholds(high=self.tau, low=min(self.low or 0.0, self.tau), doubt=self.tau, chosen=chosen)


def set_threshold(
    db: Db,
    *,
    project: str,
    table_type: str,
    field: str = ALL_FIELDS,
    tau: float | None,
    low: float | None = None,
    way: Way = "by hand",
    alpha: float | None = None,
    delta: float | None = None,
    basis: Basis,
    person: str,
) -> SetThreshold:
    """Keep a decision about a field and return it; badges, doubts and queue follow it from now on.

    ``tau`` None goes back to the default. Raises StoreError for a field that the table type has not, and for
    limits outside 0..1 or out of order.
    """
    wrong = next((each for each in (tau, low) if each is not None and not 0 <= each <= 1), None)
    if wrong is not None:
        raise StoreError(f"threshold {wrong:g}, expected 0 to 1")
    if tau is not None and low is not None and low > tau:
        raise StoreError(f"a low badge below {low:g}, expected at most the threshold {tau:g}")
    with db.write() as writer:
        expect_right(writer, person, "rules")
        _expect_field(writer, project, table_type, field)
        key = insert(
            writer,
            "threshold",
            {
                "project": project,
                "table_type": table_type,
                "field": field,
                "tau": tau,
                "low": None if tau is None else low,
                "way": "default" if tau is None else way,
                "alpha": alpha if way == "recommended" and tau is not None else None,
                "delta": delta if way == "recommended" and tau is not None else None,
                "run": basis.run,
                "cells": basis.cells,
                "documents": basis.documents,
                "data": basis.data,
                "person": person,
                "set_at": now(),
            },
        )
        found = row(writer, "select * from threshold where id = ?", (key,))
    assert found is not None
    return _of(found)


def thresholds(reader: Database, *, project: str) -> dict[tuple[str, str], SetThreshold]:
    """The thresholds that count now, by table type and field; fields at their default are left out."""
    newest = {(entry.table_type, entry.field): entry for entry in decisions(reader, project=project)}
    return {key: entry for key, entry in newest.items() if entry.tau is not None}


def decisions(reader: Database, *, project: str) -> tuple[SetThreshold, ...]:
    """All that was ever decided, oldest first."""
    return tuple(map(_of, reader.query("select * from threshold where project = ? order by id", (project,))))


def limits_of(reader: Database, project: str, table_type: str, *, at: str | None = None) -> dict[str, Thresholds]:
    """The limits that people set for the fields of a table type, by field; those that count now, or did at a time."""
    rows = reader.query(
        "select * from threshold where id in (select max(id) from threshold where project = ? and table_type = ? "
        "and (? is null or set_at <= ?) group by field)",
        (project, table_type, at, at),
    )
    found = {entry.field: entry.limits for entry in map(_of, rows)}
    return {field: limits for field, limits in found.items() if limits is not None}


def _expect_field(reader: Database, project: str, type_name: str, field: str) -> None:
    if row(reader, "select 1 from document where project = ?", (project,)) is None:
        raise StoreError(f"project {project!r} holds no document")
    kind = table_type(reader, type_name, project=project) if type_name else None
    if type_name and kind is None:
        raise StoreError(f"project {project!r} has no table type {type_name!r}")
    names = [column.name for column in kind.columns] if kind else []
    if field != ALL_FIELDS and field not in names:
        expected = ", ".join(names) or "none, as these tables have no type: leave the field out"
        raise StoreError(f"table type {type_name!r} has no field {field!r}; expected one of: {expected}")


def _of(entry: dict[str, object]) -> SetThreshold:
    values = dict(entry)
    basis = Basis(**{name: values.pop(name) for name in ("run", "cells", "documents", "data")})  # type: ignore[arg-type]
    return SetThreshold(**values, basis=basis)  # type: ignore[arg-type]
