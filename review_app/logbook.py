"""The log beside the database: where the traceback of a fault of the program goes, and no person sees it."""

from __future__ import annotations

import logging
from pathlib import Path


class _Logbook(logging.Handler):
    """Opens its file for each entry: faults are rare, and an open file would be in the way when the home is moved."""

    def __init__(self, path: Path) -> None:
        super().__init__(logging.WARNING)
        self._path = path
        self.setFormatter(logging.Formatter("%(asctime)s %(name)s: %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        try:
            with self._path.open("a", encoding="utf-8", errors="replace") as file:
                file.write(f"{self.format(record)}\n")
        except OSError:
            return  # a full disk is told by whatever wants to store something


def keep_log(path: Path) -> None:
    """Write what the store has to say of faults to this file from now on, in place of any other."""
    log = logging.getLogger("store")
    for handler in [handler for handler in log.handlers if isinstance(handler, _Logbook)]:
        log.removeHandler(handler)
    log.addHandler(_Logbook(path))
