from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.corruptions import CORRUPTIONS, Corruption, corrupted


@pytest.mark.parametrize(
    ("text", "kind", "made"),
    [
        ("-12.50", "sign", "12.50"),
        ("\u2212 3", "sign", "3"),
        ("(1,204)", "sign", "1,204"),
        ("12.50", "sign", None),
        ("2024-10-05", "sign", None),
        ("1.50", "separator", "150"),
        ("1,500", "separator", "1.500"),
        ("bolt", "separator", None),
        ("bolt", "digit", None),
        ("2", "digit", "7"),
    ],
)
def test_an_error_is_what_a_reader_might_do(text: str, kind: Corruption, made: str | None) -> None:
    assert corrupted(text, kind, 1) == made


@given(
    st.text(st.sampled_from("0123456789.,-()\u2212 \u00a0abEUR"), max_size=12),
    st.sampled_from(CORRUPTIONS),
    st.integers(),
)
def test_an_error_is_always_another_value_of_nearly_the_same_length(text: str, kind: Corruption, seed: int) -> None:
    made = corrupted(text, kind, seed)
    assert made == corrupted(text, kind, seed)
    if made is not None:
        assert made.strip()
        assert "".join(made.split()) != "".join(text.split())
        assert abs(len(made) - len(text)) <= 2


@given(st.from_regex(r"\A-?[1-9]\d{0,2}(,\d{3})?\.\d\d\Z"), st.integers(0, 1000))
def test_every_amount_has_a_place_for_a_wrong_digit_and_a_moved_separator(text: str, seed: int) -> None:
    assert corrupted(text, "digit", seed) is not None
    assert corrupted(text, "separator", seed) is not None
