"""The scripted service of the tests as a value: its address, its script and its log."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Running:
    origin: str

    def play(self, *answers: dict[str, Any]) -> None:
        """Give these answers from now on, and forget what was asked."""
        body = json.dumps(answers).encode()
        urllib.request.urlopen(urllib.request.Request(f"{self.origin}/script", data=body, method="PUT")).close()

    @property
    def log(self) -> list[dict[str, Any]]:
        """The requests so far; ``body`` as bytes."""
        with urllib.request.urlopen(f"{self.origin}/log") as answer:
            entries = json.load(answer)
        return [{**entry, "body": base64.b64decode(entry["body"])} for entry in entries]


@contextmanager
def running() -> Iterator[Running]:
    script = Path(__file__).with_name("scripted_service.py")
    process = subprocess.Popen([sys.executable, str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdin is not None
    try:
        yield Running(f"http://127.0.0.1:{int(process.stdout.readline())}")
    finally:
        process.stdin.close()
        process.stdout.close()
        process.wait(10)
