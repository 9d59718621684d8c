"""The difference of two releases, and what a scan of one found, as lines for a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from review_app.wording import count, points
from scoring import percent
from scoring.shown import brief
from store.duplicate_scan import LEAST_TEXTS, Scan, Twin
from store.release_diff import CellDifference, ReleaseDiff, TableDifference

# So many cells of a table are told; the JSON has all.
MOST_CELLS = 20
# So many pairs of documents of each kind.
MOST_PAIRS = 50


def lines(found: ReleaseDiff) -> Iterator[str]:
    """Tables and their cells, then the score of each run under both, then what moved it from run to run."""
    what = Counter(table.what for table in found.tables)
    same = found.in_common - what["changed"]
    yield (
        f"From {found.old.name} to {found.new.name}: {count(what['added'], 'table')} added, "
        f"{what['removed']:,} removed, {what['changed']:,} changed, {same:,} the same"
    )
    for table in found.tables:
        yield from _table(table)
    if not found.runs:
        yield "No run was asked for a table that both hold, so that no score can have moved."
        return
    yield ""
    yield f"Cell F1 on the {count(found.in_common, 'table')} that both hold, as far as each run was asked for them:"
    for run in found.runs:
        scored = run.scored
        yield (
            f"  run {run.run}, {run.extractor}, {count(run.tables, 'table')}: "
            f"{percent(scored.old.f1)} under {found.old.name}, {percent(scored.new.f1)} under {found.new.name}; "
            f"moved by gold {points(scored.by_gold)}, by table types {points(scored.by_rules)}"
        )
    if found.steps:
        yield ""
        yield f"From a run under {found.old.name} to the next one under {found.new.name}, on the tables of both:"
    for step in found.steps:
        yield (
            f"  run {step.a.run} to run {step.b.run}, {count(step.a.tables, 'table')}: {points(step.total)} in all; "
            f"by gold {points(step.a.scored.by_gold)}, by table types {points(step.a.scored.by_rules)}, "
            f"by the extractor {points(step.by_extractor)}"
        )


def _table(found: TableDifference) -> Iterator[str]:
    named = f"{found.table.document_name}: {found.table.name}"
    if found.old is None or found.new is None:
        yield f"  {found.what}: {named}, revision {found.table.revision}"
        return
    told = [f"revision {found.old.revision} to {found.new.revision}"]
    told += ["rows or columns in another order"] * found.reordered
    told += [
        f"table type {found.old.type_signature or 'none'} to {found.new.type_signature or 'none'}"
    ] * found.new_rules
    told += ["other guidelines"] * found.new_guidelines
    yield f"  changed: {named}, {', '.join(told)}"
    yield from map(_cell, found.cells[:MOST_CELLS])
    if len(found.cells) > MOST_CELLS:
        yield f"      and {count(len(found.cells) - MOST_CELLS, 'cell')} more; --json tells all"


def _cell(cell: CellDifference) -> str:
    place = f"      row {cell.row + 1}, column {cell.col + 1}"
    match cell.what:
        case "added" | "removed":
            return f"{place} {cell.what}: {brief(cell.new if cell.what == 'added' else cell.old)}"
        case "shape":
            return f"{place}: another span, header or place on the page"
        case _:
            return f"{place}{', mark' if cell.what == 'mark' else ''}: {brief(cell.old)} to {brief(cell.new)}"


def scanned(found: Scan) -> Iterator[str]:
    """What was held against what, the pairs that are the same or nearly, and how many had too few texts for that."""
    yield from _pairs(found.within, f"among its {count(found.documents, 'document')}")
    if found.others:
        yield from _pairs(found.across, f"between it and {count(found.others, 'other')}")
    if found.few_texts:
        yield (
            f"{found.few_texts:,} of all have fewer than {LEAST_TEXTS} texts in their tables, or no tables: "
            "compared by their bytes only."
        )


def _pairs(twins: Sequence[Twin], where: str) -> Iterator[str]:
    yield f"{count(len(twins), 'pair')} {where}" + (":" if twins else ".")
    for twin in twins[:MOST_PAIRS]:
        what = "the same bytes" if twin.by == "bytes" else f"{percent(twin.share)} of texts in common"
        yield f"  {what}: {twin.one.name} and {twin.other.name} ({twin.other.where})"
    if len(twins) > MOST_PAIRS:
        yield f"  and {count(len(twins) - MOST_PAIRS, 'pair')} more; --json tells all"
