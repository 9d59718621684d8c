from __future__ import annotations

from decimal import Decimal

import pytest

from tests.scoring.typed import MASS, apart, value

# Units and scales


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("5 kg", "5"),
        ("5kg", "5"),
        ("500 g", "0.5"),
        ("2 t", "2000"),
        ("5 Kilo", "5"),
        ("-5 kg", "-5"),
        ("(5 kg)", "-5"),
    ],
)
def test_a_quantity_is_read_in_its_base_unit(text: str, number: str) -> None:
    found = value(text, "quantity", **MASS)
    assert (found.number, found.unit, found.flags) == (Decimal(number), "kg", ())


def test_the_factor_of_a_value_leads_back_to_what_is_printed() -> None:
    found = value("500 g", "quantity", **MASS)
    assert found.number is not None
    assert (found.factor, found.number / found.factor) == (Decimal("0.001"), 500)


def test_units_without_factors_are_names_and_convert_nothing() -> None:
    units = {"units": {"MPa": "MPa", "N/mm²": "MPa", "ksi": "ksi"}}
    assert apart("520 MPa", "520 N/mm²", "quantity", **units) == ()
    assert apart("520 MPa", "520 ksi", "quantity", **units) == ("unit",)
    assert apart("520 MPa", "52 ksi", "quantity", **units) == ("value", "unit")
    assert apart("520 MPa", "520", "quantity", **units) == ()


def test_the_declared_unit_is_that_of_a_number_without_one() -> None:
    assert value("5", "quantity", unit="kg").unit == value("5 kg", "quantity", unit="kg").unit == "kg"
    assert apart("5", "5 g", "quantity", unit="kg", units={"g": "g"}) == ("unit",)
    assert apart("5", "5000 g", "quantity", unit="kg", units={"g": "0.001"}) == ()
    assert value("5 kg", unit="kg").number == 5


@pytest.mark.parametrize("text", ["5 lb", "5 KG", "5 kgs", "kg", "5 kg kg", "5 kg g", "about 5 kg"])
def test_a_unit_that_is_not_declared_is_refused(text: str) -> None:
    assert not value(text, "quantity", **MASS).readable


def test_an_undeclared_unit_beside_a_number_is_told() -> None:
    assert value("5 lb", "quantity", **MASS).flags == ("unparseable", "unknown_unit")
    assert value("XYZ 5", "currency").flags == ("unparseable", "unknown_unit")
    assert value("l,234", "quantity", **MASS).flags == ("unparseable",)
    assert value("5 lb").flags == ("unparseable",)


def test_an_exponent_of_a_unit_is_no_footnote() -> None:
    assert not value("5 m²", "quantity", unit="m").readable
    assert value("5 m²", "quantity", units={"m²": 1}).unit == "m²"
    assert (value("5 m¹", "quantity", unit="m").number, value("5 m¹", "quantity", unit="m").footnote) == (5, "¹")
    assert value("5 m2", "quantity", units={"m2": "m²"}).unit == "m²"
    assert value("5²", "quantity", unit="m").footnote == "²"


def test_a_longer_word_goes_before_a_shorter_one() -> None:
    units = {"units": {"m": "m", "mm": "mm", "cm": "cm"}}
    assert [value(f"5 {unit}", "quantity", **units).unit for unit in ("m", "mm", "cm")] == ["m", "mm", "cm"]


def test_the_scale_of_a_column_multiplies_what_is_printed() -> None:
    assert value("1,234.5", scale=1000).number == 1_234_500
    assert value("(12)", scale=1000).number == -12_000
    assert value("€12", "currency", scale="1e6").number == 12_000_000
    assert value("2 g", "quantity", scale=1000, **MASS).number == 2


@pytest.mark.parametrize(
    ("text", "number"),
    [("1.2M", "1200000"), ("1.2 M", "1200000"), ("3k", "3000"), ("-3k", "-3000"), ("25 bps", "0.0025"), ("7", "7")],
)
def test_a_declared_scale_word_brings_its_factor(text: str, number: str) -> None:
    words = {"k": 1000, "M": 1_000_000, "bps": "0.0001"}
    assert value(text, scale_words=words).number == Decimal(number)


