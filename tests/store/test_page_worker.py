from __future__ import annotations

import multiprocessing
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from store.extractors.page_worker import Limits, PageFailed, PageWorker

FILE = Path("none.pdf")


@pytest.fixture
def worker() -> Iterator[PageWorker]:
    others = multiprocessing.active_children()
    made = PageWorker("tests.store.broken_pages", "read_page", Limits(seconds=60, memory_mb=2000))
    yield made
    made.close()
    assert set(multiprocessing.active_children()) <= set(others)


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ("raises", "IndexError: list index out of range"),
        ("dies", "the engine broke down (ended by SIGKILL, perhaps for want of memory)"),
        ("exits", "the engine broke down (exit status 3)"),
        ("eats", "more than 2000 MB of memory were needed"),
    ],
)
def test_a_page_that_breaks_the_engine_is_named_and_the_others_go_on(worker: PageWorker, how: str, reason: str) -> None:
    assert worker.read(FILE, [1, 2, 3], {2: how}) == ["text of page 1", PageFailed(2, reason), "text of page 3"]


def test_a_page_that_takes_too_long_is_named_and_the_others_go_on() -> None:
    worker = PageWorker("tests.store.broken_pages", "read_page", Limits(seconds=1))
    found = worker.read(FILE, [1, 2, 3], {2: "hangs"})
    worker.close()
    assert found == ["text of page 1", PageFailed(2, "took longer than 1 s"), "text of page 3"]


def test_a_worker_that_ended_while_nobody_asked_is_started_again(worker: PageWorker) -> None:
    others = multiprocessing.active_children()
    worker.read(FILE, [1], {})
    for child in set(multiprocessing.active_children()) - set(others):
        child.kill()
        child.join()
    assert worker.read(FILE, [2], {}) == ["text of page 2"]


def test_a_worker_that_is_closed_while_its_process_starts_says_so() -> None:
    others = set(multiprocessing.active_children())
    worker = PageWorker("tests.store.broken_pages", "read_page", Limits(seconds=60))
    found: list[object] = []
    reading = threading.Thread(target=lambda: found.extend(worker.read(FILE, [1], {})))
    reading.start()
    while set(multiprocessing.active_children()) <= others:
        time.sleep(0.001)
    worker.close()
    reading.join()
    [failed] = found
    assert isinstance(failed, PageFailed)
    assert "could not be started" in failed.reason
