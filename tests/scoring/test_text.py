from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import similarity
from scoring.text import PROFILES, exact, fold, plain_marks, visible, western_digits, whitespace
from tests.scoring import reference


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("Haus", "Maus", 0.75),
        ("456", "4B6", 2 / 3),
        ("456", "123", 0.0),
        # One edit among five characters: a distance of 0.2, not the 0.25 that dividing by four gives.
        ("0,001", "0,01", 0.8),
        ("", "", 1.0),
        ("", "x", 0.0),
    ],
)
def test_similarity_is_one_minus_edits_per_longest_length(one: str, other: str, expected: float) -> None:
    assert similarity(one, other) == pytest.approx(expected)


@given(st.text(max_size=12), st.text(max_size=12))
def test_similarity_agrees_with_the_textbook(one: str, other: str) -> None:
    assert similarity(one, other) == pytest.approx(reference.similarity(one, other))


def test_invisible_characters_and_composition_do_not_count() -> None:
    assert visible("12\u00ad345\u200b") == "12345"
    assert visible("Zu\u0308rich") == "Zürich"
    assert visible("\u200f٣٤\u200e") == "٣٤"


def test_ligatures_and_superscripts_stay() -> None:
    assert visible("ﬁn 1,234¹") == "ﬁn 1,234¹"
    assert plain_marks("1,234¹ ½") == "1,234¹ ½"


def test_white_space_of_any_kind_is_one_space() -> None:
    assert whitespace("  a\u00a0\n\tb\u3000c ") == "a b c"


def test_names_fold_case_space_and_underscores() -> None:
    assert fold(" Unit_Price ") == fold("UNIT  price") == "unit price"
    assert fold("STRASSE") == fold("Straße")


def test_digits_of_every_script_become_western() -> None:
    assert western_digits("٠١٢ ۳۴ ५६ ７８ ¹²") == "012 34 56 78 ¹²"


def test_dashes_apostrophes_and_full_width_forms_become_plain() -> None:
    assert plain_marks("−５ ’（３）") == "-5 '(3)"


@given(st.text(max_size=20))
def test_every_profile_changes_nothing_more_the_second_time(text: str) -> None:
    for profile in PROFILES.values():
        assert profile(profile(text)) == profile(text)


@given(st.text(max_size=20))
def test_exact_is_the_text_itself(text: str) -> None:
    assert exact(text) is text
