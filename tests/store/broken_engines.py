"""Extractors that hang, die or eat memory, for the tests of the worker; each is chosen by the parameter ``how``."""

from __future__ import annotations

import os
import signal
import time

from store.extractors import Answer, ExtractorError, Job, NoAnswer


def extract(job: Job) -> Answer:
    how = job.parameters["how"]
    for page in job.pages:
        job.page(page.number)
        if page.number < 2:
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
    return Answer(b"[]", "json-records", ".json")
