from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.confusions import LOOK_ALIKE, TWO_FOR_ONE, confused, look_alike


@pytest.mark.parametrize(
    ("gold", "pred", "pieces"),
    [
        ("Corn oil", "Com oil", (("rn", "m"),)),
        ("modern", "rnodem", (("m", "rn"), ("rn", "m"))),
        ("BF-00123", "8F-OO1Z3", (("B", "8"), ("0", "O"), ("0", "O"), ("2", "Z"))),
        ("cloudy", "doudy", (("cl", "d"),)),
        ("same", "same", ()),
        ("100", "10", None),
        ("cat", "car", None),
        ("m", "r", None),
    ],
)
def test_texts_that_differ_in_look_alikes_alone_are_told_by_their_pieces(
    gold: str, pred: str, pieces: tuple[tuple[str, str], ...] | None
) -> None:
    assert confused(gold, pred) == pieces


def test_each_character_stands_in_one_set_and_none_begins_a_pair() -> None:
    letters = "".join(LOOK_ALIKE)
    assert len(set(letters)) == len(letters)
    assert not {text[0] for pair in TWO_FOR_ONE for text in pair} & set(letters)


@given(st.text("rnmcldvw0O1lI5S8Bx", max_size=12), st.text("rnmcldvw0O1lI5S8Bx", max_size=12))
def test_confusion_works_both_ways_and_its_pieces_make_one_text_the_other(gold: str, pred: str) -> None:
    there, back = confused(gold, pred), confused(pred, gold)
    assert (there is None) == (back is None)
    if there is not None:
        assert len(gold) + sum(len(read) - len(printed) for printed, read in there) == len(pred)


def test_a_character_does_not_look_like_itself() -> None:
    assert look_alike("1", "7")
    assert not look_alike("1", "1")
    assert not look_alike("x", "x")
