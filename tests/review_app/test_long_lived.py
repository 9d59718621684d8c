from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from review_app.long_lived import LaidAside

NEVER_S, ALWAYS_S = 1e9, 0.0


class Session:
    """Something that refers to itself, as sessions do: only a collection finds that it is gone."""

    def __init__(self) -> None:
        self.own = self


@pytest.fixture(autouse=True)
def collector() -> Iterator[None]:
    before = list(gc.callbacks)
    yield
    gc.callbacks[:] = before
    gc.unfreeze()
    gc.collect()


def test_what_a_slow_collection_left_is_not_looked_at_again() -> None:
    gc.callbacks.append(LaidAside(slow_s=ALWAYS_S))
    kept = [[number] for number in range(1000)]
    gc.collect()
    assert not {id(kept), id(kept[0])} & {id(each) for each in gc.get_objects()}


def test_a_quick_collection_lays_nothing_aside() -> None:
    gc.callbacks.append(LaidAside(slow_s=NEVER_S))
    before = gc.get_freeze_count()
    gc.collect()
    assert gc.get_freeze_count() == before


def test_young_objects_are_never_laid_aside() -> None:
    gc.callbacks.append(LaidAside(slow_s=ALWAYS_S))
    before = gc.get_freeze_count()
    gc.collect(0)
    gc.collect(1)
    assert gc.get_freeze_count() == before


def test_a_session_that_was_laid_aside_is_found_once_it_is_gone() -> None:
    session = Session()
    gone = weakref.ref(session)
    gc.collect()
    gc.freeze()
    del session
    gc.callbacks.append(LaidAside(slow_s=NEVER_S, looked_at_again=3))
    gc.collect()
    gc.collect()
    assert gone() is not None
    gc.collect()
    gc.collect()
    assert gone() is None
