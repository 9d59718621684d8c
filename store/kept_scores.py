"""Scores of gold tables, kept in the database under a signature of all that they follow from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from sys import intern
from typing import Any

from sqlite_utils import Database

from scoring.counts import Counts
from scoring.diagnosis.causes import CauseCounts, CauseLabel
from scoring.report import TableSums
from store.comparison import Comparison, compare
from store.db import Db
from store.kept_values import Key, Shelf, Told

# Each transaction waits for the disk, so that many scores share one; as often a person can stop the work.
WRITTEN_AT_ONCE = 200
# Goes up when what is kept has other parts than before.
SHAPE = 1


@dataclass(frozen=True, slots=True)
class KeptScore:
    """What is known of one gold table beside one extraction; ``first`` is the id of the table that it was scored with.

    ``label`` is what the table is called on screen.
    """

    label: str
    first: int | None
    sums: TableSums
    causes: CauseCounts

    @classmethod
    def of(cls, comparison: Comparison) -> KeptScore:
        """What is kept of a comparison."""
        report = comparison.report
        sums = TableSums(
            rows=report.rows,
            row_accuracy=report.row_accuracy,
            exact=report.exact,
            graded=report.graded,
            verbatim=report.verbatim,
            columns=report.columns,
            passed=report.passed,
            first_reason=report.first_reason,
            signature=report.signature,
        )
        first = comparison.first.id if comparison.first else None
        return cls(comparison.label, first, sums, comparison.causes.counted)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A gold table to be scored with what a run returned; ``extraction`` is the id of that, 0 where it is nothing."""

    gold: int
    extraction: int
    run: int | None
    signature: str

    @property
    def key(self) -> Key:
        """By what its score is kept."""
        return self.gold, self.extraction


def kept_scores(db: Db, reader: Database, wanted: Sequence[Wanted], told: Told | None = None) -> list[KeptScore]:
    """The scores of these tables in their order, from the database where the signature holds, else worked out and kept.

    What was read once stays in the memory.
    """
    asked = {each.key: each for each in wanted}
    found = _SCORES.values(
        db,
        reader,
        {key: each.signature for key, each in asked.items()},
        lambda keys: _made(db, reader, [asked[key] for key in keys]),
        at_once=WRITTEN_AT_ONCE,
        told=told,
    )
    return [found[each.key] for each in wanted]


def _made(db: Db, reader: Database, wanted: Iterable[Wanted]) -> dict[Key, KeptScore]:
    folded = set(db.folded)
    made = {each.key: KeptScore.of(compare(db, reader, each.gold, run=each.run)) for each in wanted}
    # The sheets of a whole project would fill the memory.
    for key in db.folded.keys() - folded:
        db.folded.pop(key, None)
    return made


def _to_json(score: KeptScore) -> dict[str, Any]:
    sums, causes = score.sums, score.causes
    return {
        "label": score.label,
        "first": score.first,
        "counts": [_plain(counts) for counts in (sums.rows, sums.exact, sums.graded, sums.verbatim)],
        "row_accuracy": sums.row_accuracy,
        "columns": [[name, *_plain(counts)] for name, counts in sums.columns],
        "passed": sums.passed,
        "reason": sums.first_reason,
        "signature": sums.signature,
        "causes": [[label, findings, causes.cells[label]] for label, findings in causes.findings.items()],
    }


def _of_json(body: Mapping[str, Any]) -> KeptScore:
    rows, exact, graded, verbatim = (_counts(*counts) for counts in body["counts"])
    causes: list[tuple[CauseLabel, int, int]] = body["causes"]
    return KeptScore(
        label=intern(body["label"]),
        first=body["first"],
        sums=TableSums(
            rows=rows,
            row_accuracy=body["row_accuracy"],
            exact=exact,
            graded=graded,
            verbatim=verbatim,
            columns=tuple((intern(name), _counts(*counts)) for name, *counts in body["columns"]),
            passed=body["passed"],
            first_reason=body["reason"],
            signature=intern(body["signature"]),
        ),
        causes=CauseCounts(
            {label: findings for label, findings, _ in causes},
            {label: cells for label, _, cells in causes},
        ),
    )


# Most tables have the same few counts: one value for all of them.
_counts = lru_cache(maxsize=50_000)(Counts)


def _plain(counts: Counts) -> list[float]:
    return [counts.matched, counts.predicted, counts.expected]


_SCORES = Shelf("kept_score", ("gold", "extraction"), _to_json, _of_json)
