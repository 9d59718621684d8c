"""Attempts: each try of an extractor at a document, with what came of it, and how many documents a run completed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

from sqlite_utils import Database

from store.db import Db, insert, now, row
from store.extractions import Run, keep_received, run_key

Outcome = Literal["read", "partial", "unreadable", "no answer"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)


@dataclass(frozen=True)
class Attempt:
    """One try at one document: ``reason`` says what is wrong with the answer ("" where it is whole).

    ``read``: all of the answer was understood. ``partial``: it was read, but lacks something that was
    asked for. ``unreadable``: an answer came, of which nothing could be read. ``no answer``: none came.
    ``extraction`` is what was stored of an answer; there is none without one. ``made_at`` is when it ended.
    """

    document: int
    run: int
    number: int
    outcome: Outcome
    reason: str
    seconds: float
    extraction: int | None
    made_at: str


@dataclass(frozen=True)
class Failure:
    """A document that a run did not complete at its first attempt, and how it ended."""

    document: int
    name: str
    first: Outcome
    reason: str
    attempts: int
    last: Outcome

    def to_json(self) -> dict[str, Any]:
        """A plain mapping."""
        return {
            "document": self.name,
            "first_attempt": self.first,
            "reason": self.reason,
            "attempts": self.attempts,
            "last_attempt": self.last,
        }


@dataclass(frozen=True)
class Completion:
    """How many documents one run was asked for and completed; ``first`` counts the first attempts by outcome.

    ``seconds`` are those of each first attempt that was answered.
    """

    run: int
    extractor: str
    first: dict[Outcome, int]
    retried: int
    seconds: tuple[float, ...]
    failures: tuple[Failure, ...]

    @property
    def documents(self) -> int:
        """How many documents were tried."""
        return sum(self.first.values())

    @property
    def completed(self) -> int:
        """How many were read in full at the first attempt."""
        return self.first["read"]

    @property
    def rate(self) -> float | None:
        """The share of documents that were read in full at the first attempt; None where none was tried."""
        return self.completed / self.documents if self.documents else None

    def to_json(self) -> dict[str, Any]:
        """A plain mapping."""
        return {
            "run": self.run,
            "extractor": self.extractor,
            "documents": self.documents,
            "completed": self.completed,
            "completion_rate": self.rate,
            "completed_after_retries": self.completed + self.retried,
            "first_attempts": dict(self.first),
            "failures": [failure.to_json() for failure in self.failures],
        }


def add_attempt(
    db: Db,
    document: int,
    run: Run,
    *,
    outcome: Outcome,
    reason: str,
    seconds: float,
    raw: bytes,
    file_name: str,
    extraction: int | None,
    person: str,
) -> Attempt:
    """Keep the next attempt of a run at a document, with the bytes that came ("" = none)."""
    with db.write() as writer:
        key = run_key(writer, document, run)
        before = row(writer, "select count(*) as n from attempt where document = ? and run = ?", (document, key))
        number, at = 1 + (before["n"] if before else 0), now()
        insert(
            writer,
            "attempt",
            {
                "document": document,
                "run": key,
                "number": number,
                "outcome": outcome,
                "reason": reason,
                "seconds": seconds,
                "received": keep_received(writer, raw, file_name) if raw else None,
                "extraction": extraction,
                "made_at": at,
                "made_by": person,
            },
        )
    return Attempt(document, key, number, outcome, reason, seconds, extraction, at)


def attempts(reader: Database, document: int, run: int) -> tuple[Attempt, ...]:
    """The attempts of a run at a document, first first."""
    rows = reader.query(
        "select document, run, number, outcome, reason, seconds, extraction, made_at from attempt "
        "where document = ? and run = ? order by number",
        (document, run),
    )
    return tuple(Attempt(**entry) for entry in rows)


def failure(reader: Database, document: int, *, run: int | None, extraction: int | None) -> Attempt | None:
    """Why there is nothing to score of a document: the attempt behind its extraction, or that gave none at all.

    None where it was read, or imported. ``run`` None is any run.
    """
    found = row(
        reader,
        "select document, run, number, outcome, reason, seconds, extraction, made_at from attempt "
        "where document = :document and (:run is null or run = :run) and extraction is :extraction order by id limit 1",
        {"document": document, "run": run, "extraction": extraction},
    )
    return Attempt(**found) if found and found["outcome"] != "read" else None


def completions(reader: Database, *, project: str | None = None, run: int | None = None) -> tuple[Completion, ...]:
    """What each run of a project completed, or one run; runs whose answers were imported have no attempts."""
    rows = reader.query(
        "select r.id, trim(r.extractor || ' ' || r.version) || case when r.repeat > 1 then ', repeat ' || r.repeat "
        "else '' end as name from run r where (:project is null or r.project = :project) "
        "and (:run is null or r.id = :run) and exists (select 1 from attempt where attempt.run = r.id) order by r.id",
        {"project": project, "run": run},
    )
    return tuple(_completion(reader, entry["id"], entry["name"]) for entry in list(rows))


def _completion(reader: Database, run: int, name: str) -> Completion:
    first: dict[Outcome, int] = dict.fromkeys(OUTCOMES, 0)
    seconds, failures, retried = [], [], 0
    rows = reader.query(
        "select d.id, d.name, one.outcome as first, one.reason, one.seconds, last.number, last.outcome as last "
        "from attempt one join document d on d.id = one.document join attempt last on last.run = one.run "
        "and last.document = one.document and last.number = "
        "(select max(number) from attempt where run = one.run and document = one.document) "
        "where one.run = ? and one.number = 1 order by d.name, d.id",
        (run,),
    )
    for entry in rows:
        first[entry["first"]] += 1
        if entry["first"] != "no answer":
            seconds.append(entry["seconds"])
        if entry["first"] != "read":
            retried += entry["last"] == "read"
            failures.append(
                Failure(entry["id"], entry["name"], entry["first"], entry["reason"], entry["number"], entry["last"])
            )
    return Completion(run, name, first, retried, tuple(seconds), tuple(failures))
