"""Named values to a table: fields as its one row, records as a row each, under a header of their names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from scoring.table import LARGEST_GRID, Box, Cell, Confidence, Table
from store.formats.contract import FormatError, ReadTable, Repair, some

FORM = "fields"
LINES = "line_items"
_NUMBERED = re.compile(r"(?:table \d+)?")


@dataclass(frozen=True)
class Value:
    """One value as printed, where it stands, how sure its producer was, and what was changed in reading it."""

    text: str
    box: Box | None = None
    confidence: tuple[Confidence, ...] = ()
    repair: str = ""


class Row(dict[str, Value]):
    """The values of one row by name; a name that is taken gets a number: ``NAME``, ``NAME 2``, ``NAME 3`` ..."""

    def __init__(self) -> None:
        super().__init__()
        self._last: dict[str, int] = {}

    def put(self, name: str, value: Value) -> None:
        """Add a value under its name or the next free number of it."""
        free, number = name, self._last.get(name, 1)
        while free in self:
            number += 1
            free = f"{name} {number}"
        self._last[name] = number
        self[free] = value


def table_of(
    name: str, rows: Sequence[Mapping[str, Value]], *, place: str, notes: Sequence[str] = (), boxes: Sequence[Box] = ()
) -> ReadTable:
    """The table of the rows under a header row of all names in the order of their first use.

    A name that a row does not have is a hole. Raises FormatError where it is larger than a table can be.
    """
    columns = {column: col for col, column in enumerate(dict.fromkeys(column for row in rows for column in row))}
    if (len(rows) + 1) * len(columns) > LARGEST_GRID:
        raise FormatError(
            f"{place}: {len(rows)} rows of {len(columns)} columns, expected at most {LARGEST_GRID:,} cells"
        )
    cells = [Cell(0, col, column, header="column") for column, col in columns.items()]
    repairs: list[Repair] = []
    for number, row in enumerate(rows, start=1):
        for column, value in row.items():
            cells.append(Cell(number, columns[column], value.text, box=value.box, confidence=value.confidence))
            if value.repair:
                repairs.append(Repair(number, columns[column], value.repair))
    table = Table(len(rows) + 1, len(columns), tuple(cells))
    return ReadTable(name, table, tuple(notes), tuple(repairs), boxes=tuple(boxes), place=place)


def grid_of(lines: Sequence[Sequence[Value]], *, place: str, header_rows: int = 1) -> ReadTable:
    """The table of lines of cells, the first ones header rows; short lines end in holes, and a note says so.

    Raises FormatError where it is larger than a table can be.
    """
    n_cols = max(map(len, lines), default=0)
    if len(lines) * n_cols > LARGEST_GRID:
        raise FormatError(f"{place}: {len(lines)} rows of {n_cols} columns, expected at most {LARGEST_GRID:,} cells")
    cells = tuple(
        Cell(row, col, one.text, header="column" if row < header_rows else "", box=one.box, confidence=one.confidence)
        for row, line in enumerate(lines)
        for col, one in enumerate(line)
    )
    repairs = tuple(
        Repair(row, col, one.repair) for row, line in enumerate(lines) for col, one in enumerate(line) if one.repair
    )
    short = [row for row, line in enumerate(lines, start=1) if len(line) < n_cols]
    notes = (f"{some('row', short)}: fewer cells than the table has columns",) if short else ()
    return ReadTable("", Table(len(lines), n_cols, cells), notes, repairs, place=place)


def numbered(tables: Iterable[ReadTable]) -> tuple[ReadTable, ...]:
    """The tables in their order, each with a name: ``table 1`` ... for one that has none of its own.

    The same names are told apart by numbers: ``fields``, ``line_items``, ``fields 2``.
    """
    last: dict[str, int] = {}
    taken: set[str] = set()
    found: list[ReadTable] = []
    for at, table in enumerate(tables, start=1):
        name = f"table {at}" if _NUMBERED.fullmatch(table.name) else table.name
        free, number = name, last.get(name, 1)
        while free in taken:
            number += 1
            free = f"{name} {number}"
        last[name] = number
        taken.add(free)
        found.append(replace(table, name=free))
    return tuple(found)
