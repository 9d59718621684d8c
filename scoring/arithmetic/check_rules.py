"""Declared checks of whole tables and of document totals: cross-footing, and totals with tax."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal, Self, get_args

from scoring.parts import Parts, SchemaError

Rounding = Literal["per_total", "per_line"]
_CENT = "0.01"


@dataclass(frozen=True)
class CrossFoot:
    """Columns add up to the last row, and in each row they add up to the column ``total``.

    ``total_row`` False: there is no last row of totals. An empty ``total``: there is no such column.
    """

    columns: tuple[str, ...]
    total: str = ""
    total_row: bool = True
    tolerance: Decimal = Decimal(_CENT)

    def to_json(self) -> dict[str, Any]:
        """A plain mapping with its kind."""
        return {
            "kind": "cross_foot",
            "columns": list(self.columns),
            "total": self.total,
            "total_row": self.total_row,
            "tolerance": str(self.tolerance),
        }

    @classmethod
    def from_json(cls, value: object, place: str, names: Sequence[str]) -> Self:
        """The check that ``to_json`` wrote; raises SchemaError naming the part and for an unknown column."""
        parts = Parts(value, place, {"kind", "columns", "total", "total_row", "tolerance"})
        columns = parts.texts("columns")
        for at, name in enumerate(columns):
            _known(name, f"{place}.columns[{at}]", names)
        total = parts.text("total", "")
        if total:
            _known(total, f"{place}.total", names)
        rule = cls(columns, total, parts.truth("total_row", True), parts.amount("tolerance", _CENT))
        if not columns or not (rule.total or rule.total_row):
            raise SchemaError(f"{place} adds nothing up, expected columns and a total column or a row of totals")
        return rule


@dataclass(frozen=True)
class Totals:
    """In a form: the tax follows from its rate, and the total from subtotal, discount, shipping, credit and tax.

    total = subtotal - |discount| + shipping + tax - |credit|; a discount or credit is taken off,
    whether it is printed with a minus or not. The tax is the rate times what is taxed: subtotal less
    discount, and the shipping where ``shipping_taxed``. ``rounding`` "per_total" rounds the tax
    once for each rate, "per_line" for each line; with ``lines`` (name of the other table type) the
    taxed amounts are those of its column ``line_amount``, less the discount where it is rounded per
    total, and the rate is that of ``line_rate`` where it is named, else the one of the form. Names
    that are empty are not there.
    """

    total: str
    subtotal: str
    discount: str = ""
    shipping: str = ""
    credit: str = ""
    tax: str = ""
    rate: str = ""
    shipping_taxed: bool = False
    rounding: Rounding = "per_total"
    lines: str = ""
    line_amount: str = ""
    line_rate: str = ""
    tolerance: Decimal = Decimal(_CENT)

    def to_json(self) -> dict[str, Any]:
        """A plain mapping with its kind."""
        names = {name: getattr(self, name) for name in (*_FIELDS, "lines", "line_amount", "line_rate")}
        return {
            "kind": "totals",
            **{name: value for name, value in names.items() if value},
            "shipping_taxed": self.shipping_taxed,
            "rounding": self.rounding,
            "tolerance": str(self.tolerance),
        }

    @classmethod
    def from_json(cls, value: object, place: str, names: Sequence[str]) -> Self:
        """The check that ``to_json`` wrote; raises SchemaError naming the part and for an unknown column."""
        others = ("lines", "line_amount", "line_rate")
        parts = Parts(value, place, {"kind", *_FIELDS, *others, "shipping_taxed", "rounding", "tolerance"})
        fields = {name: parts.text(name, "") for name in _FIELDS}
        for name, column in fields.items():
            if column or name in ("total", "subtotal"):
                _known(column or parts.name(name), f"{place}.{name}", names)
        lines, amount, rate = (parts.text(name, "") for name in others)
        if bool(lines) != bool(amount):
            raise SchemaError(f"{place} names only one of lines and line_amount, expected both or none")
        rule = cls(
            **fields,
            shipping_taxed=parts.truth("shipping_taxed", False),
            rounding=parts.one_of("rounding", get_args(Rounding), "per_total"),
            lines=lines,
            line_amount=amount,
            line_rate=rate,
            tolerance=parts.amount("tolerance", _CENT),
        )
        if rule.rounding == "per_line" and not lines:
            raise SchemaError(f'{place}.rounding is "per_line", expected lines and line_amount beside it')
        return rule


_FIELDS = ("total", "subtotal", "discount", "shipping", "credit", "tax", "rate")
CHECK_RULES: dict[str, type[CrossFoot] | type[Totals]] = {"cross_foot": CrossFoot, "totals": Totals}


def _known(name: str, place: str, names: Sequence[str]) -> None:
    if name not in names:
        raise SchemaError(f"{place} names the column {name!r}, expected one of {', '.join(names)}")
