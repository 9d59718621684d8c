"""Two readings of one table by two people: where they differ, and how far they agree, field by field."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from scoring.alignment.align import align
from scoring.schema import TableType
from scoring.statistics.agreement import CellAgreement, krippendorff_alpha
from scoring.statistics.intervals import Interval, logit_t_interval
from scoring.table import Table
from scoring.values.columns import Column
from scoring.values.reader import PLAIN, Value, read, same


@dataclass(frozen=True)
class CellDifference:
    """A cell that both have and read otherwise, with its place in the grid of each."""

    field: str
    a_row: int
    a_col: int
    b_row: int
    b_col: int
    a: str
    b: str


@dataclass(frozen=True)
class RowDifference:
    """A row that only one of the two has, by its place in the grid of that one, with its texts joined."""

    only: Literal["a", "b"]
    row: int
    text: str


Difference = CellDifference | RowDifference


@dataclass(frozen=True)
class TwoReadings:
    """Two readings of one table, A's and B's.

    ``cells`` counts the cells of each field (by name; "" for columns without one) that each has, that both have, and
    that are equal as values of their column; ``pairs`` are the values of the cells that both have. ``rows`` does so
    for whole rows: equal is a row that stands in both, whatever is in it. ``cols`` for columns.
    """

    differences: tuple[Difference, ...]
    cells: Mapping[str, CellAgreement]
    pairs: Mapping[str, tuple[tuple[str, str], ...]]
    rows: CellAgreement
    cols: CellAgreement
    matched_rows: Mapping[int, int]
    """B's data rows and those of A with which they were matched."""
    matched_cols: Mapping[int, int]
    """B's columns and those of A."""


@dataclass(frozen=True)
class FieldAgreement:
    """How far two people agree on one field over several tables (``field`` "" is all of them).

    ``interval`` is that of F1 over tables (logit-t, ``scoring.statistics.intervals``); ``alpha`` is Krippendorff's,
    nominal, over the cells that both have (``scoring.statistics.agreement`` says how little it adds for free values).
    """

    field: str
    tables: int
    cells: CellAgreement
    alpha: float | None
    interval: Interval

    def to_json(self) -> dict[str, Any]:
        """A plain mapping; what is undefined is null."""
        about = {"field": self.field, "tables": self.tables, **self.cells.to_json(), "alpha": self.alpha}
        return {**about, "interval": self.interval.to_json()}


@dataclass(frozen=True)
class Agreement:
    """The agreement of pairs of readings: all fields together, each field, and rows and columns as structure."""

    everything: FieldAgreement
    fields: tuple[FieldAgreement, ...]
    rows: CellAgreement
    cols: CellAgreement

    def to_json(self) -> dict[str, Any]:
        """A plain mapping; what is undefined is null."""
        return {
            "everything": self.everything.to_json(),
            "fields": [each.to_json() for each in self.fields],
            "structure": {"rows": self.rows.to_json(), "cols": self.cols.to_json()},
        }


def two_readings(a: Table, b: Table, *, table_type: TableType | None = None) -> TwoReadings:
    """Where two readings differ, in the order of A's rows; rows are matched as gold is to an extraction (``align``)."""
    found = align(a, b, table_type=table_type)
    names = {col: _name(table_type, found.gold_columns[col]) for col in range(a.n_cols)}
    others = {col: _name(table_type, found.pred_columns[col]) for col in range(b.n_cols)}
    differences: list[Difference] = []
    counts: dict[str, CellAgreement] = {}
    pairs: dict[str, list[tuple[str, str]]] = {}

    def add(name: str, more: CellAgreement) -> None:
        counts[name] = counts.get(name, CellAgreement()) + more

    match, cols = dict(found.data_rows), dict(found.cols)
    for row in range(found.gold_header, a.n_rows):
        other = match.get(row)
        if other is None:
            differences.append(RowDifference("a", row, _line(a, row)))
            for col in range(a.n_cols):
                add(names[col], CellAgreement(of_a=1))
            continue
        for col in range(a.n_cols):
            if col not in cols:
                add(names[col], CellAgreement(of_a=1))
                continue
            column = _column(table_type, found.gold_columns[col])
            mine, theirs = a.text_at(row, col), b.text_at(other, cols[col])
            values = read(mine, column), read(theirs, column)
            equal = same(*values, column)
            add(names[col], CellAgreement(1, 1, 1, int(equal)))
            one = _category(values[0])
            pairs.setdefault(names[col], []).append((one, one if equal else _category(values[1])))
            if not equal:
                differences.append(CellDifference(names[col], row, col, other, cols[col], mine, theirs))
        for col in set(range(b.n_cols)) - set(cols.values()):
            add(others[col], CellAgreement(of_b=1))
    alone = [row for row in range(found.pred_header, b.n_rows) if row not in match.values()]
    for row in alone:
        differences.append(RowDifference("b", row, _line(b, row)))
        for col in range(b.n_cols):
            add(others[col], CellAgreement(of_b=1))
    both, data = len(match), (a.n_rows - found.gold_header, b.n_rows - found.pred_header)
    return TwoReadings(
        tuple(differences),
        counts,
        {name: tuple(values) for name, values in pairs.items()},
        CellAgreement(*data, both, both),
        CellAgreement(a.n_cols, b.n_cols, len(cols), len(cols)),
        {theirs: mine for mine, theirs in match.items()},
        {theirs: mine for mine, theirs in cols.items()},
    )


def agreement(readings: Iterable[TwoReadings]) -> Agreement:
    """How far two people agree over all tables that were read twice; counts add up over tables."""
    every = list(readings)
    names = sorted({name for one in every for name in one.cells})
    return Agreement(
        _agreed("", [_Part(tuple(one.cells.values()), _joined(one)) for one in every]),
        tuple(
            _agreed(name, [_Part((one.cells[name],), one.pairs.get(name, ())) for one in every if name in one.cells])
            for name in names
        ),
        sum((one.rows for one in every), CellAgreement()),
        sum((one.cols for one in every), CellAgreement()),
    )


@dataclass(frozen=True)
class _Part:
    """What one table adds to a field."""

    counts: tuple[CellAgreement, ...]
    pairs: tuple[tuple[str, str], ...] = field(default=())

    @property
    def cells(self) -> CellAgreement:
        return sum(self.counts, CellAgreement())


def _joined(one: TwoReadings) -> tuple[tuple[str, str], ...]:
    return tuple((f"{name} {a}", f"{name} {b}") for name, found in one.pairs.items() for a, b in found)


def _agreed(name: str, parts: list[_Part]) -> FieldAgreement:
    pairs = [pair for part in parts for pair in part.pairs]
    ratios = [(2 * part.cells.equal, part.cells.of_a + part.cells.of_b) for part in parts]
    return FieldAgreement(
        name,
        len(parts),
        sum((part.cells for part in parts), CellAgreement()),
        krippendorff_alpha([[a for a, _ in pairs], [b for _, b in pairs]]).value,
        logit_t_interval(ratios or [(0, 0)]),
    )


def _category(value: Value) -> str:
    meant = value.value if value.number is None else f"{value.number.normalize():f}"
    return f"{value.kind} {meant} {value.unit}".strip()


def _name(table_type: TableType | None, at: int | None) -> str:
    return table_type.columns[at].name if table_type is not None and at is not None else ""


def _column(table_type: TableType | None, at: int | None) -> Column:
    return table_type.columns[at] if table_type is not None and at is not None else PLAIN


def _line(table: Table, row: int) -> str:
    return " | ".join(text for col in range(table.n_cols) if (text := table.text_at(row, col).strip()))
