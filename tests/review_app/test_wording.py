from __future__ import annotations

import pytest

from review_app.wording import count, duration, literal


@pytest.mark.parametrize(
    ("milliseconds", "shown"),
    [
        (None, "n/a"),
        (0, "0 s"),
        (499, "0 s"),
        (48_000, "48 s"),
        (59_600, "1 min 00 s"),
        (200_000, "3 min 20 s"),
        (3_599_400, "59 min 59 s"),
        (3_900_000, "1 h 05 min"),
    ],
)
def test_a_duration_is_read_as_people_say_it(milliseconds: float | None, shown: str) -> None:
    assert duration(milliseconds) == shown


@pytest.mark.parametrize(
    ("shown", "wanted"),
    [
        (count(0, "table"), "0 tables"),
        (count(1, "table"), "1 table"),
        (count(1200, "table"), "1,200 tables"),
        (count(2, "query", "queries"), "2 queries"),
    ],
)
def test_a_count_comes_with_its_word(shown: str, wanted: str) -> None:
    assert shown == wanted


def test_an_address_in_a_text_becomes_no_link() -> None:
    assert literal("see http://a.example and WWW.b.example") == ("see http\\://\u2060a.example and WWW.\u2060b.example")
