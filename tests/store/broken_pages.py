"""A reader of pages that fails on demand, for the worker process."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def read_page(file: Path, page: int, parameters: Mapping[Any, str]) -> str:
    match parameters.get(page):
        case "raises":
            return [][page]
        case "dies":
            os.kill(os.getpid(), signal.SIGKILL)
        case "exits":
            os._exit(3)
        case "hangs":
            time.sleep(600)
        case "eats":
            return "x" * (3 << 30)
    return f"text of page {page}"
