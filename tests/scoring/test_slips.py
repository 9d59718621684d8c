from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import Column, read
from scoring.arithmetic.slips import corrected, places_of, slip_between, slips_near, slips_of

AMOUNT = Column("amount", type="currency")


@given(st.integers(-10_000_000, 10_000_000), st.integers(0, 2))
def test_every_slip_that_can_be_made_is_found_from_the_number_it_leads_to(units: int, places: int) -> None:
    value = read(f"{Decimal(units).scaleb(-places):,.{places}f}", AMOUNT)
    for slip in slips_of(value, AMOUNT, any_digit=True):
        met = range(8) if slip.kind == "point_moved" else ()
        near = [
            found
            for found in slips_near(value, AMOUNT, slip.number, Decimal(0), decimals_met=met)
            if found.number == slip.number
        ]
        assert near, (value.text, slip)


@given(st.integers(1, 1_000_000), st.integers(1, 1_000_000))
def test_a_number_that_is_found_is_one_slip_away(units: int, wanted: int) -> None:
    value = read(f"{units / 100:,.2f}", AMOUNT)
    within = Decimal(wanted) / 100
    every = {slip.number for slip in slips_of(value, AMOUNT, any_digit=True)}
    for slip in slips_near(value, AMOUNT, within, Decimal("0.05"), decimals_met=()):
        assert abs(slip.number - within) <= Decimal("0.05")
        assert slip.number in every


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("12345", "12845", ("digit_replaced", "3", "8")),
        ("12345", "13245", ("digits_transposed", "23", "32")),
        ("12345", "1345", ("digit_added", "2", "")),
        ("12345", "123945", ("digit_dropped", "", "9")),
        ("12345", "14325", None),
        ("12345", "12345", None),
        ("12345", "1245678", None),
    ],
)
def test_a_slip_is_named_by_the_digits_read_and_printed(old: str, new: str, told: tuple[str, str, str] | None) -> None:
    assert slip_between(old, new, 2, 2) == told


def test_a_digit_lost_behind_the_point_is_found_where_such_numbers_are_met() -> None:
    value = read("88.1", AMOUNT)
    assert list(slips_near(value, AMOUNT, Decimal("88.12"), Decimal(0), decimals_met=())) == []
    (slip,) = slips_near(value, AMOUNT, Decimal("88.12"), Decimal(0), decimals_met=(2,))
    assert (slip.kind, corrected("€ 88.1", slip, value, AMOUNT)) == ("digit_dropped", "€ 88.12")


def test_a_scaled_number_slips_in_its_printed_digits() -> None:
    thousands = Column("sales", type="number", scale=Decimal(1000))
    value = read("1,234.5", thousands)
    assert (value.number, places_of(value)) == (Decimal("1234500"), 1)
    (slip,) = slips_near(value, thousands, Decimal("1284500"), Decimal(0), decimals_met=())
    assert corrected("1,234.5", slip, value, thousands) == "1,284.5"


def test_a_text_without_a_number_has_no_slips() -> None:
    for text in ("", "n/a", "twelve"):
        assert list(slips_of(read(text, AMOUNT), AMOUNT, any_digit=True)) == []
        assert list(slips_near(read(text, AMOUNT), AMOUNT, Decimal(1), Decimal(9), decimals_met=())) == []
