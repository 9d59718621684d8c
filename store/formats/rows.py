"""Named values to a table: fields as its one row, records as a row each, under a header of their names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring.table import LARGEST_GRID, Box, Cell, Confidence, Table
from store.formats.contract import FormatError, ReadTable, Repair

FORM = "fields"
LINES = "line_items"


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


def named(tables: Sequence[ReadTable]) -> tuple[str, ...]:
    """A name for each table, the same ones told apart by numbers: ``fields``, ``line_items``, ``line_items 2``."""
    used: dict[str, int] = {}
    names: list[str] = []
    for table in tables:
        used[table.name] = used.get(table.name, 0) + 1
        names.append(table.name if used[table.name] == 1 else f"{table.name} {used[table.name]}")
    return tuple(names)
