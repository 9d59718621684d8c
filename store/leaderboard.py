"""All runs of a project on the documents that they have in common, best first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlite_utils import Database

from scoring.corpus import Corpus
from scoring.counts import Counts
from scoring.statistics.intervals import Interval, corpus_intervals
from scoring.sums import Rate, total
from store.db import Db
from store.kept_results import keep_result, kept_result, scores_of, still_holds
from store.kept_values import Told
from store.paired_runs import MANY, scored_by
from store.run_series import Series, all_series, tried
from store.scores import corpus_of, fingerprint


@dataclass(frozen=True)
class Standing:
    """How one series stands: ``documents`` that it was asked for, and its scores on those in common.

    ``exact`` and ``rows`` are summed over its repeats, ``f1`` is the 95 % interval of micro F1 by document, repeats
    averaged; ``passed`` counts documents that pass in every repeat.
    """

    series: Series
    documents: int
    exact: Counts
    rows: Counts
    f1: Interval
    passed: Rate

    def to_json(self) -> dict[str, Any]:
        """A plain mapping; what is undefined is null."""
        return {
            "runs": list(self.series.runs),
            "extractor": self.series.extractor,
            "documents": self.documents,
            "exact": self.exact.to_json(),
            "rows": self.rows.to_json(),
            "f1_interval": self.f1.to_json(),
            "passed": self.passed.to_json(),
        }


@dataclass(frozen=True)
class Leaderboard:
    """The standings, best F1 first, on ``documents`` that every one of them was asked for and people accepted.

    Where there is none, each stands on its own documents, and they cannot be compared.
    """

    documents: int
    standings: tuple[Standing, ...]

    def to_json(self) -> dict[str, Any]:
        """A plain mapping."""
        return {"common_documents": self.documents, "runs": [standing.to_json() for standing in self.standings]}


def leaderboard(db: Db, reader: Database, *, project: str, among: Sequence[Series] | None = None) -> Leaderboard:
    """How the series of a project stand, or those ``among`` them; a series without any document is left out."""
    chosen = [
        (series, asked)
        for series in (all_series(reader, project=project) if among is None else among)
        if (asked := frozenset.intersection(*(tried(reader, run) for run in series.runs)))
    ]
    corpora = {series: [corpus_of(scored_by(db, reader, series, run)) for run in series.runs] for series, _ in chosen}
    names = [{document.name for document in corpus.documents} for found in corpora.values() for corpus in found]
    common = set.intersection(*names) if names else set()
    standings = [
        _standing(series, len(asked), corpora[series], common or set().union(*names)) for series, asked in chosen
    ]
    return Leaderboard(len(common), tuple(sorted(standings, key=_best_first)))


def kept_leaderboard(
    db: Db, reader: Database, *, project: str, told: Told | None = None, earlier: bool = False
) -> tuple[Leaderboard, str]:
    """``leaderboard`` of all series, kept as ``kept_pair`` keeps two of them, and as there the time of an older one."""
    name, seen = f"all runs of {project}", fingerprint(reader)
    series = {one.runs: one for one in all_series(reader, project=project)}
    last = kept_result(db, reader, name, lambda body: _of_json(body, series))
    if last is not None and last.value is not None and last.seen == seen:
        return last.value, ""
    lists = [scored_by(db, reader, one, run, told) for one in series.values() for run in one.runs]
    rests_on = scores_of(lists, sorted(series), [sorted(tried(reader, run)) for one in series for run in one])
    if last is not None and last.value is not None and last.scores == rests_on:
        still_holds(db, name, last, seen)
        return last.value, ""
    if last is not None and last.value is not None and earlier and last.value.documents >= MANY:
        return last.value, last.made_at
    found = leaderboard(db, reader, project=project)
    keep_result(db, name, seen, rests_on, found.to_json())
    return found, ""


def _of_json(body: Mapping[str, Any], series: Mapping[tuple[int, ...], Series]) -> Leaderboard | None:
    """None where a run has another repeat by now."""
    if any(tuple(one["runs"]) not in series for one in body["runs"]):
        return None
    standings = (
        Standing(
            series=series[tuple(one["runs"])],
            documents=one["documents"],
            exact=_counts(one["exact"]),
            rows=_counts(one["rows"]),
            f1=Interval(**one["f1_interval"]),
            passed=Rate(one["passed"]["count"], one["passed"]["of"]),
        )
        for one in body["runs"]
    )
    return Leaderboard(body["common_documents"], tuple(standings))


def _counts(value: Mapping[str, Any]) -> Counts:
    return Counts(value["matched"], value["predicted"], value["expected"])


def _standing(series: Series, documents: int, corpora: Sequence[Corpus], common: set[str]) -> Standing:
    repeats = [[document for document in corpus.documents if document.name in common] for corpus in corpora]
    tables = [table for found in repeats for document in found for table in document.tables]
    exact = total(table.exact for table in tables)
    # The repeats of a document are one document: its counts are added up, which leaves every ratio as their mean.
    by_document = [total(document.exact for document in same) for same in zip(*repeats, strict=True)]
    verdicts = [[document.passed for document in same] for same in zip(*repeats, strict=True)]
    judged = [verdict for verdict in verdicts if None not in verdict]
    return Standing(
        series=series,
        documents=documents,
        exact=exact,
        rows=total(table.rows for table in tables),
        f1=corpus_intervals(by_document)["f1"],
        passed=Rate(sum(all(verdict) for verdict in judged), len(judged)),
    )


def _best_first(standing: Standing) -> tuple[bool, float, tuple[int, ...]]:
    f1 = standing.exact.f1
    return f1 is None, -(f1 or 0.0), standing.series.runs
