"""An extractor in a process of its own, which ends when a page takes too long or the engine breaks down."""

from __future__ import annotations

import multiprocessing
import signal
from dataclasses import replace
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Any

from store.extractors.contract import Answer, ExtractorError, Job, NoAnswer

# Starting Python and loading a heavy engine is not the fault of the first page.
SECONDS_TO_START = 120.0


def in_worker(
    module: str, job: Job, *, seconds_per_page: float, memory_mb: int = 0, seconds_to_start: float = SECONDS_TO_START
) -> Answer:
    """What the extractor of a module answers in a process of its own.

    The time of a page counts from the call of ``job.page`` on; ``memory_mb`` is the most that the process may
    use (0 = any). Raises NoAnswer naming the page that was too slow or on which the process ended, and what
    the extractor raises.
    """
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(theirs, module, job, memory_mb), daemon=True)
    process.start()
    theirs.close()
    page, limit = 0, seconds_to_start
    try:
        while ours.poll(limit):
            kind, said = ours.recv()
            if kind == "page":
                page, limit = said, seconds_per_page
            elif kind == "answer":
                return Answer(*said)
            else:
                raise {"no answer": NoAnswer, "error": ExtractorError}[kind](said)
        place = f"page {page}" if page else "the start"
        raise NoAnswer(f"{place} took longer than {limit:g} s; the extractor was stopped")
    except EOFError:
        process.join()
        place = f"on page {page}" if page else "before the first page"
        raise NoAnswer(f"the extractor broke down {place}: {_ending(process.exitcode)}") from None
    finally:
        process.kill()
        process.join()
        ours.close()


def _work(theirs: Connection, module: str, job: Job, memory_mb: int) -> None:
    """Run the extractor and send what it says; runs in the worker."""
    # Ctrl+C reaches every process of a terminal; the parent decides what becomes of this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if memory_mb:
        import resource  # not on every system, so only where it is asked for

        resource.setrlimit(resource.RLIMIT_AS, (memory_mb << 20, memory_mb << 20))

    def page(number: int) -> None:
        theirs.send(("page", number))

    try:
        extractor: Any = import_module(module)
        answer = extractor.extract(replace(job, page=page))
        theirs.send(("answer", (answer.raw, answer.format, answer.suffix)))
    except NoAnswer as none:
        theirs.send(("no answer", none.reason))
    except ExtractorError as wrong:
        theirs.send(("error", str(wrong)))
    except MemoryError:
        theirs.send(("no answer", f"more than {memory_mb} MB of memory were needed"))


def _ending(code: int | None) -> str:
    if code is not None and code < 0:
        name = signal.Signals(-code).name
        return f"ended by {name}" + (", perhaps for want of memory" if -code == signal.SIGKILL else "")
    return f"exit status {code}"
