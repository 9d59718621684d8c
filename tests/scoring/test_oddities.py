from __future__ import annotations

import pytest

from scoring.confidence.oddities import oddities, pattern
from scoring.schema import Column

IDS = [f"BF-{number:05}" for number in range(1000, 1030)]


def kinds(texts: list[str], column: Column | None = None) -> list[tuple[str, ...]]:
    return [tuple(oddity.kind for oddity in found) for found in oddities([texts], column)[0]]


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("120.00", "9.99"),
        ("-3.25", "-9.99"),
        ("1,150.00", "9.99"),
        ("1.150,00", "9,99"),
        ("12,5", "9,9"),
        ("BF-02058", "A-99999"),
        ("  two\n words ", "A A"),
        ("30 Sep", "9 A"),
        ("٣٫٥", "9٫9"),
        ("", ""),
    ],
)
def test_the_pattern_of_a_text(text: str, form: str) -> None:
    assert pattern(text) == form


def test_letters_in_the_place_of_digits_are_told_with_what_they_would_read() -> None:
    (found,) = oddities([[*IDS, "BF-O2O58"]])
    assert [oddity.kind for oddity in found[-1]] == ["look-alike", "pattern"]
    assert "BF-02058" in found[-1][0].reason
    assert not any(found[:-1])


def test_a_value_that_cannot_be_read_but_for_a_look_alike_is_told_even_alone() -> None:
    assert kinds(["O.40"], Column("price", type="number")) == [("look-alike",)]
    assert kinds(["n.v."], Column("price", type="number")) == [()]


def test_few_values_call_nothing_rare() -> None:
    assert kinds(["BF-00417", "xy", "#"]) == [(), (), ()]


def test_a_column_of_free_text_has_no_rare_pattern() -> None:
    texts = ["red, green", "two words", "3 pc (new)", "a-b", "x/y 4", "one", "A 1", "2 b", "c", "d.", "e f g", "h 5, i"]
    assert all("pattern" not in found for found in kinds(texts))


def test_a_strange_character_or_script_and_a_far_length_are_told() -> None:
    words = [
        "bolt",
        "nut",
        "pin",
        "ring",
        "gear",
        "seal",
        "stud",
        "shim",
        "plug",
        "knob",
        "hook",
        "clip",
        "lock",
        "hasp",
    ]
    found = kinds([*words, "b�lt", "гайка", "a very long description of a screw"])
    assert "characters" in found[-3]
    assert "characters" in found[-2]
    assert "length" in found[-1]


def test_the_same_as_the_row_above_is_odd_only_where_rows_differ() -> None:
    assert kinds(["1", "2", "2", "3", "4", "5"])[2] == ("repeat",)
    assert kinds(["pc", "pc", "pc", "box"]) == [(), (), (), ()]
    across = oddities([["1", "2", "3", "4", "5"], ["5", "6", "7", "8", "9"]])
    assert not any(across[1])  # another table begins anew


def test_accounting_signs_and_thousands_are_not_odd() -> None:
    prices = [f"{number}.50" for number in range(30)]
    assert kinds([*prices, "1,150.00", "(3.25)"])[-2] == ()
