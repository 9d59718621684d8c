"""Dates by declared patterns: calendars, two-digit years, and only as much of a date as is printed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from types import MappingProxyType
from typing import Literal

from scoring.text import fold, plain_marks
from scoring.values.locales import LocaleError, day_names, month_names, name_to_write

ISO_DATE = ("%Y-%m-%d",)
# As in POSIX: 69 is 1969, 68 is 2068.
SHORT_YEAR_FROM = 1969

Calendar = Literal["gregorian", "buddhist", "japanese"]
_BUDDHIST_YEARS_AHEAD = 543
# The year 1 of each era, with the ways to write it: in full, as one sign, as a letter.
_ERAS = {"令和": 2019, "平成": 1989, "昭和": 1926, "大正": 1912, "明治": 1868}
_ERA_SIGNS = {"㋿": "令和", "㍻": "平成", "㍼": "昭和", "㍽": "大正", "㍾": "明治"}
_ERA_SIGNS |= {"R": "令和", "H": "平成", "S": "昭和", "T": "大正", "M": "明治"}
_ERA_YEARS = MappingProxyType(_ERAS | {sign: _ERAS[era] for sign, era in _ERA_SIGNS.items()})
_FIRST_YEAR = "元"
_PARTS = {
    "%d": r"(?P<day>\d{1,2})",
    "%m": r"(?P<month>\d{1,2})",
    "%Y": r"(?P<year>\d{4})",
    "%y": r"(?P<short_year>\d{2})",
    "%%": "%",
}
_ERA_YEAR = rf"(?:(?P<era>{'|'.join(_ERA_YEARS)})\s*(?P<era_year>\d{{1,2}}|{_FIRST_YEAR})|(?P<year>\d{{4}}))"
_PIECES = re.compile(r"%.?|\s+|[^%\s]+")
# Two numbers of which each may be the day or the month, and a year.
_NO_ORDER = re.compile(r"(?P<one>\d{1,2})([./ -])(?P<other>\d{1,2})\2(?:\d{4}|\d{2})")


@dataclass(frozen=True)
class DateRules:
    """How the dates of one column are written: compiled patterns in their order, and the calendar of the years.

    ``has_order``: the column itself declares patterns, and with them the order of day and month.
    """

    patterns: tuple[re.Pattern[str], ...]
    months: Mapping[str, int]
    calendar: Calendar
    short_year_from: int
    has_order: bool


def date_rules(
    patterns: tuple[str, ...],
    *,
    locale: str = "en",
    calendar: Calendar = "gregorian",
    short_year_from: int = SHORT_YEAR_FROM,
) -> DateRules:
    """The rules of a column; without patterns it has ISO dates only. Raises LocaleError as ``date_pattern`` does."""
    compiled = tuple(date_pattern(pattern, locale, calendar) for pattern in patterns or ISO_DATE)
    return DateRules(compiled, month_names(locale), calendar, short_year_from, bool(patterns))


def read_date(text: str, rules: DateRules) -> tuple[str, bool] | None:
    """The date of a whole text, folded by ``plain_marks``, in ISO 8601, and whether it is ambiguous; or None.

    It has the parts that are printed: "2024-10-14", "2024-10", "2024", "--10-14", "--10". The first
    pattern that fits a real date decides; another one that gives another date makes it ambiguous.
    """
    found, ambiguous = None, False
    for pattern in rules.patterns:
        match = pattern.fullmatch(text)
        value = _date(match, rules) if match else None
        if found is None:
            found = value
        elif value is not None and value != found:
            ambiguous = True
    return None if found is None else (found, ambiguous)


def lacks_order(text: str, rules: DateRules) -> bool:
    """Whether a text is a date of numbers whose order no pattern declares: 03/04/2024, but not 13/04/2024."""
    match = None if rules.has_order else _NO_ORDER.fullmatch(text)
    return (
        match is not None
        and int(match["one"]) != int(match["other"])
        and all(1 <= int(match[part]) <= 12 for part in ("one", "other"))
    )


@lru_cache(maxsize=512)
def date_pattern(pattern: str, locale: str, calendar: Calendar = "gregorian") -> re.Pattern[str]:
    """A strptime-like pattern as an expression with the groups day, month, year, short_year, name, era, era_year.

    Known are %d %m %Y %y %B %b %A %a %%, with the month and weekday names of the locale (long or
    short, with or without a full stop). In the Japanese calendar %Y is an era and its year, as in
    令和6, R6 or 令和元, or a Gregorian year of four digits, and there is no %y. Raises LocaleError for
    other parts, for one named twice, and for a pattern with neither month nor year.
    """
    names = "|".join(sorted(map(re.escape, month_names(locale)), key=len, reverse=True))
    days = "|".join(sorted(map(re.escape, day_names(locale)), key=len, reverse=True))
    parts = _PARTS | {name: rf"(?P<name>{names})\.?" for name in ("%B", "%b")}
    parts |= {name: rf"(?:{days})\.?" for name in ("%A", "%a")}
    if calendar == "japanese":
        parts["%Y"] = _ERA_YEAR
        del parts["%y"]
    expression = ""
    for piece in _PIECES.findall(plain_marks(pattern)):
        if piece.startswith("%"):
            if piece not in parts:
                raise LocaleError(f"date pattern {pattern!r} has {piece!r}, expected only {' '.join(sorted(parts))}")
            expression += parts[piece]
        else:
            expression += r"\s+" if piece.isspace() else re.escape(piece)
    try:
        compiled = re.compile(expression, re.IGNORECASE)
    except re.error:
        raise LocaleError(f"date pattern {pattern!r} names a part of the date twice, expected each once") from None
    named = set(compiled.groupindex)
    if {"month", "name"} <= named or {"year", "short_year"} <= named:
        raise LocaleError(
            f"date pattern {pattern!r}, expected at most one month (%m, %B or %b) and at most one year (%Y or %y)"
        )
    if not named & {"month", "name"} and ("day" in named or not named):
        raise LocaleError(f"date pattern {pattern!r}, expected a month (%m, %B or %b), or a year alone")
    return compiled


def written_date(day: date, pattern: str, *, locale: str = "en", calendar: Calendar = "gregorian") -> str:
    """A day as a pattern, a locale and a calendar write it, digits 0 to 9."""
    year = f"{day.year + (_BUDDHIST_YEARS_AHEAD if calendar == 'buddhist' else 0):04}"
    parts = {"%d": f"{day.day:02}", "%m": f"{day.month:02}", "%Y": year, "%y": year[-2:], "%%": "%"}
    if calendar == "japanese":
        era, first = next(((era, first) for era, first in _ERAS.items() if first <= day.year), ("", 1))
        parts["%Y"] = f"{era}{day.year - first + 1}" if era else year
    written = ""
    for piece in _PIECES.findall(pattern):
        if piece in ("%B", "%b"):
            written += name_to_write(locale, "months", day.month, short=piece == "%b")
        elif piece in ("%A", "%a"):
            written += name_to_write(locale, "days", day.weekday(), short=piece == "%a")
        else:
            written += parts.get(piece, piece)
    return written


def _date(match: re.Match[str], rules: DateRules) -> str | None:
    parts = match.groupdict()
    year, month, day = _year(parts, rules), parts.get("month"), parts.get("day")
    number = int(month) if month else 1
    if name := parts.get("name"):
        number = rules.months.get(fold(name).rstrip("."), 0)
    try:
        # 2000 was a leap year: without a year 29 February may be meant.
        date(2000 if year is None else year, number, int(day) if day else 1)
    except ValueError:
        return None
    before = "-" if year is None else f"{year:04}"
    if not month and not name:
        return before
    return f"{before}-{number:02}-{int(day):02}" if day else f"{before}-{number:02}"


def _year(parts: Mapping[str, str | None], rules: DateRules) -> int | None:
    if era := parts.get("era"):
        in_era = parts["era_year"]
        return _ERA_YEARS[era.upper()] - 1 + (1 if in_era == _FIRST_YEAR else int(in_era or 0))
    ahead = _BUDDHIST_YEARS_AHEAD if rules.calendar == "buddhist" else 0
    if year := parts.get("year"):
        return int(year) - ahead
    if short := parts.get("short_year"):
        return rules.short_year_from + (int(short) - ahead - rules.short_year_from) % 100
    return None
