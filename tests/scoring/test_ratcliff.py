from __future__ import annotations

from difflib import SequenceMatcher

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.metrics import kernels, ratcliff
from scoring.metrics.ratcliff import similarities
from scoring.reading.html_grid import TooLargeError

SHORT = st.text("ab", max_size=12)
LONG = st.builds(str.__mul__, st.text("abcdefgh é𝟙", min_size=1, max_size=40), st.integers(1, 12))
AROUND_A_WORD = st.text("abc ", min_size=58, max_size=68)


def difflib(gold: list[str], pred: list[str]) -> list[list[float]]:
    return [[SequenceMatcher(None, one, other).ratio() for other in pred] for one in gold]


@pytest.fixture(params=["compiled", "plain"])
def loops(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "compiled":
        pytest.importorskip("numba", reason="numba is not installed: only the plain loops are there")
    else:
        monkeypatch.setattr(kernels, "_compiler", lambda: None)


@pytest.mark.usefixtures("loops")
def test_similarities_are_those_of_difflib() -> None:
    @settings(max_examples=150)
    @given(*[st.lists(st.one_of(SHORT, LONG, AROUND_A_WORD), min_size=1, max_size=4)] * 2)
    def compare(gold: list[str], pred: list[str]) -> None:
        assert similarities(gold, pred).tolist() == difflib(gold, pred)

    compare()


@pytest.mark.usefixtures("loops")
def test_texts_with_a_few_misread_characters_are_as_similar_as_difflib_finds_them() -> None:
    chance = np.random.default_rng(5)
    gold = ["".join(chance.choice(list("etaoin shrdlu"), size)) for size in (5, 40, 62, 63, 150, 199, 200, 420)]
    pred = ["".join(letter if chance.random() < 0.9 else "#" for letter in text) for text in gold]
    assert similarities(gold, pred).tolist() == difflib(gold, pred)


@pytest.mark.usefixtures("loops")
def test_no_text_is_similar_to_nothing_but_no_text() -> None:
    assert similarities(["", "a"], ["", "a"]).tolist() == [[1, 0], [0, 1]]


def test_texts_that_repeat_themselves_for_too_long_are_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba", reason="numba is not installed: only the plain loops are there")
    monkeypatch.setattr(ratcliff, "_MOST_STEPS", 1000)
    with pytest.raises(TooLargeError, match="repeat themselves so much"):
        similarities(["ab" * 90], ["ba" * 90])
