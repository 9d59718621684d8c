from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import Column, Value, read
from scoring.values.dates import date_pattern, written_date
from scoring.values.locales import LocaleError
from scoring.values.reader import same


def day(text: str, *patterns: str, **more: Any) -> Value:
    return read(text, Column.from_json({"name": "x", "type": "date", "date_patterns": list(patterns), **more}))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("令和6年4月3日", "2024-04-03"),
        ("令和元年5月1日", "2019-05-01"),
        ("令和 6年4月3日", "2024-04-03"),
        ("令和６年４月３日", "2024-04-03"),
        ("㋿6年4月3日", "2024-04-03"),
        ("平成元年1月8日", "1989-01-08"),
        ("平成31年4月30日", "2019-04-30"),
        ("昭和64年1月7日", "1989-01-07"),
        ("昭和1年12月25日", "1926-12-25"),
        ("大正12年9月1日", "1923-09-01"),
        ("明治45年7月30日", "1912-07-30"),
        ("R6年4月3日", "2024-04-03"),
        ("h31年4月30日", "2019-04-30"),
        ("2024年4月3日", "2024-04-03"),
    ],
)
def test_a_japanese_year_is_counted_from_its_era(text: str, expected: str) -> None:
    found = day(text, "%Y年%m月%d日", calendar="japanese", locale="ja_JP")
    assert (found.kind, found.value, found.flags) == ("date", expected, ())


def test_eras_are_written_with_points_or_slashes_too() -> None:
    assert day("R6.4.3", "%Y.%m.%d", calendar="japanese").value == "2024-04-03"
    assert day("令和6年", "%Y年", calendar="japanese").value == "2024"


@pytest.mark.parametrize(
    "text", ["6年4月3日", "令和年4月3日", "慶応3年4月3日", "令和6年13月3日", "令和100年1月1日", "X6年4月3日"]
)
def test_a_year_without_a_known_era_is_refused(text: str) -> None:
    assert not day(text, "%Y年%m月%d日", calendar="japanese").readable


def test_an_era_is_none_where_the_column_does_not_declare_the_calendar() -> None:
    assert not day("令和6年4月3日", "%Y年%m月%d日").readable


@pytest.mark.parametrize(
    ("text", "pattern", "expected"),
    [
        ("3/4/2567", "%d/%m/%Y", "2024-04-03"),
        ("๓/๔/๒๕๖๗", "%d/%m/%Y", "2024-04-03"),
        ("3 เมษายน 2567", "%d %B %Y", "2024-04-03"),
        ("29 ก.พ. 2567", "%d %b %Y", "2024-02-29"),
        ("3/4/67", "%d/%m/%y", "2024-04-03"),
        ("3/4/12", "%d/%m/%y", "1969-04-03"),
    ],
)
def test_a_buddhist_year_is_543_ahead(text: str, pattern: str, expected: str) -> None:
    assert day(text, pattern, calendar="buddhist", locale="th_TH").value == expected


def test_a_buddhist_leap_day_is_one_of_the_gregorian_year() -> None:
    assert not day("29/2/2568", "%d/%m/%Y", calendar="buddhist").readable
    assert not day("1/1/0543", "%d/%m/%Y", calendar="buddhist").readable


@pytest.mark.parametrize(
    ("text", "first", "expected"),
    [("03.04.50", 1950, "1950-04-03"), ("03.04.49", 1950, "2049-04-03"), ("03.04.24", 1900, "1924-04-03")],
)
def test_two_digits_of_a_year_lie_in_the_declared_hundred_years(text: str, first: int, expected: str) -> None:
    assert day(text, "%d.%m.%y", short_year_from=first).value == expected


@pytest.mark.parametrize(
    ("text", "pattern", "expected"),
    [
        ("2024", "%Y", "2024"),
        ("10/2024", "%m/%Y", "2024-10"),
        ("October", "%B", "--10"),
        ("14 October", "%d %B", "--10-14"),
        ("14 October 2024", "%d %B %Y", "2024-10-14"),
    ],
)
def test_a_date_keeps_the_parts_that_are_printed(text: str, pattern: str, expected: str) -> None:
    assert day(text, pattern).value == expected


