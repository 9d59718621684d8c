"""The scores of first extractions on corrected gold and on blind gold, and the gap between the two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlite_utils import Database

from scoring.counts import Counts
from scoring.statistics.anchoring import Anchoring, anchoring
from store import gold
from store.comparison import compare
from store.db import Db
from store.scores import ScoredDocument

_FIRST_ACCEPTED = """select blind.gold, (select v.revision from verdict v where v.gold = blind.gold
    and v.verdict = 'accept' order by v.rowid limit 1) as revision from blind"""


def anchoring_of(
    db: Db, reader: Database, found: Sequence[ScoredDocument], *, run: int | None = None
) -> Anchoring | None:
    """The gap over some scored documents; None where none of their tables was keyed blind.

    Corrected tables are those that began as what was extracted. A blind one counts as it was first accepted: whoever
    opened it again had seen the extraction by then.
    """
    first_accepted = {entry["gold"]: entry["revision"] for entry in reader.query(_FIRST_ACCEPTED)}
    if first_accepted.keys().isdisjoint(table.gold.id for entry in found for table in entry.tables):
        return None
    corrected, blind = [], []
    for entry in found:
        sums = {True: Counts(), False: Counts()}
        for table in entry.tables:
            key = table.gold.id
            if key in first_accepted:
                number = first_accepted[key]
                exact = table.report.exact if number == table.edits else _at(db, reader, key, number, run)
                sums[True] += exact
            elif table.gold.base == "extraction":
                sums[False] += table.report.exact
        blind.append(sums[True])
        corrected.append(sums[False])
    return anchoring(corrected, blind)


def _at(db: Db, reader: Database, key: int, number: int, run: int | None) -> Counts:
    now = compare(db, reader, key, run=run)
    return replace(now, sheet=gold.sheet_at(reader, key, number), revision=number).report.exact
