"""Heavy engines in a process of their own, page by page: one that fails is named, and the others go on."""

from __future__ import annotations

import multiprocessing
import signal
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

# Starting Python and loading engines is not the fault of the page.
SECONDS_TO_START = 120.0
# A worker that nobody asks ends by itself.
_SECONDS_IDLE = 120.0

PageReader = Callable[[Path, int, Mapping[str, Any]], Any]
"""What a module offers under a name: file, page and parameters to plain values; it may keep what it has loaded."""


@dataclass(frozen=True)
class PageFailed:
    """A page that could not be read, and why, in words."""

    page: int
    reason: str


@dataclass(frozen=True)
class Limits:
    """What one page may take: seconds, and megabytes of the process (0 = any)."""

    seconds: float
    memory_mb: int = 0


class PageWorker:
    """A process that reads pages with one function, started when first needed and again after it broke down."""

    def __init__(self, module: str, function: str, limits: Limits, *, seconds_to_start: float = SECONDS_TO_START):
        self._called = module, function
        self._limits = limits
        self._seconds_to_start = seconds_to_start
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        # One page at a time, whoever asks.
        self._lock = threading.Lock()
        self._closing = threading.Lock()

    def read(self, file: Path, pages: Sequence[int], parameters: Mapping[str, Any]) -> list[Any]:
        """For each page what the function returns, or PageFailed."""
        with self._lock:
            return [self._page(file, page, parameters) for page in pages]

    def close(self) -> None:
        """End the process."""
        # The thread that reads closes, too, as soon as it meets the end: each has to close what the other has not.
        with self._closing:
            process, pipe, self._process, self._pipe = self._process, self._pipe, None, None
        if process is not None:
            process.kill()
            process.join()
        if pipe is not None:
            pipe.close()

    def _page(self, file: Path, page: int, parameters: Mapping[str, Any]) -> Any:
        try:
            pipe = self._asked((file, page, dict(parameters)))
        except (EOFError, OSError) as wrong:
            self.close()
            return PageFailed(page, f"the process for reading pages could not be started ({wrong or 'it ended'})")
        try:
            if not pipe.poll(self._limits.seconds):
                self.close()
                return PageFailed(page, f"took longer than {self._limits.seconds:g} s")
            kind, said = pipe.recv()
        except (EOFError, OSError):
            return PageFailed(page, f"the engine broke down ({self._ending()})")
        except BaseException:  # Ctrl+C: an answer that comes later must not be taken for that of another page
            self.close()
            raise
        return said if kind == "read" else PageFailed(page, said)

    def _asked(self, question: tuple[Path, int, dict[str, Any]]) -> Connection:
        """The pipe on which the question was sent, to a process that was already there if it still is."""
        if self._pipe is not None and self._process is not None and self._process.is_alive():
            with suppress(OSError):
                self._pipe.send(question)
                return self._pipe
        self.close()
        context = multiprocessing.get_context("spawn")
        # Held here as well: who closes this worker from another thread takes the pipe away while the process starts.
        pipe, theirs = context.Pipe()
        process = context.Process(
            target=_work, args=(theirs, *self._called, self._limits.memory_mb), daemon=True, name="page-worker"
        )
        self._pipe, self._process = pipe, process
        process.start()
        theirs.close()
        if not pipe.poll(self._seconds_to_start):
            raise OSError(f"not ready after {self._seconds_to_start:g} s")
        pipe.recv()
        pipe.send(question)
        return pipe

    def _ending(self) -> str:
        process = self._process
        if process is None:
            return "it was ended"
        process.join()
        code = process.exitcode
        self.close()
        if code is not None and code < 0:
            name = signal.Signals(-code).name
            return f"ended by {name}" + (", perhaps for want of memory" if -code == signal.SIGKILL else "")
        return f"exit status {code}"


def _work(theirs: Connection, module: str, function: str, memory_mb: int) -> None:
    """Answer questions about pages until nobody asks any more; runs in the process."""
    # Ctrl+C reaches every process of a terminal; the parent decides what becomes of this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if memory_mb and sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory_mb << 20, memory_mb << 20))
    reader: PageReader = getattr(import_module(module), function)
    theirs.send(("ready", None))
    with suppress(EOFError, OSError):
        while theirs.poll(_SECONDS_IDLE):
            file, page, parameters = theirs.recv()
            try:
                answer = "read", reader(file, page, parameters)
            except MemoryError:
                answer = "failed", f"more than {memory_mb} MB of memory were needed"
            except Exception as wrong:  # noqa: BLE001  # whatever an engine raises: the page is named, the others go on
                answer = "failed", f"{type(wrong).__name__}: {wrong}"
            theirs.send(answer)
