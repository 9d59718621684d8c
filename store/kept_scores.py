"""Scores of gold tables, kept in the database under a signature of all that they follow from."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
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

# Each transaction waits for the disk, so that many scores share one; as often a person can stop the work.
WRITTEN_AT_ONCE = 200
# So many are read with one query.
READ_AT_ONCE = 2_000
# Goes up when what is kept has other parts than before.
SHAPE = 1

Told = Callable[[int, int], None]
"""Is told how many of how many tables are scored anew; it may raise to stop the work, of which nothing is lost."""


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
    def key(self) -> tuple[int, int]:
        """By what its score is kept."""
        return self.gold, self.extraction


def kept_scores(db: Db, reader: Database, wanted: Sequence[Wanted], told: Told | None = None) -> list[KeptScore]:
    """The scores of these tables in their order, from the database where the signature holds, else worked out and kept.

    What was read once stays in the memory.
    """
    known: dict[tuple[int, int], tuple[str, KeptScore]] = db.remembered.setdefault("kept scores", {})
    found = {each.key: known[each.key] for each in wanted if known.get(each.key, ("",))[0] == each.signature}

    def missing() -> list[Wanted]:
        return [each for each in wanted if each.key not in found]

    unread = missing()
    for start in range(0, len(unread), READ_AT_ONCE):
        found.update(_read(reader, unread[start : start + READ_AT_ONCE]))
    unscored = missing()
    for start in range(0, len(unscored), WRITTEN_AT_ONCE):
        if told:
            told(start, len(unscored))
        found.update(_made(db, reader, unscored[start : start + WRITTEN_AT_ONCE]))
    known.update(found)
    return [found[each.key][1] for each in wanted]


def _read(reader: Database, wanted: Sequence[Wanted]) -> Mapping[tuple[int, int], tuple[str, KeptScore]]:
    keys = json.dumps([each.gold for each in wanted])
    rows = reader.execute(
        "select gold, extraction, signature, body from kept_score where gold in (select value from json_each(?))",
        (keys,),
    ).fetchall()
    asked = {each.key: each.signature for each in wanted}
    found = [entry for entry in rows if asked.get((entry[0], entry[1])) == entry[2]]
    bodies = json.loads(f"[{','.join(entry[3] for entry in found)}]")  # at once, as each call costs more than its text
    return {(entry[0], entry[1]): (entry[2], _of_json(body)) for entry, body in zip(found, bodies, strict=True)}


def _made(db: Db, reader: Database, wanted: Iterable[Wanted]) -> Mapping[tuple[int, int], tuple[str, KeptScore]]:
    folded = set(db.folded)
    made = {}
    for each in wanted:
        score = KeptScore.of(compare(db, reader, each.gold, run=each.run))
        made[each.key] = (each.signature, score)
    # The sheets of a whole project would fill the memory.
    for key in db.folded.keys() - folded:
        db.folded.pop(key, None)
    with db.write() as writer:
        writer.conn.executemany(
            "insert or replace into kept_score (gold, extraction, signature, body) values (?, ?, ?, ?)",
            [
                (*key, signature, json.dumps(_to_json(score), ensure_ascii=False))
                for key, (signature, score) in made.items()
            ],
        )
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