def test_a_printed_scale_word_takes_the_place_of_the_scale() -> None:
    assert value("1.2M", scale=1000, scale_words={"M": 1_000_000}).number == 1_200_000


def test_a_scale_word_stands_behind_the_number_with_the_currency_on_either_side() -> None:
    words = {"k": 1000, "Mio.": 1_000_000}
    texts = ("€1.2 Mio.", "1.2 Mio. €", "1.2Mio.€", "EUR 1.2 Mio.", "1,200 kEUR", "1,200k €")
    found = [value(text, "currency", scale_words=words) for text in texts]
    assert [(each.number, each.unit) for each in found] == [(1_200_000, "EUR")] * len(texts)


@pytest.mark.parametrize("text", ["k5", "M 1.2", "1.2kM", "1.2 K", "k"])
def test_what_looks_like_a_code_is_not_scaled(text: str) -> None:
    assert not value(text, scale_words={"k": 1000, "M": 1_000_000}).readable


def test_a_percentage_is_a_ratio_only_where_the_column_says_so() -> None:
    assert (value("5 %", "percent").number, value("5 %", "percent").unit) == (5, "%")
    assert (value("5 %", "percent", ratio=True).number, value("5 %", "percent", ratio=True).unit) == (
        Decimal("0.05"),
        "",
    )
    assert apart("5 %", "0.05", "percent", ratio=True) == ()
    assert apart("5 %", "0.05", "percent") == ("value",)
    assert apart("5 %", "500 bps", "percent", ratio=True, scale_words={"bps": "0.0001"}) == ()


# Currencies


def test_amount_and_currency_are_told_apart() -> None:
    assert apart("5 EUR", "5 GBP", "currency") == ("unit",)
    assert apart("5 EUR", "6 EUR", "currency") == ("value",)
    assert apart("5 EUR", "6 GBP", "currency") == ("value", "unit")
    assert apart("5 EUR", "€5.00", "currency") == ()


def test_a_shared_sign_equals_only_itself_unless_the_column_fixes_it() -> None:
    assert apart("$5", "5 USD", "currency", locale="en_GB") == ("unit",)
    assert apart("$5", "$5.00", "currency", locale="en_GB") == ()
    assert apart("$5", "5 USD", "currency", locale="en_GB", currency="USD") == ()
    assert apart("$5", "5 AUD", "currency", locale="en_US", currency="AUD") == ()
    assert apart("5 kr", "5 NOK", "currency", locale="en", currency="NOK") == ()
    assert apart("¥5", "5 CNY", "currency", locale="en", currency="CNY") == ()


def test_a_currency_that_does_not_share_a_sign_leaves_it_alone() -> None:
    assert value("$5", "currency", locale="en_GB", currency="EUR").unit == "$"
    assert value("¥5", "currency", locale="ja_JP", currency="USD").unit == "JPY"


def test_an_absent_sign_goes_with_any_unless_the_column_fixes_the_currency() -> None:
    assert apart("5", "£5", "currency") == apart("5", "€5", "currency") == ()
    assert apart("5", "€5", "currency", currency="EUR") == ()
    assert apart("5", "£5", "currency", currency="EUR") == ("unit",)


def test_a_currency_column_may_declare_more_words() -> None:
    found = value("5 Dirham", "currency", units={"Dirham": "AED"})
    assert (found.number, found.unit) == (5, "AED")
    assert value("€5", "currency", units={"Dirham": "AED"}).unit == "EUR"


@pytest.mark.parametrize(("text", "unit"), [("US$ 5", "USD"), ("A$5", "AUD"), ("R$ 5", "BRL"), ("$.50", "USD")])
def test_a_sign_in_letters_is_its_currency_everywhere(text: str, unit: str) -> None:
    assert value(text, "currency").unit == unit
