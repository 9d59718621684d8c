"""Scoring a file of pairs of HTML tables, line by line, in any number of processes and shards."""

from __future__ import annotations

import hashlib
import json
import math
import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Self

from review_app.pair_summary import Summary
from review_app.whole_file import replacing
from scoring import SCORING_VERSION
from scoring.metrics.catalogue import METRICS, USUAL, counts, value
from scoring.reading.html_grid import TooLargeError
from scoring.reading.json_value import json_value

if TYPE_CHECKING:
    from concurrent.futures import Future

# One line holds two tables; more is no line of such a file, and must not fill the memory.
LONGEST_LINE = 32_000_000
# What a process is given at once: enough that handing over costs little.
_LINES_AT_ONCE, _BYTES_AT_ONCE = 32, 4_000_000
_WANTED = "an object with id, gold_html, pred_html"
_LONGEST_VALUE = 200


@dataclass(frozen=True, slots=True)
class Job:
    """What is wanted of each pair: metrics, and the names of the fields to group by."""

    metrics: tuple[str, ...]
    by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Share:
    """Shard ``number`` (from 1) of ``of``: the pairs whose number, from 0, leaves ``number - 1`` divided by ``of``."""

    number: int = 1
    of: int = 1

    @classmethod
    def from_text(cls, text: str) -> Self:
        """What "2/3" means; raises ValueError."""
        number, slash, of = text.partition("/")
        if not (slash and number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of) <= 1_000_000):
            raise ValueError(f"{text!r}, expected the number of a shard and how many there are, as 1/3, 2/3 and 3/3")
        return cls(int(number), int(of))

    def has(self, pair: int) -> bool:
        """Whether the pair of this number is in the shard."""
        return pair % self.of == self.number - 1


@dataclass(frozen=True, slots=True)
class Footer:
    """The last line of a shard: what it is a part of, so that parts of other files or settings are not merged.

    ``pairs`` counts the pairs of the whole file and ``sha256`` is its hash.
    """

    number: int
    of: int
    pairs: int
    sha256: str
    metrics: tuple[str, ...]
    by: tuple[str, ...]
    version: str = SCORING_VERSION

    def line(self) -> str:
        """As it is written."""
        return json.dumps({"shard": asdict(self)}) + "\n"


def chosen(names: str) -> tuple[str, ...]:
    """The metrics that a list like "tlag,teds" names, "all" being those of ``USUAL``.

    Raises ValueError for an unknown name, and where there is none.
    """
    given = [name.strip() for name in names.split(",") if name.strip()]
    wanted = tuple(dict.fromkeys(name for each in given for name in (USUAL if each == "all" else (each,))))
    unknown = [name for name in wanted if name not in METRICS]
    if unknown or not wanted:
        raise ValueError(f"{', '.join(unknown) or names!r}, expected all or some of {', '.join(METRICS)}")
    return wanted


class _NotFiniteError(ValueError):
    """A number such as 1e999 or NaN, which the scores could not be written with."""


def _finite(number: str) -> float:
    if math.isfinite(found := float(number)):
        return found
    raise _NotFiniteError(number[:40])


def score_line(line: bytes, number: int, job: Job) -> dict[str, Any]:
    """The id of a pair, the value of each metric and the counts that it follows from.

    "missing" says that there is no prediction, "error" what cannot be scored, both with the number of the line. A
    metric without a value is None; its counts are then those of a pair of which everything was missed, or there are
    none where gold alone is too large.
    """
    try:
        pair = None
        if len(line) <= LONGEST_LINE:
            pair = json_value(line, parse_float=_finite, parse_constant=_finite)
    except _NotFiniteError as wrong:
        return {"id": None, "error": f"line {number}: {wrong} is no finite number, expected {_WANTED}"}
    except ValueError as wrong:
        return {"id": None, "error": f"line {number}: no JSON ({wrong}), expected {_WANTED}"}
    if not isinstance(pair, dict):
        found = f"longer than {LONGEST_LINE:,} bytes" if pair is None and len(line) > LONGEST_LINE else "no object"
        return {"id": None, "error": f"line {number}: {found}, expected {_WANTED}"}
    scored: dict[str, Any] = {"id": pair.get("id")}
    if job.by:
        scored["by"] = {name: _group(pair.get(name)) for name in job.by}
    gold, pred = pair.get("gold_html"), pair.get("pred_html")
    wrong_parts = [f"{name} is missing" for name in ("id", "gold_html") if name not in pair]
    wrong_parts += [
        f"{name} is no text"
        for name in ("gold_html", "pred_html")
        if name in pair and not isinstance(pair[name], str) and not (name == "pred_html" and pred is None)
    ]
    if wrong_parts:
        scored["error"] = f"line {number}: {', '.join(wrong_parts)}, expected {_WANTED}"
    elif pred is None:
        scored["missing"] = f"line {number}: pred_html is {'null' if 'pred_html' in pair else 'missing'}"
    if not isinstance(gold, str) or "id" not in pair:
        return scored
    return _measured(scored, gold, pred if isinstance(pred, str) else None, number, job.metrics)