def test_dates_that_are_printed_to_different_parts_are_not_the_same() -> None:
    column = Column("x", type="date", date_patterns=("%Y", "%m/%Y", "%d/%m/%Y"))
    whole, month, year = (read(text, column) for text in ("14/10/2024", "10/2024", "2024"))
    assert not same(whole, month, column)
    assert not same(month, year, column)
    assert same(month, read("10/2024", column), column)


def test_a_date_in_two_declared_orders_is_ambiguous_only_if_both_are_days_and_differ() -> None:
    both = ("%d/%m/%Y", "%m/%d/%Y")
    assert (day("03/04/2024", *both).value, day("03/04/2024", *both).flags) == ("2024-04-03", ("ambiguous",))
    assert day("04/04/2024", *both).flags == ()
    assert day("13/04/2024", *both).flags == ()
    assert (day("04/13/2024", *both).value, day("04/13/2024", *both).flags) == ("2024-04-13", ())


@pytest.mark.parametrize("text", ["03/04/2024", "3.4.2024", "03-04-24", "3 4 2024", "٠٣/٠٤/٢٠٢٤"])
def test_a_date_whose_order_nothing_declares_is_ambiguous_and_not_read(text: str) -> None:
    assert (day(text).kind, day(text).flags) == ("text", ("unparseable", "ambiguous"))


@pytest.mark.parametrize(
    "text", ["13/04/2024", "04/04/2024", "0/4/2024", "3/4", "3 April 2024", "3/4-2024", "2024/04/03"]
)
def test_other_dates_that_nothing_declares_are_just_not_read(text: str) -> None:
    assert day(text).flags == ("unparseable",)


def test_a_footnote_at_a_date_is_cut_off_and_kept() -> None:
    found = day("14.10.2024*", "%d.%m.%Y")
    assert (found.value, found.footnote, found.flags) == ("2024-10-14", "*", ("footnote",))


@pytest.mark.parametrize(
    ("pattern", "calendar", "expected"),
    [
        ("%d %Q", "gregorian", "'%Q'"),
        ("%d", "gregorian", "a month"),
        ("%d %Y", "gregorian", "a month"),
        ("words", "gregorian", "a month"),
        ("%m %B", "gregorian", "at most one month"),
        ("%m %Y %y", "gregorian", "at most one"),
        ("%m %m", "gregorian", "twice"),
        ("%y/%m", "japanese", "'%y'"),
    ],
)
def test_a_pattern_that_tells_no_date_is_refused(pattern: str, calendar: Any, expected: str) -> None:
    with pytest.raises(LocaleError) as told:
        date_pattern(pattern, "en", calendar)
    assert repr(pattern) in str(told.value)
    assert expected in str(told.value)


@given(
    st.dates(min_value=date(1868, 1, 1), max_value=date(2117, 12, 31)),
    st.sampled_from(["en", "en_GB", "de_DE", "fr_FR", "pl", "ru", "ar_EG", "hi_IN", "th_TH", "ja_JP", "pt_BR", "fi"]),
    st.sampled_from(["%d %B %Y", "%d. %b %Y", "%A, %d %B %Y", "%a %d %b %Y", "%d/%m/%Y", "%Y%m%d", "%Y年%m月%d日"]),
    st.sampled_from(["gregorian", "buddhist", "japanese"]),
)
def test_every_date_that_a_locale_writes_is_read_back(when: date, locale: str, pattern: str, calendar: Any) -> None:
    if calendar == "japanese" and pattern == "%Y%m%d":
        pattern = "%Y-%m-%d"  # 令和6 and 04 are not parted
    text = written_date(when, pattern, locale=locale, calendar=calendar)
    assert day(text, pattern, locale=locale, calendar=calendar).value == when.isoformat()


@given(st.dates(min_value=date(1969, 1, 1), max_value=date(2068, 12, 31)), st.sampled_from(["gregorian", "buddhist"]))
def test_every_date_of_a_hundred_years_is_told_by_two_digits(when: date, calendar: Any) -> None:
    text = written_date(when, "%d.%m.%y", calendar=calendar)
    assert day(text, "%d.%m.%y", calendar=calendar).value == when.isoformat()
