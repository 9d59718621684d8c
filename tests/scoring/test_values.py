from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from babel.numbers import format_decimal
from hypothesis import given
from hypothesis import strategies as st

from scoring import Column, Value, read
from scoring.values.locales import written
from scoring.values.reader import is_null, same


def column(kind: str, locale: str = "en", **more: Any) -> Column:
    return Column("x", type=kind, locale=locale, **more)  # type: ignore[arg-type]


def number(text: str, kind: str = "number", locale: str = "en") -> Decimal | None:
    return read(text, column(kind, locale)).number


@pytest.mark.parametrize(
    ("text", "locale", "expected"),
    [
        ("1,234", "en", "1234"),
        ("1,234", "de_DE", "1.234"),
        ("1.234,56", "de_DE", "1234.56"),
        ("1\u00a0234,56", "fr_FR", "1234.56"),
        ("1\u202f234,56", "fr_FR", "1234.56"),
        ("1 234,56", "fr_FR", "1234.56"),
        ("1’234.56", "de_CH", "1234.56"),
        ("1'234.56", "de_CH", "1234.56"),
        ("12,34,567.89", "en_IN", "1234567.89"),
        ("1,234,567.89", "en_IN", "1234567.89"),
        ("١٬٢٣٤٫٥٦", "ar_EG", "1234.56"),
        ("١٢٫٥", "de_DE", "12.5"),
        ("१,२३४", "hi_IN", "1234"),
        ("１，２３４．５６", "ja_JP", "1234.56"),
        ("12\u00ad345", "en", "12345"),
        (".5", "en", "0.5"),
        ("007", "en", "7"),
        ("16.620", "en", "16.62"),
        ("-0", "en", "0"),
    ],
)
def test_a_number_is_read_by_the_signs_of_its_locale(text: str, locale: str, expected: str) -> None:
    assert number(text, locale=locale) == Decimal(expected)


@pytest.mark.parametrize("text", ["-1,234", "−1,234", "- 1,234", "1,234-", "(1,234)", "( 1,234 )", "–1,234"])
def test_each_way_to_write_a_minus_is_read(text: str) -> None:
    assert number(text) == Decimal(-1234)


def test_a_triangle_is_a_minus_in_japanese_alone() -> None:
    assert number("▲8,840", locale="ja_JP") == number("△8,840", locale="ja_JP") == Decimal(-8840)
    assert number("▲8,840", locale="en") is None
    assert number("▲¥8,840", "currency", "ja_JP") == number("¥▲8,840", "currency", "ja_JP") == Decimal(-8840)


@pytest.mark.parametrize(
    "text",
    [
        "0,001",
        "1,23.4",
        "1,2345",
        "12,34,567",
        "1 234,567",
        "1,234 567",
        "1  234",
        "l,234",
        "O",
        "--5",
        "-(5)",
        "(5",
        "5)",
        "5.",
        "1.2.3",
        "nan",
        "Infinity",
        "1e5",
        "1_000",
        "½",
        "①",
        "5 %",
        "£5",
        "1.2M",
        "ca. 520",
        "520 MPa",
        "¹",
        "9" * 200,
    ],
)
def test_what_is_not_surely_a_number_is_refused_and_not_guessed(text: str) -> None:
    value = read(text, column("number"))
    assert (value.kind, value.number, value.readable) == ("text", None, False)
    assert value.flags == ("unparseable",)


@pytest.mark.parametrize("text", ["1,234¹", "1,234*", "1,234 (a)", "1,234[2]", "1,234 †", "1,234²³"])
def test_a_footnote_mark_is_passed_over_and_flagged(text: str) -> None:
    value = read(text, column("number"))
    assert (value.number, value.flags) == (Decimal(1234), ("footnote",))


