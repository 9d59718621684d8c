"""The self-test of the harness: import, extract, review and score, in a folder of its own that is thrown away."""

from __future__ import annotations

import json
import os
import platform
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

from scoring.counts import Counts
from scoring.report import SCORING_VERSION
from store import documents, gold, reviews
from store.attempts import completions
from store.db import Db
from store.edits import SetText, TextChange
from store.extracting import extract
from store.extractors import mock
from store.extractors.fixtures import CORPUS_VERSION, ORDER, fixtures
from store.gold import NewEdit
from store.home import Home
from store.ingest import ingest
from store.repeats import repeated
from store.scored_documents import scored_documents

REPEATS = 2
WHAT_IT_TESTS = "This tests the harness and not extraction: the documents were made for the parser that reads them."
_PERSON = "selftest"


@dataclass(frozen=True)
class Scored:
    """The score of one run of the harness: exact counts of fields, and how many of them a reviewer had to correct."""

    counts: Counts
    corrected: int

    def to_json(self) -> dict[str, Any]:
        """A plain mapping."""
        return {
            "matched": self.counts.matched,
            "predicted": self.counts.predicted,
            "expected": self.counts.expected,
            "precision": self.counts.precision,
            "recall": self.counts.recall,
            "f1": self.counts.f1,
            "corrected": self.corrected,
        }


@dataclass(frozen=True)
class SelfTest:
    """What the self-test found; latency in milliseconds per document, ``variation`` the flip rate of the repeats.

    ``planted`` is the same harness on answers of which a known number is wrong.
    """

    documents: int
    fields: int
    at: str
    runner: str
    latencies_ms: tuple[float, ...]
    variation: float | None
    completed: float | None
    plain: Scored
    planted: Scored
    n_planted: int

    @property
    def problems(self) -> tuple[str, ...]:
        """What is not as it must be, one sentence each."""
        right = self.fields - self.n_planted
        expected = (
            ("documents completed", self.completed, 1.0),
            ("repeat variation", self.variation, 0.0),
            ("fields right", self.plain.counts.matched, self.fields),
            ("fields corrected", self.plain.corrected, 0),
            ("fields right of those with planted errors", self.planted.counts.matched, right),
            ("planted errors corrected", self.planted.corrected, self.n_planted),
            (
                "waits that were measured",
                sum(each >= mock.WAIT_MS for each in self.latencies_ms),
                len(self.latencies_ms),
            ),
        )
        return tuple(f"{what}: {found}, expected {must}" for what, found, must in expected if found != must)

    def to_json(self) -> dict[str, Any]:
        """A plain mapping."""
        return {
            "note": WHAT_IT_TESTS,
            "corpus_version": CORPUS_VERSION,
            "scoring_version": SCORING_VERSION,
            "extractor_version": f"mock {mock.VERSION}",
            "date_utc": self.at,
            "runner": self.runner,
            "documents": self.documents,
            "fields": self.fields,
            "repeats": REPEATS,
            "completion_rate": self.completed,
            "latency_ms": {
                "median": median(self.latencies_ms),
                "lowest": min(self.latencies_ms),
                "highest": max(self.latencies_ms),
                "deliberate_wait": mock.WAIT_MS,
            },
            "repeat_variation": self.variation,
            **{name: self.plain.to_json()[name] for name in ("precision", "recall", "f1")},
            "score": self.plain.to_json(),
            "planted_errors": {"planted": self.n_planted, **self.planted.to_json()},
            "problems": list(self.problems),
        }

    def lines(self) -> Iterator[str]:
        """One line per figure."""
        plain, planted = self.plain.counts, self.planted.counts
        yield WHAT_IT_TESTS
        yield f"corpus version:     {CORPUS_VERSION} ({self.documents} documents, {self.fields} reviewed fields)"
        yield f"scoring version:    {SCORING_VERSION}"
        yield f"extractor version:  mock {mock.VERSION}"
        yield f"date (UTC):         {self.at}"
        yield f"runner:             {self.runner}"
        yield (
            f"latency:            median {median(self.latencies_ms):.0f} ms per document, "
            f"{min(self.latencies_ms):.0f} to {max(self.latencies_ms):.0f} ms, "
            f"of which {mock.WAIT_MS} ms are a deliberate wait"
        )
        yield f"repeat variation:   {_shown(self.variation)} ({REPEATS} repeats, share of fields that differ)"
        yield (
            f"precision / recall / F1:  {_shown(plain.precision)} / {_shown(plain.recall)} / {_shown(plain.f1)} "
            f"({plain.matched:g} of {plain.expected} fields)"
        )
        yield (
            f"with {self.n_planted} planted errors:    {_shown(planted.precision)} / {_shown(planted.recall)} / "
            f"{_shown(planted.f1)} ({planted.matched:g} of {planted.expected} fields, "
            f"{self.planted.corrected} corrected)"
        )
        yield "All numbers are as they must be." if not self.problems else "Some numbers are not as they must be."


