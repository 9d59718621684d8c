"""What a run of an extractor did, as lines for a terminal and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median
from typing import Any

from review_app.wording import count
from scoring import percent
from store.attempts import Completion
from store.extracting import Extracted, Runs
from store.repeats import Repeats


def entry_line(entry: Extracted) -> str:
    """One line on a document: how the first attempt ended, why, and what came of later ones."""
    first = entry.first
    name = entry.document.name + (f", repeat {entry.repeat}" if entry.repeat > 1 else "")
    if entry.known:
        return f"known      {name}: is there already ({first.outcome})"
    if first.outcome == "read":
        return f"read       {name}: {first.seconds:.2f} s"
    later = f"; attempt {entry.attempts}: {entry.last}" if entry.attempts > 1 else ""
    return f"{first.outcome:<11}{name}: {first.reason}{later}"


def completion_lines(found: Sequence[Completion], *, failures: bool = True) -> Iterator[str]:
    """For each run how many documents it completed at the first attempt, and those that it did not with the reason."""
    for run in found:
        again = f", {run.retried} more after a retry" if run.retried else ""
        took = f", median {median(run.seconds):.2f} s" if run.seconds else ""
        yield (
            f"completion of run {run.run} ({run.extractor}): {run.completed} of {count(run.documents, 'document')} "
            f"at the first attempt ({percent(run.rate)}){again}{took}"
        )
        for failure in run.failures if failures else ():
            later = f"; attempt {failure.attempts}: {failure.last}" if failure.attempts > 1 else ""
            yield f"    {failure.name}: {failure.first}: {failure.reason}{later}"


def repeat_lines(found: Sequence[Repeats]) -> Iterator[str]:
    """For each extractor with repeats how far they differ: values that flip, and the spread of F1."""
    for entry in found:
        cells = entry.stability
        yield (
            f"{count(len(entry.runs), 'repeat')} of {entry.extractor} over {count(entry.documents, 'document')}: "
            f"flip rate {percent(cells.pair_flip_rate)} of {count(cells.cells, 'cell')}, "
            f"same value in all {percent(cells.same_values)}, same text {percent(cells.same_texts)}"
        )
        f1 = entry.f1
        if f1.mean is not None:
            yield (
                f"    cell F1 (micro) over repeats: mean {percent(f1.mean)}, "
                f"lowest {percent(f1.lowest)}, highest {percent(f1.highest)}"
            )


def runs_to_json(runs: Runs, completions: Sequence[Completion], repeats: Sequence[Repeats]) -> dict[str, Any]:
    """All of it as a plain mapping."""
    return {
        "runs": [completion.to_json() for completion in completions],
        "documents": [
            {
                "document": entry.document.name,
                "sha256": entry.document.sha256,
                "run": entry.first.run,
                "repeat": entry.repeat,
                "outcome": entry.first.outcome,
                "reason": entry.first.reason,
                "seconds": round(entry.first.seconds, 3),
                "attempts": entry.attempts,
                "last_outcome": entry.last,
                "known": entry.known,
            }
            for entry in runs.entries
        ],
        "repeats": [entry.to_json() for entry in repeats],
        "left": runs.left,
        "stopped": runs.stopped,
    }