@pytest.mark.parametrize(
    ("text", "locale", "expected", "unit"),
    [
        ("£1,284.50", "en_GB", "1284.50", "GBP"),
        ("-£5", "en_GB", "-5", "GBP"),
        ("£-5", "en_GB", "-5", "GBP"),
        ("(£5)", "en_GB", "-5", "GBP"),
        ("5,00 €", "de_DE", "5", "EUR"),
        ("EUR 5,00", "de_DE", "5", "EUR"),
        ("5 €", "de_CH", "5", "EUR"),
        ("$5", "en_US", "5", "USD"),
        ("$5", "en_CA", "5", "CAD"),
        ("$5", "en_GB", "5", "$"),
        ("250 kr", "sv_SE", "250", "SEK"),
        ("￥1,200", "ja_JP", "1200", "JPY"),
        ("1,200円", "ja_JP", "1200", "JPY"),
        ("٢٥٫٠٠ ج.م.", "ar_EG", "25", "EGP"),
        ("1,200", "en", "1200", ""),
    ],
)
def test_the_currency_is_cut_off_and_kept_apart(text: str, locale: str, expected: str, unit: str) -> None:
    value = read(text, column("currency", locale))
    assert (value.number, value.unit) == (Decimal(expected), unit)


@pytest.mark.parametrize("text", ["5 %", "5%", "%5", "٥٪"])
def test_a_percentage_keeps_its_printed_value(text: str) -> None:
    value = read(text, column("percent", "ar"))
    assert (value.number, value.unit) == (Decimal(5), "%")


def test_an_integer_may_be_written_with_an_empty_fraction_and_no_other() -> None:
    assert number("1,200.00", "integer") == 1200
    assert number("1,200.50", "integer") is None


@pytest.mark.parametrize(
    ("text", "locale", "patterns", "expected"),
    [
        ("2024-10-14", "en", (), "2024-10-14"),
        ("14 October 2024", "en_GB", ("%d %B %Y",), "2024-10-14"),
        ("14 OCTOBER  2024", "en_GB", ("%d %B %Y",), "2024-10-14"),
        ("5 Sep", "en_GB", ("%d %b",), "--09-05"),
        ("5 Sept.", "en_GB", ("%d %b",), "--09-05"),
        ("29 Feb", "en_GB", ("%d %b",), "--02-29"),
        ("3. März 2024", "de_DE", ("%d. %B %Y",), "2024-03-03"),
        ("03.04.24", "de_DE", ("%d.%m.%y",), "2024-04-03"),
        ("03.04.69", "de_DE", ("%d.%m.%y",), "1969-04-03"),
        ("03.04.68", "de_DE", ("%d.%m.%y",), "2068-04-03"),
        ("10/2024", "en", ("%m/%Y",), "2024-10"),
        ("2024年10月4日", "ja_JP", ("%Y年%m月%d日",), "2024-10-04"),
        ("٢٠٢٤/١٠/٠٤", "ar_EG", ("%Y/%m/%d",), "2024-10-04"),
        ("Mon, 14 Oct 2024", "en_GB", ("%a, %d %b %Y",), "2024-10-14"),
    ],
)
def test_a_date_is_read_by_its_declared_patterns(
    text: str, locale: str, patterns: tuple[str, ...], expected: str
) -> None:
    value = read(text, column("date", locale, date_patterns=patterns))
    assert (value.kind, value.value, value.flags) == ("date", expected, ())


@pytest.mark.parametrize("text", ["04/13/2024", "31/02/2024", "2024-04-03", "3 April 2024", "1,234", "0/1/2024"])
def test_a_date_in_another_order_is_refused_and_not_swapped(text: str) -> None:
    value = read(text, column("date", date_patterns=("%d/%m/%Y",)))
    assert (value.kind, value.flags) == ("text", ("unparseable",))


def test_a_date_that_fits_two_patterns_takes_the_first_and_says_so() -> None:
    value = read("03/04/2024", column("date", date_patterns=("%d/%m/%Y", "%m/%d/%Y")))
    assert value.value == "2024-04-03"
    assert value.flags == ("ambiguous",)
    assert read("13/04/2024", column("date", date_patterns=("%d/%m/%Y", "%m/%d/%Y"))).flags == ()


def test_leading_zeros_of_an_id_count_unless_declared_otherwise() -> None:
    assert not same(read("007", column("id")), read("7", column("id")), column("id"))
    loose = column("id", keep_leading_zeros=False)
    assert same(read("007", loose), read("7", loose), loose)
    assert read("000", loose).value == "0"


