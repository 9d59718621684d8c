"""Checks of one table against its table type: types, required values, products and sums."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal

from scoring.arithmetic.equations import BoundTable, Equation, EquationKind, Operand, Related, equations
from scoring.schema import Column, TableType
from scoring.table import Table
from scoring.values.dates import ISO_DATE, written_date
from scoring.values.locales import written
from scoring.values.reader import Value, in_words, read

# A day that cannot be taken for a month, nor the month for a day.
EXAMPLE_DATE = date(2024, 10, 31)

FindingKind = Literal["column", "required", "type"] | EquationKind


@dataclass(frozen=True, slots=True)
class Finding:
    """One check that fails: where it is shown (grid position, None for a whole line) and a message for a person.

    ``cells`` are all (row, col) that took part, one of which is wrong; empty where none exists.
    ``explained``: rounding of the printed numbers, each by half a unit of its last digit, is enough
    to explain a sum that fails.
    """

    row: int | None
    col: int | None
    message: str
    kind: FindingKind
    cells: tuple[tuple[int, int], ...] = ()
    explained: bool = False


def check(table: Table, table_type: TableType, *, related: Related | None = None) -> tuple[Finding, ...]:
    """The checks that fail on a table: first what every cell must be, then products and sums.

    ``related`` maps the names of other table types of the document to their table, for sums that
    have to equal a field there. A check is passed over where an operand does not parse or the
    other table is not there, since it could tell nothing. An absent value is passed over in a
    product, and counts as 0 in a sum. A percent column enters a product as its hundredth.
    """
    sheet = BoundTable.of(table, table_type)
    failing = (equation for equation in equations(sheet, related or {}) if not equation.holds)
    return (*_columns(sheet), *_cells(sheet), *(finding_of(equation, table_type.name) for equation in failing))


def _columns(sheet: BoundTable) -> Iterator[Finding]:
    for at, column in enumerate(sheet.type.columns):
        if column.required and sheet.binding.column_of(at) is None:
            yield Finding(None, None, f"column {column.shown} is required and was not found", "column")


def _cells(sheet: BoundTable) -> Iterator[Finding]:
    for row in sheet.rows:
        for col, at in enumerate(sheet.binding.columns):
            if at is None:
                continue
            column, cell = sheet.type.columns[at], sheet.table.at(row, col)
            if cell is not None and (cell.row, cell.col) != (row, col):
                continue  # told where the merged cell is anchored
            value = read("" if cell is None else cell.text, column)
            if value.kind == "null" and column.required:
                yield Finding(row, col, f"{column.shown} is required and empty", "required", ((row, col),))
            elif not value.readable:
                yield Finding(row, col, _unreadable(value, column), "type", ((row, col),))


def _unreadable(value: Value, column: Column) -> str:
    said = f"{value.text!r} {in_words('unparseable', column)}"
    if column.type == "date":
        examples = [
            written_date(EXAMPLE_DATE, pattern, locale=column.locale, calendar=column.calendar)
            for pattern in column.date_patterns or ISO_DATE
        ]
        return f"{said} (expected one like {' or '.join(examples)})"
    if column.type == "boolean":
        return (
            f"{said} (expected {' or '.join(words[0] for words in (column.true_words, column.false_words) if words)})"
        )
    if "unknown_unit" in value.flags:
        return f"{said}: it {in_words('unknown_unit', column)}"
    return f"{said} ({column.locale})"


def finding_of(equation: Equation, table: str) -> Finding:
    """The finding of an equation that fails, with the places in the table of that type."""
    said, column = equation.said, equation.said.column
    in_table = said.table == table
    left = _left(equation)
    message = (
        f"{left} {_shown(equation.computed, column, said.number)}, {equation.who} says {_shown(said.number, column)}"
    )
    explained = equation.explained_by_rounding
    if explained:
        message += f", explained by rounding of {len(equation.operands)} numbers"
    cells = tuple((operand.row, operand.col) for operand in equation.operands if operand.table == table)
    return Finding(
        said.row if in_table else None,
        said.col if in_table else equation.operands[0].col,
        message,
        equation.kind,
        (*cells, (said.row, said.col)) if in_table else cells,
        explained,
    )


def _left(equation: Equation) -> str:
    operands = equation.operands
    if equation.shape == "product":
        return " × ".join(_shown(operand.number, operand.column) for operand in operands) + " ="
    if equation.shape == "tax":
        rates = [operands[at] for at, _ in equation.groups]
        shown = dict.fromkeys(_shown(o.number, o.column) + " %" * (o.column.type == "percent") for o in rates)
        bases = [operands[at] for _, group in equation.groups for at in group]
        base = sum((operand.factor * operand.number for operand in bases), Decimal(0))
        how = f", rounded {len(rates)} times," if len(rates) > 1 else ""
        return f"tax of {' and '.join(shown)} on {_shown(base, equation.said.column)}{how} ="
    if equation.down:
        return f"column {operands[0].column.shown} adds up to"
    return " ".join(_term(at, operand) for at, operand in enumerate(operands)) + " ="


def _term(at: int, operand: Operand) -> str:
    # A discount that is printed with a minus is taken off like one without.
    number, factor, column = operand.number, operand.factor, operand.column
    sign = "−" if factor < 0 else "+" if at else ""
    times = "" if abs(factor) == 1 else f"{abs(factor):f} × "
    return f"{sign} {times}{column.shown} {_shown(number, column)}".strip()


def _shown(number: Decimal, column: Column, like: Decimal | None = None) -> str:
    """A number as the column's locale writes it, with at least as many decimals as ``like`` has."""
    exponent = (number if like is None else like).as_tuple().exponent
    return written(number, column.locale, places=max(0, -exponent) if isinstance(exponent, int) else 0)
