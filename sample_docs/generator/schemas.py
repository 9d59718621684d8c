"""Short ways to write the table types of the samples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def column(name: str, label: str, kind: str = "text", **more: Any) -> dict[str, Any]:
    """One column of a table type; parts that are not named keep the default of the project."""
    return {"name": name, "label": label, "type": kind} | more


def table_type(
    name: str,
    label: str,
    columns: Sequence[dict[str, Any]],
    checks: Sequence[dict[str, Any]] = (),
    *,
    form: bool = False,
    rtl: bool = False,
) -> dict[str, Any]:
    """One table type that is accepted only with every row found and every cell right."""
    return {
        "name": name,
        "label": label,
        "form": form,
        "rtl": rtl,
        "columns": list(columns),
        "checks": list(checks),
        "acceptance": {"row_recall": 1.0, "cell_f1": 1.0, "required_correct": True},
    }


def product(factors: Sequence[str], result: str, tolerance: str = "0.01") -> dict[str, Any]:
    """In each row the factors give the result."""
    return {"kind": "product", "factors": list(factors), "product": result, "tolerance": tolerance}


def column_sum(column: str, table: str, field: str, tolerance: str = "0.01") -> dict[str, Any]:
    """The column adds up to a field of another table."""
    return {"kind": "sum", "column": column, "equals": {"table": table, "column": field}, "tolerance": tolerance}


def field_sum(terms: Sequence[tuple[str, int]], result: str, tolerance: str = "0.01") -> dict[str, Any]:
    """In a form the terms, each with its sign, give the result."""
    return {"kind": "sum_fields", "terms": [list(term) for term in terms], "equals": result, "tolerance": tolerance}