def test_null_words_are_absent_values_and_zero_is_not() -> None:
    assert all(is_null(text, column("number")) for text in ("", "  ", "\u200b", "-", "–", "—", "N/A"))
    assert not is_null("0", column("number"))
    assert is_null("السعر عند الطلب", column("currency", null_words=("السعر عند الطلب",)))
    assert not is_null("-", column("currency", null_words=()))


@pytest.mark.parametrize(
    ("gold", "pred", "kind", "locale"),
    [
        ("1.284,50", "1284,5", "number", "de_DE"),
        ("£5.00", "5", "currency", "en_GB"),
        ("5 %", "5", "percent", "en"),
        ("(5)", "-5.0", "number", "en"),
        ("-", "", "number", "en"),
        ("two  words", "two words", "text", "en"),
    ],
)
def test_values_that_differ_in_writing_alone_are_the_same(gold: str, pred: str, kind: str, locale: str) -> None:
    rule = column(kind, locale)
    assert same(read(gold, rule), read(pred, rule), rule)


@pytest.mark.parametrize(
    ("gold", "pred", "kind"),
    [
        ("£5", "€5", "currency"),
        ("5", "-5", "number"),
        ("0.001", "0.01", "number"),
        ("5", "S", "number"),
        ("a", "A", "text"),
        ("0", "", "number"),
        ("1,00", "1.00", "number"),
    ],
)
def test_values_that_differ_in_meaning_are_not_the_same(gold: str, pred: str, kind: str) -> None:
    rule = column(kind)
    assert not same(read(gold, rule), read(pred, rule), rule)


def test_what_does_not_parse_is_compared_as_text() -> None:
    rule = column("number")
    assert same(read("ca. 520", rule), read("ca.  520", rule), rule)
    assert not same(read("ca. 520", rule), read("520", rule), rule)


def test_the_tolerance_is_the_largest_difference_of_equal_numbers() -> None:
    rule = column("number", tolerance=Decimal("0.05"))
    assert same(read("1.00", rule), read("1.05", rule), rule)
    assert not same(read("1.00", rule), read("1.06", rule), rule)


def test_an_exact_column_is_compared_verbatim() -> None:
    rule = column("number", normalise="exact")
    assert not same(read("1.0", rule), read("1.00", rule), rule)
    assert same(read("1.0", rule), read("1.0", rule), rule)
    assert same(read("", rule), read("-", rule), rule)


@given(
    st.decimals(min_value=-(10**12), max_value=10**12, places=2),
    st.sampled_from(["en", "de_DE", "fr_FR", "en_IN", "sv_SE", "pl", "pt_BR"]),
)
def test_every_number_that_the_locale_writes_is_read_back(amount: Decimal, locale: str) -> None:
    assert number(format_decimal(amount, format="#,##0.00", locale=locale), locale=locale) == amount


@given(
    st.decimals(min_value=-(10**12), max_value=10**12, places=3),
    st.sampled_from(["en", "de_DE", "fr_FR", "de_CH", "en_IN", "sv_SE", "ar_EG"]),
)
def test_every_number_that_a_message_writes_is_read_back(amount: Decimal, locale: str) -> None:
    assert number(written(amount, locale), locale=locale) == amount


@pytest.mark.parametrize(
    ("amount", "locale", "places", "text"),
    [
        ("1284.5", "en_GB", 2, "1,284.50"),
        ("1284.5", "de_DE", 2, "1.284,50"),
        ("1000000000", "de_CH", 0, "1’000’000’000"),
        ("2.50000", "en", 1, "2.5"),
        ("-1200", "en", 0, "-1,200"),
    ],
)
def test_a_number_is_written_in_groups_with_at_least_so_many_decimals(
    amount: str, locale: str, places: int, text: str
) -> None:
    assert written(Decimal(amount), locale, places=places).replace("'", "’") == text


@given(st.text(max_size=30), st.sampled_from(["text", "integer", "number", "currency", "percent", "date", "id"]))
def test_reading_never_raises_and_a_value_equals_itself(text: str, kind: str) -> None:
    rule = column(kind, date_patterns=("%d %b %Y", "%d.%m.%y")) if kind == "date" else column(kind)
    value = read(text, rule)
    assert isinstance(value, Value)
    assert same(value, value, rule)
    assert value.readable or value.kind == "text"
