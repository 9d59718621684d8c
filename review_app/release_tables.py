"""Releases and their differences as tables for a screen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from urllib.parse import urlencode

from review_app.html_table import Shown
from review_app.wording import points
from scoring import percent
from store.release_diff import ReleaseDiff, RunScore, Step, TableDifference
from store.releases import Release, ReleasedTable

Rows = tuple[list[Shown], list[list[Shown]]]
_NUMBERS = frozenset({"Tables", "Documents", "Revision", "Row", "Column", "In all", "By gold", "By table types"})


def _heads(*names: str) -> list[Shown]:
    return [Shown(name, look="number" if name in _NUMBERS else "") for name in names]


def releases(found: Sequence[tuple[Release, Sequence[ReleasedTable]]]) -> Rows:
    """Each release with what it holds; its name leads to its tables."""
    rows = [
        [
            Shown(made.name, link="releases?" + urlencode({"project": made.project, "name": made.name}), look="strong"),
            Shown(made.note),
            Shown(f"{len(tables):,}"),
            Shown(f"{len({table.document for table in tables}):,}"),
            Shown(made.person),
            Shown(made.made_at[:10]),
            Shown(made.signature[:12], direction="ltr"),
        ]
        for made, tables in found
    ]
    return _heads("Release", "Note", "Tables", "Documents", "Made by", "On", "Signature"), rows


def members(tables: Sequence[ReleasedTable]) -> Rows:
    """The tables of a release as it holds them."""
    rows = [
        [
            Shown(table.document_name, link=f"document?document={table.document}"),
            Shown(table.name, link=f"review?table={table.gold}"),
            Shown(f"{table.revision:,}"),
            Shown(f"{table.table_type} {table.type_signature}" if table.type_signature else "none"),
            Shown(table.accepted_by),
            Shown(table.accepted_at[:10]),
        ]
        for table in tables
    ]
    return _heads("Document", "Table", "Revision", "Table type", "Accepted by", "On"), rows


def cells(found: Sequence[TableDifference]) -> Rows:
    """The cells that differ, and the tables that only one release holds."""
    return _heads("Document", "Table", "What", "Row", "Column", "Older", "Newer"), list(_cells(found))


def _cells(found: Sequence[TableDifference]) -> Iterator[list[Shown]]:
    for difference in found:
        table = difference.table
        named = [Shown(table.document_name), Shown(table.name, link=f"review?table={table.gold}")]
        whole = [f"table {difference.what}"] if difference.what != "changed" else []
        whole += ["rows or columns in another order"] * difference.reordered
        whole += ["another table type"] * difference.new_rules + ["other guidelines"] * difference.new_guidelines
        for what in whole:
            yield [*named, Shown(what), Shown(""), Shown(""), Shown(""), Shown("")]
        for cell in difference.cells:
            what = "another span, header or place" if cell.what == "shape" else cell.what
            place = [Shown(f"{cell.row + 1:,}"), Shown(f"{cell.col + 1:,}")]
            yield [*named, Shown(what), *place, Shown(cell.old or ""), Shown(cell.new or "")]


def runs(found: ReleaseDiff) -> Rows:
    """Cell F1 of each run under both releases, and what moved it."""
    heads = _heads("Run", "Tables", found.old.name, found.new.name, "By gold", "By table types")
    return heads, [_run(run) for run in found.runs]


def _run(run: RunScore) -> list[Shown]:
    scored = run.scored
    shares = [Shown(percent(scored.old.f1)), Shown(percent(scored.new.f1))]
    moved = [Shown(points(scored.by_gold)), Shown(points(scored.by_rules))]
    return [Shown(f"{run.run}: {run.extractor}"), Shown(f"{run.tables:,}"), *shares, *moved]


def steps(found: ReleaseDiff) -> Rows:
    """From each run under the older release to the next one under the newer: what moved cell F1."""
    heads = _heads("From run", "To run", "Tables", "In all", "By gold", "By table types", "By the extractor")
    return heads, [_step(step) for step in found.steps]


def _step(step: Step) -> list[Shown]:
    named = [Shown(str(step.a.run)), Shown(str(step.b.run)), Shown(f"{step.a.tables:,}")]
    moved = (step.total, step.a.scored.by_gold, step.a.scored.by_rules, step.by_extractor)
    return [*named, *(Shown(points(each)) for each in moved)]
