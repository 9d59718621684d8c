"""Table types: columns, checks and the acceptance rule, read from JSON and bound to a table."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from decimal import Decimal
from functools import cached_property
from typing import Any, Self

from scoring.arithmetic.check_rules import CHECK_RULES, CrossFoot, Totals
from scoring.parts import Parts, SchemaError
from scoring.table import Table
from scoring.text import fold
from scoring.values.columns import NUMBERS, Column, ColumnType

__all__ = [
    "Acceptance",
    "Binding",
    "Check",
    "Column",
    "ColumnType",
    "Product",
    "SchemaError",
    "Sum",
    "SumOfFields",
    "TableType",
    "bind",
]


@dataclass(frozen=True)
class Product:
    """In each row the factors multiplied give the product, within the tolerance."""

    factors: tuple[str, ...]
    product: str
    tolerance: Decimal = Decimal("0.01")

    def to_json(self) -> dict[str, Any]:
        """A plain mapping with its kind."""
        return {
            "kind": "product",
            "factors": list(self.factors),
            "product": self.product,
            "tolerance": str(self.tolerance),
        }


@dataclass(frozen=True)
class Sum:
    """A column adds up to a field of another table, or to its own last row where ``table`` is None."""

    column: str
    table: str | None = None
    field: str = ""
    tolerance: Decimal = Decimal("0.01")

    def to_json(self) -> dict[str, Any]:
        """A plain mapping with its kind."""
        equals = {"last_row": True} if self.table is None else {"table": self.table, "column": self.field}
        return {"kind": "sum", "column": self.column, "equals": equals, "tolerance": str(self.tolerance)}


@dataclass(frozen=True)
class SumOfFields:
    """In each row of a form the terms, each times its factor, give the field ``equals``."""

    terms: tuple[tuple[str, Decimal], ...]
    equals: str
    tolerance: Decimal = Decimal("0.01")

    def to_json(self) -> dict[str, Any]:
        """A plain mapping with its kind."""
        terms = [[name, int(factor) if factor == int(factor) else float(factor)] for name, factor in self.terms]
        return {"kind": "sum_fields", "terms": terms, "equals": self.equals, "tolerance": str(self.tolerance)}


Check = Product | Sum | SumOfFields | CrossFoot | Totals


@dataclass(frozen=True)
class Acceptance:
    """When a table passes: least row recall and cell F1 (0..1), and all required values right."""

    row_recall: float = 1.0
    cell_f1: float = 1.0
    required_correct: bool = True

    def to_json(self) -> dict[str, Any]:
        """A plain mapping of all three parts."""
        return {part.name: getattr(self, part.name) for part in fields(self)}

    @classmethod
    def from_json(cls, value: object, place: str = "acceptance") -> Self:
        """The rule that ``to_json`` wrote; raises SchemaError for a part that is no share 0..1."""
        parts = Parts(value, place, {part.name for part in fields(cls)})
        return cls(
            parts.number("row_recall", 1.0, most=1.0),
            parts.number("cell_f1", 1.0, most=1.0),
            parts.truth("required_correct", True),
        )


@dataclass(frozen=True)
class TableType:
    """The schema of one kind of table; ``form``: exactly one data row, shown as a list of fields."""

    name: str
    columns: tuple[Column, ...]
    label: str = ""
    form: bool = False
    rtl: bool = False
    checks: tuple[Check, ...] = ()
    acceptance: Acceptance = Acceptance()

    @property
    def shown(self) -> str:
        """The label, or the name where there is none."""
        return self.label or self.name

    def index(self, name: str) -> int | None:
        """The index of the column of that name, or None."""
        return next((at for at, column in enumerate(self.columns) if column.name == name), None)

    @cached_property
    def signature(self) -> str:
        """Twelve hexadecimal digits of the SHA-256 of the JSON: equal for equal rules."""
        body = json.dumps(self.to_json(), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        return hashlib.sha256(body.encode()).hexdigest()[:12]

    def to_json(self) -> dict[str, Any]:
        """A plain mapping that ``from_json`` reads back to an equal table type."""
        return {
            "name": self.name,
            "label": self.label,
            "form": self.form,
            "rtl": self.rtl,
            "columns": [column.to_json() for column in self.columns],
            "checks": [check.to_json() for check in self.checks],
            "acceptance": self.acceptance.to_json(),
        }

    @classmethod
    def from_json(cls, value: object, place: str = "") -> Self:
        """The table type that ``to_json`` wrote.

        Raises SchemaError naming the place, as in ``columns[2].type``: for a part that is missing,
        mistyped or unknown, a column name used twice, and a check that names no column.
        """
        inside = f"{place}." if place else ""
        parts = Parts(value, place or "table type", {part.name for part in fields(cls)}, inside=inside)
        columns = tuple(
            Column.from_json(entry, f"{inside}columns[{at}]") for at, entry in enumerate(parts.entries("columns"))
        )
        if not columns:
            raise SchemaError(f"{inside}columns is empty, expected at least one column")
        names = [column.name for column in columns]
        for at, name in enumerate(names):
            if name in names[:at]:
                raise SchemaError(f"{inside}columns[{at}].name {name!r} is used before, expected each name once")
        _expect_one_meaning(columns, inside)
        checks = tuple(
            _check(entry, f"{inside}checks[{at}]", names, columns)
            for at, entry in enumerate(parts.entries("checks", ()))
        )
        return cls(
            name=parts.name("name"),
            columns=columns,
            label=parts.text("label", ""),
            form=parts.truth("form", False),
            rtl=parts.truth("rtl", False),
            checks=checks,
            acceptance=Acceptance.from_json(parts.part("acceptance", {}), f"{inside}acceptance"),
        )


@dataclass(frozen=True)
class Binding:
    """Which schema column each table column is: an index into the columns of the type, or None.

    ``header_rows`` leading rows name the columns and hold no data. ``notes`` tell a person where
    the position decided, and which columns were left over.
    """

    header_rows: int
    columns: tuple[int | None, ...]
    notes: tuple[str, ...] = ()

    def column_of(self, index: int) -> int | None:
        """The table column that is the schema column of that index, or None."""
        return self.columns.index(index) if index in self.columns else None


def bind(table: Table, table_type: TableType, *, by_position: bool = True, header_rows: int | None = None) -> Binding:
    """Tell which column of the table type each column of the table is.

    The header text decides: name, label or alias, where case, white space and underscores do not
    count; the texts of several header rows are joined by a space. A column whose header names
    nothing takes the free schema column of its position, if both have as many columns and
    ``by_position`` is left on. ``header_rows`` overrules the rows that are marked as header.
    """
    count = table.header_rows if header_rows is None else header_rows
    names = {fold(name): at for at, column in reversed([*enumerate(table_type.columns)]) for name in column.names}
    texts = [header_text(table, col, count) for col in range(table.n_cols)]
    bound: list[int | None] = []
    for text in texts:
        at = names.get(fold(text))
        bound.append(at if at not in bound else None)
    notes: list[str] = []
    if by_position and table.n_cols == len(table_type.columns):
        for col, text in enumerate(texts):
            if bound[col] is None and col not in bound:
                bound[col] = col
                if text:
                    notes.append(
                        f"column {col + 1} {text!r} is taken for {table_type.columns[col].shown} by its position"
                    )
    notes += [
        f"column {col + 1} {texts[col]!r} is no column of {table_type.shown}"
        for col, at in enumerate(bound)
        if at is None
    ]
    notes += [f"column {column.shown} was not found" for at, column in enumerate(table_type.columns) if at not in bound]
    return Binding(count, tuple(bound), tuple(notes))


def header_text(table: Table, col: int, header_rows: int) -> str:
    """The texts of the header cells over a column from the top, joined by a space."""
    cells = [table.at(row, col) for row in range(header_rows)]
    distinct = {(cell.row, cell.col): cell.text for cell in cells if cell is not None}
    return " ".join(text for text in distinct.values() if text.strip())


def _expect_one_meaning(columns: Sequence[Column], inside: str) -> None:
    """No header text may mean two columns: the second would never be found by it."""
    meant: dict[str, tuple[int, str]] = {}
    for at, column in enumerate(columns):
        for name in column.names:
            first, other = meant.setdefault(fold(name), (at, name))
            if first != at:
                raise SchemaError(
                    f"{inside}columns[{at}] {column.name!r} has the name, label or alias {name!r}, which is read like "
                    f"{other!r} of columns[{first}] {columns[first].name!r}, expected texts that differ in more than "
                    "case, white space and underscores"
                )


def _check(value: object, place: str, names: list[str], columns: Sequence[Column]) -> Check:
    kind = Parts(value, place).one_of("kind", ("product", "sum", "sum_fields", *CHECK_RULES))
    if kind in CHECK_RULES:
        return CHECK_RULES[kind].from_json(value, place, names)
    if kind == "product":
        parts = Parts(value, place, {"kind", "factors", "product", "tolerance"})
        factors = parts.texts("factors")
        for at, factor in enumerate(factors):
            _known(factor, f"{place}.factors[{at}]", names)
        if len(factors) < 2:
            raise SchemaError(f"{place}.factors has {len(factors)}, expected at least two columns")
        return Product(
            factors, _known(parts.name("product"), f"{place}.product", names), parts.amount("tolerance", "0.01")
        )
    if kind == "sum":
        parts = Parts(value, place, {"kind", "column", "equals", "tolerance"})
        column = _known(parts.name("column"), f"{place}.column", names)
        summed = columns[names.index(column)]
        if summed.type not in NUMBERS:
            raise SchemaError(
                f"{place}.column {column!r} is of type {summed.type!r}, expected one of {', '.join(NUMBERS)}"
            )
        equals = Parts(parts.part("equals"), f"{place}.equals", {"last_row", "table", "column"})
        if equals.truth("last_row", False):
            if equals.part("table", None) is not None or equals.part("column", None) is not None:
                raise SchemaError(f"{place}.equals has last_row and a column of a table, expected one of both")
            return Sum(column, tolerance=parts.amount("tolerance", "0.01"))
        return Sum(column, equals.name("table"), equals.name("column"), parts.amount("tolerance", "0.01"))
    parts = Parts(value, place, {"kind", "terms", "equals", "tolerance"})
    terms = []
    for at, entry in enumerate(parts.entries("terms")):
        here = f"{place}.terms[{at}]"
        if not isinstance(entry, list | tuple) or len(entry) != 2:
            raise SchemaError(f'{here} is {entry!r}, expected a column and a factor, as in ["tax", 1]')
        term = Parts({"column": entry[0], "factor": entry[1]}, here)
        terms.append((_known(term.name("column"), here, names), term.amount("factor", least=None)))
    if not terms:
        raise SchemaError(f"{place}.terms is empty, expected at least one column and its factor")
    equal = _known(parts.name("equals"), f"{place}.equals", names)
    return SumOfFields(tuple(terms), equal, parts.amount("tolerance", "0.01"))


def _known(name: str, place: str, names: Mapping[str, object] | list[str]) -> str:
    if name not in names:
        raise SchemaError(f"{place} names the column {name!r}, expected one of {', '.join(names)}")
    return name
