"""Scoring a file of pairs of HTML tables, line by line, in any number of processes."""

from __future__ import annotations

import json
import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import Any, BinaryIO

from scoring.html_grid import TooLargeError
from scoring.metrics import METRICS, USUAL

# One line holds two tables; more is no line of such a file, and must not fill the memory.
LONGEST_LINE = 32_000_000
# What a process is given at once: enough that handing over costs little.
_LINES_AT_ONCE, _BYTES_AT_ONCE = 32, 4_000_000
_WANTED = ("id", "gold_html", "pred_html")


@dataclass(frozen=True, slots=True)
class Summary:
    """How many pairs were read, how many have an error, and per metric the sum and the number of its values."""

    pairs: int = 0
    errors: int = 0
    sums: Mapping[str, tuple[float, int]] = field(default_factory=dict)

    def including(self, scored: Mapping[str, Any]) -> Summary:
        """The summary with one scored line more."""
        sums = dict(self.sums)
        for name in METRICS:
            if (value := scored.get(name)) is not None:
                total, count = sums.get(name, (0.0, 0))
                sums[name] = total + (value["f1"] if isinstance(value, dict) else value), count + 1
        return Summary(self.pairs + 1, self.errors + ("error" in scored), sums)

    def to_json(self) -> dict[str, Any]:
        """The two counts, and per metric the mean over pairs (a macro average; of F1 where the metric has one)."""
        metrics = {
            name: {"mean": total / count, "pairs": count, "reference": METRICS[name].reference}
            for name, (total, count) in self.sums.items()
        }
        return {"pairs": self.pairs, "errors": self.errors, "metrics": metrics}


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


def score_line(line: bytes, number: int, metrics: Sequence[str]) -> dict[str, Any]:
    """The id of a pair and the value of each metric; "error" says what cannot be scored and why."""
    try:
        pair = json.loads(line) if len(line) <= LONGEST_LINE else None
    except (ValueError, RecursionError) as wrong:
        return {"id": None, "error": f"line {number}: no JSON ({wrong}), expected an object with {', '.join(_WANTED)}"}
    if not isinstance(pair, dict):
        found = f"longer than {LONGEST_LINE:,} bytes" if pair is None and len(line) > LONGEST_LINE else "no object"
        return {"id": None, "error": f"line {number}: {found}, expected an object with {', '.join(_WANTED)}"}
    scored: dict[str, Any] = {"id": pair.get("id")}
    missing = [name for name in _WANTED if name not in pair]
    wrong_type = [name for name in _WANTED[1:] if name in pair and not isinstance(pair[name], str)]
    if missing or wrong_type:
        what = [f"{name} is missing" for name in missing] + [f"{name} is no text" for name in wrong_type]
        return {**scored, "error": f"line {number}: {', '.join(what)}, expected an object with {', '.join(_WANTED)}"}
    refused: dict[str, list[str]] = {}
    for name in metrics:
        try:
            scored[name] = METRICS[name].score(pair["gold_html"], pair["pred_html"])
        except (TooLargeError, MemoryError) as wrong:
            scored[name] = None
            refused.setdefault(str(wrong) or "it takes more memory than there is", []).append(name)
    if refused:
        told = "; ".join(f"{', '.join(names)}: {reason}" for reason, names in refused.items())
        scored["error"] = f"line {number}: {told}"
    return scored


def score_file(
    pairs: BinaryIO,
    output: Path,
    metrics: Sequence[str],
    *,
    workers: int = 1,
    progress: Callable[[int], None] = lambda read: None,
) -> Summary:
    """Write one line of JSON per pair to a file, in the order of the input; blank lines are passed over.

    The output takes its name only when it is complete. ``progress`` is told the number of bytes read. Raises OSError.
    """
    summary = Summary()
    special = output.exists() and not output.is_file()  # /dev/stdout must not be replaced by a file
    partial = output if special else output.with_name(output.name + ".part")
    try:
        with partial.open("w", encoding="ascii", newline="\n") as file:
            for read, lines in _scored(_batches(pairs), metrics, workers):
                for scored in lines:
                    summary = summary.including(scored)
                    file.write(json.dumps(scored) + "\n")
                progress(read)
        if not special:
            partial.replace(output)
    except BrokenProcessPool:
        raise ChildProcessError("a process that scored pairs was ended from outside; nothing was written") from None
    finally:
        if not special:
            partial.unlink(missing_ok=True)
    return summary


@dataclass(frozen=True, slots=True)
class _Batch:
    """Some lines with their numbers, and how many bytes were read up to their end."""

    lines: Sequence[tuple[int, bytes]]
    read: int


def _batches(pairs: BinaryIO) -> Iterator[_Batch]:
    number = read = size = 0
    lines: list[tuple[int, bytes]] = []
    while line := pairs.readline(LONGEST_LINE + 1):
        number, read = number + 1, read + len(line)
        rest = line
        while not rest.endswith(b"\n") and (rest := pairs.readline(LONGEST_LINE)):  # of a line that is too long
            read += len(rest)
        if line.strip():
            lines.append((number, line))
            size += len(line)
        if len(lines) == _LINES_AT_ONCE or size > _BYTES_AT_ONCE:
            yield _Batch(lines, read)
            lines, size = [], 0
    if lines:
        yield _Batch(lines, read)


def _score_batch(batch: _Batch, metrics: Sequence[str]) -> list[dict[str, Any]]:
    return [score_line(line, number, metrics) for number, line in batch.lines]


def _scored(
    batches: Iterator[_Batch], metrics: Sequence[str], workers: int
) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """The bytes read so far and the scored lines, batch by batch, with few batches in memory at any time."""
    first = list(islice(batches, 2))
    if workers == 1 or len(first) < 2:
        for batch in chain(first, batches):
            yield batch.read, _score_batch(batch, metrics)
        return
    # A forked process would inherit locks that threads of this one hold at the time.
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _leave_interrupts_to_parent) as pool:
        waiting: deque[tuple[int, Future[list[dict[str, Any]]]]] = deque()
        for batch in chain(first, batches):
            waiting.append((batch.read, pool.submit(_score_batch, batch, metrics)))
            if len(waiting) > 2 * workers:
                read, done = waiting.popleft()
                yield read, done.result()
        while waiting:
            read, done = waiting.popleft()
            yield read, done.result()


def _leave_interrupts_to_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
