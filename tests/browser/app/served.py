"""The real server on a home, which must not leave a traceback in its log."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.server import Server


@contextmanager
def served(folder: Path, running: Server | None = None) -> Iterator[Server]:
    """A running server on ``home`` in a folder, ended with the block."""
    running = running or Server(folder / "home", folder / "server.log")
    running.start()
    yield running
    running.kill()
    assert "Traceback" not in running.log.read_text(), running.log.read_text()