def _measured(
    scored: dict[str, Any], gold: str, pred: str | None, number: int, metrics: Sequence[str]
) -> dict[str, Any]:
    refused: dict[str, list[str]] = {}
    sums: dict[str, Sequence[float]] = {}
    for name in metrics:
        scored[name], sums[name] = None, ()
        try:
            if pred is not None:
                found = METRICS[name].measure(gold, pred)
                scored[name], sums[name] = value(found), counts(found)
        except (TooLargeError, MemoryError) as wrong:
            refused.setdefault(str(wrong) or "it takes more memory than there is", []).append(name)
        if scored[name] is None:
            with suppress(TooLargeError, MemoryError):
                sums[name] = counts(METRICS[name].missed(gold))
    if refused:
        told = "; ".join(f"{', '.join(names)}: {reason}" for reason, names in refused.items())
        scored["error"] = f"line {number}: {told}"
    return {**scored, "counts": sums}


def _group(found: object) -> str:
    if found is None:
        return ""
    return (found if isinstance(found, str) else json.dumps(found))[:_LONGEST_VALUE]


def score_file(
    pairs: BinaryIO,
    output: Path,
    job: Job,
    *,
    workers: int = 1,
    share: Share | None = None,
    progress: Callable[[int], None] = lambda read: None,
) -> Summary:
    """Write one line of JSON per pair to a file, in the order of the input; blank lines are passed over.

    With a ``share`` only its pairs are scored, and a ``Footer`` is the last line. The output takes its name only
    when it is complete. ``progress`` is told the number of bytes read. Raises OSError and TooManyGroupsError.
    """
    summary = Summary(job.metrics, job.by)
    source = _Source(pairs, share or Share())
    with replacing(output) as file:
        for read, lines in _scored(source.batches(), job, workers):
            for scored in lines:
                summary.add(scored)
                file.write(json.dumps(scored).encode("ascii") + b"\n")
            progress(read)
        progress(source.read)
        if share:
            footer = Footer(share.number, share.of, source.pairs, source.hash.hexdigest(), job.metrics, job.by)
            file.write(footer.line().encode("ascii"))
    return summary


@dataclass(frozen=True, slots=True)
class _Batch:
    """Some lines with their numbers, and how many bytes were read up to their end."""

    lines: Sequence[tuple[int, bytes]]
    read: int


class _Source:
    """The lines of a file that are in a shard, and after they were read, what was read in all."""

    def __init__(self, pairs: BinaryIO, share: Share) -> None:
        self._file, self._share = pairs, share
        self.read = self.pairs = 0
        self.hash = hashlib.sha256()

    def batches(self) -> Iterator[_Batch]:
        number = size = 0
        lines: list[tuple[int, bytes]] = []
        while line := self._line(LONGEST_LINE + 1):
            number += 1
            rest = line
            while not rest.endswith(b"\n") and (rest := self._line(LONGEST_LINE)):  # of a line that is too long
                pass
            if not line.strip():
                continue
            if self._share.has(self.pairs):
                lines.append((number, line))
                size += len(line)
            self.pairs += 1
            if len(lines) == _LINES_AT_ONCE or size > _BYTES_AT_ONCE:
                yield _Batch(lines, self.read)
                lines, size = [], 0
        if lines:
            yield _Batch(lines, self.read)

    def _line(self, most: int) -> bytes:
        line = self._file.readline(most)
        self.hash.update(line)
        self.read += len(line)
        return line


def _score_batch(batch: _Batch, job: Job) -> list[dict[str, Any]]:
    return [score_line(line, number, job) for number, line in batch.lines]


def _scored(batches: Iterator[_Batch], job: Job, workers: int) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """The bytes read so far and the scored lines, batch by batch, with few batches in memory at any time."""
    first = list(islice(batches, 2))
    if workers == 1 or len(first) < 2:
        for batch in chain(first, batches):
            yield batch.read, _score_batch(batch, job)
        return
    import multiprocessing
    from concurrent.futures.process import BrokenProcessPool, ProcessPoolExecutor

    # A forked process would inherit locks that threads of this one hold at the time.
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _leave_interrupts_to_parent) as pool:
        waiting: deque[tuple[int, Future[list[dict[str, Any]]]]] = deque()
        try:
            for batch in chain(first, batches):
                waiting.append((batch.read, pool.submit(_score_batch, batch, job)))
                if len(waiting) > 2 * workers:
                    read, done = waiting.popleft()
                    yield read, done.result()
            while waiting:
                read, done = waiting.popleft()
                yield read, done.result()
        except BrokenProcessPool:
            raise ChildProcessError("a process that scored pairs was ended from outside; nothing was written") from None


def _leave_interrupts_to_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
