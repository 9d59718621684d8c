"""Runs of extractors: each answer stored raw before it is read, each attempt kept, the first one scored."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from scoring.schema import TableType
from scoring.table import TableError
from store import box_check, documents, extractions, formats, page_readings, table_types
from store.attempts import Attempt, Outcome, add_attempt, attempts
from store.db import Db
from store.documents import Document
from store.extractions import Run, keep_received, known_run, last_repeat
from store.extractors import Answer, Extractor, ExtractorError, Job, NoAnswer, extractor
from store.extractors.worker import in_worker
from store.formats import FORMATS, FormatError, Read, recognise
from store.home import Home
from store.rights import expect_right
from store.table_kinds import Kinds, open_gold

# So many complaints of one answer are kept; a list of ten thousand rows may have one in each.
MOST_COMPLAINTS = 20


@dataclass(frozen=True)
class Extracted:
    """What became of one document in one run: the first attempt, and how many there were; ``known`` if passed over."""

    document: Document
    repeat: int
    first: Attempt
    attempts: int
    last: Outcome
    known: bool = False


@dataclass(frozen=True)
class Runs:
    """What became of all documents of all repeats; ``left`` counts those that were not tried, because it was stopped.

    ``stopped`` says why: a person did, or the extractor cannot be used. ``repeats`` is the highest number of a repeat.
    """

    numbers: tuple[int, ...]
    entries: tuple[Extracted, ...]
    repeats: int
    left: int = 0
    stopped: str = ""

    @property
    def failed(self) -> tuple[Extracted, ...]:
        """The documents that were not read in full at the first attempt."""
        return tuple(entry for entry in self.entries if entry.first.outcome != "read")


def extract(
    db: Db,
    home: Home,
    chosen: Sequence[Document],
    *,
    extractor_name: str,
    person: str,
    project: str,
    given: Mapping[str, Any] | None = None,
    types: Sequence[str] = (),
    repeats: int = 1,
    resume: bool = False,
    told: Callable[[Extracted], None] | None = None,
    reading: Callable[[Document, int], None] | None = None,
) -> Runs:
    """Run an extractor over documents, ``repeats`` times; each repeat is a run of its own.

    Repeats are counted on from those that the same extractor has had with the same version and
    parameters. With ``resume`` they are counted from 1, and documents that were answered in such a
    run are passed over, so that a run that was cut off is completed. Each answer is stored as it
    came before it is read; where it is not whole, the document is tried again as often as the
    parameter ``attempts`` allows, and every attempt is kept. ``types`` are the names of the table
    types that are asked for, by default all of the project. ``told`` hears of each document that is done,
    ``reading`` of each page before it is read, where the extractor goes page by page in this process. A
    KeyboardInterrupt, also one that these raise, ends the run: what was stored stays.

    Raises ExtractorError for an unknown extractor, table type or parameter.
    """
    module = extractor(extractor_name)
    with db.read() as reader:
        expect_right(reader, person, "import")
        known = table_types.table_types(reader, project=project)
    asked = _asked(known, types, project)
    parameters = module.settled(given or {}, asked)
    who = module.identity(parameters)
    kept = {**parameters, "table_types": [f"{kind.name}@{kind.signature}" for kind in asked]}
    run = Run(who.name, who.version, kept)
    with db.read() as reader:
        before = 0 if resume else last_repeat(reader, project, run)
    work = _Work(
        db, home, module, parameters, asked, Kinds(known, types[0] if len(types) == 1 else ""), person, reading
    )
    todo = [
        (Run(who.name, who.version, kept, before + number), document)
        for number in range(1, repeats + 1)
        for document in chosen
    ]
    entries: list[Extracted] = []
    stopped = ""
    try:
        for each, document in todo:
            entry = work.passed_over(document, each) or work.extracted(document, each)
            entries.append(entry)
            if told:
                told(entry)
    except KeyboardInterrupt:
        stopped = "stopped by hand"
    except ExtractorError as wrong:
        stopped = str(wrong)
    numbers = tuple(dict.fromkeys(entry.first.run for entry in entries))
    return Runs(numbers, tuple(entries), before + repeats, len(todo) - len(entries), stopped)


def answered(module: Extractor, job: Job) -> Answer:
    """The answer of an extractor, in a process of its own where it asks for one; raises NoAnswer or ExtractorError."""
    if not module.IN_WORKER:
        return module.extract(job)
    return in_worker(
        getattr(module, "__name__", ""),
        job,
        seconds_per_page=float(job.parameters["seconds_per_page"]),
        memory_mb=int(job.parameters.get("memory_mb", 0)),
    )


@dataclass(frozen=True)
class _Work:
    """What all documents of a run have in common."""

    db: Db
    home: Home
    module: Extractor
    parameters: Mapping[str, Any]
    asked: Sequence[TableType]
    kinds: Kinds
    person: str
    reading: Callable[[Document, int], None] | None

    def _before(self, document: Document, run: Run) -> tuple[Attempt, ...]:
        with self.db.read() as reader:
            known = known_run(reader, document.project, run)
            return attempts(reader, document.id, known) if known else ()

    def passed_over(self, document: Document, run: Run) -> Extracted | None:
        """What an earlier start of this run got from the document; None where it got no answer."""
        before = self._before(document, run)
        if all(attempt.extraction is None for attempt in before):
            return None
        return Extracted(document, run.repeat, before[0], len(before), before[-1].outcome, known=True)

    def extracted(self, document: Document, run: Run) -> Extracted:
        """Try a document until an answer is whole, or as often as the run allows."""
        made = [*self._before(document, run)]
        complaints: tuple[str, ...] = ()
        for _ in range(int(self.parameters["attempts"])):
            attempt, complaints = self._attempt(document, run, len(made) + 1, complaints)
            made.append(attempt)
            if attempt.outcome == "read":
                break
        return Extracted(document, run.repeat, made[0], len(made), made[-1].outcome)

    def _attempt(
        self, document: Document, run: Run, number: int, complaints: Sequence[str]
    ) -> tuple[Attempt, tuple[str, ...]]:
        with self.db.read() as reader:
            sizes = documents.pages(reader, document.id)
        job = Job(
            self.home.readable_file(document.sha256),
            document.name,
            document.media_type,
            sizes,
            self.parameters,
            self.asked,
            run.repeat,
            number,
            complaints,
        )
        if self.reading and not self.module.IN_WORKER:
            job = replace(job, page=partial(self.reading, document))
        began = time.monotonic()
        name = f"{document.stem} by {run.extractor}, repeat {run.repeat}, attempt {number}"
        try:
            answer = answered(self.module, job)
        except NoAnswer as none:
            seconds = time.monotonic() - began
            return self._kept(document, run, "no answer", none.reason, seconds, none.raw, name, None), ()
        seconds = time.monotonic() - began
        name += answer.suffix
        with self.db.write() as writer:
            # Whatever happens while it is read, the answer is there.
            keep_received(writer, answer.raw, name)
        with self.db.write():
            outcome, problems, extraction = self._stored(document, run, job, answer, name)
            reason = "; ".join(problems)
            return self._kept(document, run, outcome, reason, seconds, answer.raw, name, extraction), problems

    def _stored(
        self, document: Document, run: Run, job: Job, answer: Answer, name: str
    ) -> tuple[Outcome, tuple[str, ...], int]:
        """Read an answer and store the extraction; one that cannot be read is stored as one without tables."""
        outcome: Outcome = "read"
        problems: tuple[str, ...] = ()
        format_name = answer.format
        try:
            format_name = format_name or recognise(answer.raw, name)
            if format_name not in FORMATS:
                raise FormatError(f"the answer is a file of Proofgrid's own ({format_name}), expected an extraction")
            read = formats.read(format_name, answer.raw, name=name, pages=job.pages)
            tables, told = box_check.checked(read.tables, box_check.words_in(job.file), job.pages)
            read = replace(read, notes=(*read.notes, *told))
            typed = self.kinds.of(tables)
            problems = self.module.complaints(answer.raw, job)
        except (FormatError, TableError) as wrong:
            outcome, problems, read, typed = "unreadable", (str(wrong),), Read(()), []
        if problems and outcome == "read":
            outcome = "partial" if read.tables else "unreadable"
        if len(problems) > MOST_COMPLAINTS:
            problems = (*problems[:MOST_COMPLAINTS], f"and {len(problems) - MOST_COMPLAINTS} more")
        added, _ = extractions.add_extraction(
            self.db,
            document.id,
            answer.raw,
            file_name=name,
            run=run,
            format_name=format_name or "none",
            tables=[entry for entry, _ in typed],
            notes=(*read.notes, *problems),
            person=self.person,
        )
        page_readings.work_out(self.db, job.file, added.tables)
        types = {(document.id, entry.name): kind.name for entry, kind in typed if kind}
        open_gold(self.db, [document], types, self.kinds, person=self.person)
        return outcome, problems, added.id

    def _kept(
        self,
        document: Document,
        run: Run,
        outcome: Outcome,
        reason: str,
        seconds: float,
        raw: bytes,
        name: str,
        extraction: int | None,
    ) -> Attempt:
        return add_attempt(
            self.db,
            document.id,
            run,
            outcome=outcome,
            reason=reason,
            seconds=seconds,
            raw=raw,
            file_name=name,
            extraction=extraction,
            person=self.person,
        )


def _asked(known: Sequence[TableType], names: Sequence[str], project: str) -> tuple[TableType, ...]:
    there = {kind.name: kind for kind in known}
    for name in names:
        if name not in there:
            raise ExtractorError(
                f"table type {name!r} is not in project {project!r}; expected one of: "
                f"{', '.join(there) or 'none yet, import a table types file first'}"
            )
    return tuple(there[name] for name in names) if names else tuple(known)
