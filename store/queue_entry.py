"""One gold table in the queue: its status, how risky it is, and why, in words."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from scoring import bind
from scoring.confidence.badges import Level
from scoring.schema import header_text
from store.comparison import Comparison
from store.doubt_kinds import DoubtKind, reasons_of

Status = Literal["open", "started", "skipped", "flagged", "accepted"]
Reason = DoubtKind | Literal["second pass", "blind", "nothing extracted", "extra row", "no doubt"]


@dataclass(frozen=True)
class Entry:
    """One gold table; ``why`` is the reason in words for it to stand where it stands.

    ``level`` is the worst badge among its doubts ("" without one), ``reasons`` the kinds of all of them,
    ``comments`` the number of open threads. ``judged`` grows with each verdict: of two skipped tables the
    one skipped later has more.
    """

    gold: int
    project: str
    document: str
    doc_type: str
    table: str
    table_type: str
    status: Status
    rows: int
    cols: int
    doubts: int
    risk: float
    level: Level | Literal[""]
    reasons: tuple[Reason, ...]
    why: str
    comments: int
    judged: int

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Entry:
        """The entry that was kept."""
        return cls(**{**value, "reasons": tuple(value["reasons"])})


def entry_of(found: Comparison, verdict: Mapping[str, Any] | None, comments: int, *, offered: bool) -> dict[str, Any]:
    """The entry of a gold table as a plain mapping; ``verdict`` is the last one about it.

    ``offered``: it was extracted, but the imported gold of its document has no such table.
    """
    table = found.sheet.table
    status, why = _status(found, verdict)
    if offered:
        why = f"The imported gold has no such table. {why}"
    doubts = () if status == "accepted" else found.doubts  # of an accepted table nobody asks for them
    levels = {doubt.level for doubt in doubts}
    order: tuple[Level, ...] = ("low", "medium", "none")
    return asdict(
        Entry(
            gold=found.gold.id,
            project=found.document.project,
            document=found.document.name,
            doc_type=found.document.doc_type,
            table=found.label,
            table_type=found.gold.table_type,
            status=status,
            rows=table.n_rows - table.header_rows,
            cols=table.n_cols,
            doubts=len(doubts),
            risk=1.0 - math.prod(1.0 - doubt.risk for doubt in doubts),
            level=next((level for level in order if level in levels), ""),
            reasons=() if status == "accepted" else tuple(sorted(set(_reasons(found)))),
            why=why,
            comments=comments,
            judged=verdict["rowid"] if verdict else 0,
        )
    )


def _status(found: Comparison, verdict: Mapping[str, Any] | None) -> tuple[Status, str]:
    last = verdict["verdict"] if verdict else ""
    if found.status == "accepted":
        return "accepted", "Accepted" if found.gold.base != "import" else "Gold that was imported"
    if last == "flag":
        return "flagged", f"Flagged: {(verdict or {}).get('reason') or 'no reason given'}"
    if last == "skip":
        return "skipped", f"Skipped. {_why(found)}"
    return ("started" if found.revision else "open"), _why(found)


def _reasons(found: Comparison) -> Iterator[Reason]:
    if found.gold.second_of is not None:
        yield "second pass"
    elif found.gold.hides_first:
        yield "blind"
    elif found.first is None:
        yield "nothing extracted"
    if found.alignment.extra or found.alignment.duplicates:
        yield "extra row"
    for doubt in found.doubts:
        yield from (kind for kind, _ in reasons_of(found, doubt))
    if not found.doubts:
        yield "no doubt"


def _why(found: Comparison) -> str:
    if found.gold.second_of is not None:
        return "To be keyed a second time, from the page alone"
    if found.gold.hides_first:
        return "Of the blind slice: to be keyed from the page, without the first extraction"
    if found.first is None:
        return "Nothing was extracted for this table"
    if not found.doubts:
        return "No doubtful cell; read it once against the page"
    worst = found.doubts[0]
    column = column_label(found, worst.col)
    is_form = found.table_type is not None and found.table_type.form
    where = column if is_form else f"Row {worst.row - found.sheet.table.header_rows + 1}, {column}"
    return f"{where}: {worst.reasons[0]}"


def column_label(found: Comparison, col: int) -> str:
    """How a person calls a column: its label in the table type, else its header, else its number."""
    table = found.sheet.table
    if found.table_type is not None:
        named = bind(table, found.table_type).columns[col]
        if named is not None:
            return found.table_type.columns[named].shown
    return header_text(table, col, table.header_rows) or f"column {col + 1}"
