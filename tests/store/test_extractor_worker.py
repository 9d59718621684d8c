from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from store.extractors import Answer, ExtractorError, Job, NoAnswer
from store.extractors.worker import in_worker
from store.pages import PageSize

PAGES = [PageSize(number, 595, 842) for number in (1, 2, 3)]
MODULE = "tests.store.broken_engines"


@contextmanager
def none_left_behind() -> Iterator[None]:
    """Fails where a process that was started inside is alive after it; those of other tests may be."""
    others = multiprocessing.active_children()
    yield
    assert set(multiprocessing.active_children()) <= set(others)


def answer(how: str, *, seconds: float = 60, memory_mb: int = 0) -> Answer:
    job = Job(Path("none.pdf"), "none.pdf", "application/pdf", PAGES, {"how": how})
    return in_worker(MODULE, job, seconds_per_page=seconds, memory_mb=memory_mb)


def test_a_worker_hands_back_the_answer_of_the_extractor() -> None:
    assert answer("works") == Answer(b'[{"item": "bolt"}]', "json-records", ".json")


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ("dies", "broke down on page 2: ended by SIGKILL, perhaps for want of memory"),
        ("exits", "broke down on page 2: exit status 3"),
        ("gives up", "page 2 is upside down"),
    ],
)
def test_a_worker_that_ends_on_a_page_is_a_failure_that_names_it(how: str, reason: str) -> None:
    with none_left_behind(), pytest.raises(NoAnswer, match=reason):
        answer(how)


def test_a_page_that_takes_too_long_is_stopped_and_named() -> None:
    with none_left_behind(), pytest.raises(NoAnswer, match=r"page 2 took longer than 0\.2 s"):
        answer("hangs", seconds=0.2)


def test_a_worker_that_needs_more_memory_than_allowed_is_a_failure() -> None:
    with pytest.raises(NoAnswer, match="more than 2000 MB of memory were needed"):
        answer("eats", memory_mb=2000)


def test_a_worker_says_that_its_engine_is_not_installed() -> None:
    with pytest.raises(ExtractorError, match="the engine is not installed"):
        answer("is not installed")
