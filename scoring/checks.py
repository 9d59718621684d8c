"""Checks of one table against its table type: types, required values, products and sums."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal

from scoring.dates import ISO_DATE, written_date
from scoring.locales import written
from scoring.schema import Binding, Column, Product, Sum, SumOfFields, TableType, bind
from scoring.table import Table
from scoring.values import Value, in_words, read

# A day that cannot be taken for a month, nor the month for a day.
EXAMPLE_DATE = date(2024, 10, 31)

FindingKind = Literal["column", "required", "type", "product", "sum", "sum_fields"]
Related = Mapping[str, tuple[Table, TableType]]


@dataclass(frozen=True, slots=True)
class Finding:
    """One check that fails: where it is shown (grid position, None for a whole line) and a message for a person.

    ``cells`` are all (row, col) that took part, one of which is wrong; empty where none exists.
    """

    row: int | None
    col: int | None
    message: str
    kind: FindingKind
    cells: tuple[tuple[int, int], ...] = ()


def check(table: Table, table_type: TableType, *, related: Related | None = None) -> tuple[Finding, ...]:
    """The checks that fail on a table: first what every cell must be, then products and sums.

    ``related`` maps the names of other table types of the document to their table, for sums that
    have to equal a field there. A check is passed over where an operand does not parse or the
    other table is not there, since it could tell nothing. An absent value is passed over in a
    product, and counts as 0 in a sum. A percent column enters a product as its hundredth.
    """
    sheet = _Sheet(table, table_type, bind(table, table_type))
    found = [*_columns(sheet), *_cells(sheet)]
    for rule in table_type.checks:
        match rule:
            case Product():
                found += _product(sheet, rule)
            case Sum():
                found += _sum(sheet, rule, related or {})
            case SumOfFields():
                found += _sum_of_fields(sheet, rule)
    return tuple(found)


@dataclass(frozen=True)
class _Sheet:
    """A table, its type, and which column is which."""

    table: Table
    type: TableType
    binding: Binding

    @property
    def rows(self) -> range:
        return range(self.binding.header_rows, self.table.n_rows)

    def column(self, name: str) -> Column:
        at = self.type.index(name)
        assert at is not None, "the table type was checked when it was read"
        return self.type.columns[at]

    def col(self, name: str) -> int | None:
        at = self.type.index(name)
        return None if at is None else self.binding.column_of(at)

    def value(self, row: int, name: str) -> Value | None:
        col = self.col(name)
        return None if col is None else read(self.table.text_at(row, col), self.column(name))


def _columns(sheet: _Sheet) -> Iterator[Finding]:
    for at, column in enumerate(sheet.type.columns):
        if column.required and sheet.binding.column_of(at) is None:
            yield Finding(None, None, f"column {column.shown} is required and was not found", "column")


def _cells(sheet: _Sheet) -> Iterator[Finding]:
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
    if "unknown_unit" in value.flags:
        return f"{said}: it {in_words('unknown_unit', column)}"
    return f"{said} ({column.locale})"


def _product(sheet: _Sheet, rule: Product) -> Iterator[Finding]:
    cols = [sheet.col(name) for name in (*rule.factors, rule.product)]
    if any(col is None for col in cols):
        return
    for row in sheet.rows:
        values = [sheet.value(row, name) for name in (*rule.factors, rule.product)]
        numbers = [value.number for value in values if value is not None and value.number is not None]
        if len(numbers) != len(cols):
            continue
        *factors, said = numbers
        product = Decimal(1)
        for factor, name in zip(factors, rule.factors, strict=True):
            product *= _factor(factor, sheet.column(name))
        if abs(product - said) > rule.tolerance:
            column = sheet.column(rule.product)
            terms = " × ".join(
                _shown(factor, sheet.column(name)) for factor, name in zip(factors, rule.factors, strict=True)
            )
            message = f"{terms} = {_shown(product, column, said)}, {column.shown} says {_shown(said, column)}"
            col = cols[-1]
            yield Finding(row, col, message, "product", tuple((row, at) for at in cols if at is not None))


def _factor(number: Decimal, column: Column) -> Decimal:
    return number / 100 if column.type == "percent" and not column.ratio else number


def _sum(sheet: _Sheet, rule: Sum, related: Related) -> Iterator[Finding]:
    col, column = sheet.col(rule.column), sheet.column(rule.column)
    if col is None:
        return
    rows: Sequence[int] = sheet.rows if rule.table is not None else sheet.rows[:-1]
    values = {row: value for row in rows if (value := sheet.value(row, rule.column)) and value.kind != "null"}
    numbers = [value.number for value in values.values() if value.number is not None]
    if not numbers or len(numbers) != len(values):
        return
    if rule.table is not None:
        said, who = _field(rule, related)
        at_row, cells = None, tuple((row, col) for row in values)
    else:
        last = sheet.value(sheet.rows[-1], rule.column)
        said, who = last.number if last else None, "the last row"
        at_row, cells = sheet.rows[-1], (*((row, col) for row in values), (sheet.rows[-1], col))
    total = sum(numbers, Decimal(0))
    if said is not None and abs(total - said) > rule.tolerance:
        message = f"column {column.shown} adds up to {_shown(total, column, said)}, {who} says {_shown(said, column)}"
        yield Finding(at_row, col, message, "sum", cells)


def _field(rule: Sum, related: Related) -> tuple[Decimal | None, str]:
    if rule.table is None or rule.table not in related:
        return None, ""
    other = _Sheet(*related[rule.table], bind(*related[rule.table]))
    if other.type.index(rule.field) is None or not other.rows:
        return None, ""
    value = other.value(other.rows[0], rule.field)
    return value.number if value else None, f"{other.type.shown} ({other.column(rule.field).shown})"


def _sum_of_fields(sheet: _Sheet, rule: SumOfFields) -> Iterator[Finding]:
    col, column = sheet.col(rule.equals), sheet.column(rule.equals)
    if col is None:
        return
    for row in sheet.rows:
        values = [(name, factor, sheet.value(row, name)) for name, factor in rule.terms]
        present = [(name, factor, value) for name, factor, value in values if value and value.kind != "null"]
        terms = [(name, factor, value.number) for name, factor, value in present if value.number is not None]
        said = sheet.value(row, rule.equals)
        if not terms or len(terms) != len(present) or said is None or said.number is None:
            continue
        total = sum((factor * number for _, factor, number in terms), Decimal(0))
        if abs(total - said.number) > rule.tolerance:
            left = " ".join(_term(at, sheet.column(name), *term) for at, (name, *term) in enumerate(terms))
            message = (
                f"{left} = {_shown(total, column, said.number)}, {column.shown} says {_shown(said.number, column)}"
            )
            cells = tuple((row, at) for name, _, _ in terms if (at := sheet.col(name)) is not None)
            right = f"{column.shown} says {_shown(said.number, column)}"
            message = f"{left} = {_shown(total, column, said.number)}, {right}"
            yield Finding(row, col, message, "sum_fields", (*cells, (row, col)))


def _term(at: int, column: Column, factor: Decimal, number: Decimal) -> str:
    sign = "−" if factor < 0 else "+" if at else ""
    times = "" if abs(factor) == 1 else f"{abs(factor):f} × "
    return f"{sign} {times}{column.shown} {_shown(number, column)}".strip()


def _shown(number: Decimal, column: Column, like: Decimal | None = None) -> str:
    """A number as the column's locale writes it, with at least as many decimals as ``like`` has."""
    exponent = (number if like is None else like).as_tuple().exponent
    return written(number, column.locale, places=max(0, -exponent) if isinstance(exponent, int) else 0)
