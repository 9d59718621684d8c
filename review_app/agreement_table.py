"""How far two people agree who keyed the same tables, as rows for a screen and lines for a terminal."""

from __future__ import annotations

from review_app.wording import count
from scoring.double_keying import Agreement, FieldAgreement

HEADS = ["Field", "Tables", "Cells of both", "Equal", "F1", "95 % interval", "Alpha"]


def rows(found: Agreement) -> list[list[str]]:
    """One row for all fields together, then one for each field."""
    return [
        _row("All fields", found.everything),
        *(_row(each.field or "Without a field", each) for each in found.fields),
    ]


def structure(found: Agreement) -> str:
    """Rows and columns that both have, in words."""
    of, cols = found.rows, found.cols
    alone = f"{of.of_a - of.shared} only in the first keying, {of.of_b - of.shared} only in the second"
    return f"Rows: {_share(of.f1)} ({count(of.shared, 'row')} in both; {alone}). Columns: {_share(cols.f1)}."


def lines(found: Agreement) -> list[str]:
    """The same for a terminal."""
    if not found.everything.tables:
        return ["No table is keyed twice and handed in by both yet."]
    shown = [[str(cell) for cell in row] for row in (HEADS, *rows(found))]
    widths = [max(len(row[at]) for row in shown) for at in range(len(HEADS))]
    table = ["  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in shown]
    return [*table, "", structure(found)]


def _row(name: str, one: FieldAgreement) -> list[str]:
    cells, found = one.cells, one.interval
    low, high = found.low, found.high
    between = f"{low:.1%} to {high:.1%}" if low is not None and high is not None else f"none: {found.reason}"
    alpha = "n/a" if one.alpha is None else f"{one.alpha:.3f}"
    return [name, str(one.tables), str(cells.shared), str(cells.equal), _share(cells.f1), between, alpha]


def _share(value: float | None) -> str:
    return "n/a" if value is None else f"{value:.1%}"
