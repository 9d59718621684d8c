"""Typed values: what a cell's text means in its column, read by declared rules and never guessed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import Literal

from scoring.locales import LARGEST_NUMBER_OF_CHARACTERS, NumberSigns, date_pattern, month_names, number_signs
from scoring.schema import ISO_DATE, Column
from scoring.text import PROFILES, fold, plain_marks

# What a table without a table type is read with: text, and only the empty cell is empty.
PLAIN = Column("", null_words=())

_NUMBERS = ("integer", "number", "currency", "percent")
_FOOTNOTE = re.compile(r"(?:\s*(?:[\u00b9\u00b2\u00b3\u2070-\u2079]+|[*†‡]+|\[[0-9a-z]{1,2}\]|\([a-z]\)))+$")
_FIRST_SHORT_YEAR_OF_1900 = 69


@dataclass(frozen=True, slots=True)
class Value:
    """The meaning of one text.

    ``kind`` is "null" for an absent value, "number" (``value`` is a Decimal), "date" (ISO 8601 text
    as far as printed: "2024-10-14", "2024-10", "--10-14"), "id" or "text". ``text`` is the
    normalised text. ``unit`` is "%" or the currency. ``flags`` say in words what was passed over
    ("footnote") or went wrong ("does not parse as date"); then the kind is "text".
    """

    kind: Literal["null", "text", "number", "date", "id"]
    value: Decimal | str
    text: str
    unit: str = ""
    flags: tuple[str, ...] = ()

    @property
    def readable(self) -> bool:
        """False where the text does not parse as the type of its column."""
        return not any(flag.startswith("does not parse") for flag in self.flags)

    @property
    def number(self) -> Decimal | None:
        """The value where it is a number, else None."""
        return self.value if isinstance(self.value, Decimal) else None


def read(text: str, column: Column = PLAIN) -> Value:
    """The value of a text in a column; never raises and never guesses.

    A number is read with the signs of the column's locale: valid groups, one sign at most (leading
    or trailing minus, U+2212, parentheses, in Japanese a triangle), and one unit at most: a currency
    sign or ISO code in a currency column, a percent sign in a percent column (5 % is 5). A trailing
    footnote mark is passed over where the rest parses. Dates are read by the declared patterns in
    their order; a two-digit year from 69 on is of the 20th century, as in POSIX. What does not
    parse stays text.
    """
    normal = PROFILES[column.normalise](text)
    if is_null(text, column):
        return Value("null", "", normal)
    if column.type in _NUMBERS:
        found = _read_number(text, column)
    elif column.type == "date":
        found = _read_date(text, column)
    elif column.type == "id":
        code = normal if column.keep_leading_zeros else normal.lstrip("0") or "0"
        return Value("id", code, normal)
    else:
        return Value("text", normal, normal)
    if found is None:
        return Value("text", normal, normal, flags=(f"does not parse as {column.type}",))
    value, unit, flags = found
    return Value("date" if isinstance(value, str) else "number", value, normal, unit, flags)


def is_null(text: str, column: Column = PLAIN) -> bool:
    """Whether a text stands for an absent value: nothing to see, or a null word of the column."""
    folded = fold(text)
    return not folded or folded in _folded(column.null_words)


def same(gold: Value, pred: Value, column: Column = PLAIN) -> bool:
    """Whether two values are equal after normalisation.

    Numbers are equal within the column's tolerance and with the same unit, where an absent unit
    goes with any. A value that does not parse is compared as text. An "exact" column is compared
    verbatim. Two absent values are equal.
    """
    if gold.kind == pred.kind == "null":
        return True
    if column.normalise == "exact":
        return gold.kind != "null" and pred.kind != "null" and gold.text == pred.text
    if gold.kind != pred.kind:
        return False
    if isinstance(gold.value, Decimal) and isinstance(pred.value, Decimal):
        if gold.unit and pred.unit and gold.unit != pred.unit:
            return False
        return gold.value == pred.value or bool(column.tolerance and abs(gold.value - pred.value) <= column.tolerance)
    return gold.value == pred.value


@lru_cache(maxsize=512)
def _folded(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(fold, words))


_Found = tuple[Decimal | str, str, tuple[str, ...]]


def _read_number(text: str, column: Column) -> _Found | None:
    if len(text) > LARGEST_NUMBER_OF_CHARACTERS:
        return None
    signs = number_signs(column.locale)
    flags: tuple[str, ...] = ()
    found = _number(plain_marks(text), column, signs)
    if found is None and (rest := _FOOTNOTE.sub("", text)) != text:
        found, flags = _number(plain_marks(rest), column, signs), ("footnote",)
    if found is None:
        return None
    number, unit = found
    if column.type == "integer" and number != number.to_integral_value():
        return None
    return number, unit, flags


def _number(text: str, column: Column, signs: NumberSigns) -> tuple[Decimal, str] | None:
    rest, unit, signed, negative = text.strip(), "", False, False
    while True:
        if not signed and rest and rest[0] in "+" + signs.minus:
            signed, negative, rest = True, rest[0] != "+", rest[1:].lstrip()
        elif not signed and rest.endswith("-"):
            signed, negative, rest = True, True, rest[:-1].rstrip()
        elif not signed and rest.startswith("(") and rest.endswith(")"):
            signed, negative, rest = True, True, rest[1:-1].strip()
        elif not unit and (cut := _without_unit(rest, column, signs)):
            rest, unit = cut
        else:
            break
    match = signs.number.fullmatch(rest)
    if match is None:
        return None
    whole = re.sub("[^0-9]", "", match["whole"]) or "0"
    number = Decimal(f"{whole}.{match['fraction']}" if match["fraction"] else whole)
    return number.copy_negate() if negative and number else number, unit


def _without_unit(text: str, column: Column, signs: NumberSigns) -> tuple[str, str] | None:
    if column.type == "percent":
        for sign in ("%", "\u066a"):
            if text.startswith(sign):
                return text[1:].lstrip(), "%"
            if text.endswith(sign):
                return text[:-1].rstrip(), "%"
    if column.type == "currency":
        # All that stands before the first or after the last digit, sign or bracket has to be one currency.
        if (lead := re.match(r"[^0-9+\-()▲△]+", text)) and (sign := lead[0].strip()) in signs.currencies:
            return text[lead.end() :], signs.currencies[sign]
        if (tail := re.search(r"[^0-9+\-()]+$", text)) and (sign := tail[0].strip()) in signs.currencies:
            return text[: tail.start()].rstrip(), signs.currencies[sign]
    return None


def _read_date(text: str, column: Column) -> _Found | None:
    found = None
    flags: tuple[str, ...] = ()
    marks = plain_marks(text).strip()
    for pattern in column.date_patterns or ISO_DATE:
        match = date_pattern(pattern, column.locale).fullmatch(marks)
        value = _date(match, column) if match else None
        if value is not None and found is None:
            found = value
        elif value is not None and value != found:
            flags = ("fits more than one date pattern, the first one is taken",)
    return None if found is None else (found, "", flags)


def _date(match: re.Match[str], column: Column) -> str | None:
    parts = {name: text for name, text in match.groupdict().items() if text is not None}
    if "name" in parts:
        month = month_names(column.locale).get(fold(parts["name"]).rstrip("."), 0)
    else:
        month = int(parts["month"])
    year = int(parts["year"]) if "year" in parts else None
    if "short_year" in parts:
        short = int(parts["short_year"])
        year = short + (1900 if short >= _FIRST_SHORT_YEAR_OF_1900 else 2000)
    try:
        # 2000 was a leap year: without a year 29 February may be meant.
        date(2000 if year is None else year, month, int(parts.get("day", 1)))
    except ValueError:
        return None
    before = "--" if year is None else f"{year:04}-"
    return f"{before}{month:02}" + (f"-{int(parts['day']):02}" if "day" in parts else "")