def selftest() -> SelfTest:
    """Run the harness in a temporary folder: documents and table types are imported as files, an extractor is run
    over them twice, what it read is corrected by edits and accepted, and the first output scored against that.
    """
    made = fixtures()
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder) / "home")
        incoming = Path(folder) / "documents"
        incoming.mkdir()
        for fixture in made:
            (incoming / fixture.name).write_bytes(fixture.raw)
        types = {"proofgrid": "table-types/1", "table_types": [ORDER.to_json()]}
        (incoming / "table_types.json").write_text(json.dumps(types))
        db = Db(home.database)
        try:
            plain = _scored(db, home, incoming, "plain", {}, REPEATS)
            planted = _scored(db, home, incoming, "planted", {"planted": True, "wait_ms": 0}, 1)
            with db.read() as reader:
                runs = completions(reader, project="plain")
                (repeats,) = repeated(db, reader, project="plain")
        finally:
            db.close()
    tried = sum(run.documents for run in runs)
    return SelfTest(
        documents=len(made),
        fields=sum(len(fixture.fields) for fixture in made),
        at=datetime.now(UTC).isoformat(timespec="seconds"),
        runner=_runner(),
        latencies_ms=tuple(seconds * 1000 for run in runs for seconds in run.seconds),
        variation=repeats.flip_rate,
        completed=sum(run.completed for run in runs) / tried if tried else None,
        plain=plain,
        planted=planted,
        n_planted=sum(mock.is_planted(fixture.name) for fixture in made),
    )


def _scored(db: Db, home: Home, folder: Path, project: str, given: dict[str, Any], repeats: int) -> Scored:
    ingest(db, home, [folder], person=_PERSON, project=project)
    with db.read() as reader:
        chosen = documents.documents(reader, project=project)
    extract(
        db,
        home,
        chosen,
        extractor_name="mock",
        person=_PERSON,
        project=project,
        given=given,
        repeats=repeats,
    )
    truth = {fixture.name: fixture.fields for fixture in fixtures()}
    corrected = sum(_reviewed(db, document.id, truth[document.name]) for document in chosen)
    with db.read() as reader:
        found = scored_documents(db, reader, project=project)
    counts = sum((table.report.exact for entry in found for table in entry.tables), Counts())
    return Scored(counts, corrected)


def _reviewed(db: Db, document: int, fields: tuple[str, ...]) -> int:
    """Set the fields of a document to what it prints, accept it, and tell how many had to be set."""
    corrected = 0
    with db.read() as reader:
        tables = [
            (entry.id, gold.current(db, reader, entry.id)[1].table) for entry in gold.gold_tables(reader, document)
        ]
    for key, table in tables:
        changes = [
            TextChange(1, col, table.text_at(1, col), text)
            for col, text in enumerate(fields)
            if table.text_at(1, col) != text
        ]
        revision = 0
        if changes:
            edit = NewEdit(f"selftest-{key}", SetText(tuple(changes)))
            revision = gold.add_edits(db, key, [edit], person=_PERSON, after=0)
            corrected += len(changes)
        reviews.add_verdict(
            db, key, verdict="accept", person=_PERSON, id=f"selftest-accept-{key}", at_revision=revision
        )
    return corrected


def _runner() -> str:
    system = f"{platform.system()} {platform.machine()}, {os.cpu_count()} CPUs, Python {platform.python_version()}"
    return f"{system}, CI" if os.environ.get("CI") else system


def _shown(value: float | None) -> str:
    return "n/a" if value is None else f"{value:.3f}"
