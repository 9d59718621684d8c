"""What the Document screen tells of a table: its differences, checks and story, as rows of tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from review_app.html_table import Shown
from review_app.result_tables import Rows
from review_app.wording import count, duration, in_words
from scoring import Difference
from scoring.arithmetic.checks import Finding, check
from scoring.confidence.badges import Level
from scoring.effort.durations import durations
from scoring.schema import header_text
from scoring.table import Cell, Table
from store import edits
from store.comparison import Comparison
from store.gold import StoredEdit
from store.queue_entry import column_label

EDIT_WORDS = {
    edits.SetText: "changed text",
    edits.Mark: "marked",
    edits.ReplaceCells: "changed cells",
    edits.Insert: "inserted",
    edits.Delete: "deleted",
    edits.Move: "moved",
    edits.Several: "changed",
}
DIFFERENCE_WORDS = {
    "wrong_value": "wrong value",
    "formatting_only": "other notation, same value",
    "missing_value": "missed value",
    "spurious_value": "value where there is none",
    "missed_row": "missed row",
    "extra_row": "extra row",
    "duplicate_row": "row extracted twice",
    "span": "other span",
}
VERDICT_WORDS = {
    "accept": "accepted the table",
    "reopen": "opened it again",
    "skip": "skipped it",
    "flag": "flagged it",
}
# The same shapes as in the table of the review.
_BADGES: dict[Level, Shown] = {
    "high": Shown("\u25cf\u00a0High"),
    "medium": Shown("\u25d0\u00a0Medium"),
    "low": Shown("\u25b2\u00a0Low", look="fail"),
    "none": Shown("\u25cb\u00a0No\u00a0score"),
}


def differences(comparison: Comparison, judged: Comparison) -> Rows:
    """One row for each difference in reading order of gold, with its cause and the badge of the extracted cell.

    A gold cell leads to its place in the review. ``judged`` is the same with the thresholds of the time at which the
    table was accepted: where its badge was another one then, both are told.
    """
    heads = [Shown("Row", look="number"), Shown("Column", look="strong")]
    heads += map(Shown, ("Gold", "First extraction", "What", "Cause", "Badge"))
    cause = {at: finding.label for finding in comparison.causes.findings for at in finding.differences}
    rows = [
        _difference(comparison, judged, told, in_words(cause.get(at, "")))
        for at, told in enumerate(comparison.causes.differences)
    ]
    return heads, rows


def causes(comparison: Comparison) -> Rows:
    """One row for each cause, in a sentence."""
    heads = [Shown("Cause", look="strong"), Shown("Why it is this"), Shown("Values hit", look="number")]
    rows = [
        [Shown(in_words(finding.label)), Shown(finding.explanation), Shown(str(finding.cells))]
        for finding in comparison.causes.findings
    ]
    return heads, rows


def checks(comparison: Comparison) -> Rows:
    """One row for each check that fails, on the first extraction and on gold; none without a table type."""
    heads = [Shown("Fails on", look="strong"), Shown("Row", look="number"), *map(Shown, ("Column", "Check"))]
    kind, first = comparison.table_type, comparison.first
    failing = check(first.table, kind, related=comparison.related) if first and kind else ()
    told = [("First extraction", first.table, found) for found in failing if first]
    told += [("Gold", comparison.sheet.table, found) for found in comparison.findings]
    return heads, [_failing(*each) for each in told]


def story(log: Sequence[StoredEdit], verdicts: Sequence[dict[str, Any]]) -> Rows:
    """One row for each edit and verdict, the oldest first: when, who, what, how, and the active time up to an edit."""
    heads = [*map(Shown, ("When", "Who", "What", "How")), Shown("Active", look="number")]
    entries = [
        (
            edit.made_at,
            edit.person,
            edit_in_words(edit),
            edit.source,
            duration(edit.active_ms) if edit.active_ms else "",
        )
        for edit in log
    ]
    entries += [
        (
            entry["at"],
            entry["person"],
            VERDICT_WORDS[entry["verdict"]] + (f": {entry['reason']}" if entry["reason"] else ""),
            "",
            "",
        )
        for entry in verdicts
    ]
    return heads, [[Shown(at[:19].replace("T", " ")), *map(Shown, told)] for at, *told in sorted(entries)]


def beside_others(own_ms: int, others: Sequence[int]) -> str:
    """How a measured time compares with those of tables like it, in a sentence; "" where there are too few."""
    found = durations(others)
    if found.median_ms is None or found.low_quartile_ms is None or found.high_quartile_ms is None:
        return ""
    if found.low_quartile_ms <= own_ms <= found.high_quartile_ms:
        word = "As usual"
    else:
        word = "Quicker than most" if own_ms < found.low_quartile_ms else "Slower than most"
    half = f"half of them {duration(found.low_quartile_ms)} to {duration(found.high_quartile_ms)}"
    return f"{word}: {found.n:,} other tables of its type took {duration(found.median_ms)} in the middle, {half}."


def edit_in_words(stored: StoredEdit) -> str:
    """What an edit did: "changed text: '12.6' to '(12.6)'"; what it undid is said before it."""
    return ("undo: " if stored.undoes else "") + _in_words(stored.edit)


def _in_words(edit: edits.Edit) -> str:
    word = EDIT_WORDS[type(edit)]
    match edit:
        case edits.SetText(changes) if len(changes) == 1:
            return f"{word}: {changes[0].old!r} to {changes[0].new!r}"
        case edits.SetText(changes):
            return f"{word} of {len(changes)} cells"
        case edits.Mark(changes):
            return f"{word} {count(len(changes), 'cell')} {changes[0].new or 'as open again'}" if changes else word
        case edits.Insert(axis, _, ids, _) | edits.Delete(axis, _, ids, _) | edits.Move(axis, _, ids, _):
            return f"{word} {count(len(ids), 'row' if axis == 'row' else 'column')}"
        case edits.Several(steps):
            return f"{word}: " + ", ".join(map(_in_words, steps))
        case _:
            return word


def _difference(comparison: Comparison, judged: Comparison, told: Difference, cause: str) -> list[Shown]:
    sheet, first = comparison.sheet, comparison.first_table
    link = ""
    if told.gold_row is not None:
        row, table = told.gold_row, sheet.table
        col_id = sheet.col_ids[told.gold_col or 0]
        link = f"review?table={comparison.gold.id}&cell={sheet.row_ids[row]}:{col_id}"
    else:
        row, table = told.pred_row or 0, first
    cell = first.at(told.pred_row, told.pred_col) if told.pred_row is not None and told.pred_col is not None else None
    return [
        Shown(_row_number(table, row), link=link),
        Shown(_column(comparison, told)),
        Shown(told.gold),
        Shown(told.pred),
        Shown(DIFFERENCE_WORDS[told.kind]),
        Shown(cause),
        _badge(comparison, judged, cell) if cell and not cell.header else Shown(""),
    ]


def _badge(comparison: Comparison, judged: Comparison, cell: Cell) -> Shown:
    now, then = (each.badge(cell).level for each in (comparison, judged))
    return _BADGES[then] if now == then else replace(_BADGES[then], more=(f"now {_BADGES[now].text}",))


def _row_number(table: Table, row: int) -> str:
    """As the review counts them: rows of the header have none."""
    return str(row - table.header_rows + 1) if row >= table.header_rows else "header"


def _column(comparison: Comparison, told: Difference) -> str:
    if told.gold_col is not None:
        return column_label(comparison, told.gold_col)
    first = comparison.first_table
    return "" if told.pred_col is None else header_text(first, told.pred_col, first.header_rows)


def _failing(what: str, table: Table, found: Finding) -> list[Shown]:
    row = "" if found.row is None else _row_number(table, found.row)
    column = "" if found.col is None else header_text(table, found.col, table.header_rows)
    return [Shown(what), Shown(row), Shown(column), Shown(found.message)]
