"""Texts that number and date libraries are known to misread, each with the value that a reader sees."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from scoring import Column, Value, read


def value(text: str, kind: str = "number", **more: Any) -> Value:
    return read(text, Column.from_json({"name": "x", "type": kind, **more}))


@pytest.mark.parametrize("text", ["-1,234", "(1,234)", "1,234-", "\u22121,234"])
def test_no_sign_is_lost(text: str) -> None:
    assert value(text).number == -1234


@pytest.mark.parametrize(
    ("text", "locale", "number"),
    [
        ("1,234", "de_DE", "1.234"),
        ("1.234,56", "de_DE", "1234.56"),
        ("1\u00a0234,56", "fr_FR", "1234.56"),
        ("1\u202f234,56", "fr_FR", "1234.56"),
        ("1 234,56", "fr_FR", "1234.56"),
        ("1\u2009234,56", "fr_FR", "1234.56"),
        ("1\u2019234.56", "de_CH", "1234.56"),
        ("12,34,567.89", "en_IN", "1234567.89"),
        ("\u0661\u066c\u0662\u0663\u0664\u066b\u0665\u0666", "ar_EG", "1234.56"),
        ("\u0661\u066c\u0662\u0663\u0664\u066b\u0665\u0666", "en", "1234.56"),
        ("\u06f1\u066c\u06f2\u06f3\u06f4\u066b\u06f5\u06f6", "fa_IR", "1234.56"),
        ("１，２３４．５６", "ja_JP", "1234.56"),
        ("１,２３４.５６", "en", "1234.56"),
        ("12\u00ad345", "en", "12345"),
        ("12\u200b345", "en", "12345"),
        ("\u200f\u202b1,234\u202c", "en", "1234"),
        ("-0", "en", "0"),
        ("-0.00", "en", "0"),
    ],
)
def test_groups_decimals_and_digits_are_those_of_the_locale(text: str, locale: str, number: str) -> None:
    assert value(text, locale=locale).number == Decimal(number)


def test_no_zero_is_negative() -> None:
    for text in ("-0", "(0.00)", "0-", "0 CR"):
        number = value(text, credit="negative").number
        assert number is not None
        assert not number.is_signed()


@pytest.mark.parametrize(
    ("text", "locale"),
    [
        ("12,34,567.89", "en_US"),
        ("0,001", "en"),
        ("1,23.4", "en"),
        ("1\u2019234.56", "de_DE"),
        ("l,234", "en"),
        ("nan", "en"),
        ("NaN", "en"),
        ("Infinity", "en"),
        ("-inf", "en"),
        ("1_000", "en"),
        ("1e5", "en"),
        ("1E+3", "en"),
        ("0x1F", "en"),
        ("½", "en"),
        ("1⁄2", "en"),
        ("¹", "en"),
        ("Ⅻ", "en"),
        ("十二", "ja_JP"),
        ("1,234 and more", "en"),
        ("about 1,234", "en"),
    ],
)
def test_what_is_no_number_of_the_locale_is_refused(text: str, locale: str) -> None:
    found = value(text, locale=locale)
    assert (found.number, found.readable, found.text) == (None, False, text)


@pytest.mark.parametrize(
    ("text", "mark"),
    [("1,234¹", "¹"), ("1,234*", "*"), ("1,234 (a)", "(a)"), ("1,234[2]", "[2]"), ("1,234²³", "²³"), ("1,234 †", "†")],
)
def test_a_footnote_is_no_digit_of_the_number_and_is_kept(text: str, mark: str) -> None:
    found = value(text)
    assert (found.number, found.footnote, found.flags) == (1234, mark, ("footnote",))


def test_basis_points_and_millions_are_what_the_column_declares() -> None:
    words = {"bps": "0.0001", "M": 1_000_000}
    assert value("25 bps", scale_words=words).number == Decimal("0.0025")
    assert value("1.2M", scale_words=words).number == 1_200_000
    assert value("25 bps").number is value("1.2M").number is None


@pytest.mark.parametrize(
    "text",
    [
        "2024-04-03",
        "20240403",
        "04/13/2024",
        "1,234",
        "n/a",
        "Q1 2024",
        "A-12",
        "today",
        "令和6年4月3日",
        "3/4",
        "31/04/2024",
    ],
)
def test_a_day_first_column_reads_nothing_but_day_first_dates(text: str) -> None:
    found = value(text, "date", date_patterns=["%d/%m/%Y"])
    assert found.kind == ("null" if text == "n/a" else "text")


def test_an_iso_date_is_never_read_day_first() -> None:
    patterns = ["%d/%m/%Y", "%d-%m-%Y", "%Y-%m-%d"]
    assert value("2024-04-03", "date", date_patterns=patterns).value == "2024-04-03"


def test_eras_buddhist_years_and_arabic_digits_are_read_by_the_declared_calendar() -> None:
    assert value("令和6年4月3日", "date", calendar="japanese", date_patterns=["%Y年%m月%d日"]).value == "2024-04-03"
    assert value("3/4/2567", "date", calendar="buddhist", date_patterns=["%d/%m/%Y"]).value == "2024-04-03"
    assert value("٠٣/٠٤/٢٠٢٤", "date", date_patterns=["%d/%m/%Y"]).value == "2024-04-03"
