"""The sums, products and taxes that the numbers of a table have to fulfil."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal
from functools import cached_property
from math import prod
from typing import Literal

from scoring.arithmetic.check_rules import CrossFoot, Totals
from scoring.arithmetic.slips import places_of
from scoring.schema import Binding, Column, Product, Sum, SumOfFields, TableType, bind
from scoring.table import Table
from scoring.values.reader import Value, read

EquationKind = Literal["product", "sum", "sum_fields", "cross_foot", "totals"]
Related = Mapping[str, tuple[Table, TableType]]
Place = tuple[str, int, int]

_ONE, _MINUS_ONE, _HUNDREDTH = Decimal(1), Decimal(-1), Decimal("0.01")


@dataclass(frozen=True)
class Operand:
    """One number of an equation: table type, row and column of its cell, and the factor it enters with."""

    table: str
    row: int
    col: int
    column: Column
    value: Value
    number: Decimal
    factor: Decimal = _ONE

    @property
    def place(self) -> Place:
        """Where the number stands."""
        return self.table, self.row, self.col


@dataclass(frozen=True)
class Equation:
    """What operands give, and the number ``said`` that has to be equal to it within the tolerance.

    ``shape`` "sum": the operands, each times its factor, added up; "product": multiplied; "tax":
    for each of ``groups`` the operand at its first index (the rate) times the sum of the operands at
    the others, rounded half up to the last printed digit of ``said``, added up. ``down`` tells that
    the operands are a column. ``who`` says in words where the number said stands.
    """

    kind: EquationKind
    shape: Literal["sum", "product", "tax"]
    operands: tuple[Operand, ...]
    said: Operand
    tolerance: Decimal
    who: str
    down: bool = False
    groups: tuple[tuple[int, tuple[int, ...]], ...] = ()

    @cached_property
    def computed(self) -> Decimal:
        """What the operands give."""
        return self.compute([operand.number for operand in self.operands])

    @cached_property
    def decimals(self) -> frozenset[int]:
        """With how many decimals its numbers are printed."""
        return frozenset(places_of(operand.value) for operand in (*self.operands, self.said))

    @cached_property
    def difference(self) -> Decimal:
        """What is missing to the number said: said - computed."""
        return self.said.number - self.computed

    @property
    def holds(self) -> bool:
        """Whether both sides are equal within the tolerance."""
        return abs(self.difference) <= self.tolerance

    @property
    def explained_by_rounding(self) -> bool:
        """Whether printed addends that were rounded, each by half a unit of its last digit, explain what is missing.

        Only for numbers with decimals: counts are not rounded.
        """
        steps = [operand.value.step * abs(operand.factor) for operand in self.operands]
        fine = all(0 < step < 1 for step in steps)
        return self.shape == "sum" and fine and abs(self.difference) <= sum(steps, Decimal(0)) / 2

    def compute(self, numbers: Sequence[Decimal]) -> Decimal:
        """What other numbers in the place of the operands would give."""
        scaled = [number * operand.factor for number, operand in zip(numbers, self.operands, strict=True)]
        if self.shape == "product":
            return prod(scaled, start=_ONE)
        if self.shape == "sum":
            return sum(scaled, Decimal(0))
        unit = self.said.value.step or _HUNDREDTH
        taxes = (scaled[rate] * sum((scaled[at] for at in bases), Decimal(0)) for rate, bases in self.groups)
        return sum((_rounded(tax, unit) for tax in taxes), Decimal(0))

    def slope(self, at: int, numbers: Sequence[Decimal]) -> Decimal:
        """By how much the computed side grows with the operand at an index, rounding left out."""
        factor = self.operands[at].factor
        if self.shape == "sum":
            return factor
        scaled = [number * operand.factor for number, operand in zip(numbers, self.operands, strict=True)]
        if self.shape == "product":
            return factor * prod(scaled[:at] + scaled[at + 1 :], start=_ONE)
        as_rate = [sum((scaled[base] for base in bases), Decimal(0)) for rate, bases in self.groups if rate == at]
        as_base = [scaled[rate] for rate, bases in self.groups if at in bases]
        return factor * sum((*as_rate, *as_base), Decimal(0))

    def holds_with(self, changed: Mapping[Place, Decimal]) -> bool:
        """Whether both sides would be equal with other numbers at some places."""
        return abs(self.difference_with(changed)) <= self.tolerance

    def difference_with(self, changed: Mapping[Place, Decimal]) -> Decimal:
        """What would be missing to the number said with other numbers at some places."""
        said = changed.get(self.said.place, self.said.number)
        if self.shape == "sum":
            # Sums may be long: only what changes is added.
            moved = (operand for place in changed for operand in self._operands_of.get(place, ()))
            gains = (operand.factor * (changed[operand.place] - operand.number) for operand in moved)
            return said - self.computed - sum(gains, Decimal(0))
        return said - self.compute([changed.get(operand.place, operand.number) for operand in self.operands])

    def places_of_row(self, row: int) -> list[Place]:
        """The places of the operands that stand in a row."""
        return [operand.place for operand in self.operands if operand.row == row]

    @property
    def rounding(self) -> Decimal:
        """By how much rounding may move the computed side of a tax; 0 for sums and products."""
        return len(self.groups) * (self.said.value.step or _HUNDREDTH) / 2

    @cached_property
    def _operands_of(self) -> dict[Place, list[Operand]]:
        found: dict[Place, list[Operand]] = {}
        for operand in self.operands:
            found.setdefault(operand.place, []).append(operand)
        return found


@dataclass(frozen=True)
class BoundTable:
    """A table, its type, and which column is which."""

    table: Table
    type: TableType
    binding: Binding

    @classmethod
    def of(cls, table: Table, table_type: TableType) -> BoundTable:
        """The table bound to its type."""
        return cls(table, table_type, bind(table, table_type))

    @property
    def rows(self) -> range:
        """The data rows."""
        return range(self.binding.header_rows, self.table.n_rows)

    @cached_property
    def _columns(self) -> Mapping[str, tuple[Column, int | None]]:
        return {column.name: (column, self.binding.column_of(at)) for at, column in enumerate(self.type.columns)}

    def column(self, name: str) -> Column:
        """The schema column of a name that the type has."""
        return self._columns[name][0]

    def col(self, name: str) -> int | None:
        """The table column that stands for a schema column, None where the table has none."""
        return self._columns[name][1] if name in self._columns else None

    def value(self, row: int, name: str) -> Value | None:
        """The value in a row; None where the table does not have the column."""
        column, col = self._columns.get(name, (None, None))
        return None if column is None or col is None else read(self.table.text_at(row, col), column)

    def operand(self, row: int, name: str, factor: Decimal = _ONE) -> Operand | None:
        """The number in a row, None where there is none."""
        column, col = self._columns.get(name, (None, None))
        if column is None or col is None:
            return None
        value = read(self.table.text_at(row, col), column)
        return None if value.number is None else Operand(self.type.name, row, col, column, value, value.number, factor)

    def absent(self, row: int, name: str) -> bool:
        """Whether the table has no such column, or nothing stands there."""
        value = self.value(row, name)
        return value is None or value.kind == "null"


def equations(sheet: BoundTable, related: Related) -> Iterator[Equation]:
    """What the checks of the table type ask of the numbers that are there, in the order of the checks.

    Left out is what has an operand that does not parse or that stands in a table that is not there.
    An absent value is left out of a sum, and makes that there is no product.
    """
    for rule in sheet.type.checks:
        match rule:
            case Product():
                yield from _products(sheet, rule)
            case Sum():
                yield from _sums(sheet, rule, related)
            case SumOfFields():
                for row in sheet.rows:
                    yield from _row_sum(sheet, row, rule.terms, rule.equals, rule.tolerance, "sum_fields")
            case CrossFoot():
                yield from _cross_foot(sheet, rule)
            case Totals():
                yield from _totals(sheet, rule, related)


def _products(sheet: BoundTable, rule: Product) -> Iterator[Equation]:
    if any(sheet.col(name) is None for name in (*rule.factors, rule.product)):
        return
    rates = [(name, _of_rate(sheet.column(name))) for name in rule.factors]
    for row in sheet.rows:
        said = sheet.operand(row, rule.product)
        factors = tuple(found for name, rate in rates if (found := sheet.operand(row, name, rate)) is not None)
        if said is not None and len(factors) == len(rates):
            yield Equation("product", "product", factors, said, rule.tolerance, said.column.shown)


def _of_rate(column: Column) -> Decimal:
    return _HUNDREDTH if column.type == "percent" and not column.ratio else _ONE


def _sums(sheet: BoundTable, rule: Sum, related: Related) -> Iterator[Equation]:
    rows: Sequence[int] = sheet.rows if rule.table is not None else sheet.rows[:-1]
    addends = _addends(sheet, rows, rule.column)
    if not addends:
        return
    if rule.table is None:
        said, who = sheet.operand(sheet.rows[-1], rule.column), "the last row"
    elif rule.table not in related:
        return
    else:
        other = BoundTable.of(*related[rule.table])
        if other.type.index(rule.field) is None or not other.rows:
            return
        said = other.operand(other.rows[0], rule.field)
        who = f"{other.type.shown} ({other.column(rule.field).shown})"
    if said is not None:
        yield Equation("sum", "sum", addends, said, rule.tolerance, who, down=True)


def _addends(sheet: BoundTable, rows: Sequence[int], name: str) -> tuple[Operand, ...]:
    """The numbers of a column; empty where one of its values is no number."""
    if sheet.col(name) is None:
        return ()
    found = [sheet.operand(row, name) for row in rows if not sheet.absent(row, name)]
    numbers = tuple(operand for operand in found if operand is not None)
    return numbers if len(numbers) == len(found) else ()


def _row_sum(
    sheet: BoundTable,
    row: int,
    terms: Sequence[tuple[str, Decimal]],
    equals: str,
    tolerance: Decimal,
    kind: EquationKind,
) -> Iterator[Equation]:
    found = [sheet.operand(row, name, factor) for name, factor in terms if not sheet.absent(row, name)]
    operands = tuple(operand for operand in found if operand is not None)
    said = sheet.operand(row, equals)
    if operands and len(operands) == len(found) and said is not None:
        yield Equation(kind, "sum", operands, said, tolerance, said.column.shown)


def _cross_foot(sheet: BoundTable, rule: CrossFoot) -> Iterator[Equation]:
    if rule.total:
        terms = [(name, _ONE) for name in rule.columns]
        for row in sheet.rows:
            yield from _row_sum(sheet, row, terms, rule.total, rule.tolerance, "cross_foot")
    if rule.total_row and sheet.rows:
        for name in (*rule.columns, *([rule.total] if rule.total else [])):
            addends, said = _addends(sheet, sheet.rows[:-1], name), sheet.operand(sheet.rows[-1], name)
            if addends and said is not None:
                # Told like the sum of any other column: one of many cells is wrong.
                yield Equation("sum", "sum", addends, said, rule.tolerance, "the last row", down=True)


def _totals(sheet: BoundTable, rule: Totals, related: Related) -> Iterator[Equation]:
    for row in sheet.rows:
        signs = [(rule.subtotal, _ONE), (rule.discount, _MINUS_ONE), (rule.shipping, _ONE)]
        signs += [(rule.tax, _ONE), (rule.credit, _MINUS_ONE)]
        terms = [(name, _taken_off(sheet, row, name) if sign < 0 else sign) for name, sign in signs if name]
        yield from _row_sum(sheet, row, terms, rule.total, rule.tolerance, "totals")
        if rule.tax and (rule.rate or rule.line_rate):
            yield from _tax(sheet, row, rule, related)


def _taken_off(sheet: BoundTable, row: int, name: str) -> Decimal:
    """The factor that takes a value off, printed with a minus or without."""
    value = sheet.value(row, name)
    return _ONE if value is not None and value.number is not None and value.number < 0 else _MINUS_ONE


def _tax(sheet: BoundTable, row: int, rule: Totals, related: Related) -> Iterator[Equation]:
    said = sheet.operand(row, rule.tax)
    names = [(rule.subtotal, _ONE)] if not rule.lines else []
    if rule.discount and rule.rounding == "per_total" and not sheet.absent(row, rule.discount):
        names.append((rule.discount, _taken_off(sheet, row, rule.discount)))
    if rule.shipping and rule.shipping_taxed and not sheet.absent(row, rule.shipping):
        names.append((rule.shipping, _ONE))
    found = [sheet.operand(row, name, factor) for name, factor in names]
    lines = _taxed_lines(rule, related)
    rate = sheet.operand(row, rule.rate) if rule.rate else None
    if said is None or lines is None or None in found or (rate is None and not rule.line_rate):
        return
    own = [operand for operand in found if operand is not None]
    operands: list[Operand] = [] if rate is None else [replace(rate, factor=_of_rate(rate.column))]
    groups: list[tuple[int, tuple[int, ...]]] = []
    of_rate: dict[Decimal | None, tuple[int, list[int]]] = {None: (0, [])} if rate is not None else {}
    for amount, line_rate in lines:
        if line_rate is not None:
            operands.append(replace(line_rate, factor=_of_rate(line_rate.column)))
        at_rate = 0 if line_rate is None else len(operands) - 1
        operands.append(amount)
        if rule.rounding == "per_line":
            groups.append((at_rate, (len(operands) - 1,)))
        else:
            key = None if line_rate is None else line_rate.number
            of_rate.setdefault(key, (at_rate, []))[1].append(len(operands) - 1)
    if own and rate is None and len(of_rate) > 1:
        return  # Nothing tells which rate the discount or the shipping has.
    if own:
        first = next(iter(of_rate.values()), (0, []))
        first[1].extend(range(len(operands), len(operands) + len(own)))
        operands += own
    groups += [(at, tuple(bases)) for at, bases in of_rate.values() if bases]
    if groups:
        yield Equation("totals", "tax", tuple(operands), said, rule.tolerance, said.column.shown, groups=tuple(groups))


def _taxed_lines(rule: Totals, related: Related) -> list[tuple[Operand, Operand | None]] | None:
    """Amount and rate of each line; None where they cannot be told."""
    if not rule.lines:
        return []
    if rule.lines not in related:
        return None
    other = BoundTable.of(*related[rule.lines])
    if other.type.index(rule.line_amount) is None or (rule.line_rate and other.type.index(rule.line_rate) is None):
        return None
    found = []
    for row in other.rows:
        if other.absent(row, rule.line_amount):
            continue
        amount = other.operand(row, rule.line_amount)
        rate = other.operand(row, rule.line_rate) if rule.line_rate else None
        if amount is None or (rule.line_rate and rate is None):
            return None
        found.append((amount, rate))
    return found


def _rounded(number: Decimal, unit: Decimal) -> Decimal:
    return (number / unit).to_integral_value(ROUND_HALF_UP) * unit
