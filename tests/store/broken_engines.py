"""An extractor that hangs, dies or eats memory: ``how``, on which ``page``, of which document by its ``name``."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Mapping, Sequence
from typing import Any

from scoring.schema import TableType
from store.extractors import Answer, ExtractorError, Identity, Job, NoAnswer

IN_WORKER = True


def settled(given: Mapping[str, Any], table_types: Sequence[TableType]) -> Mapping[str, Any]:
    return {"attempts": 1, **given}


def identity(parameters: Mapping[str, Any]) -> Identity:
    return Identity("engine", "1")


def complaints(raw: bytes, job: Job) -> tuple[str, ...]:
    return ()


def extract(job: Job) -> Answer:
    how = job.parameters["how"]
    for page in job.pages:
        job.page(page.number)
        if page.number < job.parameters.get("page", 2) or job.name != job.parameters.get("name", job.name):
            continue
        if how == "hangs":
            time.sleep(600)
        if how == "dies":
            os.kill(os.getpid(), signal.SIGKILL)
        if how == "exits":
            os._exit(3)
        if how == "eats":
            bytearray(8 << 30)
    if how == "gives up":
        raise NoAnswer("page 2 is upside down")
    if how == "is not installed":
        raise ExtractorError("the engine is not installed")
    return Answer(b'[{"item": "bolt"}]', "json-records", ".json")
